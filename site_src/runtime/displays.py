"""Show a value as a reader would like to see it: as a picture or a table, where it can be one."""

import base64
import json
import sys
from collections.abc import Callable
from contextvars import ContextVar
from typing import Any, NamedTuple

ROWS = 200  # of a table; more would bury the page


class Display(NamedTuple):
    """Something to look at, in the middle of a cell's text."""

    kind: str  # "svg", "png" or "table"
    data: str  # SVG; PNG in base64; or JSON: {"columns": […], "rows": [[…]], "more": rows left out}
    alt: str  # a sentence for those who cannot see it


# Where displays of the running cell go; None where nobody looks, as in a build.
viewer: ContextVar[Callable[[Display], Any] | None] = ContextVar("viewer", default=None)


def display(value: object) -> bool:
    """Show a value to the viewer; False if there is none, or if the value is best seen as text."""
    show = viewer.get()
    shown = (figure(value) or picture(value) or table(value)) if show else None
    if show and shown:
        show(shown)
    return shown is not None


def finish(failed: bool) -> None:
    """Show the figures that a cell has drawn and not shown, unless it failed; then close them."""
    if viewer.get() and "matplotlib.pyplot" in sys.modules:
        from site_src.runtime import matplotlib_backend

        matplotlib_backend.finish(failed)


def figure(value: object) -> Display | None:
    """A figure of matplotlib, drawn and closed."""
    module = sys.modules.get("matplotlib.figure")
    if module is None or not isinstance(value, module.Figure):
        return None
    from site_src.runtime import matplotlib_backend

    return matplotlib_backend.drawn(value)


def picture(value: object) -> Display | None:
    """What a value draws of itself, by the methods that notebooks know.

    Looked up on the type, as Python does for its own: a class is no picture of its instances.
    """
    alt = f"Picture of a value of type {type(value).__name__}."
    if (draw := getattr(type(value), "_repr_svg_", None)) and isinstance(svg := draw(value), str):
        return Display("svg", svg, alt)
    if (draw := getattr(type(value), "_repr_png_", None)) and isinstance(png := draw(value), bytes):
        return Display("png", base64.b64encode(png).decode(), alt)
    return None


def table(value: Any) -> Display | None:
    """A list of dicts with the same keys, or a structured array, as a table; None for all else."""
    columns = columns_of(value)
    if not columns:
        return None
    rows = [[str(record[column]) for column in columns] for record in value[:ROWS]]
    names = [str(column) for column in columns]
    data = json.dumps({"columns": names, "rows": rows, "more": len(value) - len(rows)})
    size = f"{counted(len(value), 'row')} and {counted(len(names), 'column')}"
    return Display("table", data, f"Table of {size}: {', '.join(names)}.")


def columns_of(value: Any) -> list[Any]:
    """The columns of what is a table; none of anything else."""
    if isinstance(value, list) and value and all(type(record) is dict for record in value):
        return list(value[0]) if all(one.keys() == value[0].keys() for one in value) else []
    numpy = sys.modules.get("numpy")
    if numpy and isinstance(value, numpy.ndarray) and value.ndim == 1:
        return list(value.dtype.names or ())
    return []


def counted(number: int, thing: str) -> str:
    """A number of things in words.

    >>> counted(1, "row"), counted(2, "row")
    ('1 row', '2 rows')
    """
    return f"{number} {thing}{'' if number == 1 else 's'}"
