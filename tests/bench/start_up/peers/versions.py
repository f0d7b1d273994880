"""The versions of peers, as they are pinned."""

import json
from pathlib import Path

HERE = Path(__file__).parent


def npm_pins() -> dict[str, str]:
    """Of the npm packages; an alias has its version after the last @."""
    told = json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"]
    return {name: version.rpartition("@")[2] for name, version in told.items()}


def pypi_pins(*files: str) -> dict[str, str]:
    """Of PyPI's packages in requirements files."""
    lines = [line for name in files for line in (HERE / name).read_text("utf-8").splitlines()]
    pins = (line.split("#")[0].strip().split("==") for line in lines)
    return {pin[0]: pin[1] for pin in pins if len(pin) == 2}


NPM = npm_pins()
PYPI = pypi_pins("jupyterlite.txt", "marimo.txt")
