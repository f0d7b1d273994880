"""One word's way: its row of X becomes query, key and value; then its query meets all keys."""

from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step, calculate
from site_src.figures.matrices import Matrix, fixed, matrix, products, source
from snippets import three_words


class Inputs(TypedDict):
    """Which word is followed."""

    words: list[str]
    word: str


STEPS = [
    Step(
        key="row",
        title="Take the word’s row of X",
        says="The list of numbers that stands for this word.",
        takes=[],
        makes=["x"],
    ),
    Step(
        key="vectors",
        title="Three matrices make three vectors of it",
        says="Query: what am I looking for? Key: what do I offer? Value: what do I pass on?",
        takes=["x", "W_q", "W_k", "W_v"],
        makes=["q", "k", "v"],
    ),
    Step(
        key="scores",
        title="The query meets all keys",
        says="Each word has a key. The better it fits the query, the larger the score.",
        takes=["q", "K"],
        makes=["scores"],
    ),
    Step(
        key="mixture",
        title="The scores decide how much of each value comes along",
        says="Softmax has made weights of the scores: shares that add up to 1 (before rounding).",
        takes=["weights", "V"],
        makes=["output"],
    ),
]


def embedded() -> dict[str, Inputs]:
    """Each of the three words."""
    return {word: Inputs(words=three_words.words, word=word) for word in three_words.words}


def trace(inputs: Inputs) -> dict[str, Any]:
    """The vectors of one word. Raises ValueError for a word that is not there."""
    words, word = three_words.words, inputs["word"]
    if word not in words:
        raise ValueError(f"There is no word “{word}” among {', '.join(words)}.")
    m = calculate(three_words.X, three_words.W_q, three_words.W_k, three_words.W_v, "none")
    return {"inputs": inputs, "matrices": matrices(m, words, word), "steps": STEPS}


def matrices(m: dict[str, Any], words: list[str], word: str) -> list[Matrix]:
    """The word's own vectors as tables of one row, beside the tables that it meets."""
    at = words.index(word)
    keys, one = [f"key: {other}" for other in words], slice(at, at + 1)
    features = [f"x{n}" for n in range(1, m["X"].shape[1] + 1)]
    drawn = [matrix("x", f"the row of “{word}”", m["X"][one], [word], features, symbol="x")]
    for letter, name in zip("qkv", ["query", "key", "value"], strict=True):
        weight, columns = f"W_{letter}", [f"{letter}{n}" for n in (1, 2)]
        drawn.append(matrix(weight, "learned", m[weight], features, columns))
        drawn.append(
            matrix(
                letter,
                f"the {name} of “{word}”",
                m[letter.upper()][one],
                [word],
                columns,
                symbol=letter,
                how=lambda _, j, weight=weight: products(m["X"][at], m[weight][:, j]),  # type: ignore[misc]
                sources=[source("x", "row", "row"), source(weight, "column", "column")],
            )
        )
    row = [f"query: {word}"]
    drawn += [
        matrix("K", "the keys of all words", m["K"], words, ["k1", "k2"], symbol="k"),
        matrix("V", "the values of all words", m["V"], words, ["v1", "v2"], symbol="v"),
        matrix(
            "scores",
            "q · each key",
            m["scores"][one],
            row,
            keys,
            symbol="scores",
            how=lambda _, j: products(m["Q"][at], m["K"][j]),
            sources=[source("q", "row", "row"), source("K", "row", "column")],
        ),
        matrix("weights", "its shares", m["weights"][one], row, keys, symbol="weights", show=fixed),
        matrix(
            "output",
            f"the new vector of “{word}”",
            m["output"][one],
            [word],
            ["o1", "o2"],
            symbol="output",
            show=fixed,
            how=lambda _, j: products(np.asarray(m["weights"][at]), m["V"][:, j]),
            sources=[source("weights", "row", "row"), source("V", "column", "column")],
        ),
    ]
    return drawn
