"""The version of a build, and its list of files."""

import json
from pathlib import Path

from site_src.offline import UNSTAMPED, WORKER
from site_src.offline.stamp import stamp

PAGE = f'<meta name="build" content="{UNSTAMPED}">'
FILES = {
    "index.html": PAGE,
    "numpy/index.html": PAGE,
    "404.html": PAGE,
    "sitemap.xml": "<lastmod>today",
    WORKER: f'const build = "{UNSTAMPED}";',
    "assets/live/page-1.js": "run()",
    "assets/live/python-1/python.image.zstd": "packed image",
    "assets/live/python-1/stock/python_stdlib.zip": "a last resort",
}


def built(folder: Path, **changes: str) -> Path:
    """A site, with the content of some files changed."""
    for name, content in (FILES | changes).items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(content, encoding="utf-8")
    stamp(folder, offline=True)
    return folder


def version(site: Path) -> str:
    """What stands in a page."""
    (list_of_files,) = site.glob("assets/live/build-*.json")
    found = list_of_files.stem.removeprefix("build-")
    for name in ("numpy/index.html", "404.html", WORKER):
        assert (site / name).read_text(encoding="utf-8") == FILES[name].replace(UNSTAMPED, found)
    return found


def test_another_content_is_another_version_and_another_day_is_not(tmp_path: Path) -> None:
    first = version(built(tmp_path / "first"))
    assert version(built(tmp_path / "later", **{"sitemap.xml": "<lastmod>tomorrow"})) == first
    assert version(built(tmp_path / "other", **{"assets/live/page-1.js": "go()"})) != first


def test_the_list_tells_what_offline_reading_needs_with_sizes_as_served(tmp_path: Path) -> None:
    site = built(tmp_path)
    listed = json.loads(next(site.glob("assets/live/build-*.json")).read_text(encoding="utf-8"))
    assert listed["whole"]["numpy/"] == (site / "numpy" / "index.html").stat().st_size
    assert {"", "sitemap.xml", "assets/live/python-1/python.image.zstd"} <= set(listed["whole"])
    assert listed["others"] == ["404.html", "assets/live/python-1/stock/python_stdlib.zip"]


def test_without_a_worker_pages_have_a_version_and_no_list(tmp_path: Path) -> None:
    (tmp_path / "index.html").write_text(PAGE, encoding="utf-8")
    stamp(tmp_path, offline=False)
    assert UNSTAMPED not in (tmp_path / "index.html").read_text(encoding="utf-8")
    assert [path.name for path in tmp_path.iterdir()] == ["index.html"]
