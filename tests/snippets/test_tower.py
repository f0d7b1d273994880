"""The tower of blocks and the proof of the ratio: against torch, and against mistakes."""

import types
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from snippets import flip, tower
from snippets.block import block, random_weights
from snippets.pronoun_model import trained
from snippets.pronouns import VERBS, sentence
from tests.snippets.mistakes import is_caught

Array = NDArray[Any]
X = np.random.default_rng(6).normal(size=(5, 8))
WEIGHTS = [random_weights(8, seed) for seed in (1, 2, 3)]
SENTENCES = [sentence("animal", "cross", "street", last) for last in ("tired", "wide")]


def check_tower(module: types.ModuleType) -> None:
    """With the residual road, every second level is that of stacked blocks."""
    levels = module.tower(X, WEIGHTS, 2)
    assert levels.shape == (7, 5, 8)
    x = X
    for level, one in zip(levels[2::2], WEIGHTS, strict=True):
        x = block(x, one, heads=2)
        assert_allclose(level, x, atol=1e-12)
    assert_allclose(levels[1] - levels[0], module.attended(X, WEIGHTS[0], 2), atol=1e-12)
    assert_allclose(levels[2] - levels[1], module.worked(levels[1], WEIGHTS[0]), atol=1e-12)


def check_without_the_road(module: types.ModuleType) -> None:
    """Each update takes the place of the words, which grow alike."""
    levels = module.tower(X, WEIGHTS, 2, residual=False)
    assert_allclose(levels[1], module.attended(X, WEIGHTS[0], 2))
    assert_allclose(levels[2], module.worked(levels[1], WEIGHTS[0]))
    alike = module.likeness(levels)
    assert alike[-1] > 0.99 > module.likeness(module.tower(X, WEIGHTS, 2))[-1]


def check_likeness(module: types.ModuleType) -> None:
    pairs = [(i, j) for i in range(5) for j in range(5) if i != j]
    x = torch.tensor(X)
    cosines = [torch.cosine_similarity(x[i], x[j], dim=0) for i, j in pairs]
    expected = float(torch.stack(cosines).mean())
    assert module.likeness(X) == pytest.approx(expected)
    assert_allclose(module.likeness(np.stack([X, 3 * X])), expected)


def check_kept(module: types.ModuleType) -> None:
    levels = module.tower(X, WEIGHTS, 2)
    expected = torch.cosine_similarity(torch.tensor(levels), torch.tensor(levels[:1]), dim=-1)
    assert_allclose(module.kept(levels), expected, atol=1e-12)


def check_preference(module: types.ModuleType) -> None:
    words = ["street", "was", "it", "animal"]
    a = np.array([[0.25] * 4, [0.25] * 4, [0.1, 0.2, 0.3, 0.4], [0.25] * 4])
    assert module.preference(a, words) == pytest.approx(np.log(4))


def check_ratio(module: types.ModuleType) -> None:
    """In any first layer the last word changes both weights alike; in the second it flips."""
    for parameters in [*(module.random_layer(seed) for seed in range(8)), trained()]:
        tired, wide = (module.in_layer_1(parameters, words) for words in SENTENCES)
        assert not np.allclose(tired[7], wide[7])
        ratios = [
            module.preference(a, words) for a, words in zip((tired, wide), SENTENCES, strict=True)
        ]
        assert ratios[0] == pytest.approx(ratios[1], abs=1e-10)
    first, second = (
        module.preference(module.in_layer_2(trained(), words), words) for words in SENTENCES
    )
    assert first > 5
    assert second < -5
    assert module.random_layer(0)["E"].std() == pytest.approx(0.4, rel=0.1)
    assert not np.allclose(module.random_layer(0)["E"], module.random_layer(1)["E"])


CHECKS = {
    tower: [check_tower, check_without_the_road, check_likeness, check_kept],
    flip: [check_preference, check_ratio],
}
MISTAKES = {
    "the road taken away": (tower, "residual=True", "residual=False"),
    "halves in the other order": (
        tower,
        "change = attended(x, one, heads)",
        "change = worked(x, one)",
    ),
    "the first block for all": (tower, "for one in weights:", "for one in weights[:1] * 3:"),
    "norms swapped": (tower, 'layer_norm(x, *weights["norm_1"])', "x"),
    "words with themselves counted": (tower, " - n) / (n * (n - 1))", ") / n**2"),
    "lengths counted": (tower, "unit = x / np.linalg.norm(x, axis=-1, keepdims=True)", "unit = x"),
    "against the level before": (tower, "unit * unit[0]", "unit * np.roll(unit, 1, axis=0)"),
    "the start forgotten": (tower, "levels = [x]", "levels = []"),
    "nouns multiplied": (flip, '"animal")] /', '"animal")] *'),
    "the first row": (flip, 'weights[..., words.index("it"), :]', "weights[..., 0, :]"),
    "no logarithm": (flip, "return np.log(row", "return (row"),
    "the second layer for the first": (flip, '["A1"][0]', '["h"][0]'),
    "the first layer for the second": (flip, '["A2"][0]', '["A1"][0]'),
    "the seed ignored": (flip, "default_rng(seed)", "default_rng(0)"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("module", "check"), [(module, check) for module, found in CHECKS.items() for check in found]
)
def test_it_holds(module: types.ModuleType, check: Any) -> None:
    check(module)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    module, right, wrong = MISTAKES[mistake]
    assert is_caught(module, (right, wrong), CHECKS[module])


@pytest.mark.parametrize("verb", VERBS)
def test_the_ratio_stays_for_every_last_word(verb: str) -> None:
    from snippets.pronouns import OF_CREATURES, OF_WAYS

    sentences = [sentence("animal", verb, "street", last) for last in OF_CREATURES + OF_WAYS]
    ratios = [flip.preference(flip.in_layer_1(trained(), words), words) for words in sentences]
    assert_allclose(ratios, ratios[0], atol=1e-10)
