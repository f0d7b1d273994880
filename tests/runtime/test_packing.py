"""Files of Python packed quickly while working on the site, and smallest to publish it."""

import random
from pathlib import Path

import pytest

from site_src import steps
from site_src.runtime import image


@pytest.fixture
def packed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A small file in place of Python's."""
    path = tmp_path / "python.image"
    monkeypatch.setattr(steps, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(image, "IMAGE", path)
    monkeypatch.setattr(image, "PACKED", [path])
    monkeypatch.setattr(image, "take", lambda: "as it is")
    return path


def test_changed_files_are_packed_smallest_once_more(
    packed: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    words = [str(number**2) for number in range(50)]
    text = " ".join(random.Random(1).choices(words, k=20_000))
    packed.write_text(text)
    image.prepare()
    image.prepare_smallest()
    smallest = image.packings(packed)[0].read_bytes()
    packed.write_text(text + "!")
    image.prepare()
    packed.write_text(text)
    image.prepare()
    assert len(image.packings(packed)[0].read_bytes()) > len(smallest)
    image.prepare_smallest()
    assert image.packings(packed)[0].read_bytes() == smallest
    capsys.readouterr()
    image.prepare_smallest()
    assert capsys.readouterr().out == ""
