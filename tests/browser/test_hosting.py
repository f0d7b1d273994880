"""The site on a host that sends what `_headers` says: a strict policy, and pages of their own."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.hosting.rules import Rules
from tests.server import StaticServer

FOREIGN = """() => {
    const script = document.createElement("script");
    script.textContent = "window.foreign = true";
    document.head.append(script);
}"""


@pytest.fixture
def host(server: StaticServer) -> StaticServer:
    """A host that obeys the file."""
    assert server.root
    server.rules = Rules(server.root / "_headers")
    return server


def addresses(host: StaticServer) -> list[str]:
    """All pages, and one that is not there."""
    assert host.root
    found = [path.relative_to(host.root).parent for path in host.root.rglob("index.html")]
    return ["", *(f"{path.as_posix()}/" for path in found if path.name), "nowhere/"]


def test_no_page_breaks_the_policy_and_all_are_isolated(
    page: Page, host: StaticServer, watched: Watched
) -> None:
    """(row 24) A breach is an error in the console, and so none of the watched."""
    watched.expected = ["404 (Not Found)"]
    for address in addresses(host):
        page.goto(host.address + address)
        assert page.evaluate("crossOriginIsolated") is True, address
        for figure in page.locator("live-figure").all():
            expect(figure).to_have_attribute("state", "ready")
    assert len(addresses(host)) > 10


def test_everything_works_under_the_policy(page: Page, host: StaticServer) -> None:
    """(row 24) In one visit, without a reload: search, palette, editor, Python, figures."""
    page.goto(f"{host.address}numpy/")
    page.evaluate("window.sameDocument = true")
    words = CellOnPage(page, "words")
    words.edit("[0, 2, 0, 1]", "[0, 4, 0, 1]")
    line = words.element.locator(".cm-line").first
    assert line.evaluate("line => getComputedStyle(line).paddingLeft") == "0px"  # styled, by script
    CellOnPage(page, "your-turn").run_to_end()
    CellOnPage(page, "softmax").expect_matches("yes")
    page.get_by_title("Switch to dark").click()
    expect(page.locator("body[data-md-color-scheme=slate]")).to_be_visible()
    page.get_by_role("textbox", name="Search").click()
    page.keyboard.type("calculate it by hand")
    page.locator(".md-search-result__item a").first.click()
    page.get_by_role("link", name="Calculate it by hand").first.click()
    figure = FigureOnPage(page)
    figure.ready()
    figure.button("Next").click()
    assert page.evaluate("window.sameDocument") is True


def test_a_script_that_the_build_did_not_write_is_refused(
    page: Page, host: StaticServer, watched: Watched
) -> None:
    watched.expected = ["Content Security Policy"]
    page.goto(host.address)
    page.evaluate(FOREIGN)
    assert page.evaluate("window.foreign") is None
    assert len(watched.errors) == 1
