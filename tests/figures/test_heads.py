"""The traces of the heads and of how they are split."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from site_src.figures.heads import trace as heads
from site_src.figures.live import answer
from site_src.figures.split_heads import trace as split
from snippets.pronouns import sentence
from snippets.three_heads import heads_of, trained_heads


@pytest.mark.parametrize("last", ["wide", "lazy"])
def test_each_map_is_a_head_of_the_model(last: str) -> None:
    words = sentence("fox", "pass", "lane", last, of_second="icy")
    drawn = heads.trace({"words": words})
    expected = heads_of(trained_heads(), words)
    for matrix, head in zip(drawn["matrices"], expected, strict=True):
        assert_allclose(matrix["values"], head, atol=5e-5)
        assert matrix["rows"][0] == "query: the"
        assert matrix["columns"][-1] == f"key: {last}"
    it, verb = words.index("it"), words.index("pass")
    assert drawn["asked"] == [[it], [verb], list(range(len(words)))]
    assert drawn["picture"].startswith("In the head “reference”, “it” attends to ")


def test_a_sentence_that_the_heads_do_not_know_is_refused() -> None:
    assert "one kind of sentence" in answer("heads", json.dumps({"words": ["it", "rains"]}))


def blocks(stage: Any) -> Any:
    """A stage's numbers as they lie: [blocks, rows, columns]."""
    shape = np.array(list(stage["places"].values())).max(axis=0) + 1
    lie = np.full(shape, -1)
    for number, place in stage["places"].items():
        lie[place] = number
    assert (lie >= 0).all(), "no place is empty"
    return lie


def test_the_right_way_deals_out_features() -> None:
    stages = split.trace({"way": "right"})["stages"]
    assert blocks(stages[2])[0].tolist() == [[0, 1], [6, 7], [12, 13], [18, 19]]
    assert blocks(stages[1]).tolist() == blocks(stages[2]).tolist(), (
        "the swap changes the view only"
    )
    assert stages[3]["places"] == stages[2]["places"], "attention leaves the shape as it is"
    assert stages[4]["places"] == stages[0]["places"]
    assert [stage["shape"] for stage in stages] == [
        "[T, D] = [4, 6]",
        "[T, H, D/H] = [4, 3, 2]",
        "[H, T, D/H] = [3, 4, 2]",
        "[H, T, D/H] = [3, 4, 2]",
        "[T, D] = [4, 6]",
    ]


def test_the_mistake_has_the_right_shape_and_deals_out_tokens() -> None:
    stages = split.trace({"way": "mistake"})["stages"]
    lie = blocks(stages[-1])
    assert lie.shape == (3, 4, 2)
    assert lie[0].tolist() == [[0, 1], [2, 3], [4, 5], [6, 7]]


def test_every_number_belongs_to_one_head() -> None:
    own = split.trace({"way": "right"})["heads"]
    assert own[0] == [0, 1, 6, 7, 12, 13, 18, 19]
    assert sorted(number for head in own for number in head) == list(range(24))


@pytest.mark.parametrize("way", ["wrong", None, 7])
def test_another_way_is_refused(way: Any) -> None:
    assert "There are two ways here" in answer("split_heads", json.dumps({"way": way}))
