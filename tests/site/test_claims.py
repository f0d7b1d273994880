"""What the prose claims in numbers and in words, held against the code that it speaks of."""

import ast
import inspect
import re
from typing import Any

import numpy as np
import pytest

from site_src import ROOT
from site_src.figures.scaling.trace import trace as scaling_trace
from site_src.figures.temperature.trace import SCORES
from site_src.runtime import hosted
from snippets.attention import attention, softmax
from snippets.influence import influence_in_attention, influence_of_first_word
from snippets.pronoun_model import accuracy, both_layers, trained
from snippets.pronouns import (
    CREATURES,
    OF_CREATURES,
    OF_WAYS,
    VERBS,
    VOCABULARY,
    is_kept_back,
    kept_back_sentences,
    right_noun,
    sentence,
)
from snippets.scaling import sample_scores, surviving_gradient
from snippets.three_words import K, Q, V, W_k, W_q, W_v, X, words


def prose(page: str) -> str:
    """A page's text, its line breaks folded."""
    return " ".join((ROOT / "docs" / f"{page}.md").read_text(encoding="utf-8").split())


def shares(sharpness: float) -> dict[str, dict[str, float]]:
    """How much each word gives to each, by name."""
    weights = attention(sharpness * Q, K, V)[1]
    return {a: dict(zip(words, row, strict=True)) for a, row in zip(words, weights, strict=True)}


def test_the_size_of_python() -> None:
    files: dict[str, Any] = hosted.runtime()["image"]["files"]
    total = sum(file["size"] for file in files.values())
    assert f"Python ({total / 1e6:.0f} MB)" in prose("index")


def test_sharper_queries_decide_except_where_there_is_a_tie() -> None:
    assert "write `attention(3 * Q, K, V)`" in prose("index")
    assert "*I* gives nearly everything to *love*, and *AI* to itself. Only *love*" in prose(
        "index"
    )
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


def test_the_whole_is_a_dozen_lines() -> None:
    """Statements in the bodies of softmax and attention, without docstrings and imports."""
    assert "in a dozen lines" in prose("numpy")
    assert "The whole of it in a dozen lines" in prose("index")
    tree = ast.parse((ROOT / "snippets" / "attention.py").read_text(encoding="utf-8"))
    functions = [node for node in tree.body if isinstance(node, ast.FunctionDef)]
    lines = [
        line
        for function in functions
        for node in function.body[1:]
        for line in ast.unparse(node).splitlines()
    ]
    assert len(lines) == 13


# Why attention was needed


def test_how_the_influence_fades() -> None:
    text = prose("why-attention")
    assert "every word multiplies what is left by about the same factor" in text
    in_rnn, in_attention = influence_of_first_word(50, 0.9)
    factors = in_rnn[5:] / in_rnn[4:-1]
    assert factors.std() < 0.1 * factors.mean()
    assert "the more words there are, the smaller is the share of each" in text
    assert in_attention[-1] < in_attention[9] < in_attention[0]
    assert in_attention[-1] > 1e5 * in_rnn[-1]


def test_the_marks_of_the_chart() -> None:
    assert "each mark is a thousandth of the one above" in prose("why-attention")
    view = (ROOT / "site_src" / "figures" / "path" / "view.ts").read_text(encoding="utf-8")
    lowest = int(re.search(r"HIGHEST\] = \[(-\d+)", view)[1])  # type: ignore[index]
    powers = [
        int(power) if power != "LOWEST" else lowest
        for power in re.findall(r"^  \[(-?\d+|LOWEST), \"", view, re.M)
    ]
    assert powers == [0, -3, -6, -9, -12]
    assert "HIGHEST] = [-12, 3]" in view


def test_how_many_sentences_the_chart_is_made_of() -> None:
    count = inspect.signature(influence_of_first_word).parameters["sentences"].default
    assert f"the mean over {count} sentences" in prose("why-attention")


def test_the_size_of_the_table() -> None:
    weights = attention(*[np.ones((50, 2))] * 3)[1]
    assert f"a table of {weights.size:,} scores" in prose("why-attention")
    assert "twice the words make four times the table" in prose("why-attention")
    assert attention(*[np.ones((100, 2))] * 3)[1].size == 4 * weights.size


def test_a_word_has_the_same_influence_wherever_it_stands() -> None:
    assert "The same word has the same influence on the last one" in prose("why-attention")
    rng = np.random.default_rng(3)
    x, (w_q, w_k, w_v) = rng.normal(size=(9, 4)), rng.normal(size=(3, 4, 4))
    before = influence_in_attention(x, w_q, w_k, w_v)
    order = rng.permutation(8)
    after = influence_in_attention(x[[*order, 8]], w_q, w_k, w_v)
    np.testing.assert_allclose(after, before[order])


def test_between_fading_and_exploding() -> None:
    text = prose("why-attention")
    assert "At 1.5 the RNN keeps more than attention does, even over 50 words" in text
    in_rnn, in_attention = influence_of_first_word(50, 1.5)
    assert in_rnn[-1] > in_attention[-1]
    assert "At 2 the influence *grows* from word to word" in text
    growing = influence_of_first_word(50, 2)[0]
    assert growing[-1] > growing[24] > growing[9] > 1


# See it work


def test_the_size_of_the_pronoun_model() -> None:
    text = prose("see-it-work")
    model = trained()
    assert f"The model has {sum(table.size for table in model.values()):,} numbers" in text
    assert f"The model knows {len(VOCABULARY)} words" in text
    new = kept_back_sentences()
    assert f"In {len(new)} new sentences" in text
    assert "points at the right noun every time" in text
    assert accuracy(model, new) == 1
    with_right = [words for words in new if is_kept_back(words[right_noun(words)], words[-1])]
    assert f"in {len(with_right)} that is the right one, such as *animal* with *tired*" in text
    assert is_kept_back("animal", "tired")
    assert (
        "*too big* would fit the animal and the street, so the task leaves such words out" in text
    )
    assert "big" not in VOCABULARY


def test_before_layer_1_nothing_depends_on_the_last_word() -> None:
    """So the scores of "it" with all other words are those of the other sentence."""
    assert "is settled before the last word has been looked at" in prose("see-it-work")
    it, others = 7, slice(0, 10)
    rows = [
        both_layers(trained(), sentence("animal", "cross", "street", last))[0][it, others]
        for last in ("tired", "wide")
    ]
    np.testing.assert_allclose(rows[0] / rows[0][1], rows[1] / rows[1][1])


def test_the_nouns_read_the_last_word_a_little() -> None:
    reads, _ = both_layers(trained(), sentence("animal", "cross", "street", "tired"))
    animal, street = (f"{reads[place, -1]:.0%}" for place in (1, 5))
    assert f"*animal* ({animal}) and *street* ({street}) read *tired* a little too" in prose(
        "see-it-work"
    )


def test_only_the_last_word_moves_it() -> None:
    assert "Only the last word moves it." in prose("see-it-work")
    assert '`sentence("lane", "stop", "fox", "shy", when="today")`' in prose("see-it-work")
    for last in OF_CREATURES + OF_WAYS:
        for first, second in [("lane", "fox"), ("fox", "lane")]:
            for verb in VERBS:
                for when, described in [("", ""), ("today", "tired"), ("yesterday", "icy")]:
                    words = sentence(first, verb, second, last, when, of_second=described)
                    row = both_layers(trained(), words)[1][words.index("it")]
                    assert (words[row.argmax()] in CREATURES) == (last in OF_CREATURES), words


# Why divide by √d_k


def test_large_scores_are_a_low_temperature() -> None:
    text = prose("scaling")
    assert "eight times as large act like a temperature of one eighth" in text
    scores = np.array(SCORES)
    np.testing.assert_allclose(softmax(8 * scores), softmax(scores / (1 / 8)))
    assert "The same five scores" in text
    assert len(SCORES) == 5


def test_how_many_scores_are_large() -> None:
    """A score is normal once the key is known, its variance the key's length squared."""
    text = prose("scaling")
    assert "about 4.6% of the scores lie beyond ±16, and 1.35% beyond ±20" in text
    assert "At 64, the length in the original Transformer, that is 8." in text
    rng = np.random.default_rng(0)
    scores = np.concatenate(
        [sample_scores(64, rows=50_000, keys=1, seed=seed)[:, 0] for seed in range(10)]
    )
    assert (abs(scores) > 16).mean() == pytest.approx(0.0463, abs=0.0012)
    assert (abs(scores) > 20).mean() == pytest.approx(0.0135, abs=0.0006)
    lengths = np.sqrt(rng.chisquare(64, size=20_000))
    for edge, share in ((16, 0.0463), (20, 0.0135)):
        assert beyond(edge / lengths).mean() == pytest.approx(share, abs=0.0006)


def beyond(z: Any) -> Any:
    """The share of a normal variable beyond ±z."""
    from math import erfc

    return np.array([erfc(one / 2**0.5) for one in z])


def test_the_gradient_fades_without_the_division() -> None:
    text = prose("scaling")
    assert "Without the division the gradient fades as keys grow longer; with it, it stays" in text
    means = np.array(
        [
            [row[2] for row in scaling_trace({"d_k": d_k, "seed": 0})["matrices"][1]["values"]]
            for d_k in (4, 16, 64, 256, 1024)
        ]
    )
    assert (np.diff(means[:, 0]) < -0.03).all()
    np.testing.assert_allclose(means[:, 1], means[0, 1], atol=0.03)
    assert "500 rows of ten scores" in text
    assert sample_scores(4).shape == (500, 10)


def test_dividing_by_d_k_itself() -> None:
    text = prose("scaling")
    scaled = sample_scores(64) / 64
    assert "the standard deviation is 0.125" in text
    assert scaled.std() == pytest.approx(0.125, abs=0.002)
    assert "0 where one weight is 1, and 0.9 where ten are equal" in text
    assert surviving_gradient(np.eye(10)[0]) == 0
    assert surviving_gradient(np.full(10, 0.1)) == pytest.approx(0.9)
    largest = softmax(scaled).max(axis=-1).mean()
    assert f"the largest of ten weights is {largest:.2f} on average" in text
