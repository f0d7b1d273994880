"""The real model's heads in a real browser: chosen by keys and by mouse, for either sentence."""

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer

pytestmark = pytest.mark.usefixtures("prepared")


def head(figure: FigureOnPage, name: str) -> Locator:
    """The small map of a head."""
    return figure.element.get_by_role("gridcell", name=name, exact=True)


def test_keys_choose_a_head_and_a_word_and_buttons_the_sentence(
    page: Page, server: StaticServer, watched: Watched
) -> None:
    page.goto(f"{server.address}see-it-work/")
    figure = FigureOnPage(page, "real_heads")
    figure.expect_numbers({"sentence": "tired"})
    expect(figure.element.get_by_role("gridcell")).to_have_count(72)
    expect(figure.how).to_contain_text("In layer 5, head 1, “it” attends to [CLS] (27%), animal")

    head(figure, "layer 5, head 1, turns with the sentence").focus()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowRight")
    expect(head(figure, "layer 4, head 2")).to_be_focused()
    page.keyboard.press("Control+Home")
    page.keyboard.press("ArrowUp")  # there is no row above
    expect(head(figure, "layer 1, head 1")).to_have_attribute("aria-selected", "true")
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowRight")
    expect(figure.how).to_have_text("In layer 1, head 3, “it” attends to because (100%).")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(figure.how).to_have_text("In layer 1, head 3, “was” attends to it (100%).")
    row = figure.element.get_by_role("row", name="query: was")
    expect(row.locator("td").nth(10)).to_have_text("1.000")

    head(figure, "layer 5, head 1, turns with the sentence").click()
    figure.element.get_by_role("radio", name="it", exact=True).click()
    figure.button("wide").click()
    figure.expect_numbers({"sentence": "wide"})
    expect(figure.how).to_contain_text("attends to [CLS] (23%), street (19%)")
    assert not any("/python-" in url for url in watched.requests)


def test_a_layer_is_chosen_and_its_clearest_head_is_enlarged(
    page: Page, server: StaticServer
) -> None:
    page.goto(f"{server.address}multi-head/")
    figure = FigureOnPage(page, "real_layer")
    figure.expect_numbers({"layer": "1"})
    expect(figure.element.get_by_role("gridcell")).to_have_count(12)
    figure.button("2").click()
    expect(head(figure, "layer 2, head 9")).to_have_attribute("aria-selected", "true")
    figure.expect_numbers({"layer": "2"})
    expect(figure.how).to_contain_text("On average a piece gives 55% to the piece after.")
