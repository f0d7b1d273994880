"""The traces behind the pictures: a sentence, the way through it, temperature and √d_k."""

import json
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from site_src.figures.live import answer, follow
from site_src.figures.path import trace as path
from site_src.figures.scaling import trace as scaling
from site_src.figures.sentence import trace as sentence_trace
from site_src.figures.temperature import trace as temperature
from snippets.influence import influence_of_first_word
from snippets.pronoun_model import both_layers, trained
from snippets.pronouns import filled, frames, is_kept_back, sentence


def values(drawn: Any, name: str) -> Any:
    """A matrix of a trace as an array."""
    return np.array(next(m["values"] for m in drawn["matrices"] if m["name"] == name))


def of_words(text: str) -> Any:
    """The trace of a sentence."""
    return sentence_trace.trace({"words": text.split()})


# The sentence


@pytest.mark.parametrize("last", ["tired", "wide", "crowded"])
def test_a_sentence_shows_the_weights_of_the_model(last: str) -> None:
    words = sentence("goat", "reach", "alley", last, when="today", of_first="sad")
    drawn = sentence_trace.trace({"words": words})
    for name, weights in zip(("layer 1", "layer 2"), both_layers(trained(), words), strict=True):
        assert_allclose(values(drawn, name), weights, atol=5e-5)
    assert drawn["matrices"][0]["rows"] == [f"query: {word}" for word in words]
    assert drawn["matrices"][1]["columns"] == [f"key: {word}" for word in words]
    assert words[drawn["it"]] == "it"


def test_the_parts_of_any_sentence_put_it_together_again() -> None:
    rng = np.random.default_rng(0)
    for kept_back in (True, False):
        for frame in frames(kept_back)[::7]:
            words = filled(frame, rng)
            parts = sentence_trace.trace({"words": words})["parts"]
            assert [part["value"] for part in parts if part["value"]] == words
            assert all(part["value"] in part["options"] for part in parts if part["slot"])


def test_every_choice_of_the_builder_makes_a_sentence_that_can_be_drawn() -> None:
    parts = sentence_trace.trace(sentence_trace.embedded()["tired"])["parts"]
    tried = 0
    for place, part in enumerate(parts):
        for option in part["options"]:
            chosen = [one["value"] for one in parts]
            chosen[place] = option
            drawn = sentence_trace.trace({"words": [word for word in chosen if word]})
            assert drawn["parts"][place]["value"] == option
            tried += 1
    assert tried == 3 + 9 + 8 + 6 + 9 + 8 + 16


def test_it_says_what_it_points_at_and_whether_the_model_has_met_the_pair() -> None:
    assert of_words("the animal didn't cross the street because it was too tired")["verdict"] == (
        "“it” points at “animal”, which fits “tired”. "
        "The model learned from no sentence with both “animal” and “tired”."
    )
    assert not is_kept_back("animal", "hungry")
    assert not is_kept_back("street", "hungry")
    hungry = of_words("the animal didn't cross the street because it was too hungry")
    assert hungry["verdict"] == "“it” points at “animal”, which fits “hungry”."
    wide = of_words("the animal didn't cross the street because it was too wide")
    assert wide["picture"].startswith("“it” reads wide (87%), street (4%), it (3%) in layer 1")
    assert wide["picture"].endswith("points at street (100%) in layer 2.")


@pytest.mark.parametrize(
    "text",
    [
        "",
        "it",
        "the animal didn't cross the street because it was too big",
        "the animal didn't cross the dog because it was too tired",
        "the animal did cross the street because it was too tired",
        "the unicorn didn't cross the street because it was too tired",
    ],
)
def test_other_sentences_are_refused_in_a_sentence(text: str) -> None:
    problem = json.loads(answer("sentence", json.dumps({"words": text.split()})))["problem"]
    assert problem.startswith("The model knows one kind of sentence only")


ONE_STRING = '["the animal didn\'t cross the street because it was too tired"]'


@pytest.mark.parametrize("words", ["null", "7", '"it"', "[1, 2]", "{}", ONE_STRING])
def test_what_is_no_list_of_words_is_refused_too(words: str) -> None:
    assert "one kind of sentence" in answer("sentence", f'{{"words": {words}}}')


# The way through a sentence


def test_the_path_has_a_step_for_each_word_or_only_one() -> None:
    drawn = path.trace({"spectral_radius": 0.9})
    assert drawn["lengths"] == list(range(2, 65))
    assert drawn["paths"] == [[n - 1 for n in drawn["lengths"]], [1] * 63]
    assert_allclose(values(drawn, "steps"), [[1, 4, 9, 19, 49], [1] * 5])


@pytest.mark.parametrize("radius", [0.7, 1.2])
def test_the_chart_is_what_was_measured(radius: float) -> None:
    drawn = path.trace({"spectral_radius": radius})
    assert_allclose(drawn["influence"], influence_of_first_word(64, radius), rtol=0.005)


def test_numbers_of_any_size_are_written_in_a_few_signs() -> None:
    tiny: Any = path.trace({"spectral_radius": 1e-3})
    assert tiny["shown"][0][-1] in ("0", "10⁻³⁰⁸") or tiny["shown"][0][-1].startswith("10⁻")
    assert path.short(0.0) == "0"
    exploding: Any = path.trace({"spectral_radius": 2.0})
    assert exploding["shown"][0][-1].replace(",", "").isdigit()


@pytest.mark.parametrize("radius", [0, -1, 3, [1.0], None, "0.9"])
def test_an_odd_radius_gets_a_sentence(radius: Any) -> None:
    told = answer("path", json.dumps({"spectral_radius": radius}))
    assert "must be a number above 0" in told


def test_the_path_follows_the_readers_variable() -> None:
    shown = json.dumps({"spectral_radius": 0.9})
    told = follow("path", shown, "spectral_radius", "spectral_radius = 1", {"spectral_radius": 1})
    assert json.loads(told)["trace"]["inputs"] == {"spectral_radius": 1.0}


# Temperature


@pytest.mark.parametrize("t", [0.1, 1.0, 10.0])
def test_the_weights_at_a_temperature(t: float) -> None:
    drawn = temperature.trace({"scores": [2.0, 1.0, -1.0], "temperature": t})
    expected = np.exp(np.array([2.0, 1.0, -1.0]) / t)
    assert_allclose(values(drawn, "weights")[0], expected / expected.sum())


@pytest.mark.parametrize(
    ("inputs", "told"),
    [
        ({"scores": [1.0], "temperature": 0}, "temperature must be a number above 0"),
        ({"scores": [1.0], "temperature": "hot"}, "temperature must be a number above 0"),
        ({"scores": [], "temperature": 1}, "a row of 1 to 10 numbers"),
        ({"scores": [[1.0]], "temperature": 1}, "a row of 1 to 10 numbers"),
        ({"scores": [1.0] * 11, "temperature": 1}, "a row of 1 to 10 numbers"),
        ({"scores": ["a"], "temperature": 1}, "a row of 1 to 10 numbers"),
        ({"scores": [1e308], "temperature": 0.001}, "too large for this temperature"),
    ],
)
def test_odd_scores_and_temperatures_get_a_sentence(inputs: Any, told: str) -> None:
    assert told in json.loads(answer("temperature", json.dumps(inputs)))["problem"]


def test_a_low_temperature_is_not_called_0() -> None:
    drawn = temperature.trace({"scores": [1.0, 0.0], "temperature": 0.001})
    assert drawn["picture"].startswith("At temperature 0.001 ")


@pytest.mark.parametrize("inputs", ["5", "null", '"x"', "[]"])
@pytest.mark.parametrize("figure", ["sentence", "path", "temperature", "scaling", "calculation"])
def test_inputs_of_no_kind_get_a_sentence(figure: str, inputs: str) -> None:
    assert json.loads(answer(figure, inputs)) == {
        "problem": "These are no numbers for this figure."
    }


@pytest.mark.parametrize(
    ("value", "told"),
    [
        ("text", "Your words is neither numbers nor a list of words."),
        (None, "The model knows one kind of sentence only"),
        (np.array(["it", "was"]), "The model knows one kind of sentence only"),
    ],
)
def test_words_that_are_none_get_a_sentence(value: Any, told: str) -> None:
    shown = json.dumps(sentence_trace.embedded()["tired"])
    answered = follow("sentence", shown, "words", "words = 1", {"words": value})
    assert told in json.loads(answered)["problem"]


# √d_k


@pytest.mark.parametrize(
    ("d_k", "raw", "scaled"),
    [
        (1, (0.81, 0.85), (0.81, 0.85)),
        (64, (0.187, 0.089), (0.804, 0.823)),
        (1024, (0.047, 3e-6), (0.805, 0.82)),
    ],
)
def test_the_gradient_that_survives(d_k: int, raw: Any, scaled: Any) -> None:
    """Independent figures: the mean over rows of ten keys, and the median."""
    summary = values(scaling.trace({"d_k": d_k, "seed": 0}), "summary")
    assert_allclose(summary[0, 2:], raw, atol=0.025)
    assert_allclose(summary[1, 2:], scaled, atol=0.025)
    assert_allclose(summary[:, 0], [d_k**0.5, 1], rtol=0.05)


def test_the_histograms_count_every_score_that_is_not_beyond() -> None:
    for d_k in (1, 64, 1024):
        drawn = scaling.trace({"d_k": d_k, "seed": 0})
        beyond = values(drawn, "summary")[:, 1]
        counted = [sum(counts) for counts in drawn["histograms"]]
        assert_allclose(counted, 5000 * (1 - beyond), atol=1)
    assert beyond[0] > 0.3
    assert beyond[1] == 0


def test_another_seed_draws_other_numbers() -> None:
    one, other = (scaling.trace({"d_k": 64, "seed": seed}) for seed in (0, 1))
    assert one["histograms"] != other["histograms"]
    assert one == scaling.trace({"d_k": 64, "seed": 0})


@pytest.mark.parametrize("d_k", [0, 2000, 1.5, None])
def test_an_odd_length_of_keys_gets_a_sentence(d_k: Any) -> None:
    assert "d_k must be a whole number" in answer("scaling", json.dumps({"d_k": d_k, "seed": 0}))
