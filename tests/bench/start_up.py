"""From a click on Run to the printed result, each way to start against stock Pyodide."""

import statistics
from collections import defaultdict
from typing import NamedTuple

from playwright.sync_api import BrowserContext, Page, Playwright

from site_src import ROOT
from tests.browser import chromium
from tests.browser.cells import CellOnPage
from tests.server import Line, StaticServer

ROUNDS = 5
WARM_RUNS = 100
SLOW = {"bits_per_second": 20e6, "latency": 0.02}

CLICK_TO_STOCK_RESULT = """() => new Promise((resolve) => {
    const output = document.querySelector("output");
    const printed = new MutationObserver(() => resolve(performance.now() - start));
    printed.observe(output, {childList: true});
    const start = performance.now();
    document.querySelector("button").click();
})"""

CLICK_TO_RESULT = """() => new Promise((resolve) => {
    const cell = document.querySelector("py-cell[name=at-work]");
    new MutationObserver(() => {
        if (cell.getAttribute("state") === "done") resolve(performance.now() - start);
    }).observe(cell, {attributes: true});
    const start = performance.now();
    cell.querySelector("button.run").click();
})"""

AGAIN = "() => { window.restart?.(); document.querySelector('button.restart')?.click(); }"


class Side(NamedTuple):
    """One of those that are compared."""

    address: str
    click_to_result: str  # script: milliseconds
    lost: str | None = None  # a file of ours that is not there, so that the next way is taken
    way: str | None = None  # that has to be taken for a figure to count


SIDES = {
    "stock in a worker": Side("stock/stock.html", CLICK_TO_STOCK_RESULT),
    "ours, image": Side("site/", CLICK_TO_RESULT, way="image"),
    "ours, bytecode": Side("site/", CLICK_TO_RESULT, "python.image.gzip", "bytecode"),
}
STOCK = next(iter(SIDES))


def opened(context: BrowserContext, server: StaticServer, side: Side) -> Page:
    """The page of a side, before anything of Python is fetched."""
    page = context.new_page()
    page.goto(server.address + side.address, wait_until="networkidle")
    page.evaluate("(code) => { window.code = code }", program())
    return page


def result(page: Page, side: Side) -> float:
    """Milliseconds from the click to the result."""
    milliseconds = float(page.evaluate(side.click_to_result))
    if side.way:
        way = page.evaluate("performance.getEntriesByName('python').at(-1).detail")
        assert way == side.way, f"the figure is of another way to start: {way}"
    return milliseconds


def starts(playwright: Playwright, server: StaticServer, side: Side) -> dict[str, float]:
    """One figure of each kind, in a new browser."""
    server.replaced = {side.lost: None} if side.lost else {}
    browser = chromium.launch(playwright)
    context = browser.new_context()
    page = opened(context, server, side)
    sent = server.sent
    found = {"cold": result(page, side), "bytes": float(server.sent - sent)}
    page.close()
    page = opened(context, server, side)
    found["warm"] = result(page, side)
    page.evaluate(AGAIN)
    found["restart"] = result(page, side)
    context.close()
    context = browser.new_context()
    page = opened(context, server, side)
    server.line = Line(**SLOW)
    found["cold at 20 Mbit/s"] = result(page, side)
    server.line = None
    browser.close()
    server.replaced.clear()
    return found


def warm_runs(playwright: Playwright, server: StaticServer) -> None:
    """A bare runPython and a cell of the same code, there and back, many times."""
    browser = chromium.launch(playwright)
    stock = opened(browser.new_context(), server, SIDES[STOCK])
    bare = median_of(stock, "window.run(window.code)")
    ours = opened(browser.new_context(), server, SIDES["ours, image"])
    cell = CellOnPage(ours, "at-work")
    cell.write(program())
    cell.run_to_end()
    with_cell = median_of(ours, f"({CLICK_TO_RESULT})()")
    browser.close()
    print(f"Warm run, there and back: bare {bare:.1f} ms, cell {with_cell:.1f} ms")


def median_of(page: Page, once: str) -> float:
    """The median of many times one after the other."""
    times = page.evaluate(
        f"""async () => {{
            await {once};
            const times = [];
            for (let i = 0; i < {WARM_RUNS}; i++) {{
                const start = performance.now();
                await {once};
                times.push(performance.now() - start);
            }}
            return times;
        }}"""
    )
    return float(statistics.median(times))


def program() -> str:
    """The code of the first page's cell, for an interpreter without our snippets."""
    sources = [
        (ROOT / "snippets" / f"{name}.py").read_text(encoding="utf-8")
        for name in ("inputs", "attention")
    ]
    sources += [(ROOT / "snippets" / "three_words.py").read_text(encoding="utf-8")]
    page = (ROOT / "docs" / "index.md").read_text(encoding="utf-8")
    cell = page.split('```py-cell name="at-work"\n')[1].split("```")[0]
    lines = "\n".join([*sources, cell]).splitlines()
    return "\n".join(line for line in lines if not line.startswith("from snippets"))


def measure(playwright: Playwright, server: StaticServer) -> None:
    """All sides in turns, each in a new browser; medians, their ranges, and ratios to stock."""
    figures: dict[str, dict[str, list[float]]] = defaultdict(lambda: defaultdict(list))
    for _ in range(ROUNDS):
        for name, side in SIDES.items():
            for kind, figure in starts(playwright, server, side).items():
                figures[kind][name].append(figure)
    for kind, sides in figures.items():
        print(f"Click on Run to result, {kind}:" if kind != "bytes" else "Bytes until then:")
        for name, found in sides.items():
            print("  " + row(name, found, statistics.median(sides[STOCK])))
    warm_runs(playwright, server)


def row(name: str, found: list[float], stock: float) -> str:
    """One line of the table."""
    middle = statistics.median(found)
    ratio = f"{middle / stock:.2f}"
    return f"{name:18} {middle:10,.0f} [{min(found):,.0f} – {max(found):,.0f}]  {ratio} of stock"
