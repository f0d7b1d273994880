"""`mkdocs serve` while someone edits: one digit changes everything that depends on it."""

import re
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.browser.cells import CellOnPage
from tests.site.build import mkdocs
from tests.site.checkout import SECONDS, Serving, environment, serving, small_checkout


@pytest.fixture
def project(tmp_path: Path) -> Iterator[Serving]:
    """A copy of the project under `mkdocs serve`."""
    with serving(small_checkout(tmp_path)) as project:
        yield project


@pytest.fixture
def served_page(browser: Browser, project: Serving) -> Iterator[Page]:
    """The NumPy page, open in a browser while files change."""
    page = browser.new_page()
    page.goto(f"{project.address}numpy/")
    yield page
    page.close()


def doctest_verdict(root: Path) -> int:
    """The exit status of the example's own test."""
    call = [sys.executable, "-m", "pytest", "-q", "--doctest-modules", "snippets/three_words.py"]
    call += ["-p", "no:cacheprovider"]
    return subprocess.run(
        call, cwd=root, env=environment(root), capture_output=True, check=False
    ).returncode


def printed(project: Serving, cell: str) -> str:
    """The output that a cell of the NumPy page shows now."""
    return project.page().select(f"py-cell[name={cell}] output")[0].text


def problems(project: Serving) -> str:
    """What the NumPy page says is wrong, where output would be."""
    return "\n".join(found.text for found in project.page().select(".cell-problem"))


def test_one_digit_changes_print_live_result_and_verdict(
    project: Serving, served_page: Page
) -> None:
    cell = CellOnPage(served_page, "projections")
    cell.run_to_end()
    cell.expect_matches("yes")
    assert doctest_verdict(project.root) == 0

    project.edit("snippets/three_words.py", "[0, 2, 0, 1]", "[0, 8, 0, 1]")

    assert "[0. 9.]" in printed(project, "projections")
    assert doctest_verdict(project.root) == 1
    served_page.goto(f"{project.address}numpy/")
    expect(cell.output).to_contain_text("[0. 9.]")
    cell.run_to_end()
    cell.expect_matches("yes")
    expect(cell.output).to_contain_text("[0. 9.]")
    served_page.goto(project.address)
    at_work = CellOnPage(served_page, "at-work")  # there the digit comes by import
    at_work.run_to_end()
    at_work.expect_matches("yes")


def test_one_digit_changes_what_a_build_prints(tmp_path: Path) -> None:
    root = small_checkout(tmp_path)
    three_words = root / "snippets" / "three_words.py"
    three_words.write_text(
        three_words.read_text(encoding="utf-8").replace("[0, 2, 0, 1]", "[0, 8, 0, 1]")
    )
    done = mkdocs("build", root=root)
    assert done.returncode == 0, done.stderr
    assert "[0. 9.]" in (root / "site" / "numpy" / "index.html").read_text(encoding="utf-8")


def test_an_open_page_reloads_itself_when_a_snippet_changes(
    project: Serving, served_page: Page
) -> None:
    project.edit("snippets/three_words.py", "[0, 2, 0, 1]", "[0, 7, 0, 1]")
    expect(CellOnPage(served_page, "projections").output).to_contain_text(
        "[0. 8.]", timeout=SECONDS * 1000
    )


def test_a_mistake_in_a_snippet_is_shown_and_mends_itself(project: Serving) -> None:
    right, wrong = "def softmax(x, axis=-1):", "def softmax(x, axis=-1:"
    project.edit("snippets/attention.py", right, wrong)
    assert "snippets/attention.py:11 is not valid Python" in problems(project)
    assert "docs/numpy.md:" in problems(project)
    project.edit("snippets/attention.py", wrong, right)
    assert problems(project) == ""
    assert "0.665" in printed(project, "softmax")


def test_a_mistake_in_a_snippet_ends_a_build_with_page_line_and_remedy(tmp_path: Path) -> None:
    root = small_checkout(tmp_path)
    attention = root / "snippets" / "attention.py"
    attention.write_text(attention.read_text(encoding="utf-8").replace("** 0.5", "** 0.7"))
    done = mkdocs("build", root=root)
    assert done.returncode != 0
    assert re.search(r"docs/\w+\.md:\d+: cell “[\w-]+”: an example", done.stderr)
    assert "an example of snippets/attention.py fails" in done.stderr
    assert "What to do: mend the example" in done.stderr
    assert "Traceback" not in done.stdout + done.stderr


def test_an_example_that_fails_is_shown(project: Serving) -> None:
    project.edit("snippets/attention.py", "** 0.5  #", "** 0.7  #")
    assert "an example of snippets/attention.py fails" in problems(project)


def test_a_change_of_the_front_end_reaches_the_page(project: Serving) -> None:
    before = project.page().select("link[href*='live/site-']")
    project.edit("site_src/theme/palette.css", "--accent: #1f5fa8", "--accent: #1f5fa9")
    assert project.page().select("link[href*='live/site-']") != before


def test_a_mistake_in_the_front_end_is_told_and_the_last_one_stays(project: Serving) -> None:
    before = project.page().select("link[href*='live/site-']")
    project.edit("site_src/cells/order.ts", "export function chain", "export funktion chain")
    assert "the front end does not compile" in project.said
    assert "cells/order.ts" in project.said
    assert project.page().select("link[href*='live/site-']") == before
