"""How Python comes into the page: when, and what is said when it cannot."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.conftest import Watched
from tests.server import SAID, StaticServer, damaged

PYTHON = ("/python-", "worker-")  # parts of the addresses that only running needs
# What the browser and Pyodide themselves write to the console when a file is bad.
BROKEN = ["Failed to load resource", "wasm", "WebAssembly", "rror occurred", "Failed to fetch"]


def python_requests(watched: Watched) -> list[str]:
    """What has been fetched for the sake of running."""
    return [url for url in watched.requests if any(part in url for part in PYTHON)]


@pytest.fixture
def numpy_page(page: Page, server: StaticServer) -> Page:
    """The page with the most cells."""
    page.goto(f"{server.address}numpy/", wait_until="networkidle")
    return page


def test_nothing_of_python_is_fetched_before_intent(numpy_page: Page, watched: Watched) -> None:
    numpy_page.mouse.wheel(0, 2000)
    numpy_page.get_by_role("link", name="Start here").first.click()
    numpy_page.wait_for_load_state("networkidle")
    assert python_requests(watched) == []
    assert not any("editor" in url for url in watched.requests)


@pytest.mark.parametrize("sign", ["rest", "focus", "tap"])
def test_intent_starts_python_before_run_is_pressed(
    numpy_page: Page, watched: Watched, sign: str
) -> None:
    cell = CellOnPage(numpy_page, "words")
    with numpy_page.expect_request(lambda request: PYTHON[0] in request.url):
        if sign == "rest":
            cell.output.hover()
        elif sign == "focus":
            cell.button("Copy").focus()
        else:
            cell.output.click()
    cell.expect_state("idle")


def test_a_pointer_that_only_passes_is_no_intent(numpy_page: Page, watched: Watched) -> None:
    """Enter and leave come in one task, so that no clock can make a rest of it."""
    CellOnPage(numpy_page, "words").element.evaluate(
        """cell => {
            const at = (type) => cell.dispatchEvent(new PointerEvent(type, {pointerType: "mouse"}));
            at("pointerenter");
            at("pointerleave");
            return new Promise((resolve) => setTimeout(resolve, 300));
        }"""
    )
    assert python_requests(watched) == []


def test_progress_is_shown_in_bytes(numpy_page: Page) -> None:
    numpy_page.evaluate(
        """() => {
            window.seen = new Set();
            const cell = document.querySelector("py-cell[name=words]");
            new MutationObserver(() => {
                const bar = cell.querySelector("progress");
                if (!bar.hidden) window.seen.add(cell.querySelector(".bytes").textContent);
            }).observe(cell, {subtree: true, childList: true, attributes: true});
        }"""
    )
    cell = CellOnPage(numpy_page, "words")
    cell.run_to_end()
    seen = numpy_page.evaluate("[...window.seen]")
    total = numpy_page.evaluate("document.querySelector('py-cell[name=words] progress').max") / 1e6
    assert any(text.endswith(f"of {total:.1f} MB") for text in seen)
    expect(cell.element.locator("progress")).to_be_hidden()


FILES = ["pyodide.asm.wasm", "pyodide.asm.mjs", "python_stdlib.zip", "numpy-*.whl"]


@pytest.mark.parametrize("file", FILES)
@pytest.mark.parametrize("damage", SAID)
def test_a_damaged_file_is_named_and_retry_works_once_it_is_whole(
    page: Page, server: StaticServer, watched: Watched, file: str, damage: str
) -> None:
    watched.expected = BROKEN
    if file == "python_stdlib.zip":  # Python without its library may leave its last words
        watched.expected = [""]
    path = server.hosted(file)
    server.replaced[path.name] = damaged(path, damage)
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "result")
    printed = cell.output.text_content()
    cell.run()
    cell.expect_state("idle")
    expect(cell.status).to_contain_text("Python could not start")
    expect(cell.status).to_contain_text(f"{path.name} {SAID[damage]}")
    assert cell.output.text_content() == printed
    server.replaced.clear()
    cell.button("Retry").click()
    cell.expect_state("done")
    cell.expect_matches("yes")


def test_a_missing_worker_is_told(page: Page, server: StaticServer, watched: Watched) -> None:
    watched.expected = BROKEN
    assert server.root
    (worker,) = server.root.glob("assets/live/worker-*.js")
    server.replaced[worker.name] = None
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "words")
    cell.run()
    expect(cell.status).to_contain_text("its worker could not be loaded")
    server.replaced.clear()
    cell.button("Retry").click()
    cell.expect_state("done")


def test_a_host_that_mistakes_the_type_of_wasm_does_no_harm(
    page: Page, server: StaticServer
) -> None:
    server.types[".wasm"] = "text/plain"
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")


def test_runs_on_plain_http_where_browsers_do_not_hash(
    page: Page, server_below: StaticServer
) -> None:
    page.goto(server_below.address.replace("127.0.0.1", "home.test") + "numpy/")
    assert page.evaluate("isSecureContext") is False
    cell = CellOnPage(page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")
    cell.button("Copy").click()
    expect(cell.status).to_contain_text("Copied")
