"""The benchmark's chart in a real browser: what readers choose is what is drawn and told."""

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from site_src.figures.benchmark import trace as benchmark
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.figures.on_pages import page_of
from tests.server import StaticServer


@pytest.fixture
def figure(page: Page, server: StaticServer) -> FigureOnPage:
    """The chart on its page, upgraded."""
    page.goto(f"{server.address}{page_of('benchmark')}")
    figure = FigureOnPage(page, "benchmark")
    figure.ready()
    return figure


def charts_of_first_device() -> list[Any]:
    """What a reader can choose without choosing a device."""
    charts: list[Any] = benchmark.trace({})["charts"]
    return [chart for chart in charts if chart["device"] == charts[0]["device"]]


def choose(figure: FigureOnPage, chart: Any) -> None:
    """Choose what a chart shows."""
    figure.element.get_by_label("Number type").select_option(chart["dtype"])
    figure.element.get_by_label("Shown").select_option(chart["quantity"])


def test_every_number_type_and_quantity_can_be_chosen(
    figure: FigureOnPage, watched: Watched
) -> None:
    for chart in charts_of_first_device():
        choose(figure, chart)
        expect(figure.how).to_have_text(chart["says"])
        points = sum(value is not None for line in chart["lines"] for value in line["values"])
        expect(figure.element.locator("svg path.mark")).to_have_count(points)
        names = figure.element.locator("svg text[class^=form-]").all_text_contents()
        assert sorted(names) == sorted(line["form"] for line in chart["lines"])
    assert not any("/python-" in url for url in watched.requests)


def test_a_larger_value_stands_higher(figure: FigureOnPage) -> None:
    for chart in charts_of_first_device():
        choose(figure, chart)
        for line in chart["lines"]:
            drawn = figure.element.locator(f"polyline.form-{line['form']}").get_attribute("points")
            heights = [-float(point.split(",")[1]) for point in str(drawn).split()]
            values = [value for value in line["values"] if value is not None]
            assert ranks(values) == ranks(heights)


def ranks(values: list[float]) -> list[int]:
    """The places of values, from the smallest to the largest."""
    return sorted(range(len(values)), key=values.__getitem__)


def test_a_link_opens_the_same_chart(figure: FigureOnPage, page: Page) -> None:
    chart = charts_of_first_device()[-1]
    choose(figure, chart)
    figure.button("Copy link").click()
    expect(figure.message).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    figure.ready()
    expect(figure.how).to_have_text(chart["says"])
    expect(figure.element.get_by_label("Shown")).to_have_value(chart["quantity"])


@pytest.mark.parametrize("width", [320, 1280])
def test_names_stay_in_the_figure_and_off_each_other(
    figure: FigureOnPage, page: Page, width: int
) -> None:
    page.set_viewport_size({"width": width, "height": 900})
    for chart in charts_of_first_device():
        choose(figure, chart)
        assert page.evaluate("document.documentElement.scrollWidth") <= width
        boxes = [
            box for text in figure.element.locator("svg text").all() if (box := text.bounding_box())
        ]
        for at, box in enumerate(boxes):
            assert 0 <= box["x"] <= box["x"] + box["width"] <= width
            for other in boxes[at + 1 :]:
                assert (
                    box["x"] + box["width"] <= other["x"]
                    or other["x"] + other["width"] <= box["x"]
                    or box["y"] + box["height"] <= other["y"] + 4
                    or other["y"] + other["height"] <= box["y"] + 4
                )


def test_without_javascript_the_same_numbers_are_in_tables(
    page: Page, server: StaticServer
) -> None:
    browser = page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}{page_of('benchmark')}")
    tables = still.locator("live-figure[name=benchmark] table")
    expected = benchmark.trace({})
    expect(tables).to_have_count(len(expected["matrices"]))
    for at, matrix in enumerate(expected["matrices"]):
        texts = [text for row in matrix["shown"] for text in row]
        expect(tables.nth(at).locator("tbody td")).to_have_text(texts)
        expect(tables.nth(at).locator("tbody td").first).to_be_visible()
    expect(still.locator("live-figure[name=benchmark] .how")).to_have_text(expected["picture"])
    still.context.close()
