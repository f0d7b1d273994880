"""What attention costs: multiply-adds, and bytes of its tables and caches.

Exact for the matrix products, which are nearly all of it; n tokens of d numbers each.
Source of the comparison: Vaswani et al., "Attention Is All You Need" (2017), table 1.
"""


def attention_multiply_adds(n, d, keys=None):
    """4nd² for queries, keys, values and output, 2nd for each key that a token meets.

    Each token meets all n keys, unless `keys` says how many: a window's, or, for the one new
    token of a text whose keys are cached, n = 1, those of the whole text. Heads change nothing.

    >>> attention_multiply_adds(1_000, 512)
    2072576000
    >>> attention_multiply_adds(1_000, 512, keys=100)  # a window of 100
    1150976000
    >>> attention_multiply_adds(1, 512, keys=1_000)  # one more token, with a cache
    2072576
    """
    return 4 * n * d**2 + 2 * n * (n if keys is None else keys) * d


def rnn_multiply_adds(n, d):
    """2nd²: at each step one d × d matrix for the word and one for the state.

    >>> rnn_multiply_adds(1_000, 512)
    524288000
    """
    return 2 * n * d**2


def lstm_multiply_adds(n, d):
    """8nd²: three gates and a candidate do the work of four plain RNNs.

    >>> lstm_multiply_adds(1_024, 512) == attention_multiply_adds(1_024, 512)  # equal at n = 2d
    True
    """
    return 4 * rnn_multiply_adds(n, d)


def attention_leading_term(n, d):
    """n²d: what grows fastest in a layer of attention, its factor left out as in table 1.

    >>> attention_leading_term(1_000, 512)
    512000000
    """
    return n**2 * d


def rnn_leading_term(n, d):
    """nd²: the same for a recurrent layer.

    >>> rnn_leading_term(512, 512) == attention_leading_term(512, 512)  # they cross at n = d
    True
    """
    return n * d**2


def table_bytes(queries, keys, heads=1, bytes_per_number=2):
    """Bytes of one layer's scores: a number for each query, key and head.

    >>> table_bytes(32_768, 32_768, heads=32)  # all at once: 69 GB
    68719476736
    >>> table_bytes(128, 128, heads=32)  # a tile of it: 1 MB
    1048576
    >>> table_bytes(1, 32_768, heads=32)  # the one row that a new token needs: 2 MB
    2097152
    """
    return queries * keys * heads * bytes_per_number


def kv_cache_bytes(layers, kv_heads, d_head, tokens, bytes_per_number=2):
    """Bytes of a KV cache: a key and a value for each layer, head and token.

    >>> kv_cache_bytes(layers=32, kv_heads=8, d_head=128, tokens=1)  # Llama-3.1-8B in bf16
    131072
    >>> kv_cache_bytes(layers=32, kv_heads=32, d_head=128, tokens=32_768)  # 17.18 GB
    17179869184
    >>> kv_cache_bytes(layers=32, kv_heads=8, d_head=128, tokens=32_768)  # 4.29 GB
    4294967296
    """
    return 2 * layers * kv_heads * d_head * tokens * bytes_per_number
