"""How long Python takes to start in a page: ours, stock Pyodide, peers, as the bench kept them."""

import json
import statistics
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple, TypedDict

import numpy as np

from site_src.figures.benchmark.trace import day, in_time
from site_src.figures.calculation.trace import Step
from site_src.figures.cost.trace import rounded
from site_src.figures.matrices import Matrix, matrix

RESULT = Path(__file__).with_name("result.json")  # python -m tests.bench start_up --keep
BYTES = [(1e6, "MB"), (1e3, "kB"), (1, "bytes")]
COLUMNS = ["median", "from", "to", "× stock"]
TITLES = {
    "cold": "Cold",
    "warm": "Warm",
    "slow line": "Cold, slow line",
    "bytes": "Bytes",
    "run again": "The same code again",
    "restart": "A new Python",
}
MOST_TICKS = 5


class Bar(TypedDict):
    """One side in one chart; shown: its median and ratio in words."""

    side: str
    median: float
    low: float
    high: float
    ours: bool
    stock: bool
    shown: str


class Group(NamedTuple):
    """Rows that can be compared: of one kind, in one browser, on one host."""

    title: str
    kind: str
    rows: list[dict[str, Any]]


def embedded() -> dict[str, dict[str, Any]]:
    """All figures at once: readers choose among them without asking for more."""
    return {"recorded": {}}


def trace(inputs: dict[str, Any], file: Path = RESULT) -> dict[str, Any]:
    """A chart and a table for each group of figures. Raises ValueError if none are kept."""
    if not file.exists():
        raise ValueError("No figures of the bench are kept here.")
    kept = json.loads(file.read_text(encoding="utf-8"))
    groups = groups_of(kept)
    charts = [chart(kept, group) for group in groups]
    return {
        "inputs": inputs,
        "matrices": [table(kept, group) for group in groups],
        "steps": [told(kept, charts), *[step(group) for group in groups]],
        "picture": charts[0]["says"],
        "charts": charts,
    }


# Figures


def groups_of(kept: dict[str, Any]) -> list[Group]:
    """The groups in their order; what sets one apart from the usual is in its title."""
    first = kept["rows"][0]
    found: dict[str, Group] = {}
    for row in kept["rows"]:
        parts = [TITLES[row["kind"]], since(row)]
        parts += [row[key] for key in ("browser", "host") if row[key] != first[key]]
        title = ", ".join(part for part in parts if part)
        found.setdefault(title, Group(title, row["kind"], [])).rows.append(row)
    return sorted(found.values(), key=partial(place, first))


def place(first: dict[str, Any], group: Group) -> tuple[Any, ...]:
    """Where a group stands among all: the usual first, then by what is measured."""
    row = group.rows[0]
    unusual = row["browser"] != first["browser"], row["host"] != first["host"]
    return (*unusual, row["since"] != first["since"], list(TITLES).index(group.kind))


def since(row: dict[str, Any]) -> str:
    """From when on a figure counts, where that is not plain."""
    if row["kind"] in ("run again", "restart"):
        return ""
    return {"navigation": "from opening the page", "click": "from the click"}[row["since"]]


def median(row: dict[str, Any]) -> float:
    """The middle one of a row's values."""
    return float(statistics.median(row["values"]))


def stock_of(kept: dict[str, Any], group: Group) -> dict[str, Any] | None:
    """The row that the others of a group are compared with."""
    return next((row for row in group.rows if row["side"] == kept["stock"]), None)


def ratio(kept: dict[str, Any], group: Group, row: dict[str, Any]) -> float:
    """A row's median ÷ that of stock; NaN where stock was not measured."""
    stock = stock_of(kept, group)
    return median(row) / median(stock) if stock else np.nan


def written(kind: str) -> Callable[[float], str]:
    """How a figure of a kind is written: bytes, or milliseconds."""
    if kind == "bytes":
        return lambda size: rounded(size, BYTES)
    return lambda milliseconds: in_time(milliseconds / 1000)


def times(share: float) -> str:
    """A ratio to stock.

    >>> times(0.254), times(3.0), times(float("nan"))
    ('0.25', '3.00', '–')
    """
    return "–" if np.isnan(share) else f"{share:.2f}"


# Tables


def table(kept: dict[str, Any], group: Group) -> Matrix:
    """A group as a table: sides in rows; median, range and ratio in columns."""
    rows = [
        [median(row), min(row["values"]), max(row["values"]), ratio(kept, group, row)]
        for row in group.rows
    ]
    values = np.array(rows, dtype=np.float64)
    drawn = matrix(group.title, "", np.nan_to_num(values), [r["side"] for r in group.rows], COLUMNS)
    show = written(group.kind)
    drawn["shown"] = [[*(show(x) for x in row[:3]), times(row[3])] for row in rows]
    return drawn


def step(group: Group) -> Step:
    """A table under its heading."""
    ran = "; ".join(f"{row['side']}: {row['path']}" for row in group.rows)
    return Step(
        key=group.title.replace(" ", "-").replace(",", ""),
        title=group.title,
        says=f"What ran. {ran}.",
        takes=[],
        makes=[group.title],
    )


def told(kept: dict[str, Any], charts: list[dict[str, Any]]) -> Step:
    """Where and how it was measured, and where this site is not the quickest."""
    return Step(
        key="told",
        title="Where it was measured, and where others are ahead",
        says=" ".join([source(kept), busy(kept), *left_out(kept), behind(kept, charts)]),
        takes=[],
        makes=[],
    )


def source(kept: dict[str, Any]) -> str:
    """The machine, the browsers, the day."""
    machine, line = kept["machine"], kept["line"]
    browsers = ", ".join(f"{name} {version}" for name, version in machine["browsers"].items())
    slow = f"{line['bits_per_second'] / 1e6:g} Mbit/s and {line['latency'] * 1e3:g} ms"
    return (
        f"Measured on {machine['cpu']}, {machine['cores']} cores, {machine['system']}, "
        f"{browsers}, {day(kept['date'])}. The slow line: {slow}."
    )


def busy(kept: dict[str, Any]) -> str:
    """A sentence if other programs wanted more of the processor than it has."""
    machine = kept["machine"]
    if (machine["load"] or 0) <= machine["cores"]:
        return ""
    return (
        f"Other programs were running there (load {machine['load']:g}): times are longer than on "
        "a machine at rest."
    )


def left_out(kept: dict[str, Any]) -> list[str]:
    """A sentence for each side that could not be measured."""
    return [f"Left out: {side} ({why})." for side, why in kept["left_out"].items()]


def behind(kept: dict[str, Any], charts: list[dict[str, Any]]) -> str:
    """Where another side has a smaller median than the better of ours."""
    found = []
    for one in charts:
        ours = [bar for bar in one["bars"] if bar["ours"]]
        others = [bar for bar in one["bars"] if not bar["ours"]]
        if ours and others:
            mine, best = (min(bars, key=lambda bar: bar["median"]) for bars in (ours, others))
            if best["median"] < mine["median"]:
                show = written(one["kind"])
                found.append(
                    f"{one['title']}: {best['side']} {show(best['median'])}, "
                    f"{mine['side']} {show(mine['median'])}."
                )
    return " ".join(["Others are ahead here.", *found] if found else ["Nowhere is another ahead."])


# The chart


def chart(kept: dict[str, Any], group: Group) -> dict[str, Any]:
    """A bar with its range for each side, the ticks of their axis, and the whole in words."""
    show = written(group.kind)
    bars = [bar(kept, group, row, show) for row in group.rows]
    stock = stock_of(kept, group)
    highest = max(one["high"] for one in bars)
    words = "\n".join(f"{one['side']}: {one['shown']}" for one in bars)
    return {
        "title": group.title,
        "kind": group.kind,
        "says": "\n".join([heading(group), words, f"{source(kept)} {busy(kept)}".strip()]),
        "bars": bars,
        "stock": median(stock) if stock else None,
        "ticks": [[x, show(x) or "0"] for x in ticks(highest)],
    }


def heading(group: Group) -> str:
    """The first line of a chart in words."""
    return f"{group.title}, medians of {len(group.rows[0]['values'])}"


def bar(
    kept: dict[str, Any], group: Group, row: dict[str, Any], show: Callable[[float], str]
) -> Bar:
    """One side of a chart."""
    is_stock = row["side"] == kept["stock"]
    compared = "" if is_stock else f", {times(ratio(kept, group, row))} × stock"
    return Bar(
        side=row["side"],
        median=median(row),
        low=min(row["values"]),
        high=max(row["values"]),
        ours=row["side"] in kept["ours"],
        stock=is_stock,
        shown=f"{show(median(row))}{compared}",
    )


def ticks(highest: float) -> list[float]:
    """Round numbers from 0 to below the highest.

    >>> ticks(6100)
    [0.0, 2000.0, 4000.0, 6000.0]
    """
    power = 10 ** np.floor(np.log10(highest))
    stride = next(s for s in (0.2, 0.5, 1, 2) if highest / (s * power) < MOST_TICKS) * power
    return [float(x) for x in np.arange(0, highest, stride)]
