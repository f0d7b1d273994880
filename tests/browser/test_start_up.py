"""The chart of starts in a real browser: each that can be chosen is drawn to scale, on a phone."""

import pytest
from playwright.sync_api import Page, expect

from site_src.figures.start_up.trace import trace
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer


def test_every_chart_is_drawn_to_scale_within_a_narrow_page(
    page: Page, server: StaticServer, watched: Watched
) -> None:
    page.set_viewport_size({"width": 320, "height": 900})
    page.goto(f"{server.address}how-fast/")
    figure = FigureOnPage(page, "start_up")
    figure.ready()
    for chart in trace({})["charts"]:
        figure.element.get_by_label("Shown").select_option(chart["title"])
        expect(figure.how).to_have_text(chart["says"])
        drawn = figure.element.get_by_role("img", name=chart["title"])
        bars = drawn.locator("rect")
        expect(bars).to_have_count(len(chart["bars"]))
        widths = bars.evaluate_all("bars => bars.map((bar) => bar.getBoundingClientRect().width)")
        scale = widths[0] / chart["bars"][0]["median"]
        assert widths == pytest.approx([scale * bar["median"] for bar in chart["bars"]], abs=0.5)
        texts = drawn.locator("text").evaluate_all(
            "texts => texts.map((text) => text.getBoundingClientRect().right)"
        )
        assert max(texts) <= 320
    assert not any("/python-" in url for url in watched.requests)
