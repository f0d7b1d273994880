"""A Python that comes from an image is as good as one that was started."""

import doctest
import importlib
import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from site_src import ROOT
from tests.browser.cells import CellOnPage
from tests.conftest import Watched
from tests.server import SAID, StaticServer, damaged

SNIPPETS = sorted(path.stem for path in (ROOT / "snippets").glob("[!_]*.py"))
DOCSTRINGS = """import asyncio, json
import numpy as np
print("Sum of" in np.sum.__doc__, "JSON" in json.dumps.__doc__, asyncio.sleep.__doc__)"""
CHANCE = """import random
import numpy as np
print(random.random(), np.random.default_rng().random(), np.random.random())"""
TEST_ALL = """import doctest
import importlib
import json
names = json.loads('NAMES')
print(json.dumps({n: doctest.testmod(importlib.import_module(f"snippets.{n}")) for n in names}))"""


@pytest.fixture
def cell(page: Page, server: StaticServer) -> CellOnPage:
    """A cell that builds on no other."""
    page.goto(f"{server.address}numpy/")
    return CellOnPage(page, "words")


def printed(cell: CellOnPage, code: str) -> str:
    """What a code prints."""
    cell.write(code)
    cell.run_to_end()
    return str(cell.output.text_content())


def test_doctests_of_all_snippets_go_as_in_cpython(cell: CellOnPage) -> None:
    modules = {name: importlib.import_module(f"snippets.{name}") for name in SNIPPETS}
    expected = {name: list(doctest.testmod(module)) for name, module in modules.items()}
    assert not any(failed for failed, *_ in expected.values())
    assert sum(tried for _, tried, *_ in expected.values()) > 20
    # Named so that the page does not see the real model's, and bring it with its own way to fetch.
    unseen = json.dumps(SNIPPETS).replace("_", r"\u005f")
    answered = printed(cell, TEST_ALL.replace("NAMES", unseen))
    assert json.loads(answered) == expected
    assert cell.page.evaluate("performance.getEntriesByName('python').at(-1).detail") == "image"
    # help() answers for what cells name, and the machinery's docstrings cost no bytes.
    assert printed(cell, DOCSTRINGS) == "True True None\n"


def test_chance_is_another_at_each_visit(cell: CellOnPage) -> None:
    first = printed(cell, CHANCE).split()
    cell.page.reload()
    second = printed(CellOnPage(cell.page, "words"), CHANCE).split()
    assert not {*first} & {*second}


@pytest.mark.parametrize(
    ("code", "file"),
    [
        ("import csv\nprint(csv.__name__)", "python_stdlib.zip"),
        ("import numpy as np\nprint(np.fft.fft([1.0, 0.0])[0].real)", "numpy-*.whl"),
        ("import numpy as np\nprint(np.random.default_rng(0).random() > 0)", "numpy-*.whl"),
    ],
    ids=["csv", "fft", "random"],
)
def test_what_the_image_leaves_out_comes_when_it_is_imported(
    cell: CellOnPage, server: StaticServer, watched: Watched, code: str, file: str
) -> None:
    path = server.hosted(file)
    printed(cell, "print(1)")
    assert not [url for url in watched.requests if url.endswith(path.name)]
    printed(cell, code)
    cell.expect_state("done")
    assert [url for url in watched.requests if url.endswith(path.name)]


@pytest.mark.parametrize("damage", SAID)
def test_what_cannot_come_is_told_and_comes_at_the_next_run(
    cell: CellOnPage, server: StaticServer, watched: Watched, damage: str
) -> None:
    watched.expected = ["Failed to load resource"]
    path: Path = server.hosted("python_stdlib.zip")
    server.replaced[f"{path.parent.name}/{path.name}"] = damaged(path, damage)
    said = printed(cell, "import csv\nprint(csv.__name__)")
    cell.expect_state("error")
    assert f"csv had to be fetched, and {path.name} {SAID[damage]}" in said
    assert "Check the connection and run this again." in said
    server.replaced.clear()
    cell.run_to_end()
    expect(cell.output).to_have_text("csv\n")


def test_matplotlib_finds_the_numpy_of_the_image(cell: CellOnPage) -> None:
    printed(cell, "import matplotlib.pyplot as plt\nplt.plot([1, 2])\nplt.show()")
    cell.expect_state("done")
    expect(cell.output.get_by_role("img")).to_be_visible()


def test_a_restarted_python_is_made_of_what_the_page_has(
    cell: CellOnPage, server: StaticServer, watched: Watched
) -> None:
    """Nothing but Pyodide's glue code is asked for again, so a lost connection does not matter."""
    cell.run_to_end()
    before = len(watched.requests)
    for path in server.hosted("python.image.zstd").parent.iterdir():
        if path.name != "pyodide.asm.mjs":
            server.replaced[path.name] = None
    cell.page.get_by_role("button", name="Restart Python").click()
    cell.run_to_end()
    cell.expect_matches("yes")
    asked = {url.rpartition("/")[2] for url in watched.requests[before:] if "/python-" in url}
    assert asked <= {"pyodide.asm.mjs"}
