"""matplotlib's backend in the page: what is shown becomes an SVG, with words that describe it."""

import base64
import io
from typing import Any

import matplotlib.pyplot as plt
from matplotlib.axes import Axes
from matplotlib.backend_bases import FigureManagerBase
from matplotlib.backends.backend_svg import FigureCanvasSVG
from matplotlib.container import BarContainer
from matplotlib.figure import Figure

from site_src.runtime.displays import Display, counted, display

LARGEST_SVG = 2_000_000  # characters; a figure of more shapes is sent as pixels
WORDS = 300  # characters of a description


class FigureManager(FigureManagerBase):  # type: ignore[misc]
    """What plt.show() and figure.show() ask to show something."""

    @classmethod
    def pyplot_show(cls, *, block: bool | None = None) -> None:
        """Show all open figures in their order."""
        finish(failed=False)

    def show(self) -> None:
        """Show one figure."""
        display(self.canvas.figure)


class FigureCanvas(FigureCanvasSVG):  # type: ignore[misc]
    """The canvas that matplotlib asks this module for."""

    manager_class = FigureManager


def finish(failed: bool) -> None:
    """Show the open figures, unless the cell has failed, and close them."""
    for number in plt.get_fignums() if not failed else []:
        display(plt.figure(number))
    plt.close("all")


def drawn(figure: Figure) -> Display:
    """A figure as SVG, or as PNG if that would be too long; it is closed thereafter."""
    svg = io.StringIO()
    figure.savefig(svg, format="svg", metadata={"Date": None})
    alt = described(figure)
    plt.close(figure)
    if len(svg.getvalue()) <= LARGEST_SVG:
        return Display("svg", svg.getvalue(), alt)
    png = io.BytesIO()
    figure.savefig(png, format="png", dpi=96)
    return Display("png", base64.b64encode(png.getvalue()).decode(), alt)


def described(figure: Figure) -> str:
    """A figure in words: titles, what is drawn, and between which values."""
    axes = [one for one in figure.axes if one.get_label() != "<colorbar>"]
    told = " ".join(chart(one) for one in axes) or "An empty figure."
    title = figure.get_suptitle()
    return cut(f"{title}: {told}" if title else told)


def chart(axes: Axes) -> str:
    """One chart of a figure, in a sentence."""
    title = axes.get_title() or axes.get_title("left") or "Chart"
    across = between(axes.get_xlabel() or "x", axes.get_xlim())
    up = between(axes.get_ylabel() or "y", axes.get_ylim())
    return f"{title}: {', '.join(contents(axes)) or 'nothing drawn'}; {across}, {up}."


def contents(axes: Axes) -> list[str]:
    """What is drawn, by kinds; with the names that a legend would give."""
    names = [str(name) for name in axes.get_legend_handles_labels()[1]]
    bars = sum(len(one) for one in axes.containers if isinstance(one, BarContainer))
    kinds = {
        "line": len(axes.lines),
        "bar": bars,
        "image": len(axes.images),
        "group of points or areas": len(axes.collections),
    }
    told = [f"{counted(number, kind)}" for kind, number in kinds.items() if number]
    return [*told, *([f"named {', '.join(names)}"] if names else [])]


def between(name: str, limits: Any) -> str:
    """An axis with the values at its ends.

    >>> between("steps", (0, 2.5))
    'steps from 0 to 2.5'
    """
    low, high = limits
    return f"{name} from {low:.3g} to {high:.3g}"


def cut(text: str) -> str:
    """The text, or as much of it as anyone would listen to."""
    return text if len(text) <= WORDS else text[: WORDS - 1] + "…"
