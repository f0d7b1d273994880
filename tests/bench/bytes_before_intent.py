"""What our scripts and styles add to Material's before a reader reaches for a cell."""

import gzip
import re
from pathlib import Path

IMPORT = re.compile(r'(?:from|import)"\./([^"]+)"')
VIEW = re.compile(r'(\w+):\(\)=>import\("\./(view-[^"]+)"\)')


def own_files(site: Path, page: str = "numpy/index.html") -> set[Path]:
    """Our scripts and styles that a page loads by itself, the views of its figures among them.

    Not what it may import later.
    """
    text = (site / page).read_text(encoding="utf-8")
    folder = site / "assets" / "live"
    found = {folder / name for name in re.findall(r'/live/([^"]+\.(?:js|css))"', text)}
    figures = set(re.findall(r'<live-figure[^>]* name="(\w+)"', text))
    waiting = list(found)
    while waiting:
        script = waiting.pop().read_text(encoding="utf-8")
        names = IMPORT.findall(script) + [
            view for name, view in VIEW.findall(script) if name in figures
        ]
        waiting += {folder / name for name in names} - found
        found |= set(waiting)
    return found


def measure(site: Path) -> int:
    """What the NumPy page loads of ours."""
    return weight(own_files(site))


def weight(files: set[Path]) -> int:
    """Bytes of files, each gzipped as a host would."""
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
