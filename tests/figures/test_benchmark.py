"""The trace behind the benchmark's chart: recorded numbers, none of another origin."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from site_src.figures.benchmark.trace import DRAWN, NO_GPU, RESULTS, embedded, recorded, trace
from site_src.figures.fence import made_from
from site_src.figures.live import answer


def row(form: str, tokens: int, *, chosen: bool = False, share: float | None = None) -> Any:
    """A row that was never measured: its numbers are easy to find again."""
    return {
        "form": form,
        "dtype": "float32",
        "tokens": tokens,
        "chosen": chosen,
        "seconds": tokens * 1e-6 * (1 if form == "flash" else 2),
        "runs": 5,
        "peak_bytes": tokens * 1024,
        "flops_per_second": tokens * 1e9,
        "share_of_peak": share,
    }


def result(kind: str, name: str, rows: list[Any], left_out: list[Any] | None = None) -> Any:
    """A result of a device that does not exist."""
    on_gpu = kind == "cuda"
    return {
        "device": {
            "type": kind,
            "name": name,
            "driver": "570.1" if on_gpu else None,
            "threads": 2,
            "load": 0.5,
            "torch": "2.13.0",
            "cuda": "12.8" if on_gpu else None,
        },
        "date": "2026-03-01",
        "command": "",
        "shape": {"B": 1, "H": 8, "D": 64},
        "direction": "forward",
        "memory": "",
        "rows": rows,
        "left_out": left_out or [],
    }


def drawn(folder: Path, *results: Any) -> Any:
    """The trace of some results."""
    for at, one in enumerate(results):
        (folder / f"{at}.json").write_text(json.dumps(one), encoding="utf-8")
    return trace({}, folder)


CPU = result("cpu", "Abacus", [row("naive", 128), row("flash", 128), row("flash", 256)])
GPU = result(
    "cuda",
    "GPU 1",
    [
        row("flash", 512, chosen=True, share=0.25),
        row("cuDNN", 512),
        row("cuDNN", 1024, chosen=True),
    ],
)


def test_every_recorded_number_is_drawn_as_it_is_in_the_file() -> None:
    shown = trace({})
    number = 0
    for found in recorded(RESULTS):
        for one in found["rows"]:
            for quantity in DRAWN:
                (chart,) = [
                    chart
                    for chart in shown["charts"]
                    if chart["device"] == found["device"]["name"]
                    and chart["dtype"] == one["dtype"]
                    and chart["quantity"] == quantity.name
                ]
                (line,) = [line for line in chart["lines"] if line["form"] == one["form"]]
                at = chart["lengths"].index(one["tokens"])
                assert line["values"][at] == one[quantity.key]
                name = f"{chart['device']}, {chart['dtype']}, {quantity.name}"
                (table,) = [table for table in shown["matrices"] if table["name"] == name]
                place = table["rows"].index(one["form"]), at
                assert np.array(table["values"])[place] == one[quantity.key]
                assert table["shown"][place[0]][at] == quantity.written(one[quantity.key])
                number += 1
    assert number == 2 * sum(len(found["rows"]) for found in recorded(RESULTS)) > 0


def test_what_was_not_measured_is_a_gap_in_line_and_table(tmp_path: Path) -> None:
    shown = drawn(tmp_path, CPU)
    naive, flash = shown["charts"][0]["lines"]
    assert naive["values"] == [pytest.approx(256e-6), None]
    assert None not in flash["values"]
    assert shown["matrices"][0]["shown"] == [["256 µs", "–"], ["128 µs", "256 µs"]]


def test_several_devices_are_all_there_gpus_first(tmp_path: Path) -> None:
    shown = drawn(tmp_path, CPU, GPU)
    assert list(dict.fromkeys(chart["device"] for chart in shown["charts"])) == ["GPU 1", "Abacus"]
    assert [step["title"] for step in shown["steps"]] == ["GPU 1, float32", "Abacus, float32"]
    names = [table["name"] for table in shown["matrices"]]
    assert len(set(names)) == len(names)
    assert names == [name for step in shown["steps"] for name in step["makes"]]


def test_without_a_result_of_a_gpu_a_sentence_says_so(tmp_path: Path) -> None:
    assert all(chart["says"].endswith(NO_GPU) for chart in drawn(tmp_path, CPU)["charts"])
    assert NO_GPU not in json.dumps(drawn(tmp_path, CPU, GPU), ensure_ascii=False)


def test_it_says_where_and_when_it_was_measured(tmp_path: Path) -> None:
    says = {chart["device"]: chart["says"] for chart in drawn(tmp_path, CPU, GPU)["charts"]}
    assert "on Abacus, 2 threads, PyTorch 2.13.0, 1 March 2026." in says["Abacus"]
    assert "on GPU 1, driver 570.1, CUDA 12.8, PyTorch 2.13.0, 1 March 2026." in says["GPU 1"]
    assert "Forward only, B\u00a0=\u00a01, H\u00a0=\u00a08, D\u00a0=\u00a064." in says["Abacus"]


def test_it_says_that_a_machine_was_busy(tmp_path: Path) -> None:
    busy = result("cpu", "Abacus", CPU["rows"])
    busy["device"]["load"] = 9.0
    assert "(load 9 for 2 threads)" in drawn(tmp_path, busy)["picture"]
    assert "Other programs" not in drawn(tmp_path, CPU)["picture"]
    busy["device"]["load"] = None
    assert "Other programs" not in drawn(tmp_path, busy)["picture"]


def test_it_says_what_pytorch_runs_and_where_that_changes(tmp_path: Path) -> None:
    one = result("cpu", "Abacus", [row("naive", 128), row("flash", 128, chosen=True)])
    assert "Left to choose, PyTorch runs flash." in drawn(tmp_path, one)["picture"]
    told = drawn(tmp_path, GPU)["picture"]
    assert "PyTorch runs flash at 512 and cuDNN at 1,024 tokens." in told


def test_refused_and_unfinished_forms_are_listed_with_their_reasons(tmp_path: Path) -> None:
    left_out = [
        {"form": form, "dtype": dtype, "tokens": tokens, "because": because, "reason": reason}
        for form, dtype, tokens, because, reason in [
            ("cuDNN", "float32", 128, "refused", "no kernel"),
            ("memory-efficient", "float32", 128, "refused", "no kernel"),
            ("naive", "float32", 256, "memory", "it needs more"),
            ("math", "bfloat16", 128, "refused", "something else"),
        ]
    ]
    shown = drawn(tmp_path, result("cpu", "Abacus", CPU["rows"], left_out))
    for text in (shown["picture"], shown["steps"][0]["says"]):
        assert "Refused (“no kernel”): cuDNN, memory-efficient." in text
        assert "Left out from 256 tokens on (it needs more): naive." in text
        assert "something else" not in text


def test_the_share_of_a_known_peak_has_a_table(tmp_path: Path) -> None:
    named = {table["name"]: table for table in drawn(tmp_path, CPU, GPU)["matrices"]}
    assert named["GPU 1, float32, share of the device’s peak"]["shown"][0] == ["25.0%", "–"]
    assert not any("Abacus" in name and "peak" in name for name in named)


def test_the_axis_holds_every_value(tmp_path: Path) -> None:
    for chart in [*trace({})["charts"], *drawn(tmp_path, CPU, GPU)["charts"]]:
        ticks = [value for value, _ in chart["ticks"]]
        values = [x for line in chart["lines"] for x in line["values"] if x is not None]
        assert ticks == sorted(set(ticks))
        assert ticks[0] <= min(values) <= max(values) <= ticks[-1] * (1 + 1e-9)
        assert 2 <= len(ticks) <= 7
        assert all(text for _, text in chart["ticks"])


def test_without_results_there_is_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No results of the benchmark"):
        trace({}, tmp_path)


def test_a_link_needs_no_python_and_a_changed_result_changes_the_page() -> None:
    assert list(embedded().values()) == [{}]
    assert json.loads(answer("benchmark", "{}"))["trace"]["picture"] == trace({})["picture"]
    assert set(RESULTS.glob("*.json")) <= set(made_from())
