"""Every page, at rest and in use, in both palettes, as axe sees it."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from site_src import ROOT
from site_src.notebooks.notebook import sources
from tests.browser.cells import LISTENING, CellOnPage, names
from tests.server import StaticServer

PAGES = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))
PYTORCH = [f"companion/{path.stem}" for path in sources()]


# Words of code have the same few colours on all pages; one page's are looked at.
BUT_WORDS_OF_CODE = {"include": [["article"]], "exclude": [["article pre span"]]}
OF_COLOUR = {"runOnly": ["color-contrast", "link-in-text-block"]}


def violations(
    page: Page, context: Any = "article", rules: dict[str, Any] | None = None
) -> list[str]:
    """What axe finds in the page's content: ours, not the theme's frame around it."""
    options = {"resultTypes": ["violations"], **(rules or {})}
    report = Axe().run(page, context=context, options=options)
    found: list[Any] = report.response["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for violation in found
        for node in violation["nodes"]
    ]


def switch_to(page: Page, scheme: str) -> None:
    """Press the palette's button, and wait until every colour is that of the scheme."""
    page.get_by_title(f"Switch to {scheme}").click()
    name = {"light": "default", "dark": "slate"}[scheme]
    expect(page.locator(f"body[data-md-color-scheme={name}]")).to_be_visible()
    expect(page.locator("body[data-md-color-switching]")).to_have_count(0)


def at_rest(page: Page, address: str, context: Any = "article") -> dict[str, list[str]]:
    """What axe finds in each palette before anything is touched; the dark one stays."""
    page.goto(address)
    for figure in page.locator("live-figure").all():
        expect(figure).to_have_attribute("state", "ready")
    found = {"light, at rest": violations(page, context)}
    switch_to(page, "dark")
    return found | {"dark, at rest": violations(page, context, OF_COLOUR)}


@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(page: Page, server: StaticServer, name: str) -> None:
    address = server.address + ("" if name == "index" else f"{name}/")
    found = at_rest(page, address, BUT_WORDS_OF_CODE)
    assert {state: some for state, some in found.items() if some} == {}


def test_axe_finds_nothing_in_an_edited_cell_with_an_error(
    page: Page, server: StaticServer
) -> None:
    page.goto(server.address)
    cell = CellOnPage(page, names(page)[0])
    cell.write("1 / 0")
    cell.run_to_end()
    context = f"py-cell[name='{cell.name}']"
    found = {"light": violations(page, context)}
    switch_to(page, "dark")
    found["dark"] = violations(page, context)
    assert found == {"light": [], "dark": []}


@pytest.mark.parametrize("name", PYTORCH)
def test_axe_finds_nothing_on_pages_of_pytorch(page: Page, server: StaticServer, name: str) -> None:
    found = at_rest(page, f"{server.address}{name}/", BUT_WORDS_OF_CODE)
    assert {state: some for state, some in found.items() if some} == {}


def test_axe_finds_nothing_on_a_phone_and_while_cells_run(page: Page, server: StaticServer) -> None:
    """(row 25) At 320 pixels, in both palettes: at rest, running, after an error."""
    page.set_viewport_size({"width": 320, "height": 640})
    found = at_rest(page, f"{server.address}numpy/")
    cell = CellOnPage(page, "words")
    cell.write("for _ in range(1000): print('x' * 200)\nimport time\ntime.sleep(600)")
    page.evaluate(LISTENING)
    cell.run()
    expect(cell.output).to_contain_text("xxx")
    found["dark, running"] = violations(page)
    switch_to(page, "light")
    found["light, running"] = violations(page)
    cell.button("Stop").click()
    cell.expect_state("idle")
    assert len(page.evaluate("window.spoken")) <= 6  # (row 27) whatever was printed meanwhile
    cell.write("1 / 0")
    cell.run_to_end()
    found["light, after an error"] = violations(page)
    assert page.evaluate("document.documentElement.scrollWidth") == 320
    assert {state: some for state, some in found.items() if some} == {}
