"""The tower and the ratio that stays, in a real browser."""

import pytest
from playwright.sync_api import Page, expect

from site_src.figures.flip import trace as flip_trace
from site_src.figures.tower import trace as tower_trace
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer


@pytest.fixture
def block(page: Page, server: StaticServer) -> Page:
    """The page, its figures upgraded."""
    page.goto(f"{server.address}block/")
    for name in ("tower", "flip"):
        FigureOnPage(page, name).ready()
    return page


def test_words_climb_with_and_without_the_residual_road(block: Page, watched: Watched) -> None:
    figure = FigureOnPage(block, "tower")
    for road in ("without", "with"):
        figure.button(road).click()
        expect(figure.button(road)).to_have_attribute("aria-pressed", "true")
        drawn = tower_trace.trace(tower_trace.embedded()[road])
        level = figure.element.get_by_role("slider", name="Level")
        level.focus()
        block.keyboard.press("Home")
        for told in drawn["told"]:
            expect(figure.how).to_have_text(told)
            block.keyboard.press("ArrowRight")
        expect(level).to_have_attribute("aria-valuetext", "4 MLP")
    assert not any("/python-" in url for url in watched.requests)


def test_alike_words_have_alike_strips(block: Page) -> None:
    figure = FigureOnPage(block, "tower")
    figure.button("without").click()
    expect(figure.how).to_contain_text("Without the residual road")
    strips = figure.element.locator("rect:is(.plus, .minus)").evaluate_all(
        "cells => cells.map((cell) => [cell.className.baseVal, cell.getAttribute('style')])"
    )
    top = strips[-4 * 16 :]
    assert top[:16] == top[16:32] == top[32:48] == top[48:]
    assert strips[:16] != strips[16:32]


def test_one_layer_keeps_the_ratio_and_two_flip_it(block: Page) -> None:
    figure = FigureOnPage(block, "flip")
    choice = figure.element.get_by_role("combobox", name="First layer")
    for layer in (0, 3):
        choice.select_option(str(layer))
        drawn = flip_trace.trace({"layer": layer})
        expect(figure.how).to_have_text(str(drawn["picture"]))
        ratios = [f"log-ratio {ratio}" for pair in drawn["ratios"].values() for ratio in pair]
        expect(figure.element.locator("svg text", has_text="log-ratio")).to_have_text(ratios)
        figure.expect_numbers({"layer": layer})
    expect(figure.element).to_contain_text("An untrained layer has none above it")
