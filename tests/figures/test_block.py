"""The traces of the tower and of the ratio that stays."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from site_src.figures.flip import trace as flip_trace
from site_src.figures.live import answer
from site_src.figures.tower import trace as tower_trace
from snippets.block import random_weights
from snippets.flip import in_layer_1, in_layer_2
from snippets.pronoun_model import trained
from snippets.tower import likeness, tower


@pytest.mark.parametrize(("road", "residual"), [("with", True), ("without", False)])
def test_the_tower_shows_each_level(road: str, residual: bool) -> None:
    drawn: Any = tower_trace.trace({"residual": road})
    x = np.random.default_rng(0).normal(size=(4, 16))
    expected = tower(x, [random_weights(16, seed) for seed in range(4)], 2, residual)
    assert_allclose(drawn["vectors"], expected, atol=0.005)
    row = ["with", "without"].index(road)
    assert_allclose(drawn["matrices"][0]["values"][row], likeness(expected))
    assert drawn["levels"][:3] == ["start", "1 attention", "1 MLP"]
    assert drawn["picture"] == drawn["told"][-1]
    assert drawn["told"][0].startswith(f"{road.capitalize()} the residual road, at “start”")
    assert "each keeps 1.00 of its start" in drawn["told"][0]


@pytest.mark.parametrize("road", ["yes", None, 1])
def test_a_road_that_there_is_not_gets_a_sentence(road: Any) -> None:
    assert "The residual road is there or not" in answer("tower", json.dumps({"residual": road}))


def test_the_trained_layers_keep_the_ratio_and_flip_it() -> None:
    drawn: Any = flip_trace.trace({"layer": 0})
    words = flip_trace.SENTENCES
    first = [in_layer_1(trained(), one)[7, [1, 5]] for one in words]
    second = [in_layer_2(trained(), one)[7, [1, 5]] for one in words]
    for matrix, expected in zip(drawn["matrices"], (first, second), strict=True):
        assert_allclose(matrix["values"], expected, atol=1e-6)
    tired, wide = drawn["ratios"]["layer 1"]
    assert tired == wide == "−3.176"
    tired, wide = drawn["ratios"]["layer 2"]
    assert tired.startswith("+")
    assert wide.startswith("−")


@pytest.mark.parametrize("layer", [1, 4, 99])
def test_every_untrained_layer_keeps_its_ratio(layer: int) -> None:
    drawn: Any = flip_trace.trace({"layer": layer})
    (a, b), (c, d) = drawn["matrices"][0]["values"]
    assert a / b == pytest.approx(c / d, rel=1e-3)
    assert drawn["ratios"]["layer 1"][0] == drawn["ratios"]["layer 1"][1]
    assert len(drawn["matrices"]) == 1


@pytest.mark.parametrize("layer", [-1, 1.5, None, "x"])
def test_a_layer_that_cannot_be_gets_a_sentence(layer: Any) -> None:
    assert "The layers are numbered" in answer("flip", json.dumps({"layer": layer}))
