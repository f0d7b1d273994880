"""The chart of costs in a real browser: slid, doubled, followed, on paper."""

import json
from itertools import pairwise
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from site_src.figures.cost import trace as cost
from site_src.figures.live import traces
from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer
from tests.site.test_pages import soup


@pytest.fixture
def figure(page: Page, server: StaticServer) -> FigureOnPage:
    """The figure on its page, upgraded."""
    page.goto(f"{server.address}attention-vs-rnn/")
    figure = FigureOnPage(page, "cost")
    figure.ready()
    return figure


def slider(figure: FigureOnPage, name: str) -> Locator:
    """One of the two sliders."""
    return figure.element.get_by_role("slider", name=name)


def told(words: int, d: int, whole: bool = False) -> str:
    """What the figure says, from the trace."""
    drawn: Any = cost.trace({"d": d})
    at = drawn["lengths"].index(words)
    attention, rnn, *layers = (row[at] for row in drawn["told"])
    table, larger = drawn["bytes"][at : at + 2]
    costs = f"n²·d, for attention: {attention}. n·d², for an RNN: {rnn}."
    if whole:
        costs = "Multiply-adds of a layer: attention {}, RNN {}, LSTM {}.".format(*layers)
    return (
        f"{words:,} words of {d:,} numbers. {costs} The table of scores takes {table}, "
        f"and four times that, {larger}, for twice the words."
    )


def heights(figure: FigureOnPage) -> dict[str, float]:
    """How far from the top the ring of each curve is."""
    rings = figure.element.locator("circle.here")
    return {
        str(ring.get_attribute("class")).split()[0]: float(str(ring.get_attribute("cy")))
        for ring in rings.all()
    }


def test_words_slide_and_double(figure: FigureOnPage, page: Page, watched: Watched) -> None:
    expect(figure.how).to_have_text(told(1024, 512))
    words = slider(figure, "n, words")
    words.focus()
    page.keyboard.press("ArrowLeft")
    expect(figure.how).to_have_text(told(512, 512))
    assert heights(figure)["attention"] == pytest.approx(heights(figure)["RNN"]), "they cross"
    page.keyboard.press("Home")
    expect(figure.how).to_have_text(told(16, 512))
    assert heights(figure)["attention"] > heights(figure)["RNN"], "below it"
    double = figure.button("Double n")
    double.focus()
    for n in cost.LENGTHS[1:]:
        page.keyboard.press("Enter")
        expect(figure.how).to_have_text(told(n, 512))
        expect(words).to_have_attribute("aria-valuetext", f"{n:,}")
    assert heights(figure)["attention"] < heights(figure)["RNN"], "above it"
    expect(double).to_have_attribute("aria-disabled", "true")
    page.keyboard.press("Enter")
    expect(figure.how).to_have_text(told(131_072, 512))
    expect(double).to_be_focused()
    assert not any("/python-" in url for url in watched.requests)


def test_the_crossing_moves_with_d(figure: FigureOnPage, page: Page) -> None:
    line = figure.element.locator("path.crossing")
    places = []
    slider(figure, "d, numbers a word").focus()
    page.keyboard.press("Home")
    for d in cost.WIDTHS:
        expect(figure.how).to_have_text(told(1024, d))
        expect(figure.element.locator("svg").first).to_contain_text(f"equal at n = d = {d:,}")
        places.append(float(str(line.get_attribute("d")).split()[0].strip("M")))
        page.keyboard.press("ArrowRight")
    assert places == sorted(set(places))
    step = places[1] - places[0]
    assert all(b - a == pytest.approx(step, abs=0.1) for a, b in pairwise(places))


def test_whole_layers_show_the_lstm(figure: FigureOnPage) -> None:
    expect(figure.element.locator("polyline")).to_have_count(2)
    switch = figure.button("Whole layers")
    switch.click()
    expect(switch).to_have_attribute("aria-pressed", "true")
    expect(figure.how).to_have_text(told(1024, 512, whole=True))
    expect(figure.element.locator("polyline")).to_have_count(3)
    expect(figure.element.locator("svg").first).to_contain_text(
        "attention = LSTM at n = 2d = 1,024"
    )
    assert heights(figure)["attention"] == pytest.approx(heights(figure)["LSTM"])
    assert heights(figure)["RNN"] > heights(figure)["LSTM"]
    switch.click()
    expect(figure.how).to_have_text(told(1024, 512))


def test_twice_the_words_is_drawn_as_four_tables(figure: FigureOnPage) -> None:
    boxes = [one.bounding_box() for one in figure.element.locator("rect.scores").all()]
    small, large = [box["width"] * box["height"] for box in boxes if box]
    assert large == pytest.approx(4 * small, rel=0.1)
    expect(figure.element.locator("svg").last).to_contain_text("8 MiB, × 4")


def test_the_chart_follows_the_readers_d(figure: FigureOnPage, page: Page) -> None:
    cell = CellOnPage(page, "count")
    cell.edit("d = 512", "d = 300")
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “count”.")
    expect(figure.how).to_have_text(told(1024, 300))
    cell.edit("d = 300", "d = 5000")
    cell.run_to_end()
    expect(figure.message).to_contain_text("d must be a whole number")


def test_a_link_opens_the_same_place(figure: FigureOnPage, page: Page) -> None:
    figure.button("Whole layers").click()
    figure.button("Double n").click()
    figure.button("Copy link").click()
    expect(figure.message).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    figure.ready()
    expect(figure.how).to_have_text(told(2048, 512, whole=True))


def test_times_are_there_to_be_printed(figure: FigureOnPage, page: Page) -> None:
    """As the answer to "your turn" says."""
    cell = CellOnPage(page, "your-turn")
    cell.edit('print(n, "words")', 'print(n, "words", 1000 * in_attention, 1000 * in_rnn)')
    cell.run_to_end()
    lines = cell.output.inner_text().split("\n")
    times = [[float(word) for word in line.split()[2:]] for line in lines if "words" in line]
    assert len(times) == 4
    assert all(len(pair) == 2 and min(pair) >= 0 for pair in times)


def test_without_javascript_and_on_paper_the_numbers_are_there(
    figure: FigureOnPage, page: Page, server: StaticServer
) -> None:
    browser = page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}attention-vs-rnn/")
    page.emulate_media(media="print")
    expected = traces("cost")["512"]
    for shown in (page, still):
        drawn = shown.locator("live-figure[name=cost]")
        expect(drawn.locator(".how")).to_have_text(expected["picture"])
        for matrix in expected["matrices"]:
            cells = drawn.locator(f"table[data-name='{matrix['name']}'] tbody td")
            expect(cells.first).to_be_visible()
            expect(cells).to_have_text([text for row in matrix["shown"] for text in row])
    still.context.close()


def test_embedded_values_are_those_of_the_trace(server: StaticServer) -> None:
    assert server.root
    page = soup(server.root / "attention-vs-rnn" / "index.html")
    element = page.select_one("live-figure[name=cost]")
    assert element
    assert json.loads(str(element["data-traces"])) == json.loads(json.dumps(traces("cost")))


@pytest.mark.parametrize("width", [320, 768, 1280])
def test_nothing_jumps_when_the_script_comes(
    page: Page, server: StaticServer, watched: Watched, width: int
) -> None:
    watched.expected = ["Failed to load resource"]
    height = "figure => figure.getBoundingClientRect().height"
    page.set_viewport_size({"width": width, "height": 800})
    page.route("**/view-*.js", lambda route: route.abort())
    page.goto(f"{server.address}attention-vs-rnn/")
    figure = FigureOnPage(page, "cost")
    expect(figure.message).to_contain_text("could not be loaded")
    before = figure.element.evaluate(height)
    page.unroute("**/view-*.js")
    page.reload()
    figure.ready()
    assert figure.element.evaluate(height) == pytest.approx(before, abs=4)
    figure.button("Whole layers").click()
    for _ in [n for n in cost.LENGTHS if n > cost.START]:
        figure.button("Double n").click()
        assert figure.element.evaluate(height) == pytest.approx(before, abs=4)
