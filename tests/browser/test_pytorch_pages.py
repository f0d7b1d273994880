"""The pages of PyTorch in a browser: read, copied, printed, and as wide as a phone."""

import pytest
from playwright.sync_api import Browser, Page, expect

from site_src.notebooks.notebook import sources
from tests.server import StaticServer

by_name = pytest.mark.parametrize("name", [path.stem for path in sources()])


def test_copy_takes_the_code_and_says_what_it_imports(page: Page, server: StaticServer) -> None:
    page.goto(f"{server.address}companion/traps/")
    source, call = (page.locator("executed-cell").nth(n) for n in (0, 1))
    source.get_by_role("button", name="Copy code 1").click()
    expect(source.get_by_role("status")).to_have_text("Copied.")
    assert page.evaluate("navigator.clipboard.readText()").startswith("def polarity()")
    call.get_by_role("button", name="Copy code 2").click()
    expect(call.get_by_role("status")).to_contain_text("imports snippets; the downloads below")
    assert "import polarity" in page.evaluate("navigator.clipboard.readText()")


def test_code_and_its_output_are_there_without_javascript(
    browser: Browser, server: StaticServer
) -> None:
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    page.goto(f"{server.address}companion/traps/")
    expect(page.get_by_text("a table in memory: by default True")).to_be_visible()
    expect(page.get_by_role("button", name="Copy")).to_have_count(0)
    context.close()


@by_name
def test_a_page_fits_a_phone(page: Page, server: StaticServer, name: str) -> None:
    """Code scrolls inside itself; the page does not."""
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{server.address}companion/{name}/")
    expect(page.get_by_role("button", name="Copy code 1", exact=True)).to_be_visible()
    assert page.evaluate("document.documentElement.scrollWidth") == 320


@by_name
def test_nothing_of_pyodide_is_loaded(page: Page, server: StaticServer, name: str) -> None:
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{server.address}companion/{name}/", wait_until="networkidle")
    assert not [url for url in asked if "/python-" in url or url.endswith(".wasm")]
