"""What a PyTorch page offers to take along: itself as a notebook, and as a program."""

import jupytext
from mkdocs.config.defaults import MkDocsConfig
from mkdocs.structure.files import File

from site_src.notebooks.notebook import executed, sources

COLAB = "https://colab.research.google.com/github/"
GITHUB = "https://github.com/"


def programs(config: MkDocsConfig) -> list[File]:
    """Each page as one .py that runs alone; MkDocs copies the notebooks by itself."""
    return [
        File.generated(
            config, program(source.stem), content=jupytext.writes(notebook, "py:percent")
        )
        for source in sources()
        if (notebook := executed(source)).cells
    ]


def program(name: str) -> str:
    """Where on the site a page's program lies."""
    return f"companion/downloads/{name}.py"


def offer(name: str, repository: str | None) -> str:
    """The lines of Markdown at the end of a page."""
    links = [f"[a notebook]({name}.ipynb)", f"[a Python file](downloads/{name}.py)"]
    colab = ""
    if repository and repository.startswith(GITHUB):
        path = (
            f"{repository.removeprefix(GITHUB).rstrip('/')}/blob/main/docs/companion/{name}.ipynb"
        )
        colab = f" Or [open it in Colab]({COLAB}{path})."
    return (
        f"Take this page along as {' or as '.join(links)}: "
        f"both run alone wherever PyTorch and NumPy are.{colab}\n{{ .downloads }}"
    )
