"""How the pronoun model learns: stochastic gradient descent with momentum, or Adam, from a seed.

`python -m snippets.pronoun_training` learns it anew and writes snippets/pronoun_weights.py.
"""

from itertools import islice
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from snippets.pronoun_gradients import loss_and_gradients
from snippets.pronoun_model import accuracy
from snippets.pronouns import VOCABULARY, encode, filled, frames, kept_back_sentences

D = 16  # of a word's vector, of queries and of keys
STEPS = 1500
BATCH = 64


def fresh(rng, layers=2):
    """Parameters before learning: 46 words and five matrices, 2,016 numbers in all.

    The queries and keys of layer 1 start small, so every word reads all others alike at first.

    >>> sum(table.size for table in fresh(np.random.default_rng(0)).values())
    2016
    """
    parameters = {"E": rng.normal(0, 0.5, (len(VOCABULARY), D))}
    for name in ["W_q1", "W_k1", "W_v1", "W_q2", "W_k2"][0 if layers == 2 else 3 :]:
        small = 0.05 if name in ("W_q1", "W_k1") else 1.0
        parameters[name] = rng.normal(0, small / D**0.5, (D, D))
    return parameters


def learning_rate(step, steps, highest):
    """The size of a step: 50 steps to warm up, less after 70 in 100.

    >>> [round(learning_rate(step, 1000, 0.3), 2) for step in (0, 49, 699, 700)]
    [0.01, 0.3, 0.3, 0.09]
    """
    return highest * min(1, (step + 1) / 50) * (1 if step < 0.7 * steps else 0.3)


def clipped(gradients, most=1.0):
    """The gradients, made shorter together if they are longer than `most`.

    >>> clipped({"W": np.array([3.0, 4.0])})["W"].round(1)
    array([0.6, 0.8])
    """
    length = sum((g**2).sum() for g in gradients.values()) ** 0.5
    return {name: g * min(1, most / length) for name, g in gradients.items()}


def momentum(parameters, keep=0.9):
    """An optimizer: a step follows a speed, which keeps nine tenths of itself from step to step.

    Returns a function from the gradients to the directions of a step, both by name.

    >>> directions = momentum({"w": np.zeros(2)})
    >>> [directions({"w": np.array([1.0, -2.0])})["w"].round(2).tolist() for _ in range(2)]
    [[1.0, -2.0], [1.9, -3.8]]
    """
    speed = {name: np.zeros_like(table) for name, table in parameters.items()}

    def directions(gradients):
        for name, g in gradients.items():
            speed[name] = keep * speed[name] + g
        return speed

    return directions


def adam(parameters, keep=0.9, keep_squares=0.999):
    """An optimizer: each number's mean gradient, over the root of its mean square.

    So small gradients make steps as long as large ones do. Like `momentum` in use.

    >>> directions = adam({"w": np.zeros(2)})
    >>> directions({"w": np.array([1.0, -0.002])})["w"].round(2)
    array([ 1., -1.])
    """
    mean = {name: np.zeros_like(table) for name, table in parameters.items()}
    squares = {name: np.zeros_like(table) for name, table in parameters.items()}
    step = 0

    def directions(gradients):
        nonlocal step
        step += 1
        found = {}
        for name, g in gradients.items():
            mean[name] = keep * mean[name] + (1 - keep) * g
            squares[name] = keep_squares * squares[name] + (1 - keep_squares) * g**2
            m, s = mean[name] / (1 - keep**step), squares[name] / (1 - keep_squares**step)
            found[name] = m / (s**0.5 + 1e-8)
        return found

    return directions


# Each with its learning rate.
OPTIMIZERS: dict[str, Any] = {"sgd": (momentum, 0.3), "adam": (adam, 0.03)}


def train(seed=0, steps=STEPS, layers=2, optimizer="sgd", rate=None):
    """Learn: yields the loss and the parameters after each step.

    rate: the highest learning rate, if not the optimizer's own.

    >>> [round(float(loss), 1) for loss, _ in train(steps=2)]
    [2.7, 2.7]
    >>> [round(float(loss), 1) for loss, _ in train(steps=2, layers=1, optimizer="adam")]
    [2.5, 2.4]
    """
    rng = np.random.default_rng(seed)
    parameters = fresh(rng, layers)
    pool = encode([filled(frame, rng) for frame in frames(kept_back=False) for _ in range(8)])
    make, usual = OPTIMIZERS[optimizer]
    directions, highest = make(parameters), usual if rate is None else rate
    return descend(parameters, pool, loss_and_gradients, rng, steps, directions, highest)


def descend(parameters, pool, loss_and_gradients, rng, steps, directions, highest):
    """Gradient descent, a batch at a time: yields loss and parameters after each step.

    The parameters are one dictionary, changed by the next step. Weight decay is part of the
    gradient (L2), so Adam divides it too; AdamW would not.

    pool: arrays [sentences, …] to draw batches from. loss_and_gradients: a function of the
    parameters and of such a batch. directions: an optimizer's. highest: the learning rate.

    >>> def bowl(parameters, x):
    ...     return (parameters["w"] ** 2).sum(), {"w": 2 * parameters["w"]}
    >>> pool, rng = (np.zeros((1, 1)),), np.random.default_rng(0)
    >>> start = {"w": np.ones(2)}
    >>> *_, (loss, _) = descend(start, pool, bowl, rng, 100, momentum(start), 0.3)
    >>> loss < 0.01
    np.True_
    """
    for step in range(steps):
        picked = rng.integers(len(pool[0]), size=BATCH)
        loss, gradients = loss_and_gradients(parameters, *(part[picked] for part in pool))
        decayed = {name: g + 3e-4 * parameters[name] for name, g in gradients.items()}
        size = learning_rate(step, steps, highest)
        for name, direction in directions(clipped(decayed)).items():
            parameters[name] = parameters[name] - size * direction
        yield loss, parameters


class Report(NamedTuple):
    """How far a training has come."""

    step: int
    losses: list[float]  # of each step since the last report
    accuracy: float  # in sentences that were kept back
    model: dict[str, np.ndarray]  # the parameters, as they are now


def reports(training, every):
    """A report each so many steps of a training.

    >>> for report in reports(train(steps=4), every=2):
    ...     print(report.step, np.round(report.losses, 1))
    2 [2.7 2.7]
    4 [2.6 2.7]
    """
    new, step = kept_back_sentences(), 0
    while steps := list(islice(training, every)):
        step += len(steps)
        model = dict(steps[-1][1])
        yield Report(step, [float(loss) for loss, _ in steps], accuracy(model, new), model)


def written(parameters, name="THOUSANDTHS"):
    """The parameters as the text of a Python file, in thousandths.

    >>> " 500 -250" in written({"E": np.array([[0.5, -0.25]])})
    True
    """
    lines = ['"""What a model has learned, in thousandths: written by its training."""']
    lines += ["", f"{name} = {{"]
    for part, table in parameters.items():
        rows = [" ".join(f"{x:4d}" for x in row) for row in in_thousandths(table)]
        lines += [f'    "{part}": """', *rows, '""",']
    return "\n".join([*lines, "}", ""])


def in_thousandths(table):
    """A table of whole numbers, a thousand times those of another.

    >>> in_thousandths(np.array([[0.5004, -0.25]]))
    [[500, -250]]
    """
    return np.rint(table * 1000).astype(int).tolist()


if __name__ == "__main__":
    *_, (loss, learned) = train()
    Path(__file__).with_name("pronoun_weights.py").write_text(written(learned), encoding="utf-8")
    print(
        f"loss {loss:.4f}, right in {accuracy(learned, kept_back_sentences()):.1%} of new sentences"
    )
