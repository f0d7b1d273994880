"""What the benchmark of the PyTorch companion found: time and memory by tokens, for each device."""

import json
import math
from collections.abc import Callable
from datetime import date
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.cost.trace import in_bytes, rounded
from site_src.figures.matrices import Array, Matrix, matrix

RESULTS = Path(__file__).parents[3] / "snippets" / "companion" / "results"
TIMES = [(1, "s"), (1e-3, "ms"), (1e-6, "µs"), (1e-9, "ns")]
RATES = [(1e12, "TFLOP/s"), (1e9, "GFLOP/s"), (1e6, "MFLOP/s")]
MOST_TICKS = 6
NO_GPU = "No result from a GPU is recorded yet: these are a CPU’s."


class Quantity(NamedTuple):
    """What is measured: its key in a row, its name, how it is written, and a step of its axis."""

    key: str
    name: str
    written: Callable[[float], str]
    step: float


def in_time(seconds: float) -> str:
    """Seconds with three digits that count.

    >>> in_time(1.5), in_time(0.0204), in_time(3e-6)
    ('1.5 s', '20.4 ms', '3 µs')
    """
    return rounded(seconds, TIMES)


def in_flops(rate: float) -> str:
    """Operations a second with three digits that count.

    >>> in_flops(3.12e14), in_flops(5.5e10)
    ('312 TFLOP/s', '55 GFLOP/s')
    """
    return rounded(rate, RATES)


QUANTITIES = [
    Quantity("seconds", "time", in_time, 10),
    Quantity("peak_bytes", "memory", lambda size: in_bytes(int(size)), 4),
    Quantity("flops_per_second", "FLOP/s", in_flops, 10),
    Quantity("share_of_peak", "share of the device’s peak", "{:.1%}".format, 10),
]
DRAWN = QUANTITIES[:2]


def embedded() -> dict[str, dict[str, Any]]:
    """All results at once: readers choose among them without asking for more."""
    return {"recorded": {}}


def trace(inputs: dict[str, Any], folder: Path = RESULTS) -> dict[str, Any]:
    """All results in a folder, those of GPUs first. Raises ValueError if there are none."""
    results = recorded(folder)
    if not results:
        raise ValueError("No results of the benchmark are here.")
    on_gpu = any(result["device"]["type"] == "cuda" for result in results)
    notice = [] if on_gpu else [NO_GPU]
    parts = [(result, dtype) for result in results for dtype in dtypes_of(result)]
    tables = [tables_of(*part) for part in parts]
    charts = [chart(*part, quantity, notice) for part in parts for quantity in DRAWN]
    return {
        "inputs": inputs,
        "matrices": [table for group in tables for table in group],
        "steps": [step(*part, group) for part, group in zip(parts, tables, strict=True)],
        "picture": charts[0]["says"],
        "charts": charts,
    }


def recorded(folder: Path) -> list[dict[str, Any]]:
    """The results in a folder, by the names of their files, GPUs first."""
    found = [json.loads(file.read_text(encoding="utf-8")) for file in sorted(folder.glob("*.json"))]
    return sorted(found, key=lambda result: result["device"]["type"] != "cuda")


def dtypes_of(result: dict[str, Any]) -> list[str]:
    """The dtypes that a result has, in its order."""
    return list(dict.fromkeys(row["dtype"] for row in result["rows"]))


def rows_of(result: dict[str, Any], dtype: str) -> dict[str, dict[int, dict[str, Any]]]:
    """The rows of a dtype by form and by number of tokens."""
    forms: dict[str, dict[int, dict[str, Any]]] = {}
    for row in result["rows"]:
        if row["dtype"] == dtype:
            forms.setdefault(row["form"], {})[row["tokens"]] = row
    return forms


def lengths_of(result: dict[str, Any]) -> list[int]:
    """All numbers of tokens, the smallest first."""
    return sorted({row["tokens"] for row in result["rows"]})


# Tables


def tables_of(result: dict[str, Any], dtype: str) -> list[Matrix]:
    """Each quantity that is known as a table: forms in rows, numbers of tokens in columns."""
    lengths, forms = lengths_of(result), rows_of(result, dtype)
    found = [(quantity, values_of(forms, lengths, quantity)) for quantity in QUANTITIES]
    return [
        matrix(
            f"{result['device']['name']}, {dtype}, {quantity.name}",
            "by tokens",
            values,
            list(forms),
            [f"{tokens:,}" for tokens in lengths],
            show=partial(shown, quantity),
        )
        for quantity, values in found
        if not np.isnan(values).all()
    ]


def values_of(forms: dict[str, Any], lengths: list[int], quantity: Quantity) -> Array:
    """[forms, lengths]: a quantity, NaN where it was not measured."""
    rows = [
        [forms[form].get(tokens, {}).get(quantity.key, math.nan) for tokens in lengths]
        for form in forms
    ]
    return np.array(rows, dtype=np.float64)


def shown(quantity: Quantity, x: float) -> str:
    """A number of a table; a dash where nothing was measured."""
    return "–" if math.isnan(x) else quantity.written(x)


def step(result: dict[str, Any], dtype: str, tables: list[Matrix]) -> Step:
    """The tables of a dtype under their heading; the first of a device says where they are from."""
    origin = [source(result)] if dtype == dtypes_of(result)[0] else []
    return Step(
        key=f"{result['device']['name']}-{dtype}",
        title=f"{result['device']['name']}, {dtype}",
        says=" ".join([*origin, *ends(result, dtype)]),
        takes=[],
        makes=[table["name"] for table in tables],
    )


def ends(result: dict[str, Any], dtype: str) -> list[str]:
    """A sentence for each reason why forms of a dtype were not measured, or not further."""
    named: dict[str, list[str]] = {}
    for one in result["left_out"]:
        if one["dtype"] == dtype:
            named.setdefault(end(one), []).append(one["form"])
    return [f"{how}: {', '.join(forms)}." for how, forms in named.items()]


def end(one: dict[str, Any]) -> str:
    """Why a form ends, and where."""
    if one["because"] == "refused":
        return f"Refused (“{one['reason']}”)"
    return f"Left out from {one['tokens']:,} tokens on ({one['reason']})"


def source(result: dict[str, Any]) -> str:
    """Where, when and of what the numbers are."""
    device, shape = result["device"], result["shape"]
    on = [device["name"], f"{device['threads']} threads"]
    if device["type"] == "cuda":
        on = [device["name"], f"driver {device['driver']}", f"CUDA {device['cuda']}"]
    on += [f"PyTorch {device['torch']}", day(result["date"])]
    sizes = ", ".join(f"{name}\u00a0=\u00a0{size}" for name, size in shape.items())
    return f"Forward only, {sizes}. Measured on {', '.join(on)}.{busy(device)}"


def busy(device: dict[str, Any]) -> str:
    """A sentence if other programs wanted more of the CPU than it has."""
    if device["type"] == "cuda" or (device["load"] or 0) <= device["threads"]:
        return ""
    return (
        f" Other programs were running there (load {device['load']:g} for {device['threads']} "
        "threads): times are longer than on a machine at rest."
    )


def day(written: str) -> str:
    """A date as it is read.

    >>> day("2026-03-01")
    '1 March 2026'
    """
    when = date.fromisoformat(written)
    return f"{when.day} {when:%B %Y}"


# The chart


def chart(
    result: dict[str, Any], dtype: str, quantity: Quantity, notice: list[str]
) -> dict[str, Any]:
    """A line for each form, the ticks of both axes, and the whole in words."""
    forms, lengths = rows_of(result, dtype), lengths_of(result)
    values = values_of(forms, lengths, quantity)
    said = [told(forms, dtype, quantity), *ends(result, dtype), source(result)]
    return {
        "device": result["device"]["name"],
        "dtype": dtype,
        "quantity": quantity.name,
        "says": "\n".join([*said, *notice]),
        "lengths": lengths,
        "ticks": [[x, quantity.written(x)] for x in ticks(values, quantity.step)],
        "lines": [
            {"form": form, "values": [None if math.isnan(x) else x for x in row]}
            for form, row in zip(forms, values.tolist(), strict=True)
        ],
    }


def ticks(values: Array, base: float) -> list[float]:
    """A few powers of a base, around all values that are there.

    >>> ticks(np.array([0.02, 3.0, np.nan]), 10)
    [0.01, 0.1, 1.0, 10.0]
    """
    powers = np.log(values[~np.isnan(values)]) / math.log(base)
    lowest = math.floor(powers.min())
    highest = max(math.ceil(powers.max()), lowest + 1)
    stride = math.ceil((highest - lowest) / (MOST_TICKS - 1))
    return [float(base) ** power for power in range(lowest, highest + stride, stride)]


def told(forms: dict[str, Any], dtype: str, quantity: Quantity) -> str:
    """What the lines are at the last number of tokens that they share, and what PyTorch runs."""
    shared = max(set.intersection(*[set(rows) for rows in forms.values()]))
    each = ", ".join(
        f"{form} {quantity.written(rows[shared][quantity.key])}" for form, rows in forms.items()
    )
    return f"{shared:,} tokens in {dtype}, {quantity.name}: {each}. {chosen(forms)}"


def chosen(forms: dict[str, Any]) -> str:
    """Which form scaled_dot_product_attention runs by itself, and where if that changes."""
    at = {form: [t for t, row in rows.items() if row["chosen"]] for form, rows in forms.items()}
    runs = {form: lengths for form, lengths in at.items() if lengths}
    if len(runs) == 1:
        return f"Left to choose, PyTorch runs {next(iter(runs))}."
    parts = [f"{form} at {', '.join(f'{t:,}' for t in where)}" for form, where in runs.items()]
    return f"Left to choose, PyTorch runs {' and '.join(parts)} tokens."
