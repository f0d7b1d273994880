"""A published site offline, and across deployments."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.cells import CellOnPage
from tests.browser.figures import FigureOnPage
from tests.conftest import Watched
from tests.hosting.rules import Rules
from tests.offline.builds import Builds, built_twice, kept, wait_until, wait_until_kept
from tests.server import SAID, Line, StaticServer, damaged

SPARING = "Object.defineProperty(navigator, 'connection', {value: {saveData: true}})"
EARLIER, LATER = "Write self-attention in NumPy", "Write it, newly deployed"
PYTHON = ("python.image", "pyodide.asm.wasm", "pyodide.asm.mjs", "_umath_linalg", "/editor-")


@pytest.fixture(scope="module")
def deployed(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[StaticServer, Builds]]:
    """A host, and two builds for its address."""
    with StaticServer() as server:
        yield server, built_twice(tmp_path_factory.mktemp("offline"), server)


@pytest.fixture
def builds(deployed: tuple[StaticServer, Builds]) -> Builds:
    """The two builds."""
    return deployed[1]


@pytest.fixture
def host(deployed: tuple[StaticServer, Builds]) -> Iterator[StaticServer]:
    """The host, with the earlier build; it sends no headers of its own."""
    server, builds = deployed
    server.root = builds.earlier
    server.requests.clear()
    yield server
    server.up = True
    server.line = None
    server.replaced.clear()
    server.rules = Rules()


@pytest.fixture
def watched(watched: Watched) -> Watched:
    """What a browser itself says of a host that is not there is no error of ours."""
    watched.expected = ["Failed to load resource", "net::ERR", "Failed to fetch"]
    return watched


def visit(page: Page, host: StaticServer, path: str = "") -> None:
    """Open a page, and wait until it is kept."""
    page.goto(host.address + path)
    expect(switch(page)).to_be_visible()
    wait_until_kept(page, f"/{path}", "/search_index.json")


def switch(page: Page) -> Locator:
    """The switch at the foot of a page."""
    return page.get_by_role("switch", name="Available offline")


def test_after_one_visit_a_page_its_figures_and_its_cells_work_offline(
    page: Page, host: StaticServer, watched: Watched
) -> None:
    """(row 20) The worker's headers isolate from the second load on; it reloads nothing itself."""
    loads: list[str] = []
    page.on("domcontentloaded", lambda page: loads.append(page.url))
    visit(page, host)
    FigureOnPage(page, "sentence").ready()
    CellOnPage(page, "at-work").run_to_end()
    wait_until_kept(page, *PYTHON)
    assert page.evaluate("crossOriginIsolated") is False
    host.up = False
    page.reload()
    FigureOnPage(page, "sentence").ready()
    assert page.evaluate("crossOriginIsolated") is True
    cell = CellOnPage(page, "at-work")
    cell.run_to_end()
    cell.expect_matches("yes")
    cell.write("print('begun')\nwhile True: pass")
    cell.run()
    expect(cell.output).to_have_text("begun\n")
    cell.button("Stop").click()
    expect(cell.status).to_have_text("Stopped. Its variables are as they were at that moment.")
    assert len(loads) == 2


def test_a_page_load_fetches_little_more_than_without_and_a_page_not_kept_is_explained(
    page: Page, host: StaticServer, watched: Watched
) -> None:
    """(rows 20, 23)"""
    visit(page, host)
    page.wait_for_load_state("networkidle")
    assert not [path for path in host.requests if "python-" in path or "/editor-" in path]
    own = [path for path in host.requests if path != "/assets/logo.svg"]  # an icon as well
    assert sorted(own) == sorted(set(own))
    host.up = False
    page.get_by_role("link", name="Self-attention in NumPy").first.click()
    expect(page.get_by_role("heading", name="You are offline")).to_be_visible()
    article = page.get_by_role("article")
    expect(article.get_by_role("listitem")).to_have_text(["Start here"])
    host.up = True
    article.get_by_role("link", name="Try it again").click()
    expect(page.get_by_role("heading", name=EARLIER)).to_be_visible()


def test_a_page_of_a_new_deployment_is_opened_in_full_and_the_old_one_stays_whole_offline(
    page: Page, host: StaticServer, builds: Builds, watched: Watched
) -> None:
    """(row 21)"""
    visit(page, host)
    page.evaluate("window.earlierDocument = true")
    host.root = builds.later
    page.get_by_role("link", name="Self-attention in NumPy").first.click()
    expect(page.get_by_role("heading", name=LATER)).to_be_visible()
    page.wait_for_function("!window.earlierDocument")
    assert page.url == f"{host.address}numpy/"
    expect(switch(page)).to_be_visible()
    assert [path for path in loaded(page) if not (builds.later / path[1:]).exists()] == []
    wait_until_kept(page, "/numpy/", *only_in(builds.earlier, builds.later))
    host.up = False
    page.goto(host.address)
    FigureOnPage(page, "sentence").ready()
    styles = page.evaluate("[...document.styleSheets].map(({ href }) => href)")
    assert any(name in style for style in styles for name in only_in(builds.earlier, builds.later))
    host.up = True
    visit(page, host)  # replaces the last page of the earlier build
    wait_until(page, NEXT_WORKER)  # and this the page for no network
    page.goto(host.address)
    wait_until_kept(page, *only_in(builds.earlier, builds.later), gone=True)


def loaded(page: Page) -> list[str]:
    """The paths of the scripts and styles of a document."""
    of_document = "[...document.querySelectorAll('script[src], link[rel=stylesheet]')]"
    return list(page.evaluate(f"{of_document}.map((one) => new URL(one.src ?? one.href).pathname)"))


def only_in(build: Path, other: Path) -> list[str]:
    """The names of the page's style and script in a build, which another build has not."""
    names = {path.name for path in (build / "assets" / "live").glob("[sp][ia][tg]e-*.*s")}
    return sorted(names - {path.name for path in (other / "assets" / "live").iterdir()})


def test_an_open_page_whose_files_are_gone_is_opened_anew_with_its_edits(
    page: Page, host: StaticServer, builds: Builds, watched: Watched
) -> None:
    """(row 21) The script that runs cells is fetched at the first run; then it has another name."""
    page.add_init_script(SPARING)  # else writing would fetch it
    visit(page, host)
    CellOnPage(page, "at-work").write("print(2 + 2)")
    page.evaluate("window.earlierDocument = true")
    host.root = builds.later
    with page.expect_event("domcontentloaded"):
        CellOnPage(page, "at-work").run()
    page.wait_for_function("!window.earlierDocument")
    cell = CellOnPage(page, "at-work")
    cell.run_to_end()
    expect(cell.output).to_have_text("4\n")


def test_the_switch_brings_the_whole_site_keeps_it_whole_and_lets_it_go(
    page: Page, host: StaticServer, builds: Builds, watched: Watched
) -> None:
    """(rows 20, 24) Also the packages that a cell imports, and what the image leaves out."""
    host.rules = Rules(builds.earlier / "_headers")
    visit(page, host)
    switch(page).focus()
    page.keyboard.press("Space")
    expect(switch(page)).to_be_checked()
    expect(page.get_by_text("The whole site is on this device")).to_be_visible()
    host.root = builds.later
    page.reload()
    wait_until_kept(page, *only_in(builds.later, builds.earlier))
    expect(page.get_by_text("The whole site is on this device")).to_be_visible()
    host.up = False
    page.get_by_role("link", name="Self-attention in NumPy").first.click()
    expect(page.get_by_role("heading", name=LATER)).to_be_visible()
    cell = CellOnPage(page, "words")
    cell.write("import wave\nimport matplotlib.pyplot as plt\n_ = plt.plot([1, 2])\nplt.show()")
    cell.run_to_end()
    expect(cell.output.get_by_role("img")).to_be_visible()
    host.up = True
    switch(page).click()
    expect(switch(page)).not_to_be_checked()
    wait_until_kept(page, "/running-cell.png", gone=True)
    assert any("matplotlib-" in path for path in kept(page))  # the reader has used it


def test_turned_off_while_files_come_nothing_comes_after(page: Page, host: StaticServer) -> None:
    visit(page, host)
    host.line = Line(bits_per_second=5e7, latency=0)
    switch(page).click()
    expect(page.get_by_text("Fetching the whole site:")).to_be_visible()
    with page.expect_event("requestfailed"):
        switch(page).click()
    expect(switch(page)).not_to_be_checked()
    wait_until(page, NO_WHOLE_SITE)
    host.line = None
    switch(page).click()
    expect(page.get_by_text("The whole site is on this device")).to_be_visible()


def test_of_two_tabs_one_fetches_and_both_say_how_it_stands(page: Page, host: StaticServer) -> None:
    visit(page, host)
    other = page.context.new_page()
    other.goto(host.address)
    expect(switch(other)).to_be_visible()
    host.line = Line(bits_per_second=2e8, latency=0)
    switch(page).click()
    for tab in (page, other):
        expect(switch(tab)).to_be_checked()
    host.line = None
    for tab in (page, other):
        expect(tab.get_by_text("The whole site is on this device")).to_be_visible()
    large = [path for path in host.requests if "/matplotlib-" in path]
    assert len(large) == 1


@pytest.mark.parametrize(
    "full", ["Cache.prototype.put = async", "Storage.prototype.setItem ="], ids=["files", "notes"]
)
def test_where_there_is_no_room_that_is_said_and_nothing_stays(
    page: Page, host: StaticServer, full: str
) -> None:
    visit(page, host)
    page.evaluate(
        f"{full} () => {{ throw new DOMException('full', 'QuotaExceededError'); }}; undefined"
    )
    switch(page).click()
    expect(page.get_by_text("This device has no room for the whole site.")).to_be_visible()
    expect(switch(page)).not_to_be_checked()
    wait_until(page, NO_WHOLE_SITE)
    host.requests.clear()
    page.reload()
    expect(page.get_by_text("Pages that you open are kept on this device")).to_be_visible()
    assert not [path for path in host.requests if "/matplotlib-" in path]


def test_a_host_that_does_not_answer_is_not_waited_for(
    page: Page, host: StaticServer, watched: Watched
) -> None:
    visit(page, host)
    host.line = Line(bits_per_second=1e9, latency=60)
    page.goto(host.address, wait_until="domcontentloaded")
    FigureOnPage(page, "sentence").ready()


@pytest.mark.parametrize("is_room", [True, False])
def test_retry_goes_past_a_bad_copy_that_was_kept(
    page: Page, host: StaticServer, watched: Watched, is_room: bool
) -> None:
    """(row 19)"""
    watched.expected = [""]  # code that is cut short does not compile
    visit(page, host)
    code = host.hosted("pyodide.asm.mjs")
    host.replaced[code.name] = damaged(code, "cut short")
    cell = CellOnPage(page, "at-work")
    cell.run()
    expect(cell.status).to_contain_text(f"{code.name} {SAID['cut short']}")
    host.replaced.clear()
    if not is_room:
        (worker,) = page.context.service_workers
        worker.evaluate("() => { Cache.prototype.put = async () => { throw new Error(); }; }")
    cell.button("Retry").click()
    cell.expect_state("done")


def test_a_build_without_a_worker_removes_the_one_that_it_finds(
    page: Page, host: StaticServer, builds: Builds
) -> None:
    visit(page, host)
    html = (builds.earlier / "index.html").read_bytes()
    host.replaced["/index.html"] = html.replace(b'name="service-worker"', b'name="none"')
    page.goto(f"{host.address}index.html")
    wait_until(page, NO_WORKER)
    page.reload()
    wait_until(page, NOTHING_KEPT)
    expect(switch(page)).to_have_count(0)


NEXT_WORKER = "async () => (await navigator.serviceWorker.getRegistration()).waiting"
NO_WORKER = "async () => (await navigator.serviceWorker.getRegistrations()).length === 0"
NO_WHOLE_SITE = """async () => {
    const stores = (await caches.keys()).filter((name) => name.includes(": whole"));
    const files = stores.map(async (name) => (await (await caches.open(name)).keys()).length);
    return (await Promise.all(files)).every((count) => count === 0);
}"""
NOTHING_KEPT = "async () => (await caches.keys()).length === 0"

# As browsers refuse it in private windows or with storage blocked.
REFUSALS = {
    "no access": """Object.defineProperty(Navigator.prototype, "serviceWorker", {
        get() { throw new DOMException("denied", "SecurityError"); } });""",
    "no store": """CacheStorage.prototype.open = async () => {
        throw new DOMException("denied", "SecurityError"); };""",
}


@pytest.mark.parametrize("refusal", REFUSALS)
def test_where_the_browser_refuses_all_works_without_it(
    page: Page, host: StaticServer, refusal: str
) -> None:
    page.add_init_script(REFUSALS[refusal])
    page.goto(host.address, wait_until="networkidle")
    FigureOnPage(page, "sentence").ready()
    CellOnPage(page, "at-work").edit("Q, K, V", "Q, K, V")
    expect(switch(page)).to_have_count(0)
