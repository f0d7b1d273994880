"""The files that the browser's Python starts from: pinned, verified, precompiled."""

import hashlib
import json
import shutil
from pathlib import Path
from typing import TypedDict

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


class HostedFile(TypedDict):
    """One file of the runtime as the browser must find it: its length in bytes and its sha256."""

    size: int
    sha256: str


class Wheel(TypedDict):
    """What Pyodide's lock says of a package, as far as we use it."""

    file_name: str
    sha256: str


def prepare() -> None:
    """Fetch, verify and precompile. Raises Problem where that is not possible."""
    step("Pyodide", digest([*core_files()]), RUNTIME / "pyodide.asm.wasm", take_core)
    wheel = numpy_wheel()
    step(
        "NumPy for the browser",
        wheel["sha256"],
        WHEELS / wheel["file_name"],
        lambda: download_wheel(wheel),
    )
    sources = [NPM / STDLIB, WHEELS / wheel["file_name"], *sorted(HERE.glob("precompile.*"))]
    step("precompiled Python", digest(sources), RUNTIME / wheel["file_name"], precompile)


def manifest() -> dict[str, HostedFile]:
    """Each hosted file by name."""
    return {
        path.name: {
            "size": path.stat().st_size,
            "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        }
        for path in hosted()
    }


def hosted() -> list[Path]:
    """The files that the site hosts; a wheel of an earlier version may still lie beside them."""
    names = ["pyodide.asm.mjs", "pyodide.asm.wasm", STDLIB, numpy_wheel()["file_name"]]
    return [RUNTIME / name for name in names]


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


def numpy_wheel() -> Wheel:
    """NumPy's wheel as Pyodide's own lock names it."""
    lock = json.loads((NPM / "pyodide-lock.json").read_text(encoding="utf-8"))
    wheel: Wheel = lock["packages"]["numpy"]
    return wheel


def download_wheel(wheel: Wheel) -> str:
    """Bring a wheel into the cache."""
    version: str = json.loads((NPM / "package.json").read_text(encoding="utf-8"))["version"]
    return fetch(wheel["file_name"], wheel["sha256"], version, WHEELS)


def precompile() -> str:
    """Compile the standard library and NumPy to bytecode, in Pyodide itself."""
    wheel = numpy_wheel()["file_name"]
    recipe = CACHE / "precompile.json"
    recipe.write_text(
        json.dumps(
            [
                archive(NPM / STDLIB, "/lib/python314.zip", slim=False),
                archive(WHEELS / wheel, SITE_PACKAGES, slim=True),
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
    return f"{(RUNTIME / STDLIB).stat().st_size / 1e6:.1f} MB of standard library as bytecode"


def archive(source: Path, root: str, slim: bool) -> dict[str, str | bool]:
    """One entry of the recipe that precompile.mjs follows."""
    return {"from": str(source), "to": str(RUNTIME / source.name), "root": root, "slim": slim}


def lock() -> dict[str, object]:
    """The lock that the hosted Pyodide reads: our precompiled wheel instead of the original."""
    original = json.loads((NPM / "pyodide-lock.json").read_text(encoding="utf-8"))
    numpy = original["packages"]["numpy"]
    numpy["sha256"] = manifest()[numpy["file_name"]]["sha256"]
    return {"info": original["info"], "packages": {"numpy": numpy}}
