"""Where to compute, in which numbers, and by which of the kernels for attention."""

import warnings

import torch
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

FUSED = {
    "flash": SDPBackend.FLASH_ATTENTION,
    "cuDNN": SDPBackend.CUDNN_ATTENTION,
    "memory-efficient": SDPBackend.EFFICIENT_ATTENTION,
}


def best_device() -> torch.device:
    """The GPU, if there is one that CUDA reaches, else the CPU.

    >>> best_device().type in ("cuda", "cpu")
    True
    """
    return torch.device("cuda" if torch.cuda.is_available() else "cpu")


def best_dtype(device: torch.device) -> torch.dtype:
    """bfloat16 on a GPU that computes in it, float16 on an older one, float32 on the CPU.

    >>> best_dtype(torch.device("cpu"))
    torch.float32
    """
    if device.type != "cuda":
        return torch.float32
    native = torch.cuda.is_bf16_supported(including_emulation=False)
    return torch.bfloat16 if native else torch.float16


def fused_kernels(device: torch.device, dtype: torch.dtype) -> list[str]:
    """Which fused kernels scaled_dot_product_attention has there, for heads of 64 features.

    >>> fused_kernels(torch.device("cpu"), torch.float32)
    ['flash']
    """
    x = torch.zeros(1, 1, 16, 64, device=device, dtype=dtype)
    return [name for name, backend in FUSED.items() if runs(backend, x)]


def runs(backend: SDPBackend, x: torch.Tensor) -> bool:
    """Whether a backend takes x as its queries, keys and values [B, H, T, D].

    >>> runs(SDPBackend.MATH, torch.zeros(1, 1, 2, 8))
    True
    """
    with warnings.catch_warnings(), sdpa_kernel(backend):
        warnings.simplefilter("ignore")  # they say why it does not
        try:
            scaled_dot_product_attention(x, x, x)
        except RuntimeError:
            return False
        return True


def describe(device: torch.device) -> str:
    """A sentence that names the device, its dtype and its kernels, to stand beside results.

    >>> describe(torch.device("cpu")).split(",")[0]
    'The CPU in float32'
    """
    where = "The CPU" if device.type == "cpu" else torch.cuda.get_device_name(device)
    dtype = best_dtype(device)
    kernels = ", ".join(fused_kernels(device, dtype)) or "none"
    name = str(dtype).removeprefix("torch.")
    return (
        f"{where} in {name}, fused kernels: {kernels}; PyTorch {torch.__version__.split('+')[0]}."
    )
