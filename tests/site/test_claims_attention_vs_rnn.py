"""What the page on attention and RNNs claims, held against the code that it speaks of."""

import math
from typing import Any

import numpy as np
import pytest

from site_src import ROOT
from snippets.cost import (
    attention_leading_term,
    attention_multiply_adds,
    lstm_multiply_adds,
    rnn_leading_term,
    rnn_multiply_adds,
    table_bytes,
)
from snippets.paths import all_linked, chain, steps_to_last
from snippets.rnn import recurrent_weights, rnn
from tests.site.test_claims import prose

PAGE = "attention-vs-rnn"

# Vaswani et al., 2017, Table 1: complexity per layer, sequential operations, maximum path length.
TABLE_1 = {
    "Self-attention": [r"O(n^2 \cdot d)", "O(1)", "O(1)"],
    "Recurrent": [r"O(n \cdot d^2)", "O(n)", "O(n)"],
    "Convolutional": [r"O(k \cdot n \cdot d^2)", "O(1)", r"O(\log_k n)"],
    "Self-attention, restricted": [r"O(r \cdot n \cdot d)", "O(1)", "O(n/r)"],
}


def test_the_table_is_that_of_the_paper() -> None:
    lines = (ROOT / "docs" / f"{PAGE}.md").read_text(encoding="utf-8").splitlines()
    rows = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines if "|" in line]
    head, rule, *body = rows
    assert {name: [one.strip("$") for one in cells] for name, *cells in body} == TABLE_1
    for column, (words, term) in enumerate(
        [
            ("Cost as the text grows", "complexity per layer"),
            ("Parallel training", "sequential operations"),
            ("Memory of far words", "longest path"),
        ],
        1,
    ):
        assert head[column] == f"{words}: {term}"
        assert rule[column] == "---"


def links(n: int, reach: int) -> Any:
    """Each word reaches those so far away, in one step."""
    place = np.arange(n)
    return abs(place[:, None] - place) <= reach


@pytest.mark.parametrize("n", [64, 256, 1024])
def test_the_longest_paths_grow_as_the_table_says(n: int) -> None:
    assert steps_to_last(all_linked(n)) == 1
    assert steps_to_last(chain(n)) == n - 1
    assert steps_to_last(links(n, 32)) == math.ceil((n - 1) / 32)


def test_far_words_need_dilated_convolutions() -> None:
    text = prose(PAGE)
    assert r"Convolutions reach far in $\log_k n$ layers only if they are *dilated*" in text
    assert "with kernels of neighbours they need about n/k" in text
    for n in (81, 1024):
        for k in (3, 5, 9):
            assert n / k <= steps_to_last(links(n, k - 1)) <= 2 * n / k
            assert dilated_layers(n, k) == math.ceil(round(math.log(n, k), 9))


def dilated_layers(n: int, k: int) -> int:
    """Layers until word 1 reaches word n; a kernel sees a word and k − 1 before it, spread."""
    reached, layers = {0}, 0
    while n - 1 not in reached:
        steps = [k**layers * step for step in range(k)]
        reached = {place + step for place in reached for step in steps if place + step < n}
        layers += 1
    return layers


def test_twice_the_words() -> None:
    text = prose(PAGE)
    assert "Twice the words cost an RNN twice as much." in text
    assert rnn_multiply_adds(2048, 64) == 2 * rnn_multiply_adds(1024, 64)
    assert "the table of scores becomes four times as large" in text
    assert table_bytes(2048, 2048) == 4 * table_bytes(1024, 1024)


def test_where_the_lines_meet() -> None:
    text = prose(PAGE)
    assert "fewer words than a word has numbers, $n^2 \\cdot d$ is the smaller term" in text
    assert "twice as steep" in text
    assert "Now attention always costs more than the RNN, and meets the LSTM at n = 2d." in text
    for d in (8, 64, 512):
        for n in (4, d - 1, d, d + 1, 2 * d - 1, 2 * d, 2 * d + 1, 9000):
            attention, term = attention_multiply_adds(n, d), attention_leading_term(n, d)
            assert (term < rnn_leading_term(n, d)) == (n < d)
            assert (term == rnn_leading_term(n, d)) == (n == d)
            assert attention == 4 * n * d**2 + 2 * n**2 * d > rnn_multiply_adds(n, d)
            assert (attention == lstm_multiply_adds(n, d)) == (n == 2 * d)
            assert rnn_multiply_adds(n, d) == 2 * n * d**2
            assert lstm_multiply_adds(n, d) == 8 * n * d**2
    assert attention_leading_term(2048, 64) == 2**2 * attention_leading_term(1024, 64)
    assert rnn_leading_term(2048, 64) == 2**1 * rnn_leading_term(1024, 64)
    for formula in ("$4nd^2 + 2n^2d$", "$2nd^2$", "$8nd^2$"):
        assert formula in text


def test_the_size_of_the_table() -> None:
    assert "1,024 words make 2 MiB of it for each head, 131,072 words 32 GiB" in prose(PAGE)
    assert table_bytes(1024, 1024) == 2 * 2**20
    assert table_bytes(131_072, 131_072) == 32 * 2**30


def test_the_longer_the_text_the_nearer_to_four_times() -> None:
    assert "The longer the text, the nearer doubling comes to four times the work." in prose(PAGE)
    growths = [
        attention_multiply_adds(2 * n, 512) / attention_multiply_adds(n, 512)
        for n in (128, 1_024, 8_192, 65_536)
    ]
    assert growths == sorted(growths)
    assert growths[0] < 2.5
    assert 3.9 < growths[-1] < 4


def test_a_word_has_to_wait_for_the_one_before() -> None:
    assert "An RNN takes them one after the other, n steps that cannot be shared out" in prose(PAGE)
    rng = np.random.default_rng(0)
    x = rng.normal(size=(9, 4))
    w_h, w_x = recurrent_weights(4, 0.9, rng)
    changed = x.copy()
    changed[0] += 1
    differs = (rnn(x, w_h, w_x) != rnn(changed, w_h, w_x)).any(axis=1)
    assert differs.all()


def test_the_answer_to_your_turn() -> None:
    """Counted: for the products of the table alone, as the cell does."""
    assert "Counted, attention has more to do beyond 64 words." in prose(PAGE)
    assert "seconds, size = {}, 64" in prose(PAGE)
    assert rnn_multiply_adds(64, 64) == 2 * 64 * 64 * 64
    assert rnn_multiply_adds(65, 64) < 2 * 65 * 65 * 64
