"""The pronoun task and its model: nothing leaks, gradients are right, it has learned to point."""

import itertools
import math
import types
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from snippets import pronoun_gradients, pronoun_training, pronoun_weights
from snippets.positions import sinusoidal
from snippets.pronoun_model import accuracy, both_layers, forward, pointing, trained
from snippets.pronoun_training import fresh, reports, train, written
from snippets.pronouns import (
    CREATURES,
    OF_CREATURES,
    OF_WAYS,
    VOCABULARY,
    WAYS,
    encode,
    filled,
    frames,
    is_kept_back,
    kept_back_sentences,
    right_noun,
    sentence,
)
from tests.snippets.mistakes import is_caught

Array = NDArray[Any]
NOUNS, ADJECTIVES = CREATURES + WAYS, OF_CREATURES + OF_WAYS


def learned_sentences(count: int = 2000) -> list[list[str]]:
    """Sentences such as the model learns from."""
    rng = np.random.default_rng(5)
    known = frames(kept_back=False)
    return [filled(known[rng.integers(len(known))], rng) for _ in range(count)]


# The task


def test_no_sentence_to_learn_from_holds_a_pair_of_words_that_is_kept_back() -> None:
    for words in learned_sentences():
        nouns = [word for word in words if word in NOUNS]
        for noun, adjective in itertools.product(nouns, set(words) & set(ADJECTIVES)):
            assert not is_kept_back(noun, adjective), words


def test_every_new_sentence_has_a_pair_that_was_kept_back() -> None:
    for words in kept_back_sentences():
        assert any(is_kept_back(noun, words[-1]) for noun in words if noun in NOUNS)
    assert is_kept_back("animal", "tired")
    assert is_kept_back("street", "wide")


def test_both_nouns_come_first_and_are_right_equally_often() -> None:
    for known in (frames(kept_back=False), frames(kept_back=True)):
        first_is_creature = [first in CREATURES for first, _, _ in known]
        creature_is_right = [last in OF_CREATURES for _, _, last in known]
        assert np.mean(first_is_creature) == np.mean(creature_is_right) == 0.5


def test_the_right_noun_is_the_one_whose_kind_the_last_word_fits() -> None:
    for words in learned_sentences(200):
        assert (words[right_noun(words)] in CREATURES) == (words[-1] in OF_CREATURES)
    with pytest.raises(ValueError, match="2 nouns fit “tired”"):
        right_noun(sentence("animal", "cross", "dog", "tired"))


def test_the_vocabulary_has_every_word_once() -> None:
    assert len(set(VOCABULARY)) == len(VOCABULARY) == 46


# The gradients


def batch(size: int = 6) -> tuple[Array, ...]:
    """A few sentences of different lengths, encoded."""
    encoded: tuple[Array, ...] = encode(learned_sentences(size))
    return encoded


def parameters(layers: int = 2) -> dict[str, Array]:
    """Random parameters, large enough for every part of the gradient to count."""
    rng = np.random.default_rng(3)
    return {name: rng.normal(0, 0.5, p.shape) for name, p in fresh(rng, layers).items()}


def loss_in_torch(p: dict[str, torch.Tensor], given: tuple[Array, ...]) -> torch.Tensor:
    """The same model, written a second time for torch, which differentiates by itself."""
    tokens, present, it, right = map(torch.tensor, given)
    attend = torch.nn.functional.scaled_dot_product_attention
    x = p["E"][tokens] + 0.5 * torch.tensor(sinusoidal(tokens.shape[1], 16))
    mask = present[:, None, :].expand(-1, tokens.shape[1], -1)
    h = x
    if "W_q1" in p:
        h = x + attend(x @ p["W_q1"], x @ p["W_k1"], x @ p["W_v1"], attn_mask=mask)
    scores = (h @ p["W_q2"]) @ (h @ p["W_k2"]).transpose(-1, -2) / 4
    log_shares = torch.log_softmax(scores.masked_fill(~mask, -torch.inf), dim=-1)
    rows = torch.arange(len(it))
    loss: torch.Tensor = -log_shares[rows, it, right].mean()
    return loss


def check_gradients(module: types.ModuleType) -> None:
    """Loss and gradients equal torch's own, with and without layer 1."""
    for layers in (1, 2):
        given, p = batch(), parameters(layers)
        leaves = {name: torch.tensor(table, requires_grad=True) for name, table in p.items()}
        expected = loss_in_torch(leaves, given)
        expected.backward()  # type: ignore[no-untyped-call]
        loss, gradients = module.loss_and_gradients(p, *given)
        assert_allclose(loss, expected.detach(), rtol=1e-12)
        assert set(gradients) == set(p)
        for name, leaf in leaves.items():
            assert leaf.grad is not None
            assert_allclose(gradients[name], leaf.grad, atol=1e-12, err_msg=name)


def test_the_gradients_are_those_that_torch_finds() -> None:
    check_gradients(pronoun_gradients)


@pytest.mark.parametrize("name", parameters())
def test_the_gradients_are_those_that_small_steps_find(name: str) -> None:
    given, p = batch(), parameters()
    _, gradients = pronoun_gradients.loss_and_gradients(p, *given)
    step = 1e-5
    for place in [(0, 0), (3, 7), (15, 15)]:
        losses = []
        for sign in (1, -1):
            moved = p | {name: p[name].copy()}
            moved[name][place] += sign * step
            losses.append(pronoun_gradients.loss_and_gradients(moved, *given)[0])
        slope = (losses[0] - losses[1]) / (2 * step)
        assert slope == pytest.approx(gradients[name][place], abs=1e-8)


WRONG_GRADIENTS = {
    "layer 1 forgotten": ("d_h = d_h + d_x", "d_h = d_h"),
    "the residual forgotten": ("d_h = d_h + d_x", "d_h = d_x"),
    "no scaling on the way back": ("d_s / q.shape[-1] ** 0.5", "d_s"),
    "softmax as if each share stood alone": (
        "a * (d_a - (d_a * a).sum(-1, keepdims=True))",
        "a * (1 - a) * d_a",
    ),
    "A for Aᵀ": ('f["A1"].swapaxes(-1, -2) @ d_read', 'f["A1"] @ d_read'),
    "the right noun not subtracted": ("d_s[rows, it, right] -= 1", "d_s[rows, it, right] -= 0"),
    "the sum for the mean": ("a / len(it)", "a"),
    "every row asked": ("d_s[rows, it] =", "d_s[rows] = a[:, None] / len(it); d_s[rows, it] ="),
    "q and k swapped": ("return d_s @ k, d_s", "return d_s @ q, d_s"),
}


@pytest.mark.parametrize("mistake", WRONG_GRADIENTS)
def test_a_mistake_in_the_gradients_is_caught(mistake: str) -> None:
    assert is_caught(pronoun_gradients, WRONG_GRADIENTS[mistake], [check_gradients])


# The optimizers


def check_optimizers(module: types.ModuleType) -> None:
    """Steps along the directions are those that torch's own optimizers make."""
    rng = np.random.default_rng(0)
    start, gradients = rng.normal(size=4), rng.normal(size=(6, 4)) * [1, 1e-3, 10, 0]
    for name in ("momentum", "adam"):
        parameters, leaf = {"w": start}, torch.tensor(start, requires_grad=True)
        directions = getattr(module, name)(parameters)
        oracle = {
            "momentum": torch.optim.SGD([leaf], lr=0.1, momentum=0.9),
            "adam": torch.optim.Adam([leaf], lr=0.1),
        }[name]
        for gradient in gradients:
            parameters["w"] = parameters["w"] - 0.1 * directions({"w": gradient})["w"]
            leaf.grad = torch.tensor(gradient)
            oracle.step()
            assert_allclose(parameters["w"], leaf.detach(), rtol=1e-9)


def test_the_optimizers_are_those_of_torch() -> None:
    check_optimizers(pronoun_training)


WRONG_OPTIMIZERS = {
    "a speed that forgets": ("speed[name] = keep * speed[name] + g", "speed[name] = g"),
    "a mean for a sum": (
        "speed[name] = keep * speed[name] + g",
        "speed[name] = keep * speed[name] + (1 - keep) * g",
    ),
    "small at first": ("mean[name] / (1 - keep**step)", "mean[name]"),
    "large at first": ("squares[name] / (1 - keep_squares**step)", "squares[name]"),
    "no root": ("s**0.5", "s"),
}


@pytest.mark.parametrize("mistake", WRONG_OPTIMIZERS)
def test_a_mistake_in_an_optimizer_is_caught(mistake: str) -> None:
    assert is_caught(pronoun_training, WRONG_OPTIMIZERS[mistake], [check_optimizers])


# What it has learned


def test_every_new_sentence_is_understood_with_certainty() -> None:
    sentences = kept_back_sentences()
    shares, right = pointing(trained(), sentences)
    assert accuracy(trained(), sentences) == 1.0
    assert shares[np.arange(len(right)), right].min() > 0.98


def test_it_reads_the_last_word_in_layer_1() -> None:
    tokens, present, it, _ = encode(kept_back_sentences())
    read = forward(trained(), tokens, present)["A1"][np.arange(len(it)), it]
    last = present.sum(-1) - 1
    assert (read.argmax(-1) == last).all()
    assert read[np.arange(len(it)), last].mean() > 0.85


@pytest.mark.parametrize(("last", "noun"), [("tired", "animal"), ("wide", "street")])
def test_the_sentence_of_the_page(last: str, noun: str) -> None:
    words = sentence("animal", "cross", "street", last)
    first, second = both_layers(trained(), words)
    it = words.index("it")
    assert first[it, words.index(last)] > 0.85
    assert second[it, words.index(noun)] > 0.99
    assert_allclose([first.sum(-1), second.sum(-1)], 1)


def test_the_knock_out_shows_that_it_is_it_that_reads() -> None:
    """The picture of the weights could mislead; deleting what was read cannot."""
    sentences = kept_back_sentences()
    assert accuracy(trained(), sentences, keep=lambda is_it: ~is_it) == pytest.approx(0.5, abs=0.06)
    assert accuracy(trained(), sentences, keep=lambda is_it: is_it) == 1.0


@pytest.fixture(scope="module")
def learned_anew() -> tuple[dict[str, Array], list[float]]:
    """The whole training, once more: the parameters, and the loss of each step."""
    steps = list(train())
    return steps[-1][1], [float(loss) for loss, _ in steps]


def test_learning_it_anew_gives_the_weights_that_are_kept(learned_anew: Any) -> None:
    """To two thousandths, as machines may differ in the last bit of a sum."""
    kept = trained()
    assert set(kept) == set(learned_anew[0])
    for name, table in learned_anew[0].items():
        assert_allclose(table, kept[name], atol=0.002, err_msg=name)


def test_the_file_of_weights_is_the_one_that_the_training_writes() -> None:
    text = Path(pronoun_weights.__file__).read_text(encoding="utf-8")
    assert text == written(trained())


def test_the_loss_waits_at_ln_2_before_it_falls(learned_anew: Any) -> None:
    """At ln 2 the model knows that it has to be a noun, and not which."""
    losses = np.convolve(learned_anew[1], np.ones(20) / 20, mode="valid")
    assert (np.abs(losses - math.log(2)) < 0.05).sum() > 20
    assert losses[-1] < 0.001


@pytest.mark.parametrize("seed", [1])
def test_it_does_not_depend_on_the_seed(seed: int) -> None:
    *_, (_, p) = train(seed, steps=700)
    assert accuracy(p, kept_back_sentences()) > 0.99


def test_one_layer_is_left_at_chance_when_it_has_to_point() -> None:
    steps = list(train(layers=1))
    assert accuracy(steps[-1][1], kept_back_sentences()) == pytest.approx(0.5, abs=0.03)
    last = np.mean([loss for loss, _ in steps[-50:]])
    assert last == pytest.approx(math.log(2), abs=0.03)


@pytest.mark.parametrize("optimizer", ["sgd", "adam"])
def test_the_same_seed_gives_the_same_numbers_and_another_gives_others(optimizer: str) -> None:
    first, same, other = (
        [loss for loss, _ in train(seed, steps=5, optimizer=optimizer)] for seed in (2, 2, 3)
    )
    assert first == same
    assert first != other


def test_reports_tell_of_every_step_once() -> None:
    losses = [float(loss) for loss, _ in train(steps=7, layers=1)]
    told = list(reports(train(steps=7, layers=1), every=3))
    assert [report.step for report in told] == [3, 6, 7]
    assert [loss for report in told for loss in report.losses] == losses
    new = kept_back_sentences()
    assert told[-1].accuracy == accuracy(told[-1].model, new) != told[0].accuracy
    assert told[0].accuracy == accuracy(told[0].model, new)  # not the later numbers
