"""The trace behind the count of parameters, against published figures."""

import json
from itertools import pairwise
from typing import Any

import pytest

from site_src.figures.live import answer, traces
from site_src.figures.parameters.trace import MODELS, Inputs, embedded, published, trace
from snippets.parameters import bert_base, gpt2_small, llama_8b, llama_layer

ONE_LAYER = "Transformer, one layer"
LLAMA_LAYER = "Llama-3.1-8B, one layer"


def changed(model: str, /, **settings: Any) -> Any:
    """A model with some settings other than its own."""
    return {**published(model), **settings}


def counts(inputs: Inputs, name: str = "parameters") -> dict[str, int]:
    """A table of the trace, its counts by part."""
    found = next(one for one in trace(inputs)["matrices"] if one["name"] == name)
    return {row: int(value[0]) for row, value in zip(found["rows"], found["values"], strict=True)}


def attention(**settings: Any) -> int:
    """The parameters of attention in a layer of the first Transformer."""
    return counts(changed(ONE_LAYER, **settings))["attention"]


@pytest.mark.parametrize(
    ("model", "parts"),
    [
        ("BERT-base", bert_base()),
        ("GPT-2 small", gpt2_small()),
        ("Llama-3.1-8B", llama_8b()),
        (LLAMA_LAYER, llama_layer()),
    ],
)
def test_a_model_as_published_has_the_parts_that_the_snippets_count(
    model: str, parts: dict[str, int]
) -> None:
    assert counts(published(model)) == {**parts, "all": sum(parts.values())}


def test_the_totals_are_those_that_are_published() -> None:
    assert counts(published("BERT-base"))["all"] == 109_482_240
    assert counts(published("BERT-base"), "attention")["all"] == 2_362_368
    assert counts(published("GPT-2 small"))["all"] == 124_439_808
    assert counts(published("GPT-2 small"))["attention"] == 28_348_416
    assert counts(published("Llama-3.1-8B"))["all"] == 8_030_261_248
    assert counts(published(ONE_LAYER)) == {
        "attention": 1_050_624,
        "MLP": 2_099_712,
        "norms": 2_048,
        "all": 3_152_384,
    }


def test_attention_is_four_matrices_and_their_biases() -> None:
    assert counts(published(ONE_LAYER), "attention") == {
        **dict.fromkeys(["W_q", "W_k", "W_v", "W_o"], 262_144),
        "biases": 2_048,
        "all": 1_050_624,
    }
    assert attention(bias=False) == 1_048_576
    assert "biases" not in counts(changed(ONE_LAYER, bias=False), "attention")


@pytest.mark.parametrize("model", MODELS)
def test_heads_change_nothing_where_the_sharing_stays(model: str) -> None:
    stops = trace(published(model))["stops"]["heads"]
    assert len(stops) >= 5
    sums = [counts(changed(model, heads=h, kv_heads=kv)) for h, kv in stops]
    assert sums == [counts(published(model))] * len(stops)


@pytest.mark.parametrize("model", MODELS)
def test_each_key_head_more_adds_to_keys_and_values_alone(model: str) -> None:
    stops = trace(published(model))["stops"]["kv_heads"]
    drawn = [counts(changed(model, heads=h, kv_heads=kv), "attention") for h, kv in stops]
    for fewer, more in pairwise(drawn):
        assert fewer["W_k"] == fewer["W_v"] < more["W_k"] == more["W_v"]
        assert (fewer["W_q"], fewer["W_o"]) == (more["W_q"], more["W_o"])
    assert drawn[-1]["W_k"] == drawn[-1]["W_q"]


def test_the_mlp_has_two_thirds_of_a_layer() -> None:
    parts = counts(published(ONE_LAYER))
    assert parts["MLP"] / parts["all"] == pytest.approx(2 / 3, abs=0.002)
    assert trace(published(ONE_LAYER))["matrices"][0]["shown"][1] == ["2,099,712", "66.6%"]


@pytest.mark.parametrize("inputs", embedded().values(), ids=embedded())
def test_the_formula_comes_to_the_number_that_is_told(inputs: Inputs) -> None:
    told = trace(inputs)["picture"]
    formula, result = told.split("Attention has ")[1].split(" of them")[0].split(" = ")
    spelled = formula.replace(",", "").replace("·", "*").replace("²", "**2")
    assert f"{eval(spelled):,}" == result.rsplit(",", 1)[0]


def test_it_says_what_the_picture_shows() -> None:
    assert trace(published(ONE_LAYER))["picture"] == (
        "Transformer, one layer: 3,152,384 parameters. Attention has 4 · 512² + 4 · 512 = "
        "1,050,624, 33.3% of them; the MLP has 66.6%. 8 heads of 64 features."
    )
    assert trace(changed("Llama-3.1-8B", kv_heads=1))["picture"] == (
        "Llama-3.1-8B, with your settings: 7,795,380,224 parameters. Attention has "
        "32 · (2 · 4,096² + 2 · 4,096 · 128) = 1,107,296,256, 14.2% of them; the MLP has 72.3%. "
        "32 heads of 128 features share 1 head of keys and values."
    )


@pytest.mark.parametrize(
    ("settings", "told"),
    [
        ({"d_model": 100}, "8 heads do not divide 100 features."),
        ({"kv_heads": 3}, "3 key heads do not divide 8 query heads."),
        ({"heads": 0}, "heads must be a whole number from 1 to 100,000."),
        ({"d_model": 1.5}, "d_model must be a whole number from 1 to 100,000."),
        ({"kv_heads": None}, "kv_heads must be a whole number from 1 to 100,000."),
        ({"model": "BERT-huge"}, "These are no settings of this figure."),
        ({"model": ["BERT-base"]}, "These are no settings of this figure."),
        ({"bias": "yes"}, "These are no settings of this figure."),
    ],
)
def test_odd_settings_get_a_sentence(settings: Any, told: str) -> None:
    given = json.dumps(changed(ONE_LAYER, **settings))
    assert json.loads(answer("parameters", given)) == {"problem": told}


def test_the_page_answers_for_models_and_for_each_stop_of_a_layer() -> None:
    states = list(embedded().values())
    for model in MODELS:
        assert published(model) in states
    for model in (ONE_LAYER, LLAMA_LAYER):
        stops = trace(published(model))["stops"]
        for heads, kv_heads in [*stops["heads"], *stops["kv_heads"]]:
            assert changed(model, heads=heads, kv_heads=kv_heads) in states
        assert changed(model, bias=not published(model)["bias"]) in states


def test_embedded_states_are_small() -> None:
    carried = json.dumps(traces("parameters"), ensure_ascii=False, separators=(",", ":"))
    assert len(carried) < 40_000
