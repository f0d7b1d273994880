"""Pointing at a symbol, or focusing one, lights it up in formula, code, figure and prose."""

from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.server import StaticServer

LIT = "[data-lit='q'] .sym-q"


def kinds_of_lit(page: Page) -> set[str]:
    """Where symbols are lit: by the element that they stand in."""
    kind = """one => {
        const place = one.closest(".katex, py-cell, live-figure, p");
        return place.tagName + place.className;
    }"""
    return {str(one.evaluate(kind)) for one in page.locator(LIT).all()}


def test_pointing_lights_up_the_symbol_everywhere(page: Page, server: StaticServer) -> None:
    page.goto(f"{server.address}by-hand/")
    page.locator("p .sym-q").first.hover()
    kinds = kinds_of_lit(page)
    assert {"SPANkatex", "PY-CELL", "LIVE-FIGURE"} <= kinds
    assert any(kind.startswith("P") and kind != "PY-CELL" for kind in kinds)
    page.get_by_role("heading", level=1).hover()
    expect(page.locator(LIT)).to_have_count(0)


def test_the_keyboard_lights_up_symbols_too(page: Page, server: StaticServer) -> None:
    page.goto(f"{server.address}by-hand/")
    page.locator("p .sym-q[tabindex]").focus()
    assert page.locator(LIT).count() > 5
    page.locator("p .sym-k[tabindex]").focus()
    expect(page.locator(LIT)).to_have_count(0)


def test_a_lit_symbol_is_not_told_by_colour_alone(page: Page, server: StaticServer) -> None:
    page.goto(f"{server.address}by-hand/")
    symbol = page.locator("p .sym-q").first
    expect(symbol).to_have_css("text-decoration-line", "none")
    symbol.hover()
    expect(symbol).to_have_css("text-decoration-line", "underline")


def test_symbols_keep_their_colours_while_code_is_edited(page: Page, server: StaticServer) -> None:
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "projections")
    printed = cell.element.locator(".sym-q").first.evaluate("one => getComputedStyle(one).color")
    cell.write("Q = X @ W_q\nweights = Q")
    editor = cell.element.locator(".cm-content")
    expect(editor.locator(".sym-q")).to_have_text(["Q", "Q"])
    expect(editor.locator(".sym-q").first).to_have_css("color", printed)
    expect(editor.locator(".sym-weights")).to_have_text(["weights"])


def test_a_definition_opens_on_focus(page: Page, server: StaticServer) -> None:
    page.goto(f"{server.address}query-key-value/")
    term = page.locator("dfn.term").first
    expect(term.locator(".definition")).to_be_hidden()
    term.focus()
    expect(term.locator(".definition")).to_be_visible()
