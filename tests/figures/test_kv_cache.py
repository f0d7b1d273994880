"""The trace of a cache that fills: torch's causal weights row by row, and the work spared."""

import json
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from site_src.figures.kv_cache import trace as kv_cache
from site_src.figures.live import answer
from site_src.figures.tiles.trace import six
from snippets.six_words import K, Q


def matrix(drawn: Any, name: str) -> Any:
    """The values of a matrix."""
    return np.array(next(m["values"] for m in drawn["matrices"] if m["name"] == name))


def test_the_rows_are_those_of_the_causal_pass() -> None:
    scores = torch.from_numpy(Q) @ torch.from_numpy(K).T / 2**0.5
    hidden = torch.ones(6, 6, dtype=torch.bool).triu(1)
    expected = scores.masked_fill(hidden, -torch.inf).softmax(-1).numpy()
    assert_allclose(matrix(kv_cache.trace(six()), "weights"), expected, atol=5e-5)


def test_what_is_kept_and_what_it_spares() -> None:
    """A pass over t words takes t times the work of its last row: 4td² + 2t²d against 4d² + 2td."""
    work = matrix(kv_cache.trace(six()), "work")
    for t in range(1, 7):
        one = 4 * 512**2 + 2 * t * 512
        assert work[t - 1].tolist() == [t, t, t, one, t * one]


def test_it_says_so_in_words() -> None:
    drawn: Any = kv_cache.trace(six())
    assert drawn["told"][0] == (
        "The cache holds 1 key and 1 value. “it” needs one new row, 1 score: "
        "1,049,600 multiply-adds with the cache, 1,049,600 without, the same."
    )
    assert drawn["picture"] == drawn["told"][3]
    assert drawn["picture"] == (
        "The cache holds 4 keys and 4 values. “tired” needs one new row, 4 scores: "
        "1,052,672 multiply-adds with the cache, 4,210,688 without, 4 times as many."
    )


def test_a_short_text_is_shown_whole() -> None:
    text = {"words": ["a"], "Q": [[1.0]], "K": [[1.0]], "V": [[1.0]]}
    drawn: Any = kv_cache.trace(text)  # type: ignore[arg-type]
    assert drawn["picture"] == drawn["told"][0]


@pytest.mark.parametrize("changes", [{"words": ["a"]}, {"Q": [[0.0]] * 6}, {"V": [0.0]}])
def test_odd_inputs_get_a_sentence(changes: Any) -> None:
    assert "problem" in json.loads(answer("kv_cache", json.dumps({**six(), **changes})))
