"""Traps of half precision: float16 ends at 65,504; bfloat16 does not, but is coarser.

All figures were computed with PyTorch 2.13.
"""

import torch
from torch import Tensor
from torch.nn.functional import softmax


def scores_overflow() -> tuple[Tensor, Tensor]:
    """Scores may leave float16 before they are scaled: scale the query, not the scores.

    One query of 64 features, two keys, 64 · 40 · 40 = 102,400. Returns the weights [1, 2] of the
    wrong order and of the right one. scaled_dot_product_attention has it right by itself.

    >>> wrong, right = scores_overflow()
    >>> wrong, right
    (tensor([[nan, nan]], dtype=torch.float16), tensor([[1., 0.]], dtype=torch.float16))
    """
    q = torch.full((1, 64), 40.0, dtype=torch.float16)
    k = torch.stack((q[0], q[0] - 1))
    wrong = softmax((q @ k.T) / 8, dim=-1)
    right = softmax((q / 8) @ k.T, dim=-1)
    return wrong, right


def sentinel_refused() -> str:
    """−1e9 is no float16: masked_fill says so.

    Returns the message.

    >>> sentinel_refused()
    'value cannot be converted to type c10::Half without overflow'
    """
    scores = torch.zeros(2, dtype=torch.float16)
    try:
        return str(scores.masked_fill(torch.tensor([True, True]), -1e9))
    except RuntimeError as error:
        return str(error)


def sentinel_becomes_infinite() -> tuple[Tensor, Tensor]:
    """−1e9 that is converted is −∞ in float16: a row that is hidden whole is NaN after all.

    Returns the weights [2] of such a row in float16 and in float32.

    >>> sentinel_becomes_infinite()
    (tensor([nan, nan], dtype=torch.float16), tensor([0.5000, 0.5000]))
    """
    scores = torch.full((2,), -1e9)
    return softmax(scores.half(), dim=-1), softmax(scores, dim=-1)


def sentinel_beaten() -> tuple[Tensor, Tensor]:
    """A sentinel that does fit can be larger than a real score: the hidden key wins.

    The first key is real and has a score of −20,000, the second is hidden. Returns the weights
    [2] with −10,000 for the hidden score, and with −∞.

    >>> sentinel_beaten()
    (tensor([0., 1.], dtype=torch.float16), tensor([1., 0.], dtype=torch.float16))
    """
    scores, hidden = torch.tensor([-2e4, 3.0]).half(), torch.tensor([False, True])
    wrong = softmax(scores.masked_fill(hidden, -1e4), dim=-1)
    right = softmax(scores.masked_fill(hidden, float("-inf")), dim=-1)
    return wrong, right
