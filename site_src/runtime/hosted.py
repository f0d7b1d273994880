"""What the site hosts of Python, and what the browser is told of each way to start it."""

import hashlib
import json
from functools import cache
from pathlib import Path
from typing import Any, NotRequired, TypedDict

from site_src.runtime import distribution, image
from site_src.runtime.distribution import NPM, RUNTIME, STDLIB, WHEELS
from site_src.steps import digest

GLUE = RUNTIME / "pyodide.asm.mjs"
CODE = image.PACKED[0]
STOCK = "stock/"  # folder of what Pyodide publishes, as it does


class HostedFile(TypedDict):
    """A file as the browser must find it: its length in bytes and its sha256, as it travels."""

    size: int
    sha256: str
    unpacked: NotRequired[int]  # its own length in bytes, if it travels packed


Files = dict[str, HostedFile]


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
    alone = {path.name: path for path in [GLUE, *map(image.packed, image.PACKED)]}
    return alone | archives() | {STOCK + CODE.name: CODE} | stock() | packages()


def runtime() -> dict[str, Any]:
    """What the browser is told: the constant RUNTIME of built.d.ts."""
    glue: Files = {GLUE.name: described(GLUE)}
    told: dict[str, Any] = {
        "env": image.ENVIRONMENT,
        "image": {
            "files": glue | {path.name: packed(path) for path in image.PACKED},
            "objects": [{"path": p, "file": f} for p, f in image.SHARED_OBJECTS.items()],
        },
        "bytecode": start_from(glue | {CODE.name: packed(CODE)}, archives(), ours()),
        "stock": start_from(glue | {STOCK + CODE.name: described(CODE)}, stock(), published()),
        "packages": {name: described(path) for name, path in packages().items()},
    }
    return {"folder": f"python-{digest([], json.dumps(told))[:12]}"} | told


def start_from(code: Files, both: dict[str, Path], wheels: dict[str, Any]) -> dict[str, Any]:
    """A start from archives, the standard library first; code: the glue, then Python's own."""
    stdlib, numpy = both
    return {
        "files": code | {name: described(path) for name, path in both.items()},
        "code": list(code)[-1].removesuffix(CODE.name),
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


def packed(path: Path) -> HostedFile:
    """A file as it is hosted in its packed form."""
    return {**described(image.packed(path)), "unpacked": path.stat().st_size}


def described(path: Path) -> HostedFile:
    """A file as it is hosted."""
    return measured(path, path.stat().st_mtime_ns)


@cache
def measured(path: Path, _changed: int) -> HostedFile:
    """A file's length and hash; `serve` asks for the same at each change of a page."""
    content = path.read_bytes()
    return {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}
