"""From a click on Run to the printed result, against stock Pyodide; and a warm run of a cell."""

import statistics
from collections.abc import Callable

from playwright.sync_api import Page, Playwright

from site_src import ROOT
from tests.browser import chromium
from tests.browser.cells import CellOnPage
from tests.server import StaticServer

ROUNDS = 7
WARM_RUNS = 100

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


def stock(page: Page, server: StaticServer) -> float:
    """Milliseconds with Pyodide as published, for the same code."""
    page.goto(f"{server.address}stock/stock.html", wait_until="networkidle")
    page.evaluate("(code) => { window.code = code }", program())
    return float(page.evaluate(CLICK_TO_STOCK_RESULT))


def ours(page: Page, server: StaticServer) -> float:
    """Milliseconds on the first page of the site."""
    page.goto(f"{server.address}site/", wait_until="networkidle")
    return float(page.evaluate(CLICK_TO_RESULT))


def warm_stock(page: Page) -> float:
    """Milliseconds that a bare runPython of the same code takes, there and back."""
    return median_of(page, "window.run(window.code)")


def warm_ours(page: Page) -> float:
    """Milliseconds from Run to done, for the same code in a cell."""
    cell = CellOnPage(page, "at-work")
    cell.write(program())
    cell.run_to_end()
    return median_of(page, f"({CLICK_TO_RESULT})()")


def median_of(page: Page, once: str) -> float:
    """The median of many times one after the other."""
    times = page.evaluate(
        f"""async () => {{
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
    """Alternate the two, each in a new browser, and print medians and their ratio."""
    cold: dict[str, list[float]] = {"stock": [], "ours": []}
    warm: dict[str, list[float]] = {"stock": [], "ours": []}
    sides: dict[str, tuple[Callable[[Page, StaticServer], float], Callable[[Page], float]]] = {
        "stock": (stock, warm_stock),
        "ours": (ours, warm_ours),
    }
    for _ in range(ROUNDS):
        for side, (cold_run, warm_run) in sides.items():
            browser = chromium.launch(playwright)
            page = browser.new_page()
            cold[side].append(cold_run(page, server))
            warm[side].append(warm_run(page))
            browser.close()
    report("Click on Run to result, cold", cold)
    report("Warm run, there and back", warm)


def report(title: str, times: dict[str, list[float]]) -> None:
    """Print both medians with their ranges, the ratio, and the difference."""
    stock, ours = (statistics.median(times[side]) for side in ("stock", "ours"))
    for side in ("stock", "ours"):
        middle = statistics.median(times[side])
        print(f"{title}, {side}: {middle:.1f} ms [{min(times[side]):.1f} – {max(times[side]):.1f}]")
    print(f"{title}, ours ÷ stock: {ours / stock:.2f} ({ours - stock:+.1f} ms)")
