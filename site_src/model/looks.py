"""Who looks at whom in the published model, in float32, by the snippets that readers run."""

from typing import Any

from site_src.model import original
from snippets.attention import attention
from snippets.bert_weights import WORDS, encoder_weights
from snippets.encoder import encoder
from snippets.word_pieces import tokens, vocabulary_of


def maps_of(text: str) -> tuple[list[str], Any]:
    """The pieces that the model reads, and all its weights: [layers, H, T, T]."""
    tensors = original.tensors()
    vocabulary = vocabulary_of(original.read("vocab.txt").decode())
    pieces, _ = tokens(text, vocabulary)
    numbers = [vocabulary[piece] for piece in pieces]
    _, maps = encoder(tensors[WORDS][numbers], encoder_weights(tensors), attention)
    return pieces, maps
