"""Where to compute: a GPU if there is one, in numbers that it computes natively."""

import pytest
import torch

from snippets.companion.device import best_device, best_dtype, describe, fused_kernels
from snippets.companion.multi_head import MultiHeadAttention
from tests.companion.layers import on_gpu


def test_a_gpu_is_taken_if_there_is_one(monkeypatch: pytest.MonkeyPatch) -> None:
    assert best_device().type == ("cuda" if on_gpu() else "cpu")
    for available, expected in ((True, "cuda"), (False, "cpu")):
        monkeypatch.setattr(torch.cuda, "is_available", lambda available=available: available)
        assert best_device().type == expected


def test_bfloat16_only_where_it_is_not_emulated(monkeypatch: pytest.MonkeyPatch) -> None:
    for native, expected in ((True, torch.bfloat16), (False, torch.float16)):

        def supported(including_emulation: bool = True, native: bool = native) -> bool:
            return native or including_emulation

        monkeypatch.setattr(torch.cuda, "is_bf16_supported", supported)
        assert best_dtype(torch.device("cuda")) == expected
        assert best_dtype(torch.device("cpu")) == torch.float32


def test_the_layer_runs_where_and_in_what_is_best() -> None:
    device = best_device()
    layer = MultiHeadAttention(64, 2).to(device, best_dtype(device))
    x = torch.zeros(1, 3, 64, device=device, dtype=best_dtype(device))
    assert layer(x, causal=True)[0].device.type == device.type


def test_a_description_names_dtype_and_kernels(device: torch.device) -> None:
    dtype = best_dtype(device)
    kernels = fused_kernels(device, dtype)
    assert kernels
    said = describe(device)
    assert f"in {str(dtype).removeprefix('torch.')}, fused kernels: {', '.join(kernels)}" in said
    assert torch.__version__.split("+")[0] in said
