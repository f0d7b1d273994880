"""The trace of attention in tiles: what is known after each is a softmax of the keys so far."""

import json
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from site_src.figures.live import answer, follow
from site_src.figures.tiles import trace as tiles
from snippets.six_words import K, Q, V, words

SCORES = Q @ K.T / 2**0.5
STATES = ["peak", "shrink", "total", "sum 1", "sum 2", "o1", "o2"]


def inputs(block: int = 3, **changes: Any) -> Any:
    """The page's inputs, changed."""
    return {**tiles.six(), "block": block, **changes}


def shown(drawn: Any, name: str) -> list[list[str]]:
    """A matrix of a trace as it is read."""
    found: list[list[str]] = next(m["shown"] for m in drawn["matrices"] if m["name"] == name)
    return found


def number(text: str) -> float:
    """A number as it is read."""
    return float(text.replace("−", "-"))


@pytest.mark.parametrize("block", [2, 3])
def test_every_step_shows_one_tile_and_all_steps_together_the_whole_table(block: int) -> None:
    drawn: Any = tiles.trace(inputs(block))
    count = (6 // block) ** 2
    assert len(drawn["steps"]) == count + 1
    whole = np.zeros((6, 6))
    for at in range(1, count + 1):
        table = shown(drawn, f"tile {at}")
        seen = [(i, j) for i in range(6) for j in range(6) if table[i][j] not in ("", "·")]
        assert len(seen) == block * block
        assert sum(row.count("·") for row in table) == (at - 1) * block * block
        for i, j in seen:
            whole[i, j] += number(table[i][j])
    assert_allclose(whole, SCORES, atol=0.005)


@pytest.mark.parametrize("block", [2, 3])
def test_what_is_known_is_the_softmax_of_the_keys_so_far(block: int) -> None:
    drawn: Any = tiles.trace(inputs(block))
    at = 0
    for start in range(0, 6, block):
        for end in range(block, 7, block):
            at += 1
            table = shown(drawn, f"softmax {at}")
            for i in range(6):
                if not start <= i < start + block:
                    assert set(table[i]) == {""}
                    continue
                found = dict(zip(STATES, table[i], strict=True))
                e = np.exp(SCORES[i, :end] - SCORES[i, :end].max())
                assert number(found["peak"]) == pytest.approx(SCORES[i, :end].max(), abs=0.006)
                assert number(found["total"]) == pytest.approx(e.sum(), abs=0.006)
                sums = [number(found["sum 1"]), number(found["sum 2"])]
                assert_allclose(sums, e @ V[:end], atol=0.006)
                assert (found["o1"] == "") == (end < 6)


def test_a_new_peak_shrinks_what_was_summed_up() -> None:
    """Of these queries only “it” and “tired” have their largest score in a second tile."""
    drawn: Any = tiles.trace(inputs())
    second_is_larger = SCORES[:, 3:].max(axis=1) > SCORES[:, :3].max(axis=1)
    assert [w for w, larger in zip(words, second_is_larger, strict=True) if larger] == [
        "it",
        "tired",
    ]
    for at, rows in ((2, range(3)), (4, range(3, 6))):
        table = shown(drawn, f"softmax {at}")
        for i in rows:
            change = SCORES[i, :3].max() - SCORES[i].max()
            assert number(table[i][1]) == pytest.approx(np.exp(change), abs=0.006)
            assert (table[i][1] == "1.00") == (not second_is_larger[i])
    says = [step["says"] for step in drawn["steps"]]
    assert "A new peak for “it”: what was summed up there shrinks." in says[1]
    assert "A new peak for “tired”" in says[3]
    assert says[0] == "In memory: 9 of 36 scores. The first scores of these queries."
    assert {row[1] for row in shown(drawn, "softmax 1")[:3]} == {"0.00"}


def test_the_sums_that_are_told_are_right() -> None:
    """Every “… = result” is evaluated."""
    drawn: Any = tiles.trace(inputs(2))
    checked = 0
    for matrix in drawn["matrices"]:
        for told in [text for row in matrix["how"] or [] for text in row if " = " in text]:
            left, right = told.split(", as nothing")[0].split(" = ")[-2:]
            assert value(left) == pytest.approx(number(right), abs=0.0004), told
            checked += 1
    assert checked == 36 + 9 * 2 * 4 + 6 * 2


def value(told: str) -> float:
    """A sum as it is told, evaluated."""
    code = told.replace("−∞", "float('-inf')").replace("·", "*").replace("÷", "/")
    code = code.replace("−", "-").replace("√2", "2**.5").replace("e^", "np.exp")
    return float(eval(code, {"np": np}))


def test_the_last_step_is_attention_all_at_once() -> None:
    q, k, v = (torch.from_numpy(x)[None] for x in (Q, K, V))
    expected = torch.nn.functional.scaled_dot_product_attention(q, k, v)[0].numpy()
    for block in (2, 3):
        drawn: Any = tiles.trace(inputs(block))
        for name in ("O", "attention"):
            found = [[number(text) for text in row] for row in shown(drawn, name)]
            assert_allclose(found, expected, atol=5e-5)
        assert shown(drawn, "difference") == [["0", "0"]] * 6
        last = shown(drawn, f"softmax {(6 // block) ** 2}")
        assert_allclose([number(text) for text in last[-1][-2:]], expected[-1], atol=0.006)


def test_a_last_tile_may_be_smaller() -> None:
    drawn: Any = tiles.trace(inputs(3, words=words[:5], **{n: x[:5].tolist() for n, x in QKV}))
    assert len(drawn["steps"]) == 5
    assert drawn["steps"][3]["says"].startswith("In memory: 4 of 25 scores.")
    assert drawn["sizes"] == [2, 3]


QKV = [("Q", Q), ("K", K), ("V", V)]


@pytest.mark.parametrize("n", [1, 2, 3, 8])
def test_short_and_long_texts(n: int) -> None:
    rng = np.random.default_rng(n)
    given = {name: rng.normal(size=(n, 3)).tolist() for name in "QKV"}
    drawn: Any = tiles.trace(inputs(3, words=[str(i) for i in range(n)], **given))
    assert drawn["inputs"]["block"] in drawn["sizes"]
    assert shown(drawn, "difference") == [["0"] * 3] * n


@pytest.mark.parametrize(
    ("changes", "told"),
    [
        ({"words": []}, "words must be a list of 1 to 8 words"),
        ({"words": None}, "words must be a list of 1 to 8 words"),
        ({"words": ["a"] * 9}, "words must be a list of 1 to 8 words"),
        ({"Q": [[1.0, 2.0]]}, "Q must have a row of 1 to 4 numbers for each of 6 words"),
        ({"K": [1.0] * 6}, "K must have a row"),
        ({"V": [[0.0] * 5] * 6}, "V must have a row"),
        ({"Q": [[0.0]] * 6}, "Q and K need equally many columns"),
    ],
)
def test_odd_inputs_get_a_sentence(changes: Any, told: str) -> None:
    assert told in json.loads(answer("tiles", json.dumps(inputs(**changes))))["problem"]


def test_it_follows_the_readers_variables() -> None:
    own = {"words": words, "Q": 2 * Q, "K": K, "V": V}
    told = follow("tiles", json.dumps(inputs(2)), "words Q K V", "Q = 2 * Q", own)
    assert json.loads(told)["trace"]["inputs"] == inputs(2, Q=(2 * Q).tolist())
