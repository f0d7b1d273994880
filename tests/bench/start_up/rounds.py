"""One round: every side once in each way, in turns."""

import statistics
from collections.abc import Callable
from functools import partial

from playwright.sync_api import Error, Playwright

from tests.bench.start_up.hosts import HOSTS, WITH_BROTLI, WITH_GZIP
from tests.bench.start_up.result import Found, Kind, RefusedError, Since
from tests.bench.start_up.sides import IMAGE, SIDES, STOCK, Side
from tests.bench.start_up.visit import visit
from tests.server import Line, StaticServer

SLOW = {"bits_per_second": 20e6, "latency": 0.02}
RUNS_AGAIN = 25
FROM_CLICK = "window.bench.fromClick()"
ON_OTHER_HOSTS = (IMAGE, STOCK)


class Round:
    """All figures of one round go to the same place, under the name of what was measured."""

    def __init__(self, playwright: Playwright, server: StaticServer, found: Found) -> None:
        self.playwright, self.server, self.found = playwright, server, found
        self.browser = "Chromium"

    def run(self) -> None:
        """Every side in turn."""
        for side in self.sides():
            self.attempt(side, self.on_main_host)

    def run_elsewhere(self) -> None:
        """The two sides that matter most, on other hosts."""
        for host in list(HOSTS)[1:]:
            for side in self.sides():
                if side.name in ON_OTHER_HOSTS:
                    self.attempt(side, partial(self.on_other_host, host=host))

    def warm_up(self) -> None:
        """Visits that do not count: hosts pack what they send, and who cannot run is left out."""
        unmeasured = Round(self.playwright, self.server, Found())
        for side in self.sides():
            self.attempt(side, unmeasured.cold)
            if side.name in ON_OTHER_HOSTS:
                self.attempt(side, partial(unmeasured.cold, host=WITH_GZIP))

    def sides(self) -> list[Side]:
        """Those that have not been left out."""
        return [side for side in SIDES if side.name not in self.found.left_out]

    def attempt(self, side: Side, measure: Callable[[Side], None]) -> None:
        """Measure; a side that fails, or whose figures do not count, is left out from then on."""
        try:
            measure(side)
        except (RefusedError, Error) as error:
            self.found.left_out[side.name] = str(error).splitlines()[0]
            print(f"  {side.name} is left out: {self.found.left_out[side.name]}", flush=True)

    def on_main_host(self, side: Side) -> None:
        """All kinds of figures of a side."""
        self.cold(side, warm_too=True)
        self.on_slow_line(side)
        if side.click:
            self.from_click(side)

    def on_other_host(self, side: Side, host: str) -> None:
        """What depends on a host most."""
        self.cold(side, host)
        self.on_slow_line(side, host)

    def cold(self, side: Side, host: str = WITH_BROTLI, *, warm_too: bool = False) -> None:
        """A page opened for the first time; and then once more, with what the browser has kept."""
        self.server.packing = HOSTS[host]
        with visit(self.playwright, self.server, side) as seen:
            page, milliseconds = seen.from_navigation()
            self.add("cold", milliseconds, seen.path(page), side, host=host)
            if warm_too:
                page.close()
                page, milliseconds = seen.from_navigation()
                self.add("warm", milliseconds, seen.path(page), side)

    def on_slow_line(self, side: Side, host: str = WITH_BROTLI) -> None:
        """Cold, over a line that all answers share; bytes too, of which few run ahead here."""
        self.server.packing = HOSTS[host]
        with visit(self.playwright, self.server, side) as seen:
            self.server.line = Line(**SLOW)
            before = self.server.sent
            page, milliseconds = seen.from_navigation()
            sent = self.server.sent - before
            self.add("slow line", milliseconds, seen.path(page), side, host=host)
            self.add("bytes", sent, seen.path(page), side, host=host)

    def from_click(self, side: Side) -> None:
        """Cold, then the same code again, then after a restart; and warm in a second page."""
        self.server.packing = HOSTS[WITH_BROTLI]
        with visit(self.playwright, self.server, side) as seen:
            page = seen.opened()
            self.add("cold", page.evaluate(FROM_CLICK), seen.path(page), side, "click")
            if side.runs_again:
                times = page.evaluate(f"window.bench.again({RUNS_AGAIN})")
                self.add("run again", statistics.median(times), seen.path(page), side, "click")
            if side.restart:
                restarted = f"window.bench.fromClick(() => {{ {side.restart} }})"
                self.add("restart", page.evaluate(restarted), seen.path(page), side, "click")
            page.close()
            page = seen.opened()
            self.add("warm", page.evaluate(FROM_CLICK), seen.path(page), side, "click")

    def add(
        self,
        kind: Kind,
        value: float,
        path: str,
        side: Side,
        since: Since = "navigation",
        host: str = WITH_BROTLI,
    ) -> None:
        """One figure."""
        self.found.add(
            kind,
            float(value),
            since=since,
            browser=self.browser,
            host=host,
            side=side.name,
            path=path,
        )
