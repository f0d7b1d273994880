"""A flood of output: shown up to a cap, kept for a download, and stopped like anything else."""

from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.server import ISOLATION, StaticServer

CHARACTERS, LINES, KEPT = 200_000, 5_000, 5_000_000


@pytest.fixture
def numpy_page(page: Page, server: StaticServer) -> Page:
    """The page with the most cells."""
    page.goto(f"{server.address}numpy/")
    return page


def shown(cell: CellOnPage) -> str:
    """The text of its output."""
    return cell.output.text_content() or ""


def test_a_flood_is_capped_and_the_rest_can_be_downloaded(numpy_page: Page, tmp_path: Path) -> None:
    """(row 2)"""
    cell, softmax = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "softmax")
    cell.write("while True: print('x' * 80)")
    cell.run()
    expect(cell.element).to_contain_text("Only the first 200,000 characters are shown.")
    cell.button("Stop").click()
    cell.expect_state("idle")
    assert shown(cell) == ("x" * 80 + "\n") * (CHARACTERS // 81) + "x" * (CHARACTERS % 81)
    assert cell.output.evaluate("output => output.scrollWidth > output.clientWidth")
    softmax.run_to_end()  # whatever was on its way has come by now
    assert len(shown(cell)) == CHARACTERS
    cell.write("for i in range(6000): print(i)\nprint('y' * 6_000_000)")
    cell.run_to_end()
    cell.expect_state("done")
    expect(cell.element).to_contain_text("Only the first 5,000 lines are shown.")
    assert shown(cell).splitlines() == [str(i) for i in range(LINES)]
    with numpy_page.expect_download() as download:
        cell.button("Download").click()
    download.value.save_as(tmp_path / "words.txt")
    whole = (tmp_path / "words.txt").read_text()
    assert len(whole) == len(shown(cell)) + KEPT
    assert whole.startswith("".join(f"{i}\n" for i in range(6000)) + "y")
    cell.button("Reset").click()
    expect(cell.button("Download")).to_have_count(0)


def test_a_flood_is_interrupted_where_the_host_isolates(page: Page, server: StaticServer) -> None:
    server.headers.update(ISOLATION)
    page.goto(f"{server.address}numpy/")
    cell, softmax = CellOnPage(page, "words"), CellOnPage(page, "softmax")
    cell.write("import sys\nwhile True: print('out'); print('err', file=sys.stderr)")
    cell.run()
    expect(cell.element).to_contain_text("Only the first 5,000 lines are shown.")
    cell.button("Stop").click()
    cell.expect_state("idle")
    expect(cell.status).to_contain_text("Its variables are as they were")
    before = shown(cell)
    softmax.run_to_end()
    assert shown(cell) == before


def test_all_that_was_printed_is_shown_while_the_run_goes_on(numpy_page: Page) -> None:
    """Also what came too fast to be sent at once."""
    cell = CellOnPage(numpy_page, "words")
    cell.write("import time\nfor i in range(1000): print(i)\nprint('end', end='')\ntime.sleep(600)")
    cell.run()
    expect(cell.output).to_contain_text("999\nend")
    cell.expect_state("running")
    cell.button("Stop").click()
    cell.expect_state("idle")
    assert shown(cell) == "".join(f"{i}\n" for i in range(1000)) + "end"
