"""Wires MkDocs to the rest: preparation first, then scripts, styles and Python as files."""

import os
import socket
from pathlib import Path
from typing import Any, Literal

from mkdocs.config.config_options import ExtraScriptValue
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.exceptions import Abort
from mkdocs.structure.files import File, Files
from mkdocs.structure.pages import Page
from pymdownx.superfences import SuperFencesException

from site_src import ROOT, search
from site_src.front_end import FOLDER, FrontEnd, bundle
from site_src.hosting import headers
from site_src.notebooks import renderer
from site_src.notebooks.downloads import programs
from site_src.notebooks.page import is_notebook, pages
from site_src.offline import EXPLANATION, UNSTAMPED, WORKER
from site_src.offline.stamp import stamp
from site_src.pages import surroundings
from site_src.prepare import prepare
from site_src.problems import Problem
from site_src.steps import disk_problem

os.environ.setdefault("NO_MKDOCS_2_WARNING", "1")  # Material's banner; mkdocs is pinned below 2
OFFLINE = "OFFLINE" in os.environ  # whether the site is to be published, and works offline
state: dict[str, Any] = {"serving": False, "address checked": False, "front end": None}


def on_startup(command: Literal["build", "gh-deploy", "serve"], dirty: bool) -> None:
    """Prepare the machine. Without network `serve` goes on, and cells say what is missing."""
    state["serving"] = surroundings.show_problems = command == "serve"
    renderer.install()
    try:
        prepare()
    except Problem as problem:
        give_up(problem)
        surroundings.unavailable = f"This cell cannot run here yet. {problem.what} {problem.remedy}"


def on_config(config: MkDocsConfig) -> MkDocsConfig:
    """Add the site's script and style, under the names that their content gives them."""
    if state["serving"] and not state["address checked"]:
        state["address checked"] = True
        require_free(*config.dev_addr)
    state["front end"] = None if surroundings.unavailable else bundled()
    if front_end := state["front end"]:
        script = ExtraScriptValue(front_end.script)
        script.type = "module"
        config.extra_javascript.append(script)
        config.extra_css.append(front_end.style)
        config.extra["fonts"] = front_end.fonts
        config.extra["search"] = {"engine": search.engine(), "on_demand": front_end.search}
    if not state["serving"]:
        config.extra["build"] = UNSTAMPED
    if works_offline():
        config.extra["service_worker"] = WORKER
        config.theme.static_templates.add(EXPLANATION)
    return config


def works_offline() -> bool:
    """Whether the site has a service worker: never under `serve`, whose pages change."""
    return OFFLINE and not state["serving"] and state["front end"] is not None


def on_files(files: Files, config: MkDocsConfig) -> Files:
    """Add what was bundled and prepared to the files of the site."""
    front_end: FrontEnd | None = state["front end"]
    for address, path in (front_end.files if front_end else {}).items():
        files.append(File.generated(config, address, abs_src_path=str(path)))
    if front_end and works_offline():
        worker = str(front_end.service_worker)
        files.append(File.generated(config, WORKER, abs_src_path=worker))
    for program in programs(config):
        files.append(program)
    return files


def on_page_markdown(markdown: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Let problems of a cell name the file they are in."""
    source = Path(page.file.abs_src_path or "")
    surroundings.page = source.relative_to(ROOT) if source.is_relative_to(ROOT) else source
    if is_notebook(page):
        pages.expect(page, config, files)


def on_page_content(_html: str, page: Page, config: MkDocsConfig, files: Files) -> None:
    """Give a page of PyTorch its own table of contents, in place of mkdocs-jupyter's."""
    if is_notebook(page) and pages.contents:
        page.toc = pages.contents


def on_post_build(config: MkDocsConfig) -> None:
    """Let search wait for its first word; give the site its version, and hosts its headers."""
    if state["front end"]:
        search.defer(Path(config.site_dir), FOLDER)
    if not state["serving"]:
        stamp(Path(config.site_dir), works_offline())
        headers.write(Path(config.site_dir))


def on_build_error(error: Exception) -> None:
    """Tell in a sentence of what is no bug: a fence, a formula, or a disk that is full."""
    if isinstance(error, SuperFencesException):
        raise Abort("\nThe site was not built: see the error above.")
    if problem := error if isinstance(error, Problem) else disk_problem(error):
        raise Abort(f"\n{problem}")


def bundled() -> FrontEnd | None:
    """The front end; under `serve` a mistake in its sources is reported, and the last one stays."""
    try:
        return bundle()
    except Problem as problem:
        give_up(problem)
        print(f"\n{problem}\n", flush=True)
        last: FrontEnd | None = state["front end"]
        return last


def give_up(problem: Problem) -> None:
    """End a build. A server goes on, and shows the problem."""
    if not state["serving"]:
        raise Abort(f"\n{problem}")


def require_free(host: str, port: int) -> None:
    """End with a sentence if another program listens there."""
    with socket.socket(socket.AF_INET6 if ":" in host else socket.AF_INET) as probe:
        probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        try:
            probe.bind((host, port))
        except OSError as error:
            raise Abort(
                f"\n{host}:{port} cannot be used ({error.strerror}).\n"
                f"  What to do: choose another port, as in: make serve PORT={port + 1}"
            ) from error
