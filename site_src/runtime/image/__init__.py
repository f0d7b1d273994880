"""The image: the memory of a Python that has started and imported NumPy, taken once at build."""

import json
import shutil
import zipfile
from pathlib import Path

from site_src import CACHE, ROOT
from site_src.node import node
from site_src.runtime import distribution
from site_src.steps import digest, step

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
# Our own modules that run cells, by their names below the folder of Python; it has imported them.
HELPERS = ("advice", "displays", "late_modules", "run_cell", "sleep", "surroundings")
PACKED = [distribution.RUNTIME / "pyodide.asm.wasm", IMAGE]
PACKED += [distribution.RUNTIME / file for file in SHARED_OBJECTS.values()]
PACKER = HERE / "pack.mjs"


def prepare() -> None:
    """Take the image and pack what comes with it. Raises Problem where that is not possible."""
    made_from = [*distribution.start_files(), *sorted(HERE.glob("*.ts"))]
    made_from += [HERE / "build.mjs", HERE / "warm.py", *helpers()]
    step("image of Python", digest(made_from, json.dumps(ENVIRONMENT)), IMAGE, take)
    step("packed files", digest([*PACKED, PACKER]), packed(PACKED[-1]), pack)


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
                "ours": {path.relative_to(ROOT).as_posix(): str(path) for path in helpers()},
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


def helpers() -> list[Path]:
    """The files of our own modules that run cells."""
    return [HERE.parent / f"{name}.py" for name in HELPERS]


def pack() -> str:
    """Pack the files that every start fetches: many hosts compress by a file's type only."""
    node(
        PACKER,
        *PACKED,
        failing="the files of Python could not be packed",
        remedy="remove .cache and try again; if it stays, report it.",
    )
    return f"{sum(packed(path).stat().st_size for path in PACKED) / 1e6:.1f} MB"


def packed(path: Path) -> Path:
    """The packed form of a file."""
    return path.with_name(f"{path.name}.zstd")
