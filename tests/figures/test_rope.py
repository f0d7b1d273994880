"""The clocks' hands and the scores, against complex numbers."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from site_src.figures.live import answer, follow
from site_src.figures.rope import trace as rope
from snippets.positions import rope as turned

DRAWN = rope.trace({"q": rope.Q, "k": rope.K})
PAIRS = 4
SPEEDS = 10_000.0 ** (-np.arange(PAIRS) / PAIRS)


def pairs(x: list[float]) -> Any:
    """Each pair of features as a complex number."""
    return np.array(x[:PAIRS]) + 1j * np.array(x[PAIRS:])


def test_hands_stand_where_complex_numbers_do() -> None:
    at = np.arange(rope.PLACES + rope.DISTANCES - 1)
    for hands, lengths, x in zip(DRAWN["hands"], DRAWN["lengths"], (rope.Q, rope.K), strict=True):
        drawn = np.array(lengths)[:, None] * np.exp(1j * np.radians(hands))
        expected = pairs(x)[:, None] * np.exp(1j * SPEEDS[:, None] * at)
        assert_allclose(drawn, expected, atol=0.003)


def test_scores_are_products_of_turned_vectors_wherever_they_stand() -> None:
    for place in (0, 13, 40):
        for distance in (0, 1, 24):
            score = turned(rope.Q, place + distance) @ turned(rope.K, place)
            assert DRAWN["scores"][distance] == pytest.approx(score, abs=0.0051)
    assert_allclose(np.sum(DRAWN["by_pair"], axis=0), DRAWN["scores"], atol=0.021)
    assert DRAWN["scores"][0] == pytest.approx(np.dot(rope.Q, rope.K), abs=0.0051)
    table = np.array(DRAWN["matrices"][0]["values"])
    assert_allclose(table, np.array([DRAWN["scores"]] * len(table))[:, rope.SHOWN_DISTANCES])


def test_a_pair_gives_lengths_times_the_cosine_between() -> None:
    lengths = np.prod(DRAWN["lengths"], axis=0)[:, None]
    expected = lengths * np.cos(np.radians(DRAWN["between"]))
    assert_allclose(DRAWN["by_pair"], expected, atol=0.02)
    assert np.min(DRAWN["between"]) >= 0
    assert np.max(DRAWN["between"]) <= 180


def test_how_fast_pairs_turn() -> None:
    speeds = np.array(DRAWN["matrices"][1]["values"])[:, 0]
    assert_allclose(speeds, np.degrees(SPEEDS), atol=5.1e-6)
    assert DRAWN["matrices"][1]["shown"] == [["57.3°"], ["5.7°"], ["0.57°"], ["0.057°"]]


def test_it_is_said_only_when_it_holds() -> None:
    assert "moving both changes no score" in DRAWN["verdict"]
    uneven = np.zeros((2, 3, 4))
    uneven[1, 2, 0] = 1e-6
    assert rope.verdict(uneven) == "Moving both changes the score."


def test_it_follows_the_readers_vectors() -> None:
    given = {"q": np.ones(2), "k": np.array([1.0, 0.0])}
    told = json.loads(follow("rope", json.dumps(DRAWN["inputs"]), "q k", "q = k = 0", given))
    assert told["trace"]["scores"][0] == 1
    assert "So it is a score of" in told["trace"]["picture"]


def test_names_inside_functions_are_not_the_readers_variables() -> None:
    code = "def attend(x):\n    q = k = x\n    return q, k\n"
    told = follow("rope", json.dumps(DRAWN["inputs"]), "q k", code, {})
    assert json.loads(told) == {"trace": None}


@pytest.mark.parametrize(
    ("q", "k"),
    [
        (None, None),
        ([1.0], [1.0]),
        ([1.0] * 3, [1.0] * 3),
        ([1.0] * 4, [1.0] * 2),
        ([1.0] * 10, [1.0] * 10),
        ([[1.0, 2.0]], [[1.0, 2.0]]),
        (["a", "b"], [1.0, 2.0]),
    ],
)
def test_odd_vectors_get_a_sentence(q: Any, k: Any) -> None:
    told = json.loads(answer("rope", json.dumps({"q": q, "k": k})))
    assert "two rows of equally many numbers" in told["problem"]
