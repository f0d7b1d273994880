"""The image: the memory of a Python that has started and imported NumPy, taken once at build."""

import json
import shutil
import zipfile
from functools import partial
from pathlib import Path

from site_src import CACHE
from site_src.node import node
from site_src.runtime import distribution
from site_src.steps import digest, step, undo

HERE = Path(__file__).parent
IMAGE = distribution.RUNTIME / "python.image"
NUMPY = CACHE / "image"  # its wheel, unpacked as Python finds it
ENVIRONMENT = {
    "HOME": "/home/pyodide",  # where Python starts, and finds our own modules
    "LANG": "en_US.UTF-8",  # these two would else be those of the machine
    "_": "./this.program",
    "MATPLOTLIBRC": "/home/pyodide/site_src/runtime/matplotlibrc",
}
# What `import numpy` loads, in that order: path in NumPy's wheel → file that the site hosts.
SHARED_OBJECTS = {
    f"numpy/{name}.cpython-314-wasm32-emscripten.so": f"{name.rpartition('/')[2]}.wasm"
    for name in ("_core/_multiarray_umath", "linalg/_umath_linalg")
}
PACKED = [distribution.RUNTIME / "pyodide.asm.wasm", IMAGE]
PACKED += [distribution.RUNTIME / file for file in SHARED_OBJECTS.values()]
PACKINGS = ("brotli", "gzip")
PACKER = HERE / "pack.mjs"
QUICK, BEST = "5", "11"  # qualities of brotli
SMALLEST = "files packed smallest"


def prepare() -> None:
    """Take the image and pack what comes with it. Raises Problem where that is not possible."""
    made_from = [*distribution.start_files(), *sorted(HERE.glob("*.ts"))]
    made_from += [HERE / "build.mjs", HERE / "warm.py"]
    step("image of Python", digest(made_from, json.dumps(ENVIRONMENT)), IMAGE, take)
    packed_from = digest([*PACKED, PACKER])
    step("packed files", packed_from, packings(PACKED[-1])[-1], pack_quickly)


def prepare_smallest() -> None:
    """Pack the same files as small as can be, which takes minutes: for a site that is published."""
    packed_from = digest([*PACKED, PACKER])
    step(SMALLEST, packed_from, packings(PACKED[-1])[-1], partial(pack, BEST))


def take() -> str:
    """Start Python, import NumPy and what cells commonly need, and keep its memory."""
    wheel = distribution.hosted(distribution.at_start())[0]
    shutil.rmtree(NUMPY, ignore_errors=True)
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(NUMPY)
    for path, file in SHARED_OBJECTS.items():
        shutil.copyfile(NUMPY / path, distribution.RUNTIME / file)
    recipe = CACHE / "image.json"
    recipe.write_text(
        json.dumps(
            {
                "pyodide": f"{distribution.NPM}/",
                "stdlib": str(distribution.RUNTIME / distribution.STDLIB),
                "packages": str(NUMPY),
                "objects": list(SHARED_OBJECTS),
                "warm": str(HERE / "warm.py"),
                "env": ENVIRONMENT | {"PYTHONHASHSEED": "0"},
                "target": str(IMAGE),
            }
        ),
        encoding="utf-8",
    )
    node(
        HERE / "build.mjs",
        recipe,
        failing="the image of Python could not be taken",
        remedy="remove .cache and node_modules and try again; if it stays, report it.",
    )
    return f"{IMAGE.stat().st_size / 1e6:.1f} MB of memory"


def pack_quickly() -> str:
    """Pack for a site that is being worked on, in place of what was packed before."""
    undo(SMALLEST)
    return pack(QUICK)


def pack(quality: str) -> str:
    """Pack the files that every start fetches, in each way that a browser may unpack."""
    node(
        PACKER,
        quality,
        *PACKED,
        failing="the files of Python could not be packed",
        remedy="remove .cache and try again; if it stays, report it.",
    )
    sizes = [sum(packings(path)[i].stat().st_size for path in PACKED) for i in range(len(PACKINGS))]
    return ", ".join(f"{s / 1e6:.1f} MB as {p}" for s, p in zip(sizes, PACKINGS, strict=True))


def packings(path: Path) -> list[Path]:
    """The packed forms of a file, in the order of PACKINGS."""
    return [path.with_name(f"{path.name}.{packing}") for packing in PACKINGS]
