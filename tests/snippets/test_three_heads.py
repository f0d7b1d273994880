"""Three heads, three questions: the gradients, what was learned, and nothing kept that is stale."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from snippets import three_heads_training, three_heads_weights
from snippets.positions import sinusoidal
from snippets.pronoun_training import written
from snippets.pronouns import kept_back_sentences, right_noun, sentence
from snippets.three_heads import QUESTIONS, accuracies, forward, heads_of, questions, trained_heads
from snippets.three_heads_training import fresh_heads, train
from tests.snippets.mistakes import is_caught

Array = NDArray[Any]


def test_each_head_is_asked_its_own_question() -> None:
    words = sentence("road", "suit", "cat", "shy", when="today", of_second="lazy")
    _, present, targets, asked = questions([words, words[1:]])
    it, verb = words.index("it"), words.index("suit")
    assert [np.flatnonzero(head).tolist() for head in asked[0]] == [
        [it],
        [verb],
        list(range(len(words))),
    ]
    assert targets[0, 0, it] == right_noun(words)
    assert words[targets[0, 1, verb]] == "road"
    assert targets[0, 2].tolist() == [0, *range(len(words) - 1)]
    assert asked[1, 2].tolist() == present[1].tolist() == [True] * (len(words) - 1) + [False]


def loss_in_torch(p: dict[str, torch.Tensor], given: Any) -> torch.Tensor:
    """The same model, written a second time for torch, which differentiates by itself."""
    tokens, present, targets, asked = map(torch.tensor, given)
    b, t = tokens.shape
    attend = torch.nn.functional.scaled_dot_product_attention
    x = p["E"][tokens] + 0.5 * torch.tensor(sinusoidal(t, 16))
    mask = present[:, None, :].expand(-1, t, -1)
    h = x + attend(x @ p["W_q1"], x @ p["W_k1"], x @ p["W_v1"], attn_mask=mask)
    q, k = ((h @ p[name]).view(b, t, 3, 8).transpose(1, 2) for name in ("W_q2", "W_k2"))
    scores = (q @ k.transpose(-1, -2) / 8**0.5).masked_fill(~mask[:, None], -torch.inf)
    log_shares = torch.log_softmax(scores, dim=-1)
    pointed = torch.take_along_dim(log_shares, targets[..., None], dim=-1)[..., 0]
    losses = [-pointed[:, head][asked[:, head]].mean() for head in range(3)]
    return torch.stack(losses).sum()


def check_gradients(module: Any) -> None:
    """Loss and gradients equal torch's own, for sentences of different lengths."""
    rng = np.random.default_rng(3)
    p = {name: rng.normal(0, 0.5, table.shape) for name, table in fresh_heads(rng).items()}
    given = questions(kept_back_sentences()[:900:150])
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
    check_gradients(three_heads_training)


WRONG = {
    "heads weighted by their rows": ("axis=(0, 2), keepdims=True", "keepdims=True"),
    "rows that were not asked": ("* share[..., None]", "/ asked.sum()"),
    "the right place not subtracted": ('(f["A2"] - right)', 'f["A2"]'),
    "the residual forgotten": ("d_h + d_x, one_hot", "d_x, one_hot"),
    "layer 1 forgotten": ("d_h + d_x, one_hot", "d_h, one_hot"),
    "heads not merged": ("map(merge_heads, ", "map(lambda d: d.reshape(*d.shape[::2], -1), "),
}


@pytest.mark.parametrize("mistake", WRONG)
def test_a_mistake_in_the_gradients_is_caught(mistake: str) -> None:
    assert is_caught(three_heads_training, WRONG[mistake], [check_gradients])


def test_every_head_answers_its_question_in_every_new_sentence() -> None:
    assert accuracies(trained_heads(), kept_back_sentences()) == dict.fromkeys(QUESTIONS, 1.0)


def test_every_head_is_sharp_in_the_rows_that_it_was_asked_for() -> None:
    tokens, present, targets, asked = questions(kept_back_sentences())
    a = forward(trained_heads(), tokens, present)["A2"]
    pointed = np.take_along_axis(a, targets[..., None], axis=-1)[..., 0]
    assert pointed[asked].min() > 0.95


def test_the_heads_of_one_sentence_differ() -> None:
    words = sentence("animal", "cross", "street", "wide")
    a = heads_of(trained_heads(), words)
    assert a.shape == (3, 11, 11)
    assert_allclose(a.sum(-1), 1)
    it, verb = words.index("it"), words.index("cross")
    assert [words[a[head, it].argmax()] for head in (0, 2)] == ["street", "because"]
    assert words[a[1, verb].argmax()] == "animal"


def test_learning_it_anew_gives_the_weights_that_are_kept() -> None:
    """To two thousandths, as machines may differ in the last bit of a sum."""
    *_, (_, learned) = train()
    kept = trained_heads()
    assert set(kept) == set(learned)
    for name, table in learned.items():
        assert_allclose(table, kept[name], atol=0.002, err_msg=name)


def test_the_file_of_weights_is_the_one_that_the_training_writes() -> None:
    text = Path(three_heads_weights.__file__).read_text(encoding="utf-8")
    assert text == written(trained_heads(), "HEADS_IN_THOUSANDTHS")
