"""Run one cell's code. The same files run at build (CPython) and in the page (Pyodide)."""

import ast
import linecache
import sys
import traceback
from collections.abc import Callable, Iterator
from contextlib import contextmanager, redirect_stderr, redirect_stdout, suppress
from io import TextIOBase
from typing import Any, NamedTuple

from site_src.runtime import displays
from site_src.runtime.advice import CELL, NO_INPUT, Advice, advice
from site_src.runtime.displays import Display

Write = Callable[[str, str], Any]  # (stream, text); the streams are "stdout" and "stderr"
Show = Callable[[Display], Any]


class Failure(NamedTuple):
    """An error of the reader's code, as data."""

    traceback: str  # with the reader's own frames only
    line: int | None  # in the cell, counted from 1; None if the error has no line there
    advice: Advice | None = None


class Stream(TextIOBase):
    """A text stream that hands on at once whatever is written."""

    def __init__(self, name: str, write: Write) -> None:
        self.stream_name = name
        self.hand_on = write

    def writable(self) -> bool:
        """It is there to be written to."""
        return True

    def write(self, text: str) -> int:
        """Hand the text on, unless there is none."""
        if text:
            self.hand_on(self.stream_name, text)
        return len(text)


class NoInput(TextIOBase):
    """What input() reads from: there is no keyboard behind a page."""

    def readable(self) -> bool:
        """It is there to be asked."""
        return True

    def readline(self, _size: int | None = -1, /) -> str:  # type: ignore[override]
        """Say so, as at the end of a file."""
        raise EOFError(NO_INPUT)

    read = readline


def run_cell(
    name: str,
    source: str,
    namespace: dict[str, Any],
    write: Write,
    show: Show | None = None,
) -> Failure | None:
    """Run a cell in a namespace, and print the value of a last expression as a prompt would.

    show: takes pictures and tables; without it, these are printed as text.
    Returns None, or what the reader should know about the error.
    """
    file = file_of(name)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace.setdefault("__name__", "__main__")
    namespace.pop("__warningregistry__", None)  # else a warning would be shown once only
    with streams(write), looking(show):
        try:
            execute(ast.parse(source, file), file, namespace)
            displays.finish(failed=False)
        except BaseException as error:  # SystemExit too: a cell never ends the interpreter
            told = described(error, file)
            with suppress(Exception):
                displays.finish(failed=True)
            return told
    return None


@contextmanager
def streams(write: Write) -> Iterator[None]:
    """Let print() write to us, and input() have nobody to ask."""
    before, sys.stdin = sys.stdin, NoInput()
    try:
        with redirect_stdout(Stream("stdout", write)), redirect_stderr(Stream("stderr", write)):
            yield
    finally:
        sys.stdin = before


@contextmanager
def looking(show: Show | None) -> Iterator[None]:
    """Let pictures and tables be shown there."""
    before = displays.viewer.set(show)
    try:
        yield
    finally:
        displays.viewer.reset(before)


def file_of(name: str) -> str:
    """The file name that a cell has in tracebacks."""
    return f"{CELL}{name}"


def execute(tree: ast.Module, file: str, namespace: dict[str, Any]) -> None:
    """Execute the statements; show the value of the last one if it is an expression."""
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    exec(compile(tree, file, "exec"), namespace)
    if isinstance(last, ast.Expr):
        value = eval(compile(ast.Expression(last.value), file, "eval"), namespace)
        if value is not None and not displays.display(value):
            sys.stdout.write(f"{value!r}\n")


def described(error: BaseException, file: str) -> Failure:
    """The failure, also for an error that breaks whatever tries to describe it."""
    try:
        return failure(error, file)
    except BaseException as trouble:
        names = f"{type(error).__name__}, whose description failed with {type(trouble).__name__}"
        return Failure(traceback=f"{names}.\n", line=None)


def failure(error: BaseException, file: str) -> Failure:
    """Describe an error by the frames that belong to cells."""
    told = traceback.TracebackException.from_exception(error)
    for part in chain(told):
        part.stack = traceback.StackSummary.from_list(
            [frame for frame in part.stack if frame.filename.startswith(CELL)]
        )
    return Failure("".join(told.format()), line_in(told, file), advice(error, file))


def chain(told: traceback.TracebackException) -> Iterator[traceback.TracebackException]:
    """An error with all that caused it, or happened before it, or is grouped in it."""
    yield told
    for other in (told.__cause__, told.__context__, *(told.exceptions or ())):
        if other:
            yield from chain(other)


def line_in(told: traceback.TracebackException, file: str) -> int | None:
    """The line of this cell where the error arose, a SyntaxError's own line included."""
    if getattr(told, "filename", None) == file:
        return int(told.lineno) if told.lineno else None
    lines = [frame.lineno for frame in told.stack if frame.filename == file]
    return lines[-1] if lines else None
