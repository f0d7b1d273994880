"""The scripts and styles of the site, bundled from the browser halves of the features."""

import json
import shutil
from pathlib import Path
from typing import Any, NamedTuple

from site_src import CACHE, ROOT, model
from site_src.cells.known_names import known_names
from site_src.hosting.isolation import ISOLATION
from site_src.node import node
from site_src.offline import EXPLANATION, UNSTAMPED
from site_src.runtime import hosted, image
from site_src.search import engine as search_engine
from site_src.steps import digest

HERE = Path(__file__).parent
BUNDLES = CACHE / "front-end"
ENTRIES = "entries.json"  # which of the bundles a page names
SERVICE_WORKER = "service-worker.js"  # among the bundles; it has to lie at the site's root
DRAWS = ("matplotlib_backend.py", "matplotlibrc")
FOLDER = "assets/live"  # on the site, of scripts, styles and fonts


class FrontEnd(NamedTuple):
    """What a page refers to, and every file behind it."""

    script: str
    style: str
    search: str
    fonts: list[str]  # that the first screen of every page needs
    files: dict[str, Path]  # address on the site → file here
    service_worker: Path


def bundle() -> FrontEnd:
    """Bundle, unless nothing has changed since. Raises Problem if the sources do not compile."""
    runtime = hosted.runtime()
    constants = {
        "RUNTIME": runtime,
        "MODEL": model.told(),
        "SOURCES": python_sources(),
        "KNOWN_NAMES": known_names(),
        "SEARCH_ENGINE": f"../../{search_engine()}",  # from FOLDER
        "OFFLINE": {"BUILD": UNSTAMPED, "ISOLATION": ISOLATION, "EXPLANATION": EXPLANATION},
    }
    made_from = digest(sources(), json.dumps(constants))
    built = BUNDLES / made_from[:16]
    if not (built / ENTRIES).exists():
        run_bundler(constants, built)
    entry: dict[str, Any] = json.loads((built / ENTRIES).read_text(encoding="utf-8"))
    apart = (ENTRIES, SERVICE_WORKER)
    files = {f"{FOLDER}/{path.name}": path for path in built.iterdir() if path.name not in apart}
    python = f"{FOLDER}/{runtime['folder']}"
    files |= {f"{python}/{name}": path for name, path in hosted.files().items()}
    files |= {f"{FOLDER}/{model.folder()}/{name}": path for name, path in model.files().items()}
    fonts = [f"{FOLDER}/{name}" for name in entry["fonts"]]
    script, style, search = (f"{FOLDER}/{entry[name]}" for name in ("script", "style", "search"))
    return FrontEnd(script, style, search, fonts, files, built / SERVICE_WORKER)


def sources() -> list[Path]:
    """Everything that the bundles are made from, packages included by their lock."""
    kinds = ("*.ts", "*.css", "*.mjs", "*.json")
    found = [path for kind in kinds for path in HERE.rglob(kind)]
    return [*sorted(found), ROOT / "package-lock.json"]


def python_sources() -> dict[str, str]:
    """Our own code in the browser's Python, by the path that it has there.

    What runs cells, the snippets that these may import, and the figures' traces.
    """
    figures = [*HERE.glob("figures/live.py"), *HERE.glob("figures/matrices.py")]
    files = [*(ROOT / "snippets").glob("*.py"), *figures, *HERE.glob("figures/*/trace.py")]
    files += [*image.helpers(), *(HERE / "runtime" / name for name in DRAWS)]
    return {
        path.relative_to(ROOT).as_posix(): path.read_text(encoding="utf-8")
        for path in sorted(files)
    }


def run_bundler(constants: dict[str, Any], target: Path) -> None:
    """Bundle into a folder, with the entries' names beside; earlier bundles go once this stands."""
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    settings = CACHE / "front-end.json"
    settings.write_text(json.dumps(constants), encoding="utf-8")
    entries = node(
        HERE / "front_end.mjs",
        settings,
        target,
        failing="the front end does not compile",
        remedy="mend the file that it names.",
    )
    (target / ENTRIES).write_text(entries, encoding="utf-8")
    for earlier in BUNDLES.iterdir():
        if earlier != target:
            shutil.rmtree(earlier)
