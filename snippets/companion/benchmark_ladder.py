"""One form of attention in one dtype, measured at more and more tokens, as far as it can go."""

from time import monotonic
from typing import Literal, TypedDict, final

import torch
from torch import Tensor

from snippets.companion.benchmark_device import share_of_peak
from snippets.companion.benchmark_forms import chosen_form, forced, refusal
from snippets.companion.benchmark_measure import attention_flops, measured

SHAPE = {"B": 1, "H": 8, "D": 64}
GROWTH = 4  # the work at twice the tokens, in all forms


@final
class Row(TypedDict):
    """One form at one length; seconds is a median, peak_bytes is beside the inputs.

    chosen: whether it is what scaled_dot_product_attention runs there when nothing is forced.
    """

    form: str
    dtype: str
    tokens: int
    chosen: bool
    seconds: float
    runs: int
    peak_bytes: int
    flops_per_second: float
    share_of_peak: float | None


@final
class LeftOut(TypedDict):
    """Where a form ends, and why: from so many tokens on it was not measured."""

    form: str
    dtype: str
    tokens: int
    because: Literal["refused", "memory", "time"]
    reason: str


class Ladder:
    """One form in one dtype on a device; climb to each length in turn, from the shortest."""

    def __init__(self, form: str, dtype: torch.dtype, device: torch.device, name: str) -> None:
        self.form, self.dtype, self.device, self.name = form, dtype, device, name
        self.rows: list[Row] = []
        self.left_out: LeftOut | None = None
        self.took = 0.0  # seconds for the last length, all runs together

    def climb(self, tokens: int, deadline: float) -> Row | LeftOut | None:
        """Measure at twice the tokens of before; nothing if the ladder has ended already.

        deadline: on the clock of time.monotonic.

        >>> ladder = Ladder("naive", torch.float32, torch.device("cpu"), "a CPU")
        >>> ladder.climb(16, deadline=monotonic() + 60)["peak_bytes"] >= 8 * 16 * 16 * 4
        True
        >>> ladder.climb(32, deadline=monotonic())["because"]
        'time'
        """
        if self.left_out:
            return None
        if monotonic() + GROWTH * self.took >= deadline:
            return self._end(tokens, "time", "it would have taken longer than the time allowed")
        start = monotonic()
        try:
            step = self._measure(tokens)
        except torch.OutOfMemoryError:
            torch.cuda.empty_cache()
            return self._end(tokens, "memory", "it needs more memory than the device has free")
        self.took = monotonic() - start
        return step

    def _measure(self, tokens: int) -> Row | LeftOut:
        q, k, v = inputs_of(tokens, self.dtype, self.device)
        if not self.rows and (why := refusal(self.form, q, k, v)):
            return self._end(tokens, "refused", why)
        with forced(self.form) as attention:
            found = measured(attention, q, k, v)
        speed = attention_flops(SHAPE["B"], SHAPE["H"], tokens, SHAPE["D"]) / found.seconds
        row = Row(
            form=self.form,
            dtype=name_of(self.dtype),
            tokens=tokens,
            chosen=chosen_form(q, k, v) == self.form,
            seconds=found.seconds,
            runs=found.runs,
            peak_bytes=found.peak_bytes,
            flops_per_second=speed,
            share_of_peak=share_of_peak(speed, self.name, name_of(self.dtype)),
        )
        self.rows.append(row)
        return row

    def _end(
        self, tokens: int, because: Literal["refused", "memory", "time"], reason: str
    ) -> LeftOut:
        self.left_out = LeftOut(
            form=self.form,
            dtype=name_of(self.dtype),
            tokens=tokens,
            because=because,
            reason=reason,
        )
        return self.left_out


def inputs_of(tokens: int, dtype: torch.dtype, device: torch.device) -> tuple[Tensor, ...]:
    """Queries, keys and values [B, H, tokens, D], normally distributed, the same each time.

    >>> [x.shape[2] for x in inputs_of(16, torch.float32, torch.device("cpu"))]
    [16, 16, 16]
    """
    torch.manual_seed(0)
    shape = (3, SHAPE["B"], SHAPE["H"], tokens, SHAPE["D"])
    return torch.randn(shape, dtype=dtype, device=device).unbind()


def name_of(dtype: torch.dtype) -> str:
    """A dtype without the package's name.

    >>> name_of(torch.bfloat16)
    'bfloat16'
    """
    return str(dtype).removeprefix("torch.")
