"""`_headers`, as text: what it allows, and what hosts can read."""

import hashlib
import re
from base64 import b64encode
from pathlib import Path

import pytest
from bs4 import BeautifulSoup

from site_src.hosting import headers
from site_src.problems import Problem
from tests.hosting.rules import Rules
from tests.server import StaticServer

INLINE = "var one = 1;\n"
PAGE = f"""<script>{INLINE}</script>
<script id="__config" type="application/json">{{"base": "."}}</script>
<script type="module" src="page.js"></script>"""


@pytest.fixture
def site(tmp_path: Path) -> Path:
    """A built site of two pages that share a script."""
    (tmp_path / "two").mkdir()
    for page in ("index.html", "two/index.html"):
        (tmp_path / page).write_text(PAGE, encoding="utf-8")
    headers.write(tmp_path)
    return tmp_path


def sent(site: Path, path: str) -> dict[str, str]:
    """The headers that a host sends with a file."""
    return Rules(site / "_headers").headers(path)


def policy(site: Path) -> dict[str, list[str]]:
    """The directives of the policy, by name."""
    header = sent(site, "/")["Content-Security-Policy"]
    return {name: sources for name, *sources in (part.split() for part in header.split(";"))}


def test_scripts_in_pages_are_allowed_by_their_hash_and_data_needs_none(site: Path) -> None:
    digest = b64encode(hashlib.sha256(INLINE.encode()).digest()).decode()
    assert policy(site)["script-src"] == ["'self'", "'wasm-unsafe-eval'", f"'sha256-{digest}'"]


def test_pages_are_isolated_and_nothing_but_this_site_is_trusted(site: Path) -> None:
    for path in ("/", "/two/", "/assets/live/worker-1.js"):
        assert sent(site, path)["Cross-Origin-Opener-Policy"] == "same-origin"
        assert sent(site, path)["Cross-Origin-Embedder-Policy"] == "require-corp"
    allowed = {source for sources in policy(site).values() for source in sources}
    assert not any(source.startswith(("http", "*", "//")) for source in allowed)
    assert "'unsafe-eval'" not in allowed
    assert [name for name, some in policy(site).items() if "'unsafe-inline'" in some] == [
        "style-src"
    ]


def test_only_what_is_named_by_its_content_is_kept_for_ever(site: Path) -> None:
    assert "immutable" in sent(site, "/assets/live/python-1/pyodide.asm.wasm")["Cache-Control"]
    for path in ("/", "/two/", "/assets/stylesheets/main.css", "/search/search_index.json"):
        assert "Cache-Control" not in sent(site, path)


def test_a_line_that_is_too_long_for_hosts_ends_the_build() -> None:
    scripts = [f"var a = {number}" for number in range(40)]
    rules = {"/*": {"Content-Security-Policy": headers.content_security_policy(scripts)}}
    with pytest.raises(Problem, match="hosts read 2000"):
        headers.written(rules)


def test_the_built_site_names_its_files_by_content_and_has_no_handlers_in_its_pages(
    server: StaticServer,
) -> None:
    assert server.root
    for path in (server.root / "assets" / "live").iterdir():
        assert re.search(r"-[0-9A-Za-z]{8,}", path.name), path
    for page in server.root.rglob("*.html"):
        for element in BeautifulSoup(page.read_text(encoding="utf-8"), "html.parser").find_all():
            assert not [name for name in element.attrs if name.startswith("on")], element
            assert not str(element.get("href", "")).startswith("javascript:"), element
    for line in (server.root / "_headers").read_text(encoding="utf-8").splitlines():
        assert len(line) <= 1500  # with room to grow
