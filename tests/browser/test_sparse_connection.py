"""On a slow connection, or one that saves data, nothing large is fetched before Run (row 23)."""

import pytest
from playwright.sync_api import Page, expect

from site_src.runtime import hosted
from tests.browser.cells import CellOnPage
from tests.browser.test_start import python_requests
from tests.conftest import Watched
from tests.server import StaticServer


def size() -> float:
    """MB that a start from the image fetches here."""
    files = hosted.runtime()["image"]["files"].values()
    return float(sum(file["size"] for file in files) / 1e6)


@pytest.mark.parametrize("connection", ["{saveData: true}", "{effectiveType: '3g'}"])
def test_python_waits_for_run_and_says_its_size(
    page: Page, server: StaticServer, watched: Watched, connection: str
) -> None:
    page.add_init_script(f"Object.defineProperty(navigator, 'connection', {{value: {connection}}})")
    page.goto(f"{server.address}numpy/", wait_until="networkidle")
    cell = CellOnPage(page, "words")
    cell.button("Copy").focus()
    cell.output.click()
    expect(cell.status).to_contain_text(f"Run first loads Python, {size():.1f} MB.")
    assert python_requests(watched) == []
    if "save" in connection:  # a start of Python takes seconds; one is enough
        cell.run_to_end()
        cell.expect_matches("yes")
        assert python_requests(watched)
