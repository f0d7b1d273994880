"""What the page on long contexts claims, held against the code that it speaks of."""

import tracemalloc
from typing import Any

import numpy as np
import pytest
from numpy.testing import assert_allclose

from site_src.figures.window.trace import WORDS, powers
from snippets import flash
from snippets.attention import attention
from snippets.cost import attention_multiply_adds, kv_cache_bytes
from snippets.flash import flash_attention, tiles
from snippets.grouped_query import grouped_query_attention
from snippets.kv_cache import KVCache
from snippets.masks import causal_mask, window_mask
from snippets.six_words import K, Q, V
from tests.site.test_claims import prose

TEXT = prose("long-context")
GB = 1e9


def words(n: int, d: int = 8) -> Any:
    """A text as [T, D]."""
    return np.random.default_rng(0).normal(size=(n, d)).astype(np.float32)


def test_the_size_of_the_table() -> None:
    assert "Twice the words, four times the scores" in TEXT
    assert "at 100,000 words the table of one head has ten billion" in TEXT
    assert 100_000**2 == 10_000_000_000


@pytest.mark.parametrize("mask", [None, causal_mask(6), window_mask(6, 3)])
def test_tiles_and_cache_are_exact_and_the_window_is_not(mask: Any) -> None:
    assert "| FlashAttention | memory, and trips to it | exactly attention's |" in TEXT
    expected, _ = attention(Q, K, V, mask)
    for block in range(1, 7):
        assert_allclose(flash_attention(Q, K, V, mask, block), expected, atol=1e-12)
    assert "| KV cache | doing the same work again | exactly causal attention's |" in TEXT
    cache, full_pass = KVCache(), attention(Q, K, V, causal_mask(6))[0]
    for t in range(6):
        cache.append(K[t : t + 1], V[t : t + 1])
        assert_allclose(cache.attend(Q[t : t + 1])[0], full_pass[t : t + 1], atol=1e-12)


def test_which_rows_a_window_changes() -> None:
    assert "| another one: far words are out of sight |" in TEXT
    assert "The first *w* rows stay" in TEXT
    every, _ = attention(Q, K, V, causal_mask(6))
    for w in range(1, 7):
        near, _ = attention(Q, K, V, window_mask(6, w))
        stays = np.isclose(near, every).all(axis=-1)
        assert stays.tolist() == [True] * w + [False] * (6 - w)


def test_the_whole_table_is_never_in_memory() -> None:
    assert "Read long texts without the whole table" in TEXT
    x = words(3000)
    tracemalloc.start()
    flash_attention(x, x, x)
    held = tracemalloc.get_traced_memory()[1]
    tracemalloc.stop()
    assert held < 0.05 * 4 * 3000**2
    largest = max(part.stop - part.start for n in (1_000, 100_000) for part in tiles(n, 128))
    assert largest == 128


def test_every_score_is_still_computed(monkeypatch: pytest.MonkeyPatch) -> None:
    assert "Every score is still computed: FlashAttention saves memory" in TEXT
    counted = []
    original: Any = flash.add_tile

    def counting(peak: Any, total: Any, output: Any, scores: Any, v: Any) -> Any:
        counted.append(scores.size)
        return original(peak, total, output, scores, v)

    monkeypatch.setattr(flash, "add_tile", counting)
    x = words(300)
    flash_attention(x, x, x)
    assert sum(counted) == 300**2


def test_a_windows_scores_grow_with_n_and_w() -> None:
    assert "Now the number of scores grows with n · w, not with n²." in TEXT
    for n, w in [(500, 20), (1000, 20), (1000, 40)]:
        assert window_mask(n, w).sum() == pytest.approx(n * w, rel=0.03)


def test_how_far_news_comes() -> None:
    assert (
        "each layer passes news on by up to w − 1 words, so L layers reach back L · (w − 1)" in TEXT
    )
    for w in range(1, 5):
        for layers, heard in enumerate(powers(window_mask(len(WORDS), w))):
            first = int(heard[-1].argmax())
            assert first == max(0, len(WORDS) - 1 - layers * (w - 1))


def test_earlier_keys_and_values_never_change() -> None:
    """Two causal layers: the rows of a text stay when it goes on, so what is made of them stays."""
    assert "of earlier words never change, so they are kept" in TEXT
    text, (w_q, w_k, w_v) = words(9), words(24).reshape(3, 8, 8)

    def layer(x: Any) -> Any:
        return attention(x @ w_q, x @ w_k, x @ w_v, causal_mask(len(x)))[0]

    assert_allclose((layer(layer(text)) @ w_k)[:5], layer(layer(text[:5])) @ w_k, atol=1e-4)


def test_without_a_cache_the_tenth_word_takes_ten_times_the_work() -> None:
    assert "at the tenth word, ten times the work" in TEXT
    for d in (8, 512):
        assert attention_multiply_adds(10, d) == 10 * attention_multiply_adds(1, d, keys=10)


def test_with_a_window_the_cache_stops_growing() -> None:
    assert "With a window the cache can forget too, and stops growing" in TEXT
    cache, near = KVCache(3), attention(Q, K, V, window_mask(6, 3))[0]
    for t in range(6):
        cache.append(K[t : t + 1], V[t : t + 1])
        assert len(cache.keys.kept()) == min(t + 1, 3)
        assert_allclose(cache.attend(Q[t : t + 1])[0], near[t : t + 1], atol=1e-12)


def test_two_heads_for_eight_are_a_quarter() -> None:
    assert "with a quarter of the keys and values" in TEXT
    shared = np.stack([K, K[::-1]]), np.stack([V, V[::-1]])
    q = words(48, 2).reshape(8, 6, 2)
    output, _ = grouped_query_attention(q, *shared)
    assert output.shape == (8, 6, 2)
    assert 4 * shared[0].size == q.size
    for head in range(8):
        own, _ = attention(q[head], shared[0][head // 4], shared[1][head // 4])
        assert_allclose(output[head], own, atol=1e-6)


def test_the_answer_to_your_turn() -> None:
    free = 24 * GB - 16 * GB
    eight, all_of_them = (kv_cache_bytes(32, heads, 128, 1) for heads in (8, 32))
    assert f"{free // eight:,.0f} tokens, and with 32 KV heads a quarter of them: " in TEXT
    assert f"a quarter of them: {free // all_of_them:,.0f}." in TEXT
    assert "Numbers of 8 bits instead of 16 in the cache make room for twice as many" in TEXT
    assert free // kv_cache_bytes(32, 8, 128, 1, 1) == pytest.approx(2 * (free // eight), abs=1)
