"""What turns pages into a running site: one folder a feature, build half beside browser half."""

from pathlib import Path

ROOT = Path(__file__).parent.parent
CACHE = ROOT / ".cache"
