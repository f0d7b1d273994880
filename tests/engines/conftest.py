"""One process per engine, and for each test a site that its engine has never seen."""

import os
from collections.abc import Iterator

import pytest
from selenium.webdriver.remote.webdriver import WebDriver

from tests.engines.drivers import ENGINES, MissingError, started
from tests.server import StaticServer


@pytest.fixture(scope="session", params=ENGINES)
def driver(request: pytest.FixtureRequest) -> Iterator[WebDriver]:
    """Each engine in turn; where one cannot be had, its tests are skipped, or in CI fail."""
    try:
        with started(request.param) as driver:
            yield driver
    except MissingError as missing:
        give_up = pytest.fail if os.environ.get("CI") else pytest.skip
        give_up(f"not run: {missing}")


@pytest.fixture
def site(server_below: StaticServer) -> Iterator[StaticServer]:
    """The site on a port of its own: to the engine another origin, nothing of it cached or kept."""
    with StaticServer(server_below.root) as site:
        yield site


@pytest.fixture
def page(driver: WebDriver, site: StaticServer) -> Iterator[WebDriver]:
    """The page with the most cells; left afterwards, which ends whatever still runs on it."""
    driver.get(f"{site.address}numpy/")
    yield driver
    driver.get("about:blank")
