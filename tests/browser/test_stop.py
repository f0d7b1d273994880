"""Stop: what it ends, what it keeps, and what it says, on hosts of both kinds."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage, expect_ready
from tests.server import ISOLATION, StaticServer

KEPT = "Stopped. Its variables are as they were at that moment."
GONE = "Stopped. Python was restarted, so its variables are gone"
LOST = "Ran before Python was restarted; its variables are gone. Run brings them back."


@pytest.fixture
def plain_page(page: Page, server: StaticServer) -> Page:
    """The page with the most cells, on a host that sends no headers of its own."""
    page.goto(f"{server.address}numpy/")
    assert page.evaluate("crossOriginIsolated") is False
    return page


@pytest.fixture
def isolated_page(page: Page, server: StaticServer) -> Page:
    """The same page on a host that isolates it."""
    server.headers.update(ISOLATION)
    page.goto(f"{server.address}numpy/")
    assert page.evaluate("crossOriginIsolated") is True
    return page


def start(cell: CellOnPage, code: str) -> None:
    """Write a code that has no end, and run it until it is under way."""
    cell.write(f"print('begun')\n{code}")
    cell.run()
    expect(cell.output).to_have_text("begun\n")
    cell.expect_state("running")


def workers(page: Page) -> int:
    """How many Pythons the page keeps."""
    return len([worker for worker in page.workers if "live/worker" in worker.url])


def test_on_an_isolated_host_stop_interrupts_and_variables_stay(isolated_page: Page) -> None:
    """(rows 8, 9, 11)"""
    words, turn = CellOnPage(isolated_page, "words"), CellOnPage(isolated_page, "softmax")
    start(words, "count = 0\nwhile True: count += 1")
    words.button("Stop").click()
    words.expect_state("idle")
    expect(words.status).to_have_text(KEPT)
    expect(words.button("Stop")).to_be_focused()
    turn.write("print(count > 0)")
    turn.run_to_end()
    expect(turn.output).to_have_text("True\n")
    start(words, "import time\ntime.sleep(600)")
    words.button("Stop").click()
    expect(words.status).to_have_text(KEPT)
    words.write("raise KeyboardInterrupt")
    words.run_to_end()
    words.expect_state("error")
    expect(words.output).to_contain_text("KeyboardInterrupt")
    turn.run_to_end()
    expect(turn.output).to_have_text("True\n")
    assert workers(isolated_page) == 1


CATCHING = "while True:\n    try:\n        while True: pass\n    except KeyboardInterrupt: pass"


PRODUCT = "import numpy as np\nA = np.ones((3000, 3000))\nA @ A"


@pytest.mark.parametrize("code", [CATCHING, "sum(range(10**12))", PRODUCT])
def test_what_does_not_answer_an_interrupt_is_ended(isolated_page: Page, code: str) -> None:
    words, softmax = CellOnPage(isolated_page, "words"), CellOnPage(isolated_page, "softmax")
    start(words, code)
    words.button("Stop").click()
    expect(words.status).to_have_text("Stopping …")
    words.expect_state("idle")
    expect(words.status).to_contain_text("It did not answer, so Python was restarted")
    softmax.run_to_end()
    softmax.expect_matches("yes")


def test_a_stop_at_whatever_moment_never_hits_the_next_run(isolated_page: Page) -> None:
    """The last delays are those of a busy page: the run is over before the page hears of it."""
    words, softmax = CellOnPage(isolated_page, "words"), CellOnPage(isolated_page, "softmax")
    words.run_to_end()
    ends = isolated_page.evaluate(
        """async () => {
            const cell = (name) => document.querySelector(`py-cell[name=${name}]`);
            const press = (name, button) => cell(name).querySelector(`button.${button}`).click();
            const end = performance.now() + 120_000;
            const ended = (name) => new Promise((resolve, reject) => {
                const busy = () =>
                    ["loading", "queued", "running"].includes(cell(name).getAttribute("state"));
                const look = () => {
                    if (!busy()) resolve();
                    else if (performance.now() > end) reject(new Error(`${name} does not end`));
                    else setTimeout(look);
                };
                look();
            });
            const ends = [];
            for (const delay of [0, 0.5, 1, 1.5, 2, 2.5, 3, 4, 5, 6, 8, 10, 300, 300]) {
                press("words", "run");
                await new Promise((asked) => queueMicrotask(() => queueMicrotask(asked)));
                const until = performance.now() + delay;
                while (performance.now() < until);
                press("words", "stop");
                await ended("words");
                press("softmax", "run");
                await ended("softmax");
                ends.push(cell("softmax").getAttribute("state"));
            }
            return ends;
        }"""
    )
    assert ends == ["done"] * 14
    softmax.expect_matches("yes")


def test_elsewhere_stop_ends_python_and_the_next_run_starts_at_once(plain_page: Page) -> None:
    """(rows 8, 9)"""
    words, result = CellOnPage(plain_page, "words"), CellOnPage(plain_page, "result")
    words.run_to_end()
    assert workers(plain_page) == 1  # none stands by for short runs
    start(words, "import time\ntime.sleep(600)")
    expect_ready(plain_page, 2)
    words.button("Stop").click()
    words.expect_state("idle")
    expect(words.status).to_contain_text(GONE)
    expect_ready(plain_page, 1)
    words.button("Reset").click()
    plain_page.evaluate(
        """() => {
            window.states = [];
            const cell = document.querySelector("py-cell[name=result]");
            const note = () => window.states.push(cell.getAttribute("state"));
            new MutationObserver(note).observe(cell, {attributeFilter: ["state"]});
        }"""
    )
    result.run_to_end()  # with everything that it builds on
    result.expect_matches("yes")
    assert "loading" not in plain_page.evaluate("window.states")


@pytest.mark.parametrize("device", ["deviceMemory: 2", "connection: {saveData: true}"])
def test_a_small_device_keeps_no_second_python(
    page: Page, server: StaticServer, device: str
) -> None:
    name, value = device.split(": ", 1)
    page.add_init_script(f"Object.defineProperty(navigator, '{name}', {{value: {value}}})")
    page.goto(f"{server.address}numpy/")
    words = CellOnPage(page, "words")
    words.write("import time\ntime.sleep(1)")
    words.run_to_end()
    assert workers(page) == 1
    start(words, "while True: pass")
    words.button("Stop").click()
    expect(words.status).to_contain_text(GONE)
    words.button("Reset").click()
    words.run_to_end()
    words.expect_matches("yes")


def test_cells_say_that_their_variables_went_with_python(plain_page: Page) -> None:
    words, result = CellOnPage(plain_page, "words"), CellOnPage(plain_page, "result")
    softmax, turn = CellOnPage(plain_page, "softmax"), CellOnPage(plain_page, "your-turn")
    result.run_to_end()
    start(turn, "while True: pass")
    turn.button("Stop").click()
    for cell in (words, result):
        expect(cell.element).to_have_attribute("lost", "")
        expect(cell.status).to_have_text(LOST)
        cell.expect_state("idle")
    expect(turn.element).not_to_have_attribute("lost", "")
    plain_page.get_by_role("link", name="Start here").first.click()
    expect(plain_page.get_by_role("heading", level=1)).to_contain_text("Understand attention")
    plain_page.get_by_role("link", name="Self-attention in NumPy").first.click()
    expect(result.status).to_have_text(LOST)
    result.run_to_end()
    result.expect_matches("yes")
    for cell in (words, softmax, result):
        cell.expect_state("done")
        expect(cell.element).not_to_have_attribute("lost", "")


def test_stop_takes_one_waiting_cell_out_and_what_builds_on_a_stopped_one(
    plain_page: Page,
) -> None:
    words, projections = CellOnPage(plain_page, "words"), CellOnPage(plain_page, "projections")
    softmax, result = CellOnPage(plain_page, "softmax"), CellOnPage(plain_page, "result")
    start(words, "while True: pass")
    for cell in (projections, softmax, result):
        cell.run()
        cell.expect_state("queued")
    projections.button("Stop").click()
    projections.expect_state("idle")
    expect(projections.status).to_have_text("Stopped before its turn came.")
    words.expect_state("running")
    softmax.expect_state("queued")
    words.button("Stop").click()
    words.expect_state("idle")
    softmax.expect_state("done")
    softmax.expect_matches("yes")
    result.expect_state("idle")


def test_stop_before_python_is_there_lets_it_go_on_loading(plain_page: Page) -> None:
    result = CellOnPage(plain_page, "result")
    result.run()
    result.expect_state("loading")
    result.button("Stop").click()
    result.expect_state("idle")
    expect(result.status).to_contain_text("Stopped before Python was there.")
    result.run_to_end()
    result.expect_matches("yes")
    assert workers(plain_page) == 1
