"""Measure and print: long contexts, PyTorch, bytes, figures, training, starts, stops, set-up."""

import shutil
import tempfile
from pathlib import Path

from playwright.sync_api import sync_playwright

from site_src import CACHE, ROOT
from tests.bench import (
    bytes_before_intent,
    companion,
    figures,
    long_context,
    set_up,
    start_up,
    stopping,
    training,
)
from tests.server import StaticServer
from tests.site.build import build


def main() -> None:
    """One run of everything, against one server."""
    long_context.measure()
    companion.measure()
    with tempfile.TemporaryDirectory() as folder, StaticServer(Path(folder)) as server:
        site = build(Path(folder) / "site", f"{server.address}site/")
        stock_site(Path(folder) / "stock")
        print("Bytes before intent, gzipped:", bytes_before_intent.measure(site))
        with sync_playwright() as playwright:
            figures.measure(playwright, server, site)
            training.measure(playwright, server)
            start_up.measure(playwright, server)
            stopping.measure(playwright, server)
    set_up.measure()


def stock_site(target: Path) -> None:
    """Pyodide and NumPy as they are published, with the page that starts them."""
    shutil.copytree(ROOT / "node_modules" / "pyodide", target / "pyodide")
    for wheel in (CACHE / "wheels").iterdir():
        shutil.copy(wheel, target / "pyodide")
    for name in ("stock.html", "stock-worker.mjs"):
        shutil.copy(Path(__file__).parent / name, target)


if __name__ == "__main__":
    main()
