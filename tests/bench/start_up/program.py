"""What every side runs: the code of the first page's cell, and what it prints."""

import contextlib
import io

from site_src import ROOT

SNIPPETS = ("inputs", "attention", "three_words")
RAN_ON = """
import pyodide
from pyodide.code import run_js  # asks the thread itself: some give workers the page's document
where = "on the page" if run_js("typeof WorkerGlobalScope") == "undefined" else "in a worker"
print(f"Pyodide {pyodide.__version__}, NumPy {np.__version__}, {where}")
"""


def program() -> str:
    """The cell with the snippets that it imports, for a Python that has no snippets of ours."""
    sources = [(ROOT / "snippets" / f"{name}.py").read_text(encoding="utf-8") for name in SNIPPETS]
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    cell = page.split('```py-cell name="at-work"\n')[1].split("```")[0]
    lines = "\n".join([*sources, cell]).splitlines()
    return "\n".join(line for line in lines if not line.startswith("from snippets"))


def telling_program() -> str:
    """The same, and a last line that tells in what it ran."""
    return f"{program()}\n{RAN_ON}"


def printed() -> str:
    """What the program prints, as CPython says; spaces as a page shows them."""
    with contextlib.redirect_stdout(io.StringIO()) as output:
        exec(program(), {"__name__": "program"})  # code of this repository
    return " ".join(output.getvalue().split())
