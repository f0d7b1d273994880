"""Rows that come and go, against slices of the whole; what they hold and copy; mistakes."""

import types

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from snippets import rows as rows_module
from snippets.rows import Rows
from tests.snippets.mistakes import Check, Mistakes, checks, is_caught, name, read_only


def check_slices_of_the_whole(module: types.ModuleType) -> None:
    """Any number at a time, with axes in front, of which the last few of the older ones stay."""
    x = np.arange(2 * 30 * 3.0).reshape(2, 30, 3)
    rows, start, end = module.Rows(), 0, 0
    parts = [(4, 9), (1, 4), (1, 3), (2, np.inf), (0, 1), (1, 2), (12, 0), (1, 5), (1, 1)]
    for part, keep in parts:
        rows.append(x[:, end : end + part], keep)
        start = max(start, end - int(min(keep, end))) if part else start
        end += part
        assert rows.kept().shape == (2, end - start, 3)
        assert (rows.kept() == x[:, start:end]).all()


def check_everything_kept(module: types.ModuleType) -> None:
    """One after the other, unless told to forget; without axes in front."""
    x, rows = np.arange(60.0).reshape(20, 3), module.Rows()
    for t in range(20):
        rows.append(x[t : t + 1])
    assert (rows.kept() == x).all()


def check_no_more_room_than_needed(module: types.ModuleType) -> None:
    """At most four times the rows, after a long text too; at least as many, of course."""
    for keep in (0, 1, 6):
        rows = module.Rows()
        for part in (1, 1, 30, 1, 1, 1, 4, *[1] * 20):
            rows.append(np.ones((part, 2)), keep)
            kept = rows.kept().shape[-2]
            assert part <= kept <= keep + part
            assert kept <= rows.buffer.shape[-2] <= 4 * kept


def check_copying_is_amortised(module: types.ModuleType) -> None:
    """Counted: fewer than two copies of a row in all, and moves ever rarer if all are kept."""
    for keep in (np.inf, 0, 1, 9, 99):
        rows, copied, x = module.Rows(), 0, np.ones((1, 2))
        moves = 0
        for _ in range(500):
            buffer = rows.buffer
            rows.append(x, keep)
            if rows.buffer is not buffer:
                copied += rows.kept().shape[-2] - 1
                moves += 1
        assert copied < 2 * 500
        assert keep < np.inf or moves <= 10


def check_copies_of_their_own(module: types.ModuleType) -> None:
    """What is added may be overwritten afterwards, and is not changed; its dtype stays."""
    for dtype in (np.float16, np.float32, np.float64):
        rows, x = module.Rows(), np.zeros((1, 2), dtype)
        for t in range(5):
            x[:] = t
            rows.append(x)
        rows.append(read_only(x))
        assert rows.kept()[:, 0].tolist() == [0, 1, 2, 3, 4, 4]
        assert rows.kept().dtype == dtype


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_rows(check: Check) -> None:
    check(rows_module)


KEPT = "return self.buffer[..., self.start : self.end, :]"
FORGET = "max(self.start, self.end - keep)"
ADDED = "self.buffer[..., self.end : self.end + new, :] = x"
ENOUGH = "self.end + x.shape[-2] <= room <= 4 * needed"
BUFFER = "np.empty((*x.shape[:-2], 2 * needed, x.shape[-1]), x.dtype)"

MISTAKES: Mistakes = {
    "room seen as rows": (KEPT, KEPT.replace("self.end", "")),
    "forgotten rows seen": (KEPT, KEPT.replace("self.start", "")),
    "nothing ever forgotten": (FORGET, "self.start"),
    "what came back": (FORGET, "self.end - keep"),
    "forgotten though nothing came": ("if new == 0:", "if False:"),
    "counted with the new ones": (FORGET, FORGET.replace("keep", "keep + new")),
    "the oldest overwritten": (ADDED, ADDED.replace("end", "start")),
    "the last overwritten": (
        ADDED,
        ADDED.replace("self.end : self.end + new", "self.end - 1 : self.end - 1 + new"),
    ),
    "one row counted for many": ("self.end += new", "self.end += 1"),
    "just as much room as needed": (BUFFER, BUFFER.replace("2 * ", "")),
    "room for one more": (BUFFER, BUFFER.replace("2 * needed", "needed + 1")),
    "moved every time": (ENOUGH, "False"),
    "moved too late": (ENOUGH, ENOUGH.replace("self.end + x.shape[-2]", "self.end")),
    "a long prompt's buffer for good": (ENOUGH, ENOUGH.replace(" <= 4 * needed", "")),
    "a buffer on its way too large": (ENOUGH, ENOUGH.replace("<= 4", "<= 40")),
    "the buffer's dtype forgotten": (BUFFER, BUFFER.replace(", x.dtype", "")),
    "no axes in front": (BUFFER, BUFFER.replace("*x.shape[:-2], ", "")),
    "the old rows lost": ("        self.kept()[...] = kept\n", ""),
    "the old rows at the end": (
        "self.kept()[...] = kept",
        "self.buffer[..., 2 * needed - kept.shape[-2] :, :] = kept",
    ),
    "start not moved along": (
        "self.start, self.end = 0, kept.shape[-2]",
        "self.end = kept.shape[-2]",
    ),
    "end not moved along": ("self.start, self.end = 0, kept.shape[-2]", "self.start = 0"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(rows_module, MISTAKES[mistake], CHECKS)


@given(st.lists(st.tuples(st.integers(0, 9), st.integers(0, 9)), max_size=20))
def test_the_last_rows_are_kept_in_order(parts: list[tuple[int, int]]) -> None:
    rows, expected, seen = Rows(), np.empty((0, 1)), 0
    for part, keep in parts:
        x = np.arange(seen, seen + part, dtype=float)[:, None]
        rows.append(x, keep)
        seen += part
        if part:
            expected = np.concatenate([expected[max(0, len(expected) - keep) :], x])
        assert (rows.kept() == expected).all()
        assert rows.kept().shape == expected.shape
