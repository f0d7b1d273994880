"""The built pages as files: links, descriptions, anchors, weight, and nobody else's address."""

import re
from collections.abc import Iterator
from functools import cache
from pathlib import Path
from urllib.parse import unquote, urljoin, urlsplit

import pytest
from bs4 import BeautifulSoup, Tag

from site_src import ROOT
from site_src.notebooks import notebook
from tests.bench.bytes_before_intent import own_files, weight
from tests.server import StaticServer

BASE = "http://the.site/"


@cache
def soup(path: Path) -> BeautifulSoup:
    """A built page, parsed."""
    return BeautifulSoup(path.read_text(encoding="utf-8"), "html.parser")


@pytest.fixture
def site(server_below: StaticServer) -> Path:
    """The site, built for no address in particular."""
    assert server_below.root
    return server_below.root


def pages(site: Path) -> list[Path]:
    """All pages but the one for what is not there."""
    return [path for path in sorted(site.rglob("*.html")) if path.name != "404.html"]


def address(page: Path, site: Path) -> str:
    """Where a page would be on the site."""
    return BASE + page.relative_to(site).as_posix().removesuffix("index.html")


def references(page: Path) -> Iterator[str]:
    """Every address that a page names."""
    for element in soup(page).find_all(True):
        for attribute in ("href", "src", "srcset", "action", "poster"):
            if value := element.get(attribute):
                yield str(value)


def file_behind(url: str, site: Path) -> Path:
    """The file that a static host sends for an address."""
    path = site / unquote(urlsplit(url).path.lstrip("/"))
    return path / "index.html" if url.split("#")[0].endswith("/") else path


def test_every_link_leads_to_a_page_and_an_anchor_that_exist(site: Path) -> None:
    checked = 0
    for page in pages(site):
        for reference in references(page):
            url = urljoin(address(page, site), reference)
            if not url.startswith(BASE):
                continue
            target = file_behind(url, site)
            assert target.is_file(), f"{page.relative_to(site)} links to {reference}"
            anchor = urlsplit(url).fragment
            if anchor and target.suffix == ".html":
                found = soup(target).find(id=unquote(anchor))
                assert found, f"{page.relative_to(site)} links to {reference}"
            checked += 1
    assert checked > 50


def test_no_page_style_or_script_of_ours_names_a_third_party(site: Path) -> None:
    for page in [*pages(site), site / "404.html"]:
        for element in soup(page).find_all(["script", "link", "img", "iframe", "source", "form"]):
            for attribute in ("src", "href", "action"):
                value = str(element.get(attribute) or "")
                assert not value.startswith(("http:", "https:", "//")), element
    for style in site.rglob("*.css"):
        assert not re.search(r"url\(['\"]?(https?:)?//", style.read_text(encoding="utf-8")), style


def test_every_page_describes_itself_to_search_engines_and_to_links(site: Path) -> None:
    descriptions = set()
    for page in pages(site):
        head = soup(page).head
        assert head
        description = content(head, "name", "description")
        assert 50 < len(description) < 160
        descriptions.add(description)
        assert content(head, "property", "og:description") == description
        assert content(head, "property", "og:title")
        image = urljoin(address(page, site), content(head, "property", "og:image"))
        assert file_behind(image, site).is_file()
    assert len(descriptions) == len(pages(site))


def content(head: Tag, attribute: str, value: str) -> str:
    """What a meta element says."""
    meta = head.find("meta", attrs={attribute: value})
    assert isinstance(meta, Tag), value
    return str(meta["content"])


def test_the_share_image_has_a_full_address_where_the_sites_own_is_known(
    server: StaticServer,
) -> None:
    assert server.root
    head = soup(server.root / "numpy" / "index.html").head
    assert head
    assert content(head, "property", "og:image") == f"{server.address}assets/share.png"


def test_every_heading_has_an_anchor(site: Path) -> None:
    for page in pages(site):
        for heading in soup(page).select("article :is(h1, h2, h3, h4)"):
            assert heading.get("id"), heading


def test_the_navigation_names_every_page_and_no_other(site: Path) -> None:
    sources = {path.stem for path in (ROOT / "docs").glob("*.md")}
    sources |= {f"companion/{path.stem}" for path in notebook.sources()}
    links = soup(site / "index.html").select(".md-nav--primary a.md-nav__link[href]")
    named = {str(link["href"]).strip("./") or "index" for link in links}
    assert {name for name in named if not name.startswith("#")} == sources


def test_a_page_that_is_not_there_is_answered_in_our_words(site: Path) -> None:
    heading = soup(site / "404.html").find("h1")
    assert heading
    assert heading.text.startswith("There is no page here")
    linked = {link["href"] for link in soup(site / "404.html").select("article a[href]")}
    assert "/numpy/" in linked


def weight_before_intent(page: Path, site: Path) -> int:
    """Bytes of our scripts and styles that a page loads by itself, gzipped, figures included."""
    loaded = own_files(site, page.relative_to(site).as_posix())
    assert len(loaded) >= 2
    views = [path for path in loaded if path.name.startswith("view-")]
    assert bool(views) == bool(soup(page).find("live-figure"))
    return weight(loaded)


def test_our_scripts_and_styles_weigh_little_before_intent(site: Path) -> None:
    """At most 30 kB above what Material itself loads; at most 45 kB on a page with figures."""
    for page in pages(site):
        most = 45_000 if soup(page).find("live-figure") else 30_000
        assert weight_before_intent(page, site) <= most, page


def test_every_page_is_one_idea_that_reads_in_under_five_minutes(site: Path) -> None:
    for page in pages(site):
        line = soup(page).select_one("h1 + .reading-time")
        assert line, page
        said = int(re.findall(r"\d+", line.text)[0])
        assert 1 <= said < 5
        prose = soup(page).select("article > :is(p, ul, ol, dl, h2), article .admonition p")
        words = sum(len(element.text.split()) for element in prose)
        assert words / 200 <= said + 0.3, page


def test_every_page_has_a_cell_a_turn_of_yours_and_its_answer(site: Path) -> None:
    for page in pages(site):
        assert soup(page).select("py-cell, executed-cell output"), page
        heading = soup(page).find(id="your-turn")
        assert heading, page
        after = [element.name for element in heading.find_next_siblings()]
        assert "details" in after, page


def test_previous_and_next_lead_through_all_pages_in_order(site: Path) -> None:
    here, seen = site / "index.html", []
    while True:
        seen.append(here)
        following = soup(here).select_one("a.md-footer__link--next")
        if not following:
            break
        there = file_behind(urljoin(address(here, site), str(following["href"])), site)
        back = soup(there).select_one("a.md-footer__link--prev")
        assert back
        assert file_behind(urljoin(address(there, site), str(back["href"])), site) == here
        here = there
    assert len(seen) == len(set(seen)) == len(pages(site))


def test_pages_paste_no_python(site: Path) -> None:
    """Functions and classes live in snippets/, where they are tested; pages include them."""
    for path in [*(ROOT / "docs").rglob("*.md"), *notebook.sources()]:
        text = path.read_text(encoding="utf-8")
        assert not re.search(r"^\s*(def|class) \w+.*:", text, re.M), path


def test_only_a_published_build_has_a_service_worker_and_every_build_its_version(
    site: Path,
) -> None:
    assert not list(site.rglob("*worker.js"))
    versions = [soup(page).find("meta", attrs={"name": "build"}) for page in pages(site)]
    assert len({str(version) for version in versions}) == 1
    assert re.search(r'content="[0-9a-f]{16}"', str(versions[0]))
    assert not soup(site / "index.html").find("meta", attrs={"name": "service-worker"})
