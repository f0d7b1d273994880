"""Figures find their room kept for them: nothing below one jumps when its script comes."""

import pytest
from playwright.sync_api import Page, expect

from tests.conftest import Watched
from tests.figures.on_pages import figures_on_pages
from tests.server import StaticServer

WIDTHS = [320, 1280]
HEIGHTS = """() => [...document.querySelectorAll("live-figure")]
    .map((figure) => figure.getBoundingClientRect().height)"""

DRAWN_ANEW = "new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))"


def heights(page: Page, width: int) -> list[float]:
    """The height of each figure in a window of this width."""
    page.set_viewport_size({"width": width, "height": 800})
    page.evaluate(DRAWN_ANEW)
    return [float(height) for height in page.evaluate(HEIGHTS)]


@pytest.mark.parametrize("where", figures_on_pages())
def test_a_figure_has_its_room_before_its_script_comes(
    page: Page, server: StaticServer, watched: Watched, where: str
) -> None:
    watched.expected = ["Failed to load resource"]
    page.route("**/view-*.js", lambda route: route.abort())
    page.goto(f"{server.address}{where}")
    expect(page.locator(".figure-message").last).to_contain_text("could not be loaded")
    before = {width: heights(page, width) for width in WIDTHS}
    page.unroute("**/view-*.js")
    page.reload()
    for figure in page.locator("live-figure").all():
        expect(figure).to_have_attribute("state", "ready")
    for width in WIDTHS:
        assert heights(page, width) == pytest.approx(before[width], abs=4), width
