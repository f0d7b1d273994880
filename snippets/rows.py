"""Rows that are added at one end and forgotten at the other: what a KV cache is made of."""

import numpy as np


class Rows:
    """Rows [..., T, D] that are added at one end, forgotten at the other, and seldom moved.

    The buffer has room for more rows than are kept. When it is full, or far too large, the rows
    move to one of twice the size that they need: as rare as it is dear, so that all moves
    together copy each row less than twice, however many there are.

    >>> rows = Rows()
    >>> for t in range(5):
    ...     rows.append(np.full((1, 2), float(t)), keep=2)
    >>> rows.kept()
    array([[2., 2.],
           [3., 3.],
           [4., 4.]])
    """

    def __init__(self):
        self.buffer = np.empty((0, 1))  # [..., room, D]; no rows yet
        self.start = self.end = 0  # the rows in use; behind them is room for more

    def kept(self):
        """The rows in use, [..., T, D]."""
        return self.buffer[..., self.start : self.end, :]

    def append(self, x, keep=np.inf):
        """Add the rows x, and forget all but the last `keep` of those before them."""
        new = x.shape[-2]
        if new == 0:  # nothing takes the place of what would be forgotten
            return
        self.start = int(max(self.start, self.end - keep))
        self.make_room(x)
        self.buffer[..., self.end : self.end + new, :] = x
        self.end += new

    def make_room(self, x):
        """Move the rows, if x does not fit behind them, or room is wasted."""
        kept, room = self.kept(), self.buffer.shape[-2]
        needed = kept.shape[-2] + x.shape[-2]
        if self.end + x.shape[-2] <= room <= 4 * needed:
            return
        self.buffer = np.empty((*x.shape[:-2], 2 * needed, x.shape[-1]), x.dtype)
        self.start, self.end = 0, kept.shape[-2]
        self.kept()[...] = kept
