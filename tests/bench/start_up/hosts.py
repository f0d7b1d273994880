"""Hosts as they differ: what they compress, and how. A file is packed once, and kept."""

import gzip
import threading
from collections.abc import Iterable
from functools import cache
from pathlib import Path

from site_src import CACHE
from site_src.node import node
from site_src.steps import digest
from tests.server import Packing

HERE = Path(__file__).parent
PACKED = CACHE / "bench" / "packed"
BY_TYPE = {".html", ".css", ".js", ".mjs", ".json", ".wasm", ".svg"}
WITH_BROTLI, WITH_GZIP, PLAIN = "brotli by type", "gzip by type", "no compression"
ENDINGS = {"br": ".br", "gzip": ".gz"}


def packing(encodings: Iterable[str]) -> Packing:
    """A host that compresses by type, with the first of these encodings that a browser takes."""

    def packed(file: Path, accepted: str) -> tuple[str, Path] | None:
        taken = [one for one in encodings if one in accepted]
        if file.suffix not in BY_TYPE or not taken:
            return None
        return taken[0], kept(file, taken[0])

    return packed


# The first is the one that most is measured on; where a browser takes no brotli, it sends gzip.
HOSTS: dict[str, Packing | None] = {
    WITH_BROTLI: packing(["br", "gzip"]),
    WITH_GZIP: packing(["gzip"]),
    PLAIN: None,
}


@cache
def kept(file: Path, encoding: str) -> Path:
    """A file packed, from the cache if it has been packed before."""
    target = PACKED / digest([file])[:16] / f"{file.name}{ENDINGS[encoding]}"
    if not target.exists():
        target.parent.mkdir(parents=True, exist_ok=True)
        part = target.with_suffix(f".{threading.get_ident()}")  # two may ask at the same time
        WRITE[encoding](file, part)
        part.replace(target)
    return target


def write_gzip(file: Path, target: Path) -> None:
    """As small as gzip can."""
    target.write_bytes(gzip.compress(file.read_bytes(), 9))


def write_brotli(file: Path, target: Path) -> None:
    """As small as brotli can."""
    node(HERE / "brotli.mjs", file, target, failing="brotli failed", remedy="report it.")


WRITE = {"br": write_brotli, "gzip": write_gzip}
