"""Builds of the site for the tests, each made by the very command that readers use."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from filelock import FileLock

from site_src import ROOT

STANDING_IN = "http://site.test/"  # in a shared build, for the address that a copy is served at


def mkdocs(
    *arguments: str, root: Path = ROOT, **environment: str
) -> subprocess.CompletedProcess[str]:
    """Run mkdocs for a checkout, to its end."""
    return subprocess.run(
        [sys.executable, "-m", "mkdocs", *arguments],
        cwd=root,
        env=os.environ | {"PYTHONPATH": str(root), "NO_MKDOCS_2_WARNING": "1"} | environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=300,
    )


def build(target: Path, site_url: str = "") -> Path:
    """Build the site into a folder."""
    done = mkdocs("build", "--strict", "--site-dir", str(target), SITE_URL=site_url)
    assert done.returncode == 0, done.stderr
    return target


def build_once(target: Path, site_url: str = "") -> Path:
    """Build the site into a folder that several processes share."""
    with FileLock(target.parent / "build.lock"):  # a second build finds what the first has computed
        if not target.exists():
            build(target.with_suffix(".part"), site_url).rename(target)
    return target


def copy_for(address: str, site: Path, target: Path) -> Path:
    """A build for STANDING_IN as one for another address; what does not differ is linked."""
    shutil.copytree(site, target, copy_function=os.link)
    for path in [*target.rglob("*.html"), target / "sitemap.xml"]:
        text = path.read_text(encoding="utf-8")
        path.unlink()
        path.write_text(text.replace(STANDING_IN, address), encoding="utf-8")
    return target
