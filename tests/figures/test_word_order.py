"""Two sentences of the same words: which numbers are new, counted by hand."""

import json
from typing import Any

import numpy as np
import pytest

from site_src.figures.live import answer
from site_src.figures.word_order import trace as word_order
from snippets.word_order import attend


def order(drawn: Any, text: str) -> Any:
    """The second sentence in one order."""
    return next(one for one in drawn["orders"] if one["words"] == text.split())


@pytest.mark.parametrize("way", word_order.WAYS)
def test_both_sentences_are_what_attention_gives(way: str) -> None:
    drawn = word_order.trace({"way": way, "seed": 2})
    sentences = ["dog bites man", "man bites dog"]
    for place, text in enumerate(sentences):
        output, weights = attend(text.split(), way)
        first, second = drawn["matrices"][2 * place : 2 * place + 2]
        np.testing.assert_allclose(first["values"], weights, atol=0.0051)
        np.testing.assert_allclose(second["values"], output, atol=0.0051)
        assert first["rows"] == [f"query: {word}" for word in text.split()]
        assert first["columns"] == [f"key: {word}" for word in text.split()]
        assert second["rows"] == text.split()
        assert drawn["steps"][place]["title"] == text


@pytest.mark.parametrize("way", word_order.WAYS)
def test_each_order_has_its_own_numbers(way: str) -> None:
    drawn = word_order.trace({"way": way, "seed": 3})
    assert len({tuple(one["words"]) for one in drawn["orders"]}) == 6
    for one in drawn["orders"]:
        output, weights = attend(one["words"], way, seed=3)
        for name, numbers in (("weights", weights), ("output", output)):
            expected = [[f"{x:.2f}".replace("-", "−") for x in row] for row in numbers]
            assert [[x.replace("−0.00", "0.00") for x in row] for row in expected] == one[name]


def test_what_is_new_is_new_for_the_same_two_words() -> None:
    """Held against dictionaries by word, not against permuted tables."""
    for way in word_order.WAYS:
        first = attend(word_order.FIRST, way)[1]
        known = {
            (a, b): first[i, j]
            for i, a in enumerate(word_order.FIRST)
            for j, b in enumerate(word_order.FIRST)
        }
        for one in word_order.trace({"way": way, "seed": 2})["orders"]:
            weights = attend(one["words"], way)[1]
            for i, a in enumerate(one["words"]):
                for j, b in enumerate(one["words"]):
                    new = abs(weights[i, j] - known[a, b]) > 1e-9
                    assert one["new_weights"][i][j] == new, (way, one["words"], a, b)


def test_the_sentence_is_decided_by_the_numbers() -> None:
    drawn = {way: word_order.trace({"way": way, "seed": 2}) for way in word_order.WAYS}
    same = "The same 9 weights and the same 3 outputs, only in another order."
    assert order(drawn["no positions"], "man bites dog")["says"] == same
    for way in ("causal mask", "sinusoids", "RoPE"):
        says = order(drawn[way], "man bites dog")["says"]
        assert says == "9 of 9 weights and 3 of 3 outputs are new (≠): the order shows."
    # dog sees only itself either way, and the others nothing of what comes later
    some = order(drawn["causal mask"], "dog man bites")
    assert some["says"] == "6 of 9 weights and 2 of 3 outputs are new (≠): the order shows."
    assert some["new_weights"][0] == [0, 0, 0]
    for way in word_order.WAYS:
        assert order(drawn[way], "dog bites man")["says"].startswith("The same sentence twice")


@pytest.mark.parametrize(
    "inputs", [{}, {"way": "magic", "seed": 1}, {"way": "RoPE", "seed": "x"}, {"way": "RoPE"}]
)
def test_odd_inputs_get_a_sentence(inputs: Any) -> None:
    assert "must be one of" in json.loads(answer("word_order", json.dumps(inputs)))["problem"]
