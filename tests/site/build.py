"""Builds of the site for the tests, each made by the very command that readers use."""

import os
import subprocess
import sys
from pathlib import Path

from site_src import ROOT


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
