"""Where the browser's NumPy comes from: the sources in their order, and never an altered file."""

import hashlib
from pathlib import Path

import pytest

from site_src.problems import Problem
from site_src.runtime import download

GOOD = b"the pinned file"
SHA256 = hashlib.sha256(GOOD).hexdigest()


def refuses(_name: str, _version: str) -> bytes:
    """A source that cannot be reached."""
    raise OSError("unreachable")


def alters(_name: str, _version: str) -> bytes:
    """A source with another file under the same name."""
    return b"something else"


def has(_name: str, _version: str) -> bytes:
    """A source with the file."""
    return GOOD


def test_the_next_source_is_asked_when_one_fails_or_has_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {"first": refuses, "second": alters, "third": has}
    monkeypatch.setattr(download, "SOURCES", sources)
    said = download.fetch("a.whl", SHA256, "1", tmp_path)
    assert "from third, verified" in said
    assert (tmp_path / "a.whl").read_bytes() == GOOD


def test_what_is_in_the_cache_is_verified_and_not_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.whl").write_bytes(GOOD)
    monkeypatch.setattr(download, "SOURCES", {})
    assert download.fetch("a.whl", SHA256, "1", tmp_path) == "from the cache, verified"


def test_an_altered_file_is_told_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "SOURCES", {"first": refuses, "second": alters})
    with pytest.raises(Problem, match="first: unreachable; second: the file has another content"):
        download.fetch("a.whl", SHA256, "1", tmp_path)
    assert not (tmp_path / "a.whl").exists()
