"""With JavaScript off, and then on paper: code, its real output, and the numbers of figures."""

from playwright.sync_api import Browser, Page, expect

from site_src import ROOT
from tests.browser.cells import CellOnPage, names
from tests.figures.on_pages import figures_on_pages
from tests.server import StaticServer

DOCS = ROOT / "docs"
PAGES = [
    "" if path.stem == "index" else f"{path.relative_to(DOCS).with_suffix('').as_posix()}/"
    for path in sorted([*DOCS.glob("*.md"), *DOCS.glob("companion/*.py")])
]


def expect_cells_and_figures(page: Page) -> None:
    """All that a reader without scripts is owed."""
    for cell in [CellOnPage(page, name) for name in names(page)]:
        expect(cell.element.locator("code")).to_be_visible()
        if cell.output.text_content():
            expect(cell.output).to_be_visible()
    for output in page.locator("executed-cell output").all():
        expect(output).to_be_visible()
    for figure in page.locator("live-figure").all():
        number = figure.locator("td").filter(visible=True).first
        expect(number).to_be_visible()


def test_every_page_shows_code_output_and_numbers(browser: Browser, server: StaticServer) -> None:
    """(row 30)"""
    context = browser.new_context(java_script_enabled=False)
    page = context.new_page()
    for address in PAGES:
        page.emulate_media(media="screen")
        page.goto(server.address + address)
        expect_cells_and_figures(page)
        assert page.locator("live-figure").count() == len(figures_on_pages().get(address, []))
        buttons = page.locator("article :is(py-cell, page-controls, executed-cell) button")
        assert buttons.count() == 0
        expect(page.locator("article page-controls").filter(visible=True)).to_have_count(0)
        page.emulate_media(media="print")
        expect_cells_and_figures(page)
    context.close()
