"""How the pronoun model learns: stochastic gradient descent with momentum, from a seed.

`python -m snippets.pronoun_training` learns it anew and writes snippets/pronoun_weights.py.
"""

from pathlib import Path

import numpy as np

from snippets.pronoun_gradients import loss_and_gradients
from snippets.pronoun_model import accuracy
from snippets.pronouns import VOCABULARY, encode, filled, frames, kept_back_sentences

D = 16  # of a word's vector, of queries and of keys
STEPS = 1500
BATCH = 64
RATE = 0.3


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


def rate(step, steps):
    """The learning rate: 50 steps to warm up, less after 70 in 100.

    >>> [round(rate(step, 1000), 2) for step in (0, 49, 699, 700)]
    [0.01, 0.3, 0.3, 0.09]
    """
    return RATE * min(1, (step + 1) / 50) * (1 if step < 0.7 * steps else 0.3)


def clipped(gradients, most=1.0):
    """The gradients, made shorter together if they are longer than `most`.

    >>> clipped({"W": np.array([3.0, 4.0])})["W"].round(1)
    array([0.6, 0.8])
    """
    length = sum((g**2).sum() for g in gradients.values()) ** 0.5
    return {name: g * min(1, most / length) for name, g in gradients.items()}


def train(seed=0, steps=STEPS, layers=2):
    """Learn: yields the loss and the parameters after each step.

    >>> losses = [loss for loss, _ in train(steps=2)]
    >>> [round(float(loss), 1) for loss in losses]
    [2.7, 2.7]
    """
    rng = np.random.default_rng(seed)
    parameters = fresh(rng, layers)
    pool = encode([filled(frame, rng) for frame in frames(kept_back=False) for _ in range(8)])
    return descend(parameters, pool, loss_and_gradients, rng, steps)


def descend(parameters, pool, loss_and_gradients, rng, steps):
    """Stochastic gradient descent with momentum: yields loss and parameters after each step.

    pool: arrays [sentences, …] to draw batches from. loss_and_gradients: a function of the
    parameters and of such a batch.

    >>> def bowl(parameters, x):
    ...     return (parameters["w"] ** 2).sum(), {"w": 2 * parameters["w"]}
    >>> pool, rng = (np.zeros((1, 1)),), np.random.default_rng(0)
    >>> *_, (loss, _) = descend({"w": np.ones(2)}, pool, bowl, rng, 100)
    >>> loss < 0.01
    np.True_
    """
    speed = {name: np.zeros_like(table) for name, table in parameters.items()}
    for step in range(steps):
        picked = rng.integers(len(pool[0]), size=BATCH)
        loss, gradients = loss_and_gradients(parameters, *(part[picked] for part in pool))
        decayed = {name: g + 3e-4 * parameters[name] for name, g in gradients.items()}
        for name, g in clipped(decayed).items():
            speed[name] = 0.9 * speed[name] + g
            parameters[name] = parameters[name] - rate(step, steps) * speed[name]
        yield loss, parameters


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
