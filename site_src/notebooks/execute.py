"""Run the PyTorch pages and keep what they print: python -m site_src.notebooks.execute

Only those that are out of date, unless --all is given. Needs torch.
"""

import os
import sys
from pathlib import Path
from typing import Any

from nbclient import NotebookClient

from site_src import ROOT
from site_src.notebooks.alone import made_to_run_alone
from site_src.notebooks.notebook import (
    STAMP,
    code_cells,
    is_current,
    keep,
    read,
    sources,
    stamp,
)

SECONDS = 120  # for one cell
KERNEL = {"display_name": "Python 3", "language": "python", "name": "python3"}


def execute(source: Path, folder: Path) -> Any:
    """The source's notebook with all that its cells print, run in a folder without the project.

    Raises CellExecutionError if one of them fails.
    """
    notebook = made_to_run_alone(read(source))
    environment = os.environ | {
        "PYTHONPATH": "",
        "PYTHONHASHSEED": "0",
        "CUDA_VISIBLE_DEVICES": "",  # what a page prints is the same on every machine
        "PYDEVD_DISABLE_FILE_VALIDATION": "1",
    }
    client = NotebookClient(
        notebook, timeout=SECONDS, resources={"metadata": {"path": str(folder)}}
    )
    client.execute(env=environment)
    for number, cell in enumerate(notebook.cells):
        cell.id = f"cell-{number}"
        cell.metadata.pop("execution", None)  # when it ran: another text each time
    notebook.metadata = {"kernelspec": KERNEL, STAMP: stamp(source)}
    return notebook


def main(arguments: list[str]) -> None:
    """Bring all notebooks up to date."""
    for source in sources():
        if "--all" in arguments or not is_current(source):
            print(f"  {source.relative_to(ROOT)} …", end=" ", flush=True)
            notebook = execute(source, source.parent)
            keep(source, notebook)
            print(f"{len(code_cells(notebook))} cells run")


if __name__ == "__main__":
    main(sys.argv[1:])
