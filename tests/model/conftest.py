"""The real model for tests, as it is published and as the site hosts it."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np
import pytest
from numpy.typing import NDArray

from site_src.model import original
from snippets.bert_weights import WORDS, encoder_weights
from snippets.encoder import encoder
from snippets.real_model import load_model, rows_of
from snippets.word_pieces import tokens, vocabulary_of

Array = NDArray[Any]


class Model(NamedTuple):
    """A model as the snippets use it."""

    vocabulary: dict[str, int]
    rows: Callable[[list[int]], Array]  # of some pieces, by their numbers
    weights: dict[str, Any]

    def __call__(self, text: str, attention: Any) -> tuple[Array, Array]:
        """States and maps of a text."""
        read, _ = tokens(text, self.vocabulary)
        states, maps = encoder(self.rows(self.numbers(read)), self.weights, attention)
        return np.asarray(states), np.asarray(maps)

    def numbers(self, read: list[str]) -> list[int]:
        """The numbers of some tokens."""
        return [self.vocabulary[token] for token in read]


@pytest.fixture(scope="session")
def published(prepared: Path) -> Model:
    """The model as it is published, in float32."""
    tensors = original.tensors()
    vocabulary = vocabulary_of(original.read("vocab.txt").decode())
    return Model(vocabulary, tensors[WORDS].__getitem__, encoder_weights(tensors))


@pytest.fixture(scope="session")
def hosted(prepared: Path) -> Model:
    """The model as the site hosts it, out of its files alone."""
    model = load_model(prepared)
    return Model(model["vocabulary"], partial(rows_of, model=model), model["weights"])
