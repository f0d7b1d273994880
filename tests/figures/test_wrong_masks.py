"""The trace behind the wrong ways to hide a word: what each gives, beside the right weights."""

import json
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from site_src.figures.live import answer
from site_src.figures.wrong_masks.trace import WAYS, embedded, trace
from snippets.three_words import K, Q

THIRD = [1 / 3] * 3
UNMASKED = [0.0114, 0.7952, 0.1933]
NAN = [np.nan] * 3


def shown(way: str, padding: str, name: str) -> Any:
    """A matrix as it is shown, as numbers."""
    drawn = trace({"way": way, "padding": padding})["matrices"]
    texts = next(one["shown"] for one in drawn if one["name"] == name)
    return np.array(texts, dtype=object)


@pytest.mark.parametrize(
    ("way", "padding", "row", "expected"),
    [
        ("right", "none", 0, [1, 0, 0]),
        ("right", "I", 0, [0, 0, 0]),
        ("zeros", "none", 0, THIRD),
        ("zeros", "none", 1, [0.9721, 0.0140, 0.0140]),
        ("after", "none", 0, [0.0114, 0, 0]),
        ("after", "none", 1, [0.4964, 0.0071, 0]),
        ("plain", "none", 0, [1, 0, 0]),
        ("plain", "I", 0, NAN),
        ("half", "none", 1, [0.9858, 0.0142, 0]),
        ("half", "I", 0, NAN),
        ("half", "I", 1, [0, 1, 0]),
        ("put-in", "none", 0, [1, 0, 0]),
        ("put-in", "I", 0, THIRD),
        ("added", "none", 0, [1, 0, 0]),
        ("added", "I", 0, UNMASKED),
        ("added", "I", 2, [0, 0.1956, 0.8044]),
    ],
)
def test_what_a_way_gives(way: str, padding: str, row: int, expected: list[float]) -> None:
    assert_allclose(shown(way, padding, "weights")[row].astype(float), expected, atol=0.0051)


def test_sums_of_rows() -> None:
    assert shown("after", "none", "sums").ravel().tolist() == ["0.0114", "0.5036", "1.0000"]
    assert shown("right", "I", "sums").ravel().tolist() == ["0.0000", "1.0000", "1.0000"]
    assert shown("plain", "I", "sums").ravel().tolist() == ["NaN", "1.0000", "1.0000"]


def test_what_goes_into_softmax() -> None:
    assert shown("zeros", "none", "scores")[0].tolist() == ["0.00", "0.00", "0.00"]
    assert shown("half", "none", "scores")[0].tolist() == ["0.00", "−∞", "−∞"]
    assert shown("put-in", "I", "scores")[0].tolist() == ["−10⁹"] * 3
    assert shown("added", "I", "scores")[0].tolist() == ["0.00−10⁹", "4.24−10⁹", "2.83−10⁹"]
    assert shown("after", "none", "scores")[0].tolist() == ["0.00", "4.24", "2.83"]


@pytest.mark.parametrize("padding", ["none", "I"])
def test_the_right_weights_are_torchs(padding: str) -> None:
    mask = torch.ones(3, 3).tril().bool() & (torch.arange(3) != (0 if padding == "I" else -1))
    scores = torch.tensor(Q @ K.T / 2**0.5).masked_fill(~mask, -torch.inf)
    expected = scores.softmax(-1).nan_to_num().numpy()
    for way in WAYS:
        assert_allclose(shown(way, padding, "right").astype(float), expected, atol=0.0051)


def is_marked(drawn: Any) -> bool:
    """Whether any number is marked as wrong."""
    return any(flag for rows in drawn["changed"].values() for row in rows for flag in row)


@pytest.mark.parametrize("way", WAYS)
def test_a_way_is_first_shown_with_its_fault(way: str) -> None:
    """And what it says then is of a fault, except for the right way."""
    drawn = trace({"way": way, "padding": WAYS[way].shows})
    assert is_marked(drawn) == (way != "right")
    for padding in ("none", "I"):
        drawn = trace({"way": way, "padding": padding})
        says = drawn["steps"][0]["says"]
        assert ("Nothing is wrong here" in says) == (not is_marked(drawn) and way != "right")


def test_what_is_marked_is_what_differs() -> None:
    changed = trace({"way": "after", "padding": "none"})["changed"]
    assert changed["weights"] == [[True, False, False], [True, False, False], [False] * 3]
    assert changed["sums"] == [[True], [True], [False]]


def test_other_ways_are_refused() -> None:
    assert set(embedded()) == {f"{way}/{padding}" for way in WAYS for padding in ("none", "I")}
    for inputs in ({"way": "magic", "padding": "none"}, {"way": "zeros", "padding": "AI"}, {}):
        assert "must be one of" in json.loads(answer("wrong_masks", json.dumps(inputs)))["problem"]
