"""Run a page's cells at build: in order, in one fresh process, and remember what they print."""

import json
import os
import subprocess
import sys
import threading
from contextlib import suppress
from importlib.metadata import version
from pathlib import Path
from typing import Any, NamedTuple

from site_src import CACHE, ROOT, model
from site_src.cells.imports import MODEL, snippet_files
from site_src.pages import process
from site_src.problems import Problem
from site_src.runtime import advice, displays, run_cell, surroundings
from site_src.steps import digest

SECONDS = 60  # for all cells of a page together
MODULES = (run_cell, displays, advice, surroundings, process)
CODE_OF_OURS = [Path(str(one.__file__)) for one in MODULES]


class Piece(NamedTuple):
    """Some printed text of one stream."""

    stream: str
    text: str


class PageRun:
    """The cells of one page so far, and the process that holds their variables, once needed."""

    def __init__(self, root: Path = ROOT) -> None:
        self.root = root
        self.requests: list[dict[str, Any]] = []
        self.sent = 0  # how many of them the process has had
        self.depends_on: list[Path] = []
        self.process: subprocess.Popen[str] | None = None
        self.timer: threading.Timer | None = None
        self.timed_out = False

    def check_examples(self, file: Path) -> None:
        """Run the examples of a snippet's functions and classes; raises Problem if one fails."""
        answer = self._answer({"module": f"snippets.{file.stem}"}, [file])
        if answer["failure"]:
            raise Problem(
                f"an example of {file.relative_to(self.root)} fails:\n{answer['failure']}",
                "mend the example or the code that it proves.",
            )

    def run(self, cell: str, source: str, builds_on: list[tuple[str, str]]) -> list[Piece]:
        """What the cell prints, after all cells before it. Raises Problem if it fails.

        builds_on: names and sources of the cells that a reader's run of this one brings along.
        """
        for file in snippet_files(source, self.root):
            self.check_examples(file)
        answer = self._answer({"cell": cell, "source": source, "builds_on": builds_on}, [])
        match answer["failure"]:
            case {"alone": told}:
                raise Problem(
                    f"the cell does not work with only what it comes after:\n{told}",
                    "name in “after” every cell whose variables it uses.",
                )
            case str(told):
                raise Problem(
                    f"the cell ends with an error:\n{told}",
                    "mend the cell, or the snippet that it includes.",
                )
        return merged([Piece(*piece) for piece in answer["pieces"]])

    def call(self, function: str, *arguments: str, made_from: list[Path]) -> Any:
        """What a function returns, named as "package.module:function", in the page's process.

        made_from: the files that its result depends on, besides the snippets that they import.
        """
        return self._answer({"call": function, "arguments": arguments}, made_from)["result"]

    def close(self) -> None:
        """End the process."""
        if self.timer:
            self.timer.cancel()
        if self.process:
            self.process.kill()
            self.process.communicate()
            self.process = None

    def _answer(self, request: dict[str, Any], files: list[Path]) -> dict[str, Any]:
        """From memory if all that it depends on is unchanged, else from the process."""
        self.requests.append(request)
        for file in [*files, *snippet_files(request.get("source", ""), self.root)]:
            self._depend_on(file)
        versions = [sys.version, version("numpy"), model.folder() if self._uses_model() else ""]
        key = digest([*CODE_OF_OURS, *self.depends_on], *versions, json.dumps(self.requests))
        remembered = CACHE / "cells" / f"{key}.json"
        if remembered.exists():
            return dict(json.loads(remembered.read_text(encoding="utf-8")))
        answer = self._ask(request)
        if not answer["failure"]:  # what failed may succeed next time, for reasons not seen here
            remember(remembered, json.dumps(answer))
        return answer

    def _uses_model(self) -> bool:
        return any(path.stem == MODEL for path in self.depends_on)

    def _depend_on(self, file: Path) -> None:
        for path in [*snippet_files(file.read_text(encoding="utf-8"), self.root), file]:
            if path not in self.depends_on:
                self.depends_on.append(path)

    def _ask(self, request: dict[str, Any]) -> dict[str, Any]:
        """Send a request to the process, which first catches up with what was remembered.

        Also with what another build at the same time has run, and this one found remembered.
        """
        if self.process is None:
            self.process = self._start()
        for earlier in self.requests[self.sent : -1]:
            self._exchange(earlier)
        self.sent = len(self.requests)
        return self._exchange(request)

    def _start(self) -> subprocess.Popen[str]:
        path = os.pathsep.join([str(self.root), str(ROOT)])
        environment = os.environ | {
            "PYTHONPATH": path,
            "PYTHONHASHSEED": "0",
            "PYTHONDONTWRITEBYTECODE": "1",
            "OPENBLAS_NUM_THREADS": "1",  # more are slower for small matrices, above all under load
        }
        process = subprocess.Popen(
            [sys.executable, "-m", "site_src.pages.process"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            encoding="utf-8",
            cwd=self.root,
            env=environment,
        )
        self.timer = threading.Timer(SECONDS, self._out_of_time)
        self.timer.daemon = True
        self.timer.start()
        return process

    def _out_of_time(self) -> None:
        self.timed_out = True
        if self.process:
            self.process.kill()

    def _exchange(self, request: dict[str, Any]) -> dict[str, Any]:
        assert self.process
        assert self.process.stdin
        assert self.process.stdout
        line = ""
        try:
            print(json.dumps(request), file=self.process.stdin, flush=True)
            line = self.process.stdout.readline()
        except BrokenPipeError:
            pass  # it has ended; told below
        if not line:
            why = f"took more than {SECONDS} s" if self.timed_out else "ended Python"
            raise Problem(f"the cells of this page {why}.", "make the cell shorter or take it out.")
        return dict(json.loads(line))


def remember(file: Path, text: str) -> None:
    """Write a file whole or not at all; without room for it, it is run again next time."""
    half = file.with_suffix(".half")
    with suppress(OSError):
        file.parent.mkdir(parents=True, exist_ok=True)
        half.write_text(text, encoding="utf-8")
        half.replace(file)


def merged(pieces: list[Piece]) -> list[Piece]:
    """The same text with neighbouring pieces of one stream joined."""
    joined: list[Piece] = []
    for piece in pieces:
        if joined and joined[-1].stream == piece.stream:
            joined[-1] = Piece(piece.stream, joined[-1].text + piece.text)
        else:
            joined.append(piece)
    return joined
