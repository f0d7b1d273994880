"""How many parameters attention has, and the models around it, by formula.

Every function returns the parts by name, or their sum. Sources: Vaswani et al., "Attention Is All
You Need" (2017), for attention; Ainslie et al., "GQA" (2023), for shared keys and values; Devlin
et al., "BERT" (2018); Radford et al., "Language Models are Unsupervised Multitask Learners" (2019),
for GPT-2; Grattafiori et al., "The Llama 3 Herd of Models" (2024).
"""


def linear(inputs: int, outputs: int, bias: bool = True) -> int:
    """The parameters of one linear layer: a matrix, and a bias for each output.

    >>> linear(512, 512)
    262656
    """
    return inputs * outputs + (outputs if bias else 0)


def attention_parts(
    d_model: int,
    heads: int,
    kv_heads: int | None = None,
    d_head: int | None = None,
    bias: bool = True,
) -> dict[str, int]:
    """The parameters of a layer of multi-head attention: its four matrices, by name.

    kv_heads: heads of keys and values, as many as `heads` unless fewer are shared (grouped
    queries); d_head: features of one head, d_model / heads unless given.
    Raises ValueError, naming the numbers, if they do not divide.

    >>> attention_parts(768, heads=12)
    {'query': 590592, 'key': 590592, 'value': 590592, 'output': 590592}
    >>> attention_parts(4096, heads=32, kv_heads=8, bias=False)
    {'query': 16777216, 'key': 4194304, 'value': 4194304, 'output': 16777216}
    """
    kv_heads = heads if kv_heads is None else kv_heads
    if heads < 1 or (d_head is None and d_model % heads):
        raise ValueError(f"{heads} heads do not divide {d_model} features")
    if kv_heads < 1 or heads % kv_heads:
        raise ValueError(f"{kv_heads} key heads do not divide {heads} query heads")
    d_head = d_model // heads if d_head is None else d_head
    return {
        "query": linear(d_model, heads * d_head, bias),
        "key": linear(d_model, kv_heads * d_head, bias),
        "value": linear(d_model, kv_heads * d_head, bias),
        "output": linear(heads * d_head, d_model, bias),
    }


def attention_parameters(
    d_model: int,
    heads: int,
    kv_heads: int | None = None,
    d_head: int | None = None,
    bias: bool = True,
) -> int:
    """The parameters of a layer of multi-head attention, all together.

    The arguments are those of attention_parts. The number of heads alone changes nothing: the
    same matrices are cut into more pieces. Keras asks for the features of one head instead
    (`key_dim`): whoever gives it d_model has matrices that are `heads` times as large.

    >>> attention_parameters(512, heads=8), attention_parameters(512, heads=64)
    (1050624, 1050624)
    >>> attention_parameters(512, heads=8, bias=False)
    1048576
    >>> attention_parameters(512, heads=8, d_head=512)  # Keras with key_dim=512
    8401408
    """
    return sum(attention_parts(d_model, heads, kv_heads, d_head, bias).values())


def bert_base() -> dict[str, int]:
    """BERT-base, uncased, with its pooler: 12 layers of 768 features, 109,482,240 in all.

    >>> bert_base()["attention"] // 12
    2362368
    >>> sum(bert_base().values())
    109482240
    """
    d, layers, words, positions, kinds = 768, 12, 30_522, 512, 2
    norm = 2 * d  # gain and bias
    return {
        "embeddings": (words + positions + kinds) * d,
        "attention": layers * attention_parameters(d, heads=12),
        "MLP": layers * (linear(d, 4 * d) + linear(4 * d, d)),
        "norms": (1 + 2 * layers) * norm,  # the first one after the embeddings
        "pooler": linear(d, d),
    }


def gpt2_small() -> dict[str, int]:
    """GPT-2 small: 12 layers of 768 features, 124,439,808 in all.

    Its head, which turns features into scores of words, is the table of words once more (tied).

    >>> gpt2_small()["attention"]
    28348416
    >>> sum(gpt2_small().values())
    124439808
    """
    d, layers, words, positions = 768, 12, 50_257, 1024
    norm = 2 * d  # gain and bias
    return {
        "embeddings": (words + positions) * d,
        "attention": layers * attention_parameters(d, heads=12),
        "MLP": layers * (linear(d, 4 * d) + linear(4 * d, d)),
        "norms": (2 * layers + 1) * norm,  # the last one before the head
    }


def llama_layer(
    d_model: int = 4096, heads: int = 32, kv_heads: int = 8, d_ff: int = 14_336
) -> dict[str, int]:
    """One layer as in Llama, without biases; as in Llama-3.1-8B unless told otherwise.

    The MLP has three matrices, two into d_ff features and one back (SwiGLU); a norm has a gain
    and no bias (RMSNorm).

    >>> llama_layer()
    {'attention': 41943040, 'MLP': 176160768, 'norms': 8192}
    >>> llama_layer(kv_heads=32)["attention"]  # were nothing shared
    67108864
    """
    return {
        "attention": attention_parameters(d_model, heads, kv_heads, bias=False),
        "MLP": 3 * linear(d_model, d_ff, bias=False),
        "norms": 2 * d_model,
    }


def llama_8b() -> dict[str, int]:
    """Llama-3.1-8B: 32 layers of 4096 features, 8,030,261,248 in all; its head is not tied.

    >>> llama_8b()["attention"]
    1342177280
    >>> sum(llama_8b().values())
    8030261248
    """
    d, layers, words = 4096, 32, 128_256
    layer = llama_layer(d)
    return {
        "embeddings": words * d,
        "attention": layers * layer["attention"],
        "MLP": layers * layer["MLP"],
        "norms": layers * layer["norms"] + d,  # the last one before the head
        "head": linear(d, words, bias=False),
    }
