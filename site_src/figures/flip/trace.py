"""How “it” looks at two nouns under either last word: the same in one layer, turned in two."""

from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import matrix, number
from snippets.flip import in_layer_1, in_layer_2, preference, random_layer
from snippets.pronoun_model import trained
from snippets.pronouns import sentence

LAST_WORDS = ["tired", "wide"]
NOUNS = ["animal", "street"]
SENTENCES = [sentence("animal", "cross", "street", last) for last in LAST_WORDS]
UNTRAINED = 4  # layers that a page answers without Python


class Inputs(TypedDict):
    """Which first layer: 0 is the trained one, others are untrained, each from its seed."""

    layer: int


def embedded() -> dict[str, Inputs]:
    """The trained layer, and some that nobody trained."""
    return {str(layer): Inputs(layer=layer) for layer in range(UNTRAINED + 1)}


def trace(inputs: Inputs) -> dict[str, Any]:
    """Weights and their ratios. Raises ValueError for a layer that cannot be."""
    layer = inputs.get("layer")
    if not isinstance(layer, int) or not 0 <= layer < 2**31:
        raise ValueError("The layers are numbered: 0, 1, 2, …")
    parameters = random_layer(layer) if layer else trained()
    first = [in_layer_1(parameters, words) for words in SENTENCES]
    tables = {"layer 1": first}
    if not layer:
        tables["layer 2"] = [in_layer_2(parameters, words) for words in SENTENCES]
    ratios = {
        name: [float(preference(a, words)) for a, words in zip(pair, SENTENCES, strict=True)]
        for name, pair in tables.items()
    }
    return {
        "inputs": inputs,
        "matrices": [shares(name, pair) for name, pair in tables.items()],
        "steps": [
            Step(
                key="shares",
                title="Attention of “it” to the two nouns",
                says="A row for each last word. The rest of each row goes to the other words.",
                takes=[],
                makes=list(tables),
            )
        ],
        "picture": told(layer, ratios),
        "ratios": {name: [short(ratio) for ratio in pair] for name, pair in ratios.items()},
    }


def shares(name: str, pair: list[Any]) -> Any:
    """The weights of “it” on both nouns, a row for each sentence."""
    it, places = SENTENCES[0].index("it"), [SENTENCES[0].index(noun) for noun in NOUNS]
    table = np.array([a[it, places] for a in pair])
    rows = [f"… too {last}" for last in LAST_WORDS]
    return matrix(name, "“it” →", table.round(6), rows, NOUNS, symbol="weights", show=small)


def small(share: float) -> str:
    """A share with two digits that count.

    >>> small(0.9996), small(0.0312), small(0.00041)
    ('1', '0.031', '0.00041')
    """
    return number(float(f"{share:.2g}"), 6)


def short(ratio: float) -> str:
    """A log-ratio with its sign.

    >>> short(-3.1762), short(11.7)
    ('−3.176', '+11.700')
    """
    return f"{ratio:+.3f}".replace("-", "−")


def told(layer: int, ratios: dict[str, list[float]]) -> str:
    """What the picture shows, in words."""
    tired, wide = ratios["layer 1"]
    which = "this untrained" if layer else "the first"
    same = f"In {which} layer the log-ratio of animal to street is {short(tired)} under both words"
    assert abs(tired - wide) < 1e-9
    if layer:
        return f"{same}. No head of a first layer can turn “it” round."
    flipped = [short(ratio) for ratio in ratios["layer 2"]]
    return f"{same}; in the second it is {flipped[0]} for tired and {flipped[1]} for wide."
