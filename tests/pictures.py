"""Takes the pictures of README and of shared links, from the site as it is. make pictures"""

import tempfile
from pathlib import Path

from playwright.sync_api import Page, sync_playwright

from site_src import ROOT
from tests.browser import chromium
from tests.browser.cells import CellOnPage
from tests.server import StaticServer
from tests.site.build import build

# Only the title, the first sentence and the figure, large enough for a thumbnail.
SHARED = """
.md-header, .md-sidebar, .md-footer, article > :not(h1, .lead, .brief),
.figure-controls, .figure-bar, .figure-message, .headerlink { display: none !important }
.md-main__inner, .md-grid { margin: 0 auto; max-width: 48rem }
.md-typeset .figure figure { border: 0; padding: 0 }
html { font-size: 122% !important }
"""
ASSETS = ROOT / "docs" / "assets"


def running_cell(page: Page) -> CellOnPage:
    """The example's last cell, after it has run."""
    cell = CellOnPage(page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")
    return cell


def main() -> None:
    """Build, serve, run a cell, and look."""
    with tempfile.TemporaryDirectory() as folder, StaticServer() as server:
        server.root = build(Path(folder), server.address)
        with sync_playwright() as playwright:
            browser = chromium.launch(playwright)
            page = browser.new_page(viewport={"width": 1200, "height": 630}, device_scale_factor=2)
            page.goto(f"{server.address}numpy/")
            running_cell(page).element.screenshot(path=ASSETS / "running-cell.png")
            page = browser.new_page(viewport={"width": 1200, "height": 630})
            page.goto(f"{server.address}")
            page.add_style_tag(content=SHARED)
            page.locator("live-figure[state=ready]").wait_for()
            page.evaluate("scrollTo(0, 0)")
            page.screenshot(path=ASSETS / "share.png")
            browser.close()


if __name__ == "__main__":
    main()
