"""The decoder's block against the NumPy snippet, and by what it must not see."""

import numpy as np
import torch

from snippets import block as numpy_block
from snippets.companion.block import DecoderBlock
from snippets.masks import causal_mask
from tests.companion.layers import as_array, assert_close, words


def test_equals_the_numpy_block(device: torch.device, dtype: torch.dtype) -> None:
    block = DecoderBlock(16, 4, bias=False).to(device, dtype)
    for norm in (block.norm_1, block.norm_2):
        torch.nn.init.normal_(norm.weight)
        torch.nn.init.normal_(norm.bias)
    w = {name: as_array(parameter).T for name, parameter in block.named_parameters()}
    weights = {
        "norm_1": (w["norm_1.weight"], w["norm_1.bias"]),
        "attention": (*np.split(w["attention.qkv.weight"], 3, axis=1), w["attention.out.weight"]),
        "norm_2": (w["norm_2.weight"], w["norm_2.bias"]),
        "mlp": (w["mlp.0.weight"], w["mlp.2.weight"]),
    }
    x = words(device, dtype)
    expected = numpy_block.block(as_array(x), weights, heads=4, mask=causal_mask(4))
    assert_close(block(x).cpu(), torch.from_numpy(expected))


def test_a_token_does_not_see_later_ones(device: torch.device) -> None:
    block = DecoderBlock(16, 4).to(device, torch.float64)
    x = words(device, torch.float64)
    changed = x.clone()
    changed[:, 2] *= -1
    before, after = block(x), block(changed)
    assert torch.equal(before[:, :2], after[:, :2])
    assert ((before[:, 2:] - after[:, 2:]).abs().amax(dim=-1) > 1e-6).all()


def test_padding_before_a_text_changes_no_real_token(device: torch.device) -> None:
    block = DecoderBlock(16, 4).to(device, torch.float64)
    x = words(device, torch.float64)
    real = torch.tensor([False, True, True, True], device=device)
    assert_close(block(x, real)[:, 1:], block(x[:, 1:]))
