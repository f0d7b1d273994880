"""The trace of a training: a step of a seed is the same however one comes to it."""

import json
import math
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from site_src.figures.learn import trace as learn
from site_src.figures.live import answer
from snippets.pronoun_model import accuracy, both_layers
from snippets.pronoun_training import train
from snippets.pronouns import kept_back_sentences

USUAL: Any = learn.embedded()["learned"]


def at(step: int, **changes: Any) -> Any:
    """The trace at a step."""
    return learn.trace(USUAL | changes | {"step": step})


def values(drawn: Any, name: str) -> Any:
    """A matrix of a trace as an array."""
    return np.array(next(m["values"] for m in drawn["matrices"] if m["name"] == name))


def test_a_step_is_the_same_however_one_comes_to_it() -> None:
    """One slice after the other; at once, in a Python that has just started; and looking back."""
    learn.training.cache_clear()
    slices = [at(step) for step in (0, 20, 40)]
    learn.training.cache_clear()
    assert at(40) == slices[2]
    assert at(20) == slices[1]
    assert at(0) == slices[0]


def test_what_is_drawn_is_the_training_of_the_snippet() -> None:
    drawn = at(40, seed=3)
    *_, (_, model) = steps = [
        (loss, dict(p)) for (loss, p), _ in zip(train(3, learn.STEPS), range(40), strict=False)
    ]
    assert_allclose(drawn["losses"], [loss for loss, _ in steps], atol=5e-4)
    assert drawn["accuracies"][-1] == pytest.approx(
        accuracy(model, kept_back_sentences()), abs=5e-5
    )
    for last, words in learn.SENTENCES.items():
        for layer, weights in enumerate(both_layers(model, words), 1):
            assert_allclose(values(drawn, f"layer {layer}, {last}"), weights, atol=5e-4)


def test_it_begins_with_nothing_learned() -> None:
    drawn = at(0)
    assert drawn["losses"] == []
    assert drawn["picture"].startswith("Step 0, nothing learned yet")
    assert values(drawn, "layer 1, tired").max() < 0.2  # layer 1 starts uniform


def test_the_plateau_is_named_while_it_lasts() -> None:
    on, beyond = at(60), at(200)
    assert "On the plateau at ln 2: it points at nouns, and guesses which." in on["picture"]
    assert np.median(on["losses"][-20:]) == pytest.approx(math.log(2), abs=0.08)
    assert "plateau" not in beyond["picture"]


def test_the_end_tells_who_carries_the_adjective() -> None:
    with_sgd, with_adam = at(400), at(400, optimizer="adam", rate=learn.RATES["adam"])
    assert with_sgd["accuracies"][-1] == 1
    assert with_sgd["verdict"].endswith("100% if all others do: “it” carries the adjective.")
    assert_allclose(values(with_sgd, "knock-out")[:, 0], [1, 0.5, 1], atol=0.06)
    assert with_adam["accuracies"][-1] > 0.99
    assert with_adam["verdict"].endswith(": other words carry the adjective.")
    assert values(with_adam, "knock-out")[1, 0] > 0.9


@pytest.mark.parametrize("shares", [(0.5, 0.5), (1.0, 1.0), (0.77, 1.0), (1.0, 0.77)])
def test_where_both_have_a_part_neither_is_named_alone(shares: tuple[float, float]) -> None:
    assert learn.carrier(*shares) == "“it” and other words both have a part"


def test_one_layer_stays_on_the_plateau() -> None:
    drawn = at(400, layers=1)
    assert np.mean(drawn["losses"][-100:]) == pytest.approx(math.log(2), abs=0.03)
    assert drawn["accuracies"][-1] == pytest.approx(0.5, abs=0.03)
    assert drawn["picture"].split(" In “")[0].endswith("One layer stays there.")
    names = [matrix["name"] for matrix in drawn["matrices"]]
    assert names == ["layer 2, tired", "layer 2, wide", "progress"]
    assert drawn["steps"][1]["says"] == "There is no layer 1."


def test_a_wild_learning_rate_can_be_drawn() -> None:
    inputs = {**USUAL, "optimizer": "adam", "rate": 1, "step": 40}
    told = json.loads(answer("learn", json.dumps(inputs)), parse_constant=pytest.fail)
    assert max(told["trace"]["losses"]) == learn.HIGHEST


@pytest.mark.parametrize(
    "odd",
    [
        {"seed": -1},
        {"seed": 0.5},
        {"layers": 3},
        {"layers": None},
        {"optimizer": "newton"},
        {"rate": 0},
        {"rate": "fast"},
        {"rate": 2},
        {"step": 30},
        {"step": 420},
        {"step": "end"},
    ],
)
def test_odd_settings_get_a_sentence(odd: dict[str, Any]) -> None:
    told = json.loads(answer("learn", json.dumps({**USUAL, **odd})))
    assert f"{next(iter(odd))} " in told["problem"].replace(", layers", " layers ")
