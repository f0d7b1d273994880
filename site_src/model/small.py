"""The model made small: 27 of its 91 MB, in two files, of which most texts need one."""

import shutil
from pathlib import Path
from typing import Any

from numpy.typing import NDArray

from site_src.model import original
from site_src.model.tensors import Tensors, written
from snippets.bert_weights import PACKED, POSITIONS, WORDS
from snippets.nine_bits import quantise

MODEL = "model.safetensors"
RARER = "rarer.safetensors"
VOCABULARY = "vocab.txt"
AT_FIRST = (MODEL, VOCABULARY)
BESIDE = ("model-card.txt", "LICENSE.txt", "NOTICE.txt")
NAMES = (*AT_FIRST, RARER, *BESIDE)
COMMON = 8192  # pieces: BERT's vocabulary begins with the most common ones
UNUSED = ("embeddings.position_ids", "pooler.")  # 0, 1, 2 …; what sentence vectors go without


def make(folder: Path) -> str:
    """Write all files of the small model; the first one last, as it says that all stand."""
    here = Path(__file__).parent
    tensors = original.tensors()
    folder.mkdir(parents=True, exist_ok=True)
    for old in folder.iterdir():
        old.unlink()
    (folder / VOCABULARY).write_bytes(original.read(VOCABULARY))
    (folder / BESIDE[0]).write_bytes(original.read("README.md"))
    for name in BESIDE[1:]:
        shutil.copyfile(here / name, folder / name)
    (folder / RARER).write_bytes(written(rarer(tensors)))
    (folder / MODEL).write_bytes(written(common(tensors)))
    sizes = [(folder / name).stat().st_size / 1e6 for name in (MODEL, RARER)]
    return "{:.1f} MB, and {:.1f} MB for rarer words".format(*sizes)


def common(tensors: Tensors) -> Tensors:
    """What every text needs: tables and matrices in 9 bits, the rest as it is."""
    kept: Tensors = {}
    for name, tensor in tensors.items():
        if name.startswith(UNUSED):
            continue
        if name in (WORDS, POSITIONS) or (name.startswith("encoder.") and tensor.ndim == 2):
            rows = tensor[:COMMON] if name == WORDS else tensor
            kept |= in_9_bits(name, rows)
        else:
            kept[name] = tensor
    return kept


def rarer(tensors: Tensors) -> Tensors:
    """The vectors of all other pieces."""
    return in_9_bits(WORDS, tensors[WORDS][COMMON:])


def in_9_bits(name: str, table: NDArray[Any]) -> Tensors:
    """The three arrays of a table, by their names."""
    return {name + end: part for end, part in zip(PACKED, quantise(table), strict=True)}
