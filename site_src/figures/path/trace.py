"""From the first word to the last: the steps in between, and how much arrives."""

from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import matrix, number
from snippets.influence import influence_of_first_word
from snippets.paths import all_linked, chain, steps_to_last

MOST_WORDS = 64
SHOWN = [2, 5, 10, 20, 50]  # lengths in the tables
RADII = [0.7, 0.8, 0.9, 1.0, 1.1, 1.2]
KINDS = ["RNN", "attention"]


class Inputs(TypedDict):
    """The size of the largest eigenvalue of the RNN's recurrent weights."""

    spectral_radius: float


STEPS = [
    Step(
        key="steps",
        title="Steps from the first word to the last",
        says="A column for each length of the sentence, in words.",
        takes=[],
        makes=["steps"],
    ),
    Step(
        key="influence",
        title="Influence of the first word on the last",
        says="Measured by derivatives, as a share of that in a sentence of two words.",
        takes=[],
        makes=["influence"],
    ),
]


def embedded() -> dict[str, Inputs]:
    """Some sizes below and above 1."""
    return {str(radius): Inputs(spectral_radius=radius) for radius in RADII}


def trace(inputs: Inputs) -> dict[str, Any]:
    """Steps and influence for each length from 2 words. Raises ValueError for an odd radius."""
    radius = inputs.get("spectral_radius")
    if not isinstance(radius, int | float) or not 0 < radius <= 2:
        raise ValueError("spectral_radius must be a number above 0 and at most 2.")
    lengths = range(2, MOST_WORDS + 1)
    steps = [
        [steps_to_last(chain(n)) for n in lengths],
        [steps_to_last(all_linked(n)) for n in lengths],
    ]
    influence: Any = influence_of_first_word(MOST_WORDS, radius)
    return {
        "inputs": inputs,
        "matrices": [
            table("steps", steps, "", number),
            table("influence", influence, "on the last word", short),
        ],
        "steps": STEPS,
        "picture": told(steps, influence),
        "lengths": list(lengths),
        "paths": steps,
        "influence": [[float(f"{value:.3g}") for value in row] for row in influence],
        "shown": [[short(value) for value in row] for row in influence],
        "code": f"spectral_radius = {radius}\n",
    }


def table(name: str, rows: Any, title: str, show: Any) -> Any:
    """Some of the lengths as a table."""
    picked = np.array([[row[n - 2] for n in SHOWN] for row in rows], dtype=float)
    return matrix(name, title, picked, KINDS, [f"{n} words" for n in SHOWN], show=show)


def short(value: float) -> str:
    """A share with two digits that count, and a power of ten where it is tiny.

    >>> short(1.0), short(0.0437), short(321.0), short(0.0)
    ('1', '0.044', '320', '0')
    >>> short(1.7e-8), short(1e-12)
    ('2·10⁻⁸', '10⁻¹²')
    """
    if value == 0 or value >= 0.001:
        return f"{float(f'{value:.2g}'):,g}"
    mantissa, exponent = f"{value:.0e}".split("e-")
    power = exponent.lstrip("0").translate(str.maketrans("0123456789", "⁰¹²³⁴⁵⁶⁷⁸⁹"))
    return f"10⁻{power}" if mantissa == "1" else f"{mantissa}·10⁻{power}"


def told(steps: Any, influence: Any, words: int = 20) -> str:
    """What the picture shows of one length at first, as the view says it of any."""
    (in_chain, at_once), (left, share) = (
        [row[words - 2] for row in rows] for rows in (steps, influence)
    )
    return (
        f"From word 1 to word {words}: {in_chain} steps through the RNN, {at_once} step through "
        f"attention. Of word 1’s influence on word 2, {short(left)} reaches word {words} "
        f"through the RNN, {short(share)} through attention."
    )
