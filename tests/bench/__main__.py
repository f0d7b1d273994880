"""Measure and print: contexts, PyTorch, bytes, figures, training, a model, starts, stops, setup."""

import argparse
import sys
import tempfile
from collections.abc import Callable
from functools import partial
from pathlib import Path

from playwright.sync_api import Playwright, sync_playwright

from tests.bench import (
    bytes_before_intent,
    companion,
    figures,
    long_context,
    real_model,
    set_up,
    stopping,
    training,
)
from tests.bench.start_up import compare
from tests.server import StaticServer
from tests.site.build import build


def weight(_: Playwright, server: StaticServer) -> None:
    """What a page loads before a reader reaches for a cell."""
    assert server.root
    print("Bytes before intent, gzipped:", bytes_before_intent.measure(server.root / "site"))


ALONE: dict[str, Callable[[], object]] = {
    "long_context": long_context.measure,
    "companion": companion.measure,
    "set_up": set_up.measure,
}
IN_BROWSER: dict[str, Callable[[Playwright, StaticServer], None]] = {
    "bytes_before_intent": weight,
    "figures": figures.measure,
    "training": training.measure,
    "real_model": real_model.measure,
    "start_up": compare.measure,
    "stopping": stopping.measure,
}
NAMES = [*ALONE, *IN_BROWSER]


def main(arguments: list[str]) -> None:
    """What is named, or everything; one after the other, against one server."""
    parser = argparse.ArgumentParser(prog="python -m tests.bench")
    parser.add_argument("names", nargs="*", help=f"of: {', '.join(NAMES)}")
    parser.add_argument("--rounds", type=int, default=compare.ROUNDS, help="of start_up")
    parser.add_argument("--keep", action="store_true", help="start_up: for the page to draw")
    given = parser.parse_args(arguments)
    if unknown := set(given.names) - set(NAMES):
        parser.error(f"there is no {', '.join(unknown)}")
    names = given.names or NAMES
    for name in names:
        if name in ALONE:
            ALONE[name]()
    chosen = {name: IN_BROWSER[name] for name in names if name in IN_BROWSER}
    if "start_up" in chosen:
        chosen["start_up"] = partial(compare.measure, rounds=given.rounds, kept=given.keep)
    if chosen:
        in_browser(list(chosen.values()))


def in_browser(measures: list[Callable[[Playwright, StaticServer], None]]) -> None:
    """Those that need the site, served."""
    with tempfile.TemporaryDirectory() as folder, StaticServer(Path(folder)) as server:
        build(Path(folder) / "site", f"{server.address}site/")
        with sync_playwright() as playwright:
            for measure in measures:
                measure(playwright, server)


if __name__ == "__main__":
    main(sys.argv[1:])
