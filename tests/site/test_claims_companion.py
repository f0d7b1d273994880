"""Numbers and claims in the prose of the PyTorch pages, each computed."""

import pytest
import torch

from site_src import ROOT
from snippets.companion.attention import plain_attention
from snippets.companion.block import DecoderBlock
from snippets.companion.count import (
    attention_parameters,
    attention_parts,
    bert_base,
    count_parameters,
    gpt2_small,
    llama_8b,
    llama_layer,
    parameter_table,
)
from snippets.companion.mask_traps import empty_row
from snippets.companion.multi_head import MultiHeadAttention
from snippets.three_words import W_k, W_q, X


def prose(name: str) -> str:
    """A page's text on one line."""
    text = (ROOT / "docs" / "companion" / f"{name}.py").read_text(encoding="utf-8")
    return " ".join(text.replace("\n#", "\n").split())


def test_a_layer_of_the_original_transformer() -> None:
    assert "512 features and 8 heads" in prose("multi-head")
    assert "a head has 64 features" in prose("multi-head")
    layer = MultiHeadAttention(512, heads=8)
    assert layer.d_head == 64
    assert "4 · 512² numbers in four matrices, and 4 · 512 in their biases" in prose("multi-head")
    assert count_parameters(layer) == 4 * 512**2 + 4 * 512


def test_two_heads_of_keys_make_the_cache_four_times_smaller() -> None:
    assert "eight query heads share two heads of keys and values" in prose("multi-head")
    assert "four times smaller" in prose("multi-head")
    kept = [
        MultiHeadAttention(512, heads=8, kv_heads=n).project(torch.zeros(1, 10, 512))[1]
        for n in (8, 2)
    ]
    assert kept[0].numel() == 4 * kept[1].numel()


def test_the_table_of_a_long_sentence() -> None:
    assert "8,192² · 32 · 2 bytes = 4.3 GB" in prose("multi-head")
    assert round(8192**2 * 32 * 2 / 1e9, 1) == 4.3


def test_the_three_word_example_is_blind_to_a_swap() -> None:
    assert "happens to be symmetric" in prose("agreement")
    scores = (X @ W_q) @ (X @ W_k).T
    assert (scores == scores.T).all()


def test_the_random_layer_is_not() -> None:
    assert "every weight changes" in prose("agreement")
    torch.manual_seed(0)
    layer = MultiHeadAttention(512, heads=8, bias=False).double().eval()
    q, k, v = layer.project(torch.randn(2, 10, 512, dtype=torch.float64))
    _, weights = plain_attention(q, k, v)
    _, swapped = plain_attention(k, q, v)
    assert (weights != swapped).all()


def test_where_a_block_keeps_its_parameters() -> None:
    assert "attention has a third of the parameters, the MLP two thirds" in prose("parameters")
    table = parameter_table(DecoderBlock(768, heads=12))
    total = sum(table.values())
    assert table["attention"] / total == pytest.approx(1 / 3, abs=0.005)
    assert table["mlp"] / total == pytest.approx(2 / 3, abs=0.005)
    assert (table["norm_1"] + table["norm_2"]) / total < 0.001


def test_the_table_of_words_is_larger_than_all_attention_in_gpt2() -> None:
    assert "the table of words is larger than all attention" in prose("parameters")
    assert gpt2_small()["embeddings"] > gpt2_small()["attention"]
    assert gpt2_small()["attention"] < 50_257 * 768


def test_the_totals_of_the_published_weights() -> None:
    """GPT-2's and BERT's as transformers counts them, Llama's as in its model card (8.03 B)."""
    assert sum(bert_base().values()) == 109_482_240
    assert sum(gpt2_small().values()) == 124_439_808
    assert sum(llama_8b().values()) == 8_030_261_248


def test_what_sharing_saves_in_llama() -> None:
    assert "67,108,864 numbers a layer" in prose("parameters")
    assert "leaves 41,943,040" in prose("parameters")
    assert llama_layer(kv_heads=32)["attention"] == 67_108_864
    assert llama_layer()["attention"] == 41_943_040


def test_the_keras_trap() -> None:
    assert "8,401,408 parameters instead of 1,050,624" in prose("parameters")
    assert "8 · 512 = 4,096 features" in prose("parameters")
    assert attention_parameters(512, heads=8, d_head=512) == 8_401_408
    assert attention_parts(512, heads=8, d_head=512)["query"] == 512 * 4096 + 4096


def test_the_end_of_half_precision() -> None:
    assert "Half precision ends at 65,504" in prose("traps")
    assert torch.finfo(torch.float16).max == 65_504


def test_five_ways_give_four_answers() -> None:
    assert "Five ways to compute it give four answers" in prose("traps")
    answers = [str(answer.numpy().round(2)) for answer in empty_row().values()]
    assert (len(answers), len(set(answers))) == (5, 4)
