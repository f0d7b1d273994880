"""The bench's own sums: what is refused, what a row says, what a host packs."""

import gzip
from pathlib import Path
from urllib.request import Request, urlopen

import pytest

from site_src import CACHE
from tests.bench.start_up import hosts
from tests.bench.start_up.peers.mirror import package
from tests.bench.start_up.program import printed
from tests.bench.start_up.result import Found, RefusedError, Row, checked, line
from tests.bench.start_up.sides import SIDES, STOCK, TOLD
from tests.server import StaticServer


def row(side: str, values: list[float]) -> Row:
    """Figures that were never measured."""
    found = Found()
    for value in values:
        found.add(
            "cold", value, since="click", browser="B", host="H", side=side, path=f"path of {side}"
        )
    (found_row,) = found.rows
    return found_row


def test_a_figure_of_a_fallback_or_with_help_from_elsewhere_is_refused() -> None:
    assert checked("image", "image", []) == "image"
    with pytest.raises(RefusedError, match="ran: bytecode; wanted: image"):
        checked("image", "bytecode", [])
    with pytest.raises(RefusedError, match="asked elsewhere: //cdn"):
        checked("image", "image", ["//cdn"])


def test_a_row_has_median_range_ratio_and_path() -> None:
    told = line(row("ours", [30, 10, 20]), row(STOCK, [70, 80, 90])).split()
    assert told == ["ours", "20", "[10", "–", "30]", "0.25", "of", "stock", "path", "of", "ours"]


def test_each_side_has_a_name_of_its_own_and_tells_what_ran_as_the_program_does() -> None:
    assert len({side.name for side in SIDES}) == len(SIDES)
    assert all(side.ours or TOLD.fullmatch(side.path) for side in SIDES)
    assert "80% love" in printed()


def test_a_host_packs_by_type_what_a_browser_takes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(hosts, "PACKED", tmp_path / "packed")
    (tmp_path / "a.json").write_text("[" + "0," * 1000 + "0]")
    (tmp_path / "b.zip").write_bytes(bytes(1000))
    with StaticServer(tmp_path) as server:
        server.packing = hosts.HOSTS[hosts.WITH_GZIP]
        for name, accepted, encoding in [
            ("a.json", "gzip, br", "gzip"),
            ("a.json", "br", None),
            ("b.zip", "gzip", None),
        ]:
            request = Request(server.address + name, headers={"Accept-Encoding": accepted})
            with urlopen(request) as answer:
                assert answer.headers["Content-Encoding"] == encoding
                kinds = {"a.json": "application/json", "b.zip": "application/zip"}
                assert answer.headers["Content-Type"] == kinds[name]
                content = answer.read()
            whole = gzip.decompress(content) if encoding else content
            assert whole == (tmp_path / name).read_bytes()
    assert server.sent < 4000


def test_an_entry_of_a_lock_is_read_out_of_a_wheel(tmp_path: Path) -> None:
    (wheel,) = (CACHE / "wheels").glob("python_dateutil-*.whl")
    entry = package(wheel)
    assert (entry["name"], entry["depends"]) == ("python-dateutil", ["six"])
    assert "dateutil" in entry["imports"]
