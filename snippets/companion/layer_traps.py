"""Traps of PyTorch's layer and its functions: axes, weights, kernels and dropout.

All figures were computed with PyTorch 2.13.
"""

import torch
from torch import Tensor, nn
from torch.nn.functional import scaled_dot_product_attention


def first_axis() -> tuple[bool, bool]:
    """Without batch_first=True the first axis is taken for the tokens: texts mix.

    Two texts of three tokens; the second one is changed. Returns whether that changed the first
    text's output, without batch_first and with it.

    >>> first_axis()
    (True, False)
    """
    x = torch.eye(6, 4).view(2, 3, 4)  # [B, T, D]
    changed = torch.stack((x[0], -x[1]))

    def mixes(layer: nn.MultiheadAttention) -> bool:
        before, after = (layer(y, y, y)[0][0] for y in (x, changed))
        return not torch.equal(before, after)

    return mixes(nn.MultiheadAttention(4, 2)), mixes(nn.MultiheadAttention(4, 2, batch_first=True))


def averaged_weights() -> tuple[torch.Size, torch.Size]:
    """The weights that come back are the mean over heads, unless told otherwise.

    Returns the shapes of both for 2 texts of 10 tokens and 8 heads.

    >>> averaged_weights()
    (torch.Size([2, 10, 10]), torch.Size([2, 8, 10, 10]))
    """
    layer = nn.MultiheadAttention(512, 8, batch_first=True)
    x = torch.zeros(2, 10, 512)
    _, mean = layer(x, x, x)
    _, each = layer(x, x, x, average_attn_weights=False)
    return mean.shape, each.shape


def holds_a_table(output: Tensor) -> bool:
    """Whether a softmax of its own was computed on the way to an output that requires gradients.

    If so a table of weights [B, H, T, T] was in memory; the fused kernels never have it whole.

    >>> x = torch.ones(3, requires_grad=True)
    >>> holds_a_table(2 * x.softmax(dim=0)), holds_a_table(2 * x)
    (True, False)
    """
    steps = [output.grad_fn]
    for step in steps:  # grows while it is read
        if step is not None:
            steps += [before for before, _ in step.next_functions]
    return any(step is not None and "SoftmaxBackward" in step.name() for step in steps)


def needless_weights() -> tuple[bool, bool]:
    """nn.MultiheadAttention returns weights by default, and then no fused kernel can be used.

    Returns whether a table of weights was held: by default, and with need_weights=False.

    >>> needless_weights()
    (True, False)
    """
    layer = nn.MultiheadAttention(64, 8, batch_first=True)
    x = torch.zeros(2, 10, 64)
    default, _ = layer(x, x, x)
    without, _ = layer(x, x, x, need_weights=False)
    return holds_a_table(default), holds_a_table(without)


def dropout_in_eval() -> tuple[set[float], set[float]]:
    """scaled_dot_product_attention drops whatever dropout_p says: it does not know of eval().

    100 texts of one token, whose output would be 1. Returns the outputs that occur in evaluation,
    if dropout_p is given as it is, and if it is 0 unless training.

    >>> wrong, right = dropout_in_eval()
    >>> sorted(wrong), right
    ([0.0, 2.0], {1.0})
    """
    ones, training = torch.ones(100, 1, 1), False
    wrong = scaled_dot_product_attention(ones, ones, ones, dropout_p=0.5)
    right = scaled_dot_product_attention(ones, ones, ones, dropout_p=0.5 if training else 0.0)
    return set(wrong.flatten().tolist()), set(right.flatten().tolist())


def dropped_weights() -> tuple[set[float], set[float]]:
    """nn.MultiheadAttention's weights in training are those after dropout: rows do not add up to 1.

    100 texts of one token, whose only weight is 1. Returns the weights that occur, in training and
    in eval().

    >>> training, evaluating = dropped_weights()
    >>> sorted(training), evaluating
    ([0.0, 2.0], {1.0})
    """
    layer = nn.MultiheadAttention(2, 1, dropout=0.5, batch_first=True)
    x = torch.ones(100, 1, 2)
    _, training = layer(x, x, x)
    _, evaluating = layer.eval()(x, x, x)
    return set(training.flatten().tolist()), set(evaluating.flatten().tolist())
