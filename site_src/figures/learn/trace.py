"""The pronoun model while it learns: loss, new sentences understood, and both layers' weights.

A training from a seed comes out the same each time. So inputs name a step of it, and how far it has
been carried on already is kept: the next steps take only their own time.
"""

from collections.abc import Iterator
from functools import lru_cache
from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import fixed, matrix
from site_src.figures.sentence.trace import largest
from snippets.pronoun_model import accuracy, forward, knock_out
from snippets.pronoun_training import OPTIMIZERS, Report, fresh, reports, train
from snippets.pronouns import kept_back_sentences, numbers, sentence

STEPS = 400
SEEDS = list(range(10))  # of the slider
SLICE = 20  # steps from one picture to the next
HIGHEST = 10.0  # a loss beyond it is drawn there
SENTENCES = {last: sentence("animal", "cross", "street", last) for last in ("tired", "wide")}
IT = SENTENCES["tired"].index("it")
NEAR = 0.08  # to ln 2, of the median loss of a slice
RATES = {name: rate for name, (_, rate) in OPTIMIZERS.items()}


class Inputs(TypedDict):
    """A training, and a step of it."""

    seed: int
    rate: float
    layers: int
    optimizer: str
    step: int


class Training:
    """A training as far as it has come."""

    def __init__(self, seed: int, rate: float, layers: int, optimizer: str) -> None:
        self.settings = (seed, STEPS, layers, optimizer, rate)
        self.to_come = self.all_to_come()
        untrained = fresh(np.random.default_rng(seed), layers)
        self.so_far = [Report(0, [], accuracy(untrained, kept_back_sentences()), untrained)]

    def all_to_come(self) -> Iterator[Report]:
        """Draws the sentences to learn from, which takes a while, only when the first is asked."""
        yield from reports(train(*self.settings), SLICE)

    def until(self, step: int) -> list[Report]:
        """All reports up to a step."""
        while self.so_far[-1].step < step:
            with np.errstate(divide="ignore"):  # a loss may be infinite at a wild learning rate
                self.so_far.append(next(self.to_come))
        return self.so_far[: step // SLICE + 1]


@lru_cache(maxsize=2)
def training(seed: int, rate: float, layers: int, optimizer: str) -> Training:
    """The training of some settings, begun once."""
    return Training(seed, rate, layers, optimizer)


def embedded() -> dict[str, Inputs]:
    """The usual settings: learned, and before."""
    return {
        name: Inputs(seed=0, rate=RATES["sgd"], layers=2, optimizer="sgd", step=step)
        for name, step in (("learned", STEPS), ("fresh", 0))
    }


def trace(inputs: Inputs) -> dict[str, Any]:
    """Curves, weights and knock-out at a step. Raises ValueError for settings that are none."""
    given: Any = {name: inputs.get(name) for name in Inputs.__annotations__}
    check(**given)
    seed, rate, layers, optimizer, step = given.values()
    so_far = training(seed, rate, layers, optimizer).until(step)
    losses = [round(min(loss, HIGHEST), 3) for report in so_far for loss in report.losses]
    now = so_far[-1]
    maps = {last: weights(now.model, words) for last, words in SENTENCES.items()}
    ended = step == STEPS and layers == 2
    knocked_out = knock_out(now.model, kept_back_sentences()) if ended else {}
    return {
        "inputs": given,
        "matrices": [
            *(drawn(last, name, a) for last, found in maps.items() for name, a in found.items()),
            *([table("knock-out", knocked_out)] if knocked_out else []),
            progress(so_far),
        ],
        "steps": steps(maps, knocked_out, layers),
        "picture": told(so_far, layers) + reading(maps["tired"]),
        "verdict": verdict(now, knocked_out) if step == STEPS else "",
        "losses": losses,
        "accuracies": [round(report.accuracy, 4) for report in so_far],
        "it": IT,
        "rates": RATES,
        "code": code(seed, rate, layers, optimizer),
    }


def check(seed: Any, rate: Any, layers: Any, optimizer: Any, step: Any) -> None:
    """Raise ValueError, in a sentence, for settings that no training has."""
    if type(seed) is not int or seed < 0 or layers not in (1, 2):
        raise ValueError("seed must be a whole number, layers 1 or 2.")
    if type(step) is not int or step not in range(0, STEPS + 1, SLICE):
        raise ValueError(f"step must be one of 0, {SLICE}, {2 * SLICE}, … {STEPS}.")
    if optimizer not in OPTIMIZERS:
        raise ValueError(f"optimizer must be one of: {', '.join(OPTIMIZERS)}.")
    if not isinstance(rate, int | float) or not 0 < rate <= 1:
        raise ValueError("rate must be a number above 0, at most 1.")


def weights(model: dict[str, Any], words: list[str]) -> dict[str, Any]:
    """The weights of each layer that the model has, [T, T], for one sentence."""
    found = forward(model, np.array([numbers(words)]))
    return {f"layer {n}": found[f"A{n}"][0] for n in (1, 2) if f"A{n}" in found}


def drawn(last: str, name: str, a: Any) -> Any:
    """Weights as a table."""
    queries, keys = [[f"{axis}: {word}" for word in SENTENCES[last]] for axis in ("query", "key")]
    title = "reads" if name == "layer 1" else "points"
    named = f"{name}, {last}"
    return matrix(named, title, a.round(3), queries, keys, symbol="weights", show=fixed)


def table(name: str, rows: dict[str, float]) -> Any:
    """Shares as a table of one column."""
    values = np.array([*rows.values()]).reshape(-1, 1).round(4)
    return matrix(name, "", values, list(rows), ["right"], show=percent)


def progress(so_far: list[Report]) -> Any:
    """Loss and accuracy as a table, for those who do not see the curves."""
    shown = so_far[1:]
    rows = np.array([[float(np.median(r.losses)), r.accuracy] for r in shown]).reshape(-1, 2)
    names = [f"step {report.step}" for report in shown]
    return matrix("progress", "", rows.round(3), names, ["loss", "right"], show=fixed)


def steps(maps: dict[str, Any], knocked_out: dict[str, float], layers: int) -> list[Step]:
    """Both sentences, the knock-out, and the curves as numbers."""
    forgets = "How many new sentences are right if words forget what they have read in layer 1."
    waits = "It comes when the training has ended." if layers == 2 else "There is no layer 1."
    return [
        Step(
            key="weights",
            title="What each word reads, and where it points",
            says="Each row adds up to 1 (before rounding). In layer 2 only “it” is trained.",
            takes=[],
            makes=[f"{name}, {last}" for last, found in maps.items() for name in found],
        ),
        Step(
            key="knock-out",
            title="Who carries the adjective?",
            says=forgets if knocked_out else waits,
            takes=[],
            makes=["knock-out"] if knocked_out else [],
        ),
        Step(
            key="progress",
            title="The curves in numbers",
            says=f"The median loss of {SLICE} steps, and how many new sentences are right then.",
            takes=[],
            makes=["progress"],
        ),
    ]


def percent(share: float) -> str:
    """A share in hundredths.

    >>> percent(0.4955), percent(1.0)
    ('50%', '100%')
    """
    return f"{share:.0%}"


def told(so_far: list[Report], layers: int) -> str:
    """How far it has come, in words."""
    now = so_far[-1]
    right = f"{percent(now.accuracy)} of new sentences right."
    if not now.losses:
        return f"Step 0, nothing learned yet: {right}"
    loss = float(np.median(now.losses))
    where = ""
    if abs(loss - np.log(2)) < NEAR and now.accuracy < 0.6:
        where = " On the plateau at ln 2: it points at nouns, and guesses which."
        where += " One layer stays there." if layers == 1 and now.step == STEPS else ""
    return f"Step {now.step} of {STEPS}: loss {fixed(loss, 3)}, {right}{where}"


def reading(found: dict[str, Any]) -> str:
    """The row of “it” in the first sentence."""
    words = SENTENCES["tired"]
    does = {"layer 1": "reads", "layer 2": "points at"}
    said = [f"{does[name]} {largest(words, a[IT])} in {name}" for name, a in found.items()]
    return f" In “… too tired”, “it” {' and '.join(said)}."


def verdict(now: Report, knocked_out: dict[str, float]) -> str:
    """The end of a training: who carries the adjective to layer 2."""
    end = f"Trained: {percent(now.accuracy)} of new sentences right"
    if not knocked_out or now.accuracy < 0.9:
        return f"{end}."
    _, without_it, without_others = knocked_out.values()
    return (
        f"{end}; {percent(without_it)} if “it” forgets what it has read, "
        f"{percent(without_others)} if all others do: {carrier(without_it, without_others)}."
    )


def carrier(without_it: float, without_others: float) -> str:
    """Whose reading counts, by how many sentences are right without it.

    >>> carrier(0.5, 1.0), carrier(1.0, 0.5)
    ('“it” carries the adjective', 'other words carry the adjective')
    """
    if without_it < 0.6 and without_others > 0.9:
        return "“it” carries the adjective"
    if without_others < 0.6 and without_it > 0.9:
        return "other words carry the adjective"
    return "“it” and other words both have a part"


def code(seed: int, rate: float, layers: int, optimizer: str) -> str:
    """The training as Python."""
    given = f'seed={seed}, steps={STEPS}, layers={layers}, optimizer="{optimizer}", rate={rate:g}'
    return (
        "from snippets.pronoun_training import reports, train\n\n"
        f"for report in reports(train({given}), every={SLICE}):\n"
        '    print(f"{report.step:4} {report.losses[-1]:.3f} {report.accuracy:4.0%}")\n'
    )
