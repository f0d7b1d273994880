"""Everything that must exist before pages can be built.

Alone: python -m site_src.prepare, with --model for the real model, without which a site can be
built too.
"""

import sys
from pathlib import Path

from site_src import ROOT, model
from site_src.node import npm
from site_src.problems import Problem
from site_src.runtime import distribution, image
from site_src.steps import digest, step

NODE_MODULES = ROOT / "node_modules"


def prepare() -> None:
    """Bring the machine to where pages can be built; a second call finds nothing to do."""
    lock = digest([ROOT / "package-lock.json"])
    step("npm parts", lock, NODE_MODULES / "pyodide", lambda: npm_parts("--omit=dev"))
    distribution.prepare()
    image.prepare()


def prepare_model() -> None:
    """Bring the real model; where it cannot be had, say so, and let the site be built without."""
    try:
        model.prepare()
    except Problem as problem:
        print(f"  The site is built without the real model. {problem}", flush=True)


def npm_parts(*options: str) -> str:
    """Install what package-lock.json pins; npm checks each part's sha512."""
    npm(
        "ci",
        *options,
        f"--prefix={ROOT}",
        failing="npm could not install its parts",
        remedy="check the network and the free space on the disk, then try again.",
    )
    return f"{size(NODE_MODULES) / 1e6:.0f} MB unpacked"


def size(folder: Path) -> int:
    """Bytes below a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if path.is_file())


if __name__ == "__main__":
    try:
        prepare()
        if "--model" in sys.argv:
            prepare_model()
    except Problem as problem:
        sys.exit(f"\n{problem}")
