"""Search that costs nothing until something is searched.

Material sets its search up on every page: it fetches an index of the whole site and a worker takes
it apart. Here a small worker stands in its place and begins with that at the first word.
"""

import hashlib
import json
from pathlib import Path

import material

INDEX = Path("search") / "search_index.json"  # of MkDocs, below the site
WORKERS = "assets/javascripts/workers"  # of Material, below the site and in its package


def engine() -> str:
    """The address of Material's own worker below the site."""
    (path,) = (Path(material.__file__).parent / "templates" / WORKERS).glob("search.*.min.js")
    return f"{WORKERS}/{path.name}"


def defer(site: Path, folder: str) -> None:
    """Move the index to a folder of the site, and leave in its place only its settings.

    Its new name, which its content gives it, is one of them.
    """
    content = (site / INDEX).read_bytes()
    name = f"search-{hashlib.sha256(content).hexdigest()[:8]}.json"
    (site / folder / name).write_bytes(content)
    config = json.loads(content)["config"] | {"index": name}
    (site / INDEX).write_text(json.dumps({"config": config, "docs": []}), encoding="utf-8")
