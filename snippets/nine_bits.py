"""Weights in little more than a quarter of the room: 9 bits each, and a step for every 32 of them.

Source: Dettmers et al., "8-bit Optimizers via Block-wise Quantization" (2021), for blocks; in 8
bits these are the blocks that llama.cpp calls Q8_0. With one step for a whole row, the few rows
that hold one weight far larger than the others would lose what the others say. The ninth bit
counts half a step, and so halves the error.
"""

import numpy as np

BLOCK = 32


def quantise(table):
    """Whole steps from −128 to 127, a bit for half a step more, and the step of each block.

    table: [..., D], D a multiple of 32. Returns (whole [..., D] of int8, half [..., D / 8] of
    uint8, eight bits in one, step [..., D / 32] of float16); no weight is farther from what comes
    back than about a quarter of a step.

    >>> whole, half, step = quantise([[1.0, -2.0, 4.0] + 29 * [0.0] + 32 * [0.0]])
    >>> whole[0, :4].tolist(), np.unpackbits(half)[:4].tolist()
    ([32, -64, 127, 0], [0, 0, 1, 0])
    >>> step.round(4)
    array([[0.0314, 0.    ]], dtype=float16)
    """
    table = np.asarray(table, dtype=np.float32)
    blocks = table.reshape(*table.shape[:-1], table.shape[-1] // BLOCK, BLOCK)
    step = (np.abs(blocks).max(-1) / 127.5).astype(np.float16)  # [..., D/32]
    halves = np.rint(2 * blocks / np.where(step == 0, 1, step)[..., None]).clip(-255, 255)
    halves = halves.astype(np.int16).reshape(table.shape)
    return (halves // 2).astype(np.int8), np.packbits(halves % 2, axis=-1), step


def restore(whole, half, step):
    """The weights again, in float32, to about a quarter of a step.

    >>> restore(*quantise(np.linspace(-1.0, 1.0, 32)))[[0, 1, 31]].round(3)
    array([-1.   , -0.937,  1.   ], dtype=float32)
    """
    steps = whole + np.unpackbits(half, axis=-1) * np.float32(0.5)
    blocks = steps.reshape(*step.shape, BLOCK) * step[..., None].astype(np.float32)
    return blocks.reshape(whole.shape)
