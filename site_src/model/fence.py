"""The fence ```model``` on a page: what comes with a cell that uses the real model, and when."""

from typing import Any

from markdown import Markdown

from site_src import model
from site_src.front_end import FOLDER
from site_src.model import small
from snippets.real_model import FOLDER as AT_HOME

BESIDE = ("model card", "licence, Apache-2.0", "what was changed")  # in the order of small.BESIDE
LACKING = (
    "This build of the site lacks the real model, which is fetched by make build, and by"
    " make serve REAL_MODEL=1."
)


def format_model(
    _source: str, _language: str, _class: str, _options: dict[str, Any], _md: Markdown, **_: Any
) -> str:
    """Sizes of downloads, and links to what its makers say of it; or that it is not there."""
    files = model.files()
    if not files:
        return f'<p class="cell-unavailable">{LACKING}</p>'
    size = {name: path.stat().st_size for name, path in files.items()}
    at_first = sum(size[name] for name in small.AT_FIRST)
    card, licence, notice = (
        link(name, said) for name, said in zip(small.BESIDE, BESIDE, strict=True)
    )
    parts = ", ".join(link(name, name) for name in (*small.AT_FIRST, small.RARER))
    lines = [
        f"With the first run of a cell that uses the model: {megabytes(at_first)}.",
        f"With the first text that has a rarer word: {megabytes(size[small.RARER])} more.",
        f"By its makers: {card} and {licence}. By this site: {notice}.",
        f"For a program that you copy: {parts}, in a folder {AT_HOME}.",
    ]
    return f"<ul>{''.join(f'<li>{line}</li>' for line in lines)}</ul>"


def link(name: str, said: str) -> str:
    """To one of the model's files, from a page at the site's top."""
    return f'<a href="../{FOLDER}/{model.folder()}/{name}">{said}</a>'


def megabytes(size: int) -> str:
    """Bytes as readers see them."""
    return f"{size / 1e6:.1f} MB"
