"""The comparison from beginning to end: install peers, serve all sides, measure, print, keep."""

import shutil
from html import escape
from pathlib import Path

from playwright.sync_api import Playwright

from site_src import CACHE, ROOT
from tests.bench.start_up import engines
from tests.bench.start_up.peers.install import SITES, install
from tests.bench.start_up.program import telling_program
from tests.bench.start_up.result import Found, keep, machine, result, table
from tests.bench.start_up.rounds import SLOW, Round
from tests.bench.start_up.sides import SIDES, STOCK
from tests.browser import chromium
from tests.server import ISOLATION, StaticServer

HERE = Path(__file__).parent
ROUNDS = 5
FEW_ROUNDS = 3  # at most, on other hosts and in other browsers
HEADERS = ISOLATION | {
    "Cache-Control": "max-age=600"
}  # some sides need the one; the other: as hosts do


def measure(
    playwright: Playwright, server: StaticServer, *, rounds: int = ROUNDS, kept: bool = False
) -> None:
    """All sides in turns, each start in a new browser."""
    assert server.root
    found = Found()
    for name, why in install().items():
        found.left_out |= {s.name: why for s in SIDES if s.address.startswith(f"{name}/")}
    serve_others(server.root)
    server.headers = dict(HEADERS)
    one = Round(playwright, server, found)
    here = machine({"Chromium": version(playwright)})
    print("  a round that does not count …", flush=True)
    one.warm_up()
    for number in range(rounds):
        print(f"  round {number + 1} of {rounds} …", flush=True)
        one.run()
        if number < FEW_ROUNDS:
            one.run_elsewhere()
    here["browsers"] |= engines.measure(server, found, min(rounds, FEW_ROUNDS))
    server.headers, server.packing = {}, None
    ours = [side.name for side in SIDES if side.ours]
    whole = result(found, here, rounds=rounds, line=SLOW, stock=STOCK, ours=ours)
    print("\n".join(table(whole)))
    if kept:
        keep(whole)


def serve_others(root: Path) -> None:
    """Stock Pyodide and peers, beside our own site."""
    for site in SITES.iterdir():
        shutil.copytree(site, root / site.name)
    stock = root / "stock"
    shutil.copytree(HERE / "stock", stock)
    shutil.copytree(ROOT / "node_modules" / "pyodide", stock / "pyodide")
    for wheel in (CACHE / "wheels").glob("numpy-*.whl"):
        shutil.copy(wheel, stock / "pyodide")
    page = stock / "stock.html"
    code = escape(telling_program())
    page.write_text(page.read_text(encoding="utf-8").replace("PROGRAM", code), encoding="utf-8")


def version(playwright: Playwright) -> str:
    """Chromium's."""
    browser = chromium.launch(playwright)
    try:
        return browser.version
    finally:
        browser.close()
