"""The fresh process in which a page's cells run at build: one request a line, one answer a line."""

import doctest
import importlib
import json
import os
import sys
from io import StringIO
from typing import Any, TextIO

from site_src.runtime.run_cell import Failure, run_cell

Pieces = list[tuple[str, str]]


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer each request until there are no more."""
    namespace: dict[str, Any] = {}
    for line in requests:
        request = json.loads(line)
        answer = answer_to(request, namespace)
        answers.write(json.dumps(answer) + "\n")  # not print: a cell may have replaced it
        answers.flush()


def answer_to(request: dict[str, Any], namespace: dict[str, Any]) -> dict[str, Any]:
    """Check a module's examples, call a function, or run a cell."""
    if "module" in request:
        return check_examples(request)
    if "call" in request:
        module, _, function = request["call"].partition(":")
        called = getattr(importlib.import_module(module), function)
        return {"result": called(*request["arguments"]), "failure": None}
    return run(request, namespace)


def run(request: dict[str, Any], namespace: dict[str, Any]) -> dict[str, Any]:
    """Run one cell among the variables of those before it, then as a reader's first run would."""
    pieces, failure = run_one(request["cell"], request["source"], namespace)
    if failure:
        return {"pieces": pieces, "failure": failure.traceback}
    alone: dict[str, Any] = {}
    for name, source in request["builds_on"]:
        run_one(name, source, alone)
    alone_pieces, failure = run_one(request["cell"], request["source"], alone)
    if failure:
        return {"pieces": pieces, "failure": {"alone": failure.traceback}}
    if text(alone_pieces) != text(pieces):
        return {"pieces": pieces, "failure": {"alone": f"It prints:\n{text(alone_pieces)}"}}
    return {"pieces": pieces, "failure": None}


def run_one(name: str, source: str, namespace: dict[str, Any]) -> tuple[Pieces, Failure | None]:
    """What a cell writes, and how it fails."""
    pieces: Pieces = []
    failure = run_cell(name, source, namespace, lambda stream, text: pieces.append((stream, text)))
    return pieces, failure


def text(pieces: Pieces) -> str:
    """All that was written, as one text."""
    return "".join(piece for _, piece in pieces)


def check_examples(request: dict[str, Any]) -> dict[str, Any]:
    """Run the examples of a module's functions and classes.

    Not the module's own: it speaks of data, which may be changed to see what follows.
    """
    module = importlib.import_module(request["module"])
    report = StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder().find(module):
        if test.name != module.__name__:
            runner.run(test, out=report.write)
    return {"failure": report.getvalue() if runner.failures else None}


if __name__ == "__main__":
    # What a cell or a library writes to file descriptor 1 must not get among the answers, and a
    # cell that asks for input must not read a request.
    requests, answers = sys.stdin, os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    sys.stdin = StringIO()
    serve(requests, answers)
