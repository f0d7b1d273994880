"""Figures: bytes with their page, layout shift, the longest task on a click, an edit when warm."""

import statistics

from playwright.sync_api import Page, Playwright

from tests.bench.bytes_before_intent import own_files, weight
from tests.browser import chromium
from tests.figures.on_pages import figures_on_pages
from tests.server import StaticServer

EDITS = 40

SHIFTS = """() => new Promise((resolve) => {
    const found = [];
    new PerformanceObserver((list) => found.push(...list.getEntries()))
        .observe({type: "layout-shift", buffered: true});
    setTimeout(() => resolve(found.map((shift) => [shift.value,
        shift.sources.map(({node}) => node?.parentElement?.outerHTML.slice(0, 80) ?? "")])), 1500);
})"""

LONGEST_TASK = """() => new Promise((resolve) => {
    let longest = 0;
    const measured = (act) => {
        const start = performance.now();
        act();
        document.body.offsetHeight;
        longest = Math.max(longest, performance.now() - start);
    };
    const all = (which) => [...document.querySelectorAll(`live-figure ${which}`)];
    for (const button of all("[data-current] td button")) measured(() => button.click());
    for (const toggle of all("[aria-label='Last word'] button")) measured(() => toggle.click());
    for (const word of all("[role=radio]")) measured(() => word.click());
    for (const slider of all("input[type=range]"))
        for (let place = 0; place <= slider.max; place++) measured(() => {
            slider.value = place;
            slider.dispatchEvent(new Event("input"));
        });
    for (const next of all("[data-key=next]"))
        for (let i = 0; i < 3; i++) measured(() => all("[data-key=next]")[0].click());
    resolve(longest);
})"""

EDIT = """async (edits) => {
    const figure = document.querySelector("live-figure");
    const times = [];
    for (let i = 0; i < edits; i++) {
        const field = figure.querySelector("[data-current] td input");
        field.value = String(i + 0.5);
        const start = performance.now();
        field.dispatchEvent(new Event("input"));
        await new Promise((drawn) => {
            const ready = () => figure.getAttribute("state") === "ready";
            const watch = new MutationObserver(() => {
                if (ready()) { watch.disconnect(); drawn(); }
            });
            watch.observe(figure, {attributes: true});
        });
        document.body.offsetHeight;
        times.push(performance.now() - start);
    }
    return times;
}"""


def measure(playwright: Playwright, server: StaticServer) -> None:
    """Print a line for each page, then the time of an edit."""
    assert server.root
    site = server.root / "site"
    browser = chromium.launch(playwright)
    for path, names in figures_on_pages().items():
        page = browser.new_page(viewport={"width": 1280, "height": 900})
        page.goto(f"{server.address}site/{path}")
        shifts = page.evaluate(SHIFTS)
        longest = longest_task(page)
        page.close()
        views = (site / "assets/live").glob("view-*.js")
        files = own_files(site, f"{path}index.html") | set(views)
        shift = sum(value for value, _ in shifts)
        print(
            f"/{path} ({', '.join(names)}): {weight(files)} bytes of script and style, gzipped, "
            f"all views; layout shift {shift:.4f}; longest task {longest:.0f} ms"
        )
        for value, sources in shifts:
            print(f"    {value:.4f} from {sources}")
    page = browser.new_page()
    page.goto(f"{server.address}site/by-hand/")
    page.locator("live-figure[state=ready]").wait_for()
    times = page.evaluate(EDIT, EDITS)
    print(f"An edit to the redrawn figure, warm: {statistics.median(times[5:]):.1f} ms")
    browser.close()


def longest_task(page: Page) -> float:
    """Milliseconds of the longest of many clicks in a figure, its layout included."""
    page.locator("live-figure[state=ready]").first.wait_for()
    return float(page.evaluate(LONGEST_TASK))
