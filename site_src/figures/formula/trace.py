"""The formula, read from the inside out: each step is one of its parts, on the three words."""

from typing import Any

from site_src.figures.calculation import trace as calculation

FORMULA = (
    r"\operatorname{Attention}(\Q, \K, \V) = \htmlClass{part-output}{"
    r"\htmlClass{part-weights}{\operatorname{softmax}\!\left("
    r"\htmlClass{part-scaled}{\frac{\htmlClass{part-scores}{\Q \K^{\mathsf T}}}{\sqrt{d_k}}}"
    r"\right)} \V}"
)

STEPS = [
    calculation.Step(
        key="scores",
        title="Q Kᵀ compares each query with each key",
        says="n words give an n × n table: a row for each query, a column for each key.",
        takes=["Q", "K"],
        makes=["scores"],
    ),
    calculation.Step(
        key="scaled",
        title="÷ √d_k keeps the scores small",
        says="d_k is how many numbers a key has. Here it is 2, so every score is divided by √2.",
        takes=["scores"],
        makes=["scaled"],
    ),
    calculation.Step(
        key="weights",
        title="softmax turns each row into shares that add up to 1",
        says="It raises e to each scaled score, then divides by the sum of the row.",
        takes=["scaled", "exponentials", "sums"],
        makes=["weights"],
    ),
    calculation.Step(
        key="output",
        title="· V averages the values with these weights",
        says="Each row of the output is the new vector of one word.",
        takes=["weights", "V"],
        makes=["output"],
    ),
]


def embedded() -> dict[str, calculation.Inputs]:
    """Both examples of the site."""
    return calculation.examples()


def trace(inputs: calculation.Inputs) -> dict[str, Any]:
    """The calculation's matrices, in the steps of the formula."""
    drawn = calculation.trace(inputs)
    names = {name for step in STEPS for name in [*step["takes"], *step["makes"]]}
    matrices = [matrix for matrix in drawn["matrices"] if matrix["name"] in names]
    return {"inputs": inputs, "formula": FORMULA, "matrices": matrices, "steps": STEPS}
