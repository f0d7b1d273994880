"""A sentence in the pronoun model: what each word reads in layer 1, where it points in layer 2."""

import re
from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import fixed, matrix
from snippets.pronoun_model import both_layers, trained
from snippets.pronouns import (
    CREATURES,
    OF_CREATURES,
    OF_WAYS,
    TIMES,
    VERBS,
    WAYS,
    is_kept_back,
    right_noun,
    sentence,
)


class Inputs(TypedDict):
    """The words of the sentence."""

    words: list[str]


class Part(TypedDict):
    """A part of the sentence: a fixed word, or a slot with a name and what may stand in it."""

    slot: str
    value: str
    options: list[str]


STEPS = [
    Step(
        key="layer-1",
        title="What each word reads",
        says="Each row adds up to 1 (before rounding).",
        takes=[],
        makes=["layer 1"],
    ),
    Step(
        key="layer-2",
        title="Where each word points",
        says="Only the row of “it” was trained; the others mean nothing.",
        takes=[],
        makes=["layer 2"],
    ),
]


def one_of(words: list[str]) -> str:
    """A pattern for one of some words."""
    return f"({'|'.join(words)})"


NOUN, ADJECTIVE = one_of(CREATURES + WAYS), one_of(OF_CREATURES + OF_WAYS)
PATTERN = re.compile(
    f"(?:{one_of(TIMES)} )?the (?:{ADJECTIVE} )?{NOUN} didn't {one_of(VERBS)} "
    f"the (?:{ADJECTIVE} )?{NOUN} because it was too {ADJECTIVE}"
)
SLOTS = ["time", "first adjective", "first noun", "verb"]
SLOTS += ["second adjective", "second noun", "last word"]


def embedded() -> dict[str, Inputs]:
    """The sentence with either last word."""
    return {
        last: Inputs(words=sentence("animal", "cross", "street", last))
        for last in ("tired", "wide")
    }


def trace(inputs: Inputs) -> dict[str, Any]:
    """Both layers' weights. Raises ValueError for a sentence that is not of the model's kind."""
    words = inputs.get("words")
    is_words = isinstance(words, list) and all(isinstance(word, str) for word in words)
    parts = parts_of(words if is_words else [])
    answer = right_noun(words)
    first, second = both_layers(trained(), words)
    queries, keys = [[f"{axis}: {word}" for word in words] for axis in ("query", "key")]
    drawn = [
        matrix(name, title, weights.round(4), queries, keys, symbol="weights", show=fixed)
        for name, title, weights in (
            ("layer 1", "weights", first),
            ("layer 2", "weights", second),
        )
    ]
    it = words.index("it")
    return {
        "inputs": inputs,
        "matrices": drawn,
        "steps": STEPS,
        "picture": told(words, it, first[it], second[it]),
        "verdict": verdict(words, int(second[it].argmax()), answer),
        "parts": parts,
        "it": it,
        "code": f"words = {words}\n",
    }


def parts_of(words: list[str]) -> list[Part]:
    """The sentence as fixed words and slots."""
    sentence_of = " ".join(words)
    match = PATTERN.fullmatch(sentence_of) if sentence_of.split() == words else None
    slots = dict(zip(SLOTS, match.groups(default="") if match else [], strict=False))
    if not match or (slots["first noun"] in CREATURES) == (slots["second noun"] in CREATURES):
        raise ValueError(
            "The model knows one kind of sentence only: “the animal didn't cross the street "
            "because it was too tired”, with a creature and a way, from its 46 words."
        )
    order = ["time", "the", "first adjective", "first noun", "didn't", "verb", "the"]
    order += ["second adjective", "second noun", "because", "it", "was", "too", "last word"]
    return [
        Part(slot=name, value=slots[name], options=options(name, slots))
        if name in slots
        else Part(slot="", value=name, options=[])
        for name in order
    ]


def options(slot: str, slots: dict[str, str]) -> list[str]:
    """What may stand in a slot; "" for nothing."""
    match slot.split():
        case ["time"]:
            return ["", *TIMES]
        case ["verb"]:
            return VERBS
        case ["last", "word"]:
            return OF_CREATURES + OF_WAYS
        case [which, "noun"]:
            return CREATURES if slots[f"{which} noun"] in CREATURES else WAYS
        case [which, _]:
            return ["", *(OF_CREATURES if slots[f"{which} noun"] in CREATURES else OF_WAYS)]
    raise ValueError(slot)


def told(words: list[str], it: int, first: Any, second: Any) -> str:
    """The row of "it" in words, as the view says it of any row."""
    return (
        f"“{words[it]}” reads {largest(words, first)} in layer 1, "
        f"and points at {largest(words, second)} in layer 2."
    )


def largest(words: list[str], shares: Any, most: int = 3) -> str:
    """The largest shares of a row, in words.

    >>> largest(["a", "b", "c"], np.array([0.2, 0.795, 0.005]))
    'b (80%), a (20%)'
    >>> largest(["a", "b"], np.array([-3.0, 0.0]))
    'no word with 1% or more'
    """
    order = [int(place) for place in np.argsort(-shares)[:most]]
    told = [f"{words[n]} ({int(shares[n] * 100 + 0.5)}%)" for n in order if shares[n] >= 0.01]
    return ", ".join(told) or "no word with 1% or more"


def verdict(words: list[str], pointed: int, answer: int) -> str:
    """Whether it points at the right noun, and whether the sentence is news to the model."""
    noun, last = words[answer], words[-1]
    right = "which fits" if pointed == answer else f"which is wrong: “{noun}” fits"
    nouns = [word for word in words if word in CREATURES + WAYS]
    news = [one for one in nouns if is_kept_back(one, last)]
    known = (
        f" The model learned from no sentence with both “{news[0]}” and “{last}”." if news else ""
    )
    return f"“it” points at “{words[pointed]}”, {right} “{last}”.{known}"
