"""Whatever a cell does to Python or to its worker, the page says it and the next cell works."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.conftest import Watched
from tests.server import StaticServer

BROKEN = "Python broke down while this ran. It was restarted, so its variables are gone"
# What Pyodide and the browser themselves write to the console when Python breaks down.
LAST_WORDS = ["Pyodide", "fatal error", "Aborted", "RuntimeError", "RangeError", "wasm", "Stack ("]


@pytest.fixture
def numpy_page(page: Page, server: StaticServer, watched: Watched) -> Page:
    """The page with the most cells."""
    watched.expected = LAST_WORDS
    page.goto(f"{server.address}numpy/")
    return page


def expect_life(page: Page) -> None:
    """Another cell runs as if nothing had happened."""
    other = CellOnPage(page, "softmax")
    other.run_to_end()
    other.expect_matches("yes")


ERRORS = {
    "import sys\nsys.exit()": "SystemExit",
    "raise SystemExit": "SystemExit",
    "exit()": "exit",
    "raise KeyboardInterrupt": "KeyboardInterrupt",
    "def f(): return f()\nf()": "RecursionError",
    "import sys\nsys.setrecursionlimit(10**6)\ndef f(): return f()\nf()": "RecursionError",
    "import sys\nsys.setrecursionlimit(10**7)\ndef f(n): return 1 + f(n)\nf(1)": "RecursionError",
    "import numpy as np\nnp.zeros((40000, 40000))": "array is too big",
    "a = []\nwhile True: a.append(bytes(10**8))": "MemoryError",
}


def test_what_python_survives_is_an_error_and_the_next_cell_works(numpy_page: Page) -> None:
    """(rows 6, 10, 11)"""
    cell = CellOnPage(numpy_page, "words")
    for code, told in ERRORS.items():
        cell.write(code)
        cell.run_to_end()
        cell.expect_state("error")
        expect(cell.output).to_contain_text(told)
        expect_life(numpy_page)


DEADLY = [
    "import os\nos._exit(1)",
    "import os\nos.abort()",
    "import json\njson.loads('[' * 100_000)",
    "x = []\nfor _ in range(10**5): x = [x]\nx",
    "import sys\nsys.setrecursionlimit(10**6)\nf = lambda n: max([n], key=f)\nf(1)",
]


def test_what_python_does_not_survive_is_told_and_the_next_cell_works(numpy_page: Page) -> None:
    """(rows 10, 11)"""
    cell = CellOnPage(numpy_page, "words")
    for code in DEADLY:
        cell.write(code)
        cell.run()
        cell.expect_state("idle")
        expect(cell.status).to_contain_text(BROKEN)
        expect(cell.code).to_contain_text(code.splitlines()[-1])
        expect_life(numpy_page)


def test_the_death_of_the_worker_is_noticed(numpy_page: Page) -> None:
    cell, other = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "softmax")
    other.run_to_end()
    cell.write("import js\njs.close()")
    cell.run()
    expect(other.element).to_have_attribute("lost", "")
    expect_life(numpy_page)
    cell.write("import js, time\njs.close()\ntime.sleep(1)")
    cell.run()
    expect(other.element).to_have_attribute("lost", "")
    cell.expect_state("idle", "done")
    expect_life(numpy_page)


def test_a_run_that_ends_without_an_answer_is_noticed(page: Page, server: StaticServer) -> None:
    """The worker as built, but for the one word with which it would tell the end."""
    assert server.root
    (worker,) = server.root.glob("assets/live/worker-*.js")
    told = worker.read_bytes()
    assert told.count(b'type:"finished"') == 1
    server.replaced[worker.name] = told.replace(b'type:"finished"', b'type:"swallowed"')
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "words")
    cell.run()
    cell.expect_state("running")
    server.replaced.clear()
    cell.expect_state("idle")
    expect(cell.status).to_contain_text(BROKEN)
    cell.run_to_end()
    cell.expect_matches("yes")


SABOTAGE = [
    "import builtins\ndel builtins.print, builtins.len",
    "import numpy as np\nnp.set_printoptions(precision=1)\nnp.exp = None",
    "import sys\nsys.stdout = sys.stderr = None\nsys.path.clear()",
    "import os, warnings\nos.chdir('/')\nwarnings.filters.clear()",
]


def test_what_one_cell_does_to_python_itself_does_not_hurt_another(numpy_page: Page) -> None:
    cell, result = CellOnPage(numpy_page, "your-turn"), CellOnPage(numpy_page, "result")
    for code in SABOTAGE:
        cell.write(code)
        cell.run_to_end()
        cell.expect_state("done")
        result.run_to_end()
        result.expect_matches("yes")


def test_a_restart_gives_the_memory_back(numpy_page: Page) -> None:
    """Python never returns memory that it once had; a new one begins anew. (row 7)"""
    cell, size = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "softmax")
    size.write("import pyodide_js\nprint(len(pyodide_js._module.HEAP8) // 2**20)")
    size.run_to_end()
    before = int(size.output.text_content() or 0)
    cell.write("import numpy as np\nx = np.ones((8000, 16000))\nx = None\nwhile True: pass")
    cell.run()
    cell.expect_state("running")
    cell.button("Stop").click()
    cell.expect_state("idle")
    size.run_to_end()
    assert int(size.output.text_content() or 0) == before
