"""An untrained layer against torch, with each way of telling it where words are."""

from itertools import permutations

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from onnx.reference.ops.op_rotary_embedding import rotary_embedding

from snippets.word_order import attend, untrained

WORDS = ["dog", "bites", "man"]
WAYS = ["no positions", "causal mask", "sinusoids", "RoPE"]


@pytest.mark.parametrize("start", [0, 7])
@pytest.mark.parametrize("way", WAYS)
def test_agrees_with_torch(way: str, start: int) -> None:
    vectors, *matrices = untrained(5)
    x = np.array([vectors[word] for word in WORDS])
    at = start + np.arange(3)
    angles = at[:, None] * [1, 0.01]
    if way == "sinusoids":
        x = x + np.stack([np.sin(angles), np.cos(angles)], -1).reshape(3, 4)
    q, k, v = (x @ w for w in matrices)
    if way == "RoPE":
        all_angles = np.arange(10)[:, None] * [1, 0.01]
        cos, sin = np.cos(all_angles), np.sin(all_angles)
        q, k = (rotary_embedding(y[None, None], cos, sin, at[None])[0, 0] for y in (q, k))
    q, k, v = (torch.from_numpy(np.array(y)) for y in (q, k, v))
    expected = torch.nn.functional.scaled_dot_product_attention(
        q, k, v, is_causal=way == "causal mask"
    )
    assert_allclose(attend(WORDS, way, start, seed=5)[0], expected.numpy(), atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
def test_without_positions_a_permutation_goes_through(seed: int) -> None:
    output, weights = attend(WORDS, seed=seed)
    for order in permutations(range(3)):
        there = list(order)
        again, weights_again = attend([WORDS[place] for place in there], seed=seed)
        assert_allclose(again, output[there], atol=1e-12)
        assert_allclose(weights_again, weights[there][:, there], atol=1e-12)


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("way", WAYS[1:])
def test_every_other_way_shows_the_order(way: str, seed: int) -> None:
    output, _ = attend(WORDS, way, seed=seed)
    again, _ = attend(WORDS[::-1], way, seed=seed)
    assert not np.allclose(again, output[::-1], atol=1e-3)


def test_only_sinusoids_notice_where_a_sentence_starts() -> None:
    for way in WAYS:
        here, there = (attend(WORDS, way, start)[1] for start in (0, 1000))
        assert np.allclose(here, there) == (way != "sinusoids")
