"""The figures of the page on positions, in a real browser: mouse, touch and keyboard."""

import json
import re
from typing import Any

import numpy as np
import pytest
from playwright.sync_api import Locator, Page, expect

from site_src.figures.live import traces
from site_src.figures.rope import trace as rope
from site_src.figures.sinusoidal import trace as waves
from site_src.figures.word_order import trace as word_order
from tests.browser.cells import CellOnPage, names
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.server import StaticServer

WAYS = {
    "No positions": "no positions",
    "Only a causal mask": "causal mask",
    "Sinusoids added": "sinusoids",
    "RoPE": "RoPE",
}


@pytest.fixture
def on_page(page: Page, server: StaticServer) -> Page:
    """The page with its three figures upgraded."""
    page.goto(f"{server.address}position/")
    for name in ("word_order", "sinusoidal", "rope"):
        FigureOnPage(page, name).ready()
    return page


# The order of words


class OrderOnPage(FigureOnPage):
    """The two sentences."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, "word_order")
        self.says = self.element.locator("[data-step=sentence-2] .step-says")

    def number(self, label: str) -> Locator:
        """A number of either sentence, by its table, row and column."""
        return self.element.locator(f"td button[aria-label^='{label}']")

    def expect_order(self, text: str, way: str, seed: int = 2) -> None:
        """Every number of both sentences, what is marked as new, and what is said."""
        drawn = word_order.trace({"way": way, "seed": seed})
        one = next(o for o in drawn["orders"] if " ".join(o["words"]) == text)
        expect(self.says).to_have_text(one["says"])
        for name, kind in (("weights", "new_weights"), ("output", "new_output")):
            assert self.drawn()[f"{name} 2"] == one[name]
            table = self.element.locator(f"table[data-name='{name} 2']")
            expect(table.locator("td.new")).to_have_count(sum(map(sum, one[kind])))
            expect(table.locator("button[aria-label$=', new']")).to_have_count(
                sum(map(sum, one[kind]))
            )
        rows = self.element.locator("table[data-name='weights 2'] tbody th")
        expect(rows).to_have_text([f"query: {word}" for word in one["words"]])
        assert self.drawn()["weights 1"] == drawn["matrices"][0]["shown"]


def test_every_order_is_reached_by_swapping_neighbours(on_page: Page, watched: Watched) -> None:
    figure = OrderOnPage(on_page)
    for label, way in WAYS.items():
        figure.button(label).click()
        expect(figure.button(label)).to_have_attribute("aria-pressed", "true")
        figure.expect_order("man bites dog", way)
        words = ["man", "bites", "dog"]
        for place in (0, 1, 0, 1, 0, 1):
            button = figure.button(f"Swap {words[place]} and {words[place + 1]}")
            button.click()
            words[place : place + 2] = words[place : place + 2][::-1]
            figure.expect_order(" ".join(words), way)
            expect(figure.button(f"Swap {words[place]} and {words[place + 1]}")).to_be_focused()
        assert words == ["man", "bites", "dog"]
    assert not any("/python-" in url for url in watched.requests)


def test_a_number_and_its_twin_light_up(on_page: Page) -> None:
    figure = OrderOnPage(on_page)
    expect(figure.how).to_have_text(
        "Point at a number, or tap it: its twin in the other sentence lights up."
    )
    figure.number("weights 1, query: dog, key: man").hover()
    told = "query: dog, key: man: 0.32 in “dog bites man”, 0.32 in “man bites dog”."
    expect(figure.how).to_have_text(told)
    lit = figure.element.locator("td.opened button")
    expect(lit).to_have_count(2)
    assert [str(one.get_attribute("aria-label")).split(":")[0] for one in lit.all()] == [
        "weights 1, query",
        "weights 2, query",
    ]
    figure.number("weights 2, query: dog, key: man").hover()
    expect(figure.how).to_have_text(told)
    figure.button("Swap man and bites").click()
    expect(lit).to_have_count(2)
    expect(figure.how).to_contain_text("0.32 in “bites man dog”")
    figure.number("output 2, bites, o1").focus()
    expect(figure.how).to_contain_text("bites, o1: ")
    on_page.keyboard.press("ArrowDown")
    expect(figure.number("output 2, man, o1")).to_be_focused()
    expect(figure.how).to_contain_text("man, o1: ")


def test_other_numbers_tell_the_same(on_page: Page) -> None:
    figure = OrderOnPage(on_page)
    before = figure.drawn()["weights 1"]
    figure.button("Draw other numbers").click()
    expect(figure.origin).to_have_text("Numbers: edited here.", timeout=60_000)
    figure.expect_order("man bites dog", "no positions", seed=3)
    assert figure.drawn()["weights 1"] != before


def test_a_link_opens_the_same_order(on_page: Page) -> None:
    figure = OrderOnPage(on_page)
    figure.button("RoPE").click()
    figure.button("Swap bites and dog").click()
    figure.button("Copy link").click()
    expect(figure.message).to_contain_text("Copied")
    link = on_page.evaluate("navigator.clipboard.readText()")
    on_page.goto("about:blank")
    on_page.goto(link)
    figure.ready()
    figure.expect_order("man dog bites", "RoPE")


@pytest.mark.parametrize("name", ["word_order", "sinusoidal", "rope"])
@pytest.mark.parametrize("place", ["{}", '{"words":"a b"}', '{"position":1e9,"place":"x"}'])
def test_a_damaged_place_does_no_harm(
    page: Page, server: StaticServer, name: str, place: str
) -> None:
    inputs = json.dumps(next(iter(traces(name).values()))["inputs"])
    fragment = f'figure-{name}={{"inputs":{inputs},"place":{place}}}'
    page.goto(f"{server.address}position/#{fragment}")
    figure = FigureOnPage(page, name)
    figure.ready()
    expect(figure.how).not_to_be_empty()
    expect(figure.how).not_to_contain_text("NaN")
    expect(figure.how).not_to_contain_text("undefined")


# Waves


def told_of_waves(position: int, feature: int) -> str:
    """What the figure says of a place, from the trace."""
    drawn = waves.trace({})
    value = f"{drawn['table'][position][feature]:.2f}".replace("-", "−")
    kind = drawn["kinds"][feature]
    return f"Position {position}, feature {feature} ({kind}): {value}."


def test_the_cursor_follows_mouse_keys_and_sliders(on_page: Page, watched: Watched) -> None:
    figure = FigureOnPage(on_page, "sinusoidal")
    expect(figure.how).to_have_text(told_of_waves(20, 6))
    field = figure.element.get_by_role("group", name="Heat map")
    field.scroll_into_view_if_needed()
    box = field.bounding_box()
    assert box
    for position, feature in [(0, 0), (63, 31), (17, 4)]:
        x = box["width"] * (position + 0.5) / 64
        field.hover(position={"x": x, "y": box["height"] * (feature + 0.5) / 32})
        expect(figure.how).to_have_text(told_of_waves(position, feature))
    field.focus()
    for key, position, feature in [
        ("ArrowRight", 18, 4),
        ("ArrowDown", 18, 5),
        ("ArrowLeft", 17, 5),
        ("ArrowUp", 17, 4),
    ]:
        on_page.keyboard.press(key)
        expect(figure.how).to_have_text(told_of_waves(position, feature))
        expect(field).to_be_focused()
    figure.element.get_by_role("slider", name="Position").fill("63")
    expect(figure.how).to_have_text(told_of_waves(63, 4))
    field.press("ArrowRight")
    expect(figure.how).to_have_text(told_of_waves(63, 4))
    figure.element.get_by_role("slider", name="Feature").fill("0")
    expect(figure.how).to_have_text(told_of_waves(63, 0))
    expect(figure.element.locator(".strip")).to_have_count(32)
    assert not any("/python-" in url for url in watched.requests)


def test_the_hill_moves_along_and_keeps_its_shape(on_page: Page) -> None:
    figure = FigureOnPage(on_page, "sinusoidal")
    by_distance = np.array(waves.trace({})["products"])
    for p in (0, 32, 63):
        figure.element.get_by_role("slider", name="Position").fill(str(p))
        expect(figure.element.get_by_role("img", name=f"PE({p}) · PE(q)")).to_be_visible()
        drawn = str(figure.element.locator("path.product").get_attribute("d"))
        heights = -np.array([float(part.split()[-1]) for part in re.split("[MC]", drawn)[1:]])
        expected = by_distance[abs(np.arange(64) - p)]
        shares = (heights - heights.min()) / np.ptp(heights)
        assert shares == pytest.approx((expected - expected.min()) / np.ptp(expected), abs=0.001)
        here = figure.element.locator("circle.product")
        assert float(str(here.get_attribute("cy"))) == pytest.approx(-heights.max())


def test_a_finger_moves_the_cursor(server: StaticServer, page: Page) -> None:
    browser = page.context.browser
    assert browser
    phone = browser.new_context(has_touch=True, viewport={"width": 320, "height": 700})
    touched = phone.new_page()
    touched.goto(f"{server.address}position/")
    figure = FigureOnPage(touched, "sinusoidal")
    figure.ready()
    field = figure.element.get_by_role("group", name="Heat map")
    box = field.bounding_box()
    assert box
    x, y = box["width"] * 40.5 / 64, box["height"] * 2.5 / 32
    field.tap(position={"x": x, "y": y})
    expect(figure.how).to_have_text(told_of_waves(40, 2))
    assert touched.evaluate("document.documentElement.scrollWidth") <= 320
    phone.close()


def test_the_map_is_a_view_of_the_readers_table(on_page: Page) -> None:
    figure = FigureOnPage(on_page, "sinusoidal")
    cell = CellOnPage(on_page, "waves")
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: this page.")
    cell.edit("sinusoidal(64, 32)", "np.random.default_rng(0).normal(size=(20, 9))")
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “waves”.")
    expect(figure.message).to_contain_text("PE(p) · PE(q) depends on where p and q are")
    expect(figure.element.locator(".strip")).to_have_count(9)
    table = np.random.default_rng(0).normal(size=(20, 9)).tolist()
    figure.expect_numbers({"table": table})
    most = np.abs(table).max()
    expect(figure.element.locator(".heat-legend")).to_have_text(f"−{most:.1f}{most:.1f}")
    expect(figure.how).to_contain_text("Position 19, feature 6: ")
    expect(figure.element.get_by_role("slider", name="Feature")).to_have_attribute("max", "8")


# Clocks


def told_of_clock(place: int, distance: int, pair: int) -> str:
    """What the figure says of the hands, from the trace."""
    drawn: Any = rope.trace({"q": rope.Q, "k": rope.K})
    part, score = drawn["by_pair"][pair][distance], drawn["scores"][distance]
    return (
        f"Query at position {place + distance}, key at position {place}: {distance} apart. "
        f"In pair {pair} the hands stand {drawn['between'][pair][distance]}° apart and give "
        f"{part:.2f}. All 4 pairs together give a score of {score:.2f}."
    ).replace("-", "−")


def hands(figure: FigureOnPage) -> list[float]:
    """Where the large clock's hands stand, in degrees."""
    turns: list[float] = figure.element.locator(".large .hand").evaluate_all(
        "hands => hands.map((hand) => Number(/rotate\\((\\S+)/.exec("
        "hand.getAttribute('transform'))[1]))"
    )
    return turns


def test_moving_both_keeps_the_angle_and_the_score(on_page: Page, watched: Watched) -> None:
    figure = FigureOnPage(on_page, "rope")
    both = figure.element.get_by_role("slider", name="Move both")
    stood = set()
    for place in (0, 4, 40):
        both.fill(str(place))
        expect(figure.how).to_have_text(told_of_clock(place, 3, 0))
        query, key = hands(figure)
        stood.add(query)
        assert (query - key) % 360 == pytest.approx(136, abs=0.6)
    assert len(stood) == 3
    expect(figure.element.get_by_role("img", name="stand 136° apart")).to_be_visible()
    expect(both).to_have_attribute("aria-valuetext", "key at 40")
    assert not any("/python-" in url for url in watched.requests)


def test_the_distance_and_the_pair_change_it(on_page: Page) -> None:
    figure = FigureOnPage(on_page, "rope")
    figure.element.get_by_role("slider", name="Distance").fill("24")
    expect(figure.how).to_have_text(told_of_clock(4, 24, 0))
    for pair, name in enumerate(["pair 0, fast", "pair 1", "pair 2", "pair 3, slow"]):
        figure.button(name).press("Enter")
        expect(figure.how).to_have_text(told_of_clock(4, 24, pair))
        expect(figure.button(name)).to_have_attribute("aria-pressed", "true")
        expect(figure.button(name)).to_be_focused()
        drawn: Any = rope.trace({"q": rope.Q, "k": rope.K})
        assert hands(figure) == [drawn["hands"][0][pair][28], drawn["hands"][1][pair][4]]


def test_the_clocks_follow_the_readers_vectors(on_page: Page) -> None:
    figure = FigureOnPage(on_page, "rope")
    figure.button("pair 3, slow").click()
    cell = CellOnPage(on_page, "rope")
    cell.write("import numpy as np\nq = k = np.array([1.0, 1.0, 0.0, 0.0])")
    cell.run_to_end()
    expect(figure.origin).to_have_text("Numbers: your cell “rope”.")
    expect(figure.element.get_by_role("group", name="Pair").get_by_role("button")).to_have_count(2)
    expect(figure.how).to_contain_text("In pair 1 the hands stand 2° apart and give 1.00.")
    figure.expect_numbers({"q": [1.0, 1.0, 0.0, 0.0], "k": [1.0, 1.0, 0.0, 0.0]})


def test_running_any_cell_as_it_is_leaves_the_figures_at_the_pages_numbers(on_page: Page) -> None:
    said = {
        name: FigureOnPage(on_page, name).message.text_content() for name in ("sinusoidal", "rope")
    }
    for cell in names(on_page):
        CellOnPage(on_page, cell).run_to_end()
        CellOnPage(on_page, "equivariance").run_to_end()  # Python has answered what came before
        for name, sentence in said.items():
            figure = FigureOnPage(on_page, name)
            figure.ready()
            expect(figure.message).to_have_text(str(sentence))
            expect(figure.origin).to_have_text("Numbers: this page.")


# All three


@pytest.mark.parametrize("name", ["word_order", "sinusoidal", "rope"])
def test_without_javascript_and_on_paper_the_numbers_are_there(
    page: Page, server: StaticServer, name: str
) -> None:
    page.goto(f"{server.address}position/")
    figure = FigureOnPage(page, name)
    figure.ready()
    browser = page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}position/")
    page.emulate_media(media="print")
    expected = traces(name)[str(figure.element.get_attribute("start"))]
    for shown in (page, still):
        drawn = shown.locator(f"live-figure[name={name}]")
        if "picture" in expected:
            expect(drawn.locator(".how")).to_have_text(expected["picture"])
        for step in expected["steps"]:
            expect(drawn).to_contain_text(step["says"])
        for matrix in expected["matrices"]:
            cells = drawn.locator(f"table[data-name='{matrix['name']}'] tbody td")
            expect(cells.first).to_be_visible()
            expect(cells).to_have_text([text for row in matrix["shown"] for text in row])
    still.context.close()


def test_the_figures_fit_a_small_phone(page: Page, server: StaticServer) -> None:
    page.set_viewport_size({"width": 320, "height": 700})
    page.goto(f"{server.address}position/")
    for figure in page.locator("live-figure").all():
        expect(figure).to_have_attribute("state", "ready")
    assert page.evaluate("document.documentElement.scrollWidth") <= 320


def test_the_embedded_values_are_those_of_the_traces_and_light(server: StaticServer) -> None:
    from tests.site.test_pages import soup

    assert server.root
    total = 0
    for name in ("word_order", "sinusoidal", "rope"):
        page = soup(server.root / "position" / "index.html")
        element = page.select_one(f"live-figure[name={name}]")
        assert element
        text = str(element["data-traces"])
        assert json.loads(text) == json.loads(json.dumps(traces(name)))
        total += len(text)
    assert total < 40_000
