"""Compile the modules of an archive; runs inside Pyodide, whose bytecode it has to be."""

import importlib.util
import marshal
import zipfile

UNCHECKED = (1).to_bytes(4, "little")  # flags of a .pyc that is never compared with its source
NO_HASH = bytes(8)
DATE = (1980, 1, 1, 0, 0, 0)  # one date for all, so that the same input gives the same bytes

# Parts of a wheel that running code never opens.
BUILD_ONLY = (".pyi", ".h", ".pxd", ".pyx", ".a", ".c", ".ini", ".pc", ".typed")
NEVER_OPENED = (
    *("numpy/f2py/", "numpy/distutils/", "numpy/_pyinstaller/", "numpy/_core/include/"),
    *("numpy/_core/lib/", "numpy/random/lib/"),
    *("matplotlib/mpl-data/sample_data/", "matplotlib/mpl-data/images/"),  # examples, icons
    *("matplotlib/mpl-data/fonts/afm/", "matplotlib/mpl-data/fonts/pdfcorefonts/"),  # of PostScript
    *("matplotlib/backends/_tkagg", "matplotlib/backends/web_backend/"),  # windows of their own
)


def precompile(source: str, target: str, root: str, slim: bool) -> None:
    """Write `target`, a zip like `source`, in which each .py is a .pyc.

    root: the folder that the files will have in Pyodide, for tracebacks.
    slim: leave out what running code never opens.
    """
    with (
        zipfile.ZipFile(source) as old,
        zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as new,
    ):
        for name in sorted(old.namelist()):
            if name.endswith("/") or (slim and unneeded(name)):
                continue
            data = old.read(name)
            if name.endswith(".py"):
                name, data = name + "c", bytecode(data, f"{root}/{name}")
            entry = zipfile.ZipInfo(name, DATE)
            entry.compress_type = zipfile.ZIP_DEFLATED
            new.writestr(entry, data)


def bytecode(source: bytes, path: str) -> bytes:
    """The contents of a .pyc file."""
    code = compile(source, path, "exec", dont_inherit=True)
    return importlib.util.MAGIC_NUMBER + UNCHECKED + NO_HASH + marshal.dumps(code)


def unneeded(name: str) -> bool:
    """Whether a file of a wheel serves only its build, its tests or a type checker."""
    return name.startswith(NEVER_OPENED) or name.endswith(BUILD_ONLY) or "/tests/" in name
