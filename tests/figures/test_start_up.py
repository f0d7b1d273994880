"""The kept figures of the bench, and their trace: each with what ran, none computed elsewhere."""

import copy
import json
import statistics
from pathlib import Path
from typing import Any

import pytest

from site_src import ROOT
from site_src.figures.fence import made_from
from site_src.figures.start_up.trace import RESULT, trace, written
from tests.bench.start_up.hosts import PLAIN, WITH_BROTLI
from tests.bench.start_up.sides import IMAGE

KEPT: dict[str, Any] = json.loads(RESULT.read_text(encoding="utf-8"))


def drawn(folder: Path, kept: Any) -> Any:
    """The trace of a result."""
    file = folder / "result.json"
    file.write_text(json.dumps(kept), encoding="utf-8")
    return trace({}, file)


def test_every_kept_figure_tells_what_ran_and_stands_in_a_table() -> None:
    shown = trace({})
    names = {row["side"] for row in KEPT["rows"]}
    assert {KEPT["stock"], *KEPT["ours"]} <= names
    tables = {table["name"]: table for table in shown["matrices"]}
    assert sum(len(table["rows"]) for table in tables.values()) == len(KEPT["rows"])
    for row in KEPT["rows"]:
        assert row["path"]
        assert row["values"]
        assert (row["path"] == "image") == (row["side"] == IMAGE)
        show = written(row["kind"])
        middle = show(statistics.median(row["values"]))
        told = [
            step["says"]
            for step in shown["steps"]
            if f"{row['side']}: {row['path']}" in step["says"]
        ]
        assert told
        assert any(
            name == row["side"] and texts[0] == middle
            for table in tables.values()
            for name, texts in zip(table["rows"], table["shown"], strict=True)
        )


def test_medians_lie_in_their_ranges_and_all_is_compared_with_stock() -> None:
    for chart in trace({})["charts"]:
        for bar in chart["bars"]:
            assert 0 < bar["low"] <= bar["median"] <= bar["high"]
            assert chart["ticks"][-1][0] <= max(one["high"] for one in chart["bars"])
        (stock,) = [bar for bar in chart["bars"] if bar["stock"]]
        assert chart["stock"] == stock["median"]
        assert "× stock" not in stock["shown"]


def test_the_claims_of_the_page() -> None:
    page = " ".join((ROOT / "docs" / "how-fast.md").read_text(encoding="utf-8").split())
    assert "about as many bytes of this site as of stock Pyodide" in page
    assert 0.95 < bytes_of(IMAGE, WITH_BROTLI) / bytes_of(KEPT["stock"], WITH_BROTLI) < 1.05
    assert "From one that compresses nothing, it is less than two thirds" in page
    assert bytes_of(IMAGE, PLAIN) / bytes_of(KEPT["stock"], PLAIN) < 2 / 3


def bytes_of(side: str, host: str) -> float:
    """What a host sends of a side until its result is there."""
    wanted = ("bytes", "Chromium", host, side)
    keys = ("kind", "browser", "host", "side")
    (row,) = [row for row in KEPT["rows"] if tuple(row[key] for key in keys) == wanted]
    return float(statistics.median(row["values"]))


def test_a_ratio_follows_from_the_values(tmp_path: Path) -> None:
    kept = copy.deepcopy(KEPT)
    rows = [row for row in kept["rows"] if row["kind"] == "restart"]
    for row in rows:
        row["values"] = [400, 100, 900] if row["side"] == kept["stock"] else [100, 90, 110]
    shown = drawn(tmp_path, kept)
    (chart,) = [chart for chart in shown["charts"] if chart["kind"] == "restart"]
    assert {bar["shown"] for bar in chart["bars"]} == {"400 ms", "100 ms, 0.25 × stock"}
    (table,) = [table for table in shown["matrices"] if table["name"] == chart["title"]]
    assert ["100 ms", "90 ms", "110 ms", "0.25"] in table["shown"]


def test_it_says_where_others_are_ahead_and_who_was_left_out(tmp_path: Path) -> None:
    kept = copy.deepcopy(KEPT)
    for row in kept["rows"]:
        row["values"] = [100] if row["side"] in kept["ours"] else [200]
    kept["left_out"] = {"A peer": "it did not answer"}
    says = drawn(tmp_path, kept)["steps"][0]["says"]
    assert "Nowhere is another ahead." in says
    assert "Left out: A peer (it did not answer)." in says
    (first, *_) = [row for row in kept["rows"] if row["side"] == kept["stock"]]
    first["values"] = [50]
    says = drawn(tmp_path, kept)["steps"][0]["says"]
    assert "Others are ahead here." in says
    assert f"{kept['stock']} 50 ms, {kept['ours'][0]} 100 ms." in says


def test_it_says_that_a_machine_was_busy(tmp_path: Path) -> None:
    kept = copy.deepcopy(KEPT)
    for load, told in ((9.0, True), (0.1, False), (None, False)):
        kept["machine"]["load"] = load
        assert ("Other programs" in drawn(tmp_path, kept)["picture"]) is told


def test_without_figures_there_is_a_sentence_and_new_ones_change_the_page(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match="No figures of the bench"):
        trace({}, tmp_path / "none.json")
    assert RESULT in made_from()
