"""Every number of a small self-attention, from words to output, with the sum that made it."""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from site_src.figures.matrices import Matrix, bracketed, fixed, matrix, number, products, source
from snippets import four_words, three_words
from snippets.attention import attention, softmax

Array = NDArray[Any]
MOST_WORDS = 8
MOST_COLUMNS = 12
LARGEST_ENTRY = 1e6
LARGEST_EXPONENT = 50.0  # e^50 is the largest that is written out; beyond, the row's peak comes off

MISTAKES = {
    "none": "no mistake",
    "wrong-axis": "softmax over the columns",
    "no-scaling": "no scaling",
    "d_k": "÷ d_k instead of ÷ √d_k",
    "d_model": "÷ √d_model instead of ÷ √d_k",
    "swapped": "Q and K swapped",
    "transposed": "Aᵀ V instead of A V",
    "self-masked": "each word hidden from itself",
    "keys-for-values": "K in place of V",
}


class Inputs(TypedDict):
    """What a reader can change."""

    words: list[str]
    X: list[list[float]]
    W_q: list[list[float]]
    W_k: list[list[float]]
    W_v: list[list[float]]
    mistake: str


class Step(TypedDict):
    """One step: what it takes, what it makes, and a sentence."""

    key: str
    title: str
    says: str
    takes: list[str]
    makes: list[str]


class Trace(TypedDict):
    """What the view draws."""

    inputs: Inputs
    matrices: list[Matrix]
    steps: list[Step]
    mistakes: dict[str, str]
    changed: dict[str, list[list[bool]]]
    verdict: str
    code: str


def examples() -> dict[str, Inputs]:
    """The examples of the site, by name."""
    return {
        name: Inputs(
            words=module.words,
            X=module.X.tolist(),
            W_q=module.W_q.tolist(),
            W_k=module.W_k.tolist(),
            W_v=module.W_v.tolist(),
            mistake="none",
        )
        for name, module in {"three words": three_words, "four words": four_words}.items()
    }


def embedded() -> dict[str, Inputs]:
    """What a page answers without Python: both examples, right and with each mistake."""
    return {
        f"{name}/{mistake}": Inputs(**{**example, "mistake": mistake})
        for name, example in examples().items()
        for mistake in MISTAKES
    }


def trace(inputs: Inputs) -> Trace:
    """All matrices of the calculation. Raises ValueError, in a sentence, for odd inputs."""
    x, w_q, w_k, w_v = checked(inputs)
    drawn = matrices(inputs, calculate(x, w_q, w_k, w_v, inputs["mistake"]))
    found = Trace(
        inputs=inputs,
        matrices=drawn,
        steps=steps(inputs["mistake"]),
        mistakes=MISTAKES,
        changed={},
        verdict="",
        code=code(inputs),
    )
    if inputs["mistake"] != "none":
        right = matrices(inputs, calculate(x, w_q, w_k, w_v, "none"))
        found["changed"] = differences(drawn, right)
        found["verdict"] = verdict(found["changed"], made={m["name"] for m in drawn if m["how"]})
    return found


def differences(drawn: list[Matrix], right: list[Matrix]) -> dict[str, list[list[bool]]]:
    """For each matrix, which numbers come out differently as they are shown."""
    return {
        one["name"]: [
            [a != b for a, b in zip(*rows, strict=True)]
            for rows in zip(one["shown"], other["shown"], strict=True)
        ]
        for one, other in zip(drawn, right, strict=True)
    }


def checked(inputs: Inputs) -> list[Array]:
    """The four input matrices, or a ValueError that says what does not fit."""
    if not isinstance(inputs, dict) or inputs.get("mistake") not in MISTAKES:
        raise ValueError("These are no numbers for this figure.")
    names = ["X", "W_q", "W_k", "W_v"]
    found: list[Array] = []
    for name in names:
        try:
            found.append(np.array(inputs.get(name), dtype=np.float64))
        except (TypeError, ValueError):
            raise ValueError(f"{name} is no table of numbers with rows of one length.") from None
    for name, array in zip(names, found, strict=True):
        if array.ndim != 2 or not array.size:
            raise ValueError(f"{name} must have rows and columns; its shape is {array.shape}.")
        if not np.isfinite(array).all():
            raise ValueError(f"{name} has an entry that is no finite number.")
        if np.abs(array).max() > LARGEST_ENTRY:
            raise ValueError(f"{name} has an entry beyond a million, too long to be drawn.")
        if array.shape[1] > MOST_COLUMNS:
            raise ValueError(f"This figure draws up to {MOST_COLUMNS} columns; {name} has more.")
    x, w_q, w_k, _ = found
    if len(x) > MOST_WORDS:
        raise ValueError(f"This figure draws up to {MOST_WORDS} words; X has {len(x)} rows.")
    words = inputs.get("words")
    if not isinstance(words, list):
        raise ValueError("The words are no list.")
    if len(words) != len(x) or not all(isinstance(word, str) for word in words):
        raise ValueError(f"There are {len(words)} words, but X has {len(x)} rows.")
    for name, array in zip(names[1:], found[1:], strict=True):
        if len(array) != x.shape[1]:
            raise ValueError(
                f"X has {x.shape[1]} columns, so {name} needs as many rows; it has {len(array)}."
            )
    if w_q.shape[1] != w_k.shape[1]:
        raise ValueError(
            f"W_q and W_k need equally many columns; they have {w_q.shape[1]} and {w_k.shape[1]}."
        )
    return found


def calculate(x: Array, w_q: Array, w_k: Array, w_v: Array, mistake: str) -> dict[str, Array]:
    """Every intermediate result; without a mistake, weights and output are attention's own."""
    q, k, v = x @ w_q, x @ w_k, x @ w_v
    scores = k @ q.T if mistake == "swapped" else q @ k.T  # [T, T]
    divisor = {
        "no-scaling": 1.0,
        "d_k": float(q.shape[-1]),
        "d_model": x.shape[-1] ** 0.5,
    }.get(mistake, q.shape[-1] ** 0.5)
    scaled = scores / divisor
    if mistake == "self-masked":
        scaled = np.where(np.eye(len(x), dtype=bool), -np.inf, scaled)
    axis = -2 if mistake == "wrong-axis" else -1
    weights = softmax(scaled, axis=axis)
    output = (weights.T if mistake == "transposed" else weights) @ (
        k if mistake == "keys-for-values" and k.shape == v.shape else v
    )
    if mistake == "none":
        output, weights = attention(q, k, v)
    peak = scaled.max(axis, keepdims=True)
    large = np.isfinite(peak) & (np.abs(peak) > LARGEST_EXPONENT)
    taken_off = np.broadcast_to(np.where(large, peak, 0), scaled.shape)
    exponents = scaled - taken_off
    exponentials = np.exp(exponents)
    found = {"X": x, "W_q": w_q, "W_k": w_k, "W_v": w_v, "Q": q, "K": k, "V": v}
    found |= {"scores": scores, "scaled": scaled, "exponents": exponents, "taken off": taken_off}
    found |= {"exponentials": exponentials, "sums": exponentials.sum(axis, keepdims=True)}
    return found | {"weights": weights, "output": output, "divisor": np.array(divisor)}


def matrices(inputs: Inputs, m: dict[str, Array]) -> list[Matrix]:
    """The results as matrices with labels and explanations."""
    words, mistake = inputs["words"], inputs["mistake"]
    features = [f"x{n}" for n in range(1, m["X"].shape[1] + 1)]
    q_names, k_names = (["query: " + w for w in words], ["key: " + w for w in words])
    d_k = m["Q"].shape[1]
    drawn = [matrix("X", "the words", m["X"], words, features, symbol="x", editable=True)]
    for letter in "qkv":
        name, weight = letter.upper(), m[f"W_{letter}"]
        columns = [f"{letter}{n}" for n in range(1, weight.shape[1] + 1)]
        title = {"q": "asks", "k": "offers", "v": "passes on"}[letter]
        drawn.append(matrix(f"W_{letter}", "learned", weight, features, columns, editable=True))
        drawn.append(projection(m, name, f"what each word {title}", words, columns))
    left, right = ("K", "Q") if mistake == "swapped" else ("Q", "K")
    divided = {"no-scaling": "1", "d_k": str(d_k), "d_model": f"√{m['X'].shape[1]}"}.get(
        mistake, f"√{d_k}"
    )
    drawn.append(
        matrix(
            "scores",
            f"{left} {right}ᵀ",
            m["scores"],
            q_names,
            k_names,
            symbol="scores",
            how=lambda i, j: products(m[left][i], m[right][j]),
            sources=[source(left, "row", "row"), source(right, "row", "column")],
        )
    )
    drawn.append(
        matrix(
            "scaled",
            f"scores ÷ {divided}",
            m["scaled"],
            q_names,
            k_names,
            symbol="scores",
            show=fixed,
            how=lambda i, j: (
                f"{number(m['scores'][i, j])} ÷ {divided} = "
                f"{number(m['scores'][i, j] / float(m['divisor']), 4)}"
                + (", hidden: −∞" if np.isinf(m["scaled"][i, j]) else "")
            ),
            sources=[source("scores", "cell", "cell")],
        )
    )
    return drawn + shares(m, words, q_names, k_names, mistake)


def projection(
    m: dict[str, Array], name: str, title: str, words: list[str], columns: list[str]
) -> Matrix:
    """Q, K or V: the words times a learned matrix."""
    weight = f"W_{name.lower()}"
    return matrix(
        name,
        title,
        m[name],
        words,
        columns,
        symbol=name.lower(),
        how=lambda i, j: products(m["X"][i], m[weight][:, j]),
        sources=[source("X", "row", "row"), source(weight, "column", "column")],
    )


def shares(
    m: dict[str, Array], words: list[str], q_names: list[str], k_names: list[str], mistake: str
) -> list[Matrix]:
    """From exponentials to the output."""
    over_columns = mistake == "wrong-axis"
    line, lines = ("column", k_names) if over_columns else ("row", q_names)
    sums = m["sums"].reshape(-1, 1)
    values = "K" if mistake == "keys-for-values" and m["K"].shape == m["V"].shape else "V"
    mix = m["weights"].T if mistake == "transposed" else m["weights"]
    letters = [f"o{n}" for n in range(1, m["output"].shape[1] + 1)]

    def one_exponential(i: int, j: int) -> str:
        peak, result = float(m["taken off"][i, j]), number(float(m["exponentials"][i, j]), 4)
        if not peak:
            return f"e^{number(float(m['exponents'][i, j]), 4)} = {result}"
        exponent = f"{number(float(m['scaled'][i, j]), 2)} − {bracketed(round(peak, 2))}"
        return f"e^({exponent}), the largest of the {line} taken off so that it fits, = {result}"

    def one_sum(i: int, _: int) -> str:
        terms = m["exponentials"][:, i] if over_columns else m["exponentials"][i]
        return f"{' + '.join(number(t, 4) for t in terms)} = {number(float(sums[i, 0]), 4)}"

    def one_weight(i: int, j: int) -> str:
        total = float(sums[j if over_columns else i, 0])
        share = number(float(m["weights"][i, j]), 4)
        return f"{number(m['exponentials'][i, j], 4)} ÷ {number(total, 4)} = {share}"

    return [
        matrix(
            "exponentials",
            "e to the power of each",
            m["exponentials"],
            q_names,
            k_names,
            symbol="weights",
            show=fixed,
            how=one_exponential,
            sources=[source("scaled", "cell", "cell")],
        ),
        matrix(
            "sums",
            f"the sum of each {line}",
            sums,
            lines,
            ["sum"],
            symbol="weights",
            show=fixed,
            how=one_sum,
            sources=[source("exponentials", line, "row")],
        ),
        matrix(
            "weights",
            "the shares of each row" if not over_columns else "the shares of each column",
            m["weights"],
            q_names,
            k_names,
            symbol="weights",
            show=fixed,
            how=one_weight,
            sources=[
                source("exponentials", "cell", "cell"),
                source("sums", "row", "column" if over_columns else "row"),
            ],
        ),
        matrix(
            "output",
            f"weights · {values}",
            m["output"],
            words,
            letters,
            symbol="output",
            show=fixed,
            how=lambda i, j: products(mix[i], m[values][:, j]),
            sources=[
                source("weights", "column" if mistake == "transposed" else "row", "row"),
                source(values, "column", "column"),
            ],
        ),
    ]


def verdict(changed: dict[str, list[list[bool]]], made: set[str]) -> str:
    """How many of the computed numbers a mistake changes, in a sentence."""
    flags = [flag for name in made for row in changed[name] for flag in row]
    output = [flag for row in changed["output"] for flag in row]
    if not any(flags):
        return "This mistake changes not a single number here: the example cannot show it."
    return (
        f"This mistake changes {sum(flags)} of the {len(flags)} computed numbers, "
        f"{sum(output)} of {len(output)} in the output."
    )


def code(inputs: Inputs) -> str:
    """The inputs as Python."""
    lines = ["import numpy as np", "", f"words = {inputs['words']}"]
    for name in ("X", "W_q", "W_k", "W_v"):
        lines.append(f"{name} = np.array({inputs[name]}, dtype=float)")
    return "\n".join(lines) + "\n"


def steps(mistake: str) -> list[Step]:
    """The steps, with what a mistake makes of them."""
    said = MISTAKEN.get(mistake, {})
    return [Step(**{**step, "says": said.get(step["key"], step["says"])}) for step in STEPS]


# What a step says of itself while a mistake is switched on.
MISTAKEN = {
    "wrong-axis": {
        "exponentials": "A mistake: the columns are added up, where the rows should be.",
        "weights": "A mistake: now each column adds up to 1, and the row of a word does not.",
    },
    "no-scaling": {"scaled": "A mistake: the scores stay as they are."},
    "d_k": {"scaled": "A mistake: divided by d_k itself, the scores become too small."},
    "d_model": {"scaled": "A mistake: what counts is the length of a key, not that of a row of X."},
    "swapped": {"scores": "A mistake: a row should belong to a query, and now belongs to a key."},
    "self-masked": {"scaled": "A mistake: no word may look at itself, its own score is −∞."},
    "transposed": {"output": "A mistake: each word collects by its column, not by its row."},
    "keys-for-values": {"output": "A mistake: the keys are mixed, where the values should be."},
}

STEPS = [
    Step(
        key="words",
        title="Write each word as a row of numbers",
        says="One row of X for each word. Change any number, here or in the next step.",
        takes=[],
        makes=["X"],
    ),
    Step(
        key="projections",
        title="Turn each row into a query, a key and a value",
        says="A row of X times a learned matrix, three times.",
        takes=["X", "W_q", "W_k", "W_v"],
        makes=["Q", "K", "V"],
    ),
    Step(
        key="scores",
        title="Compare each query with each key",
        says="Each score is the dot product of a row of Q with a row of K.",
        takes=["Q", "K"],
        makes=["scores"],
    ),
    Step(
        key="scaled",
        title="Divide by √d_k",
        says="All scores by the same number, so that they do not grow with the length of a key.",
        takes=["scores"],
        makes=["scaled"],
    ),
    Step(
        key="exponentials",
        title="Take exponentials, and add up each row",
        says="Exponentials are positive, and the larger a score, the more it gains.",
        takes=["scaled"],
        makes=["exponentials", "sums"],
    ),
    Step(
        key="weights",
        title="Divide by the sum: attention weights",
        says="Each row adds up to 1 (before rounding): how a word spreads its attention.",
        takes=["exponentials", "sums"],
        makes=["weights"],
    ),
    Step(
        key="output",
        title="Average the values with the weights",
        says="Each row is the new vector of a word.",
        takes=["weights", "V"],
        makes=["output"],
    ),
]
