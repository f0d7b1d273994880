"""What the site hosts of Python: exactly what Pyodide's own lock says, and nothing of it twice."""

import hashlib
import json
import zipfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from site_src import CACHE, ROOT
from site_src.front_end import bundle
from site_src.node import node
from site_src.runtime import distribution, hosted, image

UNPACK = """import { readFileSync, writeFileSync } from "node:fs";
import { zstdDecompressSync } from "node:zlib";
writeFileSync(process.argv[3], zstdDecompressSync(readFileSync(process.argv[2])));"""


def test_matplotlib_comes_with_all_that_the_lock_says_it_needs_and_nothing_else() -> None:
    packages = distribution.pyodide_lock()["packages"]
    both = distribution.at_start() | distribution.on_import()
    for name, wheel in both.items():
        assert set(wheel["depends"]) <= both.keys()
        assert wheel == packages[name]
    needed = {"matplotlib"}.union(*(wheel["depends"] for wheel in both.values()))
    assert both.keys() == needed
    assert list(distribution.on_import())[-1] == "matplotlib"  # after what it needs
    assert list(distribution.at_start()) == ["numpy"]


def test_each_wheel_is_the_one_that_the_lock_names() -> None:
    for wheel in (distribution.at_start() | distribution.on_import()).values():
        content = (distribution.WHEELS / wheel["file_name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == wheel["sha256"]


def test_the_browser_is_told_the_size_and_hash_of_every_file_that_is_hosted() -> None:
    files = hosted.files()
    told = dict(every_file_told(hosted.runtime()))
    assert told.keys() == files.keys()
    for name, file in told.items():
        content = files[name].read_bytes()
        assert file["size"] == len(content)
        assert file["sha256"] == hashlib.sha256(content).hexdigest()
    served = {address.split("/python-")[1].partition("/")[2] for address in python_addresses()}
    assert served == files.keys()


def every_file_told(told: dict[str, Any]) -> Iterator[tuple[str, Any]]:
    """Each file as it travels, by its name: of all ways to start, and what comes on import."""
    groups = [told[way]["files"] for way in ("image", "bytecode", "stock")]
    for name, file in [item for group in [*groups, told["packages"]] for item in group.items()]:
        yield (f"{name}.zstd" if "unpacked" in file else name), file


def python_addresses() -> list[str]:
    """Where the site serves Python's files."""
    return [address for address in bundle().files if "/python-" in address]


@pytest.mark.parametrize("path", image.PACKED, ids=lambda path: path.name)
def test_a_packed_file_is_the_file(path: Path, tmp_path: Path) -> None:
    script = tmp_path / "unpack.mjs"
    script.write_text(UNPACK, encoding="utf-8")
    again = tmp_path / path.name
    node(script, image.packed(path), again, failing="it is not packed", remedy="none")
    assert again.read_bytes() == path.read_bytes()


def test_the_same_inputs_give_the_same_image(tmp_path: Path) -> None:
    recipe = json.loads((CACHE / "image.json").read_text(encoding="utf-8"))
    target = tmp_path / "again.image"
    again = tmp_path / "recipe.json"
    again.write_text(json.dumps(recipe | {"target": str(target)}), encoding="utf-8")
    node(image.HERE / "build.mjs", again, failing="no image", remedy="none")
    assert target.read_bytes() == image.IMAGE.read_bytes()


def test_the_image_knows_nothing_of_the_machine_it_was_made_on() -> None:
    content = image.IMAGE.read_bytes()
    assert str(ROOT).encode() not in content
    assert str(Path.home()).encode() + b"/" not in content


def test_the_hosted_matplotlib_is_slim_and_whole() -> None:
    (path,) = distribution.RUNTIME.glob("matplotlib-*.whl")
    names = zipfile.ZipFile(path).namelist()
    assert not [name for name in names if "/tests/" in name or "sample_data" in name]
    assert "matplotlib/pyplot.pyc" in names
    assert "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf" in names
    assert "matplotlib/mpl-data/matplotlibrc" in names
