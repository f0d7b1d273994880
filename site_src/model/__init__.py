"""A pretrained encoder, all-MiniLM-L6-v2, fetched once and made small enough for a page.

It is wanted by `make build`, and by `make serve` and the tests when they are asked for it.
"""

import json
from functools import partial
from pathlib import Path
from typing import Any

from site_src import ROOT
from site_src.model import original, small
from site_src.runtime.hosted import described
from site_src.steps import digest, step
from snippets.real_model import FOLDER

HERE = Path(__file__).parent
MODEL = ROOT / FOLDER  # what the site will host
CODE = [
    *(HERE / name for name in ("small.py", "tensors.py", "LICENSE.txt", "NOTICE.txt")),
    *(ROOT / "snippets" / name for name in ("bert_weights.py", "nine_bits.py")),
]
NAME = "all-MiniLM-L6-v2"


def prepare() -> None:
    """Fetch, verify, and make small. Raises Problem where that is not possible."""
    step(original.STEP, original.SHA256, original.PATH, original.download)
    made_from = digest(CODE, original.SHA256)
    step("MiniLM in 9 bits", made_from, MODEL / small.MODEL, partial(small.make, MODEL))


def files() -> dict[str, Path]:
    """What the site hosts of the model, by name; nothing where it has not been prepared."""
    found = {name: MODEL / name for name in small.NAMES}
    return found if all(path.exists() for path in found.values()) else {}


def folder() -> str:
    """Where the site hosts it, below its other files: named by its content; "" without a model."""
    known = {name: described(path) for name, path in files().items()}
    return f"model-{digest([], json.dumps(known))[:12]}" if known else ""


def told() -> dict[str, Any] | None:
    """What the browser is told: the constant MODEL of built.d.ts; None without a model."""
    if not (found := files()):
        return None
    return {
        "name": NAME,
        "folder": folder(),
        "put": FOLDER,
        "first": {name: described(found[name]) for name in small.AT_FIRST},
        "later": {small.RARER: described(found[small.RARER])},
    }
