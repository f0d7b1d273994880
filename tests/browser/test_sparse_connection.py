"""On a slow connection, or one that saves data, nothing large is fetched before Run (row 23)."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.browser.test_start import python_requests
from tests.conftest import Watched
from tests.server import StaticServer


@pytest.mark.parametrize("connection", ["{saveData: true}", "{effectiveType: '3g'}"])
def test_python_waits_for_run_and_says_its_size(
    page: Page, server: StaticServer, watched: Watched, connection: str
) -> None:
    page.add_init_script(f"Object.defineProperty(navigator, 'connection', {{value: {connection}}})")
    page.goto(f"{server.address}numpy/", wait_until="networkidle")
    cell = CellOnPage(page, "words")
    cell.button("Copy").focus()
    cell.output.click()
    expect(cell.status).to_contain_text("Run first loads Python, 18.")
    assert python_requests(watched) == []
    if "save" in connection:  # a start of Python takes seconds; one is enough
        cell.run_to_end()
        cell.expect_matches("yes")
        assert python_requests(watched)
