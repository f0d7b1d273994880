"""The real model for tests, as it is published and as the site hosts it."""

from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from site_src.model import original, small
from site_src.model.tensors import read_tensors
from site_src.model.weights import PIECES, encoder_weights, rows_of
from snippets.encoder import encoder
from snippets.word_pieces import tokens, vocabulary_of

Array = NDArray[Any]


class Model(NamedTuple):
    """A model as the snippets use it."""

    vocabulary: dict[str, int]
    rows: Array  # of all pieces
    weights: dict[str, Any]

    def __call__(self, text: str, attention: Any) -> tuple[Array, Array]:
        """States and maps of a text."""
        read, _ = tokens(text, self.vocabulary)
        states, maps = encoder(self.rows[self.numbers(read)], self.weights, attention)
        return np.asarray(states), np.asarray(maps)

    def numbers(self, read: list[str]) -> list[int]:
        """The numbers of some tokens."""
        return [self.vocabulary[token] for token in read]


@pytest.fixture(scope="session")
def published(prepared: Path) -> Model:
    """The model as it is published, in float32."""
    tensors = original.tensors()
    rows, positions = (tensors[name] for name in small.TABLES)
    vocabulary = vocabulary_of(original.read("vocab.txt").decode())
    return Model(vocabulary, rows, encoder_weights(tensors, positions))


@pytest.fixture(scope="session")
def hosted(prepared: Path) -> Model:
    """The model as the site hosts it, out of its files alone."""
    rows = rows_of((prepared / small.EMBEDDINGS).read_bytes())
    tensors = read_tensors((prepared / small.LAYERS).read_bytes())
    vocabulary = vocabulary_of((prepared / small.VOCABULARY).read_text(encoding="utf-8"))
    return Model(vocabulary, rows[:PIECES], encoder_weights(tensors, rows[PIECES:]))
