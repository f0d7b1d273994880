"""Positions against published figures, complex numbers and onnx, by their laws, and mistakes."""

import re
import types

import numpy as np
import pytest
import torch
from hypothesis import given, settings
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp
from numpy.testing import assert_allclose
from onnx.reference.ops.op_rotary_embedding import rotary_embedding

from snippets import positions
from snippets.attention import attention
from snippets.positions import rope, sinusoidal
from tests.snippets.mistakes import (
    Array,
    Check,
    Mistakes,
    checks,
    is_caught,
    keeps_dtypes,
    name,
    read_only,
)


def turned_by_torch(x: Array, at: Array, base: float, interleaved: bool) -> Array:
    """Pairs as complex numbers times e^(i · position · speed), as in Llama's first code."""
    d = x.shape[-1]
    pairs = x.reshape(*x.shape[:-1], d // 2, 2) if interleaved else np.stack(np.split(x, 2, -1), -1)
    speed = base ** -(torch.arange(0, d, 2, dtype=torch.double) / d)
    angle = torch.from_numpy(np.array(at, dtype=float))[..., None] * speed
    number = torch.view_as_complex(torch.from_numpy(pairs.copy()))
    number = torch.view_as_real(number * torch.polar(torch.ones_like(angle), angle))
    return (number if interleaved else number.swapaxes(-1, -2)).reshape(x.shape).numpy()


def turned_by_onnx(x: Array, at: Array, interleaved: bool) -> Array:
    """The reference operator on [B, H, T, D], with positions [B, T] and base 10,000."""
    angle = np.arange(at.max() + 1)[:, None] * 10_000.0 ** (
        -np.arange(0, x.shape[-1], 2) / x.shape[-1]
    )
    return np.asarray(
        rotary_embedding(x, np.cos(angle), np.sin(angle), at, interleaved=interleaved)
    )


def check_sinusoidal_figures(module: types.ModuleType) -> None:
    """Figures computed by others: position 1 with 16 and with 4 features."""
    expected = [0.841470985, 0.540302306, 0.310983593, 0.950415280]
    expected += [0.0998334166, 0.995004165, 0.0316175064, 0.999500042]
    assert_allclose(module.sinusoidal(2, 16)[1, :8], expected, rtol=1e-8)
    assert_allclose(module.sinusoidal(2, 4)[1].round(5), [0.84147, 0.54030, 0.01, 0.99995])


def check_sinusoidal_begins_at_0(module: types.ModuleType) -> None:
    """The first token has sine 0 and cosine 1 in every pair; no token, no row."""
    assert module.sinusoidal(3, 6)[0].tolist() == [0, 1, 0, 1, 0, 1]
    assert module.sinusoidal(0, 6).shape == (0, 6)
    assert module.sinusoidal(3, 6).dtype == np.float64


def check_sinusoidal_formula(module: types.ModuleType) -> None:
    """The paper's formula, number by number, for odd d too."""
    for d in (1, 2, 3, 5, 8):
        table = module.sinusoidal(40, d)
        assert table.shape == (40, d)
        for t in (0, 1, 39):
            for i in range(d):
                angle = t / 10000 ** ((i - i % 2) / d)
                assert_allclose(table[t, i], (np.cos if i % 2 else np.sin)(angle), atol=1e-12)


def check_rope_figures(module: types.ModuleType) -> None:
    """Figures computed by others: [1, 2, 3, 4] at position 1, in both conventions."""
    halves, neighbours = (
        module.rope([1, 2, 3, 4], 1),
        module.rope([1, 2, 3, 4], 1, interleaved=True),
    )
    assert_allclose(halves, [-1.984111, 1.959901, 2.462378, 4.0198], atol=1e-6)
    assert_allclose(neighbours, [-1.14264, 1.922076, 2.959851, 4.0298], atol=1e-6)


def check_rope_complex(module: types.ModuleType) -> None:
    """A turn is a product of complex numbers: any leading axes, any base, negative positions."""
    for shape, at in [
        ((4, 6), np.arange(4)),
        ((3, 3, 3, 4), np.arange(3)),
        ((3, 3, 3, 4), np.array([[[0, 1, 2]], [[7, 5, 3]], [[0, 0, 9]]])),  # [B, 1, T]
        ((2, 5, 2), np.array([[0, 1, 2, 3, 4], [-2, -1, 0, 100_000, 0.5]])),
        ((2, 4), np.array(3)),
        ((8,), np.array(5)),
    ]:
        x = np.random.default_rng(0).normal(size=shape)
        for base in (10_000.0, 500_000.0):
            for interleaved in (False, True):
                expected = turned_by_torch(x, at, base, interleaved)
                found = module.rope(x, at, base, interleaved)
                assert_allclose(found, expected, atol=1e-11)
    assert module.rope(np.ones((0, 4)), np.arange(0)).shape == (0, 4)


def check_rope_onnx(module: types.ModuleType) -> None:
    """The reference operator, with positions that differ by sentence; B = H = T."""
    x = np.random.default_rng(1).normal(size=(3, 3, 3, 8))
    at = np.array([[0, 1, 2], [4, 2, 9], [5, 6, 7]])
    for interleaved in (False, True):
        found = module.rope(x, at[:, None], interleaved=interleaved)
        assert_allclose(found, turned_by_onnx(x, at, interleaved), atol=1e-12)


def check_rope_refuses(module: types.ModuleType) -> None:
    """An odd number of features, and positions for other tokens than there are."""
    for shape in [(3,), (2, 5), (2, 1), ()]:
        with pytest.raises(ValueError, match=re.escape(f"even, not odd: x is {shape}")):
            module.rope(np.ones(shape), 0)
    for at in (np.arange(2), np.zeros((2, 3)), np.zeros((3, 1))):
        said = re.escape(f"the positions {at.shape} do not fit the tokens (3,): x is (3, 4)")
        with pytest.raises(ValueError, match=said):
            module.rope(np.ones((3, 4)), at)


def check_rope_dtypes(module: types.ModuleType) -> None:
    """Floats keep their dtype, whatever the positions are; nothing given is changed."""
    for interleaved in (False, True):
        keeps_dtypes(lambda x, how=interleaved: module.rope(x, np.arange(3), 1e4, how), (2, 3, 4))
    for at in (np.arange(3), np.arange(3, dtype="f8"), np.arange(3, dtype="f2")):
        assert module.rope(np.ones((3, 4), "f4"), read_only(at)).dtype == np.float32


def check_rope_far_away(module: types.ModuleType) -> None:
    """Position 100,000 in single precision: the angle itself is not rounded to that."""
    x = np.random.default_rng(2).normal(size=(1, 64))
    exact = turned_by_torch(x, np.array([100_001]), 10_000.0, False)
    assert_allclose(module.rope(x.astype("f4"), [100_001]), exact, atol=1e-6)


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(positions)


WAVES = "position / 10_000 ** (np.arange(0, d, 2) / d)"
SPEED = "base ** -(np.arange(0, d, 2) / d)"
STACK = "np.stack([a * cos - b * sin, a * sin + b * cos], axis)"
SHAPES = "((d // 2, 2), -1) if interleaved else ((2, d // 2), -2)"

MISTAKES: Mistakes = {
    # sinusoidal
    "positions starting at 1": ("position = np.arange(n)", "position = np.arange(1, n + 1)"),
    "sines and cosines swapped": ("table[:, 0::2] = np.sin", "table[:, 0::2] = np.cos"),
    "sines in front, cosines behind": (
        "    table[:, 0::2] = np.sin(angle)\n    table[:, 1::2] = np.cos(angle[:, : d // 2])\n",
        "    table[:, : (d + 1) // 2] = np.sin(angle)\n"
        "    table[:, (d + 1) // 2 :] = np.cos(angle[:, : d // 2])\n",
    ),
    "a speed for each feature": (
        WAVES,
        WAVES.replace("np.arange(0, d, 2)", "np.arange((d + 1) // 2)"),
    ),
    "slow ones first": (
        WAVES,
        WAVES.replace("(np.arange(0, d, 2) / d)", "(np.arange(0, d, 2) / d)[::-1]"),
    ),
    "times for divided by": (WAVES, WAVES.replace("position /", "position *")),
    "a base of 1,000": (WAVES, WAVES.replace("10_000", "1_000")),
    "odd d forgotten": ("np.cos(angle[:, : d // 2])", "np.cos(angle)"),
    # rope
    "conventions mixed": (STACK, STACK.replace("axis", "-3 - axis")),
    "conventions exchanged": ("if interleaved else ((2", "if not interleaved else ((2"),
    "turned backwards": (STACK, "np.stack([a * cos + b * sin, b * cos - a * sin], axis)"),
    "mirrored for turned": (STACK, "np.stack([a * cos - b * sin, a * sin - b * cos], axis)"),
    "pairs exchanged": (STACK, "np.stack([a * sin + b * cos, a * cos - b * sin], axis)"),
    "RoPE from 1": ("positions[..., None] * speed", "(positions[..., None] + 1) * speed"),
    "a speed too many": (SPEED, "base ** -(np.arange(d // 2) / d)"),
    "slow pairs first": (SPEED, f"({SPEED})[::-1]"),
    "the base ignored": (SPEED, SPEED.replace("base", "10_000.0")),
    "positions on the batch axis": (
        "positions[..., None] * speed",
        "np.broadcast_to(positions, x.shape[:-1]).T[..., None] * speed",
    ),
    "degrees for radians": (
        "np.cos(angle), np.sin(angle)",
        "np.cos(angle / 57.3), np.sin(angle / 57.3)",
    ),
    "angles in single precision": (
        "positions[..., None] * speed",
        "positions[..., None].astype('f4') * speed.astype('f4')",
    ),
    "float32 becomes float64": (
        "return turned.reshape(x.shape).astype(dtype)",
        "return turned.reshape(x.shape)",
    ),
    "not checked": ("    check_positions(x, positions)\n", ""),
    "turned in place": (
        "turned = np.stack(",
        "x *= 1\n    turned = np.stack(",
    ),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(positions, MISTAKES[mistake], CHECKS)


# Laws.


@given(st.integers(1, 300), st.integers(1, 20).map(lambda half: 2 * half))
def test_every_row_of_waves_has_the_same_length(n: int, d: int) -> None:
    assert_allclose((sinusoidal(n, d) ** 2).sum(-1), d / 2)


@given(st.integers(0, 200), st.integers(0, 200), st.integers(0, 200))
def test_the_product_of_two_waves_depends_on_their_distance_alone(
    p: int, q: int, shift: int
) -> None:
    table = sinusoidal(401, 10)
    assert_allclose(table[p] @ table[q], table[p + shift] @ table[q + shift], atol=1e-9)


vectors = hnp.arrays(np.float64, (2, 6), elements=st.floats(-10, 10))
places = st.integers(-1000, 1000)


@given(vectors, places, places, places, st.booleans())
def test_the_score_of_turned_vectors_depends_on_their_distance_alone(
    pair: Array, m: int, n: int, shift: int, interleaved: bool
) -> None:
    def score(m: int, n: int) -> float:
        q, k = (rope(x, at, interleaved=interleaved) for x, at in zip(pair, (m, n), strict=True))
        return float(q @ k)

    assert_allclose(score(m, n), score(m + shift, n + shift), atol=1e-8)


@given(vectors, places, places, st.booleans())
def test_turns_keep_lengths_add_up_and_begin_with_none(
    x: Array, m: int, n: int, interleaved: bool
) -> None:
    def turn(x: Array, at: int) -> Array:
        return np.asarray(rope(x, at, interleaved=interleaved))

    assert (turn(x, 0) == x).all()
    assert_allclose((turn(x, m) ** 2).sum(-1), (x**2).sum(-1), atol=1e-9)
    assert_allclose(turn(turn(x, m), n), turn(x, m + n), atol=1e-8)
    assert_allclose(turn(turn(x, m), -m), x, atol=1e-8)


@given(st.integers(1, 4))
@settings(max_examples=4)
def test_the_conventions_differ_by_a_permutation_of_features_only(half: int) -> None:
    x = np.random.default_rng(half).normal(size=(5, 2 * half))
    order = np.arange(2 * half).reshape(half, 2).T.ravel()  # neighbours to halves
    turned = rope(x[:, order], np.arange(5))
    assert_allclose(turned, rope(x, np.arange(5), interleaved=True)[:, order])
    if half > 1:
        assert not np.allclose(rope(x, np.arange(5)), rope(x, np.arange(5), interleaved=True))


def test_shifting_a_whole_text_changes_no_weight() -> None:
    q, k, v = np.random.default_rng(3).normal(size=(3, 2, 5, 8))
    here = attention(rope(q, np.arange(5)), rope(k, np.arange(5)), v)
    there = attention(rope(q, 700 + np.arange(5)), rope(k, 700 + np.arange(5)), v)
    assert_allclose(here[1], there[1], atol=1e-12)


def test_positions_tell_the_order_that_attention_alone_does_not_see() -> None:
    dog, bites, man = np.random.default_rng(4).normal(size=(3, 8))
    x, y = np.array([dog, bites, man]), np.array([man, bites, dog])
    assert_allclose(attention(x, x, x)[0], attention(y, y, y)[0][::-1])
    at = np.arange(3)
    for a, b in [(x + sinusoidal(3, 8), y + sinusoidal(3, 8)), (rope(x, at), rope(y, at))]:
        assert not np.allclose(attention(a, a, x)[0], attention(b, b, y)[0][::-1])
