"""Every page, at rest and in use, in both palettes, as axe sees it."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from site_src import ROOT
from tests.browser.cells import CellOnPage, names
from tests.server import StaticServer

PAGES = sorted(path.stem for path in (ROOT / "docs").glob("*.md"))


def violations(page: Page) -> list[str]:
    """What axe finds in the page's content: ours, not the theme's frame around it."""
    found: list[Any] = Axe().run(page, context="article").response["violations"]
    return [
        f"{violation['id']}: {node['html'][:160]} {node.get('failureSummary', '')[:200]}"
        for violation in found
        for node in violation["nodes"]
    ]


@pytest.mark.parametrize("scheme", ["light", "dark"])
@pytest.mark.parametrize("name", PAGES)
def test_axe_finds_nothing(page: Page, server: StaticServer, name: str, scheme: Any) -> None:
    page.emulate_media(color_scheme=scheme)
    page.goto(server.address + ("" if name == "index" else f"{name}/"))
    for figure in page.locator("live-figure").all():
        expect(figure).to_have_attribute("state", "ready")
    assert violations(page) == []
    cell = CellOnPage(page, names(page)[0])
    cell.edit("import", "import")
    cell.write("1 / 0")
    cell.run_to_end()
    assert violations(page) == []
