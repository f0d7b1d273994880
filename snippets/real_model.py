"""A real model, all-MiniLM-L6-v2, that reads sentences with the attention that you give it.

Its files are opened from a folder. The vectors of the most common pieces of words lie with the
layers; those of all rarer ones come together, when a text first has one. So whoever hosts the
files learns nothing about the text, except whether it has a rarer piece.
"""

from pathlib import Path

import numpy as np

from snippets.attention import attention
from snippets.bert_weights import WORDS, encoder_weights, packed
from snippets.encoder import attend, encoder, sentence_vector
from snippets.masks import padding_mask
from snippets.nine_bits import restore
from snippets.tensor_file import read_tensors
from snippets.word_pieces import tokens, vocabulary_of

FOLDER = ".cache/model"
LIMIT = 512  # tokens, for which the model has positions
EQUAL = 1e-4  # how far two ways to compute a weight may differ in float32


def fetch(name):
    """Bring a file that is not there, or say why not. A page puts its own way here.

    >>> fetch("vocab.txt")
    'is not there; the page on the model links its files'
    """
    return "is not there; the page on the model links its files"


def content(folder, name):
    """The bytes of one of the model's files.

    >>> content("nowhere", "vocab.txt")
    Traceback (most recent call last):
    FileNotFoundError: nowhere/vocab.txt is not there; the page on the model links its files
    """
    path = Path(folder) / name
    if not path.exists() and (problem := fetch(name)):
        raise FileNotFoundError(f"{path.as_posix()} {problem}")
    return path.read_bytes()


def load_model(folder=FOLDER):
    """The model out of its files: "vocabulary", "vectors" of pieces in 9 bits, "weights".

    >>> load_model("nowhere")
    Traceback (most recent call last):
    FileNotFoundError: nowhere/model.safetensors is not there; the page on the model links its files
    """
    tensors = read_tensors(content(folder, "model.safetensors"))
    return {
        "folder": folder,
        "vocabulary": vocabulary_of(content(folder, "vocab.txt").decode()),
        "vectors": packed(tensors, WORDS),
        "weights": encoder_weights(tensors),
    }


def rows_of(numbers, model):
    """The vectors of some pieces, [T, D]; those of rarer pieces come when one is first needed.

    >>> whole, half = np.ones((2, 32), "i1"), np.zeros((2, 4), "u1")
    >>> rows_of([1, 0, 1], {"vectors": (whole, half, np.array([[0.5], [2.0]], "f2"))})[:, 0]
    array([2. , 0.5, 2. ], dtype=float32)
    """
    if max(numbers) >= len(model["vectors"][0]):
        more = packed(read_tensors(content(model["folder"], "rarer.safetensors")), WORDS)
        both = zip(model["vectors"], more, strict=True)
        model["vectors"] = tuple(np.concatenate(parts) for parts in both)
    return restore(*(part[numbers] for part in model["vectors"]))


def read(text, model, attention, pad_to=None):
    """What the model makes of a text: its tokens, who looks at whom, and what each token becomes.

    attention: takes q, k, v of one head, [T, 32] each, and returns (output, weights [T, T]).
    pad_to: fill up with [PAD] to so many tokens, if there are fewer; attention is then given a
    mask, [1, T], as well.
    Returns (words, maps [layers, H, T, T], states [layers + 1, T, D]).

    >>> weights = {"positions": np.eye(3, 32), "segment": np.zeros(32), "layers": []}
    >>> weights["norm"] = np.ones(32), np.zeros(32)
    >>> vectors = np.ones((4, 32), "i1"), np.zeros((4, 4), "u1"), np.ones((4, 1), "f2")
    >>> vocabulary = {"[PAD]": 0, "[CLS]": 1, "[SEP]": 2, "cat": 3}
    >>> small = {"vocabulary": vocabulary, "vectors": vectors, "weights": weights}
    >>> words, maps, states = read("Cat", small, attention)
    >>> words, states.shape
    (['[CLS]', 'cat', '[SEP]'], (1, 3, 32))
    """
    words, left_out = tokens(text, model["vocabulary"], LIMIT)
    if left_out:
        print(f"Cut after {LIMIT} of {LIMIT + left_out} tokens: the model has no more positions.")
    length = max(len(words), pad_to or 0)
    mask = None if pad_to is None else padding_mask(len(words), length)
    words += ["[PAD]"] * (length - len(words))
    rows = rows_of([model["vocabulary"][word] for word in words], model)
    states, maps = encoder(rows, model["weights"], attention, mask=mask)
    return words, maps, states


def vector(text, model, attention, pad_to=None):
    """One vector for a text, of length 1; padding has no part in it.

    >>> vector("A cat", {"vocabulary": {}}, attention)
    Traceback (most recent call last):
    KeyError: '[CLS]'
    """
    words, _, states = read(text, model, attention, pad_to)
    end = words[::-1].index("[SEP]")  # behind it is padding; a text may have a [PAD] of its own
    return sentence_vector(states[-1, : len(words) - end])


def value_lengths(text, model, own):
    """How long the value of each token is, in each head that `own` computes: [layers, H, T].

    >>> weights = {"positions": np.eye(2, 32), "segment": np.zeros(32), "layers": []}
    >>> weights["norm"] = np.ones(32), np.zeros(32)
    >>> vectors = np.ones((2, 32), "i1"), np.zeros((2, 4), "u1"), np.ones((2, 1), "f2")
    >>> small = {"vocabulary": {"[CLS]": 0, "[SEP]": 1}, "vectors": vectors, "weights": weights}
    >>> value_lengths("", small, attention)
    array([], dtype=float64)
    """
    found = []

    def watched(q, k, v):
        found.append(np.linalg.norm(v, axis=-1))  # [T]
        return own(q, k, v)

    _, maps, _ = read(text, model, watched)
    return np.reshape(found, maps.shape[:3])


def differences(own, text, model, pad_to=None, reference=attention):
    """How far a function for attention is from this site's, for each head: [layers, H].

    Both are given the same queries, keys and values: those that the model has with ours.

    >>> weights = {"positions": np.eye(2, 32), "segment": np.zeros(32), "layers": []}
    >>> weights["norm"] = np.ones(32), np.zeros(32)
    >>> vectors = np.ones((2, 32), "i1"), np.zeros((2, 4), "u1"), np.ones((2, 1), "f2")
    >>> small = {"vocabulary": {"[CLS]": 0, "[SEP]": 1}, "vectors": vectors, "weights": weights}
    >>> differences(attention, "", small)
    array([], dtype=float64)
    """
    found = []

    def both(*given):
        right = reference(*given)
        result = attend(own, *(part.copy() for part in given))
        found.append(max(np.abs(a - b).max() for a, b in zip(result, right, strict=True)))
        return right

    _, maps, _ = read(text, model, both, pad_to)
    return np.reshape(found, maps.shape[:2])


def verdict(differences):
    """A sentence on such differences.

    >>> verdict(np.array([[0.0, 1e-7], [0.0, 0.0]]))
    'Equal to the reference in all 4 heads.'
    >>> verdict(np.array([[0.0, 0.25], [0.5, 0.0]]))
    'Differs from the reference in 2 of 4 heads, by at most 0.5.'
    """
    wrong = (differences > EQUAL).sum()
    if not wrong:
        return f"Equal to the reference in all {differences.size} heads."
    most = differences.max()
    return (
        f"Differs from the reference in {wrong} of {differences.size} heads, by at most {most:.2g}."
    )
