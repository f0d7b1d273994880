"""The version of a build, and the list of its files: one hash over all that was built."""

import json
from pathlib import Path

from site_src.front_end import FOLDER
from site_src.offline import UNSTAMPED, WORKER
from site_src.steps import digest

UNLIKE = ("sitemap.xml", "sitemap.xml.gz", "_headers")  # say when it was built, not what
# What no reader misses offline: what Python starts from only where its image and its bytecode both
# fail; search in other languages; pages and pictures for hosts, other sites and debuggers.
FOLDERS_NOT_NEEDED = ("/stock/", "/lunr/")
NOT_NEEDED = (".map", ".LEGAL.txt", ".gz", "404.html", "share.png")


def stamp(site: Path, offline: bool) -> None:
    """Write the version into the pages, and for offline use the list of files beside them."""
    files = {address(path, site): path for path in sorted(site.rglob("*")) if path.is_file()}
    for name in (*UNLIKE[1:], WORKER):
        files.pop(name, None)
    version = version_of(files)
    if offline:
        text = json.dumps(listed(files), separators=(",", ":"))
        (site / FOLDER / f"build-{version}.json").write_text(text, encoding="utf-8")
    for path in [*site.rglob("*.html"), site / WORKER]:
        if path.exists():
            content = path.read_bytes().replace(UNSTAMPED.encode(), version.encode())
            path.write_bytes(content)


def address(path: Path, site: Path) -> str:
    """Where a file is found on the site; a page by its folder."""
    name = path.relative_to(site).as_posix()
    return name.removesuffix("index.html") if path.name == "index.html" else name


def version_of(files: dict[str, Path]) -> str:
    """As many characters as the mark that it replaces, so that sizes stay."""
    alike = {name: path for name, path in files.items() if name not in UNLIKE}
    return digest(alike.values(), *alike)[: len(UNSTAMPED)]


def listed(files: dict[str, Path]) -> dict[str, dict[str, int] | list[str]]:
    """What the whole site consists of, with sizes in bytes, and what else the build has."""
    needed = {
        name
        for name in files
        if not name.endswith(NOT_NEEDED) and not any(part in name for part in FOLDERS_NOT_NEEDED)
    }
    return {
        "whole": {name: path.stat().st_size for name, path in files.items() if name in needed},
        "others": [name for name in files if name not in needed],
    }
