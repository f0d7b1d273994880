"""How many bytes a model's KV cache takes, for texts of any length."""

from typing import Any, TypedDict

import numpy as np

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import matrix
from snippets.cost import kv_cache_bytes

LENGTHS = [2**n for n in range(10, 21)]  # tokens: 1,024 to 1,048,576
START = 8192  # tokens at first
UNITS = {1e12: "TB", 1e9: "GB", 1e6: "MB", 1e3: "kB"}
LARGEST = 100_000  # layers, heads or numbers that a model may have


class Shape(TypedDict):
    """What a model's cache has room for, at each token."""

    layers: int
    kv_heads: int
    d_head: int


class Inputs(Shape):
    """The shape of a model, and the size of its numbers."""

    bytes_per_number: int


MODELS: dict[str, Shape] = {
    "Llama-3.1-8B": {"layers": 32, "kv_heads": 8, "d_head": 128},
    "with 32 KV heads": {"layers": 32, "kv_heads": 32, "d_head": 128},
    "with 1 KV head": {"layers": 32, "kv_heads": 1, "d_head": 128},
}
TYPES = {"32 bits": 4, "16 bits": 2, "8 bits": 1}


STEPS = [
    Step(
        key="bytes",
        title="Size of the cache",
        says="Of one text. kB, MB, GB and TB are powers of a thousand.",
        takes=[],
        makes=["bytes"],
    )
]


def embedded() -> dict[str, Inputs]:
    """A model with three kinds of heads, in three types of numbers."""
    return {
        f"{name}, {kind}": Inputs(**model, bytes_per_number=size)
        for name, model in MODELS.items()
        for kind, size in TYPES.items()
    }


def trace(inputs: Inputs) -> dict[str, Any]:
    """The bytes for each length. Raises ValueError for what no model has."""
    model = Inputs(
        layers=whole(inputs, "layers"),
        kv_heads=whole(inputs, "kv_heads"),
        d_head=whole(inputs, "d_head"),
        bytes_per_number=whole(inputs, "bytes_per_number"),
    )
    sizes = [kv_cache_bytes(**model, tokens=tokens) for tokens in [1, *LENGTHS]]
    columns = ["1 token", *[f"{tokens:,}" for tokens in LENGTHS]]
    drawn = matrix("bytes", "by tokens", np.array([sizes], dtype=float), ["cache"], columns)
    drawn["shown"] = [[f"{sizes[0]:,} bytes", *[written(size) for size in sizes[1:]]]]
    at_start = drawn["shown"][0][1 + LENGTHS.index(START)]
    return {
        "inputs": model,
        "matrices": [drawn],
        "steps": STEPS,
        "picture": f"{a_token(model, sizes[0])} {START:,} tokens: {at_start}.",
        "a_token": a_token(model, sizes[0]),
        "lengths": LENGTHS,
        "code": "".join(f"{name} = {value}\n" for name, value in model.items()),
    }


def whole(inputs: Any, name: str) -> int:
    """A whole number of the inputs. Raises ValueError, in a sentence, if it is none."""
    value = inputs.get(name)
    if not isinstance(value, int | float) or value != int(value) or not 1 <= value <= LARGEST:
        raise ValueError(f"{name} must be a whole number from 1 to {LARGEST:,}.")
    return int(value)


def a_token(model: Inputs, size: int) -> str:
    """How the bytes of one token come about."""
    return (
        f"2 (K and V) · {model['layers']} layers · {model['kv_heads']} KV "
        f"{'head' if model['kv_heads'] == 1 else 'heads'} · {model['d_head']} numbers · "
        f"{model['bytes_per_number']} {'byte' if model['bytes_per_number'] == 1 else 'bytes'} "
        f"= {size:,} bytes a token."
    )


def written(size: int) -> str:
    """Bytes with three digits that count.

    >>> written(4_294_967_296), written(134_217_728), written(68_719_476_736)
    ('4.29 GB', '134 MB', '68.7 GB')
    """
    for unit, name in UNITS.items():
        if size >= unit:
            value = size / unit
            return f"{value:.{max(0, 3 - len(str(int(value))))}f} {name}"
    return f"{size} bytes"
