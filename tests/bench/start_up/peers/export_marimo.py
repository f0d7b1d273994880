"""marimo's export for use without a network, run with marimo's own Python.

Usage: python export_marimo.py NOTEBOOK TARGET MIRROR. It would ask a browser which packages the
notebook needs; they are known here: all that the mirror's lock names.
"""

import sys
from typing import Any

import marimo._cli.export.commands as commands
import marimo._export.offline as offline
from marimo._cli.cli import main


async def all_of(_code: str, *, lockfile: Any, **_: Any) -> Any:
    """The packages that the mirror has."""
    return lockfile


async def need_no_browser() -> None:
    """Instead of a check that Playwright's own Chromium starts."""


notebook, target, mirror = sys.argv[1:]
offline._resolve_packages = all_of
commands.check_offline_export_browser = need_no_browser
commands.DependencyManager.playwright.has = lambda *_, **__: True
sys.argv = ["marimo", "export", "html-wasm", notebook, "--output", target, "--mode", "run"]
sys.argv += ["--offline", "--no-sandbox", "--force"]
sys.argv += ["--pyodide-index-url", mirror, "--pypi-index-url", f"{mirror}index/"]
main()
