"""The real model in the page: how it comes, what it computes, what a reader's function does."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose
from playwright.sync_api import Page, expect

from site_src.model import small
from snippets.attention import attention, softmax
from snippets.real_model import differences, load_model, read, vector, verdict
from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.model.texts import PASTE, TIRED
from tests.server import SAID, Line, StaticServer, damaged

SCALING = "scores = scores / q.shape[-1] ** 0.5"
PAIR = ("The cat slept on the bed.", "An animal is asleep on the floor.")
NUMBERS = """import json
print(json.dumps([part.astype(float).round(4).tolist() for part in (states[-1], maps)]))"""
BROKEN = ["Failed to load resource", "Failed to fetch"]  # what the browser itself says of a file
RARE = "An axolotl regrows its legs"


@pytest.fixture(scope="module")
def model(prepared: Path) -> Any:
    """The model as the site hosts it, opened by CPython."""
    return load_model(prepared)


@pytest.fixture
def real_page(page: Page, server: StaticServer, model: Any) -> Page:
    """The page on the real model."""
    page.goto(f"{server.address}real-model/")
    return page


def fetched(watched: Watched) -> list[str]:
    """The model's files that were asked for."""
    urls = [url for url in watched.requests if "/assets/live/model-" in url]
    return [url.rsplit("/", 1)[1] for url in urls]


def without_scaling(q: Any, k: Any, v: Any, mask: Any = None) -> Any:
    """What the page's cell computes once its scaling is taken out."""
    weights = softmax(q @ k.T)
    return weights @ v, weights


def test_the_model_comes_with_the_first_run_and_computes_what_cpython_does(
    real_page: Page, watched: Watched, model: Any
) -> None:
    """The last state and every weight; then without the scaling; then with an uncommon word."""
    methods: set[str] = set()
    real_page.on("request", lambda request: methods.add(request.method))
    cell, check, alike = (CellOnPage(real_page, n) for n in ("read", "check", "similarity"))
    expect(real_page.get_by_text("a cell that uses the model: 17.0 MB")).to_be_visible()
    said_by(CellOnPage(real_page, "model"))
    cell.run_to_end()
    cell.expect_matches("yes")
    assert "Loading all-MiniLM-L6-v2, 17.0 MB …" in real_page.evaluate("window.said")
    assert sorted(fetched(watched)) == sorted(small.AT_FIRST)
    figure = real_page.locator("live-figure[name=real_heads]")
    expect(figure).to_have_attribute("origin", "cell")

    alike.write(alike.element.evaluate("cell => cell.code") + "\nprint(vectors[0] @ vectors[1])")
    cell.write(cell.element.evaluate("cell => cell.code") + "\n" + NUMBERS)
    cell.run_to_end()
    state, maps = json.loads((cell.output.text_content() or "").splitlines()[-1])
    _, right_maps, right_states = read(TIRED, model, attention)
    assert_allclose(state, right_states[-1], atol=2e-4)  # half of it rounding
    assert_allclose(maps, right_maps, atol=2e-4)

    CellOnPage(real_page, "attention").edit(SCALING, "scores = scores")
    CellOnPage(real_page, "sink").run_to_end()  # which leaves the reader's function in its place
    check.run_to_end()
    expect(check.output).to_contain_text(verdict(differences(without_scaling, TIRED, model)))
    alike.run_to_end()
    similarity = float((alike.output.text_content() or "").splitlines()[-1])
    wrong = np.array([vector(text, model, without_scaling) for text in PAIR])
    assert similarity == pytest.approx(wrong[0] @ wrong[1], abs=1e-3)

    cell.button("Reset").click()
    said_by(cell)
    cell.edit(TIRED, RARE)
    for _ in range(2):
        cell.run_to_end()
        expect(cell.output).to_contain_text("[CLS] an ax ##olo ##tl")
    assert "Loading the rarer words, 10.2 MB …" in real_page.evaluate("window.said")
    assert fetched(watched).count(small.RARER) == 1
    assert methods == {"GET"}  # nothing is sent


def test_a_paste_of_600_words_is_read_to_the_models_end_and_that_is_said(real_page: Page) -> None:
    cell = CellOnPage(real_page, "read")
    cell.edit(TIRED, PASTE)
    cell.run_to_end()
    expect(cell.output).to_contain_text("Cut after 512 of 722 tokens: the model has no more")
    expect(cell.output).to_contain_text("maps: (6, 12, 512, 512)  states: (7, 512, 384)")
    figure = FigureOnPage(real_page, "real_heads")
    expect(figure.element).to_contain_text("Your maps has 18,874,368 numbers")
    cell.edit(PASTE, "Short again")
    cell.run_to_end()
    expect(figure.element).to_have_attribute("origin", "cell")


def given_up(page: Page, file: Path) -> Any:
    """Expect that the browser stops fetching a file."""
    return page.expect_event("requestfailed", lambda request: request.url.endswith(file.name))


def test_maps_of_any_heads_are_drawn_and_rows_that_say_nothing_too(real_page: Page) -> None:
    cell, figure = CellOnPage(real_page, "attention"), FigureOnPage(real_page, "real_heads")
    grid = figure.element.get_by_role("grid")
    for shape, rows in [("(6, 12, 2, 2)", 6), ("(12, 6, 2, 2)", 12), ("(1, 2, 2, 2)", 1)]:
        cell.write(f"import numpy as np\nwords, maps = ['a', 'b'], np.full({shape}, 0.5)")
        cell.run_to_end()
        expect(grid.get_by_role("row")).to_have_count(rows)
        expect(grid.get_by_role("rowheader").last).to_have_text(f"layer {rows}")
        expect(figure.message).to_have_text("")
    cell.write("words, maps = ['a', 'b'], -maps")
    cell.run_to_end()
    expect(figure.how).to_have_text("In layer 1, head 2, “a” attends to no word with 1% or more.")


def said_by(cell: CellOnPage) -> None:
    """Note all that a cell's status says from now on."""
    cell.element.evaluate(
        """(cell) => {
            window.said = [];
            const status = cell.querySelector(".status");
            const note = () => said.push(status.firstChild?.textContent);
            new MutationObserver(note).observe(status, {childList: true});
        }"""
    )


def test_a_model_that_does_not_come_is_told_and_can_be_stopped_and_tried(
    real_page: Page, server: StaticServer, watched: Watched
) -> None:
    """Stopped on a slow line, and Python stays; missing, cut short, altered; without network; the
    rarer words. What is not wanted any more does not come on."""
    watched.expected = BROKEN
    cell, read_cell = CellOnPage(real_page, "model"), CellOnPage(real_page, "read")
    cell.write("kept = 'as it was'")
    cell.run_to_end()
    cell.button("Reset").click()
    assert server.root
    (file,) = server.root.glob(f"assets/live/model-*/{small.MODEL}")
    (rarer,) = server.root.glob(f"assets/live/model-*/{small.RARER}")

    server.line = Line(8e6, 0)
    try:
        server.replaced[small.VOCABULARY] = b"[PAD]"
        with given_up(real_page, file):
            cell.run()
        cell.expect_state("idle")
        expect(cell.status).to_contain_text(f"{small.VOCABULARY} {SAID['cut short']}")
        server.replaced.clear()
        cell.button("Retry").click()
        expect(cell.element).to_contain_text(re.compile(r"[1-9]\.\d of 17.0 MB"))
        with given_up(real_page, file):
            cell.button("Stop").click()
        cell.expect_state("idle")
        expect(cell.status).to_contain_text("Stopped while files were on their way.")
        cell.write("print(kept)")
        cell.run_to_end()
        expect(cell.output).to_have_text("as it was")
        cell.button("Reset").click()
    finally:
        server.line = None

    for damage, said in SAID.items():
        server.replaced[file.name] = damaged(file, damage)
        cell.run()
        cell.expect_state("idle")
        expect(cell.status).to_contain_text(f"MiniLM-L6-v2 could not be loaded: {file.name} {said}")
    server.replaced.clear()
    server.up = False
    cell.button("Retry").click()
    cell.expect_state("idle")
    expect(cell.status).to_contain_text("could not be fetched. Nothing was run.")
    server.up = True
    cell.button("Retry").click()
    cell.expect_state("done")
    cell.expect_matches("yes")

    read_cell.edit(TIRED, RARE)
    server.replaced[rarer.name] = damaged(rarer, "altered")
    read_cell.run_to_end()
    read_cell.expect_state("error")
    expect(read_cell.output).to_contain_text(f"{rarer.name} {SAID['altered']}")
    server.replaced.clear()
    read_cell.run_to_end()
    read_cell.expect_state("done")
