"""The pages of PyTorch as the site has them: light, in our look, and honest about their age."""

import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest
from bs4 import BeautifulSoup
from markdown import Markdown
from pymdownx.superfences import SuperFencesException

from site_src import ROOT
from site_src.notebooks import fence, page
from site_src.notebooks.downloads import offer
from site_src.notebooks.notebook import code_cells, executed, read, sources
from site_src.pages import take_options
from tests.server import StaticServer

IMAGE = re.compile(r"data:image/[^\"]*")
by_name = pytest.mark.parametrize("source", sources(), ids=lambda path: path.stem)


@pytest.fixture
def site(server_below: StaticServer) -> Path:
    """The built site."""
    assert server_below.root
    return server_below.root


def soup(site: Path, source: Path) -> BeautifulSoup:
    """A page of PyTorch, parsed."""
    path = site / "companion" / source.stem / "index.html"
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@by_name
def test_a_page_weighs_at_most_80_kb_without_its_images(site: Path, source: Path) -> None:
    text = (site / "companion" / source.stem / "index.html").read_text(encoding="utf-8")
    assert len(IMAGE.sub("", text).encode()) <= 80_000


@by_name
def test_a_page_shows_its_code_with_what_it_printed(site: Path, source: Path) -> None:
    cells = soup(site, source).select("executed-cell")
    shown = {cell.select_one("pre").get_text().strip(): cell for cell in cells}  # type: ignore[union-attr]
    for kept in code_cells(executed(source)):
        cell = shown[kept.metadata["written"].strip()]
        output = cell.find("output")
        assert bool(kept.outputs) == bool(output)
        for one in kept.outputs:
            text = one["text"] if one["output_type"] == "stream" else one["data"]["text/plain"]
            assert output
            assert text in output.get_text()


@by_name
def test_a_page_offers_itself_as_a_notebook_and_as_a_program(site: Path, source: Path) -> None:
    links = [str(link["href"]) for link in soup(site, source).select(".downloads a")]
    assert links == [f"../{source.stem}.ipynb", f"../downloads/{source.stem}.py"]


@pytest.mark.parametrize("repository", [None, "", "https://codeberg.org/some/repo"])
def test_colab_is_offered_only_for_a_repository_that_it_can_open(repository: str | None) -> None:
    assert "colab" not in offer("traps", repository)
    assert "some/repo/blob/main/docs/companion/traps.ipynb" in offer(
        "traps", "https://github.com/some/repo/"
    )


def test_a_page_with_outdated_outputs_says_so(monkeypatch: pytest.MonkeyPatch) -> None:
    source = sources()[0]
    assert "older than the code" not in page.markdown(read(source), source)
    monkeypatch.setattr(page, "is_current", lambda _: False)
    assert "older than the code" in page.markdown(read(source), source)


def test_a_build_needs_no_torch(tmp_path: Path) -> None:
    """As on a machine where it is not installed."""
    program = (
        "import sys; sys.modules['torch'] = None; from mkdocs.__main__ import cli;"
        f"cli(['build', '--quiet', '--strict', '--site-dir', {str(tmp_path)!r}])"
    )
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=ROOT, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "companion").is_dir()


# Fences


@pytest.fixture
def convert() -> Callable[[str], str]:
    """Turns the Markdown of one page into HTML."""
    formatters: dict[str, Callable[..., str]] = {
        "executed": fence.format_executed,
        "source": fence.format_source,
    }
    entries = [
        {"name": name, "class": name, "validator": take_options, "format": formatter}
        for name, formatter in formatters.items()
    ]
    return Markdown(
        extensions=["pymdownx.superfences"],
        extension_configs={"pymdownx.superfences": {"custom_fences": entries}},
    ).convert


def test_printed_text_is_never_taken_for_html(convert: Callable[[str], str]) -> None:
    output = {"output_type": "stream", "name": "stdout", "text": "<b>$x$ **y**</b>"}
    html = convert(page.fenced("print()", [output]))
    assert BeautifulSoup(html, "html.parser").find("output").get_text() == "<b>$x$ **y**</b>"  # type: ignore[union-attr]


def test_an_output_that_pages_do_not_show_ends_the_build(convert: Callable[[str], str]) -> None:
    output = {"output_type": "display_data", "data": {"text/html": "<script>"}}
    with pytest.raises(SuperFencesException, match="print text"):
        convert(page.fenced("show()", [output]))


@pytest.mark.parametrize("names", ["", "companion.multi_head.Nothing", "companion.nothing.at_all"])
def test_a_source_fence_that_names_nothing_ends_the_build(
    convert: Callable[[str], str], names: str
) -> None:
    with pytest.raises(SuperFencesException, match="What to do"):
        convert(f'```source snippet="{names}"\n```')
