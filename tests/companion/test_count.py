"""Parameters by formula and by module, against figures that were published."""

import pytest
import torch
from torch import nn

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
from snippets.companion.multi_head import MultiHeadAttention


def encoder_layers() -> nn.ModuleList:
    """Twelve layers as in BERT-base and, but for the order of the norms, in GPT-2 small."""
    return nn.ModuleList(nn.TransformerEncoderLayer(768, 12, 3072) for _ in range(12))


def bert() -> nn.Module:
    """The layout of BERT-base, uncased, with its pooler; no numbers in it."""
    with torch.device("meta"):
        return nn.ModuleDict(
            {
                "words": nn.Embedding(30_522, 768),
                "positions": nn.Embedding(512, 768),
                "kinds": nn.Embedding(2, 768),
                "norm": nn.LayerNorm(768),
                "layers": encoder_layers(),
                "pooler": nn.Linear(768, 768),
            }
        )


def gpt2() -> nn.Module:
    """The layout of GPT-2 small, whose head is the table of words."""
    with torch.device("meta"):
        words, head = nn.Embedding(50_257, 768), nn.Linear(768, 50_257, bias=False)
        head.weight = words.weight
        return nn.ModuleDict(
            {
                "words": words,
                "positions": nn.Embedding(1024, 768),
                "layers": encoder_layers(),
                "norm": nn.LayerNorm(768),
                "head": head,
            }
        )


def llama() -> nn.Module:
    """The layout of Llama-3.1-8B."""
    with torch.device("meta"):
        return nn.ModuleDict(
            {
                "words": nn.Embedding(128_256, 4096),
                "layers": nn.ModuleList(llama_module() for _ in range(32)),
                "norm": nn.RMSNorm(4096),
                "head": nn.Linear(4096, 128_256, bias=False),
            }
        )


def llama_module() -> nn.Module:
    """The layout of one of its layers."""
    return nn.ModuleDict(
        {
            "self_attn": MultiHeadAttention(4096, 32, 8, bias=False, rope_base=500_000.0),
            "gate": nn.Linear(4096, 14_336, bias=False),
            "up": nn.Linear(4096, 14_336, bias=False),
            "down": nn.Linear(14_336, 4096, bias=False),
            "norm_1": nn.RMSNorm(4096),
            "norm_2": nn.RMSNorm(4096),
        }
    )


def in_attention(model: nn.Module) -> int:
    """The parameters of a model's layers of attention."""
    table = parameter_table(model, depth=3)
    return sum(n for name, n in table.items() if name.endswith("self_attn"))


def test_bert_base_has_109_482_240() -> None:
    assert sum(bert_base().values()) == count_parameters(bert()) == 109_482_240
    assert bert_base()["attention"] == in_attention(bert()) == 12 * 2_362_368


def test_gpt2_small_has_124_439_808_with_its_tied_head_counted_once() -> None:
    assert sum(gpt2_small().values()) == count_parameters(gpt2()) == 124_439_808
    assert gpt2_small()["attention"] == in_attention(gpt2()) == 28_348_416
    assert "head" not in parameter_table(gpt2())


def test_llama_has_8_030_261_248() -> None:
    assert sum(llama_8b().values()) == count_parameters(llama()) == 8_030_261_248
    assert llama_8b()["attention"] == in_attention(llama())


def test_a_layer_of_llama_shares_keys_and_values() -> None:
    with torch.device("meta"):
        module = llama_module()
    assert sum(llama_layer().values()) == count_parameters(module)
    assert llama_layer()["attention"] == parameter_table(module)["self_attn"] == 41_943_040


def test_a_layer_of_bert_has_its_published_parts() -> None:
    parts = attention_parts(768, heads=12)
    assert parts["query"] + parts["key"] + parts["value"] == 1_771_776
    assert parts["output"] == 590_592
    assert parameter_table(MultiHeadAttention(768, 12)) == {"qkv": 1_771_776, "out": 590_592}


@pytest.mark.parametrize(
    ("d_model", "bias", "expected"),
    [
        (512, True, 1_050_624),
        (512, False, 1_048_576),
        (768, True, 2_362_368),
        (1024, True, 4_198_400),
    ],
)
@pytest.mark.parametrize("heads", [1, 8, 64])
def test_the_number_of_heads_changes_nothing(
    d_model: int, bias: bool, expected: int, heads: int
) -> None:
    assert attention_parameters(d_model, heads, bias=bias) == expected
    for module in (MultiHeadAttention, nn.MultiheadAttention):
        with torch.device("meta"):
            assert count_parameters(module(d_model, heads, bias=bias)) == expected


@pytest.mark.parametrize("bias", [True, False])
@pytest.mark.parametrize("kv_heads", [1, 2, 8])
def test_shared_heads_are_counted_as_the_layer_has_them(kv_heads: int, bias: bool) -> None:
    layer = MultiHeadAttention(64, 8, kv_heads, bias=bias)
    assert attention_parameters(64, 8, kv_heads, bias=bias) == count_parameters(layer)


def test_keras_key_dim_is_per_head() -> None:
    assert attention_parameters(512, heads=8, d_head=512) == 8_401_408


def test_a_block_is_a_layer_of_gpt2() -> None:
    parts = gpt2_small()
    norms = 2 * 2 * 768
    with torch.device("meta"):
        block = DecoderBlock(768, 12)
    assert count_parameters(block) == (parts["attention"] + parts["MLP"]) // 12 + norms


def test_what_is_frozen_can_be_left_out() -> None:
    layer = MultiHeadAttention(8, 2)
    layer.out.requires_grad_(False)
    assert count_parameters(layer) == 288
    assert count_parameters(layer, trainable_only=True) == 216


@pytest.mark.parametrize("depth", [1, 2, 3, 9])
def test_a_table_adds_up_at_any_depth(depth: int) -> None:
    assert sum(parameter_table(gpt2(), depth).values()) == 124_439_808


def test_a_table_needs_a_depth() -> None:
    with pytest.raises(ValueError, match="at least 1, not 0"):
        parameter_table(nn.Linear(1, 1), depth=0)


@pytest.mark.parametrize(
    ("heads", "kv_heads", "message"),
    [(7, None, "7 heads do not divide 512 features"), (8, 3, "3 key heads do not divide 8 query")],
)
def test_a_formula_refuses_heads_that_do_not_divide(
    heads: int, kv_heads: int | None, message: str
) -> None:
    with pytest.raises(ValueError, match=message):
        attention_parameters(512, heads, kv_heads)
