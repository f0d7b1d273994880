"""Advice on the errors that readers run into most: one sentence more than Python says."""

import ast
import linecache
import re
import sys
from collections.abc import Iterator
from itertools import islice
from types import TracebackType
from typing import Any, NamedTuple

HOSTED = "Python's standard library, NumPy, matplotlib, and this site's own snippets"
NO_INPUT = 'input() has nobody to ask here. Write the value into the code, as in name = "Ada".'
SHAPE_TROUBLE = re.compile(
    r"shape|broadcast|dimension|\baxis\b|\baxes\b|array split|too many indices|out of bounds"
)
MOST = 6  # variables that one line names
CELL = "cell "  # how the file name of a cell begins


class Advice(NamedTuple):
    """What to know about an error, and where to read on."""

    text: str
    companion: bool = False  # whether the pages of PyTorch help


def advice(error: BaseException, file: str) -> Advice | None:
    """What helps with an error that ended the cell in `file`, if it is one that many run into."""
    if isinstance(error, ModuleNotFoundError) and error.name:
        return on_import(error.name)
    if isinstance(error, ValueError | IndexError) and SHAPE_TROUBLE.search(str(error)):
        return on_shapes(error, file)
    return None


def on_import(module: str) -> Advice | None:
    """What to do without a module that is not there."""
    package = module.partition(".")[0]
    if package == "torch":
        text = (
            f"PyTorch does not run in this page, where cells can import {HOSTED}. The companion"
            " pages show attention in PyTorch, with what it prints, for your own machine."
        )
        return Advice(text, companion=True)
    if package in sys.stdlib_module_names:
        return Advice(f"{package} is a part of Python that does not work in a browser.")
    if module != package:
        return None  # a part that a package lacks: Python has said all
    return Advice(f"{package} is not hosted here. Cells can import {HOSTED}.")


def on_shapes(error: BaseException, file: str) -> Advice | None:
    """The shapes of the arrays in the expression that failed, where the reader's code names it."""
    places = [one for one in walk(error.__traceback__) if filename(one).startswith(CELL)]
    if not places:
        return None
    place = places[-1]
    frame = place.tb_frame
    values = {name: value_of(name, frame.f_locals, frame.f_globals) for name in names(place)}
    shapes = [f"{name} {told}" for name, value in values.items() if (told := shape(value))]
    if not shapes:
        return None
    of = "" if filename(place) == file else f" of “{filename(place).removeprefix(CELL)}”"
    return Advice(f"Shapes in line {place.tb_lineno}{of}: {', '.join(shapes[:MOST])}.")


def walk(trace: TracebackType | None) -> Iterator[TracebackType]:
    """The steps of a traceback, the outermost first."""
    while trace:
        yield trace
        trace = trace.tb_next


def filename(place: TracebackType) -> str:
    """The file that a step of a traceback lies in."""
    return place.tb_frame.f_code.co_filename


def names(place: TracebackType) -> list[str]:
    """The variables, and attributes of variables, in the very expression that failed."""
    span = next(islice(place.tb_frame.f_code.co_positions(), place.tb_lasti // 2, None))
    line, end_line, column, end_column = (number or 0 for number in span)
    tree = ast.parse("".join(linecache.getlines(filename(place))))
    found = {
        (node.lineno, node.col_offset, ast.unparse(node))
        for node in ast.walk(tree)
        if isinstance(node, ast.Name | ast.Attribute)
        and (line, column) <= (node.lineno, node.col_offset)
        and (node.end_lineno or 0, node.end_col_offset or 0) <= (end_line, end_column)
    }
    return list(dict.fromkeys(text for _, _, text in sorted(found)))


def value_of(name: str, *scopes: Any) -> object:
    """The value of a name, or of an attribute that an object holds itself: nothing is computed."""
    variable, *attributes = name.split(".")
    value = next((scope[variable] for scope in scopes if variable in scope), None)
    for attribute in attributes:
        value = getattr(value, "__dict__", {}).get(attribute)
    return value


def shape(value: object) -> str:
    """The shape of an array, or the shapes of a few arrays; empty for anything else."""
    numpy = sys.modules.get("numpy")
    if numpy and isinstance(value, numpy.ndarray):
        return str(value.shape)
    if isinstance(value, list | tuple) and 0 < len(value) <= MOST:
        shapes = [shape(one) for one in value]
        return f"[{', '.join(shapes)}]" if all(shapes) else ""
    return ""
