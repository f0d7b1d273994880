"""Weights in 9 bits: how near they come back, and what a block does not do to another."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from snippets.nine_bits import BLOCK, quantise, restore
from tests.snippets.mistakes import Array


@given(
    hnp.arrays(
        np.float32,
        st.sampled_from([(32,), (3, 64), (2, 2, 96), (0, 32)]),
        elements=st.floats(-8, 8, width=32),
    )
)
def test_no_weight_is_farther_away_than_a_quarter_of_a_step(table: Array) -> None:
    whole, half, step = quantise(table)
    assert (whole.dtype, half.dtype, step.dtype) == (np.int8, np.uint8, np.float16)
    *before, width = table.shape
    assert whole.shape == table.shape
    assert half.shape == (*before, width // 8)
    assert step.shape == (*before, width // BLOCK)
    back = restore(whole, half, step)
    assert (back.dtype, back.shape) == (np.float32, table.shape)
    largest = np.abs(table.reshape(*step.shape, BLOCK)).max(-1)
    # a quarter of a step; a step is rounded itself, to 11 bits, and small ones to 1 in 2**24
    allowed = largest / 510 + largest / 2**11 + 127 / 2**24
    off = np.abs(back - table).reshape(*step.shape, BLOCK).max(-1)
    assert (off <= allowed).all()


def test_a_large_weight_spoils_no_other_block() -> None:
    table = np.random.default_rng(0).normal(size=64)
    calm = restore(*quantise(table))
    table[0] = 10_000
    found = restore(*quantise(table))
    assert (found[BLOCK:] == calm[BLOCK:]).all()
    assert found[0] == pytest.approx(10_000, rel=1e-3)
    assert (found[1:BLOCK] == 0).all()


def test_a_row_that_is_no_multiple_of_a_block_is_refused() -> None:
    with pytest.raises(ValueError, match="reshape"):
        quantise(np.ones((2, 48)))
