"""What the page on several heads claims, held against the code that it speaks of."""

from typing import Any

import numpy as np
import pytest

from snippets.multi_head import multi_head_attention
from snippets.pronouns import is_kept_back, sentence
from snippets.three_heads import heads_of, trained_heads
from tests.site.test_claims import prose

TEXT = prose("multi-head")


def pointed(words: list[str]) -> Any:
    """Where each head points for each word: [H, T]."""
    return heads_of(trained_heads(), words).argmax(axis=-1)


def test_the_sentence_is_new_to_the_model() -> None:
    assert "on a sentence that it has not learned from" in TEXT
    assert is_kept_back("animal", "tired")


def test_what_the_three_heads_do() -> None:
    assert "*Reference* follows *it* to the noun that it means" in TEXT
    assert "*grammar* leads from the verb to its subject" in TEXT
    assert "*neighbour* steps one word back in every row but the first" in TEXT
    for last, noun in (("tired", 1), ("wide", 5)):
        reference, grammar, neighbour = pointed(sentence("animal", "cross", "street", last))
        assert reference[7] == noun
        assert grammar[3] == 1
        assert neighbour.tolist() == [0, *range(10)]


def test_the_answer_to_your_turn() -> None:
    assert '`sentence("street", "cross", "animal", "tired")`' in TEXT
    words = sentence("street", "cross", "animal", "tired")
    reference, grammar, neighbour = pointed(words)
    assert words[reference[7]] == "animal"
    assert reference[7] > words.index("cross"), "it now stands after the verb"
    assert words[grammar[words.index("cross")]] == "street"
    assert neighbour.tolist() == [0, *range(10)]


def test_the_sizes_of_the_original() -> None:
    assert "d_model = 512 and h = 8 heads, so each has keys of d_k = 512 / 8 = 64" in TEXT
    assert "√64 = 8" in TEXT
    assert 512 / 8 == 64 == 8**2


def test_eight_heads_make_eight_tables() -> None:
    assert "eight where there was one" in TEXT
    x, w = np.ones((1, 4, 16)), np.ones((16, 16))
    sizes = [multi_head_attention(x, w, w, w, w, heads)[1].size for heads in (1, 8)]
    assert sizes[1] == 8 * sizes[0]


@pytest.mark.parametrize("heads", [1, 8])
def test_several_heads_cost_the_same_multiplications(heads: int) -> None:
    """Scores and mixing: H tables of T × T, each entry d_k + d_v products."""
    assert "Eight small heads cost about as many multiplications as one large one" in TEXT
    assert heads * 10 * 10 * (512 // heads + 512 // heads) == 10 * 10 * 2 * 512
