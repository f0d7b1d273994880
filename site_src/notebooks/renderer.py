"""Makes mkdocs-jupyter write our pages, without 600 KB of styles and third parties’ addresses."""

from pathlib import Path

from mkdocs_jupyter.config import settings
from nbconvert.exporters.templateexporter import default_filters

from site_src.notebooks.page import pages


def install() -> None:
    """Put our template in place of its own; the template's one filter renders the page."""
    settings.templates_dir = str(Path(__file__).parent / "template")
    default_filters["site_page"] = pages.render
