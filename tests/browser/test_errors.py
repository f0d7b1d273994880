"""Errors that teach: the line is marked, and a sentence more than Python says."""

from urllib.parse import urlsplit

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.server import StaticServer

MISMATCH = "import numpy as np\nQ, K = np.ones((3, 2)), np.ones((4, 2))\nQ @ K"


@pytest.fixture
def words(page: Page, server_below: StaticServer) -> CellOnPage:
    """The first cell of the NumPy page, which builds on nothing."""
    page.goto(f"{server_below.address}numpy/")
    return CellOnPage(page, "words")


def test_the_line_of_an_error_is_marked_until_the_next_keystroke_or_run(words: CellOnPage) -> None:
    """Row 15, for errors at run time and in syntax, in the editor and in the printed code."""
    editor, mark = words.element.locator(".cm-content"), words.element.locator(".cm-line.marked")
    for code, line in {"x = 1\nx / 0\nx": "x / 0", "x = 1\ny = = 2": "y = = 2"}.items():
        words.write(code)
        words.run_to_end()
        expect(mark).to_have_text(line)
        expect(editor).to_have_attribute("aria-invalid", "true")
        expect(words.status).to_contain_text("Error in line 2")
        words.code.click()
        words.page.keyboard.type("#")
        expect(mark).to_have_count(0)
        expect(editor).not_to_have_attribute("aria-invalid", "true")
    words.write("1 / 0")
    words.run_to_end()
    expect(mark).to_have_count(1)
    words.write("import numpy as np\nX = np.eye(3)")
    projections = CellOnPage(words.page, "projections")
    projections.run_to_end()  # as printed, and without what it needs
    printed = projections.element.locator("pre")
    expect(printed).to_have_attribute("aria-invalid", "true")
    assert printed.evaluate("pre => getComputedStyle(pre).getPropertyValue('--marked')") == "1"
    band = "pre => getComputedStyle(pre.firstElementChild).backgroundSize"
    assert "100%" in printed.evaluate(band)
    projections.code.click()
    expect(projections.element.locator(".cm-line.marked")).to_contain_text("Q = X @ W_q")
    words.button("Reset").click()
    projections.run_to_end()
    projections.expect_state("done")
    expect(projections.element.locator(".marked")).to_have_count(0)
    words.write("import numpy as np\nX = np.eye(3)")
    projections.run_to_end()
    expect(projections.element.locator(".cm-line.marked")).to_have_count(1)
    projections.button("Reset").click()
    expect(projections.element.locator(".cm-line.marked")).to_have_count(0)


def test_what_cannot_work_here_is_told_in_a_sentence(words: CellOnPage) -> None:
    """Rows 16 and 17; mistakes with arrays come with their shapes."""
    advice = words.output.locator(".advice")
    words.write('name = input("n? ")')
    words.run_to_end()
    expect(words.output).to_contain_text("input() has nobody to ask here.")
    expect(words.output).not_to_contain_text("OSError")
    words.write("import pandas")
    words.run_to_end()
    expect(advice).to_contain_text("pandas is not hosted here. Cells can import")
    assert len((words.output.text_content() or "").splitlines()) == 5
    words.write(MISMATCH)
    words.run_to_end()
    expect(advice).to_have_text("Shapes in line 3: Q (3, 2), K (4, 2).")
    words.write("import torch")
    words.run_to_end()
    link = advice.get_by_role("link", name="PyTorch")
    path = urlsplit(words.page.url).path.removesuffix("numpy/")
    assert link.evaluate("link => link.pathname") == f"{path}companion/multi-head/"
    link.click()
    expect(words.page.get_by_role("heading", level=1)).to_be_visible()
    assert words.page.url.endswith("/companion/multi-head/")
