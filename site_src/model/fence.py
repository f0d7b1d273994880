"""The fence ```model``` on a page: what comes with a cell that uses the real model, and when."""

from typing import Any

from markdown import Markdown

from site_src import model
from site_src.front_end import FOLDER
from site_src.model import small

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
    card, licence, notice = (f"../{FOLDER}/{model.folder()}/{name}" for name in small.BESIDE)
    return (
        f"<ul><li>With the first run of a cell that uses the model: {megabytes(at_first)}.</li>"
        f"<li>With the first text that has a rarer word: {megabytes(size[small.RARER])} more.</li>"
        f'<li>By its makers: <a href="{card}">model card</a> and'
        f' <a href="{licence}">licence, Apache-2.0</a>.'
        f' By this site: <a href="{notice}">what was changed</a>.</li></ul>'
    )


def megabytes(size: int) -> str:
    """Bytes as readers see them."""
    return f"{size / 1e6:.1f} MB"
