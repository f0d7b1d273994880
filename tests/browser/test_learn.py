"""The training in a real browser: it plays, pauses, goes on and ends, while the page lives."""

import re
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, expect

from site_src.figures.learn.trace import RATES, STEPS, embedded
from tests.browser.cells import LISTENING, CellOnPage
from tests.browser.figures import FigureOnPage
from tests.browser.test_page_controls import Controls
from tests.server import StaticServer

USUAL: Any = embedded()["learned"]

# Every picture that was drawn, in words.
DRAWN = """() => {
    window.drawn = [];
    const how = document.querySelector("live-figure[name=learn] .how");
    const note = (changes) => window.drawn.push(...changes.map((one) => one.addedNodes[0].data));
    new MutationObserver(note).observe(how, {childList: true});
}"""


class Training(FigureOnPage):
    """The figure of a training."""

    def __init__(self, page: Page) -> None:
        super().__init__(page, "learn")
        self.play = self.button("Train").or_(self.button("Pause")).or_(self.button("Continue"))

    def choice(self, name: str) -> Locator:
        """Layers or Optimizer."""
        return self.element.get_by_role("combobox", name=name)

    def expect_step(self, step: int) -> None:
        """Wait for a step, or a later one."""
        later = "|".join(map(str, range(step, STEPS + 1, 20)))
        expect(self.how).to_have_text(re.compile(rf"^Step ({later})\b"))

    def pause(self) -> int:
        """Pause, and tell at which step."""
        self.button("Pause").click()
        expect(self.message).to_have_text("Paused.")
        found = re.match(r"Step (\d+) of", str(self.how.text_content()))
        assert found
        return int(found[1])


@pytest.fixture
def training(page: Page, server: StaticServer) -> Training:
    """The figure on its page, upgraded."""
    page.goto(f"{server.address}learn/")
    training = Training(page)
    training.ready()
    return training


def test_it_plays_pauses_goes_on_and_ends_while_cells_run(training: Training, page: Page) -> None:
    page.evaluate(LISTENING)
    page.evaluate(DRAWN)
    training.button("Train").click()
    expect(training.play).to_be_focused()
    training.expect_step(20)
    cell = CellOnPage(page, "gradient")
    cell.run_to_end()
    cell.expect_matches("yes")
    expect(training.play).to_have_text("Pause")  # the cell ran in between
    training.button("wide").click()
    expect(training.element.get_by_role("table", name="layer 1, wide")).to_be_visible()
    expect(training.element.get_by_role("table", name="layer 1, tired")).to_be_hidden()
    step = training.pause()
    assert 20 <= step < STEPS
    training.expect_numbers({**USUAL, "step": step})  # to the hundredth, as in CPython
    training.button("Continue").click()
    expect(training.message).to_contain_text("“it” carries the adjective")
    expect(training.play).to_have_text("Train")
    drawn = page.evaluate("window.drawn")
    steps = [int(text.split()[1]) for text in drawn]
    assert sorted({*steps}) == steps == [*range(20, STEPS + 1, 20)]
    assert "100% of new sentences right" in drawn[-2]  # the last is one that the page has
    spoken = [text for text in page.evaluate("window.spoken") if text.startswith("Step ")]
    assert {int(text.split()[1]) for text in spoken} == {step, STEPS}  # not every slice


def test_settings_begin_anew_and_a_new_python_comes_to_the_same(
    training: Training, page: Page
) -> None:
    training.choice("Layers").focus()
    training.choice("Layers").select_option("1")
    expect(training.how).to_contain_text("Step 0, nothing learned yet")
    expect(training.choice("Layers")).to_be_focused()
    training.button("Train").click()
    training.expect_step(60)
    step = training.pause()
    expect(training.how).to_contain_text("On the plateau at ln 2")
    training.expect_numbers({**USUAL, "layers": 1, "step": step})
    Controls(page).restart.click()
    training.button("Continue").click()
    training.expect_step(step + 20)
    training.choice("Optimizer").select_option("adam")  # what plays goes on playing
    training.expect_step(20)
    expect(training.element.get_by_role("slider", name="Learning rate")).to_have_attribute(
        "aria-valuetext", str(RATES["adam"])
    )
    step = training.pause()
    inputs = {**USUAL, "layers": 1, "optimizer": "adam", "rate": RATES["adam"], "step": step}
    training.expect_numbers(inputs)
    training.button("Start again").click()
    expect(training.how).to_contain_text("Step 0, nothing learned yet")
