"""The benchmark: right measures, reasons for what is not measured, and an end in time."""

import json
import os
import sys
import warnings
from pathlib import Path
from time import monotonic, sleep
from typing import Any

import pytest
import torch
from torch.nn.attention import SDPBackend
from torch.nn.functional import scaled_dot_product_attention
from torch.utils.flop_counter import FlopCounterMode

from snippets.companion import benchmark as command
from snippets.companion.benchmark import benchmark
from snippets.companion.benchmark_device import PEAK_FLOPS, driver, facts_of
from snippets.companion.benchmark_forms import FORMS, OPERATORS, chosen_form, forced, refusal
from snippets.companion.benchmark_ladder import Ladder, inputs_of
from snippets.companion.benchmark_measure import attention_flops, measured, peak_bytes

CPU = torch.device("cpu")
SCALARS = 64  # bytes that single numbers take for a moment
ON_CPU = ["naive", "math", "flash"]


@pytest.fixture(scope="module")
def found() -> Any:
    """A tiny run."""
    return benchmark(CPU, [16, 32], [torch.float32])


def test_a_run_from_the_command_line_writes_a_valid_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(command.LENGTHS, "cpu", [16])
    monkeypatch.setenv("KINETO_LOG_LEVEL", "99")
    file = tmp_path / "new" / "result.json"
    command.main(["--device", "cpu", "--output", str(file)])
    result = json.loads(file.read_text(encoding="utf-8"))
    assert result["command"] == "python -m snippets.companion.benchmark --device cpu"
    assert result["shape"] == {"B": 1, "H": 8, "D": 64}
    assert result["device"]["torch"] == torch.__version__
    assert result["device"]["threads"] == torch.get_num_threads()
    cases = {(row["form"], row["dtype"], row["tokens"]) for row in result["rows"]}
    assert cases == {
        (form, dtype, 16) for form in ON_CPU for dtype in ("float32", "bfloat16", "float16")
    }
    assert all(row["seconds"] > 0 and row["peak_bytes"] > 0 for row in result["rows"])


def test_without_an_output_the_result_goes_by_the_devices_name(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, found: Any
) -> None:
    monkeypatch.setattr(command, "benchmark", lambda *_, **__: found)  # measured once is enough
    monkeypatch.setattr(command, "RESULTS", tmp_path)
    command.main(["--device", "cpu"])
    assert [file.stem for file in tmp_path.iterdir()] == [command.slug(facts_of(CPU)["name"])]


@pytest.mark.parametrize("shape", [(1, 8, 128, 64), (2, 3, 32, 16)])
def test_the_operations_are_those_that_torch_counts(shape: tuple[int, ...]) -> None:
    b, h, t, d = shape
    x = torch.ones(shape)
    with FlopCounterMode(display=False) as counter, forced("math") as attention:
        attention(x, x, x)
    assert attention_flops(b, h, t, d) == counter.get_total_flops()


def test_speed_is_operations_by_time_and_no_share_of_an_unknown_peak(found: Any) -> None:
    for row in found["rows"]:
        flops = attention_flops(1, 8, row["tokens"], 64)
        assert row["flops_per_second"] == pytest.approx(flops / row["seconds"])
        assert row["share_of_peak"] is None


def test_all_forms_compute_the_same() -> None:
    q, k, v = inputs_of(32, torch.float32, CPU)
    expected = scaled_dot_product_attention(q, k, v)
    for form in ON_CPU:
        with forced(form) as attention:
            torch.testing.assert_close(attention(q, k, v), expected)


def test_a_refused_backend_is_recorded_with_pytorchs_reason(found: Any) -> None:
    refused = {one["form"]: one["reason"] for one in found["left_out"]}
    assert refused == dict.fromkeys(
        set(FORMS) - set(ON_CPU),
        "No viable backend for scaled_dot_product_attention was found",
    )
    assert {one["because"] for one in found["left_out"]} == {"refused"}
    assert {row["form"] for row in found["rows"]} == set(ON_CPU)


def test_a_reason_in_warnings_comes_before_the_error(monkeypatch: pytest.MonkeyPatch) -> None:
    """As on a GPU, where PyTorch warns of each backend's reasons and then ends."""

    def refuse(*_: object) -> None:
        for text in (
            "Memory efficient kernel not used because: (Triggered internally at a.cpp:1.)",
            "Memory Efficient attention has been runtime disabled. (Triggered at b.h:2.)",
            "Flash attention kernel not used because: (Triggered internally at a.cpp:3.)",
            "Expected {Half, BFloat16}. Got Float. (Triggered internally at a.cpp:4.)",
        ):
            warnings.warn(text, stacklevel=1)
        raise RuntimeError("No available kernel. Aborting execution.")

    monkeypatch.setattr("snippets.companion.benchmark_forms.scaled_dot_product_attention", refuse)
    x = torch.ones(1, 1, 2, 8)
    assert refusal("flash", x, x, x) == "Expected {Half, BFloat16}. Got Float"


def test_time_that_would_not_suffice_ends_every_form_and_is_said() -> None:
    found = benchmark(CPU, [16, 32], [torch.float32], budget=0.0)
    assert found["rows"] == []
    assert {(one["form"], one["tokens"], one["because"]) for one in found["left_out"]} == {
        (form, 16, "time") for form in FORMS
    }


def test_a_length_is_not_begun_if_four_times_the_last_would_pass_the_deadline() -> None:
    climber = Ladder("naive", torch.float32, CPU, "a CPU")
    assert climber.climb(16, monotonic() + 60)
    climber.took = 10.0
    step: Any = climber.climb(32, monotonic() + 39)
    assert (step["because"], step["tokens"]) == ("time", 32)
    assert climber.climb(64, monotonic() + 1000) is None
    climber = Ladder("naive", torch.float32, CPU, "a CPU")
    climber.took = 10.0
    assert "seconds" in (climber.climb(32, monotonic() + 60) or {})


def test_memory_that_does_not_suffice_ends_one_form_only(monkeypatch: pytest.MonkeyPatch) -> None:
    def scarce(attention: Any, q: Any, k: Any, v: Any) -> Any:
        if attention is not scaled_dot_product_attention and q.shape[2] > 16:
            raise torch.OutOfMemoryError("CUDA out of memory.")
        return measured(attention, q, k, v)

    monkeypatch.setattr("snippets.companion.benchmark_ladder.measured", scarce)
    found = benchmark(CPU, [16, 32], [torch.float32])
    ended = [one for one in found["left_out"] if one["because"] == "memory"]
    assert [(one["form"], one["tokens"]) for one in ended] == [("naive", 32)]
    assert {row["form"] for row in found["rows"] if row["tokens"] == 32} == {"math", "flash"}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
def test_naive_attention_holds_the_table_and_flash_does_not(dtype: torch.dtype) -> None:
    q, k, v = inputs_of(512, dtype, CPU)
    table = 8 * 512 * 512 * dtype.itemsize
    peaks = {}
    for form in ("naive", "flash"):
        with forced(form) as attention:
            peaks[form] = peak_bytes(attention, q, k, v)
    # At the end: scores, weights and the output.
    assert peaks["naive"] == pytest.approx(2 * table + q.nbytes, abs=SCALARS)
    assert peaks["flash"] < table / 2


def test_memory_counts_what_is_there_at_a_time_not_all_that_was_there() -> None:
    x = torch.ones(1, 1, 16, 8)

    def twice(q: Any, k: Any, v: Any) -> Any:
        for _ in range(5):
            k = q + 1  # each takes the place of the one before
        return k

    assert peak_bytes(twice, x, x, x) == pytest.approx(2 * x.nbytes, abs=SCALARS)


def test_time_is_that_of_one_call() -> None:
    """Against sleep, which takes as long however busy a machine is, or longer."""
    x = torch.ones(1)

    def slow(q: Any, k: Any, v: Any) -> Any:
        sleep(0.02)
        return q + k

    assert 0.02 <= measured(slow, x, x, x).seconds < 0.2
    assert measured(slow, x, x, x).runs >= 3


def test_what_pytorch_chooses_is_seen_and_marked(found: Any) -> None:
    q, k, v = inputs_of(16, torch.float32, CPU)
    with torch.nn.attention.sdpa_kernel(SDPBackend.MATH):
        assert chosen_form(q, k, v) == "math"
    assert {row["form"] for row in found["rows"] if row["chosen"]} == {"flash"}
    assert len([row for row in found["rows"] if row["chosen"]]) == 2
    assert set(OPERATORS.values()) == set(FORMS) - {"naive"}


def test_the_operators_exist_in_this_pytorch() -> None:
    for operator in OPERATORS:
        assert hasattr(torch.ops.aten, f"_scaled_dot_product_{operator}"), operator


def test_the_drivers_version_is_what_nvidia_smi_says(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PATH", str(tmp_path))
    assert driver() is None
    program = tmp_path / "nvidia-smi"
    program.write_text(f"#!{sys.executable}\nprint('570.86.15')\nprint('570.86.15')\n")
    program.chmod(0o755)
    assert os.access(program, os.X_OK)
    assert driver() == "570.86.15"


def test_peaks_are_plausible() -> None:
    for device, peaks in PEAK_FLOPS.items():
        assert peaks["float32"] < peaks["float16"] == peaks.get("bfloat16", peaks["float16"]), (
            device
        )
