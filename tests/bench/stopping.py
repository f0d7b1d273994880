"""Stop until idle on both kinds of host, the page under a flood, and memory after many restarts."""

import json
import statistics
from typing import Any

from playwright.sync_api import Browser, Page, Playwright

from tests.browser import chromium
from tests.browser.cells import CellOnPage, expect_ready
from tests.server import ISOLATION, StaticServer

ROUNDS = 20
RUNS_A_ROUND = 10

CLICK_TO_IDLE = """() => new Promise((resolve) => {
    const cell = document.querySelector("py-cell[name=words]");
    new MutationObserver((_, observer) => {
        if (cell.getAttribute("state") !== "idle") return;
        observer.disconnect();
        resolve(performance.now() - start);
    }).observe(cell, {attributes: true});
    const start = performance.now();
    cell.querySelector("button.stop").click();
})"""

FLOOD = "import time\nuntil = time.time() + 3\nwhile time.time() < until: print('x' * 80)"
WASM_BYTES = "import pyodide_js\npyodide_js._module.HEAP8.length"


def stop_to_idle(page: Page, isolated: bool) -> list[float]:
    """Milliseconds from a click on Stop to idle, each in the middle of an endless loop."""
    cell = CellOnPage(page, "words")
    cell.write("while True: pass")
    times = []
    for _ in range(ROUNDS):
        cell.run()
        cell.expect_state("running")
        if not isolated:
            expect_ready(page, 2)
        times.append(float(page.evaluate(CLICK_TO_IDLE)))
    return times


def longest_task(browser: Browser, page: Page) -> float:
    """Milliseconds that the page's thread computes in its longest task while a cell prints on.

    In processor time, which other programs on the machine do not lengthen.
    """
    cell = CellOnPage(page, "words")
    cell.write(FLOOD)
    browser.start_tracing(page=page, categories=["toplevel"])
    cell.run_to_end()
    events = json.loads(browser.stop_tracing())["traceEvents"]
    threads = {event["tid"]: event["args"]["name"] for event in events if is_name(event)}
    return max(
        float(event.get("tdur", 0)) / 1000
        for event in events
        if threads.get(event["tid"]) == "CrRendererMain" and event["name"].endswith("RunTask")
    )


def is_name(event: dict[str, Any]) -> bool:
    """Whether an event of a trace tells the name of a thread."""
    return bool(event["name"] == "thread_name")


def growth(page: Page) -> float:
    """Memory after many runs and restarts ÷ memory after the first run."""
    words, probe = CellOnPage(page, "words"), CellOnPage(page, "softmax")
    words.write("while True: pass")
    probe.write(WASM_BYTES)
    first = memory(page, probe)
    for _ in range(ROUNDS):
        for _ in range(RUNS_A_ROUND):
            probe.run_to_end()
        words.run()
        words.expect_state("running")
        words.button("Stop").click()
        words.expect_state("idle")
    return memory(page, probe) / first


def memory(page: Page, probe: CellOnPage) -> float:
    """Bytes of the page's JavaScript and of Python, garbage left out."""
    probe.run_to_end()
    tools = page.context.new_cdp_session(page)
    tools.send("HeapProfiler.collectGarbage")
    script = float(tools.send("Runtime.getHeapUsage")["usedSize"])
    tools.detach()
    return script + int(probe.output.text_content() or 0)


def measure(playwright: Playwright, server: StaticServer) -> None:
    """Print each figure with its median and its worst case."""
    for isolated in (True, False):
        host = "isolated" if isolated else "plain"
        server.headers = dict(ISOLATION) if isolated else {}
        browser = chromium.launch(playwright)
        page = browser.new_page()
        page.goto(f"{server.address}site/numpy/", wait_until="networkidle")
        times = stop_to_idle(page, isolated)
        middle = statistics.median(times)
        print(f"Stop to idle, {host} host: {middle:.0f} ms, at worst {max(times):.0f} ms")
        print(f"Longest task under a flood, {host} host: {longest_task(browser, page):.0f} ms")
        browser.close()
    server.headers = {}
    browser = chromium.launch(playwright)
    page = browser.new_page()
    page.goto(f"{server.address}site/numpy/", wait_until="networkidle")
    runs = ROUNDS * RUNS_A_ROUND
    print(f"Memory after {runs} runs and {ROUNDS} restarts ÷ at first: {growth(page):.2f}")
    browser.close()
