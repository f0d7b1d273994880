"""Two layers of attention that say what "it" means, by pointing.

Layer 1 lets every word read the others and adds to each word what it has read. Layer 2 is asked
for one thing only: where the row of "it" points. One head a layer, no MLP, no normalisation.
"""

import numpy as np

from snippets.attention import attention
from snippets.positions import sinusoidal
from snippets.pronoun_weights import THOUSANDTHS
from snippets.pronouns import encode, numbers


def trained():
    """The parameters that were learned, by name.

    >>> trained()["E"].shape
    (46, 16)
    """
    return from_thousandths(THOUSANDTHS)


def from_thousandths(texts):
    """Tables of numbers, by name, from their thousandths as text.

    >>> from_thousandths({"W": "\\n 500 -250\\n 0 1000\\n"})["W"].tolist()
    [[0.5, -0.25], [0.0, 1.0]]
    """
    return {
        name: np.array([line.split() for line in text.split("\n")[1:-1]], dtype=float) / 1000
        for name, text in texts.items()
    }


def embed(parameters, tokens):
    """The vectors of words: a learned one for each, plus half a sinusoid for its place.

    tokens: [..., T], numbers of words. Returns [..., T, D].

    >>> embed({"E": np.ones((3, 4))}, np.array([2, 0])).round(2)
    array([[1.  , 1.5 , 1.  , 1.5 ],
           [1.42, 1.27, 1.  , 1.5 ]])
    """
    e = parameters["E"]
    return e[tokens] + 0.5 * sinusoidal(tokens.shape[-1], e.shape[-1])


def forward(parameters, tokens, present=None, keep=None):
    """All that the model computes for some sentences, by name; A1 and A2 are the weights.

    tokens: [B, T]; present: [B, T], False where a shorter sentence has no word; keep: [B, T], False
    for words that forget what they have read in layer 1. Without "W_q1" there is no layer 1.

    >>> small = {name: np.eye(2) for name in ["E", "W_q1", "W_k1", "W_v1", "W_q2", "W_k2"]}
    >>> forward(small, np.array([[0, 1]]))["A2"].round(2)
    array([[[0.49, 0.51],
            [0.28, 0.72]]])
    """
    mask = None if present is None else present[..., None, :]  # [B, 1, T]: keys that are there
    x = embed(parameters, tokens)  # [B, T, D]
    found = {"x": x, "h": x}
    if "W_q1" in parameters:
        found |= layer_1(parameters, x, mask, keep)
    h = found["h"]
    q, k = h @ parameters["W_q2"], h @ parameters["W_k2"]
    _, a = attention(q, k, h, mask)  # only where it points is used
    return found | {"Q2": q, "K2": k, "A2": a}


def layer_1(parameters, x, mask=None, keep=None):
    """Every word reads the others: h is x plus what was read, by the weights A1.

    Shapes as in `forward`; the mask broadcasts to [B, T, T].

    >>> small = {name: np.eye(2) for name in ["W_q1", "W_k1", "W_v1"]}
    >>> layer_1(small, np.array([[[0.0, 0.0], [2.0, 2.0]]]))["h"].round(2)
    array([[[1.  , 1.  ],
            [3.99, 3.99]]])
    """
    q, k, v = (x @ parameters[name] for name in ("W_q1", "W_k1", "W_v1"))
    read, a = attention(q, k, v, mask)
    kept = read if keep is None else read * keep[..., None]
    return {"Q1": q, "K1": k, "V1": v, "A1": a, "h": x + kept}


def both_layers(parameters, words):
    """The weights of layer 1 and of layer 2 for one sentence, [T, T] each.

    >>> words = "the animal didn't cross the street because it was too tired".split()
    >>> first, second = both_layers(trained(), words)
    >>> words[first[7].argmax()], words[second[7].argmax()]  # the row of "it"
    ('tired', 'animal')
    """
    found = forward(parameters, np.array([numbers(words)]))
    return found["A1"][0], found["A2"][0]


def pointing(parameters, sentences, keep=None):
    """Where the row of "it" points in layer 2, and where it should: shares [B, T], places [B].

    keep: a function of (is_it [B, T]) that gives `keep` of `forward`.

    >>> small = {"E": np.zeros((46, 2)), "W_q2": np.eye(2), "W_k2": np.eye(2)}
    >>> shares, right = pointing(small, ["the dog didn't like the path because it was icy".split()])
    >>> shares.shape, right
    ((1, 10), array([5]))
    """
    tokens, present, it, right = encode(sentences)
    is_it = np.arange(tokens.shape[1]) == it[:, None]  # [B, T]
    kept = None if keep is None else keep(is_it)
    shares = forward(parameters, tokens, present, kept)["A2"]
    return shares[np.arange(len(it)), it], right


def accuracy(parameters, sentences, keep=None):
    """The share of sentences in which "it" points at the right noun more than at any other word.

    >>> small = {"E": np.zeros((46, 2)), "W_q2": np.eye(2), "W_k2": np.eye(2)}
    >>> accuracy(small, ["the dog didn't like the path because it was icy".split()])
    0.0
    """
    shares, right = pointing(parameters, sentences, keep)
    return float((shares.argmax(-1) == right).mean())


def knock_out(parameters, sentences):
    """The accuracy as it is, and if some words forget what they have read in layer 1.

    >>> words = "the dog didn't like the path because it was shy".split()
    >>> list(knock_out(trained(), [words]).values())
    [1.0, 0.0, 1.0]
    """
    return {
        "as it was learned": accuracy(parameters, sentences),
        "if “it” forgets": accuracy(parameters, sentences, keep=lambda is_it: ~is_it),
        "if all others forget": accuracy(parameters, sentences, keep=lambda is_it: is_it),
    }
