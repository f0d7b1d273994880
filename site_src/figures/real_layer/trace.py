"""The heads of one layer of a pretrained encoder side by side, and what each does on average."""

from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import Array, matrix
from site_src.figures.real_heads.trace import drawn, looks, name_of, short
from site_src.figures.real_heads.trace import embedded as sentences
from snippets.head_habits import to_neighbour, to_place

LAYERS = ["1", "2", "3", "4", "5", "6"]
LAST = "tired"  # the sentence's last word


class Inputs(TypedDict):
    """Which layer, from 1 on."""

    layer: str


def embedded() -> dict[str, Inputs]:
    """Every layer; nothing in a build without the model."""
    return {number: Inputs(layer=number) for number in LAYERS if sentences()}


def trace(inputs: Inputs) -> dict[str, Any]:
    """A layer's maps, its clearest head first. Raises ValueError for one that is not there."""
    if inputs.get("layer") not in LAYERS:
        raise ValueError(f"The layers are numbered from 1 to {LAYERS[-1]}.")
    at = LAYERS.index(inputs["layer"])
    words, maps = looks(LAST)
    found = {name: means[at] for name, means in habits(maps).items()}
    table = np.array(list(found.values())).T  # [H, habits]
    names = [name_of((at, head)) for head in range(len(table))]
    clearest = int(table[:, :3].max(axis=-1).argmax())
    notes = {name: note(list(found), row) for name, row in zip(names, table, strict=True)}
    shown = drawn(words, maps[at : at + 1], (0, clearest), at, notes)
    shown["matrices"].append(
        matrix(
            "habits",
            "mean weight",
            table.round(4),
            names,
            list(found),
            symbol="weights",
            show=short,
        )
    )
    shown["steps"].append(
        Step(
            key="habits",
            title="What each head does on average",
            says="The mean over all pieces of the sentence that have such a neighbour.",
            takes=[],
            makes=["habits"],
        )
    )
    return shown | {
        "inputs": inputs,
        "choice": {"key": "layer", "says": "Layer", "options": LAYERS},
    }


def habits(maps: Array) -> dict[str, Array]:
    """What each head gives to whom, on average: [layers, H] each."""
    return {
        "the piece before": to_neighbour(maps, -1),
        "itself": to_neighbour(maps, 0),
        "the piece after": to_neighbour(maps, 1),
        "[CLS]": to_place(maps, 0),
        "[SEP]": to_place(maps, -1),
    }


def note(names: list[str], means: Array) -> str:
    """A head's strongest habit.

    >>> note(["itself", "[CLS]"], np.array([0.25, 0.5]))
    'On average a piece gives 50% to [CLS].'
    """
    most = int(means.argmax())
    return f"On average a piece gives {means[most]:.0%} to {names[most]}."
