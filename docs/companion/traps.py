# ---
# title: The traps
# description: Mask polarity, masks that are added, batch_first, averaged weights, hidden rows, half precision and dropout. Each wrong result beside the right one.
# hide: [toc]
# ---

# %% [markdown]
# # Mind the traps of the API
#
# All but one of these go wrong without an error. Each function below makes the wrong call and the
# right one; what they print was printed by them.
# { .lead }
#
# `words` are two tokens, [1, 0] and [0, 1], so an output tells at once whose value was taken. `zero`
# are queries and keys of 0, so what is not hidden shares equally; `causal` is [[True, False], [True,
# True]]. `value_layer()` is an `nn.MultiheadAttention` that does the same: one head, values passed on.
#
# ## True means opposite things
#
# In `scaled_dot_product_attention` a mask's `True` means *may attend*. In `nn.MultiheadAttention`
# it means *hidden*.
#
# ```source snippet="companion.mask_traps.polarity"
# ```

# %%
from snippets.companion.mask_traps import polarity

right, wrong, turned = polarity()
print("scaled_dot_product_attention, mask:\n", right[0].numpy())
print("nn.MultiheadAttention, mask:\n", wrong[0].numpy())
print("nn.MultiheadAttention, ~mask:\n", turned[0].numpy())

# %% [markdown]
# ## A mask of zeros and ones is added
#
# If the mask is float, it is added to the scores. A one among zeros raises a score a little; nothing
# is hidden, and the future leaks.
#
# ```source snippet="companion.mask_traps.float_mask"
# ```

# %%
from snippets.companion.mask_traps import float_mask

wrong, right = float_mask()
print("first token, float mask:  ", wrong[0, 0].numpy().round(2))
print("first token, boolean mask:", right[0, 0].numpy())

# %% [markdown]
# ## `is_causal` counts from the first key
#
# Two new tokens after two that a cache holds: each should see the cache. `is_causal` aligns the mask
# to the other corner. Values are 1, 2, 3, 4, so the right means are 2 and 2.5.
#
# ```source snippet="companion.mask_traps.causal_corner"
# ```

# %%
from snippets.companion.mask_traps import causal_corner

wrong, right = causal_corner()
print("is_causal=True:     ", wrong.numpy())
print("aligned to the end: ", right.numpy())

# %% [markdown]
# ## A row with nothing to see
#
# A text that is all padding, or a first token that may not see itself. Five ways to compute it give
# four answers. Zero is the one to want: there was nothing to read.
#
# ```source snippet="companion.mask_traps.empty_row"
# ```

# %%
from snippets.companion.mask_traps import empty_row

for way, answer in empty_row().items():
    print(f"{way:32} {answer.numpy().round(2)}")

# %% [markdown]
# ## The first axis is not the batch
#
# Without `batch_first=True` the first axis is taken for tokens. The shapes fit anyway, and the texts
# of a batch read one another.
#
# ```source snippet="companion.layer_traps.first_axis"
# ```

# %%
from snippets.companion.layer_traps import first_axis

without, with_it = first_axis()
print("changing text 2 changes text 1, without batch_first:", without)
print("                                   with batch_first:", with_it)

# %% [markdown]
# ## The weights you get are an average, and they cost you the kernel
#
# By default the layer returns the mean over heads. To return any at all, it has to hold the table of
# weights, so no fused kernel runs.

# %%
from snippets.companion.layer_traps import averaged_weights, needless_weights

mean, each = averaged_weights()
print("by default:                ", tuple(mean))
print("average_attn_weights=False:", tuple(each))

default, without = needless_weights()
print("a table in memory: by default", default, "· with need_weights=False", without)

# %% [markdown]
# ## Half precision ends at 65,504
#
# float16 overflows in the scores of long vectors, before the division by √d_k. Divide the query
# first; the fused kernels do. A large negative number in place of −∞ does not fit, or is beaten by a
# score that is real.
#
# ```source snippet="companion.half_precision_traps.scores_overflow"
# ```

# %%
from snippets.companion.half_precision_traps import scores_overflow, sentinel_beaten
from snippets.companion.half_precision_traps import sentinel_refused

wrong, right = scores_overflow()
print("scores, then ÷ 8:", wrong.numpy(), "· q ÷ 8, then scores:", right.numpy())
print("−1e9:", sentinel_refused())
wrong, right = sentinel_beaten()
print("−1e4, a real score of −2e4:", wrong.numpy(), "· −∞:", right.numpy())

# %% [markdown]
# ## Dropout goes on in evaluation
#
# A function knows nothing of `eval()`. It drops whatever `dropout_p` says. In training, a weight that
# survives is scaled up, so it can be above 1.
#
# ```source snippet="companion.layer_traps.dropout_in_eval"
# ```

# %%
from snippets.companion.layer_traps import dropout_in_eval, dropped_weights

wrong, right = dropout_in_eval()
print(
    "outputs that should be 1: dropout_p=0.5", sorted(wrong), "· 0 unless training", sorted(right)
)
training, evaluating = dropped_weights()
print("weights that should be 1, in training:", sorted(training), "in eval():", sorted(evaluating))

# %% [markdown]
# [The layer of this site](multi-head.py) takes boolean masks only, aligns them to the end, gives 0
# for a row with nothing to see, scales first, and drops nothing in evaluation.
#
# ## Your turn
#
# `key_padding_mask=torch.tensor([[1.0, 2.0]])` was meant to hide the second token. What does it do?
#
# ??? success "Answer"
#     It is float, so it is added: 1 to all scores of the first token, 2 to those of the second,
#     which is thereby read *more*. `torch.tensor([[False, True]])` hides it.
