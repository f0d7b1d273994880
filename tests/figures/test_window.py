"""The trace of a sliding window: who sees whom, and what is heard of through layers."""

import json
from typing import Any

import numpy as np
import pytest

from site_src.figures.live import answer, follow
from site_src.figures.window import trace as window

N = len(window.WORDS)


def heard(back: int, layers: int) -> set[int]:
    """Whom the last word hears of, going back from word to word, one layer at a time."""
    here = {N - 1}
    for _ in range(layers):
        here = {key for query in here for key in range(max(0, query - back + 1), query + 1)}
    return here


@pytest.mark.parametrize("size", range(1, N + 1))
def test_what_reaches_the_last_word(size: int) -> None:
    drawn: Any = window.trace({"window": size})
    for layers in range(1, window.LAYERS + 1):
        reached = heard(size, layers)
        assert drawn["first"][layers][-1] == min(reached)
        assert len(reached) == min(N, layers * (size - 1) + 1)
        assert f"{len(reached)} of {N} words." in drawn["told"][layers - 1]
        back = f"{layers} · ({size} − 1) = {layers * (size - 1)} words back"
        assert back in drawn["told"][layers - 1]
    assert drawn["first"][0] == list(range(N))


@pytest.mark.parametrize("size", range(1, N + 1))
def test_the_mask_and_the_number_of_scores(size: int) -> None:
    drawn: Any = window.trace({"window": size})
    mask = np.array(drawn["matrices"][0]["values"])
    expected = [[int(0 <= i - j < size) for j in range(N)] for i in range(N)]
    assert mask.tolist() == expected
    drawn_scores = sum(map(sum, expected))
    told = f"Window {size}: {drawn_scores} scores; a causal mask alone leaves 36."
    assert told in drawn["told"][0]
    assert [int(row.argmax()) for row in mask] == drawn["first"][1]


def test_words_beyond_the_first_are_not_promised() -> None:
    drawn: Any = window.trace({"window": 4})
    assert "more than there are" not in drawn["told"][1]  # 6 words back
    assert "more than there are" in drawn["told"][2]  # 9


@pytest.mark.parametrize("odd", [0, -1, 1.5, None, "3", [3.0]])
def test_an_odd_window_gets_a_sentence(odd: Any) -> None:
    assert "window must be a whole number" in answer("window", json.dumps({"window": odd}))


def test_it_follows_the_readers_window() -> None:
    told = follow("window", '{"window": 3}', "window", "window = 5", {"window": 5})
    assert json.loads(told)["trace"]["inputs"] == {"window": 5}
