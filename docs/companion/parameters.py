# ---
# title: Count the parameters
# description: How many parameters a layer of attention has, by formula and by counting a real module, for the original Transformer, BERT-base, GPT-2 small and Llama 3.1.
# hide: [toc]
# ---

# %% [markdown]
# # Count the parameters
#
# A layer of attention has four matrices. Everything about its size follows from that, and it can be
# checked against real models, to the last parameter.
# { .lead }
#
# ## One layer
#
# Each of W_q, W_k, W_v and W_o turns 512 features into 512, with a bias for each. The formula and
# the module agree. The heads do not occur in it: they cut the same matrices into more pieces.

# %%
from snippets.companion.count import attention_parameters, count_parameters
from snippets.companion.multi_head import MultiHeadAttention

print(f"by formula: {attention_parameters(512, heads=8):,}")
print(f"by module:  {count_parameters(MultiHeadAttention(512, heads=8)):,}")
print(f"64 heads:   {count_parameters(MultiHeadAttention(512, heads=64)):,}")
print(f"no biases:  {count_parameters(MultiHeadAttention(512, heads=8, bias=False)):,}")

# %% [markdown]
# ## Move the numbers
#
# ```figure name="parameters" title="Where the parameters are." start="Transformer, one layer"
# Move the heads: the count stays. Move the KV heads: it changes. The MLP holds two thirds of a layer, or more.
# ```
#
# ## Where a layer keeps them
#
# `parameter_table` counts a real module by its parts. In a block of GPT-2 small, attention has a
# third of the parameters, the MLP two thirds, and the norms next to nothing.

# %%
from snippets.companion.block import DecoderBlock
from snippets.companion.count import parameter_table

block = DecoderBlock(768, heads=12)
for part, number in parameter_table(block).items():
    print(f"{part:10} {number:>10,}  {number / count_parameters(block):5.1%}")

# %% [markdown]
# ## Whole models
#
# The same formula with the sizes of three models that everybody knows. The totals are those of the
# published weights.

# %%
from snippets.companion.count import bert_base, gpt2_small, llama_8b

for name, parts in [
    ("BERT-base", bert_base()),
    ("GPT-2 small", gpt2_small()),
    ("Llama 3.1 8B", llama_8b()),
]:
    total = sum(parts.values())
    print(
        f"{name:13} {total:>14,}   attention {parts['attention']:>14,} {parts['attention'] / total:6.1%}"
    )

# %% [markdown]
# In GPT-2 small the table of words is larger than all attention. In Llama the four matrices would
# have 67,108,864 numbers a layer; sharing each head of keys and values among four heads of queries
# leaves 41,943,040.
#
# ## Your turn
#
# Keras asks for `key_dim`, the features of *one head*. What does a layer with 8 heads and
# `key_dim=512` have, if you meant 512 in all?
#
# ??? success "Answer"
#     8,401,408 parameters instead of 1,050,624: the matrices lead to 8 · 512 = 4,096 features. The
#     code runs, only slower. `key_dim=64` is what was meant.
