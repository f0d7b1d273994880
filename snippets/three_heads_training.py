"""How the three heads learn: as the pronoun model does, with the loss of three questions.

`python -m snippets.three_heads_training` learns them anew and writes three_heads_weights.py.
"""

from pathlib import Path

import numpy as np

from snippets.multi_head import merge_heads
from snippets.pronoun_gradients import (
    back_through_layer_1,
    back_through_scores,
    back_to_words,
    gradient_of_matrix,
)
from snippets.pronoun_training import STEPS, D, descend, fresh, momentum, written
from snippets.pronouns import VOCABULARY, filled, frames, kept_back_sentences
from snippets.three_heads import QUESTIONS, accuracies, forward, questions

D_HEAD = 8  # of a head's queries and keys


def loss_and_gradients(parameters, tokens, present, targets, asked):
    """How wrong the heads point, the sum of their mean −log shares, and all gradients of that.

    Shapes as `questions` gives them.

    >>> rng = np.random.default_rng(0)
    >>> batch = questions(["the dog didn't reach the path because it was icy".split()])
    >>> loss, gradients = loss_and_gradients(fresh_heads(rng), *batch)
    >>> round(float(loss), 1), gradients["W_q2"].shape
    (6.8, (16, 24))
    """
    f = forward(parameters, tokens, present)
    share = asked / asked.sum(axis=(0, 2), keepdims=True)  # of the rows that a head is asked for
    right = np.eye(tokens.shape[1])[targets]  # [B, H, T, T], one-hot
    d_s = (f["A2"] - right) * share[..., None]  # of −log softmax
    d_q, d_k = map(merge_heads, back_through_scores(d_s, f["Q2"], f["K2"]))
    d_h, found = back_to_words(parameters, f["h"], {"W_q2": d_q, "W_k2": d_k})
    d_x, of_layer_1 = back_through_layer_1(parameters, f, d_h)
    one_hot = np.eye(len(VOCABULARY))[tokens]  # [B, T, words]
    d_e = gradient_of_matrix(d_h + d_x, one_hot)
    pointed = np.take_along_axis(f["A2"], targets[..., None], axis=-1)[..., 0]  # [B, H, T]
    loss = -(share * np.log(np.where(asked, pointed, 1))).sum()
    return loss, found | of_layer_1 | {"E": d_e}


def fresh_heads(rng):
    """Parameters before learning: as the pronoun model's, with a wider layer 2.

    >>> sum(table.size for table in fresh_heads(np.random.default_rng(0)).values())
    2272
    """
    wide = (D, len(QUESTIONS) * D_HEAD)
    layer_2 = {name: rng.normal(0, D**-0.5, wide) for name in ("W_q2", "W_k2")}
    return fresh(rng) | layer_2


def train(seed=0, steps=STEPS):
    """Learn: yields the loss and the parameters after each step.

    >>> round(float(next(train())[0]), 1)
    7.5
    """
    rng = np.random.default_rng(seed)
    parameters = fresh_heads(rng)
    drawn = [filled(frame, rng) for frame in frames(kept_back=False) for _ in range(8)]
    pool, directions = questions(drawn), momentum(parameters)
    return descend(parameters, pool, loss_and_gradients, rng, steps, directions, 0.3)


if __name__ == "__main__":
    *_, (loss, learned) = train()
    text = written(learned, "HEADS_IN_THOUSANDTHS")
    Path(__file__).with_name("three_heads_weights.py").write_text(text, encoding="utf-8")
    print(f"loss {loss:.4f}, right:", accuracies(learned, kept_back_sentences()))
