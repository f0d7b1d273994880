"""The causal mask's figures in a real browser: switched, opened, followed, on paper."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from site_src.figures.live import traces
from site_src.figures.mask import trace as mask
from site_src.figures.wrong_masks import trace as wrong_masks
from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer


@pytest.fixture
def figure(page: Page, server: StaticServer) -> FigureOnPage:
    """The figure on its page, upgraded."""
    page.goto(f"{server.address}causal-mask/")
    figure = FigureOnPage(page, "mask")
    figure.ready()
    return figure


@pytest.fixture
def wrong(figure: FigureOnPage, page: Page) -> FigureOnPage:
    """The figure of wrong ways, upgraded."""
    wrong = FigureOnPage(page, "wrong_masks")
    wrong.ready()
    return wrong


def state(name: str, **changes: Any) -> Any:
    """The inputs of an embedded state, changed."""
    return mask.embedded()[name] | changes


def test_the_switch_changes_all_tables_together(figure: FigureOnPage, watched: Watched) -> None:
    switch = figure.button("Causal mask")
    hidden = figure.element.locator("td.hidden-key")
    expect(switch).to_have_attribute("aria-pressed", "true")
    figure.expect_numbers(state("three words/causal"))
    expect(hidden).to_have_text(["−∞"] * 3 + ["0"] * 3)
    switch.focus()
    switch.press("Enter")
    expect(switch).to_have_attribute("aria-pressed", "false")
    expect(switch).to_be_focused()
    figure.expect_numbers(state("three words/none"))
    expect(hidden).to_have_count(0)
    expect(figure.current).to_contain_text("Every word sees all words")
    figure.element.get_by_role("combobox", name="Example").select_option("four words")
    figure.expect_numbers(state("four words/none"))
    switch.click()
    figure.expect_numbers(state("four words/causal"))
    expect(hidden).to_have_text(["−∞"] * 6 + ["0"] * 6)
    expect(figure.origin).to_have_text("Numbers: this page.")
    assert not any("/python-" in url for url in watched.requests)


def test_hidden_cells_are_hatched(figure: FigureOnPage) -> None:
    for cell in figure.element.locator("td.hidden-key").all():
        assert "repeating-linear-gradient" in cell.evaluate(
            "cell => getComputedStyle(cell).backgroundImage"
        )


def test_one_step_needs_no_steps(figure: FigureOnPage, wrong: FigureOnPage) -> None:
    for one in (figure, wrong):
        for name in ("Back", "Next", "Play"):
            expect(one.button(name)).to_have_count(0)
        expect(one.element).not_to_contain_text("Step 1")
        expect(one.element.get_by_role("heading", level=2).first).not_to_contain_text("1.")


def test_a_number_opens_its_sum_and_lights_what_it_is_made_of(
    figure: FigureOnPage, page: Page
) -> None:
    figure.number("weights, query: love, key: I").click()
    expect(figure.how).to_have_text(
        "weights (query: love, key: I): e^4.2426 ÷ (e^4.2426 + e^0) = 0.9858"
    )
    expect(figure.current.locator("td.from")).to_have_text(["4.24", "0.00", "−∞"])
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(figure.how).to_contain_text("hidden: e^(−∞) = 0, no share at all")
    figure.button("Causal mask").click()
    expect(figure.how).to_contain_text("e^4.2426 ÷ (e^4.2426 + e^0 + e^4.2426) = 0.4964")


def test_it_follows_the_readers_own_variables(figure: FigureOnPage, page: Page) -> None:
    cell = CellOnPage(page, "causal")
    cell.edit("output, weights =", "Q = 2 * Q\noutput, weights =")
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “causal”.")
    q = [[2 * x for x in row] for row in state("three words/causal")["Q"]]
    figure.expect_numbers(state("three words/causal", Q=q))
    figure.button("Causal mask").click()
    figure.expect_numbers(state("three words/causal", Q=q, mask="none"))
    figure.button("Back to this page’s numbers").click()
    figure.expect_numbers(state("three words/causal"))


def test_each_way_is_shown_with_its_fault(wrong: FigureOnPage, watched: Watched) -> None:
    choice = wrong.element.get_by_role("combobox", name="Hide with")
    padding = wrong.button("Hide “I” as padding")
    for way, one in wrong_masks.WAYS.items():
        choice.select_option(label=one.label)
        expect(padding).to_have_attribute("aria-pressed", str(one.shows == "I").lower())
        expect(wrong.current).to_contain_text(one.faults[one.shows])
        wrong.expect_numbers({"way": way, "padding": one.shows})
        marked = wrong.element.locator("td.changed")
        assert (marked.count() > 0) == (way != "right")
    choice.select_option(label="0 after softmax")
    expect(wrong.element.locator("[data-name=sums] td.changed")).to_have_text(["0.0114", "0.5036"])
    padding.focus()
    padding.press("Enter")
    expect(padding).to_be_focused()
    wrong.expect_numbers({"way": "after", "padding": "I"})
    assert not any("/python-" in url for url in watched.requests)


def test_what_is_wrong_is_not_told_by_colour_alone(wrong: FigureOnPage) -> None:
    marked = wrong.element.locator("td.changed").first
    expect(marked).to_have_css("outline-style", "solid")
    assert "underline" in marked.evaluate("cell => getComputedStyle(cell).textDecorationLine")


@pytest.mark.parametrize("name", ["mask", "wrong_masks"])
def test_without_javascript_and_on_paper_the_numbers_are_there(
    figure: FigureOnPage, page: Page, server: StaticServer, name: str
) -> None:
    browser = page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}causal-mask/")
    FigureOnPage(page, name).ready()
    page.emulate_media(media="print")
    start = str(page.locator(f"live-figure[name={name}]").get_attribute("start"))
    expected = traces(name)[start]
    for shown in (page, still):
        drawn = shown.locator(f"live-figure[name={name}]")
        expect(drawn).to_contain_text(expected["steps"][0]["says"])
        expect(drawn.locator(".step-title")).to_have_text(expected["steps"][0]["title"])
        for matrix in expected["matrices"]:
            cells = drawn.locator(f"table[data-name='{matrix['name']}'] tbody td")
            expect(cells.first).to_be_visible()
            expect(cells).to_have_text([text for row in matrix["shown"] for text in row])
    still.context.close()


@pytest.mark.parametrize("width", [320, 768])
def test_no_choice_makes_the_figure_jump(wrong: FigureOnPage, page: Page, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 800})
    height = "figure => figure.getBoundingClientRect().height"
    first = wrong.element.evaluate(height)
    for way in wrong_masks.WAYS:
        wrong.element.get_by_role("combobox", name="Hide with").select_option(way)
        assert wrong.element.evaluate(height) == pytest.approx(first, abs=4), way
