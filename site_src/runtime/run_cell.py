"""Run one cell's code. The same files run at build (CPython) and in the page (Pyodide)."""

import ast
import linecache
import sys
import traceback
import warnings
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import TextIOBase
from types import CodeType
from typing import Any, NamedTuple

from site_src.runtime import displays
from site_src.runtime.advice import CELL, NO_INPUT, Advice, advice
from site_src.runtime.displays import Display
from site_src.runtime.surroundings import untouched

Write = Callable[[str, str], Any]  # (stream, text); the streams are "stdout" and "stderr"
Show = Callable[[Display], Any]


class Failure(NamedTuple):
    """An error of the reader's code, as data."""

    traceback: str  # with the reader's own frames only
    line: int | None  # in the cell, counted from 1; None if the error has no line there
    advice: Advice | None = None
    interrupted: bool = False  # by a KeyboardInterrupt


class Stream(TextIOBase):
    """A text stream that hands on at once whatever is written."""

    def __init__(self, name: str) -> None:
        self.stream_name = name
        self.hand_on: Write = lambda *_: None

    def writable(self) -> bool:
        """It is there to be written to."""
        return True

    def write(self, text: str) -> int:
        """Hand the text on, unless there is none."""
        if text:
            self.hand_on(self.stream_name, text)
        return len(text)

    def close(self) -> None:
        """Stay open: later cells print as well."""


# The same for all runs: a logging handler of an earlier cell keeps the one that it was given.
STDOUT, STDERR = Stream("stdout"), Stream("stderr")

evaluate = eval  # a cell may have deleted it


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
    Returns None, or what the reader should know about the error. Raises KeyboardInterrupt if that
    has cut an import short: modules written in C cannot be imported by halves and then again.
    """
    file = file_of(name)
    linecache.cache[file] = (len(source), None, source.splitlines(keepends=True), file)
    namespace.setdefault("__name__", "__main__")
    namespace.pop("__builtins__", None)  # exec puts the real ones there
    STDOUT.hand_on = STDERR.hand_on = write
    with looking(show):
        try:
            untouched(execute, source, file, namespace)
            displays.finish(failed=False)
        except BaseException as error:  # SystemExit too: a cell never ends the interpreter
            if import_cut_short(error):
                raise KeyboardInterrupt from error
            told = described(error, file)
            with suppress(Exception):
                displays.finish(failed=True)
            return told._replace(interrupted=isinstance(error, KeyboardInterrupt))
    return None


@contextmanager
def looking(show: Show | None) -> Iterator[None]:
    """Let pictures and tables be shown there."""
    before = displays.viewer.set(show)
    try:
        yield
    finally:
        displays.viewer.reset(before)


CAUSE, CONTEXT = (vars(BaseException)[name].__get__ for name in ("__cause__", "__context__"))


def import_cut_short(error: BaseException | None) -> bool:
    """Whether an interrupt during an import led to this error."""
    for _ in range(10):  # an error's causes may form a ring
        if error is None or isinstance(error, KeyboardInterrupt):
            break
        error = CAUSE(error) or CONTEXT(error)
    if not isinstance(error, KeyboardInterrupt):
        return False
    codes = [frame.f_code for frame, _ in traceback.walk_tb(error.__traceback__)]
    return any(
        code.co_filename.startswith("<frozen importlib")
        or (code.co_name == "<module>" and not code.co_filename.startswith(CELL))
        for code in codes
    )


def file_of(name: str) -> str:
    """The file name that a cell has in tracebacks."""
    return f"{CELL}{name}"


def execute(source: str, file: str, namespace: dict[str, Any]) -> None:
    """Execute the statements; show the value of the last one if it is an expression."""
    sys.stdin, sys.stdout, sys.stderr = NoInput(), STDOUT, STDERR
    program = compiled(source, file)
    exec(program.body, namespace)
    if program.value:
        echo(evaluate(program.value, namespace))


class Program(NamedTuple):
    """A cell's code, compiled."""

    source: str
    body: CodeType
    value: CodeType | None  # a last expression


PROGRAMS: dict[str, Program] = {}  # by file: what was compiled last


def compiled(source: str, file: str) -> Program:
    """Compile a cell, unless its latest run had this very text: that takes most of a short run."""
    kept = PROGRAMS.get(file)
    if kept and kept.source == source:
        return kept
    with warnings.catch_warnings(record=True) as told:
        program = fresh(source, file)
    for one in told:
        warnings.showwarning(one.message, one.category, one.filename, one.lineno)
    if not told:  # else the next run has to tell them again
        PROGRAMS[file] = program
    return program


def fresh(source: str, file: str) -> Program:
    """Compile a cell, a last expression by itself."""
    tree = ast.parse(source, file)
    last = tree.body.pop() if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    body = compile(tree, file, "exec")
    if not isinstance(last, ast.Expr):
        return Program(source, body, None)
    return Program(source, body, compile(ast.Expression(last.value), file, "eval"))


def echo(value: object) -> None:
    """Show a value, or print it as a prompt would."""
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
    return Failure("".join(told.format()), line_in(told, file), helpful(error, file))


def helpful(error: BaseException, file: str) -> Advice | None:
    """Advice, if it can be had: an odd object of the reader's must not cost the traceback."""
    try:
        return advice(error, file)
    except Exception:
        return None


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
