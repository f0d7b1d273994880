"""Compare forms of attention in time and memory, forward only, and keep the result as JSON.

    python -m snippets.companion.benchmark [--device cpu|cuda] [--output FILE]

It takes less than four minutes: what would take longer is left out, and said to be.
"""

import argparse
import json
import os
import re
import sys
from datetime import date
from pathlib import Path
from time import monotonic
from typing import TypedDict

import torch

from snippets.companion.benchmark_device import Facts, facts_of
from snippets.companion.benchmark_forms import FORMS, chosen_form
from snippets.companion.benchmark_ladder import SHAPE, Ladder, LeftOut, Row, inputs_of
from snippets.companion.benchmark_measure import MEMORY
from snippets.companion.device import best_device

RESULTS = Path(__file__).parent / "results"
BUDGET = 180.0  # seconds; what is under way when they end may take a little longer
LENGTHS = {
    "cpu": [2**power for power in range(7, 12)],  # 128 to 2,048 tokens
    "cuda": [2**power for power in range(9, 15)],  # 512 to 16,384
}


class Result(TypedDict):
    """All that a run found. shape: B, H and D; memory: how it was measured."""

    device: Facts
    date: str
    command: str
    shape: dict[str, int]
    direction: str
    memory: str
    rows: list[Row]
    left_out: list[LeftOut]


def benchmark(
    device: torch.device,
    lengths: list[int],
    dtypes: list[torch.dtype],
    budget: float = BUDGET,
    command: str = "",
) -> Result:
    """Measure every form at every length, the shortest first, as long as the budget lasts.

    lengths: numbers of tokens, each twice the one before. budget: seconds. command: what a reader
    would type for the same.

    >>> found = benchmark(torch.device("cpu"), [16], [torch.float32])
    >>> [row["form"] for row in found["rows"]]
    ['naive', 'math', 'flash']
    """
    deadline = monotonic() + budget
    facts = facts_of(device)
    chosen_form(*inputs_of(lengths[0], dtypes[0], device))  # the profiler's first start takes long
    ladders = [Ladder(form, dtype, device, facts["name"]) for dtype in dtypes for form in FORMS]
    for tokens in lengths:
        for ladder in ladders:
            if step := ladder.climb(tokens, deadline):
                print(told(step), file=sys.stderr)
    return Result(
        device=facts,
        date=date.today().isoformat(),
        command=command,
        shape=SHAPE,
        direction="forward",
        memory=MEMORY[device.type],
        rows=[row for ladder in ladders for row in ladder.rows],
        left_out=[ladder.left_out for ladder in ladders if ladder.left_out],
    )


def told(step: Row | LeftOut) -> str:
    """What was just found, in a line.

    >>> told(LeftOut(form="cuDNN", dtype="float32", tokens=128, because="refused", reason="No GPU"))
    '   128 float32  cuDNN            left out from here on: No GPU'
    """
    head = f"{step['tokens']:>6} {step['dtype']:<8} {step['form']:<16}"
    if "reason" in step:
        return f"{head} left out from here on: {step['reason']}"
    mark = " (PyTorch's choice)" if step["chosen"] else ""
    return f"{head}{step['seconds'] * 1e3:>10.3f} ms {step['peak_bytes'] / 2**20:>9.2f} MiB{mark}"


def dtypes_of(device: torch.device) -> list[torch.dtype]:
    """The dtypes that a device computes in; an older GPU emulates bfloat16, which is left out.

    >>> len(dtypes_of(torch.device("cpu")))
    3
    """
    emulated = device.type == "cuda" and not torch.cuda.is_bf16_supported(including_emulation=False)
    return [torch.float32, *([] if emulated else [torch.bfloat16]), torch.float16]


def slug(name: str) -> str:
    """A device's name as that of a file.

    >>> slug("NVIDIA A100-SXM4-40GB")
    'nvidia-a100-sxm4-40gb'
    """
    return re.sub(r"[^a-z0-9]+", "-", name.lower()).strip("-")


def main(arguments: list[str]) -> None:
    """Measure, and write the result where it belongs or where it is told to."""
    parser = argparse.ArgumentParser(prog="python -m snippets.companion.benchmark")
    parser.add_argument("--device", choices=list(LENGTHS), default=best_device().type)
    parser.add_argument("--output", type=Path, help="by default in results/, by the device's name")
    given = parser.parse_args(arguments)
    os.environ.setdefault("KINETO_LOG_LEVEL", "99")  # the profiler would write lines of its own
    device = torch.device(given.device)
    command = f"{parser.prog} --device {device.type}"
    result = benchmark(device, LENGTHS[device.type], dtypes_of(device), command=command)
    file = given.output or RESULTS / f"{slug(result['device']['name'])}.json"
    file.parent.mkdir(parents=True, exist_ok=True)
    file.write_text(json.dumps(result, indent=1) + "\n", encoding="utf-8")
    print(f"written: {file}")


if __name__ == "__main__":
    main(sys.argv[1:])
