# ---
# title: The same numbers as NumPy
# description: The PyTorch layer held against the NumPy snippet and against nn.MultiheadAttention, on the three-word example and on large random layers, forward and backward.
# hide: [toc]
# ---

# %% [markdown]
# # Get the same numbers three times
#
# Three pieces of code claim to be multi-head attention: the NumPy of [the page on
# several heads](../multi-head.md), the layer of [the last one](multi-head.py), and PyTorch's own `nn.MultiheadAttention`. If they are
# right, they agree to rounding.
# { .lead }
#
# ## The example you know by hand
#
# *I love AI*, with the matrices [that you have multiplied by hand](../by-hand.md). A linear layer
# of PyTorch keeps its matrix transposed: it computes $x W^T$ where the formula says $x W$.

# %%
import torch
from snippets.companion.attention import plain_attention
from snippets.three_words import W_k, W_q, W_v, X

Q, K, V = (torch.tensor(X @ W) for W in (W_q, W_k, W_v))
output, weights = plain_attention(Q[None, None], K[None, None], V[None, None])  # one text, one head

print(weights[0, 0].numpy().round(2))
print(output[0, 0].numpy().round(2))

# %% [markdown]
# The same shares and the same three vectors as on that page.
#
# ## Eight heads, random numbers
#
# Now 2 sentences of 10 tokens with 512 features. `load_from` copies the weights of PyTorch's layer
# into ours; the NumPy function gets them transposed, without biases.

# %%
import numpy as np
from snippets.companion.multi_head import MultiHeadAttention
from snippets.multi_head import multi_head_attention

torch.manual_seed(0)
theirs = torch.nn.MultiheadAttention(512, 8, bias=False, batch_first=True).double().eval()
ours = MultiHeadAttention(512, heads=8, bias=False).double().eval()
ours.load_from(theirs)

x = torch.randn(2, 10, 512, dtype=torch.float64)
with torch.no_grad():
    output, weights = ours(x, need_weights=True)
    their_output, their_weights = theirs(x, x, x, average_attn_weights=False)
w_q, w_k, w_v = (w.T.numpy() for w in theirs.in_proj_weight.detach().chunk(3))
w_o = theirs.out_proj.weight.detach().T.numpy()
in_numpy, numpy_weights = multi_head_attention(x.numpy(), w_q, w_k, w_v, w_o, heads=8)

pairs = {
    "output of PyTorch's layer": (output, their_output),
    "output of the NumPy page": (output, in_numpy),
    "weights of PyTorch's layer": (weights, their_weights),
    "weights of the NumPy page": (weights, numpy_weights),
}
for name, (a, b) in pairs.items():
    largest = np.abs(np.asarray(a) - np.asarray(b)).max()
    print(f"{name:27} differs by less than 1e-12: {largest < 1e-12}")

# %% [markdown]
# In float64 the largest of all differences is below 10⁻¹²: the order of the additions, nothing
# else. In float32 the tests of this site allow 10⁻⁵. They hold the three together in both precisions,
# with masks, with padding, and with the gradients as well as the output.
#
# ## The same gradients
#
# An output can be right and its gradient wrong: through a stray `detach()`, or a bug in a kernel's own
# backward pass. So compare the gradients too:

# %%
for layer in (ours, theirs):
    layer.zero_grad()
ours(x)[0].square().sum().backward()
theirs(x, x, x)[0].square().sum().backward()

same = torch.allclose(ours.qkv.weight.grad, theirs.in_proj_weight.grad, atol=1e-10)
print("gradients of W_q, W_k, W_v agree:", same)

# %% [markdown]
# ## What to copy from where
#
# | here | PyTorch's layer | the NumPy function |
# | --- | --- | --- |
# | `qkv.weight` | `in_proj_weight` | `w_q`, `w_k`, `w_v`, transposed |
# | `out.weight` | `out_proj.weight` | `w_o`, transposed |
# | `mask`, True = may attend | `attn_mask`, True = hidden | `mask`, True = may attend |
# | weights of every head | their mean, unless told otherwise | weights of every head |
#
# The last two rows are where code that looks right goes wrong. [Page after next](traps.py) shows
# what happens then.
#
# ## Your turn
#
# `Q` and `K` of the three-word example could be swapped, and nothing above would tell. Why?
#
# ??? success "Answer"
#     Its table $QK^T$ happens to be symmetric. The random layer has no such luck: swapped there,
#     every weight changes. One example that works proves little.
