# ---
# title: Attention in PyTorch
# description: Multi-head attention as a PyTorch layer on fused kernels, with masks, dropout, grouped queries, RoPE and a KV cache. The same code on a CPU and on a GPU.
# hide: [toc]
# ---

# %% [markdown]
# # Run attention in PyTorch
#
# The NumPy of the pages before says what attention is. To train with it you want the same thing as
# a layer: one that has gradients, runs on a GPU if there is one, and hands the arithmetic to the
# fastest kernel that the device has.
# { .lead }
#
# First the device. Nothing below names one again, so the same lines run on a laptop and on a GPU.

# %%
from snippets.companion.device import best_device, describe

device = best_device()
print(describe(device))

# %% [markdown]
# ## Two sentences, ten tokens, eight heads
#
# 512 features and 8 heads are the sizes of the original Transformer, so a head has 64 features.

# %%
import torch
from snippets.companion.multi_head import MultiHeadAttention

torch.manual_seed(0)
layer = MultiHeadAttention(512, heads=8).to(device)
x = torch.randn(2, 10, 512, device=device)  # [B, T, d_model]
output, weights = layer(x, need_weights=True)

print("output ", tuple(output.shape))
print("weights", tuple(weights.shape))
print(f"parameters {sum(p.numel() for p in layer.parameters()):,}")

# %% [markdown]
# The output has the shape of the input, so layers can be stacked. The weights are 10 × 10 for every
# head of every sentence, because each token attends to each. The parameters are 4 · 512² numbers in
# four matrices, and 4 · 512 in their biases.
#
# This is the whole layer. Q, K and V come out of one matrix product, since one large product is
# faster than three small ones.
#
# ```source snippet="companion.multi_head.MultiHeadAttention"
# ```
#
# The two ways to attend are functions of their own. The first one asks PyTorch for a fused kernel,
# which never holds the table of weights. The second one is the formula, for when you want to see
# that table.
#
# ```source snippet="companion.attention.fused_attention companion.attention.plain_attention"
# ```
#
# ## Who may look at whom
#
# A mask is boolean, and `True` means *may attend*, as everywhere on this site. `causal=True` hides
# the future, `make_padding_mask` hides what stands behind a shorter text, and they go together.

# %%
from snippets.companion.masks import make_padding_mask

lengths = torch.tensor([10, 7], device=device)
mask = make_padding_mask(lengths, keys=10)
_, weights = layer(x, mask, causal=True, need_weights=True)

print("weight of the future ", weights.triu(1).sum().item())
print("weight of the padding", weights[1, :, :, 7:].sum().item())

# %% [markdown]
# ## Write one token at a time
#
# A model that writes keeps the keys and values of what it has read, and computes only the new row.
# Here eight query heads share two heads of keys and values, which makes that cache four times
# smaller, and RoPE tells the positions. Step by step or all at once, the result is the same.

# %%
from snippets.companion.kv_cache import KVCache

layer = MultiHeadAttention(512, heads=8, kv_heads=2, rope_base=10_000.0).to(device).eval()
cache = KVCache()
with torch.no_grad():
    at_once, _ = layer(x, causal=True)
    steps = [layer(x[:, t : t + 1], causal=True, cache=cache)[0] for t in range(10)]

keys, values = cache.kept
print("keys kept", tuple(keys.shape))
print("the same ", torch.allclose(torch.cat(steps, dim=1), at_once, atol=1e-5))

# %% [markdown]
# ## A block that learns
#
# Around it goes what goes around it [in a block of GPT-2](../block.md): norms, an MLP, and two sums.
#
# ```source snippet="companion.block.DecoderBlock"
# ```
#
# The backward pass gives every parameter a gradient; an optimizer would now take a step. `eval()`
# switches dropout off, which this block has on the weights of attention only.

# %%
from snippets.companion.block import DecoderBlock

block = DecoderBlock(512, heads=8, dropout=0.1).to(device)
loss = (block(x)[:, :-1] - x[:, 1:]).square().mean()  # a toy: predict the next vector
loss.backward()
print("without a gradient:", sum(p.grad is None for p in block.parameters()))

block.eval()
with torch.no_grad():
    print("the same twice:", torch.equal(block(x), block(x)))

# %% [markdown]
# ## Your turn
#
# How large is the table of weights of one layer for a sentence of 8,192 tokens, 32 heads and two
# bytes a number? Who needs it?
#
# ??? success "Answer"
#     8,192² · 32 · 2 bytes = 4.3 GB, for one sentence and one layer. Only `need_weights=True` holds
#     it; a fused kernel works through it [tile by tile](../long-context.md).
