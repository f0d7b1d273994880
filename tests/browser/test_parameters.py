"""The count of parameters in a real browser: models, heads, and what a reader sets."""

from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from site_src.figures.parameters.trace import MODELS, published, trace
from tests.browser.figures import FigureOnPage
from tests.browser.test_accessibility import switch_to, violations
from tests.conftest import Watched
from tests.server import StaticServer

PAGE = "companion/parameters/"
ONE_LAYER = "Transformer, one layer"
LLAMA_LAYER = "Llama-3.1-8B, one layer"


class ParametersOnPage(FigureOnPage):
    """The count of parameters."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, "parameters")
        self.model = self.element.get_by_role("combobox", name="Model")
        self.heads = self.element.get_by_role("slider", name="Heads", exact=True)
        self.kv_heads = self.element.get_by_role("slider", name="KV heads")
        self.d_model = self.element.get_by_role("spinbutton", name="d_model")
        self.total = self.element.locator("text.total")

    def expect_model(self, model: str, **settings: Any) -> None:
        """Words, picture and tables are those of a model with such settings."""
        inputs: Any = {**published(model), **settings}
        drawn = trace(inputs)
        expect(self.how).to_have_text(drawn["picture"])
        self.expect_numbers(inputs)
        parts, attention = drawn["matrices"]
        expect(self.total).to_have_text(f"{parts['shown'][-1][0]} parameters")
        names = [*parts["rows"][:-1], *attention["rows"][:-1]]
        expect(self.element.locator("text.name")).to_have_text(names)
        for name, (_, share) in zip(parts["rows"][:-1], parts["values"], strict=False):
            assert width(self.bar(name)) == pytest.approx(share * width(self.whole), abs=1)

    @property
    def whole(self) -> Locator:
        """The picture."""
        return self.element.locator(".picture svg")

    def bar(self, name: str) -> Locator:
        """A part of one of the bars."""
        return self.element.locator(f"rect.{name}")


def width(drawn: Locator) -> float:
    """How wide something is, in pixels."""
    return float(drawn.evaluate("one => one.getBoundingClientRect().width"))


@pytest.fixture
def figure(page: Page, server: StaticServer) -> ParametersOnPage:
    """The figure on its page, upgraded."""
    page.goto(f"{server.address}{PAGE}")
    figure = ParametersOnPage(page)
    figure.ready()
    return figure


def test_models_are_chosen_without_python(figure: ParametersOnPage, watched: Watched) -> None:
    figure.expect_model(ONE_LAYER)
    for model in [*MODELS][1:]:
        figure.model.select_option(model)
        figure.expect_model(model)
        expect(figure.d_model).to_have_value(str(published(model)["d_model"]))
        expect(figure.heads).to_have_attribute("aria-valuetext", str(published(model)["heads"]))
    assert not any("/python-" in url for url in watched.requests)


def test_moving_heads_changes_no_count(figure: ParametersOnPage, watched: Watched) -> None:
    figure.heads.focus()
    figure.page.keyboard.press("Home")
    for heads in (1, 2, 4, 8, 16, 32, 64):
        figure.expect_model(ONE_LAYER, heads=heads, kv_heads=heads)
        expect(figure.total).to_have_text("3,152,384 parameters")
        expect(figure.heads).to_be_focused()
        figure.page.keyboard.press("ArrowRight")
    expect(figure.model).to_have_value("")
    figure.model.select_option(ONE_LAYER)
    figure.expect_model(ONE_LAYER)
    assert not any("/python-" in url for url in watched.requests)


def test_moving_kv_heads_changes_keys_and_values(
    figure: ParametersOnPage, watched: Watched
) -> None:
    figure.model.select_option(LLAMA_LAYER)
    figure.kv_heads.focus()
    figure.page.keyboard.press("Home")
    shares = []
    for kv_heads in (1, 2, 4, 8, 16, 32):
        figure.expect_model(LLAMA_LAYER, kv_heads=kv_heads)
        expect(figure.kv_heads).to_be_focused()
        shares.append(width(figure.bar("W_k")) / width(figure.bar("W_q")))
        figure.page.keyboard.press("ArrowRight")
    assert shares == pytest.approx([kv_heads / 32 for kv_heads in (1, 2, 4, 8, 16, 32)], rel=0.01)
    assert not any("/python-" in url for url in watched.requests)


def test_biases_are_left_out(figure: ParametersOnPage, watched: Watched) -> None:
    biases = figure.button("Biases")
    expect(biases).to_have_attribute("aria-pressed", "true")
    biases.click()
    figure.expect_model(ONE_LAYER, bias=False)
    expect(figure.how).to_contain_text("4 · 512² = 1,048,576")
    expect(biases).to_have_attribute("aria-pressed", "false")
    assert not any("/python-" in url for url in watched.requests)


def test_settings_of_the_readers_own_are_computed(figure: ParametersOnPage) -> None:
    figure.d_model.fill("1000")
    figure.d_model.press("Enter")
    expect(figure.origin).to_have_text("Numbers: edited here.", timeout=60_000)
    figure.expect_model(ONE_LAYER, d_model=1000)
    figure.d_model.press("ArrowUp")
    figure.expect_model(ONE_LAYER, d_model=1008)
    figure.d_model.fill("100")
    figure.d_model.press("Enter")
    expect(figure.message).to_have_text("8 heads do not divide 100 features.")
    figure.expect_model(ONE_LAYER, d_model=1008)
    figure.button("Back to this page’s numbers").click()
    figure.expect_model(ONE_LAYER)
    expect(figure.d_model).to_have_value("512")


def test_heads_of_a_whole_model_are_computed(figure: ParametersOnPage) -> None:
    figure.model.select_option("Llama-3.1-8B")
    figure.kv_heads.press("End")
    expect(figure.total).to_have_text("8,835,567,616 parameters", timeout=60_000)
    figure.expect_model("Llama-3.1-8B", kv_heads=32)


@pytest.mark.parametrize("model", MODELS)
def test_labels_fit_a_small_phone_and_none_is_on_another(
    figure: ParametersOnPage, model: str
) -> None:
    figure.page.set_viewport_size({"width": 320, "height": 700})
    figure.model.select_option(model)
    figure.expect_model(model)
    boxes = figure.element.locator(".picture text").evaluate_all(
        "texts => texts.map((text) => text.getBoundingClientRect().toJSON())"
    )
    assert all(box["left"] >= 0 and box["right"] <= 320 for box in boxes)
    for at, one in enumerate(boxes):
        for other in boxes[at + 1 :]:
            beside = one["right"] <= other["left"] or other["right"] <= one["left"]
            assert beside or one["bottom"] <= other["top"] + 4 or other["bottom"] <= one["top"] + 4


def test_axe_finds_nothing_with_the_numbers_open(figure: ParametersOnPage) -> None:
    figure.button("Numbers").click()
    figure.model.select_option("BERT-base")
    assert violations(figure.page) == []
    switch_to(figure.page, "dark")
    assert violations(figure.page) == []


def test_without_javascript_and_on_paper_the_numbers_are_there(
    figure: ParametersOnPage, server: StaticServer
) -> None:
    browser = figure.page.context.browser
    assert browser
    still = browser.new_context(java_script_enabled=False).new_page()
    still.goto(f"{server.address}{PAGE}")
    figure.page.emulate_media(media="print")
    for shown in (figure, ParametersOnPage(still)):
        expect(shown.how).to_have_text(trace(published(ONE_LAYER))["picture"])
        for matrix in trace(published(ONE_LAYER))["matrices"]:
            cells = shown.element.locator(f"table[data-name='{matrix['name']}'] tbody td")
            expect(cells).to_have_text([text for row in matrix["shown"] for text in row])
            expect(cells.first).to_be_visible()
    still.context.close()
