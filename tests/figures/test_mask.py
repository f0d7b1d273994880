"""The trace behind the causal mask's figure: numbers, their sums, and what it refuses."""

import json
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from site_src.figures.live import answer, follow
from site_src.figures.mask.trace import embedded, trace
from snippets import four_words, three_words

EXAMPLES = {"three words": three_words, "four words": four_words}

# Computed with torch, and given with the examples.
THREE = (
    [[1, 0, 0], [0.9858, 0.0142, 0], [0.0454, 0.1867, 0.7679]],
    [[2, 1], [1.9717, 1.0142], [1.6266, 1.9546]],
)
FOUR = (
    [[1, 0, 0, 0], [0.5, 0.5, 0, 0], [0.3057, 0.0743, 0.62, 0], [0.2793, 0.0165, 0.1377, 0.5665]],
    [[3, 2], [2, 1], [0.9914, 1.2314], [1.4209, 1.8293]],
)


def drawn(state: str) -> dict[str, Any]:
    """The matrices of an embedded state, by name."""
    return {one["name"]: one for one in trace(embedded()[state])["matrices"]}


@pytest.mark.parametrize(("name", "expected"), [("three words", THREE), ("four words", FOUR)])
def test_the_masked_examples(name: str, expected: Any) -> None:
    found = drawn(f"{name}/causal")
    assert_allclose(np.round(found["weights"]["values"], 4), expected[0])
    assert_allclose(np.round(found["output"]["values"], 4), expected[1])


@pytest.mark.parametrize("name", EXAMPLES)
@pytest.mark.parametrize("mask", ["causal", "none"])
def test_agrees_with_torch(name: str, mask: str) -> None:
    q, k, v = (torch.tensor(getattr(EXAMPLES[name], letter)) for letter in "QKV")
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v, is_causal=mask == "causal")
    assert_allclose(drawn(f"{name}/{mask}")["output"]["values"], expected.numpy(), atol=1e-12)


@pytest.mark.parametrize("name", EXAMPLES)
def test_just_the_future_is_hidden_and_only_with_the_mask(name: str) -> None:
    words = EXAMPLES[name].words
    hidden = [[key > query for key in range(len(words))] for query in range(len(words))]
    masked, plain = (trace(embedded()[f"{name}/{mask}"]) for mask in ("causal", "none"))
    assert masked["hidden"] == hidden
    assert not np.any(plain["hidden"])
    for label, text in (("scaled", "−∞"), ("weights", "0")):
        shown = np.array(drawn(f"{name}/causal")[label]["shown"])
        assert ((shown == text) == np.array(hidden)).all()
        assert text not in np.array(drawn(f"{name}/none")[label]["shown"])
    assert "The future is hidden" in masked["steps"][0]["says"]
    assert "Every word sees all words" in plain["steps"][0]["says"]


def test_a_number_tells_its_sum() -> None:
    found = drawn("three words/causal")
    assert found["weights"]["how"][1][0] == "e^4.2426 ÷ (e^4.2426 + e^0) = 0.9858"
    assert found["weights"]["how"][1][2] == "hidden: e^(−∞) = 0, no share at all"
    assert found["scaled"]["how"][0][1] == "4.2426, hidden: −∞, “love” comes after “I”"
    assert found["output"]["how"][0][0] == "1·2 + 0·0 + 0·2 = 2"
    unmasked = drawn("three words/none")["weights"]["how"][1][0]
    assert unmasked == "e^4.2426 ÷ (e^4.2426 + e^0 + e^4.2426) = 0.4964"


def test_every_sum_ends_in_the_number_that_is_shown() -> None:
    for state in embedded():
        for name in ("weights", "output"):
            one = drawn(state)[name]
            for row, shown in zip(one["how"], one["shown"], strict=True):
                for how, text in zip(row, shown, strict=True):
                    told = float(how.rpartition("= ")[2].split(",")[0].replace("−", "-"))
                    assert told == pytest.approx(float(text.replace("−", "-")), abs=0.00501), how


def test_it_follows_the_readers_variables() -> None:
    shown = json.dumps(embedded()["three words/causal"])
    own = {"words": ["a", "b"], "Q": np.eye(2), "K": 2 * np.eye(2), "V": np.ones((2, 3))}
    told = json.loads(follow("mask", shown, "words Q K V", "Q = np.eye(2)", own))
    assert told["trace"]["inputs"]["K"] == [[2, 0], [0, 2]]
    assert told["trace"]["inputs"]["mask"] == "causal"
    assert told["trace"]["matrices"][2]["values"][0] == [1, 1, 1]


def test_copied_code_makes_the_same_numbers() -> None:
    for inputs in embedded().values():
        names: dict[str, Any] = {}
        exec(trace(inputs)["code"], names)
        assert {name: np.array(names[name]).tolist() for name in ("words", "Q", "K", "V")} == {
            name: inputs[name] for name in ("words", "Q", "K", "V")
        }


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"words": "I love AI"}, "must be a list"),
        ({"words": []}, "shows 1 to 8 words, not 0"),
        ({"words": ["a"] * 9}, "shows 1 to 8 words, not 9"),
        ({"Q": [[1, 2]]}, "Q must be a table with a row for each of 3 words"),
        ({"K": "keys"}, "K must be a table"),
        ({"V": 3}, "V must be a table"),
        ({"Q": [[1], [2], [3]]}, "q and k need equally many features"),
        ({"Q": [[900, 0], [0, 3], [2, 2]]}, "With scores beyond ±50"),
    ],
)
def test_odd_inputs_get_a_sentence(changes: dict[str, Any], said: str) -> None:
    inputs = embedded()["three words/causal"] | changes
    assert said in json.loads(answer("mask", json.dumps(inputs)))["problem"]
