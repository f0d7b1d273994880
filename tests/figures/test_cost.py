"""The trace behind the chart of costs: every number of words, in numbers and in words."""

import json
from typing import Any

import pytest
import torch
from torch.utils.flop_counter import FlopCounterMode

from site_src.figures.cost.trace import LENGTHS, WIDTHS, embedded, in_bytes, trace
from site_src.figures.live import answer, follow


@pytest.mark.parametrize("d", WIDTHS)
def test_the_curves_are_the_formulas_of_the_page(d: int) -> None:
    drawn = trace({"d": d})
    assert drawn["lengths"] == LENGTHS
    assert drawn["leading"] == {
        "attention": [n * n * d for n in LENGTHS],
        "RNN": [n * d * d for n in LENGTHS],
    }
    assert drawn["layers"] == {
        "attention": [4 * n * d * d + 2 * n * n * d for n in LENGTHS],
        "RNN": [2 * n * d * d for n in LENGTHS],
        "LSTM": [8 * n * d * d for n in LENGTHS],
    }


def test_torch_counts_the_same() -> None:
    """Two operations for each multiply-add."""
    drawn, d = trace({"d": 64}), 64
    layer = torch.nn.MultiheadAttention(d, 8, bias=False, batch_first=True)
    for n, expected in zip(LENGTHS[:3], drawn["layers"]["attention"], strict=False):
        x = torch.ones(1, n, d)
        with FlopCounterMode(display=False) as counter, torch.no_grad():
            layer(x, x, x)
        assert counter.get_total_flops() == 2 * expected


@pytest.mark.parametrize("d", WIDTHS)
def test_the_lines_cross_where_the_chart_says(d: int) -> None:
    """Leading terms at n = d; whole layers of attention and LSTM at n = 2d; both on the scale."""
    drawn = trace({"d": d})
    terms, layers = drawn["leading"], drawn["layers"]
    for n, attention, rnn in zip(LENGTHS, terms["attention"], terms["RNN"], strict=True):
        assert (attention > rnn, attention == rnn) == (n > d, n == d)
    for n, attention, lstm in zip(LENGTHS, layers["attention"], layers["LSTM"], strict=True):
        assert (attention > lstm, attention == lstm) == (n > 2 * d, n == 2 * d)
    assert {d, 2 * d} <= set(LENGTHS)


def test_the_words_are_those_of_the_numbers() -> None:
    drawn = trace({"d": 512})
    at = LENGTHS.index(1024)
    told = [row[at] for row in drawn["told"]]
    assert told == ["537 million", "268 million", "2.15 billion", "537 million", "2.15 billion"]
    assert drawn["picture"] == (
        "1,024 words of 512 numbers. n²·d, for attention: 537 million. n·d², for an RNN: "
        "268 million. The table of scores takes 2 MiB, and four times that, 8 MiB, "
        "for twice the words."
    )


def test_twice_the_words_make_four_times_the_table() -> None:
    shown = trace({"d": 64})["bytes"]
    sizes = [2 * n * n for n in [*LENGTHS, 2 * LENGTHS[-1]]]
    assert shown == [in_bytes(size) for size in sizes]
    assert shown[0] == "512 bytes"
    assert shown[-2:] == ["32 GiB", "128 GiB"]


def test_the_tables_show_some_of_the_lengths() -> None:
    drawn = trace({"d": 512})
    found = {one["name"]: one for one in drawn["matrices"]}
    assert found["leading"]["columns"][1] == "1,024 words"
    assert found["leading"]["values"][0][1] == 1024 * 1024 * 512
    assert found["layers"]["shown"][2][1] == "2.15 billion"
    assert found["table"]["shown"][0][-1] == "8 GiB"


def test_it_follows_the_readers_d() -> None:
    told = follow("cost", json.dumps({"d": 512}), "d", "d = 300", {"d": 300})
    drawn = json.loads(told)["trace"]
    assert drawn["inputs"] == {"d": 300}
    assert drawn["leading"]["RNN"][0] == 16 * 300 * 300
    assert drawn["code"] == "d = 300\n"


@pytest.mark.parametrize("d", [0, -1, 2.5, 4097, None, "512", [512]])
def test_an_odd_d_gets_a_sentence(d: Any) -> None:
    assert "must be a whole number from 1 to 4,096" in answer("cost", json.dumps({"d": d}))


def test_embedded_states_are_small() -> None:
    traces = {name: trace(inputs) for name, inputs in embedded().items()}
    assert len(json.dumps(traces, ensure_ascii=False, separators=(",", ":"))) < 40_000
