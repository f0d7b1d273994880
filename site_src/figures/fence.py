"""The fence ```figure … ``` on a page: values embedded, and tables for readers without JavaScript.

    ```figure name="calculation" title="Every number" start="three words/none" binds="X W_q"
    One line that says what to see.
    ```

name: the folder below site_src/figures. title: what search engines and screen readers call it.
start: the embedded state that is shown first. binds, optional: the variables of the page's cells
that it views.
"""

import html
import json
from pathlib import Path
from traceback import format_exc
from typing import Any

from markdown import Markdown

from site_src import ROOT
from site_src.model import original
from site_src.pages import run_of, surroundings, told
from site_src.problems import Problem
from site_src.symbols.maths import renderer

HERE = Path(__file__).parent
# Room for controls and messages, so that nothing jumps when they come.
CONTROLS = '<div class="figure-controls"></div>'
PICTURE = '<div class="picture"></div>'
BELOW = '<div class="figure-below"></div>'
BELOW_STAGE = '<div class="figure-bar"></div><p class="figure-message"></p>'
OPTIONS = {"name", "title", "start", "binds"}


def format_figure(
    source: str, _language: str, _class: str, options: dict[str, Any], md: Markdown, **_: Any
) -> str:
    """The fence's HTML, with values that its trace computed."""
    given: dict[str, str] = options["given"]
    where = f"{surroundings.page or 'a page'}: figure “{given.get('name', '')}”"
    try:
        check_options(given)
        traces = run_of(md).call(
            "site_src.figures.live:traces", given["name"], made_from=made_from()
        )
        return figure_html(source.strip(), given, traces) if traces else absent(given["title"])
    except Problem as problem:
        return told(f"{where}: {problem}", md)
    except Exception:  # superfences would print the fence as plain text, and nobody would notice
        return told(f"{where}: a mistake of the site itself.\n{format_exc()}", md)


def check_options(given: dict[str, str]) -> None:
    """Raise a Problem for a figure that is not there or an option that is not known."""
    known = sorted(path.parent.name for path in HERE.glob("*/trace.py"))
    if given.get("name") not in known:
        raise Problem("there is no figure of this name.", f"name one of: {', '.join(known)}.")
    if unknown := set(given) - OPTIONS:
        raise Problem(f"unknown option {', '.join(unknown)}.", f"it takes {', '.join(OPTIONS)}.")
    if not given.get("title") or not given.get("start"):
        raise Problem("a figure needs a title and a start.", 'write title="…" start="…".')


def made_from() -> list[Path]:
    """The files whose change changes a trace, besides the snippets that they import."""
    results = (ROOT / "snippets" / "companion" / "results").glob("*.json")
    kept = sorted(HERE.glob("*/result.json"))
    model = sorted((HERE.parent / "model").glob("*.py"))
    code = [*sorted(HERE.glob("*.py")), *sorted(HERE.glob("*/trace.py")), *model]
    return [*code, *kept, *sorted(results), *original.stamps()]


def figure_html(caption: str, given: dict[str, str], traces: dict[str, Any]) -> str:
    """The figure as readers see it without JavaScript, and what <live-figure> needs to draw it."""
    if given["start"] not in traces:
        raise Problem(f"it has no state “{given['start']}”.", f"name one of: {', '.join(traces)}.")
    name = given["name"]
    attributes = {"name": name, "start": given["start"], "state": "static"}
    attributes |= {"binds": given["binds"]} if "binds" in given else {}
    attributes |= {"pictured": ""} if "picture" in traces[given["start"]] else {}
    written = "".join(f' {key}="{html.escape(value)}"' for key, value in attributes.items())
    return (
        f"<div class=\"figure\"><live-figure{written} data-traces='{embedded(traces)}'>"
        f'<figure aria-labelledby="figure-{name}"><figcaption>'
        f'<span class="figure-title" id="figure-{name}">{html.escape(given["title"])}</span> '
        f"{html.escape(caption)}</figcaption>{formula(traces[given['start']])}"
        f'<div class="stage">{stage(traces[given["start"]])}</div>{BELOW_STAGE}'
        "</figure></live-figure></div>"
    )


def absent(title: str) -> str:
    """What stands in place of a figure of the real model, in a build that has not fetched it."""
    return (
        f'<div class="figure"><p class="figure-absent"><strong>{html.escape(title)}</strong> '
        "This figure shows a real model, all-MiniLM-L6-v2, which this build of the site has not "
        "fetched. <code>make serve REAL_MODEL=1</code> does, and so does <code>make build</code>."
        "</p></div>"
    )


def formula(trace: dict[str, Any]) -> str:
    r"""The formula that a trace has in TeX; step KEY lights up \htmlClass{part-KEY} in it."""
    if "formula" not in trace:
        return ""
    return f'<div class="figure-formula">{renderer.html(trace["formula"], True)}</div>'


def embedded(traces: dict[str, Any]) -> str:
    """JSON for an attribute in single quotes: double ones need no escape, which saves a third."""
    text = json.dumps(traces, ensure_ascii=False, separators=(",", ":"))
    return text.replace("&", "&amp;").replace("<", "&lt;").replace("'", "&#39;")


def stage(trace: dict[str, Any]) -> str:
    """All steps, one below the other, as tables, between the places for what scripts add.

    A trace with a "picture", the words that say what it shows, has its place before the tables.
    """
    matrices = {matrix["name"]: matrix for matrix in trace["matrices"]}
    alone = len(trace["steps"]) == 1
    steps = [
        step_html("" if alone else f"{number}. ", step, matrices)
        for number, step in enumerate(trace["steps"], 1)
    ]
    tables = f'<div class="steps">{"".join(steps)}</div>'
    how = f'<p class="how">{html.escape(trace.get("picture", ""))}</p>'
    if "picture" in trace:
        return f"{CONTROLS}{PICTURE}{how}{BELOW}{tables}"
    return f"{CONTROLS}{tables}{how}{BELOW}"


def step_html(number: str, step: dict[str, Any], matrices: dict[str, Any]) -> str:
    """One step: what it takes and what it makes. view.ts builds the same elements."""
    taken = "".join(table(matrices[name]) for name in step["takes"])
    made = "".join(table(matrices[name]) for name in step["makes"])
    return (
        f'<section class="step" data-step="{step["key"]}">'
        f'<p class="step-title" role="heading" aria-level="2">{number}'
        f"{html.escape(step['title'])}</p>"
        f'<p class="step-says">{html.escape(step["says"])}</p>'
        f'<div class="matrices"><div class="takes">{taken}</div>'
        f'<div class="makes">{made}</div></div></section>'
    )


def table(matrix: dict[str, Any]) -> str:
    """A matrix with its name, and labels for its rows and columns."""
    symbol = f" sym-{matrix['symbol']}" if matrix["symbol"] else ""
    columns = "".join(f'<th scope="col">{html.escape(name)}</th>' for name in matrix["columns"])
    rows = "".join(
        f'<tr><th scope="row">{html.escape(name)}</th>'
        + "".join(f"<td{shade}>{text}</td>" for text, shade in zip(texts, shades, strict=True))
        + "</tr>"
        for name, texts, shades in zip(
            matrix["rows"], matrix["shown"], shades_of(matrix), strict=True
        )
    )
    return (
        f'<table class="matrix" data-name="{matrix["name"]}"><caption>'
        f'<span class="matrix-name{symbol}">{html.escape(matrix["name"])}</span> '
        f"{html.escape(matrix['title'])}</caption>"
        f"<thead><tr><td></td>{columns}</tr></thead><tbody>{rows}</tbody></table>"
    )


def shades_of(matrix: dict[str, Any]) -> list[list[str]]:
    """What colours the cells of attention weights by their share; nothing for other matrices."""
    is_share = matrix["symbol"] == "weights"
    return [
        [f' style="--share:{value:.2f}"' if is_share else "" for value in row]
        for row in matrix["values"]
    ]
