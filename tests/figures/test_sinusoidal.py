"""The table of waves, their names, and products, against independent results."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from site_src.figures.live import answer, follow
from site_src.figures.sinusoidal import trace as waves
from snippets.positions import sinusoidal

DRAWN = waves.trace({})


def test_the_map_is_the_table() -> None:
    """Against complex numbers: a pair is one number on the unit circle."""
    turns = np.exp(1j * np.arange(64)[:, None] * 10_000.0 ** (-np.arange(16) / 16))
    expected = np.stack([turns.imag, turns.real], -1).reshape(64, 32)
    assert_allclose(DRAWN["table"], expected, atol=0.0051)
    shown = np.array(DRAWN["matrices"][0]["values"])
    places = np.ix_(waves.SHOWN_POSITIONS, waves.SHOWN_FEATURES)
    assert_allclose(shown, expected[places], atol=0.0051)


def test_products_by_distance_are_sums_of_cosines() -> None:
    speeds = 10_000.0 ** (-np.arange(16) / 16)
    expected = np.cos(np.arange(64)[:, None] * speeds).sum(axis=1)
    assert_allclose(DRAWN["products"], expected, atol=0.0051)
    rows = DRAWN["matrices"][1]["values"]
    assert_allclose(rows, [expected[waves.OFFSETS]] * len(waves.FROM), atol=0.0051)


def test_each_wave_is_named_by_its_turn() -> None:
    assert DRAWN["kinds"][0] == "a sine, one turn in 6.3 positions"
    assert DRAWN["kinds"][31] == "a cosine, one turn in 35,333 positions"
    assert DRAWN["kinds"][6] == "a sine, one turn in 35.3 positions"
    later = sinusoidal(200, 32)[:, 6]
    rises = np.flatnonzero((later[:-1] < 0) & (later[1:] >= 0))
    assert np.diff(rises).mean() == pytest.approx(35.3, abs=0.4)


def test_it_is_said_only_when_it_holds() -> None:
    assert "depends on the distance of p and q and on nothing else" in DRAWN["verdict"]
    table = np.random.default_rng(0).normal(size=(64, 32))
    drawn = waves.trace({"table": table.tolist()})
    assert drawn["verdict"].startswith("PE(p) · PE(q) depends on where p and q are")
    assert_allclose(drawn["products"], table @ table.T, atol=0.0051)
    assert drawn["kinds"] == []
    assert "alike" not in drawn["steps"][1]["says"]
    nearly = sinusoidal(64, 32)
    nearly[30, 3] += 0.001
    assert "depends on where" in waves.trace({"table": nearly.tolist()})["verdict"]


def test_a_readers_table_of_any_size_is_drawn() -> None:
    for shape in [(2, 1), (5, 3), (20, 64), (128, 8)]:
        table = np.random.default_rng(1).normal(size=shape)
        told = json.loads(answer("sinusoidal", json.dumps({"table": table.tolist()})))
        assert np.array(told["trace"]["table"]).shape == shape
        assert f"{shape[0]} positions and {shape[1]} features" in told["trace"]["steps"][0]["says"]
        assert told["trace"]["picture"].startswith(f"Position {min(20, shape[0] - 1)}, feature")


@pytest.mark.parametrize(
    "table", [None, 3, [], [1.0, 2.0], [["a"]], [[1.0]], [[1.0], [1.0, 2.0]], [[0.0] * 65] * 3]
)
def test_what_is_no_table_gets_a_sentence(table: Any) -> None:
    told = json.loads(answer("sinusoidal", json.dumps({"table": table})))
    assert "table must have 2 to 128 rows" in told["problem"]


def test_the_pages_own_table_is_known_again() -> None:
    """After the unchanged cell has run, the figure still says that it shows the page's numbers."""
    own = {"table": sinusoidal(64, 32)}
    told = json.loads(follow("sinusoidal", "{}", "table", "table = 1", own))
    assert told["trace"] == json.loads(json.dumps(DRAWN))
