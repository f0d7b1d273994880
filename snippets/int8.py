"""Weights in a quarter of the room: whole numbers of 8 bits, and a step for every 32 of them.

Source: Dettmers et al., "8-bit Optimizers via Block-wise Quantization" (2021), for blocks; these
are the size of those that llama.cpp calls Q8_0. With one step for a whole row, the few rows
that hold one weight far larger than the others would lose what the others say.
"""

import numpy as np

BLOCK = 32


def quantise(table):
    """Whole numbers from −127 to 127, and the step that they count in each block of a row.

    table: [..., D], D a multiple of 32. Returns (whole [..., D] of int8, step [..., D / 32] of
    float16); no weight is farther from its whole number of steps than about half a step.

    >>> whole, step = quantise([[1.0, -2.0, 4.0] + 29 * [0.0] + 32 * [0.0]])
    >>> whole[0, :4].tolist()
    [32, -64, 127, 0]
    >>> step.round(4)
    array([[0.0315, 0.    ]], dtype=float16)
    """
    table = np.asarray(table, dtype=np.float32)
    blocks = table.reshape(*table.shape[:-1], table.shape[-1] // BLOCK, BLOCK)
    step = (np.abs(blocks).max(-1) / 127).astype(np.float16)  # [..., D/32]
    whole = np.rint(blocks / np.where(step == 0, 1, step)[..., None])
    return whole.clip(-127, 127).astype(np.int8).reshape(table.shape), step


def restore(whole, step):
    """The weights again, in float32, to about half a step.

    >>> restore(*quantise(np.linspace(-1.0, 1.0, 32)))[[0, 1, 31]].round(2)
    array([-1.  , -0.94,  1.  ], dtype=float32)
    """
    blocks = whole.reshape(*step.shape, BLOCK) * step[..., None].astype(np.float32)
    return blocks.reshape(whole.shape)
