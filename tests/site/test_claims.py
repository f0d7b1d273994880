"""What the prose claims in numbers and in words, held against the code that it speaks of."""

import numpy as np
import pytest

from site_src import ROOT
from site_src.runtime import distribution
from snippets.attention import attention, softmax
from snippets.three_words import K, Q, V, W_k, W_q, W_v, X, words


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


def test_what_the_by_hand_page_says_of_the_first_row() -> None:
    assert "*I* gives 80% of its attention to *love* and 19% to *AI*" in prose("by-hand")
    i = shares(1)["I"]
    assert (round(i["love"], 2), round(i["AI"], 2)) == (0.80, 0.19)
    scores = Q @ K.T
    assert "nothing in common with its own, most with that of *love*" in prose("by-hand")
    assert scores[0, 0] == 0
    assert scores[0].argmax() == words.index("love")
    assert r"$\sqrt{d_k} = \sqrt 2$" in prose("by-hand")
    assert Q.shape[-1] == 2


def test_a_row_of_zeros_pays_attention_to_nobody_in_particular() -> None:
    assert "Set the first row of **X**{.sym-x} to zeros." in prose("by-hand")
    x = X.copy()
    x[0] = 0
    assert np.allclose(attention(x @ W_q, x @ W_k, x @ W_v)[1][0], 1 / 3)


def test_swapping_q_and_k_changes_nothing_in_the_three_words() -> None:
    assert "every number stays" in prose("by-hand")
    assert np.array_equal(Q @ K.T, (Q @ K.T).T)


def test_whom_love_looks_for() -> None:
    assert "`K @ Q[1]` gives 6, 0, 6" in prose("query-key-value")
    assert (K @ Q[1]).tolist() == [6, 0, 6]


def test_what_softmax_over_columns_does_to_rows() -> None:
    assert "*I* would hand out about half of an attention, and *AI* one and a half." in prose(
        "formula"
    )
    rows = softmax(Q @ K.T / 2**0.5, axis=0).sum(axis=-1)
    assert rows[0] == pytest.approx(0.5, abs=0.1)
    assert rows[2] == pytest.approx(1.5, abs=0.1)


def test_the_number_of_matrix_products() -> None:
    """Q, K and V, the scores, and the output."""
    assert "five matrix products and a softmax" in prose("numpy")
    three_words = (ROOT / "snippets" / "three_words.py").read_text(encoding="utf-8")
    one_call = (
        (ROOT / "snippets" / "attention.py").read_text(encoding="utf-8").split("def attention")[1]
    )
    assert three_words.count(" @ ") + one_call.count(" @ ") == 5
