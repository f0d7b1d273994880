"""The service worker in Firefox and WebKit."""

from collections.abc import Iterator

import pytest
from selenium.webdriver.common.by import By
from selenium.webdriver.remote.webdriver import WebDriver

from tests.engines.cells import CellOnPage, wait
from tests.offline.builds import KEPT, published
from tests.server import StaticServer


@pytest.fixture(scope="module")
def host(tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticServer]:
    """A site that works offline, on a host that sends no headers of its own."""
    with StaticServer() as server:
        server.root = published(tmp_path_factory.mktemp("offline"), server)
        yield server


def test_after_one_visit_the_page_and_its_cells_work_offline(
    driver: WebDriver, host: StaticServer
) -> None:
    """(row 20)"""
    host.up = True
    driver.get(host.address)
    wait(driver, lambda: driver.find_elements(By.CSS_SELECTOR, "offline-switch [role=switch]"))
    CellOnPage(driver, "at-work").run_to_end()
    wait(driver, lambda: all(any(part in path for path in kept(driver)) for part in PARTS))
    host.up = False
    driver.get("about:blank")  # Firefox's driver reloads past any service worker
    driver.get(host.address)
    cell = CellOnPage(driver, "at-work")
    cell.run_to_end()
    assert cell.element.get_attribute("matches") == "yes"
    driver.get("about:blank")


PARTS = ("/search_index.json", "python.image", "/editor-")


def kept(driver: WebDriver) -> list[str]:
    """The paths of all that the engine keeps."""
    return list(driver.execute_async_script(f"({KEPT})().then(arguments[0])"))
