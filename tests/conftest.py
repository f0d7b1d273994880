"""What tests share: the built site, a server for it, a browser, and pages that are watched."""

import os
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, expect, sync_playwright

from site_src import model
from site_src.front_end import bundle
from site_src.model import original
from site_src.prepare import prepare, prepare_model
from tests.browser import chromium
from tests.hosting.rules import Rules
from tests.server import StaticServer
from tests.site.build import STANDING_IN, build_once, copy_for

collect_ignore = ["bench/start_up/peers/export_marimo.py"]  # runs in a Python of its own

# A limit for what never comes, not a measure of speed: machines under load start Python slowly.
expect.set_options(timeout=60_000)


def pytest_sessionstart(session: pytest.Session) -> None:
    """Prepare once, before several workers would do it at the same time."""
    if not hasattr(session.config, "workerinput"):
        prepare()
        prepare_model()
        bundle()


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say why tests were skipped, each reason once."""
    skipped = terminalreporter.stats.get("skipped", [])
    for reason in sorted({report.longrepr[2] for report in skipped}):
        terminalreporter.write_line(reason.removeprefix("Skipped: "))


@pytest.fixture(scope="session")
def prepared() -> Path:
    """Where the small model lies; where it cannot be had, tests are skipped, or in CI fail."""
    if not original.stamps():
        give_up = pytest.fail if os.environ.get("CI") else pytest.skip
        give_up("not run: the real model could not be fetched; the reason stands above.")
    return model.MODEL


@pytest.fixture(scope="session")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder of this run's, for all its processes."""
    own = tmp_path_factory.getbasetemp()
    return own.parent if "PYTEST_XDIST_WORKER" in os.environ else own


@pytest.fixture(scope="session")
def server(shared: Path, tmp_path_factory: pytest.TempPathFactory) -> Iterator[StaticServer]:
    """The site, built for the address that it is served at: instant navigation works."""
    site = build_once(shared / "site", STANDING_IN)
    with StaticServer() as server:
        server.root = copy_for(server.address, site, tmp_path_factory.mktemp("served") / "site")
        yield server


@pytest.fixture(scope="session")
def server_below(shared: Path) -> Iterator[StaticServer]:
    """The site, built for no address in particular and served below a path: full page loads."""
    root = build_once(shared / "site-below")
    with StaticServer(root, below="/some/where/") as server:
        yield server


@pytest.fixture(autouse=True)
def hosts_are_whole(request: pytest.FixtureRequest) -> Iterator[None]:
    """What a test broke on a server is mended after it."""
    yield
    for name in ("server", "server_below"):
        if name in request.fixturenames:
            served: StaticServer = request.getfixturevalue(name)
            served.replaced.clear()
            served.types.clear()
            served.rules = Rules()
            served.headers.clear()


@pytest.fixture(scope="session")
def browser() -> Iterator[Browser]:
    """One Chromium for all tests."""
    with sync_playwright() as playwright:
        browser = chromium.launch(playwright, *chromium.SHORT_VISITS)
        yield browser
        browser.close()


@pytest.fixture
def context(browser: Browser) -> Iterator[BrowserContext]:
    """A fresh profile: no cache, no storage."""
    context = browser.new_context(permissions=["clipboard-read", "clipboard-write"])
    context.set_default_timeout(60_000)
    yield context
    context.close()


class Watched:
    """What a page did that no page may do."""

    def __init__(self, page: Page) -> None:
        self.errors: list[str] = []
        self.requests: list[str] = []
        self.expected: list[str] = []  # parts of messages that a test provokes
        page.on("console", lambda m: self._note(m.type in ("error", "warning"), m.text))
        page.on("pageerror", lambda error: self._note(True, str(error)))
        page.on("request", lambda request: self.requests.append(request.url))

    def _note(self, is_error: bool, text: str) -> None:
        if is_error:
            self.errors.append(text)

    def unexpected(self) -> list[str]:
        """Messages that no test asked for."""
        return [e for e in self.errors if not any(part in e for part in self.expected)]

    def foreign(self) -> list[str]:
        """Requests to anywhere but the server under test."""
        own = ("http://127.0.0.1:", "http://home.test:", "data:", "blob:")
        return [url for url in self.requests if not url.startswith(own)]


@pytest.fixture
def watched_page(context: BrowserContext) -> Iterator[tuple[Page, Watched]]:
    """A page with its watch; afterwards: no error in its console, no request to a third party."""
    page = context.new_page()
    watch = Watched(page)
    yield page, watch
    assert watch.unexpected() == []
    assert watch.foreign() == []


@pytest.fixture
def page(watched_page: tuple[Page, Watched]) -> Page:
    """The page of this test."""
    return watched_page[0]


@pytest.fixture
def watched(watched_page: tuple[Page, Watched]) -> Watched:
    """The watch over the page of this test."""
    return watched_page[1]
