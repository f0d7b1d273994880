"""The causal mask on and off: scores, weights and output of the site's examples."""

from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import Array, Matrix, fixed, matrix, number, products, source
from snippets import four_words, three_words
from snippets.attention import attention
from snippets.masks import causal_mask

EXAMPLES = {"three words": three_words, "four words": four_words}
MASKS = ["causal", "none"]
MOST_WORDS = 8
LARGEST_SCORE = 50.0  # e^50 is the largest that is written out


class Inputs(TypedDict):
    """Words with their queries, keys and values, and whether the future is hidden."""

    words: list[str]
    Q: list[list[float]]
    K: list[list[float]]
    V: list[list[float]]
    mask: str


def embedded() -> dict[str, Inputs]:
    """Both examples, with the mask and without."""
    return {
        f"{name}/{mask}": Inputs(
            words=module.words,
            Q=module.Q.tolist(),
            K=module.K.tolist(),
            V=module.V.tolist(),
            mask=mask,
        )
        for name, module in EXAMPLES.items()
        for mask in MASKS
    }


def trace(inputs: Inputs) -> dict[str, Any]:
    """Scores, weights and output. Raises ValueError, in a sentence, for odd inputs."""
    words, q, k, v = checked(inputs)
    hides = inputs.get("mask") != "none"
    may_attend = causal_mask(len(words)) if hides else np.ones((len(words),) * 2, dtype=bool)
    output, weights = attention(q, k, v, may_attend)
    scaled = q @ k.T / q.shape[-1] ** 0.5
    if np.abs(scaled).max() > LARGEST_SCORE:
        raise ValueError(f"With scores beyond ±{LARGEST_SCORE:.0f} there is little left to see.")
    return {
        "inputs": inputs,
        "matrices": matrices(words, may_attend, scaled, weights, v, output),
        "steps": [step(hides)],
        "hidden": (~may_attend).tolist(),
        "code": code(inputs),
    }


def checked(inputs: Inputs) -> tuple[list[str], Array, Array, Array]:
    """The words and their vectors, or a ValueError that says what does not fit."""
    words = inputs.get("words")
    if not isinstance(words, list) or not all(isinstance(word, str) for word in words):
        raise ValueError("words must be a list of strings.")
    if not 1 <= len(words) <= MOST_WORDS:
        raise ValueError(f"This figure shows 1 to {MOST_WORDS} words, not {len(words)}.")
    tables = []
    for name in ("Q", "K", "V"):
        try:
            table = np.asarray(inputs.get(name), dtype=np.float64)
        except (TypeError, ValueError):
            table = np.zeros(0)
        if table.ndim != 2 or len(table) != len(words) or not table.size:
            raise ValueError(f"{name} must be a table with a row for each of {len(words)} words.")
        tables.append(table)
    q, k, v = tables
    return words, q, k, v


def step(hides: bool) -> Step:
    """The one step, with the mask or without."""
    says = (
        "The future is hidden: its scores are −∞."
        if hides
        else "Every word sees all words, also those that come later."
    )
    return Step(
        key="mask",
        title="From scores to weights to output",
        says=f"{says} Each row of weights adds up to 1 (before rounding).",
        takes=["scaled"],
        makes=["weights", "output"],
    )


def matrices(
    words: list[str], may_attend: Array, scaled: Array, weights: Array, v: Array, output: Array
) -> list[Matrix]:
    """The three tables, each number with its sum."""
    queries, keys = [[f"{axis}: {word}" for word in words] for axis in ("query", "key")]

    def one_weight(i: int, j: int) -> str:
        if not may_attend[i, j]:
            return "hidden: e^(−∞) = 0, no share at all"
        terms = [f"e^{number(x, 4)}" for x in scaled[i][may_attend[i]]]
        total = " + ".join(terms)
        share = number(weights[i, j], 4)
        return f"e^{number(scaled[i, j], 4)} ÷ ({total}) = {share}"

    def one_score(i: int, j: int) -> str:
        score = number(scaled[i, j], 4)
        if may_attend[i, j]:
            return f"{score}, as it was: “{words[i]}” may look at “{words[j]}”"
        return f"{score}, hidden: −∞, “{words[j]}” comes after “{words[i]}”"

    drawn = [
        matrix(
            "scaled",
            "scores ÷ √d_k",
            np.where(may_attend, scaled, -np.inf),
            queries,
            keys,
            symbol="scores",
            show=fixed,
            how=one_score,
        ),
        matrix(
            "weights",
            "the shares of each row",
            weights,
            queries,
            keys,
            symbol="weights",
            show=fixed,
            how=one_weight,
            sources=[source("scaled", "row", "row")],
        ),
        matrix(
            "output",
            "weights · V",
            output,
            words,
            [f"o{n}" for n in range(1, v.shape[1] + 1)],
            symbol="output",
            show=fixed,
            how=lambda i, j: products(weights[i], v[:, j]),
            sources=[source("weights", "row", "row")],
        ),
    ]
    drawn[1]["shown"] = [
        [text if seen else "0" for text, seen in zip(*row, strict=True)]
        for row in zip(drawn[1]["shown"], may_attend, strict=True)
    ]
    return drawn


def code(inputs: Inputs) -> str:
    """The inputs as Python."""
    lines = ["import numpy as np", "", f"words = {inputs['words']}"]
    lines += [f"{name} = np.array({inputs[name]})" for name in ("Q", "K", "V")]
    return "\n".join(lines) + "\n"
