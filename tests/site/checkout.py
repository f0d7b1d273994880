"""A copy of this checkout that a test may change, with what has been prepared here."""

import os
import re
import shutil
import socket
import subprocess
import sys
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.request import urlopen

from bs4 import BeautifulSoup

from site_src import CACHE, ROOT

SECONDS = 60

PARTS = [
    *("docs", "site_src", "snippets"),
    *("mkdocs.yml", "package.json", "package-lock.json", "pyproject.toml"),
]
PREPARED = ["wheels", "runtime", "stamps", "front-end", "cells"]


def checkout(target: Path) -> Path:
    """Copy the sources; link what the preparation made."""
    for part in PARTS:
        if (ROOT / part).is_dir():
            ignored = shutil.ignore_patterns("__pycache__")
            shutil.copytree(ROOT / part, target / part, ignore=ignored)
        else:
            shutil.copy(ROOT / part, target / part)
    (target / "node_modules").symlink_to(ROOT / "node_modules")
    for folder in PREPARED:
        shutil.copytree(CACHE / folder, target / CACHE.name / folder, copy_function=os.link)
    return target


def small_checkout(target: Path) -> Path:
    """A copy with two of the pages, which build in a moment: the first, and the one in NumPy."""
    checkout(target)
    settings = target / "mkdocs.yml"
    before, nav, rest = re.split(
        r"^nav:\n((?:  .*\n)+)", settings.read_text(encoding="utf-8"), flags=re.M
    )
    kept = [line for line in nav.splitlines() if line.endswith((" index.md", " numpy.md"))]
    settings.write_text("\n".join([before, "nav:", *kept, rest]), encoding="utf-8")
    for page in (target / "docs").glob("*.md"):
        if page.name not in ("index.md", "numpy.md"):
            page.unlink()
    shutil.rmtree(target / "docs" / "companion")
    return target


def free_port() -> int:
    """A port that nobody listens at."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        return int(probe.getsockname()[1])


def environment(root: Path, **more: str) -> dict[str, str]:
    """Makes Python find the copy's packages instead of this checkout's."""
    return os.environ | {"PYTHONPATH": str(root), "PYTHONDONTWRITEBYTECODE": "1"} | more


class Serving:
    """`mkdocs serve` in a checkout, and what it has said."""

    def __init__(self, root: Path, process: subprocess.Popen[str], address: str) -> None:
        self.root = root
        self.process = process
        self.address = address
        self.said = ""

    def wait_to_hear(self, text: str) -> None:
        """Read what the server says until the text comes."""
        assert self.process.stdout
        while text not in self.said:
            line = self.process.stdout.readline()
            assert line, f"the server ended without saying {text!r}:\n{self.said}"
            self.said += line

    def page(self, path: str = "numpy/") -> BeautifulSoup:
        """A page as it is served now; a request waits while pages are being rebuilt."""
        with urlopen(self.address + path, timeout=SECONDS) as response:
            return BeautifulSoup(response.read(), "html.parser")

    def edit(self, file: str, old: str, new: str) -> None:
        """Change one place of one file, as an editor would, and wait for the rebuilt pages."""
        path = self.root / file
        text = path.read_text(encoding="utf-8")
        assert text.count(old) == 1
        self.said = ""
        path.write_text(text.replace(old, new), encoding="utf-8")
        self.wait_to_hear("Reloading browsers")


@contextmanager
def serving(root: Path, **more: str) -> Iterator[Serving]:
    """`mkdocs serve`, from when it listens until the test ends."""
    port = free_port()
    process = subprocess.Popen(
        [sys.executable, "-m", "mkdocs", "serve", "--dev-addr", f"127.0.0.1:{port}"],
        cwd=root,
        env=environment(root, **more),
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
    )
    timer = threading.Timer(2 * SECONDS, process.kill)  # a server that hangs ends the test
    timer.start()
    try:
        server = Serving(root, process, f"http://127.0.0.1:{port}/")
        server.wait_to_hear("Serving on")
        yield server
    finally:
        timer.cancel()
        process.kill()
        process.communicate()
