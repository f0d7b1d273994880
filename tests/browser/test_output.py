"""What a cell shows besides text: pictures, tables, and packages that come on import."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.conftest import Watched
from tests.server import SAID, StaticServer, damaged

PLOTS = """import matplotlib.pyplot as plt
print("before")
plt.plot([0, 1], [1, 3], label="loss")
plt.title("Training")
plt.xlabel("steps")
plt.show()
print("between")
figure, axes = plt.subplots()
axes.bar([1, 2, 3], [1, 2, 3])
figure"""
LEFT_OPEN = "plt.plot([1, 2])\nprint(len(plt.get_fignums()))"
DRAWING = """class Drawing:
    def _repr_svg_(self):
        return '''<svg xmlns="http://www.w3.org/2000/svg" width="40" height="20">
            <script>document.title = "changed"</script><rect width="40" height="20"/></svg>'''

Drawing()"""
RECORDS = "[{f'column {n}': n / 8 for n in range(30)} | {'word': '<b>I</b>'} for _ in range(3)]"
BROKEN = ["Failed to load resource", "rror occurred", "Failed to fetch"]  # the browser, and Pyodide


@pytest.fixture
def words(page: Page, server: StaticServer) -> CellOnPage:
    """The first cell of the NumPy page, which builds on nothing."""
    page.goto(f"{server.address}numpy/")
    return CellOnPage(page, "words")


def packages(watched: Watched) -> list[str]:
    """The packages that were fetched, NumPy apart."""
    names = [url.rsplit("/", 1)[1] for url in watched.requests if url.endswith(".whl")]
    return [name.split("-")[0] for name in names if not name.startswith("numpy-")]


def test_figures_come_in_order_with_the_text_and_are_there_again_after_leaving(
    words: CellOnPage, watched: Watched
) -> None:
    """Rows 3, 5 and 25. Nothing of matplotlib comes before it is imported."""
    page = words.page
    words.run_to_end()
    assert packages(watched) == []
    page.evaluate(
        """() => {
            window.said = [];
            const status = document.querySelector("py-cell[name=words] .status");
            const note = () => said.push(status.textContent);
            new MutationObserver(note).observe(status, {childList: true});
        }"""
    )
    words.write(PLOTS)
    words.run_to_end()
    assert "matplotlib" in packages(watched)
    assert any(text.startswith("Loading matplotlib, ") for text in page.evaluate("said"))
    parts = words.output.locator("> *")
    for _ in range(2):
        expect(parts).to_have_count(4)
        expect(parts.nth(0)).to_have_text("before\n")
        expect(parts.nth(2)).to_have_text("between\n")
        first, second = parts.nth(1).get_by_role("img"), parts.nth(3).get_by_role("img")
        assert "Training: 1 line, named loss; steps from" in (first.get_attribute("alt") or "")
        assert "3 bars" in (second.get_attribute("alt") or "")
        assert first.evaluate("image => image.decode().then(() => image.naturalWidth)") > 300
        page.get_by_role("link", name="Start here").first.click()
        expect(page.get_by_role("heading", level=1)).to_contain_text("Understand attention")
        page.get_by_role("link", name="Self-attention in NumPy").first.click()
    page.set_viewport_size({"width": 320, "height": 640})
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    fetched = len(packages(watched))
    words.write(LEFT_OPEN)
    words.run_to_end()
    expect(words.output.locator(".stdout").first).to_have_text("1\n")  # all others were closed
    expect(words.output.get_by_role("img")).to_have_count(1)
    assert len(packages(watched)) == fetched


def test_values_that_draw_themselves_and_tables_are_shown_and_all_else_is_printed(
    words: CellOnPage,
) -> None:
    """Row 25: a wide table scrolls inside itself. No markup of the reader's enters the page."""
    page = words.page
    title = page.title()
    words.write(DRAWING)
    words.run_to_end()
    image = words.output.get_by_role("img", name="Picture of a value of type Drawing.")
    expect(image).to_be_visible()
    assert image.evaluate("image => image.decode().then(() => image.naturalWidth)") == 40
    assert page.title() == title
    expect(words.status).not_to_contain_text("printed nothing")
    page.set_viewport_size({"width": 320, "height": 640})
    words.write(RECORDS)
    words.run_to_end()
    expect(words.output.get_by_role("row")).to_have_count(4)
    expect(words.output.get_by_role("columnheader")).to_have_count(31)
    expect(words.output.get_by_role("cell", name="<b>I</b>").first).to_be_visible()
    expect(words.output.get_by_role("region")).to_have_attribute("tabindex", "0")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    words.write("import numpy as np\nnp.eye(2)")
    words.run_to_end()
    expect(words.output).to_have_text("array([[1., 0.],\n       [0., 1.]])\n")


def test_a_package_that_does_not_come_is_told_and_retry_works(
    words: CellOnPage, server: StaticServer, watched: Watched
) -> None:
    """Row 19."""
    watched.expected = BROKEN
    wheel = server.hosted("matplotlib-*.whl")
    words.write("kept = 1")
    words.run_to_end()
    words.write("import matplotlib\nprint(kept)")
    for damage, said in SAID.items():
        server.replaced[wheel.name] = damaged(wheel, damage)
        words.run()
        words.expect_state("idle")
        expect(words.status).to_contain_text(f"matplotlib could not be loaded: {wheel.name} {said}")
    server.replaced.clear()
    words.button("Retry").click()
    words.expect_state("done")
    expect(words.output).to_have_text("1\n")  # Python itself was not lost
