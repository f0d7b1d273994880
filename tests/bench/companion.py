"""The PyTorch companion beside nn.MultiheadAttention, on the CPU: time and memory."""

import json
import statistics
import tempfile
import time
from collections.abc import Callable
from pathlib import Path

import torch
from torch import Tensor, nn
from torch.profiler import ProfilerActivity, profile

from snippets.companion.masks import make_causal_mask
from snippets.companion.multi_head import MultiHeadAttention

TEXTS, TOKENS, FEATURES, HEADS = 8, 256, 512, 8
LONG = 1024  # tokens, where memory is measured
REPEATS = 15

Use = tuple[nn.Module, Callable[[], Tensor]]  # a layer, and a pass through it
Run = Callable[[], None]


def measure() -> None:
    """Print a line for each use: ours ÷ theirs in time, and the memory of both."""
    print(f"ours ÷ nn.MultiheadAttention, {TEXTS} × {TOKENS} × {FEATURES}, {HEADS} heads, CPU:")
    for way in (evaluate, train):
        for causal in (False, True):
            share = ratio(*(way(layer(TOKENS, causal)) for layer in (ours, theirs)))
            kind = "causal" if causal else "no mask"
            print(f"    {way.__name__}, {kind}: {share:.2f} × the time")
    for way in (evaluate, train):
        ours_holds, theirs_holds = (megabytes(way(layer(LONG, False))) for layer in (ours, theirs))
        held = f"{ours_holds:.0f} MB at most, theirs {theirs_holds:.0f} MB"
        print(f"    {way.__name__}, {LONG} tokens: {held}")


def ours(tokens: int, causal: bool) -> Use:
    """Our layer."""
    layer = MultiHeadAttention(FEATURES, HEADS)
    x = torch.randn(TEXTS, tokens, FEATURES)
    return layer, lambda: layer(x, causal=causal)[0]


def theirs(tokens: int, causal: bool) -> Use:
    """PyTorch's own layer, in the way that it is fastest."""
    layer = nn.MultiheadAttention(FEATURES, HEADS, batch_first=True)
    x = torch.randn(TEXTS, tokens, FEATURES)
    how = {"attn_mask": ~make_causal_mask(tokens), "is_causal": True} if causal else {}
    return layer, lambda: layer(x, x, x, need_weights=False, **how)[0]


def evaluate(use: Use) -> Run:
    """A pass without gradients."""
    layer, call = use
    layer.eval()

    def run() -> None:
        with torch.no_grad():
            call()

    return run


def train(use: Use) -> Run:
    """A pass there and back."""
    layer, call = use

    def run() -> None:
        layer.zero_grad()
        call().square().mean().backward()  # type: ignore[no-untyped-call]

    return run


def ratio(one: Run, other: Run) -> float:
    """The median of time ÷ time, taken in turns."""
    found = [seconds(one) / seconds(other) for _ in range(REPEATS + 1)]
    return statistics.median(found[1:])  # the first one warms up


def seconds(run: Run) -> float:
    """How long a run takes."""
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def megabytes(run: Run) -> float:
    """The most that tensors held at a time in a run, beyond what they held before."""
    with profile(activities=[ProfilerActivity.CPU], profile_memory=True) as profiler:
        run()
    with tempfile.TemporaryDirectory() as folder:
        trace = Path(folder) / "trace.json"
        profiler.export_chrome_trace(str(trace))
        events = json.loads(trace.read_text(encoding="utf-8"))["traceEvents"]
    steps = [event["args"] for event in events if event["name"] == "[memory]"]
    before = steps[0]["Total Allocated"] - steps[0]["Bytes"]
    return float(max(step["Total Allocated"] for step in steps) - before) / 1e6
