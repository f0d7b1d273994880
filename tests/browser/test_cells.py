"""Cells in a real browser: what a reader does, and what happens then."""

import re
import subprocess
import sys
from pathlib import Path

import numpy
import pytest
from playwright.sync_api import Page, Route, expect

from site_src import ROOT
from site_src.model.fence import LACKING
from snippets.real_model import FOLDER
from tests.browser.cells import CellOnPage, names
from tests.conftest import Watched
from tests.server import StaticServer

PAGES = {
    path.stem: "" if path.stem == "index" else f"{path.stem}/"
    for path in (ROOT / "docs").glob("*.md")
}
TWICE = ("numpy", "index")  # pages whose cells run again, too


@pytest.fixture
def numpy_page(page: Page, server: StaticServer) -> Page:
    """The page with the most cells."""
    page.goto(f"{server.address}numpy/")
    return page


# Running


@pytest.mark.parametrize("name", PAGES)
def test_every_cell_prints_what_the_page_printed(
    page: Page, server: StaticServer, name: str
) -> None:
    """The one assertion that ties CPython, the page and Pyodide together; some run twice."""
    page.goto(server.address + PAGES[name])
    if page.get_by_text(LACKING).count():
        pytest.skip("not run: the cells of the real model, which could not be fetched")
    for cell in [CellOnPage(page, cell) for cell in names(page)]:
        printed = cell.output.text_content()
        for _ in range(2 if name in TWICE else 1):
            cell.run_to_end()
            cell.expect_matches("yes")
            cell.expect_state("done")
            assert cell.output.text_content() == printed


def test_the_last_cell_of_the_example_prints_the_figures_calculated_by_hand(
    numpy_page: Page,
) -> None:
    cell = CellOnPage(numpy_page, "result")
    cell.run_to_end()
    figures = [float(n) for n in re.findall(r"\d+\.\d*", cell.output.text_content() or "")]
    weights = [0.01, 0.80, 0.19, 0.50, 0.01, 0.50, 0.05, 0.19, 0.77]
    assert figures == [*weights, 0.41, 1.99, 1.99, 1.50, 1.63, 1.95]


def test_a_cell_run_out_of_order_first_runs_what_it_builds_on(numpy_page: Page) -> None:
    last = CellOnPage(numpy_page, "mask")
    last.run_to_end()
    last.expect_matches("yes")
    for earlier in ("words", "projections", "softmax", "attention", "result"):
        CellOnPage(numpy_page, earlier).expect_state("done")
    CellOnPage(numpy_page, "batch").expect_state("idle")


def test_what_a_cell_builds_on_is_not_run_again_without_need(numpy_page: Page) -> None:
    words, projections = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "projections")
    words.run_to_end()
    words.output.evaluate("output => { output.replaceChildren('untouched') }")
    projections.run_to_end()
    expect(words.output).to_have_text("untouched")


def test_says_how_long_it_took_and_when_nothing_was_printed(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "attention")
    cell.run_to_end()
    expect(cell.status).to_have_text(re.compile(r"^Done \([\d.]+ ms\)\. .*same as printed"))
    cell.write("x = 1")
    cell.run_to_end()
    expect(cell.status).to_contain_text("It printed nothing.")


def test_focus_stays_on_run_and_a_second_press_does_nothing_while_busy(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "words")
    cell.button("Run").dblclick()
    expect(cell.button("Run")).to_be_focused()
    cell.expect_state("done")
    expect(cell.button("Run")).to_be_focused()
    expect(cell.button("Stop")).to_have_attribute("aria-disabled", "true")


# Editing


def test_an_edited_cell_runs_as_edited_and_is_not_held_against_the_printed_output(
    numpy_page: Page,
) -> None:
    cell = CellOnPage(numpy_page, "your-turn")
    cell.run_to_end()
    cell.expect_matches("yes")
    cell.edit("sharpness = 1.0", "sharpness = 0.0")
    cell.expect_matches(None)
    expect(cell.status).to_have_text("Edited, not run yet.")
    cell.run_to_end()
    cell.expect_matches(None)
    expect(cell.output).to_have_text(
        "[[0.333 0.333 0.333]\n [0.333 0.333 0.333]\n [0.333 0.333 0.333]]\n"
    )


def test_an_edit_upstream_reaches_the_cells_that_build_on_it(numpy_page: Page) -> None:
    words, result = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "result")
    result.run_to_end()
    before = result.output.text_content()
    words.edit("[0, 2, 0, 1]", "[0, 5, 0, 1]")
    result.run_to_end()
    assert result.output.text_content() != before
    result.expect_matches(None)
    expect(result.status).to_contain_text("your edit of “words”")
    words.button("Reset").click()
    result.run_to_end()
    result.expect_matches("yes")


def test_reset_restores_code_and_output_and_can_be_undone(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "your-turn")
    printed = cell.output.text_content()
    cell.edit("sharpness = 1.0", "sharpness = 9.0")
    cell.run_to_end()
    cell.button("Reset").click()
    expect(cell.code).to_contain_text("sharpness = 1.0")
    assert cell.output.text_content() == printed
    cell.expect_state("idle")
    cell.button("Undo").click()
    expect(cell.code).to_contain_text("sharpness = 9.0")


def test_what_is_typed_while_cells_load_does_not_change_what_runs(numpy_page: Page) -> None:
    """Nor does it make a result pass for that of the new text."""
    words, result = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "result")
    printed = result.output.text_content()
    result.run()
    words.edit("[0, 2, 0, 1]", "[0, 5, 0, 1]")
    result.expect_state("done")
    assert result.output.text_content() == printed
    result.run_to_end()
    assert result.output.text_content() != printed
    expect(result.status).to_contain_text("your edit of “words”")


def test_a_cell_that_was_edited_while_it_ran_says_so(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "softmax")
    cell.run()
    cell.write("print('new')")
    cell.expect_state("done")
    expect(cell.status).to_contain_text("You have edited it since.")
    cell.expect_matches(None)


def test_a_variable_that_another_cell_changed_is_explained_and_mended(numpy_page: Page) -> None:
    turn, result = CellOnPage(numpy_page, "your-turn"), CellOnPage(numpy_page, "result")
    turn.write("Q = 10 * Q")
    turn.run_to_end()
    result.run_to_end()
    result.expect_matches("no")
    expect(result.status).to_contain_text("another cell may have changed its variables")
    result.button("Run afresh").click()
    result.expect_matches("yes")
    expect(result.button("Run")).to_be_focused()


# Errors


def test_an_error_shows_the_readers_own_frames_and_line(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "result")
    cell.write("def broken():\n    return Q @ X\n\nbroken()")
    cell.run_to_end()
    cell.expect_state("error")
    traceback = cell.output.text_content() or ""
    assert 'File "cell result", line 4, in <module>\n    broken()' in traceback
    assert 'File "cell result", line 2, in broken\n    return Q @ X' in traceback
    *_, told, advice = traceback.rstrip().splitlines()
    assert told.startswith("ValueError: matmul")
    assert advice == "Shapes in line 2: Q (3, 2), X (3, 4)."
    assert traceback.count("File ") == 2
    expect(cell.status).to_contain_text("Error in line 2")
    cell.button("Reset").click()
    cell.run_to_end()
    cell.expect_matches("yes")


def test_a_syntax_error_shows_its_line(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "words")
    cell.write("x = 1\ny = = 2")
    cell.run_to_end()
    assert 'File "cell words", line 2\n    y = = 2' in (cell.output.text_content() or "")


def test_a_cell_is_held_back_when_what_it_builds_on_fails(numpy_page: Page) -> None:
    words, result = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "projections")
    words.write("1 / 0")
    result.run()
    words.expect_state("error")
    result.expect_state("idle")
    expect(result.status).to_contain_text("Not run, because “words”")


def test_output_is_text_whatever_it_looks_like(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "words")
    cell.write("print('<img src=x onerror=alert(1)>')")
    cell.run_to_end()
    expect(cell.output).to_have_text("<img src=x onerror=alert(1)>\n")
    assert cell.output.locator("img").count() == 0


def test_a_line_that_is_not_ended_belongs_to_its_own_run(numpy_page: Page) -> None:
    words, softmax = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "softmax")
    words.write("print('a', end='')")
    words.run_to_end()
    softmax.run_to_end()
    assert words.output.text_content() == "a"
    softmax.expect_matches("yes")


# Copy


@pytest.fixture(scope="session")
def bare_python(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """A Python that can import its standard library and NumPy, and nothing else."""
    folder = tmp_path_factory.mktemp("bare")
    installed = Path(numpy.__file__).parent
    (folder / "numpy").symlink_to(installed)
    if (libraries := installed.with_name("numpy.libs")).exists():
        (folder / "numpy.libs").symlink_to(libraries)
    start = f"import sys; sys.path.append({str(folder)!r}); exec(sys.stdin.read())"
    return [sys.executable, "-I", "-S", "-c", start]


@pytest.mark.parametrize("name", PAGES)
def test_every_copied_text_runs_alone_with_only_numpy(
    page: Page, server: StaticServer, bare_python: list[str], name: str, tmp_path: Path
) -> None:
    page.route("**/worker-*.js", lambda _: None)  # never answered: Python is not needed here
    page.goto(server.address + PAGES[name])
    (tmp_path / FOLDER).parent.mkdir()
    (tmp_path / FOLDER).symlink_to(ROOT / FOLDER)  # the real model, as its page says
    for cell in [CellOnPage(page, cell) for cell in names(page)]:
        cell.button("Copy").click()
        expect(cell.status).to_contain_text("Copied")
        copied = page.evaluate("navigator.clipboard.readText()")
        done = subprocess.run(
            bare_python, input=copied, capture_output=True, text=True, check=False, cwd=tmp_path
        )
        assert done.stderr == ""
        assert done.stdout.endswith(cell.output.text_content() or "")
        assert "from snippets" not in copied


def test_copy_takes_the_readers_edits_along(numpy_page: Page) -> None:
    CellOnPage(numpy_page, "words").edit("[0, 2, 0, 1]", "[0, 7, 0, 1]")
    cell = CellOnPage(numpy_page, "result")
    cell.button("Copy").click()
    expect(cell.status).to_contain_text("Copied")
    assert "[0, 7, 0, 1]" in numpy_page.evaluate("navigator.clipboard.readText()")


def test_copy_says_when_an_edit_needs_more_than_numpy(page: Page, server: StaticServer) -> None:
    page.goto(server.address)
    cell = CellOnPage(page, "at-work")
    cell.edit("import K, Q, V, words", "import K, Q, V, X, words")
    cell.button("Copy").click()
    expect(cell.status).to_contain_text("needs their files")


# Leaving and coming back


def test_instant_navigation_keeps_edits_variables_and_the_one_worker(numpy_page: Page) -> None:
    words, projections = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "projections")
    words.edit("[0, 2, 0, 1]", "[0, 4, 0, 1]")
    words.run_to_end()
    numpy_page.evaluate("window.sameDocument = true")
    for _ in range(3):
        numpy_page.get_by_role("link", name="Start here").first.click()
        expect(numpy_page.get_by_role("heading", level=1)).to_contain_text("Understand attention")
        at_work = CellOnPage(numpy_page, "at-work")
        at_work.run_to_end()
        at_work.expect_matches("yes")
        numpy_page.get_by_role("link", name="Self-attention in NumPy").first.click()
        expect(numpy_page.get_by_role("heading", level=1)).to_contain_text("Write self-attention")
        expect(words.code).to_contain_text("[0, 4, 0, 1]")
        expect(words.button("Run")).to_have_count(1)
    words.output.evaluate("output => { output.replaceChildren('untouched') }")
    projections.run_to_end()
    expect(words.output).to_have_text("untouched")  # its variables were still there
    expect(projections.output).to_contain_text("[0. 5.]")
    assert numpy_page.evaluate("window.sameDocument") is True
    assert len([worker for worker in numpy_page.workers if "live/worker" in worker.url]) == 1


def test_a_run_goes_on_while_the_reader_is_elsewhere(numpy_page: Page) -> None:
    words, softmax = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "softmax")
    softmax.write("print('it ran')")
    softmax.run_to_end()
    words.write("print('begun')\nwhile True: pass")
    words.run()
    expect(words.output).to_have_text("begun\n")
    numpy_page.get_by_role("link", name="Start here").first.click()
    expect(numpy_page.get_by_role("heading", level=1)).to_contain_text("Understand attention")
    numpy_page.get_by_role("link", name="Self-attention in NumPy").first.click()
    words.expect_state("running")
    expect(words.output).to_have_text("begun\n")
    expect(softmax.output).to_have_text("it ran\n")
    words.button("Stop").click()
    words.expect_state("idle")


def test_full_page_loads_below_a_path_keep_edits(page: Page, server_below: StaticServer) -> None:
    page.goto(f"{server_below.address}numpy/")
    words = CellOnPage(page, "words")
    words.edit("[0, 2, 0, 1]", "[0, 4, 0, 1]")
    page.evaluate("window.sameDocument = true")
    page.get_by_role("link", name="Start here").first.click()
    at_work = CellOnPage(page, "at-work")
    at_work.run_to_end()
    at_work.expect_matches("yes")
    assert page.evaluate("window.sameDocument") is None
    page.get_by_role("link", name="Self-attention in NumPy").first.click()
    expect(words.code).to_contain_text("[0, 4, 0, 1]")
    words.run_to_end()
    words.expect_matches(None)
    words.button("Reset").click()
    words.run_to_end()
    words.expect_matches("yes")


# Keyboard and screen reader


def test_the_keyboard_alone_edits_runs_and_leaves(numpy_page: Page) -> None:
    words, projections = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "projections")
    words.code.focus()
    editor = words.element.locator(".cm-content")
    expect(editor).to_be_focused()
    expect(words.element.locator(".hint")).to_be_in_viewport()
    numpy_page.keyboard.press("Control+End")
    numpy_page.keyboard.type("\nprint('typed')")
    numpy_page.keyboard.press("Control+Enter")
    words.expect_state("done")
    expect(words.output).to_contain_text("typed")
    expect(editor).to_be_focused()
    numpy_page.keyboard.press("Escape")
    numpy_page.keyboard.press("Tab")
    expect(words.button("Run")).to_be_focused()
    words.code.focus()
    numpy_page.keyboard.press("Shift+Enter")
    expect(projections.element.locator(".cm-content")).to_be_focused()


def test_focus_stays_with_a_reader_who_moves_on_while_the_editor_loads(numpy_page: Page) -> None:
    words = CellOnPage(numpy_page, "words")
    waiting: list[Route] = []
    numpy_page.route("**/editor-*.js", lambda route: waiting.append(route))
    with numpy_page.expect_request("**/editor-*.js"):
        words.code.focus()
    words.button("Run").focus()
    waiting[0].continue_()
    expect(words.element.locator(".cm-content")).to_be_visible()
    expect(words.button("Run")).to_be_focused()


def test_an_editor_that_could_not_be_loaded_is_tried_again(
    numpy_page: Page, watched: Watched
) -> None:
    watched.expected = ["Failed to load resource", "dynamically imported module"]
    words = CellOnPage(numpy_page, "words")
    numpy_page.route("**/editor-*.js", lambda route: route.abort(), times=1)
    words.code.click()
    expect(words.status).to_contain_text("The editor could not be loaded")
    words.button("Copy").focus()
    words.write("print('second try')")


def test_focus_survives_undo(numpy_page: Page) -> None:
    words = CellOnPage(numpy_page, "words")
    words.edit("[0, 2, 0, 1]", "[0, 4, 0, 1]")
    words.button("Reset").click()
    words.button("Undo").click()
    expect(words.button("Run")).to_be_focused()


def test_only_the_cell_that_was_asked_speaks(numpy_page: Page) -> None:
    words, result = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "result")
    result.run_to_end()
    expect(result.status).to_have_attribute("aria-live", "polite")
    expect(words.status).to_have_attribute("aria-live", "off")
    expect(result.output).to_have_attribute("aria-live", "off")


def test_every_control_has_a_name_of_its_own(numpy_page: Page) -> None:
    labels = numpy_page.locator("py-cell [aria-label]").evaluate_all(
        "all => all.map(one => one.getAttribute('aria-label'))"
    )
    assert len(labels) == len(set(labels))
    assert len([label for label in labels if label.startswith("Run ")]) == len(names(numpy_page))


def test_the_editor_spares_phones_capitals_and_corrections(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "words")
    cell.code.click()
    editor = cell.element.locator(".cm-content")
    for attribute, value in {
        "autocapitalize": "off",
        "autocorrect": "off",
        "spellcheck": "false",
    }.items():
        expect(editor).to_have_attribute(attribute, value)


# On paper, on small screens


def test_paper_has_code_and_output_and_no_controls(numpy_page: Page) -> None:
    numpy_page.emulate_media(media="print")
    cell = CellOnPage(numpy_page, "result")
    expect(cell.element.locator("code")).to_be_visible()
    expect(cell.output).to_be_visible()
    expect(cell.element.locator(".toolbar")).to_be_hidden()


@pytest.mark.parametrize("path", PAGES.values())
def test_nothing_is_wider_than_a_phone(page: Page, server: StaticServer, path: str) -> None:
    page.goto(server.address + path)
    for width in (1024, 760, 320):
        page.set_viewport_size({"width": width, "height": 640})
        assert page.evaluate("document.documentElement.scrollWidth") <= width


def test_an_open_editor_is_no_wider_than_a_phone(numpy_page: Page) -> None:
    numpy_page.set_viewport_size({"width": 320, "height": 640})
    cell = CellOnPage(numpy_page, "attention")
    cell.write(f"words = '{'long ' * 40}'\nprint(words)")
    cell.run_to_end()
    assert numpy_page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_palette_can_change_in_mid_edit(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "words")
    cell.write("x = 1  # mine")
    paper = "getComputedStyle(document.body).backgroundColor"
    before = numpy_page.evaluate(paper)
    numpy_page.get_by_title("Switch to dark").click()
    numpy_page.wait_for_function(f"{paper} !== '{before}'")
    expect(cell.code).to_contain_text("x = 1  # mine")


def test_no_request_leaves_the_site(numpy_page: Page, watched: Watched) -> None:
    CellOnPage(numpy_page, "result").run_to_end()
    assert watched.requests
    assert watched.foreign() == []
