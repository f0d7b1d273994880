"""All cells of a page at once: Run all, Stop all, Restart, and how Python stands."""

import re

import pytest
from playwright.sync_api import Locator, Page, expect

from site_src import ROOT
from tests.browser.cells import LISTENING, CellOnPage, names
from tests.conftest import Watched
from tests.server import ISOLATION, StaticServer

# Counts what must not grow: listeners for Python's phases, and runs asked of workers.
COUNTING = """
window.listening = 0;
window.asked = [];
for (const [name, step] of [["addEventListener", 1], ["removeEventListener", -1]]) {
    const original = EventTarget.prototype[name];
    EventTarget.prototype[name] = function (type, ...rest) {
        if (type === "phase") window.listening += step;
        return original.call(this, type, ...rest);
    };
}
const post = Worker.prototype.postMessage;
Worker.prototype.postMessage = function (message, ...rest) {
    if (message?.type === "run") window.asked.push(message.name);
    return post.call(this, message, ...rest);
};
"""


class Controls:
    """The controls of a page, found by role and name."""

    def __init__(self, page: Page) -> None:
        self.element = page.get_by_role("group", name="All cells of this page")
        self.run_all = self.button("Run all cells")
        self.stop_all = self.button("Stop all cells")
        self.restart = self.button("Restart Python")
        self.note = self.element.get_by_role("status")

    def button(self, name: str) -> Locator:
        """One of the three, or one that the note offers."""
        return self.element.get_by_role("button", name=name)


@pytest.fixture
def numpy_page(page: Page, server: StaticServer) -> Page:
    """A page of eight cells."""
    page.goto(f"{server.address}numpy/")
    return page


def most_cells() -> str:
    """The page with the most cells."""
    pages = (ROOT / "docs").glob("*.md")
    return max(pages, key=lambda path: path.read_text(encoding="utf-8").count("```py-cell")).stem


def go(page: Page, link: str, heading: str) -> None:
    """Follow a link of the navigation."""
    page.get_by_role("link", name=link, exact=True).first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text(heading)


def test_run_all_runs_the_cells_in_order_and_says_how_python_stands(numpy_page: Page) -> None:
    """(row 27) The page speaks at the end; the cells stay silent."""
    controls = Controls(numpy_page)
    expect(controls.element).to_contain_text(re.compile(r"Python: not started, [\d.]+ MB to load"))
    expect(controls.stop_all).to_have_attribute("aria-disabled", "true")
    expect(controls.restart).to_have_attribute("aria-disabled", "true")
    numpy_page.evaluate(LISTENING)
    controls.run_all.click()
    expect(controls.run_all).to_have_attribute("aria-disabled", "true")
    expect(controls.stop_all).to_have_attribute("aria-disabled", "false")
    expect(controls.element).to_contain_text(re.compile(r"Python: loading [\d.]+ of [\d.]+ MB …"))
    expect(controls.note).to_have_text("All 8 cells ran.")
    expect(controls.element).to_contain_text("Python: ready.")
    for name in names(numpy_page):
        CellOnPage(numpy_page, name).expect_state("done")
        CellOnPage(numpy_page, name).expect_matches("yes")
    expect(controls.run_all).to_be_focused()
    assert [text for text in numpy_page.evaluate("window.spoken") if text] == ["All 8 cells ran."]


def test_run_all_ends_at_an_error_and_shows_the_way_to_it(numpy_page: Page) -> None:
    controls, failing = Controls(numpy_page), CellOnPage(numpy_page, "projections")
    failing.write("1 / 0")
    controls.run_all.click()
    expect(controls.note).to_contain_text("“projections” ended with an error")
    order = names(numpy_page)
    for name in order[: order.index("projections")]:
        CellOnPage(numpy_page, name).expect_state("done")
    for name in order[order.index("projections") + 1 :]:
        CellOnPage(numpy_page, name).expect_state("idle")
        expect(CellOnPage(numpy_page, name).status).to_contain_text(
            "Not run, because “projections”"
        )
    controls.button("Show it").click()
    expect(failing.button("Run")).to_be_focused()
    expect(failing.button("Run")).to_be_in_viewport()


def test_stop_all_empties_the_queue_and_restart_keeps_edits(numpy_page: Page) -> None:
    controls, words = Controls(numpy_page), CellOnPage(numpy_page, "words")
    words.write("print('begun')\nwhile True: pass")
    controls.run_all.click()
    words.expect_state("running")
    expect(controls.element).to_contain_text("Python: running “words”, 5 to go …")
    CellOnPage(numpy_page, "mask").expect_state("queued")
    go(numpy_page, "Start here", "Understand attention")
    expect(controls.element).to_contain_text("Python: running a cell of another page …")
    controls.stop_all.click()
    expect(controls.element).not_to_contain_text("another page")
    go(numpy_page, "Self-attention in NumPy", "Write self-attention")
    for name in ("words", "mask"):
        CellOnPage(numpy_page, name).expect_state("idle")
    words.write("print('mine')")
    words.run_to_end()
    controls.restart.click()
    expect(controls.note).to_contain_text("its variables are gone, your edits are kept")
    expect(controls.restart).to_be_focused()
    expect(controls.element).to_contain_text("Python: ready.")
    expect(words.code).to_contain_text("print('mine')")
    words.button("Reset").click()
    result = CellOnPage(numpy_page, "result")
    result.run_to_end()  # with all that it builds on
    result.expect_matches("yes")


def test_leaving_and_coming_back_multiplies_nothing(page: Page, server: StaticServer) -> None:
    """(row 14) On a host that isolates pages, where no second Python stands by."""
    server.headers.update(ISOLATION)
    page.add_init_script(COUNTING)
    page.goto(f"{server.address}{most_cells()}/")
    title = page.get_by_role("heading", level=1).inner_text()
    link = page.locator(".md-nav--primary .md-nav__link--active").last.inner_text()
    controls, cells = Controls(page), names(page)
    assert len(cells) >= 8
    first = CellOnPage(page, cells[0])
    edited = f"{first.element.evaluate('cell => cell.code')}\n# mine"
    first.write(edited)
    controls.run_all.click()
    expect(controls.note).to_have_text(f"All {len(cells)} cells ran.")
    listening = page.evaluate("window.listening")
    for _ in range(5):
        go(page, "Start here", "Understand attention")
        go(page, link.strip(), title.split("¶")[0].strip())
    assert page.evaluate("window.listening") == listening
    assert first.element.evaluate("cell => cell.code") == edited
    for name in cells:
        CellOnPage(page, name).expect_state("done")
    page.evaluate("window.asked = []")
    first.run_to_end()
    assert page.evaluate("window.asked") == cells[:1]
    assert len([worker for worker in page.workers if "live/worker" in worker.url]) == 1


def test_twenty_restarts_leave_one_python_that_works(numpy_page: Page) -> None:
    """(row 12) The bench measures the memory."""
    controls, cell = Controls(numpy_page), CellOnPage(numpy_page, "words")
    cell.run_to_end()
    for _ in range(20):
        controls.restart.click()
        cell.run_to_end()
        cell.expect_matches("yes")
    assert len([worker for worker in numpy_page.workers if "live/worker" in worker.url]) == 1


def test_names_are_unique_on_the_page(numpy_page: Page) -> None:
    labels = numpy_page.locator("article button[aria-label]").evaluate_all(
        "all => all.map((one) => one.ariaLabel)"
    )
    assert {"Run all cells", "Stop all cells", "Restart Python"} <= set(labels)
    assert len(labels) == len(set(labels))


@pytest.mark.parametrize("width", [320, 1280])
def test_the_controls_find_their_room_kept(
    page: Page, server: StaticServer, watched: Watched, width: int
) -> None:
    watched.expected = ["Failed to load resource"]
    page.set_viewport_size({"width": width, "height": 800})
    page.route("**/page-*.js", lambda route: route.abort())
    page.goto(f"{server.address}numpy/")
    before = page.locator("page-controls").bounding_box()
    page.unroute("**/page-*.js")
    page.reload()
    expect(Controls(page).run_all).to_be_visible()
    assert page.locator("page-controls").bounding_box() == before
