# ---
# title: On a GPU
# description: Which attention kernel runs where, and what it saves. Time and peak memory of the formula and of the fused kernels, on the devices named.
# hide: [toc]
# ---

# %% [markdown]
# # See what the fused kernels save
#
# The formula writes a table of T × T weights to memory and reads it back. A fused kernel computes
# the same output [in tiles](../long-context.md), and never has the table whole. It does the same
# arithmetic; what it saves is traffic.
# { .lead }
#
# ```figure name="benchmark" title="The formula against the fused kernels." start="recorded"
# Time and peak memory of one call by the number of tokens, as measured on the device that is named below.
# ```
#
# ## Which kernel runs
#
# PyTorch picks one by device, dtype and mask. Ask instead of guessing: this is the answer where this
# page was made.

# %%
import torch
from snippets.companion.device import best_device, best_dtype, fused_kernels

device = best_device()
dtype = best_dtype(device)
print(device, dtype, fused_kernels(device, dtype))

# %% [markdown]
# A kernel can also be forced, which is how the figure above was measured.

# %%
from torch.nn.attention import SDPBackend, sdpa_kernel
from torch.nn.functional import scaled_dot_product_attention

q = k = v = torch.randn(1, 8, 256, 64, device=device, dtype=dtype)  # [B, H, T, D]
with sdpa_kernel(SDPBackend.MATH):
    by_formula = scaled_dot_product_attention(q, k, v)
chosen = scaled_dot_product_attention(q, k, v)
print(
    "the same output:",
    torch.allclose(by_formula, chosen, atol=1e-2 if dtype != torch.float32 else 1e-5),
)

# %% [markdown]
# ## Measure your own device
#
#     python -m snippets.companion.benchmark
#
# takes less than four minutes on a CPU or a GPU, from a checkout of this site, and writes one file
# that names the device, its driver and the versions. Put it into `snippets/companion/results/`, and
# the figure above draws it too.
#
# ## Your turn
#
# Twice as many tokens: how much longer should attention take, and how much more memory should each
# of the two need?
#
# ??? success "Answer"
#     By count, four times as long for both: the arithmetic grows with T². The table of the plain
#     formula also grows fourfold; what a fused kernel needs only about doubles: its output, and a
#     little to work with. (Q, K and V are there before, and the figure does not count them.) Measured
#     times deviate: at small sizes starting the kernel costs more than the sums, and a large table
#     may no longer fit into a cache.
