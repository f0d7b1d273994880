"""All heads of a pretrained encoder: on the page's two sentences, or in the reader's own maps."""

from functools import cache
from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import Array, Matrix, fixed, matrix
from site_src.figures.sentence.trace import largest
from snippets.flip import preference
from snippets.head_habits import turned

SENTENCES = {
    last: f"The animal didn't cross the street because it was too {last}"
    for last in ("tired", "wide")
}
NOUNS = ["animal", "street"]
WAYS = {"with": "turns with the sentence", "against": "turns the other way"}
MOST_PIECES = 40  # what a page can show at once
Place = tuple[int, int]  # of a head: layer, head, from 0 on; what readers see counts from 1 on


class Inputs(TypedDict, total=False):
    """One of the page's sentences by its last word; or a reader's maps, with the words of T."""

    sentence: str
    maps: list[Any]  # [layers, H, T, T]
    words: list[str]


def embedded() -> dict[str, Inputs]:
    """The sentence with either last word; nothing in a build without the model."""
    from site_src.model import original

    return {last: Inputs(sentence=last) for last in SENTENCES if original.stamps()}


def trace(inputs: Inputs) -> dict[str, Any]:
    """The maps of all heads. Raises ValueError, in a sentence, for what are no maps."""
    if "maps" in inputs:
        words, maps = checked(inputs.get("words"), inputs["maps"])
        return {"inputs": {"words": words}} | drawn(words, maps, (0, 0))
    last = inputs.get("sentence")
    if last not in list(SENTENCES):
        raise ValueError("These maps come from a cell: run it to see them.")
    ways = turning()
    notes = {name_of(place): f"It {WAYS[way]}." for place, way in ways.items()}
    shown = drawn(*looks(last), max(ways, key=gap), notes=notes)
    shown["matrices"].append(nouns(ways))
    shown["steps"].append(
        Step(
            key="turning",
            title=f"The {len(ways)} heads that turn",
            says="Weights of “it” on both nouns. Only these heads change their preference.",
            takes=[],
            makes=["turning"],
        )
    )
    return shown | {
        "inputs": {"sentence": last},
        "marks": {name_of(place): [way, WAYS[way]] for place, way in ways.items()},
        "choice": {"key": "sentence", "says": "… it was too", "options": list(SENTENCES)},
    }


# The page's sentences


@cache
def looks(last: str) -> tuple[list[str], Array]:
    """The pieces of a sentence, and the published model's maps."""
    from site_src.model.looks import maps_of

    return maps_of(SENTENCES[last])


def turning() -> dict[Place, str]:
    """The heads whose preference turns with the last word, and which way."""
    tired, wide = (preference(maps, words) for words, maps in map(looks, SENTENCES))
    found = dict.fromkeys(turned(tired, wide), "with")
    return found | dict.fromkeys(turned(wide, tired), "against")


def to_nouns(place: Place) -> Array:
    """The weights of "it" in one head: a row for each sentence, a column for each noun."""
    return np.array(
        [
            maps[place][words.index("it"), [words.index(noun) for noun in NOUNS]]
            for words, maps in map(looks, SENTENCES)
        ]
    )


def gap(place: Place) -> float:
    """How clearly a head prefers the noun that readers take: in the less clear of the sentences."""
    (animal, too_much), (too_little, street) = to_nouns(place)
    return float(min(animal - too_much, street - too_little))


def nouns(ways: dict[Place, str]) -> Matrix:
    """What each head that turns gives to the nouns."""
    return matrix(
        "turning",
        "“it” →",
        np.array([to_nouns(place).ravel() for place in ways]).round(4),
        [f"{name_of(place)}, {WAYS[way]}" for place, way in ways.items()],
        [f"{last}: {noun}" for last in SENTENCES for noun in NOUNS],
        symbol="weights",
        show=short,
    )


# Any maps


def checked(words: Any, maps: Any) -> tuple[list[str], Array]:
    """A reader's variables, if they fit each other."""
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("words must be a list of the words, or pieces, that the maps are about.")
    count = len(words)
    if not 0 < count <= MOST_PIECES:
        raise ValueError(f"This figure shows 1 to {MOST_PIECES} pieces; your words has {count}.")
    try:
        array = np.array(maps, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError("maps must be a table of numbers.") from None
    if array.ndim != 4 or array.shape[2:] != (count, count) or not array.size:
        raise ValueError(
            f"maps must have the axes [layers, H, T, T], with T = {count}, the number of your "
            f"words; its shape is {array.shape}."
        )
    return words, array


def drawn(
    words: list[str],
    maps: Array,
    first: Place,
    above: int = 0,
    notes: dict[str, str] | None = None,
) -> dict[str, Any]:
    """Maps as the view takes them.

    first: the head that is enlarged; above: layers left out; notes: sentences on heads, by name.
    """
    layers, heads = maps.shape[:2]
    names = [name_of((above + layer, head)) for layer in range(layers) for head in range(heads)]
    chosen = first[0] * heads + first[1]
    name = names[chosen]
    it = words.index("it") if "it" in words else 0
    queries, keys = [[f"{axis}: {word}" for word in words] for axis in ("query", "key")]
    large = maps[first].round(3)
    return {
        "words": words,
        "word": it,
        "heads": names,
        "layers": layers,
        "first": chosen,
        "maps": (maps * 1000).round().astype(int).reshape(layers * heads, -1).tolist(),
        "matrices": [matrix("weights", name, large, queries, keys, symbol="weights", show=short)],
        "steps": [
            Step(
                key="head",
                title="The head that is enlarged",
                says="Each row adds up to 1 (before rounding).",
                takes=[],
                makes=["weights"],
            )
        ],
        "notes": notes or {},
        "picture": " ".join(
            [
                f"In {name}, “{words[it]}” attends to {largest(words, large[it])}.",
                *[note for head, note in (notes or {}).items() if head == name],
            ]
        ),
    }


def name_of(place: Place) -> str:
    """A head by its numbers, as readers count.

    >>> name_of((4, 0))
    'layer 5, head 1'
    """
    layer, head = place
    return f"layer {layer + 1}, head {head + 1}"


def short(share: float) -> str:
    """A weight with three decimals: a real head's are small.

    >>> short(0.1153)
    '0.115'
    """
    return fixed(share, 3)
