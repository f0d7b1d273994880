"""A folder as of Pyodide's distribution, with the packages that a peer asks for."""

import hashlib
import json
import re
import shutil
import zipfile
from email.parser import Parser
from pathlib import Path
from typing import Any

CORE = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm", "python_stdlib.zip", "package.json")


def mirror(pyodide: Path, wheels: list[Path], target: Path) -> None:
    """Pyodide's core and some wheels, under a lock that names these alone.

    pyodide: the npm package, which carries no wheels. They come from elsewhere, so that their
    hashes are other ones than those of Pyodide's own lock.
    """
    shutil.rmtree(target, ignore_errors=True)
    target.mkdir(parents=True)
    for name in CORE:
        shutil.copy(pyodide / name, target)
    for wheel in wheels:
        shutil.copy(wheel, target)
    info = json.loads((pyodide / "pyodide-lock.json").read_text(encoding="utf-8"))["info"]
    lock = {"info": info, "packages": packages(wheels)}
    (target / "pyodide-lock.json").write_text(json.dumps(lock), encoding="utf-8")


def packages(wheels: list[Path]) -> dict[str, Any]:
    """Entries of a lock, by name; of what they depend on, those that are there too."""
    found = {entry["name"]: entry for entry in map(package, wheels)}
    for entry in found.values():
        entry["depends"] = [name for name in entry["depends"] if name in found]
    return found


def package(wheel: Path) -> dict[str, Any]:
    """One entry, out of what the wheel says of itself."""
    with zipfile.ZipFile(wheel) as archive:
        names = archive.namelist()
        (said,) = [name for name in names if re.fullmatch(r"[^/]+\.dist-info/METADATA", name)]
        told = Parser().parsestr(archive.read(said).decode())
    tops = {name.split("/")[0].removesuffix(".py") for name in names}
    needed = [one for one in told.get_all("Requires-Dist", []) if "extra ==" not in one]
    return {
        "name": canonical(told["Name"]),
        "version": told["Version"],
        "file_name": wheel.name,
        "install_dir": "site",
        "sha256": hashlib.sha256(wheel.read_bytes()).hexdigest(),
        "package_type": "package",
        "imports": sorted(top for top in tops if top.isidentifier()),
        "depends": [canonical(re.split(r"[^\w.-]", one)[0]) for one in needed],
        "unvendored_tests": False,
    }


def canonical(name: str) -> str:
    """A package's name as an index writes it.

    >>> canonical("prompt_toolkit")
    'prompt-toolkit'
    """
    return re.sub(r"[-_.]+", "-", name).lower()


def without_machine_code(wheel: Path) -> Path:
    """A wheel for this machine made one for any: PyYAML also works without its faster half."""
    name, version, *_ = wheel.name.split("-")
    pure = wheel.with_name(f"{name}-{version}-py3-none-any.whl")
    with zipfile.ZipFile(wheel) as archive, zipfile.ZipFile(pure, "w") as copy:
        for one in archive.infolist():
            if not one.filename.endswith((".so", ".pyd")):
                copy.writestr(one.filename, archive.read(one), zipfile.ZIP_DEFLATED)
    wheel.unlink()
    return pure
