"""The traces of a real model's heads: the page's own, and a reader's."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from site_src.figures.live import MOST_NUMBERS, answer, follow
from site_src.figures.real_heads import trace as heads
from site_src.figures.real_layer import trace as layer
from site_src.model import original

PIECES = ["[CLS]", "the", "animal", "didn", "'", "t", "cross", "the", "street"]
PIECES += ["because", "it", "was", "too", "tired", "[SEP]"]


def maps_in(drawn: Any) -> Any:
    """The maps of a trace as the view reads them: [heads, T, T]."""
    count = len(drawn["words"])
    return np.array(drawn["maps"]).reshape(-1, count, count) / 1000


def test_the_maps_are_those_of_the_model(prepared: Path) -> None:
    drawn = heads.trace({"sentence": "tired"})
    words, maps = heads.looks("tired")
    assert drawn["words"] == words == PIECES
    assert_allclose(maps_in(drawn), maps.reshape(72, 15, 15), atol=0.00051)
    assert drawn["heads"][0] == "layer 1, head 1"
    assert drawn["heads"][-1] == "layer 6, head 12"
    assert drawn["word"] == PIECES.index("it")
    assert drawn["picture"] == (
        "In layer 5, head 1, “it” attends to [CLS] (27%), animal (12%), street (9%). "
        "It turns with the sentence."
    )


def test_a_head_is_marked_if_its_it_turns_from_one_noun_to_the_other(prepared: Path) -> None:
    drawn = heads.trace({"sentence": "wide"})
    for number, name in enumerate(drawn["heads"]):
        prefers_animal = []
        for last in ("tired", "wide"):
            words, maps = heads.looks(last)
            row = maps.reshape(72, 15, 15)[number, words.index("it")]
            prefers_animal.append(bool(row[words.index("animal")] > row[words.index("street")]))
        way = {(True, False): "with", (False, True): "against"}.get(tuple(prefers_animal))  # type: ignore[arg-type]
        assert drawn["marks"].get(name, [None])[0] == way, name
    table = drawn["matrices"][1]
    assert table["rows"][:4] == [
        f"layer {place}, turns with the sentence"
        for place in ("3, head 6", "4, head 4", "4, head 6", "5, head 1")
    ]
    assert table["shown"][3] == ["0.115", "0.089", "0.060", "0.192"]


def test_a_layer_has_its_own_heads_and_what_they_do_on_average(prepared: Path) -> None:
    drawn = layer.trace({"layer": "2"})
    _, maps = heads.looks("tired")
    assert_allclose(maps_in(drawn), maps[1], atol=0.00051)
    assert drawn["heads"][drawn["first"]] == "layer 2, head 9"
    assert drawn["picture"].endswith("On average a piece gives 55% to the piece after.")
    after = [maps[1, 8, i, i + 1] for i in range(14)]
    assert drawn["matrices"][1]["shown"][8][2] == f"{np.mean(after):.3f}"


def test_a_build_without_the_model_has_no_states(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(original, "PATH", Path("/nowhere"))
    assert heads.embedded() == {}
    assert layer.embedded() == {}


def test_it_views_a_readers_maps() -> None:
    maps = np.random.default_rng(0).dirichlet(np.ones(3), size=(2, 4, 3)).astype(np.float32)
    told = json.loads(
        follow(
            "real_heads",
            '{"sentence": "tired"}',
            "maps words",
            "maps = 1",
            {"maps": maps, "words": ["so", "it", "is"]},
        )
    )["trace"]
    assert_allclose(maps_in(told), maps.reshape(8, 3, 3), atol=0.00051)
    assert told["inputs"] == {"words": ["so", "it", "is"]}, "a link to it stays short"
    assert told["layers"] == 2
    assert told["word"] == 1
    assert "marks" not in told


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"words": ["a"]}, "come from a cell: run it"),
        ({"sentence": "tall"}, "come from a cell: run it"),
        ({"sentence": ["tired"]}, "come from a cell: run it"),
        ({"maps": [1.0], "words": ["a"]}, "the axes [layers, H, T, T], with T = 1"),
        ({"maps": [[1.0], [1.0, 2.0]], "words": ["a"]}, "must be a table of numbers"),
        ({"maps": [[[[1.0]]]], "words": ["a", "b"]}, "its shape is (1, 1, 1, 1)"),
        ({"maps": [[[[1.0]]]], "words": [1.0]}, "words must be a list of the words"),
        ({"maps": [[[[1.0]]]], "words": []}, "shows 1 to 40 pieces; your words has 0"),
        ({"maps": [[[[1.0]]]], "words": ["a"] * 41}, "shows 1 to 40 pieces; your words has 41"),
    ],
)
def test_what_are_no_maps_gets_a_sentence(inputs: Any, told: str) -> None:
    assert told in json.loads(answer("real_heads", json.dumps(inputs)))["problem"]


def test_a_layer_that_is_not_there_gets_a_sentence() -> None:
    assert "numbered from 1 to 6" in answer("real_layer", '{"layer": "7"}')


def test_more_numbers_than_a_page_can_take_get_a_sentence() -> None:
    maps = np.zeros(MOST_NUMBERS + 1)
    told = follow("real_heads", "{}", "maps words", "maps = 1", {"maps": maps, "words": ["a"]})
    assert json.loads(told) == {
        "problem": "Your maps has 200,001 numbers; a figure views at most 200,000."
    }
