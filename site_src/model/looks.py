"""Who looks at whom in the published model, in float32, by the snippets that readers run."""

from typing import Any

from site_src.model import original, small
from site_src.model.weights import encoder_weights
from snippets.attention import attention
from snippets.encoder import encoder
from snippets.word_pieces import tokens, vocabulary_of


def maps_of(text: str) -> tuple[list[str], Any]:
    """The pieces that the model reads, and all its weights: [layers, H, T, T]."""
    tensors = original.tensors()
    rows, positions = (tensors[name] for name in small.TABLES)
    vocabulary = vocabulary_of(original.read("vocab.txt").decode())
    pieces, _ = tokens(text, vocabulary)
    numbers = [vocabulary[piece] for piece in pieces]
    _, maps = encoder(rows[numbers], encoder_weights(tensors, positions), attention)
    return pieces, maps
