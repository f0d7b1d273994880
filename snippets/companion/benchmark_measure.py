"""How long a call of attention takes, how much memory it needs, how many operations it makes."""

import json
from itertools import accumulate
from pathlib import Path
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import NamedTuple

import torch
from torch import Tensor
from torch.profiler import ProfilerActivity, profile
from torch.utils.benchmark import Timer

from snippets.companion.benchmark_forms import Attention

MEMORY = {
    "cpu": "the peak of live tensors in one call, as torch.profiler saw PyTorch allocate them",
    "cuda": "torch.cuda.max_memory_allocated in one call, less what was allocated before it",
}


class Measured(NamedTuple):
    """seconds: the median of some runs, each of one call or of a block of calls."""

    seconds: float
    runs: int
    peak_bytes: int


def attention_flops(b: int, h: int, t: int, d: int) -> int:
    """The operations of q kᵀ and of weights · v, two for each multiply-add: 4 · B · H · T² · D.

    Softmax is left out, as is usual. Source: Dao, "FlashAttention-2" (2023), section 4.1.

    >>> attention_flops(1, 8, 1024, 64)
    2147483648
    """
    return 4 * b * h * t * t * d


def measured(attention: Attention, q: Tensor, k: Tensor, v: Tensor) -> Measured:
    """Time and memory of attention, forward only, after a call that warms up.

    q, k, v: [B, H, T, D]. A call that takes long is timed at least three times.

    >>> x = torch.ones(1, 1, 16, 8)
    >>> measured(lambda q, k, v: q + k, x, x, x).peak_bytes  # 16 · 8 numbers of 4 bytes
    512
    """
    attention(q, k, v)
    start = perf_counter()
    peak = peak_bytes(attention, q, k, v)
    once = perf_counter() - start
    timer = Timer(
        "attention(q, k, v)",
        globals={"attention": attention, "q": q, "k": k, "v": v},
        num_threads=torch.get_num_threads(),
    )
    times = timer.adaptive_autorange(min_run_time=0.1, max_run_time=max(1.0, 3 * once))
    return Measured(times.median, len(times.times), peak)


def peak_bytes(attention: Attention, q: Tensor, k: Tensor, v: Tensor) -> int:
    """The most bytes that one call holds at a time, its output included, its input not.

    q, k, v: [B, H, T, D]. See MEMORY for how it is found.

    >>> x = torch.ones(1, 1, 16, 8)
    >>> peak_bytes(lambda q, k, v: q @ k.transpose(-1, -2), x, x, x)  # 16 · 16 · 4
    1024
    """
    if q.device.type == "cuda":
        torch.cuda.synchronize()
        torch.cuda.reset_peak_memory_stats()
        before = torch.cuda.memory_allocated()
        attention(q, k, v)
        torch.cuda.synchronize()
        return torch.cuda.max_memory_allocated() - before
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as watch:
        attention(q, k, v)
    return highest(allocations(watch))


def allocations(watch: profile) -> list[int]:
    """The bytes that were taken (+) and given back (−), one by one, from a finished profile.

    >>> with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as watch:
    ...     x = torch.empty(5)
    ...     del x
    >>> allocations(watch)
    [20, -20]
    """
    with TemporaryDirectory() as folder:
        file = Path(folder) / "trace.json"
        watch.export_chrome_trace(str(file))
        events = json.loads(file.read_text(encoding="utf-8"))["traceEvents"]
    taken = [event for event in events if event["name"] == "[memory]"]
    return [event["args"]["Bytes"] for event in sorted(taken, key=lambda event: event["ts"])]


def highest(changes: list[int]) -> int:
    """The most that was there at a time, from what came (+) and went (−), in order.

    >>> highest([100, 50, -100, 60, -110])
    150
    """
    return max(accumulate(changes, initial=0))
