"""A pretrained encoder, all-MiniLM-L6-v2, fetched once and made small enough for a page.

It is wanted by `make build`, and by `make serve` and the tests when they are asked for it.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

from site_src import CACHE, ROOT
from site_src.model import original, small
from site_src.runtime.hosted import described
from site_src.steps import digest, step

HERE = Path(__file__).parent
MODEL = CACHE / "model"  # what the site will host
CODE = [*sorted(HERE.glob("*.*")), ROOT / "snippets" / "int8.py"]


def prepare() -> None:
    """Fetch, verify, and make small. Raises Problem where that is not possible."""
    step(original.STEP, original.SHA256, original.PATH, original.download)
    made_from = digest(CODE, original.SHA256)
    step("MiniLM in 8 bits", made_from, MODEL / small.LAYERS, partial(small.make, MODEL))


def files() -> dict[str, Path]:
    """What the site hosts of the model, by name; nothing where it has not been prepared."""
    found = {name: MODEL / name for name in small.NAMES}
    return found if all(path.exists() for path in found.values()) else {}


def told() -> dict[str, Any]:
    """What the browser is told: where the files are, their sizes and hashes; {} without a model."""
    known = {name: described(path) for name, path in files().items()}
    return known and {"folder": f"model-{digest([], json.dumps(known))[:12]}", "files": known}
