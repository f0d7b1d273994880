"""How Python comes into the page: when, and what is said when it cannot."""

import pytest
from playwright.sync_api import Page, expect

from tests.browser.cells import CellOnPage
from tests.conftest import Watched
from tests.server import SAID, StaticServer, damaged

PYTHON = ("/python-", "worker-")  # parts of the addresses that only running needs
# What the browser and Pyodide themselves write to the console when a file is bad.
BROKEN = ["Failed to load resource", "wasm", "WebAssembly", "rror occurred", "Failed to fetch"]


def python_requests(watched: Watched) -> list[str]:
    """What has been fetched for the sake of running."""
    return [url for url in watched.requests if any(part in url for part in PYTHON)]


@pytest.fixture
def numpy_page(page: Page, server: StaticServer) -> Page:
    """The page with the most cells."""
    page.goto(f"{server.address}numpy/", wait_until="networkidle")
    return page


def test_nothing_of_python_is_fetched_before_intent(numpy_page: Page, watched: Watched) -> None:
    numpy_page.mouse.wheel(0, 2000)
    numpy_page.get_by_role("link", name="Start here").first.click()
    numpy_page.wait_for_load_state("networkidle")
    assert python_requests(watched) == []
    assert not any("editor" in url for url in watched.requests)


@pytest.mark.parametrize("sign", ["rest", "focus", "tap"])
def test_intent_starts_python_before_run_is_pressed(
    numpy_page: Page, watched: Watched, sign: str
) -> None:
    cell = CellOnPage(numpy_page, "words")
    with numpy_page.expect_request(lambda request: PYTHON[0] in request.url):
        if sign == "rest":
            cell.output.hover()
        elif sign == "focus":
            cell.button("Copy").focus()
        else:
            cell.output.click()
    cell.expect_state("idle")


def test_a_pointer_that_only_passes_is_no_intent(numpy_page: Page, watched: Watched) -> None:
    """Enter and leave come in one task, so that no clock can make a rest of it."""
    CellOnPage(numpy_page, "words").element.evaluate(
        """cell => {
            const at = (type) => cell.dispatchEvent(new PointerEvent(type, {pointerType: "mouse"}));
            at("pointerenter");
            at("pointerleave");
            return new Promise((resolve) => setTimeout(resolve, 300));
        }"""
    )
    assert python_requests(watched) == []


IDLE = "new Promise((done) => requestIdleCallback(() => setTimeout(done)))"
SAVING = """if (sessionStorage.saving)
    Object.defineProperty(navigator, "connection", {value: {saveData: true}});"""


def test_on_a_later_visit_python_starts_by_itself_once_a_cell_is_in_view(
    numpy_page: Page, server: StaticServer, watched: Watched
) -> None:
    cell = CellOnPage(numpy_page, "words")
    cell.run_to_end()
    numpy_page.set_viewport_size({"width": 800, "height": 200})
    before = len(watched.requests)
    numpy_page.goto(server.address, wait_until="networkidle")  # it has a cell, but further down
    numpy_page.evaluate(IDLE)
    assert not [url for url in watched.requests[before:] if PYTHON[0] in url]
    numpy_page.locator("py-cell").first.scroll_into_view_if_needed()
    numpy_page.wait_for_function("performance.getEntriesByName('python').length")
    CellOnPage(numpy_page, "at-work").expect_state("idle")


def test_on_a_later_visit_nothing_is_fetched_again_nor_python_started_where_data_is_dear(
    numpy_page: Page, watched: Watched
) -> None:
    watched.expected = ["ERR_CACHE_MISS"]
    cell = CellOnPage(numpy_page, "words")
    cell.run_to_end()
    before = len(watched.requests)
    numpy_page.add_init_script(SAVING)
    numpy_page.evaluate("sessionStorage.saving = 'yes'")
    come_back(cell)
    assert not [url for url in watched.requests[before:] if PYTHON[0] in url]
    numpy_page.evaluate("delete sessionStorage.saving")
    numpy_page.context.new_cdp_session(numpy_page).send("Network.clearBrowserCache")
    come_back(cell)
    assert not [url for url in watched.requests[before:] if PYTHON[0] in url]


def come_back(cell: CellOnPage) -> None:
    """Load the page anew, look at the cell, and do nothing."""
    cell.page.reload(wait_until="networkidle")
    cell.element.scroll_into_view_if_needed()
    cell.page.evaluate(IDLE)


def test_progress_is_shown_in_bytes(numpy_page: Page) -> None:
    numpy_page.evaluate(
        """() => {
            window.seen = new Set();
            const cell = document.querySelector("py-cell[name=words]");
            new MutationObserver(() => {
                const bar = cell.querySelector("progress");
                if (!bar.hidden) window.seen.add(cell.querySelector(".bytes").textContent);
            }).observe(cell, {subtree: true, childList: true, attributes: true});
        }"""
    )
    cell = CellOnPage(numpy_page, "words")
    cell.run_to_end()
    seen = numpy_page.evaluate("[...window.seen]")
    total = numpy_page.evaluate("document.querySelector('py-cell[name=words] progress').max") / 1e6
    assert any(text.endswith(f"of {total:.1f} MB") for text in seen)
    expect(cell.element.locator("progress")).to_be_hidden()


IMAGE, CODE = "python-*/python.image.zstd", "python-*/pyodide.asm.wasm.zstd"
NUMPY = "python-*/numpy-*.whl"
UNPACKER = "unpack-*.js"


def way(page: Page) -> str:
    """How the latest Python of this page was started."""
    return str(page.evaluate("performance.getEntriesByName('python').at(-1).detail"))


@pytest.mark.parametrize("damage", SAID)
def test_a_damaged_file_is_named_and_retry_works_once_it_is_whole(
    page: Page, server: StaticServer, watched: Watched, damage: str
) -> None:
    watched.expected = BROKEN
    path = server.hosted("pyodide.asm.mjs")  # no way leads past it
    server.replaced[path.name] = damaged(path, damage)
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "result")
    printed = cell.output.text_content()
    cell.run()
    cell.expect_state("idle")
    expect(cell.status).to_contain_text("Python could not start")
    expect(cell.status).to_contain_text(f"{path.name} {SAID[damage]}")
    assert cell.output.text_content() == printed
    server.replaced.clear()
    cell.button("Retry").click()
    cell.expect_state("done")
    cell.expect_matches("yes")


def test_python_starts_from_its_image(numpy_page: Page, watched: Watched) -> None:
    cell = CellOnPage(numpy_page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")
    assert way(numpy_page) == "image"
    names = {url.rpartition("/")[2] for url in python_requests(watched)}
    assert not [name for name in names if name.endswith((".whl", ".zip"))]


@pytest.mark.parametrize(
    ("lost", "damage", "left"),
    [
        *(([IMAGE], damage, "bytecode") for damage in SAID),
        ([IMAGE, NUMPY], "missing", "stock"),
        ([CODE], "altered", "stock"),
        ([UNPACKER], "missing", "stock"),
    ],
)
def test_where_a_way_to_start_is_barred_the_next_is_taken_without_a_word(
    page: Page, server: StaticServer, watched: Watched, lost: list[str], damage: str, left: str
) -> None:
    watched.expected = [""]  # Python without its library leaves its last words
    assert server.root
    for pattern in lost:
        (path,) = server.root.glob(f"assets/live/{pattern}")
        folder = path.parent.name
        server.replaced[f"{folder}/{path.name}"] = damaged(path, damage)
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")
    assert way(page) == left


# What an engine could do otherwise than the one in which the image was taken.
NOT_ALIKE = {
    "memory": """
        const { grow } = WebAssembly.Memory.prototype;
        let times = 0;
        WebAssembly.Memory.prototype.grow = function (pages) {
            if (times++) return grow.call(this, pages);
            throw new RangeError("no more");
        };""",
    "code": """
        const { compileStreaming } = WebAssembly;
        WebAssembly.compileStreaming = async () => { throw new TypeError("not here"); };""",
    "table": """
        const { grow } = WebAssembly.Table.prototype;
        WebAssembly.Table.prototype.grow = function (places, ...more) {
            if (places > 7000) throw new RangeError("no more");
            return grow.call(this, places, ...more);
        };""",
}


@pytest.mark.parametrize("otherwise", NOT_ALIKE)
def test_an_engine_that_the_image_does_not_fit_starts_from_bytecode(
    page: Page, server: StaticServer, otherwise: str
) -> None:
    assert server.root
    (worker,) = server.root.glob("assets/live/worker-*.js")
    server.replaced[worker.name] = f"{{{NOT_ALIKE[otherwise]}}}\n".encode() + worker.read_bytes()
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")
    assert way(page) == "bytecode"


# An engine that does not know the functions in its table when Emscripten looks for them there, on
# a machine so busy that time passes between any two looks at the clock.
OTHER_CIRCUMSTANCES = """{
    const { get } = WebAssembly.Table.prototype;
    let unseen;
    WebAssembly.Table.prototype.get = function (place) {
        unseen ??= this.length;
        return unseen-- > 0 ? null : get.call(this, place);
    };
    const now = performance.now.bind(performance);
    let looks = 0;
    performance.now = () => now() + 3 * ++looks;
}"""


def test_an_engine_with_other_numbers_on_a_busy_machine_starts_from_the_image(
    page: Page, server: StaticServer
) -> None:
    assert server.root
    (worker,) = server.root.glob("assets/live/worker-*.js")
    server.replaced[worker.name] = OTHER_CIRCUMSTANCES.encode() + worker.read_bytes()
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")
    assert way(page) == "image"


def test_a_missing_worker_is_told(page: Page, server: StaticServer, watched: Watched) -> None:
    watched.expected = BROKEN
    assert server.root
    (worker,) = server.root.glob("assets/live/worker-*.js")
    server.replaced[worker.name] = None
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "words")
    cell.run()
    expect(cell.status).to_contain_text("its worker could not be loaded")
    server.replaced.clear()
    cell.button("Retry").click()
    cell.expect_state("done")


def test_a_host_that_mistakes_the_type_of_wasm_does_no_harm(
    page: Page, server: StaticServer
) -> None:
    server.types[".wasm"] = "text/plain"
    page.goto(f"{server.address}numpy/")
    cell = CellOnPage(page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")


def test_runs_on_plain_http_where_browsers_do_not_hash(
    page: Page, server_below: StaticServer
) -> None:
    page.goto(server_below.address.replace("127.0.0.1", "home.test") + "numpy/")
    assert page.evaluate("isSecureContext") is False
    cell = CellOnPage(page, "result")
    cell.run_to_end()
    cell.expect_matches("yes")
    cell.button("Copy").click()
    expect(cell.status).to_contain_text("Copied")
