"""The forms of attention that the benchmark compares, and which of them PyTorch chooses itself."""

import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from torch import Tensor
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention
from torch.profiler import ProfilerActivity, profile

from snippets.companion.device import FUSED

Attention = Callable[[Tensor, Tensor, Tensor], Tensor]

# By name, the backend of scaled_dot_product_attention; none for the formula written out.
FORMS: dict[str, SDPBackend | None] = {"naive": None, "math": SDPBackend.MATH, **FUSED}
OPERATOR = "aten::_scaled_dot_product_"
OPERATORS = {
    "attention_math": "math",
    "flash_attention": "flash",
    "flash_attention_for_cpu": "flash",
    "efficient_attention": "memory-efficient",
    "cudnn_attention": "cuDNN",
}


def naive_attention(q: Tensor, k: Tensor, v: Tensor) -> Tensor:
    """softmax(q kᵀ / √D) v as the formula stands, with the whole table of T × T weights.

    q, k, v: [B, H, T, D]. Returns [B, H, T, D].

    >>> import torch
    >>> v = torch.tensor([[[[1.0], [2.0], [3.0]]]])
    >>> naive_attention(torch.zeros(1, 1, 3, 1), torch.zeros(1, 1, 3, 1), v).flatten()
    tensor([2., 2., 2.])
    """
    scores = q @ k.transpose(-1, -2) / q.shape[-1] ** 0.5
    output: Tensor = scores.softmax(dim=-1) @ v
    return output


@contextmanager
def forced(form: str) -> Iterator[Attention]:
    """Attention in one of the FORMS; inside the block PyTorch may use no other backend.

    >>> import torch
    >>> x = torch.ones(1, 1, 2, 8)
    >>> with forced("math") as attention:
    ...     bool((attention(x, x, x) == x).all())
    True
    """
    backend = FORMS[form]
    if backend is None:
        yield naive_attention
    else:
        with sdpa_kernel(backend):
            yield scaled_dot_product_attention


def refusal(form: str, q: Tensor, k: Tensor, v: Tensor) -> str:
    """Why a form does not take q, k, v [B, H, T, D], in PyTorch's words; "" if it does.

    >>> import torch
    >>> x = torch.ones(1, 1, 2, 8)
    >>> refusal("math", x, x, x), refusal("cuDNN", x, x, x)
    ('', 'No viable backend for scaled_dot_product_attention was found')
    """
    with warnings.catch_warnings(record=True) as said, forced(form) as attention:
        warnings.simplefilter("always")
        try:
            attention(q, k, v)
        except RuntimeError as error:
            return reason([str(one.message) for one in said]) or str(error).partition(".")[0]
    return ""


def reason(said: list[str]) -> str:
    """What PyTorch's warnings say of the one backend that was not switched off.

    >>> reason([
    ...     "Memory efficient kernel not used because: (Triggered internally at a.cpp:1.)",
    ...     "Memory Efficient attention has been runtime disabled. (Triggered internally at b:2.)",
    ...     "Flash attention kernel not used because: (Triggered internally at a.cpp:3.)",
    ...     "Flash attention needs a newer GPU. (Triggered internally at a.cpp:4.)",
    ... ])
    'Flash attention needs a newer GPU'
    """
    told = [one.partition("(Triggered")[0].strip().rstrip(".") for one in said]
    no_reasons = ("not used because:", "runtime disabled")
    return "; ".join(one for one in told if not one.endswith(no_reasons))


def chosen_form(q: Tensor, k: Tensor, v: Tensor) -> str:
    """Which of the FORMS scaled_dot_product_attention runs when nothing is forced.

    q, k, v: [B, H, T, D]. It is seen by the profiler, as the operator that is called inside.

    >>> import torch
    >>> x = torch.ones(1, 1, 2, 8)
    >>> chosen_form(x, x, x)
    'flash'
    """
    with profile(activities=[ProfilerActivity.CPU]) as watch:  # operators start there, always
        scaled_dot_product_attention(q, k, v)
    called = [event.key.removeprefix(OPERATOR) for event in watch.key_averages()]
    return next(OPERATORS[name] for name in called if name in OPERATORS)
