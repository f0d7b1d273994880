"""What a figure looks like: each text with its colour, each table with its place.

Numbers rather than pixels, because fonts are drawn differently from machine to machine. To take
the snapshots anew after a change that is meant: SNAPSHOTS=new make test.
"""

import json
import os
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Browser

from tests.browser.test_accessibility import switch_to
from tests.figures.on_pages import figures_on_pages, page_of
from tests.server import StaticServer

FOLDER = Path(__file__).parent / "snapshots"
FIGURES = {name: page_of(name) for names in figures_on_pages().values() for name in names}
PIXELS = 8  # how far a table may have moved
LOOK = """async (figure) => {
    await document.fonts.ready;
    const origin = figure.getBoundingClientRect();
    const shown = [...figure.querySelectorAll("*")].filter((one) => one.checkVisibility());
    const colour = (one) => getComputedStyle(one)[one instanceof SVGElement ? "fill" : "color"];
    const shapes = {};
    for (const one of shown.filter((one) => one.matches("path, rect, circle, polyline"))) {
        const { fill, stroke } = getComputedStyle(one);
        const kind = `${one.localName} ${fill} ${stroke}`;
        shapes[kind] = (shapes[kind] ?? 0) + 1;
    }
    const own = (one) => [...one.childNodes].filter((node) => node.nodeType === 3)
        .map((node) => node.textContent.trim()).join(" ").trim();
    return {
        shapes,
        symbols: shown.filter((one) => /sym-/.test(one.className) && own(one))
            .map((one) => [own(one), colour(one)]),
        texts: shown.filter((one) => own(one) && !one.closest(".katex") && !one.closest("option"))
            .map((one) => [own(one), colour(one)]),
        tables: shown.filter((one) => one.matches("table")).map((one) => {
            const box = one.getBoundingClientRect();
            const edges = [box.x - origin.x, box.y - origin.y, box.width, box.height];
            return [one.dataset.name, ...edges.map(Math.round)];
        }),
    };
}"""


def looks(browser: Browser, server: StaticServer, figure: str, width: int) -> dict[str, Any]:
    """The look of a figure in each palette, at its second step if it has steps."""
    context = browser.new_context(
        viewport={"width": width, "height": 900}, color_scheme="light", reduced_motion="reduce"
    )
    page = context.new_page()
    page.goto(f"{server.address}{FIGURES[figure]}")
    drawn = page.locator(f"live-figure[name={figure}]")
    page.locator(f"live-figure[name={figure}][state=ready]").wait_for()
    if following := drawn.get_by_role("button", name="Next", exact=True).all():
        following[0].click()
    found = {}
    for scheme in ("light", "dark"):
        if scheme == "dark":
            switch_to(page, scheme)
        page.get_by_role("heading", level=1).hover()
        found[scheme] = json.loads(json.dumps(drawn.evaluate(LOOK)))
    context.close()
    return found


def expect_apart(boxes: list[list[int]]) -> None:
    """Boxes (left, top, width, height) neither overlap nor begin left of their figure."""
    for i, (x, y, w, h) in enumerate(boxes):
        assert x >= 0
        assert all(
            x + w <= u or u + p <= x or y + h <= v or v + q <= y for u, v, p, q in boxes[i + 1 :]
        )


@pytest.mark.parametrize("width", [360, 1280])
@pytest.mark.parametrize("figure", FIGURES)
def test_a_figure_looks_as_it_did_and_no_table_of_it_lies_on_another(
    browser: Browser, server: StaticServer, figure: str, width: int
) -> None:
    for scheme, found in looks(browser, server, figure, width).items():
        compare(found, FOLDER / f"{figure}-{width}-{scheme}.json")


def compare(found: Any, file: Path) -> None:
    """Hold a look against its snapshot; or take it anew, if that is asked for."""
    if os.environ.get("SNAPSHOTS") == "new":
        FOLDER.mkdir(exist_ok=True)
        lines = ",\n".join(
            f'"{key}": {json.dumps(found[key], ensure_ascii=False)}' for key in found
        )
        file.write_text(f"{{\n{lines}\n}}\n", encoding="utf-8")
    expect_apart([box for _, *box in found["tables"]])
    expected = json.loads(file.read_text(encoding="utf-8"))
    assert found["shapes"] == expected["shapes"]
    assert found["symbols"] == expected["symbols"]
    assert found["texts"] == expected["texts"]
    assert [table[0] for table in found["tables"]] == [table[0] for table in expected["tables"]]
    for (name, *edges), (_, *before) in zip(found["tables"], expected["tables"], strict=True):
        assert edges == pytest.approx(before, abs=PIXELS), name
