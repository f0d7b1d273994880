"""The trace behind the calculation figure: the numbers, their sums, and what mistakes change."""

import json
import math
import re
from typing import Any

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose

from site_src.figures.calculation.trace import MISTAKES, embedded, examples, trace
from site_src.figures.live import answer, follow
from snippets.attention import attention

THREE = examples()["three words"]
FOUR = examples()["four words"]


def values(drawn: Any, name: str) -> Any:
    """A matrix of a trace as an array."""
    return np.array(next(m["values"] for m in drawn["matrices"] if m["name"] == name))


def test_the_three_words_give_the_figures_calculated_by_hand() -> None:
    drawn = trace(THREE)
    assert_allclose(values(drawn, "scores"), [[0, 6, 4], [6, 0, 6], [4, 6, 8]])
    assert_allclose(values(drawn, "sums").round(4), [[87.5102], [140.1828], [372.7570]])
    assert_allclose(values(drawn, "weights").round(2)[0], [0.01, 0.80, 0.19])
    assert_allclose(values(drawn, "output").round(2), [[0.41, 1.99], [1.99, 1.5], [1.63, 1.95]])


@pytest.mark.parametrize(
    ("mistake", "output"),
    {
        "wrong-axis": [[1.32, 0.98], [0.87, 0.61], [1.19, 1.64], [1.62, 1.77]],
        "no-scaling": [[2.36, 1.94], [0.90, 1.37], [0.94, 1.73], [1.40, 1.90]],
        "d_k": [[1.90, 1.75], [1.07, 1.31], [1.06, 1.58], [1.41, 1.74]],
        "d_model": [[1.99, 1.80], [1.04, 1.32], [1.03, 1.62], [1.42, 1.78]],
        "swapped": [[1.55, 1.64], [1.00, 0.74], [0.64, 1.06], [0.79, 1.40]],
        "transposed": [[2.24, 1.89], [0.29, 0.14], [0.69, 0.69], [1.79, 2.28]],
        "self-masked": [[0.82, 1.65], [0.99, 1.60], [1.37, 1.91], [1.97, 1.61]],
        "keys-for-values": [[0.86, 0.37], [0.33, 0.67], [0.66, 0.83], [0.83, 0.70]],
    }.items(),
)
def test_each_mistake_gives_its_own_wrong_output(mistake: str, output: list[list[float]]) -> None:
    """Independent figures, computed with torch."""
    inputs: Any = FOUR | {"mistake": mistake}
    assert_allclose(values(trace(inputs), "output").round(2), output)


def test_one_mistake_stays_invisible_in_the_three_word_example_only() -> None:
    invisible = [
        name
        for name, inputs in embedded().items()
        if "changes not a single number" in trace(inputs)["verdict"]
    ]
    assert invisible == ["three words/swapped"]
    assert len(embedded()) == 2 * len(MISTAKES)


@given(hnp.arrays(np.float64, (4, 3), elements=st.integers(-9, 9).map(float)))
def test_without_a_mistake_the_result_is_that_of_attention(x: Any) -> None:
    inputs: Any = FOUR | {"X": x.tolist()}
    drawn = trace(inputs)
    q, k, v = (values(drawn, name) for name in "QKV")
    output, weights = attention(q, k, v)
    assert_allclose(values(drawn, "weights"), weights)
    assert_allclose(values(drawn, "output"), output)


@pytest.mark.parametrize("name", embedded())
def test_every_sum_ends_in_the_number_that_is_shown(name: str) -> None:
    checked = 0
    for matrix in trace(embedded()[name])["matrices"]:
        for row, shown_row in zip(matrix["how"] or [], matrix["shown"], strict=False):
            for how, shown in zip(row, shown_row, strict=True):
                if shown == "−∞":
                    continue
                end = float(how.split("= ")[-1].replace("−", "-"))
                assert float(shown.replace("−", "-")) == pytest.approx(end, abs=0.0051)
                checked += 1
    assert checked > 50


def test_sums_written_out_add_up() -> None:
    """The terms that a reader sees, evaluated, give the number behind the equals sign."""
    for matrix in trace(FOUR)["matrices"]:
        if matrix["name"] not in ("Q", "K", "V", "scores", "output", "sums"):
            continue
        for how in [how for row in matrix["how"] or [] for how in row]:
            terms, end = how.replace("·", "*").replace("−", "-").split(" = ")
            assert re.fullmatch(r"[\d.*+() -]+", terms)
            assert eval(terms) == pytest.approx(float(end), abs=0.002)


@pytest.mark.parametrize(
    ("part", "said"),
    [
        ({"X": [[1, 2], [3]]}, "X is no table of numbers"),
        ({"X": [[1, 0], [0, 1], [1, 1]]}, "X has 2 columns, so W_q needs as many rows; it has 4."),
        ({"X": [[1.0] * 4] * 9, "words": ["w"] * 9}, "up to 8 words"),
        ({"words": ["only one"]}, "There are 1 words, but X has 3 rows."),
        ({"W_k": [[1]] * 4}, "W_q and W_k need equally many columns; they have 2 and 1."),
        ({"X": [[math.inf] * 4] * 3}, "X has an entry that is no finite number."),
        ({"X": []}, "X must have rows and columns"),
        ({"X": [[1e7] * 4] * 3}, "X has an entry beyond a million"),
        ({"X": [[1.0] * 300] * 3}, "up to 12 columns; X has more"),
        ({"words": 5}, "The words are no list."),
        ({"mistake": "foo"}, "These are no numbers for this figure."),
    ],
)
def test_odd_inputs_get_a_sentence(part: dict[str, Any], said: str) -> None:
    inputs: Any = THREE | part
    with pytest.raises(ValueError, match=re.escape(said)):
        trace(inputs)


@pytest.mark.parametrize("inputs", [None, [], 7, {}])
def test_what_a_damaged_link_may_hold_gets_a_sentence(inputs: Any) -> None:
    assert "These are no numbers for this figure." in answer("calculation", json.dumps(inputs))


def test_one_word_hidden_from_itself_has_nothing_to_attend_to() -> None:
    inputs: Any = THREE | {"words": ["I"], "X": THREE["X"][:1], "mistake": "self-masked"}
    assert_allclose(values(trace(inputs), "weights"), [[0]])
    assert "nan" not in json.dumps(trace(inputs)["matrices"]).lower()


def test_a_peak_that_is_taken_off_is_told() -> None:
    inputs: Any = THREE | {"X": [[100.0, 0, 1, 0], *THREE["X"][1:]]}
    exponentials = next(m for m in trace(inputs)["matrices"] if m["name"] == "exponentials")
    assert "the largest of the row taken off" in str(exponentials["how"])


def test_large_scores_are_drawn_without_overflow() -> None:
    inputs: Any = THREE | {"X": [[900.0] * 4] * 3}
    assert np.isfinite(values(trace(inputs), "exponentials")).all()


NAMES = "words X W_q W_k W_v"


def followed(code: str, **variables: Any) -> str:
    """The answer for a reader's variables."""
    namespace = {**{name: np.array(THREE[name]) for name in NAMES.split()[1:]}, **variables}  # type: ignore[literal-required]
    return follow(
        "calculation", json.dumps(THREE), NAMES, code, {"words": THREE["words"]} | namespace
    )


def test_a_figure_follows_the_readers_variables() -> None:
    assert '"values": [[7.0' in followed("X = 7", X=np.full((3, 4), 7.0))


def test_a_figure_does_not_follow_code_that_defines_none_of_its_variables() -> None:
    assert followed("print(1)") == '{"trace": null}'


@pytest.mark.parametrize(
    ("value", "said"),
    [
        ("text", "Your X is neither numbers nor a list of words."),
        (np.full((3, 4), np.nan), "no finite number (NaN or infinite)"),
        (np.ones(4), "X must have rows and columns"),
        (np.ones((3, 5)), "X has 5 columns"),
    ],
)
def test_variables_that_cannot_be_drawn_get_a_sentence(value: Any, said: str) -> None:
    assert said in followed("X = 1", X=value)


def test_a_missing_variable_gets_a_sentence() -> None:
    assert "Your cells define no W_q" in follow("calculation", "{}", "W_q X", "X = 1", {"X": [[1]]})


def test_answers_are_json_with_a_trace_or_a_problem() -> None:
    assert '"problem"' in answer("calculation", '{"words": [], "X": 1, "mistake": "none"}')
