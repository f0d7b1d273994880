"""What our scripts and styles add to Material's before a reader reaches for a cell."""

import gzip
import re
from pathlib import Path


def own_files(site: Path, page: str = "numpy/index.html") -> set[Path]:
    """Our scripts and styles that a page loads by itself; not what it may import later."""
    named = re.findall(
        r'(?:src|href)="[^"]*/live/([^"]+\.(?:js|css))"', (site / page).read_text(encoding="utf-8")
    )
    found = {site / "assets" / "live" / name for name in named}
    for script in list(found):
        for name in re.findall(r'(?:from|import)"\./([^"]+)"', script.read_text(encoding="utf-8")):
            found.add(script.parent / name)
    return found


def measure(site: Path) -> int:
    """What the NumPy page loads of ours."""
    return weight(own_files(site))


def weight(files: set[Path]) -> int:
    """Bytes of files, each gzipped as a host would."""
    return sum(len(gzip.compress(path.read_bytes(), 9)) for path in files)
