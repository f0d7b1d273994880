"""What the page on blocks claims, held against the code that it speaks of."""

import numpy as np
import pytest

from snippets.attention import attention, softmax
from snippets.block import random_weights
from snippets.tower import likeness, tower
from tests.site.test_claims import prose

TEXT = prose("block")
X = np.random.default_rng(0).normal(size=(4, 16))


def alike(blocks: int, residual: bool) -> float:
    """How alike the four words are at the top of a tower."""
    weights = [random_weights(16, seed) for seed in range(blocks)]
    return float(likeness(tower(X, weights, 2, residual))[-1])


def test_without_the_road_words_become_the_same() -> None:
    assert "all four words are nearly the same vector after three blocks" in TEXT
    assert alike(3, residual=False) > 0.999
    assert alike(2, residual=False) < 0.95
    assert "With it they draw closer as well" in TEXT
    assert 0 < alike(1, residual=True) < alike(4, residual=True) < 0.5


def test_the_answer_to_your_turn() -> None:
    said = "by {:.2f} after 4 blocks, {:.2f} after 10, {:.2f} after 40"
    assert said.format(*(alike(blocks, residual=True) for blocks in (4, 10, 40))) in TEXT
    assert "Without it: 0.9 after 2, and 1.0 after 3." in TEXT
    assert alike(2, residual=False) == pytest.approx(0.9, abs=0.05)
    assert alike(3, residual=False) == pytest.approx(1.0, abs=0.05)


def test_the_average_over_heads_can_flip() -> None:
    """Independent figures: .357 and .057, the other way round with the other word."""
    assert "It does not hold for the average over several heads" in TEXT
    one = softmax(np.array([[2.0, 0, 0, 0], [2.0, 0, 0, 6]]))
    other = softmax(np.array([[0, 2.0, 0, 6], [0, 2.0, 0, 0]]))
    mean = ((one + other) / 2)[:, :2]
    np.testing.assert_allclose(mean.round(3), [[0.357, 0.057], [0.057, 0.357]])
    assert one[0, 0] / one[0, 1] == pytest.approx(one[1, 0] / one[1, 1])
    assert other[0, 0] / other[0, 1] == pytest.approx(other[1, 0] / other[1, 1])


def test_the_sink_takes_most_and_gives_little() -> None:
    assert "Its weight is large and means little." in TEXT
    k, v = np.array([[2.0], [0.0], [0.0]]), np.array([[0.01, 0.0], [3.0, 1.0], [1.0, 3.0]])
    output, weights = attention(np.array([[4.0]]), k, v)
    assert weights[0, 0] > 0.99
    assert np.linalg.norm(output) < 0.02
