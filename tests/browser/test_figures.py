"""Figures in a real browser: every number drawn is the one that NumPy computes."""

import json
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Page, expect

from site_src.figures.calculation.trace import examples
from site_src.figures.live import traces
from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.browser.test_page_controls import go
from tests.conftest import Watched
from tests.server import StaticServer

STEPS = ["words", "projections", "scores", "scaled", "exponentials", "weights", "output"]


@pytest.fixture
def figure(page: Page, server: StaticServer) -> FigureOnPage:
    """The figure on its page, upgraded."""
    page.goto(f"{server.address}by-hand/")
    figure = FigureOnPage(page)
    figure.ready()
    return figure


def example(name: str = "three words", **changes: Any) -> Any:
    """The inputs of an example, changed."""
    return examples()[name] | changes


def test_draws_what_numpy_computed_and_needs_no_python_for_it(
    figure: FigureOnPage, watched: Watched
) -> None:
    figure.expect_numbers(example())
    for step in STEPS:
        figure.go_to(step)
    assert not any("/python-" in url for url in watched.requests)


def test_every_input_can_be_changed_and_everything_after_it_follows(figure: FigureOnPage) -> None:
    figure.number("X, love, x2").fill("-1.5")
    changed = np.array(example()["X"])
    changed[1, 1] = -1.5
    figure.expect_numbers(example(X=changed.tolist()))
    expect(figure.origin).to_have_text("Numbers: edited here.")
    figure.go_to("projections")
    figure.number("W_v, x1, v2").fill("3")
    w_v = np.array(example()["W_v"])
    w_v[0, 1] = 3
    figure.expect_numbers(example(X=changed.tolist(), W_v=w_v.tolist()))
    figure.button("Back to this page’s numbers").click()
    figure.expect_numbers(example())
    expect(figure.origin).to_have_text("Numbers: this page.")


def test_quick_edits_build_on_each_other(figure: FigureOnPage) -> None:
    """Both are made in one task, before the first can have been answered."""
    figure.current.evaluate(
        """step => {
            for (const [name, value] of [["X, I, x1", "5"], ["X, AI, x4", "-3"]]) {
                const field = step.querySelector(`[aria-label="${name}"]`);
                field.value = value;
                field.dispatchEvent(new Event("input"));
            }
        }"""
    )
    x = np.array(example()["X"])
    x[0, 0], x[2, 3] = 5, -3
    expect(figure.number("X, I, x1")).to_have_value("5", timeout=60_000)
    figure.expect_numbers(example(X=x.tolist()))


def test_arrow_keys_and_dragging_change_a_number(figure: FigureOnPage, page: Page) -> None:
    figure.number("X, I, x1").focus()
    page.keyboard.press("ArrowUp")
    figure.ready()
    expect(figure.number("X, I, x1")).to_have_value("2")
    expect(figure.number("X, I, x1")).to_be_focused()
    box = figure.number("X, I, x1").bounding_box()
    assert box
    page.mouse.move(box["x"] + 5, box["y"] + 5)
    page.mouse.down()
    for step in range(1, 5):
        page.mouse.move(box["x"] + 5, box["y"] + 5 - 13 * step)
        figure.ready()
    page.mouse.up()
    expect(figure.number("X, I, x1")).to_have_value("6")
    figure.expect_numbers(example(X=[[6.0, 0, 1, 0], *example()["X"][1:]]))


def test_decimals_are_typed_key_by_key(figure: FigureOnPage) -> None:
    field = figure.number("X, I, x1")
    field.fill("")
    for key in "-2.25":
        field.press(key)
        figure.ready()
    expect(field).to_have_value("-2.25")
    field.blur()
    figure.expect_numbers(example(X=[[-2.25, 0, 1, 0], *example()["X"][1:]]))


def test_pointing_at_a_number_opens_it(figure: FigureOnPage) -> None:
    figure.go_to("scores")
    figure.number("scores, query: AI, key: love").hover()
    expect(figure.how).to_have_text("scores (query: AI, key: love): 2·3 + 2·0 = 6")


def test_each_step_is_announced(figure: FigureOnPage) -> None:
    figure.button("Next").click()
    expect(figure.how).to_contain_text("Step 2 of 7: Turn each row into a query")
    figure.button("Next").click()
    expect(figure.how).to_contain_text("Step 3 of 7")


def test_a_number_opens_the_sum_that_made_it(figure: FigureOnPage) -> None:
    figure.go_to("scores")
    figure.number("scores, query: I, key: love").click()
    expect(figure.how).to_have_text("scores (query: I, key: love): 2·3 + 0·0 = 6")
    lit = figure.current.locator("td.from")
    expect(lit).to_have_text(["2", "0", "3", "0"])


def test_the_keyboard_walks_through_numbers_and_steps(figure: FigureOnPage, page: Page) -> None:
    figure.button("Next").focus()
    for _ in range(2):
        page.keyboard.press("Enter")
    expect(figure.button("Next")).to_be_focused()
    figure.number("scores, query: I, key: I").focus()
    page.keyboard.press("ArrowRight")
    page.keyboard.press("ArrowDown")
    expect(figure.number("scores, query: love, key: love")).to_be_focused()
    expect(figure.how).to_contain_text("0·3 + 3·0 = 0")


def test_touch_opens_a_number(server: StaticServer, page: Page) -> None:
    browser = page.context.browser
    assert browser
    phone = browser.new_context(has_touch=True, viewport={"width": 360, "height": 740})
    touched = phone.new_page()
    touched.goto(f"{server.address}by-hand/")
    figure = FigureOnPage(touched)
    figure.ready()
    figure.go_to("output")
    figure.number("output, I, o1").tap()
    expect(figure.how).to_contain_text("output (I, o1)")
    assert touched.evaluate("document.documentElement.scrollWidth") <= 360
    phone.close()


def test_words_can_be_added_renamed_and_removed(figure: FigureOnPage) -> None:
    figure.button("Add a word").click()
    x = [*example()["X"], [1.0] * 4]
    figure.expect_numbers(example(words=["I", "love", "AI", "word 4"], X=x))
    name = figure.element.get_by_role("textbox", name="Word 4", exact=True)
    name.fill("too")
    name.press("Enter")
    figure.expect_numbers(example(words=["I", "love", "AI", "too"], X=x))
    figure.button("Remove love").click()
    figure.expect_numbers(example(words=["I", "AI", "too"], X=[x[0], x[2], x[3]]))
    for _ in range(5):
        figure.button("Add a word").click()
        figure.ready()
    expect(figure.button("Add a word")).to_have_attribute("aria-disabled", "true")


def test_a_mistake_marks_what_it_changes_at_once(figure: FigureOnPage, watched: Watched) -> None:
    choice = figure.element.get_by_role("combobox", name="Mistake")
    choice.select_option("transposed")
    figure.expect_numbers(example(mistake="transposed"))
    figure.go_to("output")
    expect(figure.matrix("output").locator("td.changed")).to_have_count(6)
    choice.select_option("swapped")
    expect(figure.message).to_contain_text("changes not a single number")
    expect(figure.element.locator("td.changed")).to_have_count(0)
    figure.element.get_by_role("combobox", name="Example").select_option("four words")
    figure.expect_numbers(example("four words", mistake="swapped"))
    expect(figure.matrix("output").locator("td.changed")).to_have_count(7)
    assert not any("/python-" in url for url in watched.requests)


def test_the_figure_is_a_view_of_the_readers_own_variables(
    figure: FigureOnPage, page: Page
) -> None:
    cell = CellOnPage(page, "words")
    cell.edit("[0, 2, 0, 1]", "[0, 5, 0, 1]")
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “words”.")
    x = [[1.0, 0, 1, 0], [0, 5.0, 0, 1], [1.0] * 4]
    figure.expect_numbers(example(X=x))
    figure.number("X, I, x1").fill("4")  # the last acted upon wins
    figure.expect_numbers(example(X=[[4.0, 0, 1, 0], *x[1:]]))
    assert "[0, 5, 0, 1]" in str(cell.element.evaluate("cell => cell.code"))
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “words”.")
    figure.expect_numbers(example(X=x))


def test_a_cell_that_only_builds_on_the_variables_makes_the_figure_follow_too(
    figure: FigureOnPage, page: Page
) -> None:
    CellOnPage(page, "words").edit("[0, 2, 0, 1]", "[0, 6, 0, 1]")
    CellOnPage(page, "by-hand").run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “words”.")
    figure.expect_numbers(example(X=[[1.0, 0, 1, 0], [0, 6.0, 0, 1], [1.0] * 4]))


def test_a_figure_lives_on_after_leaving_and_coming_back(figure: FigureOnPage, page: Page) -> None:
    for _ in range(2):
        go(page, "Start here", "Understand attention")
        go(page, "Calculate it by hand", "Calculate attention")
        figure.ready()
    figure.go_to("scores")
    figure.number("scores, query: AI, key: AI").click()
    expect(figure.how).to_contain_text("2·2 + 2·2 = 8")
    go(page, "Start here", "Understand attention")
    go(page, "Calculate it by hand", "Calculate attention")
    expect(figure.how).to_contain_text("2·2 + 2·2 = 8")  # as it was left
    CellOnPage(page, "words").edit("[0, 2, 0, 1]", "[0, 3, 0, 1]")
    CellOnPage(page, "words").run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “words”.")


def test_a_figure_shows_what_ran_while_its_reader_was_away(
    figure: FigureOnPage, page: Page
) -> None:
    words = CellOnPage(page, "words")
    words.edit("[0, 2, 0, 1]", "[0, 3, 0, 1]")
    words.run()
    words.expect_state("loading", "queued")
    go(page, "Start here", "Understand attention")
    CellOnPage(page, "at-work").run_to_end()  # in its turn, behind the other
    go(page, "Calculate it by hand", "Calculate attention")
    expect(figure.origin).to_have_text("Numbers: your cell “words”.")
    figure.expect_numbers(example(X=[*example()["X"][:1], [0, 3.0, 0, 1], *example()["X"][2:]]))
    figure.button("Back to this page’s numbers").click()
    go(page, "Start here", "Understand attention")
    go(page, "Calculate it by hand", "Calculate attention")
    figure.ready()
    expect(figure.origin).to_have_text("Numbers: this page.")  # seen once, not again


def test_a_view_that_cannot_be_loaded_leaves_the_tables(
    page: Page, server: StaticServer, watched: Watched
) -> None:
    watched.expected = ["Failed to load resource"]
    page.route("**/view-*.js", lambda route: route.abort())
    page.goto(f"{server.address}by-hand/")
    figure = FigureOnPage(page)
    expect(figure.message).to_contain_text("could not be loaded")
    expect(figure.element.locator("table[data-name=X]").first).to_be_visible()


def test_variables_that_cannot_be_drawn_get_a_sentence(figure: FigureOnPage, page: Page) -> None:
    cell = CellOnPage(page, "words")
    cell.write("import numpy as np\nX = np.ones((2, 3))")
    cell.run_to_end()
    expect(figure.message).to_have_text("Your cells define no words, which this figure needs.")
    figure.expect_numbers(example())


def test_text_that_is_no_number_gets_a_sentence_and_loses_nothing(figure: FigureOnPage) -> None:
    field = figure.number("X, I, x1")
    field.fill("two")
    expect(field).to_have_attribute("aria-invalid", "true")
    field.blur()
    expect(figure.message).to_contain_text("“two” is no number")
    figure.expect_numbers(example())
    field.fill("two")
    field.press("ArrowUp")
    figure.ready()
    expect(field).to_have_value("2")


def test_a_link_opens_the_same_step_number_and_mistake(figure: FigureOnPage, page: Page) -> None:
    figure.element.get_by_role("combobox", name="Mistake").select_option("d_k")
    figure.go_to("weights")
    figure.number("weights, query: AI, key: love").click()
    opened = figure.how.text_content()
    figure.button("Copy link").click()
    expect(figure.message).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    figure.ready()
    expect(figure.current).to_have_attribute("data-step", "weights")
    expect(figure.how).to_have_text(str(opened))
    figure.expect_numbers(example(mistake="d_k"))


def test_a_link_with_numbers_of_its_own_computes_them_when_asked(
    figure: FigureOnPage, page: Page, watched: Watched
) -> None:
    figure.number("X, I, x1").fill("6")
    figure.ready()
    figure.button("Copy link").click()
    expect(figure.message).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    watched.requests.clear()
    page.goto(link, wait_until="networkidle")
    figure.ready()
    assert not any("/python-" in url for url in watched.requests)
    figure.button("Compute them").click()
    expect(figure.number("X, I, x1")).to_have_value("6", timeout=60_000)
    figure.expect_numbers(example(X=[[6.0, 0, 1, 0], *example()["X"][1:]]))


def test_a_link_to_the_page_that_is_open_is_followed(figure: FigureOnPage, page: Page) -> None:
    figure.number("X, I, x1").fill("6")
    figure.ready()
    figure.button("Copy link").click()
    expect(figure.message).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    figure.button("Back to this page’s numbers").click()
    page.goto(link)  # only the fragment is another
    figure.button("Compute them").click()
    expect(figure.number("X, I, x1")).to_have_value("6")


@pytest.mark.parametrize("fragment", ["%7B", "null", "7", '{"inputs":{},"place":{"step":"x"}}'])
def test_a_damaged_link_does_no_harm(page: Page, server: StaticServer, fragment: str) -> None:
    page.goto(f"{server.address}by-hand/#figure-calculation={fragment}")
    figure = FigureOnPage(page)
    figure.ready()
    figure.expect_numbers(example())


def test_without_javascript_and_on_paper_all_steps_are_there(
    figure: FigureOnPage, page: Page, server: StaticServer
) -> None:
    page.emulate_media(media="print")
    for step in STEPS:
        expect(figure.element.locator(f"[data-step={step}]")).to_be_visible()
    browser = page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}by-hand/")
    for step in STEPS:
        expect(still.locator(f"live-figure [data-step={step}]")).to_be_visible()
    expect(still.locator("live-figure table[data-name=weights]").last).to_contain_text("0.80")
    still.context.close()


def test_the_script_builds_the_tables_that_the_page_had(figure: FigureOnPage, page: Page) -> None:
    """Static and live form say the same, so that upgrading changes nothing."""
    context = page.context.browser
    assert context
    still = context.new_context(java_script_enabled=False).new_page()
    still.goto(page.url)
    text = "figure => [...figure.querySelectorAll('caption, th')].map((one) => one.textContent)"
    before = still.locator("live-figure").evaluate(text)
    assert figure.element.evaluate(text) == before
    still.context.close()


def test_embedded_values_are_those_of_the_trace(page: Page, server: StaticServer) -> None:
    browser = page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}by-hand/")
    carried = still.locator("live-figure").get_attribute("data-traces")
    assert json.loads(str(carried)) == json.loads(json.dumps(traces("calculation")))
    still.context.close()


@pytest.mark.parametrize(
    ("path", "name", "state"),
    [("formula", "formula", "three words"), ("query-key-value", "projection", "I")],
)
def test_other_figures_draw_their_trace(
    page: Page, server: StaticServer, path: str, name: str, state: str
) -> None:
    page.goto(f"{server.address}{path}/")
    figure = FigureOnPage(page, name)
    figure.ready()
    drawn, expected = figure.drawn(), traces(name)[state]
    shown = {matrix["name"]: matrix["shown"] for matrix in expected["matrices"]}
    assert drawn == {name: shown[name] for name in drawn}
    used = {name for step in expected["steps"] for name in [*step["takes"], *step["makes"]]}
    assert set(drawn) == used


def test_the_formula_lights_up_the_part_of_each_step(page: Page, server: StaticServer) -> None:
    page.goto(f"{server.address}formula/")
    figure = FigureOnPage(page, "formula")
    figure.ready()
    lit = "rgba(0, 0, 0, 0)"
    for part in ("scores", "scaled", "weights", "output"):
        figure.go_to(part)
        for other in ("scores", "scaled", "weights", "output"):
            span = figure.element.locator(f".katex-html .part-{other}").first
            if other == part:
                expect(span).not_to_have_css("background-color", lit)
            else:
                expect(span).to_have_css("background-color", lit)


def test_another_word_can_be_followed_without_python(
    page: Page, server: StaticServer, watched: Watched
) -> None:
    page.goto(f"{server.address}query-key-value/")
    figure = FigureOnPage(page, "projection")
    figure.ready()
    figure.go_to("scores")
    figure.element.get_by_role("combobox", name="Word").select_option("love")
    expect(figure.matrix("scores").locator("td")).to_have_text(["", "6", "0", "6"])
    expect(figure.current).to_have_attribute("data-step", "scores")
    assert not any("/python-" in url for url in watched.requests)


def test_play_turns_the_pages_and_stops_at_the_end(page: Page, server: StaticServer) -> None:
    page.clock.install()
    page.goto(f"{server.address}formula/")
    figure = FigureOnPage(page, "formula")
    figure.ready()
    figure.button("Play").click()
    page.clock.run_for(2600)
    expect(figure.current).to_have_attribute("data-step", "scaled")
    figure.button("Pause").click()
    page.clock.run_for(10_000)
    expect(figure.current).to_have_attribute("data-step", "scaled")
    figure.button("Play").click()
    page.clock.run_for(20_000)
    expect(figure.current).to_have_attribute("data-step", "output")
    expect(figure.button("Play")).to_be_visible()


@pytest.mark.parametrize("width", [320, 640, 1920])
def test_eight_words_fit_a_phone_a_zoomed_page_and_a_projector(
    page: Page, server: StaticServer, width: int
) -> None:
    """640 pixels are what 200 % zoom leaves of 1280. Wide tables scroll inside the figure."""
    page.set_viewport_size({"width": width, "height": 900})
    page.goto(f"{server.address}by-hand/")
    figure = FigureOnPage(page)
    figure.ready()
    for count in range(4, 9):
        figure.button("Add a word").click()
        expect(
            figure.element.get_by_role("textbox", name=f"Word {count}", exact=True)
        ).to_be_visible()
    for step in STEPS:
        figure.go_to(step)
        assert page.evaluate("document.documentElement.scrollWidth") <= width


@pytest.mark.parametrize("path", ["by-hand", "formula", "query-key-value"])
@pytest.mark.parametrize("width", [360, 1280])
def test_a_page_with_a_figure_does_not_jump(
    page: Page, server: StaticServer, path: str, width: int
) -> None:
    """Fonts may nudge a word; our elements find their room kept for them."""
    page.set_viewport_size({"width": width, "height": 900})
    page.add_init_script(
        """window.shifts = [];
        new PerformanceObserver((list) => window.shifts.push(...list.getEntries()))
            .observe({type: "layout-shift", buffered: true});"""
    )
    page.goto(f"{server.address}{path}/", wait_until="networkidle")
    page.locator("live-figure[state=ready]").wait_for()
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    total = page.evaluate("window.shifts.reduce((sum, shift) => sum + shift.value, 0)")
    assert total <= 0.01
