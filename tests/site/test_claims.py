"""What the prose claims in numbers and in words, held against the code that it speaks of."""

import numpy as np
import pytest

from site_src import ROOT
from site_src.runtime import distribution
from snippets.attention import attention
from snippets.three_words import K, Q, V, words


def prose(page: str) -> str:
    """A page's text, its line breaks folded."""
    return " ".join((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").split())


def shares(sharpness: float) -> dict[str, dict[str, float]]:
    """How much each word gives to each, by name."""
    weights = attention(sharpness * Q, K, V)[1]
    return {a: dict(zip(words, row, strict=True)) for a, row in zip(words, weights, strict=True)}


def test_the_size_of_python() -> None:
    total = sum(file["size"] for file in distribution.manifest().values())
    assert f"Python ({total / 1e6:.0f} MB)" in prose("index")


def test_sharper_queries_decide_except_where_there_is_a_tie() -> None:
    assert "`attention(3 * Q, K, V)`: *I* gives nearly everything to *love*" in prose("index")
    sharp = shares(3)
    assert sharp["I"]["love"] > 0.98
    assert sharp["AI"]["AI"] > 0.98
    assert sharp["love"]["I"] == pytest.approx(sharp["love"]["AI"])
    assert sharp["love"]["I"] == pytest.approx(0.5, abs=0.001)


def test_who_i_attends_to() -> None:
    assert "it gives most of its attention to *love*, some to *AI*, next to none" in prose("numpy")
    i = shares(1)["I"]
    assert i["love"] > 0.5 > i["AI"] > 0.1 > 0.02 > i["I"]


def test_the_answer_to_your_turn() -> None:
    assert "At 3.3 *I* gives *love* more than 99%" in prose("numpy")
    assert shares(3.3)["I"]["love"] > 0.99 >= shares(3.2)["I"]["love"]
    assert "more than 99% of its attention" in prose("numpy")
    assert np.allclose(list(shares(0)["I"].values()), 1 / 3)


def test_the_number_of_matrix_products() -> None:
    """Q, K and V, the scores, and the output."""
    assert "five matrix products and a softmax" in prose("numpy")
    three_words = (ROOT / "snippets" / "three_words.py").read_text(encoding="utf-8")
    one_call = (
        (ROOT / "snippets" / "attention.py").read_text(encoding="utf-8").split("def attention")[1]
    )
    assert three_words.count(" @ ") + one_call.count(" @ ") == 5
