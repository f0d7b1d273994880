"""The model made small: a quarter of its bytes, in files that a page can fetch in pieces."""

import shutil
from pathlib import Path

import numpy as np

from site_src.model import original
from site_src.model.tensors import Tensors, written
from site_src.model.weights import ROW, Array
from snippets.int8 import quantise

LAYERS = "layers.safetensors"
EMBEDDINGS = "embeddings.bin"
VOCABULARY = "vocab.txt"
CARD = "model-card.md"
LICENCE = "LICENSE.txt"
NOTICE = "NOTICE.txt"
NAMES = (EMBEDDINGS, VOCABULARY, CARD, LICENCE, NOTICE, LAYERS)
TABLES = [f"embeddings.{name}_embeddings.weight" for name in ("word", "position")]
UNUSED = ("embeddings.position_ids", "pooler.")  # 0, 1, 2 …; what sentence vectors go without


def make(folder: Path) -> str:
    """Write all files of the small model; that of the layers last, as it says that all stand."""
    here = Path(__file__).parent
    tensors = original.tensors()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / EMBEDDINGS).write_bytes(rows(np.concatenate([tensors[name] for name in TABLES])))
    (folder / VOCABULARY).write_bytes(original.read("vocab.txt"))
    (folder / CARD).write_bytes(original.read("README.md"))
    for name in (LICENCE, NOTICE):
        shutil.copyfile(here / name, folder / name)
    (folder / LAYERS).write_bytes(written(layers(tensors)))
    sizes = [(folder / name).stat().st_size / 1e6 for name in (LAYERS, EMBEDDINGS)]
    return "{:.1f} MB of layers, {:.1f} MB of embeddings".format(*sizes)


def layers(tensors: Tensors) -> Tensors:
    """What every sentence needs: matrices in int8 with their steps, the rest as it is."""
    kept: Tensors = {}
    for name, tensor in tensors.items():
        if name in TABLES or name.startswith(UNUSED):
            continue
        if name.startswith("encoder.") and tensor.ndim == 2:
            kept[name], kept[f"{name}.step"] = quantise(tensor)
        else:
            kept[name] = tensor
    return kept


def rows(table: Array) -> bytes:
    """The rows of embeddings.bin."""
    packed = np.empty(len(table), ROW)
    packed["whole"], packed["step"] = quantise(table)
    return packed.tobytes()
