"""Where the browser's packages come from: the sources in their order, and never an altered file."""

import hashlib
from collections.abc import Iterator
from pathlib import Path

import pytest

from site_src.problems import Problem
from site_src.runtime import download

GOOD = b"the pinned file"
SHA256 = hashlib.sha256(GOOD).hexdigest()
WANTED = {"a.whl": SHA256, "b.whl": SHA256}


def refuses(_names: list[str], _version: str) -> Iterator[download.File]:
    """A source that cannot be reached."""
    raise OSError("unreachable")


def alters(names: list[str], _version: str) -> Iterator[download.File]:
    """A source with other files under the same names."""
    yield from ((name, b"something else") for name in names)


def breaks_off(names: list[str], _version: str) -> Iterator[download.File]:
    """A source that has the first file and then fails."""
    yield names[0], GOOD
    raise OSError("broken off")


def has(names: list[str], _version: str) -> Iterator[download.File]:
    """A source with the files."""
    yield from ((name, GOOD) for name in names)


def test_the_next_source_is_asked_when_one_fails_or_has_another_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    sources = {"first": refuses, "second": alters, "third": has}
    monkeypatch.setattr(download, "SOURCES", sources)
    said = download.fetch(WANTED, "1", tmp_path)
    assert "from third, verified" in said
    assert all((tmp_path / name).read_bytes() == GOOD for name in WANTED)


def test_the_next_source_is_asked_only_for_what_is_missing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[list[str]] = []

    def notes(names: list[str], version: str) -> Iterator[download.File]:
        asked.append(names)
        return has(names, version)

    monkeypatch.setattr(download, "SOURCES", {"first": breaks_off, "second": notes})
    download.fetch(WANTED, "1", tmp_path)
    assert asked == [["b.whl"]]


def test_what_is_in_the_cache_is_verified_and_not_fetched_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "a.whl").write_bytes(GOOD)
    monkeypatch.setattr(download, "SOURCES", {})
    assert download.fetch({"a.whl": SHA256}, "1", tmp_path) == "from the cache, verified"


def test_an_altered_file_is_told_and_not_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(download, "SOURCES", {"first": refuses, "second": alters})
    with pytest.raises(Problem, match=r"first: unreachable; second: a\.whl has another content"):
        download.fetch(WANTED, "1", tmp_path)
    assert not (tmp_path / "a.whl").exists()
