"""What happens when one cell's code runs, in CPython; the browser runs the very same file."""

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from site_src import ROOT
from site_src.runtime.displays import Display
from site_src.runtime.run_cell import PROGRAMS, Failure, file_of, run_cell


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


def in_a_python_of_its_own(source: str, times: int) -> str:
    """What a cell writes when it is run several times, where pytest catches no warnings."""
    program = f"""
from site_src.runtime.run_cell import run_cell
namespace, written = {{}}, []
for _ in range({times}):
    run_cell("mine", {source!r}, namespace, lambda *piece: written.append(piece[1]))
print("".join(written))
"""
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=True
    )
    return done.stdout


@pytest.mark.parametrize(
    ("source", "warning"),
    [
        ("import warnings\nwarnings.warn('look')", "mine:2: UserWarning: look"),
        ("1\n1 is 1", 'mine:2: SyntaxWarning: "is" with'),  # of the compiler
    ],
)
def test_a_warning_is_shown_each_time(source: str, warning: str) -> None:
    assert in_a_python_of_its_own(source, times=2).count(warning) == 2


def test_the_same_text_is_compiled_once_and_runs_each_time() -> None:
    code = "total = globals().get('total', 0) + 1\ntotal"
    namespace: dict[str, Any] = {}
    printed, programs = [], []
    for source in (code, code, code + " * 10", code):
        printed.append(run(source, namespace)[0])
        programs.append(PROGRAMS[file_of("mine")])
    assert printed == ["1\n", "2\n", "30\n", "4\n"]
    assert programs[0] is programs[1]
    assert len({id(program) for program in programs}) == 3


def test_a_recursion_limit_that_python_would_not_survive_is_refused_in_words() -> None:
    code = "import sys\nprint(sys.getrecursionlimit())\nsys.setrecursionlimit(10**7)"
    told = in_a_python_of_its_own(f"{code}\nsys.getrecursionlimit()", times=2)
    assert told.count("cell mine:3: RuntimeWarning: the recursion limit is 3,000 here") == 2
    assert told.startswith("1000\n")
    assert told.count("\n1000\n") == 1  # the second run begins as the first did
    assert told.count("\n3000\n") == 2


UNDO = {
    "import builtins\ndel builtins.print, builtins.isinstance, builtins.next, builtins.list": (
        "print(list([1]))"
    ),
    "import builtins\nbuiltins.len = id\nbuiltins.extra = 1": "'extra' in dir(__builtins__)",
    "__builtins__ = {}": "print(len([1]))",
    "import numpy as np\nnp.set_printoptions(precision=1)\nnp.pi = 3": "np.array([np.pi])",
    "import numpy as np\nold = np.seterr(all='raise')": "np.float64(1) / np.float64('inf')",
    "import sys\nsys.stdout = None": "print('heard')",
    "import sys\nsys.stdout.close()": "print('heard', flush=True)",
    "import sys\ndel sys.modules['json'], sys.path[:]": "import json, timeit\njson.dumps(1)",
    "import sys\nsys.modules = {}\nsys.path = []": "import colorsys\nimport json",
    "import os\nos.chdir('/')": "import os\nos.getcwd() == '/'",
    "import warnings\nwarnings.filters.clear()": "import warnings\nlen(warnings.filters) > 0",
}


@pytest.mark.parametrize("code", UNDO)
def test_what_a_cell_does_to_python_itself_ends_with_it(code: str) -> None:
    namespace: dict[str, Any] = {}
    run("import json, numpy as np", namespace)
    fresh = run(UNDO[code], {**namespace})
    assert fresh[1] is None
    assert run(code, namespace)[1] is None
    assert run(UNDO[code], namespace) == fresh


def test_an_error_is_described_though_its_cell_deleted_builtins() -> None:
    _, failure = run("import builtins\nvars(builtins).clear()\n1 / 0")
    assert failure
    assert failure.traceback.endswith("ZeroDivisionError: division by zero\n")


def test_a_logging_handler_goes_on_to_print_in_later_runs() -> None:
    namespace: dict[str, Any] = {}
    run("import logging\nhandler = logging.StreamHandler()", namespace)
    told = run("handler.emit(logging.makeLogRecord({'msg': 'second'}))", namespace)
    assert told == ("second\n", None)


def test_an_interrupt_is_told_apart() -> None:
    assert run("raise KeyboardInterrupt")[1] == Failure(
        'Traceback (most recent call last):\n  File "cell mine", line 1, in <module>\n'
        "    raise KeyboardInterrupt\nKeyboardInterrupt\n",
        line=1,
        interrupted=True,
    )
    _, failure = run("1 / 0")
    assert failure
    assert not failure.interrupted


def test_an_interrupt_that_cuts_an_import_short_is_passed_on(tmp_path: Path) -> None:
    """Half of NumPy is worse than none: the caller has to end this Python."""
    (tmp_path / "half.py").write_text("raise KeyboardInterrupt")
    (tmp_path / "wrapped.py").write_text("try: import half\nexcept: raise ImportError('half')")
    for module in ("half", "wrapped"):
        with pytest.raises(KeyboardInterrupt):
            run(f"import sys\nsys.path.append({str(tmp_path)!r})\nimport {module}")


# Pictures and tables


def shown(source: str) -> tuple[str, list[Display], Failure | None]:
    """All that a cell wrote, what it showed, and its failure."""
    written: list[str] = []
    displays: list[Display] = []
    failure = run_cell("mine", source, {}, lambda _, text: written.append(text), displays.append)
    return "".join(written), displays, failure


def test_records_are_a_table_and_without_a_viewer_text() -> None:
    source = "[{'word': 'I', 'weight': 0.5}, {'word': 'love', 'weight': 0.25}]"
    written, (table,), _ = shown(source)
    assert written == ""
    assert table.kind == "table"
    assert json.loads(table.data) == {
        "columns": ["word", "weight"],
        "rows": [["I", "0.5"], ["love", "0.25"]],
        "more": 0,
    }
    assert table.alt == "Table of 2 rows and 2 columns: word, weight."
    assert run(source) == (source + "\n", None)


def test_a_structured_array_is_a_table() -> None:
    array = "np.array([('I', 0.1)], dtype=[('word', 'U9'), ('weight', np.float32)])"
    _, (table,), _ = shown(f"import numpy as np\n{array}")
    assert json.loads(table.data)["rows"] == [["I", "0.1"]]


def test_a_long_table_says_how_many_rows_are_left_out() -> None:
    _, (table,), _ = shown("[{'n': n} for n in range(1000)]")
    data = json.loads(table.data)
    assert len(data["rows"]) + data["more"] == 1000


@pytest.mark.parametrize(
    "value", ["[]", "[{}]", "[{'a': 1}, {'b': 1}]", "[{'a': 1}, 2]", "{'a': 1}", "[[1, 2]]"]
)
def test_what_is_no_table_is_printed(value: str) -> None:
    assert shown(value) == (value + "\n", [], None)


def test_arrays_are_printed_as_numpy_prints_them() -> None:
    assert shown("import numpy as np\nnp.eye(2)")[0] == "array([[1., 0.],\n       [0., 1.]])\n"


DRAWS = "class Drawing:\n    def _repr_{kind}_(self): return {data}\n\n"


def test_what_draws_itself_is_a_picture_and_its_class_is_not() -> None:
    svg, png = DRAWS.format(kind="svg", data="'<svg/>'"), DRAWS.format(kind="png", data="b'png'")
    alt = "Picture of a value of type Drawing."
    assert shown(svg + "Drawing()")[1] == [Display("svg", "<svg/>", alt)]
    assert shown(png + "Drawing()")[1] == [Display("png", "cG5n", alt)]
    assert shown(svg + "Drawing")[0] == "<class '__main__.Drawing'>\n"
    nothing = DRAWS.format(kind="svg", data="None")
    assert "Drawing object" in shown(nothing + "Drawing()")[0]


def test_a_picture_that_cannot_be_drawn_is_an_error_in_the_readers_line() -> None:
    _, _, failure = shown(DRAWS.format(kind="svg", data="1 / 0") + "Drawing()")
    assert failure
    assert failure.traceback.endswith("ZeroDivisionError: division by zero\n")
    assert failure.line == 2


# Advice


def test_input_says_that_nobody_can_be_asked() -> None:
    written, failure = run("name = input('n? ')")
    assert written == "n? "
    assert failure
    assert 'Write the value into the code, as in name = "Ada".' in failure.traceback
    assert failure.line == 1
    assert len(failure.traceback.splitlines()) == 5


def test_a_module_that_is_not_hosted_is_told_with_what_is() -> None:
    for module in ("pandas", "pandas.io"):
        _, failure = run(f"import {module}")
        assert failure
        assert failure.advice
        assert failure.advice.text.startswith("pandas is not hosted here. Cells can import")
        assert "NumPy, matplotlib" in failure.advice.text


def test_what_a_hosted_package_lacks_needs_no_advice() -> None:
    for source in ("import numpy.nothing", "from snippets import nothing", "import snippets.no"):
        _, failure = run(source)
        assert failure
        assert failure.advice is None


def test_for_torch_there_are_the_companion_pages(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in ("torch", "torch.nn"):
        monkeypatch.setitem(sys.modules, module, None)
        _, failure = run(f"import {module}")
        assert failure
        assert failure.advice
        assert failure.advice.companion


def test_a_part_of_python_that_browsers_lack_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "tkinter", None)
    _, failure = run("import tkinter")
    assert failure
    assert failure.advice
    assert failure.advice.text == "tkinter is a part of Python that does not work in a browser."


ARRAYS = "import numpy as np\nQ, K, V = np.ones((3, 2)), np.ones((4, 2)), np.ones((4, 2))\n"


@pytest.mark.parametrize(
    ("line", "shapes"),
    [
        ("Q @ K", "Q (3, 2), K (4, 2)"),
        ("print(V.sum()); weights = np.exp(Q @ K) @ V", "Q (3, 2), K (4, 2)"),
        ("Q + K.T", "Q (3, 2), K (4, 2)"),
        ("np.concatenate([Q, K], axis=1)", "Q (3, 2), K (4, 2)"),
        ("heads = [Q, K]; np.stack(heads)", "heads [(3, 2), (4, 2)]"),
        ("Q.sum(axis=2)", "Q (3, 2)"),
        ("Q.reshape(4, 2)", "Q (3, 2)"),
        ("np.split(K, 3)", "K (4, 2)"),
        ("Q[3]", "Q (3, 2)"),
        ("Q[0, 0, 0]", "Q (3, 2)"),
        ("(Q +\n K)", "Q (3, 2), K (4, 2)"),
    ],
)
def test_the_commonest_mistakes_with_arrays_come_with_their_shapes(line: str, shapes: str) -> None:
    _, failure = run(ARRAYS + line)
    assert failure
    assert failure.advice
    assert failure.advice.text == f"Shapes in line 3: {shapes}."


def test_shapes_are_those_of_the_readers_innermost_line() -> None:
    layer = "class Layer:\n    def __init__(self): self.w = np.ones((5, 2))\n"
    call = "    def __call__(self, x): return x @ self.w\n\nLayer()(Q)"
    _, failure = run(ARRAYS + layer + call)
    assert failure
    assert failure.advice
    assert failure.advice.text == "Shapes in line 5: x (3, 2), self.w (5, 2)."
    assert failure.line == 5


def test_shapes_in_an_earlier_cell_name_that_cell() -> None:
    namespace: dict[str, Any] = {}
    run_cell("scores", "def scores(q, k):\n    return q @ k", namespace, lambda *_: None)
    _, failure = run(ARRAYS + "scores(Q, K)", namespace)
    assert failure
    assert failure.advice
    assert failure.advice.text == "Shapes in line 2 of “scores”: q (3, 2), k (4, 2)."


def test_shapes_of_a_mistake_inside_a_snippet_are_those_of_the_call() -> None:
    call = "from snippets.attention import softmax\nsoftmax(Q @ K.T, axis=2)"
    _, failure = run(ARRAYS + call)
    assert failure
    assert failure.advice
    assert failure.advice.text == "Shapes in line 4: Q (3, 2), K (4, 2)."


def test_advice_that_fails_does_not_cost_the_traceback() -> None:
    odd = "class Odd:\n    axis = 1\n    @property\n    def __dict__(self): 1 / 0\nodd = Odd()\n"
    _, failure = run(ARRAYS + odd + "np.concatenate([Q, K], axis=odd.axis)")
    assert failure
    assert "must match exactly" in failure.traceback
    assert failure.line == 8


@pytest.mark.parametrize("line", ["int('shape')", "raise ValueError('shape')", "[][1]", "1 / 0"])
def test_other_errors_get_no_shapes(line: str) -> None:
    _, failure = run(ARRAYS + line)
    assert failure
    assert failure.advice is None
