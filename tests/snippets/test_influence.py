"""RNN, influence, paths and scaling: against torch, which differentiates, and against mistakes."""

import types
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose
from numpy.typing import NDArray

from snippets import influence, paths, rnn, scaling
from snippets.attention import softmax
from tests.snippets.mistakes import Check, is_caught

Array = NDArray[Any]
RNG = np.random.default_rng(4)
X = RNG.normal(size=(7, 3))
W_H, W_X = RNG.normal(0, 0.6, size=(5, 5)), RNG.normal(size=(3, 5))
W_Q, W_K, W_V = RNG.normal(size=(3, 3, 3))


def torch_rnn(x: torch.Tensor) -> torch.Tensor:
    """PyTorch's own RNN with our weights, which it wants transposed."""
    module = torch.nn.RNN(3, 5, bias=False, batch_first=True, dtype=torch.float64)
    with torch.no_grad():
        module.all_weights[0][1].copy_(torch.tensor(W_H.T))
        module.all_weights[0][0].copy_(torch.tensor(W_X.T))
    out: torch.Tensor = module(x[None])[0][0]
    return out


def last_of_attention(x: torch.Tensor) -> torch.Tensor:
    """The output of the last word, by torch."""
    q, k, v = (x @ torch.tensor(w) for w in (W_Q, W_K, W_V))
    attended: torch.Tensor = torch.nn.functional.scaled_dot_product_attention(q, k, v)[-1]
    return attended


def jacobian(of: Callable[[torch.Tensor], torch.Tensor]) -> Array:
    """The Jacobian at X: [*output, T, D_in]."""
    found: Array = torch.autograd.functional.jacobian(of, torch.tensor(X)).numpy()  # type: ignore[no-untyped-call]
    return found


def check_rnn(module: types.ModuleType) -> None:
    assert_allclose(module.rnn(X, W_H, W_X), torch_rnn(torch.tensor(X)).detach(), atol=1e-12)


def check_recurrent_weights(module: types.ModuleType) -> None:
    for radius in (0.5, 1.3):
        w_h, w_x = module.recurrent_weights(6, radius, np.random.default_rng(1))
        assert np.abs(np.linalg.eigvals(w_h)).max() == pytest.approx(radius)
        assert w_h.shape == w_x.shape == (6, 6)


def check_influence_in_rnn(module: types.ModuleType) -> None:
    """The Frobenius norm of ∂h_t/∂x_1 for every t."""
    expected = np.linalg.norm(jacobian(torch_rnn)[:, :, 0, :], axis=(1, 2))
    assert_allclose(module.influence_in_rnn(X, W_H, W_X), expected, rtol=1e-10)


def check_influence_in_attention(module: types.ModuleType) -> None:
    expected = np.linalg.norm(jacobian(last_of_attention), axis=(0, 2))[:-1]
    assert_allclose(module.influence_in_attention(X, W_Q, W_K, W_V), expected, rtol=1e-10)


def check_influence_of_first_word(module: types.ModuleType) -> None:
    """In the RNN it falls by about one factor a word; in attention like the share of each word."""
    in_rnn, in_attention = module.influence_of_first_word(40, 0.8)
    assert in_rnn.shape == in_attention.shape == (39,)
    assert in_rnn[0] == in_attention[0] == 1
    falls = np.log(in_rnn[10:] / in_rnn[9:-1])
    assert falls.mean() == pytest.approx(np.log(in_rnn[-1]) / 38, rel=0.1)
    assert in_rnn[-1] < 1e-6
    lengths = np.log(np.arange(2, 41))
    assert np.polyfit(lengths, np.log(in_attention), 1)[0] == pytest.approx(-1, abs=0.3)
    slower, same = module.influence_of_first_word(40, 1.1)
    assert slower[-1] > 100 * in_rnn[-1]
    assert_allclose(same, in_attention)


def check_paths(module: types.ModuleType) -> None:
    for n in (1, 2, 9):
        assert module.steps_to_last(module.chain(n)) == n - 1
        assert module.steps_to_last(module.all_linked(n)) == min(n - 1, 1)
    skips = np.eye(9, k=1, dtype=bool) | np.eye(9, k=3, dtype=bool)
    assert module.steps_to_last(skips) == 4  # 3 + 3 + 1 + 1
    with pytest.raises(ValueError, match="no path"):
        module.steps_to_last(np.eye(3, k=-1, dtype=bool))


def check_scores(module: types.ModuleType) -> None:
    """Variance d_k, as independent entries of variance 1 give it; the same seed, the same draw."""
    for d_k in (1, 16, 300):
        scores = module.sample_scores(d_k, rows=4000)
        assert scores.shape == (4000, 10)
        assert scores.var() == pytest.approx(d_k, rel=0.15)
        assert abs(scores.mean()) < 0.1 * d_k**0.5
    assert_allclose(module.sample_scores(8, seed=3), module.sample_scores(8, seed=3))
    assert not np.allclose(module.sample_scores(8, seed=3), module.sample_scores(8, seed=4))


def check_gradient(module: types.ModuleType) -> None:
    """The trace of the Jacobian that torch finds for softmax."""
    scores = RNG.normal(0, 2, size=(5, 6))
    for row in scores:
        full = torch.autograd.functional.jacobian(  # type: ignore[no-untyped-call]
            lambda s: torch.softmax(s, dim=0), torch.tensor(row)
        )
        assert module.surviving_gradient(softmax(row)) == pytest.approx(float(full.trace()))
    assert module.surviving_gradient(softmax(scores)).shape == (5,)


CHECKS: dict[types.ModuleType, list[Check]] = {
    rnn: [check_rnn, check_recurrent_weights],
    influence: [
        check_influence_in_rnn,
        check_influence_in_attention,
        check_influence_of_first_word,
    ],
    paths: [check_paths],
    scaling: [check_scores, check_gradient],
}

MISTAKES = {
    "no tanh": (rnn, "np.tanh(h @ w_h + word @ w_x)", "h @ w_h + word @ w_x"),
    "the memory left out": (rnn, "h @ w_h + word", "word"),
    "weights transposed": (rnn, "h @ w_h", "h @ w_h.T"),
    "the same word again and again": (rnn, "word @ w_x)", "x[0] @ w_x)"),
    "a sum for a product": (rnn, "w_h *= spectral_radius", "w_h += spectral_radius"),
    "the mean eigenvalue": (rnn, "(w_h)).max()\n    return", "(w_h)).mean()\n    return"),
    "the largest entry": (rnn, "/ np.abs(np.linalg.eigvals(w_h))", "/ np.abs(w_h)"),
    "input weights of another size": (rnn, "size=(d, d))\n\n", "size=(d, 1))\n\n"),
    "only the last memory kept": (rnn, "np.stack(memory)", "np.stack(memory[-1:])"),
    "singular values for eigenvalues": (
        rnn,
        "/ np.abs(np.linalg.eigvals(w_h))",
        "/ np.linalg.svd(w_h)[1]",
    ),
    "the slope forgotten": (influence, "jacobian @ w_h * slope", "jacobian @ w_h"),
    "the slope on the wrong side": (influence, "jacobian @ w_h * slope", "jacobian * slope @ w_h"),
    "the first slope forgotten": (influence, "w_x * slopes[0]", "w_x * 1.0"),
    "the sum of all norms": (influence, "return np.array(norms)", "return np.cumsum(norms)"),
    "tanh taken for its slope": (
        influence,
        "1 - rnn(x, w_h, w_x) ** 2",
        "rnn(x, w_h, w_x)",
    ),
    "the key's part forgotten": (influence, "w_v + pull[:, None]", "w_v + 0 * pull[:, None]"),
    "the value's part forgotten": (influence, "w_v + pull", "0 * w_v + pull"),
    "the mean value not subtracted": (influence, "(v - output)", "(v)"),
    "pull not scaled": (influence, " / q.shape[-1] ** 0.5", ""),
    "another row's shares": (influence, "x[-1:] @ w_q", "x[:1] @ w_q"),
    "not relative to two words": (influence, "mean / mean[0]", "mean"),
    "the chain turned round": (paths, "np.eye(n, k=1", "np.eye(n, k=-1"),
    "steps counted from 1": (paths, "return steps", "return steps + 1"),
    "links turned round": (paths, "links[reached].any(axis=0)", "links.T[reached].any(0)"),
    "not every pair linked": (paths, "np.ones((n, n), dtype=bool)", "np.eye(n, k=2, dtype=bool)"),
    "numbers from 0 to 1": (scaling, "rng.normal(size=(rows, keys", "rng.random(size=(rows, keys"),
    "scaled already": (scaling, "@ queries)[..., 0]", "@ queries)[..., 0] / d_k**0.5"),
    "the seed ignored": (scaling, "default_rng(seed)", "default_rng(0)"),
    "summed over all rows": (scaling, ".sum(axis=-1)", ".sum()"),
    "without the square": (scaling, "(weights**2)", "(weights)"),
}  # fmt: skip


@pytest.mark.parametrize(
    ("module", "check"),
    [(module, check) for module, checks in CHECKS.items() for check in checks],
)
def test_it_holds_against_the_oracle(module: types.ModuleType, check: Check) -> None:
    check(module)


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    module, *edit = MISTAKES[mistake]
    assert is_caught(module, (edit[0], edit[1]), CHECKS[module])


def test_rows_of_two_matter_as_much_as_they_are_looked_at() -> None:
    """Two words that change places change their influence with them, exactly."""
    before = influence.influence_in_attention(X, W_Q, W_K, W_V)
    moved = influence.influence_in_attention(X[[5, 1, 2, 3, 4, 0, 6]], W_Q, W_K, W_V)
    assert_allclose(moved[[5, 0]], before[[0, 5]], rtol=1e-12)
