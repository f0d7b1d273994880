"""Traces on demand: the same functions at build, in CPython, and in the page, in Pyodide."""

import ast
import importlib
import json
from typing import Any

import numpy as np


def traces(figure: str) -> dict[str, Any]:
    """The traces of a figure's embedded states, by their names."""
    module = trace_module(figure)
    return {name: module.trace(inputs) for name, inputs in module.embedded().items()}


def answer(figure: str, inputs: str) -> str:
    """The trace for some inputs, as JSON: {"trace": …}, or {"problem": a sentence}."""
    given = json.loads(inputs)
    if not isinstance(given, dict):
        return json.dumps({"problem": "These are no numbers for this figure."})
    try:
        return json.dumps({"trace": trace_module(figure).trace(given)})
    except ValueError as problem:
        return json.dumps({"problem": str(problem)})


def follow(figure: str, inputs: str, names: str, code: str, namespace: dict[str, Any]) -> str:
    """The trace for a reader's own variables after a cell with this code has run.

    names: the variables that the figure views, separated by spaces. inputs: what it shows now, for
    all that the reader has not defined. {"trace": null} if the code defines none of them.
    """
    wanted = names.split()
    if not set(wanted) & assigned(code):
        return json.dumps({"trace": None})
    shown = json.loads(inputs)
    try:
        return answer(figure, json.dumps(shown | {name: taken(name, namespace) for name in wanted}))
    except ValueError as problem:
        return json.dumps({"problem": str(problem)})


def assigned(code: str) -> set[str]:
    """The names that some code gives a value, those inside functions and classes left out.

    >>> sorted(assigned("a = b = 1\\ndef f():\\n    c = a"))
    ['a', 'b']
    """
    found: set[str] = set()
    nodes: list[ast.AST] = [ast.parse(code)]
    while nodes:
        node = nodes.pop()
        if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store):
            found.add(node.id)
        if not isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            nodes.extend(ast.iter_child_nodes(node))
    return found


MOST_NUMBERS = 200_000  # that a figure views at once


def taken(name: str, namespace: dict[str, Any]) -> Any:
    """A variable as plain lists. Raises ValueError, in a sentence, if it is missing or no table."""
    if name not in namespace:
        raise ValueError(f"Your cells define no {name}, which this figure needs.")
    value = namespace[name]
    if isinstance(value, np.ndarray) and value.size > MOST_NUMBERS:
        raise ValueError(
            f"Your {name} has {value.size:,} numbers; a figure views at most {MOST_NUMBERS:,}."
        )
    if isinstance(value, np.ndarray) and value.dtype.kind == "U":
        value = value.tolist()
    if isinstance(value, (list, tuple)) and all(isinstance(word, str) for word in value):
        return list(value)
    try:
        table = np.asarray(() if value is None else value, dtype=np.float64)
    except (TypeError, ValueError):
        raise ValueError(f"Your {name} is neither numbers nor a list of words.") from None
    if not np.isfinite(table).all():
        raise ValueError(f"Your {name} has an entry that is no finite number (NaN or infinite).")
    return table.tolist()


def trace_module(figure: str) -> Any:
    """The module that traces a figure."""
    return importlib.import_module(f"site_src.figures.{figure}.trace")
