"""What attention and recurrence cost, against the number of words; and the table of scores."""

from collections.abc import Callable, Sequence
from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import Matrix, matrix
from snippets import cost

LENGTHS = [2**power for power in range(4, 18)]  # 16 to 131,072 words
WIDTHS = [2**power for power in range(6, 13)]  # 64 to 4,096 numbers a word
SHOWN = [256, 1024, 4096, 16384, 65536]  # lengths in the tables
START = 1024
UNITS = [(10**12, "trillion"), (10**9, "billion"), (10**6, "million")]
BYTES = [(2**30, "GiB"), (2**20, "MiB"), (2**10, "KiB")]

Count = Callable[[int, int], int]
LEADING: dict[str, Count] = {
    "attention": cost.attention_leading_term,
    "RNN": cost.rnn_leading_term,
}
LAYERS: dict[str, Count] = {
    "attention": cost.attention_multiply_adds,
    "RNN": cost.rnn_multiply_adds,
    "LSTM": cost.lstm_multiply_adds,
}


class Inputs(TypedDict):
    """How many numbers a word has."""

    d: int


STEPS = [
    Step(
        key="leading",
        title="Leading terms: n²·d and n·d²",
        says="A column for each number of words, n.",
        takes=[],
        makes=["leading"],
    ),
    Step(
        key="layers",
        title="Whole layers: 4nd² + 2n²d, 2nd² and 8nd² multiply-adds",
        says="With queries, keys, values and what mixes the heads; for the LSTM, with its gates.",
        takes=[],
        makes=["layers"],
    ),
    Step(
        key="table",
        title="The table of scores: n × n numbers",
        says="Of one head, two bytes a number.",
        takes=[],
        makes=["table"],
    ),
]


def embedded() -> dict[str, Inputs]:
    """The lengths of a word's vector that the slider offers."""
    return {str(d): Inputs(d=d) for d in WIDTHS}


def trace(inputs: Inputs) -> dict[str, Any]:
    """Costs for each number of words. Raises ValueError for an odd d."""
    d: Any = inputs.get("d")
    if not isinstance(d, int | float) or not 1 <= d <= WIDTHS[-1] or d != int(d):
        raise ValueError(f"d must be a whole number from 1 to {WIDTHS[-1]:,}.")
    d = int(d)
    leading, layers = (
        {name: [count(n, d) for n in LENGTHS] for name, count in counts.items()}
        for counts in (LEADING, LAYERS)
    )
    sizes = [cost.table_bytes(n, n) for n in [*LENGTHS, 2 * LENGTHS[-1]]]
    return {
        "inputs": Inputs(d=d),
        "matrices": [
            table("leading", "", leading, in_words),
            table("layers", "multiply-adds", layers, in_words),
            table("table", "bytes", {"n × n": sizes}, in_bytes),
        ],
        "steps": STEPS,
        "picture": told(leading, sizes, d),
        "lengths": LENGTHS,
        "leading": leading,
        "layers": layers,
        "told": [[in_words(x) for x in row] for row in [*leading.values(), *layers.values()]],
        "bytes": [in_bytes(size) for size in sizes],
        "code": f"d = {d}\n",
    }


def table(name: str, title: str, rows: dict[str, list[int]], show: Callable[[int], str]) -> Matrix:
    """Some of the lengths as a table."""
    picked = [[row[LENGTHS.index(n)] for n in SHOWN] for row in rows.values()]
    columns = [f"{n:,} words" for n in SHOWN]
    values = np.array(picked, dtype=np.float64)
    return matrix(name, title, values, list(rows), columns, show=lambda x: show(int(x)))


def in_words(count: int) -> str:
    """A count with three digits that matter, and its unit.

    >>> in_words(65_536), in_words(536_870_912), in_words(999_999), in_words(2_072_576_000)
    ('65,536', '537 million', '1 million', '2.07 billion')
    """
    return rounded(count, UNITS) or f"{count:,}"


def in_bytes(size: int) -> str:
    """A size in bytes, in units that double as tables do.

    >>> in_bytes(512), in_bytes(2_097_152), in_bytes(34_359_738_368)
    ('512 bytes', '2 MiB', '32 GiB')
    """
    return rounded(size, BYTES) or f"{size} bytes"


def rounded(value: float, units: Sequence[tuple[float, str]]) -> str:
    """A number with three digits in the largest unit that it reaches, or nothing."""
    for unit, name in units:
        if value >= 0.9995 * unit:
            return f"{float(f'{value / unit:.3g}'):g} {name}"
    return ""


def told(leading: dict[str, list[int]], sizes: list[int], d: int) -> str:
    """What the picture shows at first, as the view says it of any number of words."""
    at = LENGTHS.index(START)
    attention, rnn = (in_words(row[at]) for row in leading.values())
    return (
        f"{START:,} words of {d:,} numbers. n²·d, for attention: {attention}. "
        f"n·d², for an RNN: {rnn}. The table of scores takes {in_bytes(sizes[at])}, "
        f"and four times that, {in_bytes(sizes[at + 1])}, for twice the words."
    )
