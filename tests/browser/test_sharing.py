"""Links that carry edited code: what they show, and what they leave alone."""

import base64
import json
import zlib
from random import Random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.conftest import Watched
from tests.server import StaticServer

BEFORE, AFTER, THEIRS = "[0, 2, 0, 1]", "[0, 5, 0, 1]", "[0, 9, 0, 1]"
NOT_RUN = "Shared edit, not run yet. It is not this page’s own text."
NO_COMPRESSION = "delete window.CompressionStream; delete window.DecompressionStream"


@pytest.fixture
def numpy_page(page: Page, server: StaticServer) -> Page:
    """The page with the most cells."""
    page.goto(f"{server.address}numpy/")
    return page


def share(cell: CellOnPage, said: str = "Copied a link with your edited code") -> str:
    """Press Share; the link that is then on the clipboard."""
    cell.button("Share cell").click()
    expect(cell.status).to_contain_text(said)
    return str(cell.page.evaluate("navigator.clipboard.readText()"))


def elsewhere(page: Page, link: str, script: str = "") -> Page:
    """The link opened by somebody else, in a browser of their own."""
    assert page.context.browser
    other = page.context.browser.new_context().new_page()
    if script:
        other.add_init_script(script)
    other.goto(link)
    return other


def carrying(shared: object) -> str:
    """A fragment with anything in it."""
    packed = zlib.compress(json.dumps(shared).encode(), wbits=-15)
    return "#code=d" + base64.urlsafe_b64encode(packed).decode().rstrip("=")


def test_a_link_shows_all_edits_and_runs_nothing(numpy_page: Page) -> None:
    words, result = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "result")
    words.edit(BEFORE, AFTER)
    turn = CellOnPage(numpy_page, "your-turn")
    turn.edit("sharpness = 1.0", "sharpness = 0.5  # √d_k, ½")
    other = elsewhere(numpy_page, share(result))
    fetched: list[str] = []
    other.on("request", lambda request: fetched.append(request.url))
    there = {name: CellOnPage(other, name) for name in ("words", "result", "your-turn")}
    expect(there["words"].status).to_have_text(f"{NOT_RUN} Discard")
    expect(there["words"].code).to_contain_text(AFTER)
    expect(there["your-turn"].code).to_contain_text("sharpness = 0.5  # √d_k, ½")
    expect(there["result"].status).to_have_text("Builds on a shared edit of “words”.")
    expect(there["result"].element).to_be_in_viewport()
    assert other.url.endswith("/numpy/#cell-result")
    there["words"].expect_state("idle")
    assert [url for url in fetched if "python-" in url or "worker" in url] == []
    there["words"].button("Shared edit").click()
    expect(there["words"].element.locator("del")).to_contain_text(BEFORE)
    other.reload()
    expect(there["words"].status).to_have_text(f"{NOT_RUN} Discard")
    there["words"].button("Discard").click()
    expect(there["words"].code).to_contain_text(BEFORE)
    other.reload()
    expect(there["words"].code).to_contain_text(BEFORE)
    expect(there["your-turn"].status).to_contain_text(NOT_RUN)
    other.context.close()


def test_a_link_never_takes_the_place_of_the_readers_own_edit(
    numpy_page: Page, server: StaticServer
) -> None:
    words = CellOnPage(numpy_page, "words")
    words.edit(BEFORE, AFTER)
    theirs = str(words.element.evaluate("cell => cell.code")).replace(AFTER, THEIRS)
    fragment = carrying({"cell": "words", "edits": {"words": theirs}})
    numpy_page.goto(f"{server.address}numpy/{fragment}")  # the page stays, only the fragment comes
    expect(words.code).to_contain_text(THEIRS)
    expect(words.status).to_have_text(f"{NOT_RUN} Your own edit")
    words.edit(THEIRS, "[0, 8, 0, 1]")
    numpy_page.reload()
    expect(words.code).to_contain_text("[0, 8, 0, 1]")
    words.button("Your own edit").click()
    expect(words.code).to_contain_text(AFTER)
    expect(words.button("Changed")).to_be_visible()
    numpy_page.reload()
    expect(words.code).to_contain_text(AFTER)
    numpy_page.goto(f"{server.address}numpy/{fragment}")
    expect(words.code).to_contain_text(THEIRS)
    words.button("Reset").click()
    expect(words.code).to_contain_text(BEFORE)
    words.button("Undo").click()
    words.button("Your own edit").click()
    expect(words.code).to_contain_text(AFTER)


def test_a_shared_edit_that_is_edited_further_becomes_the_readers_own(
    numpy_page: Page, server: StaticServer
) -> None:
    fragment = carrying({"cell": "words", "edits": {"words": "print('shared')"}})
    numpy_page.goto(f"{server.address}numpy/{fragment}")
    words = CellOnPage(numpy_page, "words")
    expect(words.code).to_contain_text("shared")
    words.run_to_end()
    expect(words.output).to_have_text("shared\n")
    expect(words.button("Shared edit")).to_be_visible()
    words.edit("shared", "mine")
    expect(words.status).to_have_text("Edited, not run yet.")
    visit = numpy_page.context.new_page()
    visit.goto(f"{server.address}numpy/")
    expect(CellOnPage(visit, "words").code).to_contain_text("mine")


def test_a_cell_without_edits_is_shared_by_its_address(numpy_page: Page) -> None:
    words, softmax = CellOnPage(numpy_page, "words"), CellOnPage(numpy_page, "softmax")
    words.edit(BEFORE, AFTER)
    link = share(softmax, "Copied the link to this cell.")
    assert link.endswith("/numpy/#cell-softmax")
    other = elsewhere(numpy_page, link)
    expect(CellOnPage(other, "softmax").element).to_be_in_viewport()
    other.context.close()


def test_headings_and_instant_navigation_go_on_working(
    numpy_page: Page, server: StaticServer
) -> None:
    fragment = carrying({"cell": "words", "edits": {"words": "print('shared')"}})
    numpy_page.goto(server.address)
    numpy_page.goto(f"{server.address}numpy/{fragment}")
    words = CellOnPage(numpy_page, "words")
    expect(words.code).to_contain_text("shared")
    numpy_page.evaluate("window.sameDocument = true")
    numpy_page.get_by_role("link", name="Your turn").first.click()
    expect(numpy_page.locator("#your-turn")).to_be_in_viewport()
    numpy_page.get_by_role("link", name="Start here").first.click()
    expect(numpy_page.get_by_role("heading", level=1)).to_contain_text("Understand attention")
    numpy_page.go_back()
    expect(words.code).to_contain_text("shared")
    assert numpy_page.evaluate("window.sameDocument") is True


# A reader as quick as can be: follows a link within the page once the shared code is shown.
GOES_ON = """new MutationObserver(() => {
    if (document.querySelector("py-cell[edited]")) location.hash = "#your-turn";
}).observe(document, {subtree: true, attributes: true, attributeFilter: ["edited"]})"""


def test_a_reader_who_goes_on_is_not_brought_back(page: Page, server: StaticServer) -> None:
    page.add_init_script(GOES_ON)
    fragment = carrying({"cell": "words", "edits": {"words": "print('shared')"}})
    page.goto(f"{server.address}numpy/{fragment}")
    expect(CellOnPage(page, "words").code).to_contain_text("shared")
    expect(page.locator("#your-turn")).to_be_in_viewport()
    expect(page).to_have_url(f"{server.address}numpy/#your-turn")


@pytest.mark.parametrize("script", ["", NO_COMPRESSION])
def test_works_below_a_path_and_without_compression(
    page: Page, server_below: StaticServer, script: str
) -> None:
    page.add_init_script(script)
    page.goto(f"{server_below.address}numpy/?from=here")
    words = CellOnPage(page, "words")
    words.write("print('short')")
    link = share(words)
    assert "/some/where/numpy/?from=here#code=" in link
    assert ("#code=p" in link) == bool(script)
    other = elsewhere(page, link, script)
    expect(CellOnPage(other, "words").code).to_have_text("print('short')")
    other.context.close()


def test_a_link_that_some_programs_would_cut_is_told(numpy_page: Page) -> None:
    words = CellOnPage(numpy_page, "words")
    words.code.click()
    expect(words.element.locator(".cm-content")).to_be_focused()
    random = Random(1).randbytes(8_000).hex()
    lines = "\n".join(f"# {random[start : start + 80]}" for start in range(0, len(random), 80))
    numpy_page.evaluate("text => navigator.clipboard.writeText(text)", lines)
    numpy_page.keyboard.press("Control+v")
    expect(words.button("Changed")).to_be_visible()
    link = share(words, "characters, which some programs cut")
    assert len(link) > 8_000


def test_a_fragment_that_cannot_be_read_leaves_the_page_as_it_is(
    numpy_page: Page, server: StaticServer
) -> None:
    whole = carrying({"cell": "words", "edits": {"words": "x = 1" * 100}})
    for fragment in (
        whole[: len(whole) // 2],
        "#code=",
        "#code=d***",
        "#code=q" + whole[7:],
        carrying(None),
        carrying([1, 2]),
        carrying({"cell": "words", "edits": {"words": 1}}),
        carrying({"cell": "words", "edits": {"words": "x" * 10**7}}),
    ):
        numpy_page.goto("about:blank")
        numpy_page.goto(f"{server.address}numpy/{fragment}")
        note = numpy_page.locator(".link-note")
        expect(note).to_contain_text("carries code that cannot be read")
        expect(CellOnPage(numpy_page, "words").code).to_contain_text(BEFORE)
        assert numpy_page.url == f"{server.address}numpy/"


def test_code_for_a_cell_that_is_not_there_is_told(numpy_page: Page, server: StaticServer) -> None:
    edits = {"words": "print('shared')", "gone": "1", "__proto__": "2"}
    numpy_page.goto(f"{server.address}numpy/{carrying({'cell': 'gone', 'edits': edits})}")
    expect(numpy_page.locator(".link-note")).to_contain_text("a cell that is not on this page")
    expect(CellOnPage(numpy_page, "words").code).to_have_text("print('shared')")


def test_copying_that_is_refused_is_told(numpy_page: Page, watched: Watched) -> None:
    words = CellOnPage(numpy_page, "words")
    words.edit(BEFORE, AFTER)
    numpy_page.route("**/share-link-*.js", lambda route: route.abort())
    watched.expected = ["Failed to load resource"]
    words.button("Share cell").click()
    expect(words.status).to_contain_text("The link could not be made")
    numpy_page.unroute("**/share-link-*.js")
    numpy_page.evaluate(
        "navigator.clipboard.write = navigator.clipboard.writeText = () => Promise.reject();"
        "document.execCommand = () => false"
    )
    words.button("Share cell").click()
    expect(words.status).to_have_text("The browser does not allow copying here.")
