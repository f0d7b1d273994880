"""The fresh process in which a page's cells run at build: one request a line, one answer a line."""

import doctest
import importlib
import json
import os
import sys
from io import StringIO
from typing import Any, TextIO

from site_src.runtime.run_cell import run_cell


def serve(requests: TextIO, answers: TextIO) -> None:
    """Answer each request until there are no more."""
    namespace: dict[str, Any] = {}
    for line in requests:
        request = json.loads(line)
        if "module" in request:
            answer = check_examples(request["module"], request["name"])
        else:
            answer = run(request["cell"], request["source"], namespace)
        answers.write(json.dumps(answer) + "\n")  # not print: a cell may have replaced it
        answers.flush()


def run(cell: str, source: str, namespace: dict[str, Any]) -> dict[str, Any]:
    """Run one cell among the variables of those before it."""
    pieces: list[tuple[str, str]] = []
    failure = run_cell(cell, source, namespace, lambda stream, text: pieces.append((stream, text)))
    return {"pieces": pieces, "failure": failure and failure._asdict()}


def check_examples(module_name: str, name: str) -> dict[str, Any]:
    """Run the examples in the docstring of a function or class."""
    module = importlib.import_module(module_name)
    report = StringIO()
    runner = doctest.DocTestRunner(verbose=False)
    for test in doctest.DocTestFinder(recurse=False).find(getattr(module, name), module=module):
        runner.run(test, out=report.write)
    return {"failed": runner.failures, "report": report.getvalue()}


if __name__ == "__main__":
    # What a cell or a library writes to file descriptor 1 must not get among the answers.
    answers = os.fdopen(os.dup(1), "w", encoding="utf-8")
    os.dup2(2, 1)
    serve(sys.stdin, answers)
