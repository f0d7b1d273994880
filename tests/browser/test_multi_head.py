"""The heads and how they are split, in a real browser."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from site_src.figures.heads import trace as heads
from site_src.figures.split_heads import trace as split
from snippets.pronouns import sentence
from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer

TIRED = sentence("animal", "cross", "street", "tired")
NAMES = ["reference", "grammar", "neighbour"]


@pytest.fixture
def figure(page: Page, server: StaticServer) -> FigureOnPage:
    """The heads on their page, upgraded."""
    page.goto(f"{server.address}multi-head/")
    figure = FigureOnPage(page, "heads")
    figure.ready()
    return figure


def head(figure: FigureOnPage, name: str) -> Locator:
    """The small map of a head."""
    return figure.element.get_by_role("radio", name=name, exact=True)


def test_each_head_can_be_enlarged(figure: FigureOnPage, watched: Watched) -> None:
    for name, word, target in [
        ("grammar", "cross", "animal"),
        ("neighbour", "the", "the"),
        ("reference", "it", "animal"),
    ]:
        head(figure, name).click()
        expect(head(figure, name)).to_have_attribute("aria-checked", "true")
        expect(figure.how).to_contain_text(f"In the head “{name}”, “{word}” attends to {target} (")
        expect(figure.element.locator("table:visible")).to_have_attribute("data-name", name)
    figure.expect_numbers({"words": TIRED})
    assert not any("/python-" in url for url in watched.requests)


def test_small_maps_are_shaded_by_the_weights(figure: FigureOnPage) -> None:
    for matrix in heads.trace({"words": TIRED})["matrices"]:
        shares = (
            head(figure, matrix["name"])
            .locator("rect")
            .evaluate_all(
                "cells => cells.map((cell) => Number(cell.style.getPropertyValue('--share')))"
            )
        )
        assert shares == pytest.approx([x for row in matrix["values"] for x in row], abs=0.006)


def test_arrow_keys_go_from_head_to_head_and_from_word_to_word(
    figure: FigureOnPage, page: Page
) -> None:
    head(figure, "reference").focus()
    page.keyboard.press("ArrowRight")
    expect(head(figure, "grammar")).to_be_focused()
    expect(figure.how).to_contain_text("“cross” attends to animal")
    page.keyboard.press("Tab")
    page.keyboard.press("ArrowRight")
    expect(figure.how).to_contain_text("“the” attends to")
    expect(figure.how).to_contain_text("which nothing has trained it to do")


def test_the_last_word_moves_reference_only(figure: FigureOnPage) -> None:
    figure.button("wide").click()
    expect(figure.how).to_contain_text("“it” attends to street (100%)")
    head(figure, "grammar").click()
    expect(figure.how).to_contain_text("“cross” attends to animal")


def test_a_row_of_the_map_chooses_its_word(figure: FigureOnPage) -> None:
    head(figure, "neighbour").click()
    figure.element.get_by_role("row", name=re.compile("^query: was")).click()
    expect(figure.how).to_contain_text("“was” attends to it (")


def test_the_heads_view_the_readers_words(figure: FigureOnPage, page: Page) -> None:
    cell = CellOnPage(page, "words")
    cell.edit('"animal", "cross", "street"', '"street", "cross", "animal"')
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “words”.")
    expect(figure.how).to_contain_text("“it” attends to animal")
    head(figure, "grammar").click()
    expect(figure.how).to_contain_text("“cross” attends to street")


@pytest.fixture
def moving(figure: FigureOnPage, page: Page) -> FigureOnPage:
    """The figure of how heads are split."""
    found = FigureOnPage(page, "split_heads")
    found.ready()
    return found


def columns_of_head_1(figure: FigureOnPage) -> list[list[str]]:
    """The numbers that stand in the first block, row by row, once they have come to rest."""
    found: list[list[str]] = figure.element.evaluate(
        """async (figure) => {
            await Promise.all(figure.getAnimations({subtree: true}).map((one) => one.finished));
            const numbers = [...figure.querySelectorAll(".number")].map((number) => {
                const box = number.querySelector("rect").getBoundingClientRect();
                return { x: Math.round(box.x), y: Math.round(box.y), text: number.textContent };
            });
            const rows = Object.groupBy(numbers, ({ y }) => y);
            return Object.keys(rows).sort((a, b) => a - b).map((y) => rows[y]
                .sort((a, b) => a.x - b.x).slice(0, 2).map(({ text }) => text));
        }"""
    )
    return found


def test_numbers_move_to_their_heads_and_back(moving: FigureOnPage) -> None:
    stages = split.trace({"way": "right"})["stages"]
    for number in range(1, 6):
        expect(moving.how).to_have_text(split.told(number, stages))
        if number == 3:
            expected = [["0", "1"], ["6", "7"], ["12", "13"], ["18", "19"]]
            assert columns_of_head_1(moving) == expected
        if number < 5:
            moving.button("Next").click()
    expect(moving.button("Next")).to_have_attribute("aria-disabled", "true")
    for _ in range(4):
        moving.button("Back").click()
    expect(moving.how).to_have_text(split.told(1, stages))


def test_the_mistake_mixes_the_heads(moving: FigureOnPage) -> None:
    moving.element.get_by_role("combobox", name="Show").select_option("mistake")
    moving.button("Next").click()
    expect(moving.how).to_contain_text("a head now mixes tokens and features")
    assert columns_of_head_1(moving) == [["0", "1"], ["2", "3"], ["4", "5"], ["6", "7"]]
