"""What happens when one cell's code runs, in CPython; the browser runs the very same file."""

import subprocess
import sys
from typing import Any

from site_src import ROOT
from site_src.runtime.run_cell import Failure, run_cell


def run(source: str, namespace: dict[str, Any] | None = None) -> tuple[str, Failure | None]:
    """All that a cell wrote, and its failure."""
    written: list[str] = []
    failure = run_cell(
        "mine", source, {} if namespace is None else namespace, lambda _, text: written.append(text)
    )
    return "".join(written), failure


def test_prints_and_shows_the_value_of_a_last_expression() -> None:
    assert run("print('a', end='')\n1 + 1") == ("a2\n", None)


def test_shows_no_value_of_an_assignment_or_of_none() -> None:
    assert run("x = 1") == ("", None)
    assert run("print('p')") == ("p\n", None)


def test_cells_share_a_namespace() -> None:
    namespace: dict[str, Any] = {}
    run("x = 41", namespace)
    assert run("x + 1", namespace) == ("42\n", None)


def test_stderr_is_told_apart() -> None:
    pieces: list[tuple[str, str]] = []
    run_cell(
        "mine", "import sys; print('e', file=sys.stderr)", {}, lambda *piece: pieces.append(piece)
    )
    assert pieces[0] == ("stderr", "e")


def test_a_traceback_has_only_the_readers_frames_and_their_lines() -> None:
    _, failure = run("def half(x):\n    return x / 0\n\nhalf(1)")
    assert failure
    assert failure.traceback.endswith("ZeroDivisionError: division by zero\n")
    assert failure.line == 2
    assert 'File "cell mine", line 4, in <module>\n    half(1)' in failure.traceback
    assert "run_cell.py" not in failure.traceback


def test_a_cause_is_told_without_our_frames_too() -> None:
    _, failure = run(
        "try:\n    1 / 0\nexcept ZeroDivisionError as e:\n    raise ValueError('v') from e"
    )
    assert failure
    assert "ZeroDivisionError" in failure.traceback
    assert "run_cell.py" not in failure.traceback


def test_a_syntax_error_names_the_line() -> None:
    _, failure = run("x = 1\ny = = 2")
    assert failure
    assert failure.line == 2
    assert failure.traceback.endswith("SyntaxError: invalid syntax\n")


def test_leaving_python_is_an_error_like_any_other() -> None:
    for source in ("raise SystemExit", "import sys; sys.exit(3)", "raise KeyboardInterrupt"):
        assert run(source)[1] is not None
    assert run("print('alive')") == ("alive\n", None)


def test_an_error_in_a_cell_that_ran_earlier_shows_that_cells_line() -> None:
    namespace: dict[str, Any] = {}
    run_cell("first", "def f(x):\n    return x.shape", namespace, lambda *_: None)
    _, failure = run("f(1)", namespace)
    assert failure
    assert 'File "cell first", line 2, in f\n    return x.shape' in failure.traceback
    assert failure.line == 1


ODD = """
class Odd(Exception):
    @property
    def __cause__(self):
        raise ValueError

raise Odd
"""
CHAINED = """
error = None
for number in range(9000):
    later = ValueError(number)
    later.__cause__ = error
    error = later
raise error
"""


def test_an_error_that_cannot_be_described_is_still_an_error() -> None:
    for source, name in ((ODD, "Odd"), (CHAINED, "ValueError")):
        _, failure = run(source)
        assert failure
        assert name in failure.traceback


def test_a_warning_is_shown_each_time() -> None:
    twice = """
from site_src.runtime.run_cell import run_cell
namespace, written = {}, []
for _ in range(2):
    source = "import warnings\\nwarnings.warn('look')"
    run_cell("mine", source, namespace, lambda *piece: written.append(piece[1]))
print("".join(written))
"""
    done = subprocess.run(
        [sys.executable, "-c", twice], cwd=ROOT, capture_output=True, text=True, check=True
    )
    assert done.stdout.count("UserWarning: look") == 2
