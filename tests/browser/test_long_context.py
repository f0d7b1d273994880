"""The figures on long contexts in a real browser: tiles, window, cache, and its bytes."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from site_src.figures.cache_bytes import trace as cache_bytes
from site_src.figures.kv_cache import trace as kv_cache
from site_src.figures.live import traces
from site_src.figures.tiles import trace as tiles
from site_src.figures.window import trace as window
from snippets.six_words import Q
from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer

FIGURES = ["tiles", "window", "kv_cache", "cache_bytes"]
PICTURES = FIGURES[1:]
LLAMA: Any = {"layers": 32, "kv_heads": 8, "d_head": 128, "bytes_per_number": 2}


@pytest.fixture
def long_page(page: Page, server: StaticServer) -> Page:
    """The page, its figures upgraded."""
    page.goto(f"{server.address}long-context/")
    for name in FIGURES:
        FigureOnPage(page, name).ready()
    return page


def in_tiles(block: int, **changes: Any) -> Any:
    """The inputs of the tiles."""
    return {**tiles.six(), "block": block, **changes}


# Tiles


def test_the_tiles_are_stepped_through(long_page: Page, watched: Watched) -> None:
    figure = FigureOnPage(long_page, "tiles")
    figure.expect_numbers(in_tiles(3))
    figure.button("Next").focus()
    for at in range(1, 5):
        tile = figure.matrix(f"tile {at}")
        expect(tile.get_by_role("button")).to_have_count(9)
        expect(figure.current).to_contain_text("In memory: 9 of 36 scores.")
        expect(tile.locator("td", has_text="·")).to_have_count(9 * (at - 1))
        long_page.keyboard.press("Enter")
    expect(figure.matrix("difference").locator("tbody td")).to_have_text(["0"] * 12)
    figure.button("Back").click()
    expect(figure.current).to_have_attribute("data-step", "tile-4")
    assert not any("/python-" in url for url in watched.requests)


def test_the_tile_can_be_smaller(long_page: Page, watched: Watched) -> None:
    figure = FigureOnPage(long_page, "tiles")
    size = figure.element.get_by_role("combobox", name="Tile")
    size.focus()
    size.select_option("2 × 2")
    figure.expect_numbers(in_tiles(2))
    expect(size).to_be_focused()
    expect(figure.element.locator(".step-count")).to_have_text("Step 1 of 10")
    figure.go_to("tile-9")
    expect(figure.current).to_contain_text("In memory: 4 of 36 scores.")
    size.select_option("3 × 3")
    figure.expect_numbers(in_tiles(3))
    expect(figure.current).to_have_attribute("data-step", "compare")
    assert not any("/python-" in url for url in watched.requests)


def test_a_number_of_a_tile_tells_its_sum(long_page: Page) -> None:
    figure = FigureOnPage(long_page, "tiles")
    figure.go_to("tile-2")
    figure.number("softmax 2, it, total").click()
    expect(figure.how).to_have_text(
        "softmax 2 (it, total): 0.4931·2.4931 + 1 + 0.4931 + 0.4931 = 3.2154"
    )
    long_page.keyboard.press("ArrowLeft")
    expect(figure.how).to_have_text("softmax 2 (it, shrink): e^(0 − 0.7071) = 0.4931")
    figure.go_to("tile-4")
    figure.element.get_by_role("combobox", name="Tile").focus()
    long_page.keyboard.press("Tab")
    expect(figure.number("tile 4, query: tired, key: tired")).to_be_focused()


def test_tiles_and_cache_follow_the_readers_variables(long_page: Page) -> None:
    cell = CellOnPage(long_page, "words")
    cell.edit("[[-1, 0]", "[[-2, 0]")
    cell.run_to_end()
    changed = [[-2.0, 0.0], *Q.tolist()[1:]]
    figure = FigureOnPage(long_page, "tiles")
    expect(figure.origin).to_have_text("Numbers: your cell “words”.")
    figure.expect_numbers(in_tiles(3, Q=changed))
    cache = FigureOnPage(long_page, "kv_cache")
    expect(cache.origin).to_have_text("Numbers: your cell “words”.")
    cache.expect_numbers({**tiles.six(), "Q": changed})


def test_play_goes_through_the_tiles(page: Page, server: StaticServer) -> None:
    page.clock.install()
    page.goto(f"{server.address}long-context/")
    figure = FigureOnPage(page, "tiles")
    figure.ready()
    figure.button("Play").click()
    page.clock.run_for(2600)
    expect(figure.current).to_have_attribute("data-step", "tile-2")
    page.clock.run_for(20_000)
    expect(figure.current).to_have_attribute("data-step", "compare")


# The window


def test_the_window_slides(long_page: Page, watched: Watched) -> None:
    figure = FigureOnPage(long_page, "window")
    slider = figure.element.get_by_role("slider", name="Window")
    layers = figure.element.get_by_role("slider", name="Layers")
    slider.focus()
    long_page.keyboard.press("Home")
    for size in range(1, 9):
        told = window.trace({"window": size})["told"]
        seen = sum(min(i + 1, size) for i in range(8))
        expect(figure.element.locator("rect.seen")).to_have_count(seen)
        for depth in (1, 4, 2):
            layers.fill(str(depth - 1))
            expect(figure.how).to_have_text(told[depth - 1])
            heard = sum(min(8, step * (size - 1) + 1) for step in range(depth + 1))
            expect(figure.element.locator("circle.heard")).to_have_count(heard)
        slider.focus()
        long_page.keyboard.press("ArrowRight")
    assert not any("/python-" in url for url in watched.requests)


def test_the_window_follows_the_readers_variable(long_page: Page) -> None:
    cell = CellOnPage(long_page, "window")
    cell.edit("window = 3", "window = 6")
    cell.run_to_end()
    figure = FigureOnPage(long_page, "window")
    expect(figure.how).to_have_text(window.trace({"window": 6})["picture"])


# The cache


def test_the_cache_fills(long_page: Page, watched: Watched) -> None:
    figure = FigureOnPage(long_page, "kv_cache")
    slider = figure.element.get_by_role("slider", name="Words")
    drawn = kv_cache.trace(tiles.six())
    for t in range(1, 7):
        slider.fill(str(t - 1))
        expect(figure.how).to_have_text(drawn["told"][t - 1])
        expect(figure.element.locator("rect.kept")).to_have_count(2 * t)
        expect(figure.element.locator("rect.row")).to_have_count(t)
        expect(figure.element.locator("rect.past")).to_have_count(t * (t - 1) // 2)
        row = drawn["matrices"][0]["shown"][t - 1][:t]
        expect(figure.element.locator("text.number")).to_have_text(row)
    slider.focus()
    long_page.keyboard.press("ArrowLeft")
    expect(figure.how).to_have_text(drawn["told"][4])
    assert not any("/python-" in url for url in watched.requests)


# Its bytes


def test_models_types_and_tokens_are_chosen_without_python(
    long_page: Page, watched: Watched
) -> None:
    figure = FigureOnPage(long_page, "cache_bytes")
    model = figure.element.get_by_role("combobox", name="Model")
    expect(model).to_have_value("Llama-3.1-8B")
    model.select_option("with 32 KV heads")
    figure.expect_numbers({**LLAMA, "kv_heads": 32})
    expect(figure.element.get_by_role("spinbutton", name="KV heads")).to_have_value("32")
    figure.element.get_by_role("combobox", name="Numbers").select_option("8 bits")
    figure.expect_numbers({**LLAMA, "kv_heads": 32, "bytes_per_number": 1})
    figure.element.get_by_role("slider", name="Tokens").fill("5")
    expect(figure.how).to_contain_text("= 262,144 bytes a token. 32,768 tokens: 8.59 GB.")
    expect(figure.element.locator("svg")).to_contain_text("34.4 GB")
    expect(figure.element.locator("rect.cache")).to_have_count(3)
    assert not any("/python-" in url for url in watched.requests)


def test_a_model_of_the_readers_own_is_computed(long_page: Page) -> None:
    figure = FigureOnPage(long_page, "cache_bytes")
    layers = figure.element.get_by_role("spinbutton", name="Layers")
    layers.fill("80")
    layers.press("Enter")
    expect(figure.origin).to_have_text("Numbers: edited here.", timeout=60_000)
    own: Any = {**LLAMA, "layers": 80}
    expect(figure.how).to_have_text(cache_bytes.trace(own)["picture"])
    expect(figure.element.get_by_role("combobox", name="Model")).to_have_value("")
    layers.fill("0")
    layers.press("Enter")
    expect(figure.message).to_have_text("layers must be a whole number from 1 to 100,000.")
    figure.button("Back to this page’s numbers").click()
    expect(figure.how).to_have_text(cache_bytes.trace(LLAMA)["picture"])
    expect(layers).to_have_value("32")


def test_the_bytes_follow_the_readers_variables(long_page: Page) -> None:
    cell = CellOnPage(long_page, "size")
    cell.edit("= 32, 8, 128, 2", "= 80, 8, 128, 2")
    cell.run_to_end()
    figure = FigureOnPage(long_page, "cache_bytes")
    expect(figure.origin).to_have_text("Numbers: your cell “size”.")
    figure.expect_numbers({**LLAMA, "layers": 80})


# All of them


def test_pictures_fit_a_small_phone(page: Page, server: StaticServer) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{server.address}long-context/")
    for name in FIGURES:
        FigureOnPage(page, name).ready()
    outside = page.evaluate(
        """[...document.querySelectorAll(".picture svg text")].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.width && (box.left < 0 || box.right > innerWidth);
        }).map((text) => text.textContent)"""
    )
    assert outside == []


@pytest.mark.parametrize("name", PICTURES)
def test_without_javascript_and_on_paper_the_numbers_are_there(
    long_page: Page, server: StaticServer, name: str
) -> None:
    browser = long_page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}long-context/")
    long_page.emulate_media(media="print")
    start = FigureOnPage(long_page, name).element.get_attribute("start")
    expected = traces(name)[str(start)]
    for shown in (long_page, still):
        figure = FigureOnPage(shown, name)
        expect(figure.how).to_have_text(expected["picture"])
        for matrix in expected["matrices"]:
            cells = figure.element.locator(f"table[data-name='{matrix['name']}'] tbody td")
            expect(cells).to_have_text([text for row in matrix["shown"] for text in row])
            expect(cells.first).to_be_visible()
    still.context.close()


def test_all_tiles_are_there_without_javascript(page: Page, server: StaticServer) -> None:
    browser = page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}long-context/")
    steps = still.locator("live-figure[name=tiles] .step")
    expect(steps).to_have_count(5)
    expect(steps.last.locator("table[data-name=difference]")).to_be_visible()
    still.context.close()
