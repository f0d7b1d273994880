"""The core of the runtime in Firefox and WebKit, where the rest of the tests know Chromium."""

import sys

import pytest
from selenium.webdriver import Keys
from selenium.webdriver.remote.webdriver import WebDriver

from tests.engines import threads
from tests.engines.cells import CONTROL, CellOnPage, wait
from tests.server import StaticServer


@pytest.fixture
def words(page: WebDriver) -> CellOnPage:
    """A cell that builds on no other."""
    return CellOnPage(page, "words")


@pytest.fixture
def softmax(page: WebDriver) -> CellOnPage:
    """A second one."""
    return CellOnPage(page, "softmax")


def test_python_is_fetched_at_the_first_sign_of_intent_and_not_before(
    page: WebDriver, site: StaticServer, words: CellOnPage
) -> None:
    def fetched(part: str) -> bool:
        return any(part in path for path in site.requests)

    page.execute_script("scrollTo(0, document.body.scrollHeight)")
    page.execute_async_script("fetch('?later').finally(arguments[0])")  # what was asked is there
    assert not fetched("/live/worker-")
    words.click(words.by_role("status", "Output of"))
    wait(page, lambda: fetched(".wasm"))
    words.expect_state("idle")


def test_a_run_in_the_image_prints_what_the_page_printed(
    page: WebDriver, words: CellOnPage
) -> None:
    printed = words.output
    words.run_to_end()
    words.expect_state("done")
    way = "return performance.getEntriesByName('python').at(-1).detail"
    assert page.execute_script(way) == "image"
    assert words.element.get_attribute("matches") == "yes"
    assert words.output == printed


def test_an_edit_that_raises_ends_in_an_error(words: CellOnPage) -> None:
    words.write("1 / 0")
    words.run_to_end()
    words.expect_state("error")
    assert words.output.rstrip().splitlines()[-1] == "ZeroDivisionError: division by zero"
    assert "Error in line 1" in words.status


def test_reset_brings_back_code_and_output(words: CellOnPage) -> None:
    code, output = words.code, words.output
    words.write("print('edited')")
    words.run_to_end()
    assert words.output == "edited\n"
    words.press("Reset")
    words.expect_state("idle")
    assert (words.code, words.output) == (code, output)


def test_stop_ends_an_endless_loop_and_the_next_run_works(
    words: CellOnPage, softmax: CellOnPage
) -> None:
    words.write("while True: pass")
    words.press("Run")
    words.expect_state("running")
    words.press("Stop")
    words.expect_state("idle")
    softmax.run_to_end()
    assert softmax.element.get_attribute("matches") == "yes"


@pytest.mark.skipif(sys.platform != "linux", reason="needs Linux's list of threads")
def test_stop_ends_the_thread_too_and_gives_its_core_back(
    page: WebDriver, words: CellOnPage
) -> None:
    others = threads.of_workers()  # of pages that were left too: engines keep them for a while
    words.write("while True: pass")
    words.press("Run")
    words.expect_state("running")
    begun = {id: ticks for id, ticks in threads.of_workers().items() if id not in others}
    python = max(begun, key=begun.__getitem__)  # none has computed more
    words.press("Stop")
    wait(page, lambda: python not in threads.of_workers())


def test_what_breaks_python_is_told_and_the_next_run_works(
    words: CellOnPage, softmax: CellOnPage
) -> None:
    words.write("import os; os._exit(1)")
    words.press("Run")
    words.expect_state("idle")
    assert "Python broke down" in words.status
    softmax.run_to_end()
    assert softmax.element.get_attribute("matches") == "yes"


def test_the_keyboard_alone_reaches_edits_runs_and_leaves(softmax: CellOnPage) -> None:
    softmax.tab_to_code()
    softmax.expect_editor_focused()
    softmax.chord(CONTROL, Keys.END)
    softmax.type(Keys.ENTER + "print('typed')")
    softmax.chord(CONTROL, Keys.ENTER)
    softmax.expect_state("done")
    assert softmax.output.endswith("typed\n")
    softmax.expect_editor_focused()
    softmax.type(Keys.ESCAPE + Keys.TAB)
    assert softmax.focused == softmax.button("Run")
