"""What all fences of a page share: the run of its code, and how a problem is told."""

import html
import weakref
from pathlib import Path
from typing import Any

from markdown import Markdown
from pymdownx.superfences import SuperFencesException

from site_src.pages.execution import PageRun


class Surroundings:
    """What a formatter cannot know by itself; whoever builds the site may tell."""

    page: Path | None = None  # the Markdown file being read
    show_problems = False  # in place of the output, instead of ending the build
    unavailable = ""  # why cells cannot run in this build, if they cannot


surroundings = Surroundings()
runs: weakref.WeakKeyDictionary[Markdown, PageRun] = weakref.WeakKeyDictionary()


def take_options(
    _language: str, inputs: dict[str, str], options: dict[str, Any], _attrs: Any, _md: Markdown
) -> bool:
    """Take every option of a fence as it is: its formatter says what is wrong with it, in words."""
    options["given"] = dict(inputs)
    return True


def run_of(md: Markdown) -> PageRun:
    """The run of the page that this converter works on; its process ends with the converter."""
    if md not in runs:
        run = PageRun()
        runs[md] = run
        weakref.finalize(md, run.close)
    return runs[md]


def told(problem: str, md: Markdown) -> str:
    """The HTML that shows a problem in place of the output.

    Raises SuperFencesException, the one error that is not swallowed, unless problems are shown.
    """
    if surroundings.show_problems:
        return f'<div class="cell-problem" role="alert"><pre>{html.escape(problem)}</pre></div>'
    run_of(md).close()
    raise SuperFencesException(problem)
