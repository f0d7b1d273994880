"""What the site hosts of Python, and what the browser is told of each way to start it."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, TypedDict

from site_src.runtime import distribution, image
from site_src.runtime.distribution import NPM, RUNTIME, STDLIB, WHEELS
from site_src.steps import digest

GLUE = RUNTIME / "pyodide.asm.mjs"
STOCK = "stock/"  # folder of the archives as Pyodide publishes them


class HostedFile(TypedDict):
    """A file as the browser must find it: its length in bytes and its sha256."""

    size: int
    sha256: str


Files = dict[str, HostedFile | dict[str, HostedFile]]  # those that are packed: by packing


def numpy_wheel() -> str:
    """The file name of NumPy's wheel."""
    return distribution.at_start()["numpy"]["file_name"]


def archives() -> dict[str, Path]:
    """The standard library and NumPy as bytecode, by hosted name."""
    return {name: RUNTIME / name for name in (STDLIB, numpy_wheel())}


def stock() -> dict[str, Path]:
    """The same as they are published."""
    return {STOCK + STDLIB: NPM / STDLIB, STOCK + numpy_wheel(): WHEELS / numpy_wheel()}


def packages() -> dict[str, Path]:
    """The wheels that come when a cell imports them."""
    return {path.name: path for path in distribution.hosted(distribution.on_import())}


def files() -> dict[str, Path]:
    """Everything that is hosted, by its name below the folder of Python."""
    packed = [packing for path in image.PACKED for packing in image.packings(path)]
    alone = {path.name: path for path in [GLUE, *packed]}
    return alone | archives() | stock() | packages()


def runtime() -> dict[str, Any]:
    """What the browser is told: the constant RUNTIME of built.d.ts."""
    core: Files = {GLUE.name: described(GLUE)}
    code = image.PACKED[0]
    ordinary = core | {code.name: packed(code)}
    told: dict[str, Any] = {
        "env": image.ENVIRONMENT,
        "image": {
            "files": core | {path.name: packed(path) for path in image.PACKED},
            "objects": [{"path": p, "file": f} for p, f in image.SHARED_OBJECTS.items()],
        },
        "bytecode": start_from(ordinary, archives(), ours()),
        "stock": start_from(ordinary, stock(), published()),
        "packages": {name: described(path) for name, path in packages().items()},
    }
    return {"folder": f"python-{digest([], json.dumps(told))[:12]}"} | told


def start_from(ordinary: Files, both: dict[str, Path], wheels: dict[str, Any]) -> dict[str, Any]:
    """A start from archives, the standard library first."""
    stdlib, numpy = both
    return {
        "files": ordinary | {name: described(path) for name, path in both.items()},
        "stdlib": stdlib,
        "numpy": numpy,
        "lock": {"info": distribution.pyodide_lock()["info"], "packages": wheels},
    }


def ours() -> dict[str, Any]:
    """Pyodide's lock of the packages with our wheels instead of the originals."""
    return {
        name: wheel | {"sha256": described(RUNTIME / wheel["file_name"])["sha256"]}
        for name, wheel in (distribution.at_start() | distribution.on_import()).items()
    }


def published() -> dict[str, Any]:
    """The same, with NumPy's wheel as it is published."""
    numpy = distribution.at_start()["numpy"]
    return ours() | {"numpy": numpy | {"file_name": STOCK + numpy["file_name"]}}


def packed(path: Path) -> dict[str, HostedFile]:
    """A file as it is hosted in its packed forms."""
    return dict(zip(image.PACKINGS, map(described, image.packings(path)), strict=True))


def described(path: Path) -> HostedFile:
    """A file as it is hosted."""
    return measured(path, path.stat().st_mtime_ns)


@cache
def measured(path: Path, _changed: int) -> HostedFile:
    """A file's length and hash; `serve` asks for the same at each change of a page."""
    content = path.read_bytes()
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
