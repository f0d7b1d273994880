"""The trace of a cache's bytes, against published figures."""

import json
from typing import Any

import pytest

from site_src.figures.cache_bytes import trace as cache_bytes
from site_src.figures.live import answer, follow

LLAMA: Any = {"layers": 32, "kv_heads": 8, "d_head": 128, "bytes_per_number": 2}


def sizes(**changes: Any) -> dict[str, tuple[float, str]]:
    """Bytes, and how they are written, by number of tokens."""
    model: Any = {**LLAMA, **changes}
    drawn = cache_bytes.trace(model)["matrices"][0]
    numbers = zip(drawn["values"][0], drawn["shown"][0], strict=True)
    return dict(zip(drawn["columns"], numbers, strict=True))


def test_llama_with_and_without_groups() -> None:
    """131,072 bytes a token; at 32,768 tokens 4.29 GB, and 17.18 GB with 32 heads."""
    assert sizes()["1 token"] == (131_072, "131,072 bytes")
    assert sizes()["32,768"] == (4_294_967_296, "4.29 GB")
    assert sizes()["4,096"][1] == "537 MB"
    assert sizes()["131,072"][1] == "17.2 GB"
    assert sizes(kv_heads=32)["32,768"] == (17_179_869_184, "17.2 GB")
    assert sizes(kv_heads=32)["131,072"][1] == "68.7 GB"
    assert sizes(kv_heads=1)["131,072"][1] == "2.15 GB"
    assert sizes(bytes_per_number=1)["32,768"][1] == "2.15 GB"
    assert sizes(layers=1, kv_heads=1, d_head=1, bytes_per_number=1)["1,024"][1] == "2.05 kB"


def test_the_page_answers_for_its_models_and_types() -> None:
    embedded: Any = cache_bytes.embedded()
    assert embedded["Llama-3.1-8B, 16 bits"] == LLAMA
    assert embedded["with 32 KV heads, 8 bits"] == {
        **LLAMA,
        "kv_heads": 32,
        "bytes_per_number": 1,
    }
    assert len(embedded) == 9


def test_it_says_how_the_bytes_come_about() -> None:
    drawn = cache_bytes.trace(LLAMA)
    assert drawn["picture"] == (
        "2 (K and V) · 32 layers · 8 KV heads · 128 numbers · 2 bytes = 131,072 bytes a token. "
        "8,192 tokens: 1.07 GB."
    )
    small: Any = {**LLAMA, "kv_heads": 1, "bytes_per_number": 1}
    one = cache_bytes.trace(small)
    assert "1 KV head · 128 numbers · 1 byte = 8,192 bytes" in one["a_token"]


@pytest.mark.parametrize("name", LLAMA)
@pytest.mark.parametrize("odd", [0, -1, 1.5, 1e9, None, "8", [8]])
def test_odd_models_get_a_sentence(name: str, odd: Any) -> None:
    told = answer("cache_bytes", json.dumps({**LLAMA, name: odd}))
    assert f"{name} must be a whole number from 1 to 100,000." in told


def test_it_follows_the_readers_variables() -> None:
    own = {**LLAMA, "kv_heads": 4}
    told = follow("cache_bytes", json.dumps(LLAMA), " ".join(LLAMA), "kv_heads = 4", own)
    assert json.loads(told)["trace"]["inputs"] == own
