"""The run of a page's cells at build, and what it remembers."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from site_src.pages import execution
from site_src.pages.execution import PageRun


@pytest.fixture
def two_builds(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[tuple[PageRun, PageRun]]:
    """Two builds of one page at the same time, which share what they remember."""
    monkeypatch.setattr(execution, "CACHE", tmp_path)
    builds = PageRun(), PageRun()
    yield builds
    for build in builds:
        build.close()


def printed(build: PageRun, cell: str, source: str) -> str:
    """What a cell prints that builds on nothing but what is defined before it."""
    chain = [(request["cell"], request["source"]) for request in build.requests]
    return "".join(piece.text for piece in build.run(cell, source, chain))


def test_a_build_catches_up_with_what_another_has_run_meanwhile(
    two_builds: tuple[PageRun, PageRun],
) -> None:
    one, other = two_builds
    assert printed(one, "first", "a = 1\nprint(a)") == "1\n"  # its process runs now
    assert printed(other, "first", "a = 1\nprint(a)") == "1\n"
    assert printed(other, "second", "b = a + 1\nprint(b)") == "2\n"
    assert printed(one, "second", "b = a + 1\nprint(b)") == "2\n"  # remembered by the other
    assert printed(one, "third", "print(a + b)") == "3\n"
