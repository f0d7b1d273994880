"""Pictures in a real browser: what is drawn is what NumPy computes; mouse, touch and keyboard."""

import json
import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from site_src.figures.live import traces
from site_src.figures.path import trace as path
from site_src.figures.scaling import trace as scaling
from site_src.figures.sentence import trace as sentence_trace
from site_src.figures.temperature import trace as temperature
from snippets.pronouns import sentence
from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer

TIRED = sentence("animal", "cross", "street", "tired")


class SentenceOnPage(FigureOnPage):
    """The sentence figure."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, "sentence")
        self.words = self.element.get_by_role("radio")

    def word(self, text: str) -> Locator:
        """A word of the sentence."""
        return self.element.get_by_role("radio", name=text, exact=True)

    def slot(self, name: str) -> Locator:
        """A choice of the builder."""
        return self.element.get_by_role("combobox", name=name, exact=True)

    def expect_row(self, words: list[str], chosen: int) -> None:
        """The shares beside the words are those of the model, and so is the wording."""
        expect(self.words.nth(chosen)).to_have_attribute("aria-checked", "true")
        first, second = sentence_trace.trace({"words": words})["matrices"]
        expected = [
            percent(second["values"][chosen][place])
            + word
            + percent(first["values"][chosen][place])
            for place, word in enumerate(words)
        ]
        expect(self.words).to_have_text(expected)
        expect(self.how).to_contain_text(f"“{words[chosen]}” reads")

    def arcs(self, layer: int) -> list[float]:
        """How thick each word's arc is, below the line for layer 1, above it for layer 2."""
        widths = self.element.locator(f".sentence g:nth-child({3 - layer}) path").evaluate_all(
            "arcs => arcs.map((arc) => Number(arc.style.strokeWidth))"
        )
        return [float(width) for width in widths]


def percent(share: float) -> str:
    """A share as the figure writes it."""
    return f"{int(share * 100 + 0.5)}%" if share >= 0.01 else ""


@pytest.fixture
def figure(page: Page, server: StaticServer) -> SentenceOnPage:
    """The sentence on its page, upgraded."""
    page.goto(f"{server.address}see-it-work/")
    figure = SentenceOnPage(page)
    figure.ready()
    return figure


def test_it_points_at_the_noun_that_fits_the_last_word(
    figure: SentenceOnPage, watched: Watched
) -> None:
    it = TIRED.index("it")
    figure.expect_row(TIRED, it)
    assert figure.arcs(2).index(max(figure.arcs(2))) == TIRED.index("animal")
    assert figure.arcs(1).index(max(figure.arcs(1))) == TIRED.index("tired")
    figure.button("wide").click()
    wide = [*TIRED[:-1], "wide"]
    figure.expect_row(wide, it)
    assert figure.arcs(2).index(max(figure.arcs(2))) == TIRED.index("street")
    expect(figure.button("wide")).to_have_attribute("aria-pressed", "true")
    expect(figure.message).to_contain_text("“it” points at “street”, which fits “wide”.")
    figure.expect_numbers({"words": wide})
    assert not any("/python-" in url for url in watched.requests)


def test_any_word_can_be_clicked(figure: SentenceOnPage) -> None:
    for chosen in range(len(TIRED)):
        figure.words.nth(chosen).click()
        figure.expect_row(TIRED, chosen)
    expect(figure.how).to_contain_text("which nothing has trained it to do")


def test_arrow_keys_go_from_word_to_word(figure: SentenceOnPage, page: Page) -> None:
    figure.word("it").focus()
    for key, chosen in [
        ("ArrowRight", 8),
        ("ArrowLeft", 7),
        ("ArrowUp", 6),
        ("End", 10),
        ("Home", 0),
    ]:
        page.keyboard.press(key)
        figure.expect_row(TIRED, chosen)
        expect(figure.words.nth(chosen)).to_be_focused()
    page.keyboard.press("ArrowLeft")
    figure.expect_row(TIRED, 10)  # round the end
    page.keyboard.press("Tab")
    expect(figure.slot("time")).to_be_focused()


def test_a_finger_chooses_a_word_on_a_phone(server: StaticServer, page: Page) -> None:
    browser = page.context.browser
    assert browser
    phone = browser.new_context(has_touch=True, viewport={"width": 320, "height": 700})
    touched = phone.new_page()
    touched.goto(f"{server.address}see-it-work/")
    figure = SentenceOnPage(touched)
    figure.ready()
    figure.word("street").tap()
    figure.expect_row(TIRED, 5)
    boxes = [word.bounding_box() for word in figure.words.all()]
    tops = [box["y"] for box in boxes if box]
    assert tops == sorted(set(tops)), "the words stand one below the other"
    assert touched.evaluate("document.documentElement.scrollWidth") <= 320
    phone.close()


def test_a_row_of_a_heat_map_chooses_its_word(figure: SentenceOnPage) -> None:
    table = figure.element.locator("table[data-name='layer 2']")
    table.get_by_role("row", name="query: street").click()
    figure.expect_row(TIRED, 5)
    expect(table.locator("tr.chosen")).to_have_count(1)
    expect(table.locator("tr.chosen th")).to_have_text("query: street")


def test_rows_that_were_not_trained_are_grey_and_said_to_be(figure: SentenceOnPage) -> None:
    table = figure.element.locator("table[data-name='layer 2']")
    expect(table.locator("tr.untrained")).to_have_count(len(TIRED) - 1)
    expect(figure.element).to_contain_text("Only the row of “it” was trained")
    red, _, blue = rgb(table.locator("tr.untrained td").nth(1))
    assert abs(red - blue) < 12, "grey"
    red, _, blue = rgb(table.locator("tr:not(.untrained) td[style*='1.00']"))
    assert red - blue > 80, "the colour of weights"
    figure.word("animal").click()
    expect(figure.element.locator(".points")).to_have_text(
        "Layer 2: where “animal” points (not trained)"
    )


def rgb(cell: Locator) -> tuple[float, float, float]:
    """The background of a cell, from 0 to 255."""
    text = str(cell.evaluate("cell => getComputedStyle(cell).backgroundColor"))
    scale = 255 if text.startswith("color(") else 1
    red, green, blue = [float(x) * scale for x in re.findall(r"[\d.]+", text)][:3]
    return red, green, blue


def test_numbers_are_shown_on_demand(figure: SentenceOnPage) -> None:
    cell = figure.element.locator("table[data-name='layer 1'] td[style]").first
    expect(cell).to_have_css("font-size", "0px")
    figure.button("Numbers").click()
    expect(figure.button("Numbers")).to_have_attribute("aria-pressed", "true")
    expect(cell).not_to_have_css("font-size", "0px")
    figure.expect_numbers({"words": TIRED})


def test_the_reader_builds_a_sentence(figure: SentenceOnPage) -> None:
    figure.slot("first noun").select_option("fox")
    built = ["fox" if word == "animal" else word for word in TIRED]
    expect(figure.origin).to_have_text("Numbers: edited here.", timeout=60_000)
    figure.expect_row(built, 7)
    figure.slot("time").select_option("today")
    figure.slot("second adjective").focus()
    figure.slot("second adjective").select_option("icy")
    built = sentence("fox", "cross", "street", "tired", when="today", of_second="icy")
    figure.ready()
    figure.expect_row(built, built.index("it"))
    expect(figure.slot("second adjective")).to_be_focused()
    figure.button("Swap the nouns").click()
    figure.ready()
    swapped = sentence("street", "cross", "fox", "tired", when="today", of_first="icy")
    figure.expect_row(swapped, swapped.index("it"))
    expect(figure.button("Swap the nouns")).to_be_focused()
    figure.expect_numbers({"words": swapped})
    figure.button("Back to this page’s numbers").click()
    figure.expect_row(TIRED, 7)


def test_quick_choices_build_on_each_other(figure: SentenceOnPage) -> None:
    """Both are made in one task, before the first can have been answered."""
    figure.element.evaluate(
        """figure => {
            for (const [name, value] of [["time", "today"], ["verb", "like"]]) {
                const field = figure.querySelector(`select[aria-label="${name}"]`);
                field.value = value;
                field.dispatchEvent(new Event("change"));
            }
        }"""
    )
    built = sentence("animal", "like", "street", "tired", when="today")
    expect(figure.words.first).to_contain_text("today", timeout=60_000)
    figure.expect_row(built, built.index("it"))


def test_the_last_word_builds_on_a_choice_that_is_still_being_computed(
    figure: SentenceOnPage,
) -> None:
    figure.slot("first noun").select_option("fox")
    figure.button("wide").click()
    built = sentence("fox", "cross", "street", "wide")
    expect(figure.words.nth(1)).to_contain_text("fox", timeout=60_000)
    figure.expect_row(built, 7)


def test_without_python_the_controls_go_back_to_what_is_drawn(
    figure: SentenceOnPage, page: Page, watched: Watched
) -> None:
    watched.expected = ["Failed to load resource"]
    page.route("**/python-*/**", lambda route: route.abort())
    figure.slot("first noun").select_option("fox")
    expect(figure.message).not_to_contain_text("Loading", timeout=60_000)
    expect(figure.slot("first noun")).to_have_value("animal")
    figure.expect_row(TIRED, 7)


@pytest.mark.parametrize(
    "fragment",
    [
        '{"inputs":5,"place":{"word":1}}',
        '{"place":null}',
        '{"inputs":{"words":["it"]},"place":{"word":99}}',
        '{"inputs":{},"place":{"word":2.5}}',
        '{"inputs":{},"place":{"word":-1}}',
    ],
)
def test_a_damaged_link_does_no_harm(page: Page, server: StaticServer, fragment: str) -> None:
    page.goto(f"{server.address}see-it-work/#figure-sentence={fragment}")
    figure = SentenceOnPage(page)
    figure.ready()
    figure.expect_row(TIRED, 7)


def test_arrow_keys_of_the_browser_stay_the_browsers(figure: SentenceOnPage, page: Page) -> None:
    figure.word("it").focus()
    page.keyboard.press("Control+Home")
    figure.expect_row(TIRED, 7)


def test_the_figure_views_the_readers_words(figure: SentenceOnPage, page: Page) -> None:
    cell = CellOnPage(page, "words")
    cell.edit('"tired")', '"busy")')
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “words”.")
    figure.expect_row([*TIRED[:-1], "busy"], 7)
    cell.write('words = ["something", "else"]')
    cell.run_to_end()
    expect(figure.message).to_contain_text("The model knows one kind of sentence only")
    figure.expect_row([*TIRED[:-1], "busy"], 7)


def test_a_link_opens_the_same_sentence_and_word(figure: SentenceOnPage, page: Page) -> None:
    figure.button("wide").click()
    figure.word("street").click()
    figure.button("Copy link").click()
    expect(figure.message).to_contain_text("Copied")
    link = page.evaluate("navigator.clipboard.readText()")
    page.goto("about:blank")
    page.goto(link)
    figure.ready()
    figure.expect_row([*TIRED[:-1], "wide"], 5)


@pytest.mark.parametrize("name", ["sentence", "path", "temperature", "scaling"])
def test_without_javascript_and_on_paper_the_numbers_are_there(
    page: Page, server: StaticServer, name: str
) -> None:
    where = {"sentence": "see-it-work", "path": "why-attention"}.get(name, "scaling")
    page.goto(f"{server.address}{where}/")
    figure = FigureOnPage(page, name)
    figure.ready()
    browser = page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}{where}/")
    page.emulate_media(media="print")
    expected = traces(name)[str(figure.element.get_attribute("start"))]
    expect(figure.how).to_have_text(expected["picture"])
    for shown in (page, still):
        expect(shown.locator(f"live-figure[name={name}] .how")).to_have_text(expected["picture"])
        tables = shown.locator(f"live-figure[name={name}] table")
        expect(tables).to_have_count(len(expected["matrices"]))
        for matrix in expected["matrices"]:
            table = shown.locator(f"live-figure[name={name}] table[data-name='{matrix['name']}']")
            texts = [text for row in matrix["shown"] for text in row]
            expect(table.locator("tbody td").first).to_be_visible()
            expect(table.locator("tbody td").first).not_to_have_css("font-size", "0px")
            expect(table.locator("tbody td")).to_have_text(texts)
    still.context.close()


@pytest.mark.parametrize(
    ("where", "name"),
    [("see-it-work", "sentence"), ("why-attention", "path"), ("scaling", "scaling")],
)
def test_embedded_values_are_those_of_the_trace(
    server: StaticServer, where: str, name: str
) -> None:
    from tests.site.test_pages import soup

    assert server.root
    element = soup(server.root / where / "index.html").select_one(f"live-figure[name={name}]")
    assert element
    assert json.loads(str(element["data-traces"])) == json.loads(json.dumps(traces(name)))


def test_the_first_page_has_the_sentence_and_nothing_to_scroll_past(
    page: Page, server: StaticServer
) -> None:
    page.goto(server.address)
    figure = SentenceOnPage(page)
    figure.ready()
    expect(figure.element.locator("table").first).to_be_hidden()
    figure.button("wide").click()
    figure.expect_row([*TIRED[:-1], "wide"], 7)
    box = figure.element.bounding_box()
    assert box
    assert box["height"] < 720
    figure.button("Numbers").click()
    expect(figure.element.locator("table").first).to_be_visible()


# The way from the first word to the last


@pytest.fixture
def way(page: Page, server: StaticServer) -> FigureOnPage:
    """The path figure on its page, upgraded."""
    page.goto(f"{server.address}why-attention/")
    figure = FigureOnPage(page, "path")
    figure.ready()
    return figure


def told_of_path(words: int, radius: float) -> str:
    """What the figure says of a length, from the trace."""
    drawn: Any = path.trace({"spectral_radius": radius})
    at = drawn["lengths"].index(words)
    in_chain = drawn["paths"][0][at]
    steps = f"{in_chain} step{'s' * (in_chain > 1)}"
    left, share = (row[at] for row in drawn["shown"])
    return (
        f"From word 1 to word {words}: {steps} through the RNN, 1 step through attention. "
        f"Of word 1’s influence on word 2, {left} reaches word {words} through the RNN, "
        f"{share} through attention."
    )


def test_the_way_grows_word_by_word(way: FigureOnPage, page: Page, watched: Watched) -> None:
    expect(way.how).to_have_text(told_of_path(20, 0.9))
    length = way.element.get_by_role("slider", name="Words")
    length.focus()
    page.keyboard.press("ArrowRight")
    expect(way.how).to_have_text(told_of_path(21, 0.9))
    page.keyboard.press("End")
    expect(way.how).to_have_text(told_of_path(64, 0.9))
    expect(length).to_have_attribute("aria-valuetext", "64")
    expect(way.element.locator("svg circle.word")).to_have_count(2 * 62)
    expect(way.element.locator("svg path.taken")).to_have_count(63 + 1)
    page.keyboard.press("Home")
    expect(way.how).to_have_text(told_of_path(2, 0.9))
    page.keyboard.press("End")
    radius = way.element.get_by_role("slider", name="RNN’s spectral radius")
    radius.fill("5")
    expect(way.how).to_have_text(told_of_path(64, 1.2))
    way.expect_numbers({"spectral_radius": 1.2})
    assert not any("/python-" in url for url in watched.requests)


def test_the_chart_follows_the_readers_radius(way: FigureOnPage, page: Page) -> None:
    cell = CellOnPage(page, "fading")
    cell.edit("spectral_radius = 0.9", "spectral_radius = 1.5")
    cell.run_to_end()
    expect(way.origin).to_have_text("Numbers: your cell “fading”.")
    expect(way.how).to_have_text(told_of_path(20, 1.5))


# Temperature and √d_k


@pytest.fixture
def scaling_page(page: Page, server: StaticServer) -> Page:
    """The page with both, upgraded."""
    page.goto(f"{server.address}scaling/")
    for name in ("temperature", "scaling"):
        FigureOnPage(page, name).ready()
    return page


def test_the_temperature_slides(scaling_page: Page, watched: Watched) -> None:
    figure = FigureOnPage(scaling_page, "temperature")
    slider = figure.element.get_by_role("slider", name="Temperature")
    slider.focus()
    scaling_page.keyboard.press("Home")
    for t in temperature.TEMPERATURES:
        drawn = temperature.trace({"scores": temperature.SCORES, "temperature": t})
        expect(figure.how).to_have_text(str(drawn["picture"]))
        shown = drawn["matrices"][1]["shown"][0]
        names = [f"score {score}" for score in drawn["matrices"][0]["shown"][0]]
        texts = [text for pair in zip(shown, names, strict=True) for text in pair]
        expect(figure.element.locator("svg text")).to_have_text(texts)
        figure.expect_numbers({"scores": temperature.SCORES, "temperature": t})
        scaling_page.keyboard.press("ArrowRight")
    assert not any("/python-" in url for url in watched.requests)


def test_the_bars_follow_the_readers_scores(scaling_page: Page) -> None:
    cell = CellOnPage(scaling_page, "temperature")
    cell.edit("[2.0, 1.0, 0.5, 0.0, -1.0]", "[3.0, 0.0]")
    cell.run_to_end()
    figure = FigureOnPage(scaling_page, "temperature")
    expect(figure.origin).to_have_text("Numbers: your cell “temperature”.")
    expect(figure.element.locator("svg text")).to_have_text(["0.95", "score 3", "0.05", "score 0"])


def test_d_k_slides_and_other_numbers_are_drawn(scaling_page: Page, watched: Watched) -> None:
    figure = FigureOnPage(scaling_page, "scaling")
    slider = figure.element.get_by_role("slider", name="d_k")
    for place in (0, 10, 6):
        slider.fill(str(place))
        expect(figure.how).to_have_text(str(scaling.trace({"d_k": 2**place, "seed": 0})["picture"]))
        figure.expect_numbers({"d_k": 2**place, "seed": 0})
    assert not any("/python-" in url for url in watched.requests)
    figure.button("Draw other numbers").click()
    expect(figure.origin).to_have_text("Numbers: edited here.", timeout=60_000)
    expect(figure.how).to_have_text(str(scaling.trace({"d_k": 64, "seed": 1})["picture"]))
    for _ in range(3):
        figure.button("Draw other numbers").click()
    expect(figure.how).to_have_text(str(scaling.trace({"d_k": 64, "seed": 4})["picture"]))
    figure.button("Back to this page’s numbers").click()
    expect(figure.how).to_have_text(str(scaling.trace({"d_k": 64, "seed": 0})["picture"]))


@pytest.mark.parametrize(
    "path_of_page", ["", "why-attention/", "scaling/", "see-it-work/", "learn/"]
)
def test_pictures_fit_a_small_phone(page: Page, server: StaticServer, path_of_page: str) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{server.address}{path_of_page}")
    page.locator("live-figure[state=ready]").first.wait_for()
    assert page.evaluate("document.documentElement.scrollWidth") <= 320
    outside = page.evaluate(
        """[...document.querySelectorAll(".picture svg text")].filter((text) => {
            const box = text.getBoundingClientRect();
            return box.width && (box.left < 0 || box.right > innerWidth);
        }).map((text) => text.textContent)"""
    )
    assert outside == []


@pytest.mark.parametrize("width", [320, 740, 960, 1280])
def test_arcs_stay_on_the_page(page: Page, server: StaticServer, width: int) -> None:
    page.set_viewport_size({"width": width, "height": 700})
    page.goto(f"{server.address}see-it-work/")
    figure = SentenceOnPage(page)
    figure.ready()
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    figure.words.first.click()
    for arc in figure.element.locator(".sentence path").all():
        box = arc.bounding_box()
        assert box
        assert 0 <= box["x"] <= box["x"] + box["width"] <= width
