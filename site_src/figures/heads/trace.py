"""Three heads of one layer on one sentence, each trained for a question of its own."""

from typing import Any

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import fixed, matrix
from site_src.figures.sentence.trace import Inputs, embedded, largest, parts_of
from snippets.three_heads import QUESTIONS, heads_of, questions, trained_heads

__all__ = ["embedded", "trace"]  # the sentences of the sentence figure

TITLES = {
    "reference": "What does “it” mean?",
    "grammar": "Who is it that the verb speaks of?",
    "neighbour": "Which word came before?",
}
TRAINED = {
    "reference": "Only the row of “it” was trained.",
    "grammar": "Only the row of the verb was trained.",
    "neighbour": "Every row was trained; the first word points at itself.",
}


def trace(inputs: Inputs) -> dict[str, Any]:
    """The weights of all heads. Raises ValueError for a sentence of another kind."""
    words = inputs.get("words")
    is_words = isinstance(words, list) and all(isinstance(word, str) for word in words)
    parts_of(words if is_words else [])
    *_, asked = questions([words])
    weights = heads_of(trained_heads(), words)
    queries, keys = [[f"{axis}: {word}" for word in words] for axis in ("query", "key")]
    drawn = [
        matrix(name, "weights", head.round(4), queries, keys, symbol="weights", show=fixed)
        for name, head in zip(QUESTIONS, weights, strict=True)
    ]
    it = words.index("it")
    return {
        "inputs": inputs,
        "matrices": drawn,
        "steps": steps(),
        "picture": f"In the head “reference”, “it” attends to {largest(words, weights[0, it])}.",
        "asked": [np.flatnonzero(rows).tolist() for rows in asked[0]],
        "code": f"words = {words}\n",
    }


def steps() -> list[Step]:
    """A head after the other."""
    return [
        Step(
            key=name,
            title=f"{name.capitalize()}: {TITLES[name]}",
            says=f"{TRAINED[name]} Each row adds up to 1 (before rounding).",
            takes=[],
            makes=[name],
        )
        for name in QUESTIONS
    ]
