"""How many parameters a module has, and in which of its parts. By formula: snippets.parameters."""

from torch import nn

from snippets.parameters import (
    attention_parameters,
    attention_parts,
    bert_base,
    gpt2_small,
    llama_8b,
    llama_layer,
)

__all__ = [
    "attention_parameters",
    "attention_parts",
    "bert_base",
    "count_parameters",
    "gpt2_small",
    "llama_8b",
    "llama_layer",
    "parameter_table",
]


def count_parameters(module: nn.Module, trainable_only: bool = False) -> int:
    """The parameters of a module; one that is used in two places counts once.

    trainable_only: leave out those that are frozen (`requires_grad=False`).

    >>> count_parameters(nn.MultiheadAttention(512, 8))
    1050624
    """
    found = module.parameters()  # each once
    return sum(p.numel() for p in found if p.requires_grad or not trainable_only)


def parameter_table(module: nn.Module, depth: int = 1) -> dict[str, int]:
    """The parameters of a module's parts, by name; they add up to count_parameters(module).

    depth: how far down the names go, from 1. A shared parameter counts where it comes first.
    Raises ValueError for a depth below 1.

    >>> parameter_table(nn.TransformerEncoderLayer(512, 8), depth=1)["self_attn"]
    1050624
    >>> parameter_table(nn.MultiheadAttention(512, 8))
    {'in_proj_weight': 786432, 'in_proj_bias': 1536, 'out_proj': 262656}
    """
    if depth < 1:
        raise ValueError(f"names have a depth of at least 1, not {depth}")
    table: dict[str, int] = {}
    for name, parameter in module.named_parameters():
        part = ".".join(name.split(".")[:depth])
        table[part] = table.get(part, 0) + parameter.numel()
    return table
