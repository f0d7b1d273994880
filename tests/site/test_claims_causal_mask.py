"""What the page on the causal mask claims, held against the code that it speaks of."""

import numpy as np
import pytest

from site_src.figures.mask.trace import embedded
from site_src.figures.wrong_masks.trace import trace as wrong_trace
from snippets.attention import attention, softmax
from snippets.masks import causal_mask, padding_mask
from snippets.pronoun_model import embed, trained
from snippets.pronouns import OF_CREATURES, OF_WAYS, numbers, sentence
from snippets.three_words import K, Q, V, words
from snippets.wrong_masks import put_in
from tests.site.test_claims import prose


def test_who_is_left_to_look_at() -> None:
    text = prose("causal-mask")
    output, weights = attention(Q, K, V, causal_mask(3))
    plain = attention(Q, K, V)[1]
    assert "so its **output**{.sym-output} is its own value, [2, 1]" in text
    assert output[0].tolist() == V[0].tolist() == [2, 1]
    assert "*love* had given half of its attention to *AI*; now nearly all of it, 98.6%" in text
    assert plain[1, 2] == pytest.approx(0.5, abs=0.005)
    assert weights[1, 0] == pytest.approx(0.986, abs=0.0005)
    assert "and its row stays as it was" in text
    np.testing.assert_array_equal(weights[2], plain[2])


def test_the_formula_of_the_page_is_what_attention_does() -> None:
    text = prose("causal-mask")
    assert r"\A_{ij} = \frac{e^{s_{ij}}}{\sum_{m \le i} e^{s_{im}}} \;\text{ for } j \le i" in text
    scores = Q @ K.T / np.sqrt(2)
    weights = attention(Q, K, V, causal_mask(3))[1]
    for i in range(3):
        for j in range(3):
            share = np.exp(scores[i, j]) / sum(np.exp(scores[i, m]) for m in range(i + 1))
            assert weights[i, j] == pytest.approx(share if j <= i else 0)


def test_the_diagonal_stays_visible() -> None:
    assert "To predict word 5, a model sees words 1 to 4: row 4 does that" in prose("causal-mask")
    assert causal_mask(9)[3].tolist() == [True] * 4 + [False] * 5


def test_no_row_changes_when_words_follow() -> None:
    text = prose("causal-mask")
    assert "one pass over a text of n words makes n guesses at once" in text
    assert "Since no row ever changes when words follow" in text
    rng = np.random.default_rng(0)
    q, k, v = rng.normal(size=(3, 12, 4))
    whole = attention(q, k, v, causal_mask(12))[0]
    for n in range(1, 13):
        np.testing.assert_allclose(attention(q[:n], k[:n], v[:n])[0][-1], whole[n - 1])


@pytest.mark.parametrize("layers", [1, 2, 5])
def test_it_never_sees_the_last_word(layers: int) -> None:
    """Exactly, in every layer, whatever the last word is."""
    text = prose("causal-mask")
    assert "the row of *it* is the same for both last words, to the last digit" in text
    assert "With the mask in every layer this stays so, however many there are" in text
    lasts = OF_CREATURES + OF_WAYS
    tokens = [numbers(sentence("animal", "cross", "street", last)) for last in lasts]
    model, h = trained(), embed(trained(), np.array(tokens))
    mask = causal_mask(h.shape[1])
    for _ in range(layers):
        q, k, v = (h @ model[name] for name in ("W_q1", "W_k1", "W_v1"))
        read, weights = attention(q, k, v, mask)
        h = h + read
        assert (weights[:, :-1] == weights[0, :-1]).all()
        assert (h[:, :-1] == h[0, :-1]).all()
    assert not (h[:, -1] == h[0, -1]).all()


def test_a_model_that_writes_needs_both_masks() -> None:
    assert "A model that writes may need both, joined by `&`" in prose("causal-mask")
    both = causal_mask(3) & padding_mask([2, 3], 3)
    assert both.shape == (2, 3, 3)
    assert both[0].tolist() == [[True, False, False], [True, True, False], [True, True, False]]


def test_padding_in_front_leaves_the_first_row_nothing() -> None:
    text = prose("causal-mask")
    assert "both masks together hide all of it" in text
    mask = causal_mask(3) & np.array([False, True, True])
    assert not mask[0].any()
    assert mask[1:].any(axis=-1).all()
    assert "This site gives such a row zeros" in text
    output, weights = attention(Q, K, V, mask)
    assert not weights[0].any()
    assert not output[0].any()


def test_a_large_number_is_a_bet() -> None:
    assert "if every visible score of a row lies below it, the hidden word wins" in prose(
        "causal-mask"
    )
    scores, mask = np.array([[-2e9, 3.0]]), np.array([[True, False]])
    assert softmax(put_in(scores, mask)).tolist() == [[0, 1]]


def test_the_numbers_of_the_wrong_ways_are_those_that_are_told() -> None:
    says = wrong_trace({"way": "half", "padding": "I"})["steps"][0]["says"]
    assert f"{np.finfo(np.float16).max:,.0f}" in says
    says = wrong_trace({"way": "put-in", "padding": "I"})["steps"][0]["says"]
    assert "a third each" in says
    assert words == embedded()["three words/causal"]["words"]


def test_the_answer_to_your_turn() -> None:
    text = prose("causal-mask")
    assert "`causal_mask(3) & ~np.eye(3, dtype=bool)`" in text
    mask = causal_mask(3) & ~np.eye(3, dtype=bool)
    output, weights = attention(Q, K, V, mask)
    assert "The first row is all zeros, and so is its output" in text
    assert not weights[0].any()
    assert not output[0].any()
    assert "*love* sees only *I*." in text
    assert weights[1].tolist() == [1, 0, 0]
