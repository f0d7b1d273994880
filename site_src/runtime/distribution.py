"""The files that the browser's Python starts from: pinned, verified, precompiled."""

import hashlib
import json
import shutil
from functools import cache, partial
from pathlib import Path
from typing import Any, TypedDict

from site_src import CACHE, ROOT
from site_src.node import node
from site_src.problems import Problem
from site_src.runtime.download import fetch
from site_src.steps import digest, step

HERE = Path(__file__).parent
NPM = ROOT / "node_modules" / "pyodide"
WHEELS = CACHE / "wheels"
RUNTIME = CACHE / "runtime"  # what the site will host
PINS: dict[str, str] = json.loads((HERE / "pyodide.sha256.json").read_text(encoding="utf-8"))
STDLIB = "python_stdlib.zip"
SITE_PACKAGES = "/lib/python3.14/site-packages"
SOURCE_ONLY = {
    "fonttools",
    "pytz",
}  # no cell's plot imports them: bytecode would cost and gain nothing


class Wheel(TypedDict):
    """What Pyodide's lock says of a package, as far as we use it."""

    file_name: str
    sha256: str
    depends: list[str]


def prepare() -> None:
    """Fetch, verify and precompile. Raises Problem where that is not possible."""
    step("Pyodide", digest([*core_files()]), RUNTIME / "pyodide.asm.wasm", take_core)
    for title, wheels in {"NumPy": at_start(), "matplotlib": on_import()}.items():
        step(
            f"{title} for the browser",
            digest([], *(wheel["sha256"] for wheel in wheels.values())),
            WHEELS / list(wheels.values())[-1]["file_name"],
            partial(download, wheels),
        )
    archives = [WHEELS / wheel["file_name"] for wheel in (at_start() | on_import()).values()]
    sources = [NPM / STDLIB, *archives, *sorted(HERE.glob("precompile.*"))]
    step("precompiled Python", digest(sources), RUNTIME / archives[0].name, precompile)


def at_start() -> dict[str, Wheel]:
    """The packages that Python starts with, by their names."""
    return closure("numpy")


def on_import() -> dict[str, Wheel]:
    """The packages that come when a cell imports them: matplotlib, and what it needs besides."""
    return {name: wheel for name, wheel in closure("matplotlib").items() if name not in at_start()}


def closure(package: str) -> dict[str, Wheel]:
    """A package and all that it needs, by Pyodide's own lock; what is needed comes first."""
    packages: dict[str, Wheel] = pyodide_lock()["packages"]
    found: dict[str, Wheel] = {}
    for needed in packages[package]["depends"]:
        found |= closure(needed)
    return found | {package: packages[package]}


def start_files() -> list[Path]:
    """What Python starts from, without an image."""
    names = ["pyodide.asm.mjs", "pyodide.asm.wasm", STDLIB]
    return [RUNTIME / name for name in names] + hosted(at_start())


def hosted(wheels: dict[str, Wheel]) -> list[Path]:
    """Wheels as the site hosts them; one of an earlier version may still lie beside them."""
    return [RUNTIME / wheel["file_name"] for wheel in wheels.values()]


def core_files() -> list[Path]:
    """Pyodide's own files, out of the npm package."""
    return [NPM / name for name in PINS]


def take_core() -> str:
    """Check the npm package against the pins and copy what is hosted as it is."""
    for path in core_files():
        if hashlib.sha256(path.read_bytes()).hexdigest() != PINS[path.name]:
            raise Problem(
                f"{path} is not the pinned file.",
                "remove node_modules and run the same command again.",
            )
    RUNTIME.mkdir(parents=True, exist_ok=True)
    for name in ("pyodide.asm.mjs", "pyodide.asm.wasm"):
        shutil.copyfile(NPM / name, RUNTIME / name)
    return f"{sum(path.stat().st_size for path in core_files()) / 1e6:.1f} MB from npm, verified"


def download(wheels: dict[str, Wheel]) -> str:
    """Bring wheels into the cache."""
    version: str = json.loads((NPM / "package.json").read_text(encoding="utf-8"))["version"]
    wanted = {wheel["file_name"]: wheel["sha256"] for wheel in wheels.values()}
    return fetch(wanted, version, WHEELS)


def precompile() -> str:
    """Compile the standard library and the packages to bytecode, in Pyodide itself."""
    recipe = CACHE / "precompile.json"
    wheels = at_start() | on_import()
    recipe.write_text(
        json.dumps(
            [
                archive(NPM / STDLIB, "/lib/python314.zip", slim=False),
                *(
                    archive(WHEELS / wheel["file_name"], SITE_PACKAGES, slim=True)
                    for name, wheel in wheels.items()
                    if name not in SOURCE_ONLY
                ),
            ]
        )
    )
    node(
        HERE / "precompile.mjs",
        NPM,
        recipe,
        failing="Pyodide could not compile its modules",
        remedy="remove .cache and node_modules and try again; if it stays, report it.",
    )
    for name in SOURCE_ONLY:
        shutil.copyfile(WHEELS / wheels[name]["file_name"], RUNTIME / wheels[name]["file_name"])
    return f"{(RUNTIME / STDLIB).stat().st_size / 1e6:.1f} MB of standard library as bytecode"


def archive(source: Path, root: str, slim: bool) -> dict[str, str | bool]:
    """One entry of the recipe that precompile.mjs follows."""
    return {"from": str(source), "to": str(RUNTIME / source.name), "root": root, "slim": slim}


@cache
def pyodide_lock() -> dict[str, Any]:
    """What Pyodide itself says of its packages."""
    return dict(json.loads((NPM / "pyodide-lock.json").read_text(encoding="utf-8")))
