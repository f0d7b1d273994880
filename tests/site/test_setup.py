"""Setting up where something is in the way: a sentence that says what, and what to do."""

import errno
import os
import shutil
import socket
import subprocess
import sys
from pathlib import Path

import pytest

from site_src import ROOT, steps
from site_src.problems import Problem
from tests.site.build import mkdocs
from tests.site.checkout import environment, serving, small_checkout

# Every download goes through a proxy that is not there.
NO_NETWORK = {
    **dict.fromkeys(("http_proxy", "https_proxy", "HTTPS_PROXY"), "http://127.0.0.1:9"),
    "npm_config_fetch_retries": "0",
    "PIP_RETRIES": "0",
}


def prepare(root: Path, **more: str) -> subprocess.CompletedProcess[str]:
    """The preparation, run alone."""
    return subprocess.run(
        [sys.executable, "-m", "site_src.prepare"],
        cwd=root,
        env=environment(root, **more),
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def make(*arguments: str, root: Path = ROOT) -> subprocess.CompletedProcess[str]:
    """Run make in a folder."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
    return subprocess.run(
        ["make", *arguments],
        cwd=root,
        env=clean,
        capture_output=True,
        text=True,
        check=False,
        timeout=120,
    )


@pytest.fixture
def root(tmp_path: Path) -> Path:
    """A copy of the project."""
    return small_checkout(tmp_path)


def test_a_second_preparation_has_nothing_to_do(root: Path) -> None:
    done = prepare(root, **NO_NETWORK)
    assert done.returncode == 0, done.stderr
    assert done.stdout == ""


def runtime_files(root: Path) -> dict[str, bytes]:
    """What the preparation made for browsers, by name."""
    return {path.name: path.read_bytes() for path in (root / ".cache" / "runtime").iterdir()}


def test_a_new_preparation_says_a_line_for_each_step_verifies_and_makes_the_same_files(
    root: Path,
) -> None:
    before = runtime_files(root)
    shutil.rmtree(root / ".cache" / "stamps")
    shutil.rmtree(root / ".cache" / "runtime")  # links to this checkout's own files
    (root / "node_modules").unlink()
    shutil.copytree(ROOT / "node_modules", root / "node_modules", symlinks=True)
    done = prepare(root)
    assert done.returncode == 0, done.stderr
    lines = [line.strip() for line in done.stdout.splitlines()]
    assert [line.split(" …")[0] for line in lines] == [
        "npm parts",
        "Pyodide",
        "NumPy for the browser",
        "matplotlib for the browser",
        "precompiled Python",
        "image of Python",
        "packed files",
    ]
    assert all("verified" in line for line in lines[1:4])
    assert runtime_files(root) == before


def test_no_network_for_npm(root: Path) -> None:
    (root / "node_modules").unlink()
    done = prepare(root, npm_config_cache=str(root / "npm"), **NO_NETWORK)
    assert done.returncode != 0
    assert "npm could not install its parts" in done.stderr
    assert "What to do: check the network" in done.stderr
    assert "Traceback" not in done.stderr


def test_no_network_for_numpy(root: Path) -> None:
    shutil.rmtree(root / ".cache" / "wheels")
    (root / ".cache" / "stamps" / "NumPy-for-the-browser").unlink()
    done = prepare(root, **NO_NETWORK)
    assert done.returncode != 0
    assert "numpy-2.4.3" in done.stderr
    assert "could not be fetched" in done.stderr
    assert "What to do: check the network" in done.stderr
    assert "Traceback" not in done.stderr


def test_a_wheel_that_is_not_the_pinned_one_is_refused(root: Path) -> None:
    (wheel,) = (root / ".cache" / "wheels").glob("numpy-*.whl")
    wheel.unlink()
    wheel.write_bytes(b"something else")
    (root / ".cache" / "stamps" / "NumPy-for-the-browser").unlink()
    assert "could not be fetched" in prepare(root, **NO_NETWORK).stderr
    assert wheel.read_bytes() == b"something else"


def test_a_build_without_network_ends_with_the_sentence(root: Path) -> None:
    shutil.rmtree(root / ".cache" / "wheels")
    (root / ".cache" / "stamps" / "NumPy-for-the-browser").unlink()
    done = mkdocs("build", root=root, **NO_NETWORK)
    assert done.returncode != 0
    assert "could not be fetched" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_a_server_without_network_serves_pages_that_say_what_is_missing(root: Path) -> None:
    shutil.rmtree(root / ".cache" / "wheels")
    (root / ".cache" / "stamps" / "NumPy-for-the-browser").unlink()
    with (root / "docs" / "numpy.md").open("a", encoding="utf-8") as text:
        text.write('\n```figure name="real_heads" title="72 heads." start="tired"\nChoose.\n```\n')
    with serving(root, **NO_NETWORK) as server:
        page = server.page()
    notes = {note.text for note in page.select("py-cell .cell-unavailable")}
    assert len(notes) == 1
    assert "This cell cannot run here yet. numpy-2.4.3" in notes.pop()
    assert "0.8  0.19" in page.select("py-cell[name=result] output")[0].text
    (absent,) = page.select(".figure-absent")
    assert "72 heads." in absent.text
    assert "a real model, all-MiniLM-L6-v2, which this build of the site has not" in absent.text
    assert "make serve REAL_MODEL=1" in absent.text


def test_a_full_disk(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(steps, "CACHE", tmp_path)

    def work() -> str:
        raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC), str(tmp_path / "result"))

    with pytest.raises(Problem, match="No space left on device") as caught:
        steps.step("anything", "inputs", tmp_path / "result", work)
    assert "free about 300 MB" in str(caught.value)
    assert not (tmp_path / "stamps").exists()


def test_an_old_python(tmp_path: Path) -> None:
    old = tmp_path / "python3.8"
    old.write_text(
        '#!/bin/sh\n[ "$1" = --version ] && echo Python 3.8.20 || exit 1\n', encoding="utf-8"
    )
    old.chmod(0o755)
    shutil.copy(ROOT / "Makefile", tmp_path / "Makefile")
    for name in ("pyproject.toml", "constraints.txt"):
        shutil.copy(ROOT / name, tmp_path / name)
    done = make("serve", f"PYTHON={old}", root=tmp_path)
    assert done.returncode != 0
    assert "This needs Python 3.11 or newer, and found: Python 3.8.20." in done.stdout
    assert "What to do:" in done.stdout


def test_a_port_in_use() -> None:
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        done = mkdocs("serve", "--dev-addr", f"127.0.0.1:{port}")
    assert done.returncode != 0
    assert f"127.0.0.1:{port} cannot be used" in done.stdout
    assert f"make serve PORT={port + 1}" in done.stdout
    assert "Traceback" not in done.stdout + done.stderr


def test_help_lists_every_command_and_what_it_downloads() -> None:
    said = make("help").stdout
    for command in ("setup", "serve", "build", "test", "check", "bench"):
        assert f"make {command}" in said
    assert said.count("download") >= 3
    assert "MB" in said
