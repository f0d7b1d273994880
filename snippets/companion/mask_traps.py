"""Traps of PyTorch's masks: each function makes one call that is wrong, and the one that is right.

All figures were computed with PyTorch 2.13. `words`: two tokens that tell at once whose value was
taken; queries and keys are 0, so that what is not hidden shares equally.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention, softmax

words = torch.tensor([[[1.0, 0.0], [0.0, 1.0]]])  # [B, T, D]
zero = torch.zeros(1, 2, 2)
causal = torch.tensor([[True, False], [True, True]])


def value_layer() -> nn.MultiheadAttention:
    """PyTorch's layer, one head, whose queries and keys are 0 and whose values are its input.

    >>> value_layer()(words, words, words)[0].detach()
    tensor([[[0.5000, 0.5000],
             [0.5000, 0.5000]]])
    """
    layer = nn.MultiheadAttention(2, 1, bias=False, batch_first=True)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.cat((torch.zeros(4, 2), torch.eye(2))))
        layer.out_proj.weight.copy_(torch.eye(2))
    return layer


def polarity() -> tuple[Tensor, Tensor, Tensor]:
    """True = may attend for scaled_dot_product_attention, True = hidden for nn.MultiheadAttention.

    Returns the outputs [B, T, D] of the first, of the second with the same mask, and turned round.

    >>> right, wrong, turned = polarity()
    >>> right
    tensor([[[1.0000, 0.0000],
             [0.5000, 0.5000]]])
    >>> wrong
    tensor([[[0., 1.],
             [nan, nan]]])
    >>> torch.equal(turned, right)
    True
    """
    layer = value_layer()
    with torch.no_grad():
        right = scaled_dot_product_attention(zero, zero, words, attn_mask=causal)
        wrong, _ = layer(words, words, words, attn_mask=causal)
        turned, _ = layer(words, words, words, attn_mask=~causal)
    return right, wrong, turned


def float_mask() -> tuple[Tensor, Tensor]:
    """A mask of 0.0 and 1.0 is added to the scores: nothing is hidden, the future leaks.

    Returns the output [B, T, D] of the wrong mask and of the right one.

    >>> wrong, right = float_mask()
    >>> wrong[0, 0]  # the first token takes 27 % from the second
    tensor([0.7311, 0.2689])
    >>> right[0, 0]
    tensor([1., 0.])
    """
    wrong = scaled_dot_product_attention(zero, zero, words, attn_mask=causal.float())
    right = scaled_dot_product_attention(zero, zero, words, attn_mask=causal)
    return wrong, right


def float_padding() -> tuple[Tensor, Tensor]:
    """nn.MultiheadAttention adds a float key_padding_mask too (PyTorch issue 141018).

    Returns the weights [B, T, T] without a mask and with key_padding_mask [1.0, 2.0].

    >>> without, added = float_padding()
    >>> print(without.numpy().round(4))
    [[[0.107  0.893 ]
      [0.1956 0.8044]]]
    >>> print(added.numpy().round(4))
    [[[0.0422 0.9578]
      [0.0821 0.9179]]]
    """
    x = torch.tensor([[[1.0, 1.0], [2.0, 0.0]]])
    weights = [[1.0, 2.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0], [2.0, 1.0], [2.0, 0.0]]  # q, k, v
    layer = nn.MultiheadAttention(2, 1, bias=False, batch_first=True)
    with torch.no_grad():
        layer.in_proj_weight.copy_(torch.tensor(weights))
        _, without = layer(x, x, x)
        _, added = layer(x, x, x, key_padding_mask=torch.tensor([[1.0, 2.0]]))
    return without, added


def empty_row() -> dict[str, Tensor]:
    """A token that may attend to nothing: five ways, four answers. 0 is the one to want.

    Returns its weights or its output, [2], by the way that it was computed; the real scores
    of the two keys are 1 and 2.

    >>> for way, answer in empty_row().items():
    ...     print(f"{way:32} {answer.numpy().round(2)}")
    −∞, then softmax                 [nan nan]
    −1e9 in place of the scores      [0.5 0.5]
    −1e9 added to them, in float64   [0.27 0.73]
    nn.MultiheadAttention            [nan nan]
    scaled_dot_product_attention     [0. 0.]
    """
    scores = torch.tensor([1.0, 2.0], dtype=torch.float64)
    nothing = torch.tensor([[False, False], [True, True]])
    with torch.no_grad():
        theirs, _ = value_layer()(words, words, words, attn_mask=~nothing)
    fused = scaled_dot_product_attention(zero, zero, words, attn_mask=nothing)
    return {
        "−∞, then softmax": softmax(torch.full((2,), float("-inf")), dim=-1),
        "−1e9 in place of the scores": softmax(torch.full_like(scores, -1e9), dim=-1),
        "−1e9 added to them, in float64": softmax(scores - 1e9, dim=-1),
        "nn.MultiheadAttention": theirs[0, 0],
        "scaled_dot_product_attention": fused[0, 0],
    }


def empty_row_of_the_layer() -> dict[str, Tensor]:
    """nn.MultiheadAttention answers such a token in two ways, as the path that it takes has it.

    Returns the output [4] of a text that is padding only, by the path; biases are 0.

    >>> for path, answer in empty_row_of_the_layer().items():
    ...     print(f"{path:20} {answer.numpy()}")
    with weights         [nan nan nan nan]
    need_weights=False   [0. 0. 0. 0.]
    eval() and no_grad() [nan nan nan nan]
    """
    layer = nn.MultiheadAttention(4, 2, batch_first=True)
    x, padding = torch.ones(1, 3, 4), torch.ones(1, 3, dtype=torch.bool)
    answers = {
        "with weights": layer(x, x, x, key_padding_mask=padding)[0],
        "need_weights=False": layer(x, x, x, key_padding_mask=padding, need_weights=False)[0],
    }
    layer.eval()
    with torch.no_grad():
        fast, _ = layer(x, x, x, key_padding_mask=padding, need_weights=False)
    answers["eval() and no_grad()"] = fast
    return {path: output[0, 0].detach() for path, output in answers.items()}


def causal_corner() -> tuple[Tensor, Tensor]:
    """`is_causal` with fewer queries than keys counts from the first key, not from the last.

    Two new tokens after two that a cache holds; values are 1, 2, 3, 4.
    Returns the outputs [2] of the wrong call and of the right one.

    >>> causal_corner()
    (tensor([1.0000, 1.5000]), tensor([2.0000, 2.5000]))
    """
    q, k, v = torch.zeros(1, 2, 1), torch.zeros(1, 4, 1), torch.arange(1.0, 5.0).view(1, 4, 1)
    wrong = scaled_dot_product_attention(q, k, v, is_causal=True)
    to_the_end = torch.ones(2, 4, dtype=torch.bool).tril(4 - 2)
    right = scaled_dot_product_attention(q, k, v, attn_mask=to_the_end)
    return wrong.flatten(), right.flatten()
