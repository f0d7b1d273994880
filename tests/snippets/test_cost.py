"""What attention costs, against torch's own counting and published figures, and mistakes."""

import types
from typing import Any

import numpy as np
import pytest
import torch
from hypothesis import given
from hypothesis import strategies as st
from torch.utils.flop_counter import FlopCounterMode

from snippets import cost
from snippets.attention import attention
from snippets.cost import attention_multiply_adds, lstm_multiply_adds, rnn_multiply_adds
from snippets.kv_cache import KVCache
from tests.snippets.mistakes import Check, Mistakes, checks, is_caught, name

SIZES = [(1, 4), (6, 8), (16, 8), (40, 12)]  # n, d


def counted(run: Any, *given: Any) -> int:
    """Multiply-adds as torch counts them: it counts two operations for each."""
    with FlopCounterMode(display=False) as counter, torch.no_grad():
        run(*given)
    return int(counter.get_total_flops()) // 2


def recurrent(cell: torch.nn.Module, state: Any, words: torch.Tensor) -> None:
    """Word after word."""
    for word in words:
        state = cell(word, state)


def check_attention_torch(module: types.ModuleType) -> None:
    """nn.MultiheadAttention without biases, with any number of heads."""
    for n, d in SIZES:
        for heads in (1, 4):
            layer = torch.nn.MultiheadAttention(d, heads, bias=False, batch_first=True)
            x = torch.ones(1, n, d)
            assert module.attention_multiply_adds(n, d) == counted(layer, x, x, x)


def check_cached_step_torch(module: types.ModuleType) -> None:
    """One new token, with the keys and values of the others kept."""
    n, d = 40, 8
    x, w, kept = torch.ones(1, d), torch.ones(d, d), torch.ones(n, d)

    def step() -> None:
        q, _, _ = (x @ w for _ in range(3))
        (q @ kept.T).softmax(-1) @ kept @ w

    assert module.attention_multiply_adds(1, d, keys=n) == counted(step)


def check_window(module: types.ModuleType) -> None:
    """A window spares scores and averages, not the four matrices."""
    n, d = 1000, 64
    whole, windowed = (module.attention_multiply_adds(n, d, keys=keys) for keys in (None, 100))
    assert whole - windowed == 2 * n * (n - 100) * d
    assert module.attention_multiply_adds(n, d, keys=0) == 4 * n * d * d
    assert module.attention_multiply_adds(2 * n, d, 100) == 2 * windowed


def check_rnn_torch(module: types.ModuleType) -> None:
    """nn.RNNCell, word after word."""
    for n, d in SIZES:
        cell = torch.nn.RNNCell(d, d, bias=False)
        found = counted(recurrent, cell, torch.ones(1, d), torch.ones(n, 1, d))
        assert module.rnn_multiply_adds(n, d) == found


def check_lstm_torch(module: types.ModuleType) -> None:
    """nn.LSTMCell, word after word."""
    for n, d in SIZES:
        cell, state = torch.nn.LSTMCell(d, d, bias=False), (torch.ones(1, d), torch.ones(1, d))
        found = counted(recurrent, cell, state, torch.ones(n, 1, d))
        assert module.lstm_multiply_adds(n, d) == found


def check_leading_terms(module: types.ModuleType) -> None:
    """What is left of torch's counts for a long text; table 1 leaves out the factor, here two."""
    for n, d in [(2000, 4), (3000, 6)]:
        x, step = torch.ones(1, n, d), torch.ones(1, d)
        layer = torch.nn.MultiheadAttention(d, 1, bias=False, batch_first=True)
        whole = counted(layer, x, x, x)
        assert module.attention_leading_term(n, d) == pytest.approx(whole / 2, rel=0.01)
        cell = torch.nn.RNNCell(d, d, bias=False)
        assert module.rnn_leading_term(n, d) == counted(cell, step, step) / 2 * n
    assert isinstance(module.attention_leading_term(3, 2), int)


def check_table_bytes(module: types.ModuleType) -> None:
    """The size of the weights that attention returns; twice the tokens, four times the table."""
    for heads, queries, keys, dtype in [(1, 3, 5, "f4"), (4, 7, 7, "f8"), (3, 1, 9, "f2")]:
        random = np.random.default_rng(0)
        q, k = (random.normal(size=(heads, n, 2)).astype(dtype) for n in (queries, keys))
        _, weights = attention(q, k, k)
        found = module.table_bytes(queries, keys, heads, weights.itemsize)
        assert found == weights.nbytes
    assert module.table_bytes(7, 9) == 7 * 9 * 2  # one head, two bytes a number
    assert module.table_bytes(32_768, 32_768, heads=32) == 68_719_476_736


def check_kv_cache_figures(module: types.ModuleType) -> None:
    """Llama-3.1-8B: 131,072 bytes a token in bf16; a model of width 4096: 17.18 and 4.29 GB."""
    assert module.kv_cache_bytes(32, 8, 128, 1) == 131_072
    wide = {"layers": 32, "d_head": 4096 // 32, "tokens": 32_768, "bytes_per_number": 2}
    assert round(module.kv_cache_bytes(kv_heads=32, **wide) / 1e9, 2) == 17.18
    assert round(module.kv_cache_bytes(kv_heads=8, **wide) / 1e9, 2) == 4.29


def check_kv_cache_against_a_cache(module: types.ModuleType) -> None:
    """What one layer's cache holds: the rows in use, keys and values."""
    cache = KVCache()
    x = np.ones((3, 11, 5), dtype=np.float32)  # [H_kv, T, d_head]
    cache.append(x, x)
    held = cache.keys.kept().nbytes + cache.values.kept().nbytes
    assert module.kv_cache_bytes(1, 3, 5, 11, 4) == held
    assert module.kv_cache_bytes(7, 3, 5, 11, 4) == 7 * held


def check_exact_numbers(module: types.ModuleType) -> None:
    """Whole numbers stay whole numbers, however large."""
    n, d = 10**9, 10**5
    assert module.attention_multiply_adds(n, d) == 4 * 10**19 + 2 * 10**23
    assert module.rnn_multiply_adds(n, d) == 2 * 10**19
    assert module.lstm_multiply_adds(n, d) == 8 * 10**19
    assert module.table_bytes(n, n) == 2 * 10**18
    assert module.kv_cache_bytes(100, 100, d, n) == 4 * 10**18


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(cost)


PROJECTIONS, PAIRS = "4 * n * d**2", "2 * n * (n if keys is None else keys) * d"
RNN, LSTM = "return 2 * n * d**2", "return 4 * rnn_multiply_adds(n, d)"
TABLE = "return queries * keys * heads * bytes_per_number"
CACHE = "return 2 * layers * kv_heads * d_head * tokens * bytes_per_number"

MISTAKES: Mistakes = {
    # attention_multiply_adds
    "W_o forgotten": (PROJECTIONS, "3 * n * d**2"),
    "only the table": (f"{PROJECTIONS} + ", ""),
    "the values' average forgotten": (PAIRS, PAIRS.replace("2 * ", "")),
    "operations for multiply-adds": (f"{PROJECTIONS} + {PAIRS}", f"2 * ({PROJECTIONS} + {PAIRS})"),
    "n² without the features": (PAIRS, PAIRS.replace(" * d", "")),
    "keys squared": (PAIRS, PAIRS.replace("n * (n", "(n if keys is None else keys) * (n")),
    "no keys taken for all": (PAIRS, PAIRS.replace("(n if keys is None else keys)", "(keys or n)")),
    "a window that also spares matrices": (PROJECTIONS, "4 * (keys or n) * d**2"),
    # rnn_multiply_adds
    "one matrix for two": (RNN, "return n * d**2"),
    "an output matrix too": (RNN, "return 3 * n * d**2"),
    "every word before": (RNN, "return 2 * n**2 * d"),
    "one step for all": (RNN, "return 2 * d**2"),
    "no matrix at all": (RNN, "return 2 * n * d"),
    "decimals": (RNN, "return 2.0 * n * d**2 + 1e-3"),
    # lstm_multiply_adds
    "three gates, no candidate": (LSTM, LSTM.replace("4", "3")),
    "one gate": (LSTM, LSTM.replace("4 * ", "")),
    "a GRU's": (LSTM, "return 6 * n * d**2"),
    "eight RNNs": (LSTM, LSTM.replace("4", "8")),
    "wide states": (LSTM, LSTM.replace("(n, d)", "(n, 4 * d)")),
    # leading terms
    "the terms swapped": ("return n**2 * d", "return n * d**2.0"),
    "features alone": ("return n * d**2", "return d**2"),
    "words alone": ("return n**2 * d", "return n**2"),
    "a factor kept": ("return n * d**2", "return 4 * (n * d * d)"),
    # table_bytes
    "numbers for bytes": (TABLE, "return queries * keys * heads"),
    "one head": (TABLE, "return queries * keys * bytes_per_number"),
    "half a table": (TABLE, "return queries * (keys + 1) // 2 * heads * bytes_per_number"),
    "queries squared": (TABLE, TABLE.replace("queries * keys", "queries * queries")),
    "keys squared in the table": (TABLE, TABLE.replace("queries * keys", "keys * keys")),
    "scores and weights": (TABLE, TABLE.replace("return", "return 2 *")),
    "four bytes unless told": ("heads=1, bytes_per_number=2", "heads=1, bytes_per_number=4"),
    # kv_cache_bytes
    "keys only": (CACHE, CACHE.replace("2 * ", "")),
    "queries too": (CACHE, CACHE.replace("2", "3")),
    "one layer": (CACHE, CACHE.replace("layers * ", "")),
    "one head of keys": (CACHE, CACHE.replace("kv_heads * ", "")),
    "bits for bytes": (CACHE, CACHE.replace("2", "16")),
    "numbers for bytes in the cache": (CACHE, CACHE.replace(" * bytes_per_number", "")),
    "quadratic in the tokens": (CACHE, CACHE.replace("tokens", "tokens**2")),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(cost, MISTAKES[mistake], CHECKS)


# Where they cross.

sizes = st.integers(1, 4096)


@given(sizes)
def test_attention_equals_an_lstm_at_twice_as_many_words_as_features(d: int) -> None:
    assert attention_multiply_adds(2 * d, d) == lstm_multiply_adds(2 * d, d)
    assert attention_multiply_adds(2 * d - 1, d) < lstm_multiply_adds(2 * d - 1, d)
    assert attention_multiply_adds(2 * d + 1, d) > lstm_multiply_adds(2 * d + 1, d)


@given(sizes, sizes)
def test_attention_always_takes_more_than_a_plain_rnn(n: int, d: int) -> None:
    assert attention_multiply_adds(n, d) > 2 * rnn_multiply_adds(n, d)
