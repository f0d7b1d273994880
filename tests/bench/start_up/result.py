"""What a run of the bench found: figures with the path that ran, printed as a table, or kept."""

import json
import os
import platform
import statistics
from collections import defaultdict
from datetime import date
from pathlib import Path
from typing import Literal, TypedDict

from site_src import ROOT
from snippets.companion.benchmark_device import cpu_name

KEPT = ROOT / "site_src" / "figures" / "start_up" / "result.json"

Kind = Literal["cold", "warm", "slow line", "bytes", "run again", "restart"]
Since = Literal["navigation", "click"]


class RefusedError(Exception):
    """A figure does not count, because something else ran than what it is to be a figure of."""


class Row(TypedDict):
    """Figures of one kind for one side: milliseconds, or bytes; one of each round.

    path: what really ran, in its own words.
    """

    kind: Kind
    since: Since
    browser: str
    host: str
    side: str
    path: str
    values: list[float]


class Machine(TypedDict):
    """Where it was measured; load: programs that wanted to compute in the minute before."""

    cpu: str
    cores: int
    system: str
    load: float | None
    browsers: dict[str, str]


class Result(TypedDict):
    """A whole run. stock: the side that others are compared with; ours: those of this site."""

    date: str
    command: str
    machine: Machine
    rounds: int
    line: dict[str, float]
    stock: str
    ours: list[str]
    rows: list[Row]
    left_out: dict[str, str]


class Found:
    """Figures as they come in."""

    def __init__(self) -> None:
        self._values: dict[tuple[Kind, Since, str, str, str, str], list[float]] = defaultdict(list)
        self.left_out: dict[str, str] = {}

    def add(
        self,
        kind: Kind,
        value: float,
        *,
        since: Since,
        browser: str,
        host: str,
        side: str,
        path: str,
    ) -> None:
        """One figure."""
        self._values[kind, since, browser, host, side, path].append(round(value, 1))

    @property
    def rows(self) -> list[Row]:
        """All figures so far, without those of sides or browsers that were left out since."""
        return [
            Row(kind=k, since=s, browser=b, host=h, side=side, path=path, values=values)
            for (k, s, b, h, side, path), values in self._values.items()
            if not {side, b} & self.left_out.keys()
        ]


def checked(expected: str, path: str, foreign: list[str]) -> str:
    """The path that ran, if it is the expected one and nothing came from elsewhere.

    Raises RefusedError.
    """
    if path != expected:
        raise RefusedError(f"ran: {path or 'nothing'}; wanted: {expected}")
    if foreign:
        raise RefusedError(f"asked elsewhere: {foreign[0]}")
    return path


def machine(browsers: dict[str, str]) -> Machine:
    """This machine, without its name."""
    return Machine(
        cpu=cpu_name(),
        cores=os.cpu_count() or 1,
        system=system(),
        load=round(os.getloadavg()[0], 1) if hasattr(os, "getloadavg") else None,
        browsers=browsers,
    )


def system() -> str:
    """The operating system and its version."""
    try:
        return platform.freedesktop_os_release()["PRETTY_NAME"]
    except (OSError, AttributeError):
        return f"{platform.system()} {platform.release()}"


def result(
    found: Found, here: Machine, *, rounds: int, line: dict[str, float], stock: str, ours: list[str]
) -> Result:
    """All that is kept of a run."""
    return Result(
        date=date.today().isoformat(),
        command="python -m tests.bench start_up --keep",
        machine=here,
        rounds=rounds,
        line=line,
        stock=stock,
        ours=ours,
        rows=found.rows,
        left_out=found.left_out,
    )


def keep(whole: Result, file: Path = KEPT) -> None:
    """Write it where the page draws it from."""
    file.write_text(json.dumps(whole, indent=1, ensure_ascii=False) + "\n", encoding="utf-8")


# The table


def table(whole: Result) -> list[str]:
    """Lines to print: a block for each kind, a row for each side."""
    blocks: dict[str, list[Row]] = defaultdict(list)
    for row in whole["rows"]:
        title = f"{row['kind']}, from the {row['since']}, {row['browser']}, host: {row['host']}"
        blocks[title].append(row)
    lines = []
    for title, rows in blocks.items():
        stock = next((row for row in rows if row["side"] == whole["stock"]), None)
        lines += [title, *(f"  {line(row, stock)}" for row in rows)]
    return lines + [f"left out: {side}: {why}" for side, why in whole["left_out"].items()]


def line(row: Row, stock: Row | None) -> str:
    """Median, range, ratio to stock, and what ran."""
    values = row["values"]
    unit = 1 if row["kind"] == "run again" else 0  # digits
    middle = statistics.median(values)
    spread = f"[{min(values):,.{unit}f} – {max(values):,.{unit}f}]"
    ratio = f"{middle / statistics.median(stock['values']):.2f} of stock" if stock else ""
    return f"{row['side']:27} {middle:12,.{unit}f} {spread:27} {ratio:14} {row['path']}"
