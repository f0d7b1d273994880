"""Visits to a side, each in a new browser, watched for what it asks of others."""

import json
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import quote

from playwright.sync_api import BrowserContext, Page, Playwright

from tests.bench.start_up.program import printed, telling_program
from tests.bench.start_up.result import checked
from tests.bench.start_up.sides import OURS, TOLD, Side
from tests.browser import chromium
from tests.server import StaticServer

IN_PAGE = (Path(__file__).parent / "in_page.js").read_text(encoding="utf-8")
# Else this site would start Python before the click, on a reader's later visits.
FIRST_VISIT = "localStorage.removeItem('python')"
SECONDS = 120  # a limit for what never comes


def in_page(side: Side) -> str:
    """The script that counts in a side's page."""
    return f"{IN_PAGE}\nwindow.prepareBench({json.dumps(told(side))});"


def told(side: Side) -> dict[str, str | int | None]:
    """What that script has to know; all but ours end with a line that tells what ran."""
    expected = printed() if side.ours else f"{printed()} Pyodide"
    return {
        "click": side.click,
        "output": side.output,
        "expected": expected,
        "limit": SECONDS * 1000,
    }


def address(server: StaticServer, side: Side) -> str:
    """Where a side's page is; the program is part of it where a page takes it so."""
    return server.address + side.address.replace("PROGRAM", quote(telling_program()))


class Visit:
    """A profile in a new browser, for one side."""

    def __init__(self, context: BrowserContext, server: StaticServer, side: Side) -> None:
        self.context, self.server, self.side = context, server, side
        self.asked: list[str] = []
        context.on("request", lambda request: self.asked.append(request.url))
        context.set_default_timeout(SECONDS * 1000)
        context.add_init_script(in_page(side))
        if side.ours:
            context.add_init_script(FIRST_VISIT)

    def opened(self) -> Page:
        """The side's page at rest, before anything is pressed."""
        page = self.context.new_page()
        page.goto(address(self.server, self.side), wait_until="networkidle")
        return page

    def from_navigation(self) -> tuple[Page, float]:
        """The page with its result, and milliseconds from the navigation to it."""
        page = self.context.new_page()
        page.goto(address(self.server, self.side), wait_until="commit")
        return page, float(page.evaluate("window.bench.fromNavigation()"))

    def path(self, page: Page) -> str:
        """What ran for the result that a page shows. Raises RefusedError if it must not count."""
        if self.side.ours:
            path = str(page.evaluate(OURS))
        else:
            ran = TOLD.search(page.evaluate("window.bench.text()"))
            path = ran[0] if ran else ""
        return checked(self.side.path, path, self.foreign())

    def foreign(self) -> list[str]:
        """What was asked of others than the bench's own server."""
        own = (self.server.address, "data:", "blob:")
        return [url for url in self.asked if not url.startswith(own)]


@contextmanager
def visit(playwright: Playwright, server: StaticServer, side: Side) -> Iterator[Visit]:
    """A visit with a browser of its own; what a side must not find is not there meanwhile."""
    server.replaced = dict.fromkeys((side.lost or "").split())
    browser = chromium.launch(playwright)
    try:
        yield Visit(browser.new_context(), server, side)
    finally:
        browser.close()
        server.replaced = {}
        server.line = None
