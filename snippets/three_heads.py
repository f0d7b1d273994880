"""Three heads side by side, each of which answers a question of its own, by pointing.

The pronoun model with a wider second layer. Reference: what does "it" mean? Grammar: who is it
that the verb speaks of? Neighbour: which word came before? Each head is told the answers to its
question, so what it learns is no surprise; that one layer learns all three side by side is.
"""

import numpy as np

from snippets.attention import attention
from snippets.multi_head import split_heads
from snippets.pronoun_model import embed, from_thousandths, layer_1
from snippets.pronouns import CREATURES, VERBS, WAYS, encode, numbers
from snippets.three_heads_weights import HEADS_IN_THOUSANDTHS

QUESTIONS = ["reference", "grammar", "neighbour"]


def trained_heads():
    """The parameters that were learned, by name.

    >>> trained_heads()["W_q2"].shape  # three heads of 8 numbers each
    (16, 24)
    """
    return from_thousandths(HEADS_IN_THOUSANDTHS)


def forward(parameters, tokens, present=None):
    """All that the model computes, by name; A2 holds the weights of all heads: [B, H, T, T].

    >>> small = {name: np.eye(3) for name in ["E", "W_q1", "W_k1", "W_v1", "W_q2", "W_k2"]}
    >>> forward(small, np.array([[0, 1]]))["A2"].shape
    (1, 3, 2, 2)
    """
    mask = None if present is None else present[..., None, :]  # [B, 1, T]
    x = embed(parameters, tokens)  # [B, T, D]
    found = {"x": x} | layer_1(parameters, x, mask)
    q, k = (split_heads(found["h"] @ parameters[name], len(QUESTIONS)) for name in ("W_q2", "W_k2"))
    _, a = attention(q, k, k, None if mask is None else mask[:, None])
    return found | {"Q2": q, "K2": k, "A2": a}


def questions(sentences):
    """What each head is asked: tokens, present [B, T], targets and asked [B, H, T].

    targets: the place that a word should point at, where the head is asked for that word at all.

    >>> *_, targets, asked = questions(["the dog didn't reach the path because it was icy".split()])
    >>> [(np.flatnonzero(a).tolist(), t[a].tolist()) for a, t in zip(asked[0], targets[0])][:2]
    [([7], [5]), ([3], [1])]
    """
    tokens, present, it, right = encode(sentences)
    places = np.arange(tokens.shape[1])
    verb = np.isin(tokens, numbers(VERBS)).argmax(-1)
    subject = np.isin(tokens, numbers(CREATURES + WAYS)).argmax(-1)  # the first noun
    before = np.broadcast_to(np.maximum(places - 1, 0), tokens.shape)
    rows = (np.broadcast_to(place[:, None], tokens.shape) for place in (right, subject))
    targets = np.stack([*rows, before], axis=1)  # [B, H, T]
    asked = np.stack([places == it[:, None], places == verb[:, None], present], axis=1)
    return tokens, present, targets, asked


def heads_of(parameters, words):
    """The weights of the three heads for one sentence: [H, T, T].

    >>> words = "the animal didn't cross the street because it was too tired".split()
    >>> a = heads_of(trained_heads(), words)
    >>> words[a[0, 7].argmax()], words[a[1, 3].argmax()], words[a[2, 5].argmax()]
    ('animal', 'animal', 'the')
    """
    return forward(parameters, np.array([numbers(words)]))["A2"][0]


def accuracies(parameters, sentences):
    """For each question, the share of asked words that point at the right one.

    >>> words = "the dog didn't reach the path because it was too icy".split()
    >>> accuracies(trained_heads(), [words])
    {'reference': 1.0, 'grammar': 1.0, 'neighbour': 1.0}
    """
    tokens, present, targets, asked = questions(sentences)
    pointed = forward(parameters, tokens, present)["A2"].argmax(-1)  # [B, H, T]
    right = ((pointed == targets) & asked).sum(axis=(0, 2)) / asked.sum(axis=(0, 2))
    return dict(zip(QUESTIONS, right.round(3).tolist(), strict=True))
