"""Writing code in a cell: names offered, examples pasted, changes seen and kept."""

from typing import Any

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Locator, Page, Route, expect

from tests.browser.cells import CellOnPage
from tests.conftest import Watched
from tests.server import StaticServer

BEFORE, AFTER = "[0, 2, 0, 1]", "[0, 5, 0, 1]"


@pytest.fixture
def numpy_page(page: Page, server: StaticServer) -> Page:
    """The page with the most cells."""
    page.goto(f"{server.address}numpy/")
    return page


def offered(cell: CellOnPage) -> Locator:
    """The names in the list that the editor has opened."""
    return cell.element.get_by_role("option")


def code(cell: CellOnPage) -> str:
    """The whole text of the cell."""
    return str(cell.element.evaluate("cell => cell.code"))


def clear(cell: CellOnPage) -> None:
    """Delete all of its code; the caret is there."""
    cell.write("#")
    cell.page.keyboard.press("Backspace")


def height(cell: CellOnPage) -> float:
    """In pixels, with all that it shows."""
    return float(cell.element.evaluate("cell => cell.getBoundingClientRect().height"))


def violations(cell: CellOnPage) -> list[str]:
    """What axe finds in the cell."""
    found: list[Any] = Axe().run(cell.page, context=f"#cell-{cell.name}").response["violations"]
    return [f"{one['id']}: {node['html']}" for one in found for node in one["nodes"]]


def paste(page: Page, text: str) -> None:
    """From the clipboard, as a reader does."""
    page.evaluate("text => navigator.clipboard.writeText(text)", text)
    page.keyboard.press("Control+v")


def test_offers_names_of_the_page_of_python_and_of_numpy(
    numpy_page: Page, watched: Watched
) -> None:
    watched.expected.append("executing a cancelled action")  # the theme, when its clock jumps
    words, result = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "result")
    words.write("sentence = 1\n")
    clear(result)
    numpy_page.clock.install()
    for typed, name in {
        "sent": "sentence",  # as just edited
        "softm": "softmax",  # a function of another cell
        "enumer": "enumerate",
        "lamb": "lambda",
        "np.lins": "linspace",
        "np.linalg.nor": "norm",
    }.items():
        numpy_page.keyboard.type(typed)
        expect(offered(result)).to_have_text([name])
        numpy_page.clock.fast_forward(100)  # a key pressed as the list opens is not meant for it
        numpy_page.keyboard.press("Tab" if "." in typed else "Enter")
        expect(offered(result)).to_have_count(0)
        numpy_page.keyboard.press("Space")
    assert code(result) == "sentence softmax enumerate lambda np.linspace np.linalg.norm "
    result.expect_state("idle")


def test_what_is_typed_to_its_end_is_not_turned_into_something_else(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "result")
    clear(cell)
    numpy_page.keyboard.type("prin")
    expect(offered(cell)).to_have_text(["print"])
    numpy_page.keyboard.type("t")
    expect(offered(cell)).to_have_count(0)
    numpy_page.keyboard.type("\n# so")
    assert code(cell) == "print\n# so"


def test_escape_closes_the_list_and_then_lets_tab_leave(numpy_page: Page) -> None:
    """(row 26)"""
    cell = CellOnPage(numpy_page, "result")
    clear(cell)
    numpy_page.keyboard.type("sof")
    expect(offered(cell)).to_have_text(["softmax"])
    numpy_page.keyboard.press("Escape")
    expect(offered(cell)).to_have_count(0)
    numpy_page.keyboard.press("Tab")
    assert code(cell) == "    sof"
    numpy_page.keyboard.press("Control+Space")
    expect(offered(cell)).to_have_text(["softmax"])
    numpy_page.keyboard.press("Escape")
    numpy_page.keyboard.press("Escape")
    numpy_page.keyboard.press("Tab")
    expect(cell.button("Run")).to_be_focused()


def test_brackets_close_and_undo_and_redo_work(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "result")
    clear(cell)
    numpy_page.keyboard.type("f([1], 'a')")
    assert code(cell) == "f([1], 'a')"
    numpy_page.keyboard.type("\nif (1):\nx = [")
    assert code(cell) == "f([1], 'a')\nif (1):\n    x = []"
    whole = code(cell)
    numpy_page.keyboard.press("Control+z")
    assert code(cell) != whole
    numpy_page.keyboard.press("Control+y")
    assert code(cell) == whole


def test_pasted_examples_lose_their_prompts_and_outputs(numpy_page: Page) -> None:
    """(row 28)"""
    cell = CellOnPage(numpy_page, "result")
    clear(cell)
    example = (
        "    >>> def double(x):\n    ...     return 2 * x\n    ...\n    >>> double(2)\n    4\n"
    )
    paste(numpy_page, example)
    assert code(cell) == "def double(x):\n    return 2 * x\n\ndouble(2)"
    clear(cell)
    whole = 'def double(x):\n    """Twice.\n\n    >>> double(2)\n    4\n    """\n    return 2 * x'
    paste(numpy_page, whole)
    assert code(cell) == whole


def test_a_list_of_keys_opens_and_closes(numpy_page: Page) -> None:
    cell = CellOnPage(numpy_page, "words")
    keys = cell.button("Keys")
    opened = cell.element.locator(f"#{keys.get_attribute('aria-controls')}")
    expect(opened).to_be_hidden()
    keys.focus()
    numpy_page.keyboard.press("Enter")
    expect(keys).to_have_attribute("aria-expanded", "true")
    for key in ("Ctrl or ⌘ + Enter", "Shift + Enter", "Esc, then Tab", "Ctrl + Space"):
        expect(opened.get_by_text(key, exact=True)).to_be_visible()
    numpy_page.keyboard.press("Enter")
    expect(opened).to_be_hidden()
    expect(keys).to_be_focused()


def test_the_difference_can_be_seen_and_goes_with_reset(numpy_page: Page) -> None:
    words, softmax = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "softmax")
    expect(words.button("Changed")).to_be_hidden()
    words.edit(BEFORE, AFTER)
    expect(softmax.button("Changed")).to_be_hidden()
    changed = words.button("Changed")
    changed.click()
    expect(changed).to_have_attribute("aria-pressed", "true")
    expect(words.element.locator("del")).to_contain_text(BEFORE)
    expect(words.element.locator("ins")).to_contain_text(AFTER)
    assert violations(words) == []
    numpy_page.get_by_title("Switch to dark").click()
    expect(numpy_page.get_by_title("Switch to light")).to_be_visible()
    assert violations(words) == []
    changed.click()
    expect(words.element.locator("del")).to_have_count(0)
    changed.click()
    words.button("Reset").click()
    expect(words.element.locator("del")).to_have_count(0)
    expect(changed).to_be_hidden()
    words.edit(BEFORE, AFTER)
    expect(changed).to_have_attribute("aria-pressed", "false")
    expect(words.element.locator("del")).to_have_count(0)


def test_the_difference_follows_its_button_however_late_it_comes(
    numpy_page: Page, watched: Watched
) -> None:
    watched.expected = ["Failed to load resource"]
    words = CellOnPage(numpy_page, "words")
    late: list[Route] = []
    changed, shown = words.button("Changed"), words.element.locator("del")
    words.edit(BEFORE, AFTER)
    numpy_page.route("**/difference-*.js", lambda route: route.abort())
    changed.click()
    expect(words.status).to_contain_text("The difference could not be loaded. Press the button")
    expect(changed).to_have_attribute("aria-pressed", "false")
    numpy_page.unroute_all()
    numpy_page.route("**/difference-*.js", lambda route: late.append(route))
    changed.click()
    changed.click()
    with numpy_page.expect_event("requestfinished", lambda one: "/difference-" in one.url):
        late[0].continue_()
    changed.click()
    expect(shown).to_contain_text(BEFORE)
    expect(changed).to_have_attribute("aria-pressed", "true")
    changed.click()
    expect(shown).to_have_count(0)


def test_a_run_is_not_undone_by_a_reset_whose_editor_comes_late(numpy_page: Page) -> None:
    words = CellOnPage(numpy_page, "words")
    late: list[Route] = []
    words.edit(BEFORE, AFTER)
    numpy_page.route("**/editor-*.js", lambda route: late.append(route))
    numpy_page.reload()
    words.button("Reset").click()
    words.run_to_end()
    words.expect_matches("yes")
    late[0].continue_()
    expect(words.element.locator(".cm-content")).to_contain_text(BEFORE)
    words.expect_state("done")
    expect(words.status).to_contain_text("The same as printed.")


def test_cells_say_at_once_when_what_they_build_on_was_edited(numpy_page: Page) -> None:
    words, result = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "result")
    softmax = CellOnPage(numpy_page, "softmax")
    result.run_to_end()
    result.expect_matches("yes")
    words.edit(BEFORE, AFTER)
    result.expect_matches(None)
    expect(result.status).to_have_text("Builds on your edit of “words”. Its output is older.")
    expect(softmax.status).to_contain_text("same as printed")
    result.run_to_end()
    expect(result.status).to_contain_text("ms). Builds on your edit of “words”.")
    words.button("Reset").click()
    expect(result.status).to_have_text("Its output is older.")
    words.button("Undo").click()
    numpy_page.reload()
    expect(words.status).to_have_text("Edited, not run yet.")
    expect(result.status).to_have_text("Builds on your edit of “words”.")
    words.button("Reset").click()
    expect(result.status).to_have_text("")


def test_edits_are_there_on_the_next_visit_unless_the_page_has_changed(
    numpy_page: Page, server: StaticServer
) -> None:
    words = CellOnPage(numpy_page, "words")
    words.edit(BEFORE, AFTER)
    numpy_page.close()
    again = numpy_page.context.new_page()
    again.goto(numpy_page.url)
    expect(CellOnPage(again, "words").code).to_contain_text(AFTER)
    assert server.root
    html = (server.root / "numpy" / "index.html").read_text(encoding="utf-8")
    server.types["/numpy/"] = "text/html"
    server.replaced["/numpy/"] = html.replace('"AI"', '"you"').encode()
    again.reload()
    expect(CellOnPage(again, "words").element).not_to_have_attribute("edited", "")
    expect(CellOnPage(again, "words").code).to_contain_text(BEFORE)
    server.replaced.clear()
    again.reload()
    expect(CellOnPage(again, "words").code).to_contain_text(AFTER)


@pytest.mark.parametrize("fault", ["refused", "full"])
def test_where_the_browser_stores_nothing_edits_last_the_visit_and_that_is_said(
    page: Page, server: StaticServer, watched: Watched, fault: str
) -> None:
    watched.expected = ["refused"]  # the theme does not expect it
    page.add_init_script(
        "Object.defineProperty(window, 'localStorage', { get() { throw new Error('refused') } })"
        if fault == "refused"
        else "Storage.prototype.setItem = () => { throw new Error() }"
    )
    page.goto(f"{server.address}numpy/")
    words = CellOnPage(page, "words")
    words.edit(BEFORE, AFTER)
    expect(words.status).to_contain_text("keeps it only until you leave")
    page.get_by_role("link", name="Start here").first.click()
    expect(page.get_by_role("heading", level=1)).to_contain_text("Understand attention")
    page.get_by_role("link", name="Self-attention in NumPy").first.click()
    expect(words.code).to_contain_text(AFTER)
    words.button("Reset").click()
    expect(words.code).to_contain_text(BEFORE)


def test_without_its_editor_a_cell_shows_the_code_that_would_run(numpy_page: Page) -> None:
    words = CellOnPage(numpy_page, "words")
    words.edit(BEFORE, AFTER)
    numpy_page.route(
        "**/editor-*.js",
        lambda route: route.fulfill(body="throw 0", content_type="text/javascript"),
    )
    numpy_page.reload()
    expect(words.element.locator("pre")).to_contain_text(AFTER)
    words.button("Reset").click()
    expect(words.element.locator("pre")).to_contain_text(BEFORE)


@pytest.mark.parametrize("touch", [False, True])
def test_buttons_are_large_enough_and_fit_a_phone(
    page: Page, server: StaticServer, touch: bool
) -> None:
    assert page.context.browser
    context = page.context.browser.new_context(
        viewport={"width": 320, "height": 640}, has_touch=touch, is_mobile=touch
    )
    phone = context.new_page()
    phone.goto(f"{server.address}numpy/")
    cell = CellOnPage(phone, "words")
    cell.edit(BEFORE, AFTER)
    for button in cell.element.locator(".toolbar button:visible").all():
        box = button.bounding_box()
        assert box
        assert min(box["width"], box["height"]) >= (40 if touch else 24)
        assert box["x"] + box["width"] <= 320
    assert phone.evaluate("document.documentElement.scrollWidth") <= 320
    context.close()


@pytest.mark.parametrize("width", [320, 600, 1280])
def test_neither_the_controls_nor_the_first_keystroke_move_what_is_below(
    page: Page, server: StaticServer, watched: Watched, width: int
) -> None:
    watched.expected = ["Failed to load resource"]
    page.set_viewport_size({"width": width, "height": 700})
    page.route("**/page-*.js", lambda route: route.abort())
    page.goto(f"{server.address}numpy/")
    words = CellOnPage(page, "words")
    before = height(words)
    page.unroute("**/page-*.js")
    page.reload()
    expect(words.button("Run")).to_be_visible()
    assert height(words) == pytest.approx(before, abs=2)
    words.edit(BEFORE, AFTER)
    expect(words.button("Changed")).to_be_visible()
    assert height(words) == pytest.approx(before, abs=2)
