"""`_headers`: the response headers of the site, in the form that Netlify and Cloudflare Pages read.

Hosts that do not know the file ignore it, and the site works there as well.
"""

import hashlib
import re
from base64 import b64encode
from collections.abc import Iterable
from pathlib import Path

from site_src.front_end import FOLDER
from site_src.hosting.isolation import ISOLATION
from site_src.problems import Problem

FILE = "_headers"
LONGEST = 2000  # characters of a line, on Cloudflare Pages
SCRIPT = re.compile(r"<script\b(?P<attributes>[^>]*)>(?P<source>.*?)</script>", re.S | re.I)

FOR_EVER = {"Cache-Control": "public, max-age=31536000, immutable"}  # another content, another name


def write(site: Path) -> None:
    """Write the file for a built site. Raises Problem if a line gets too long for a host."""
    pages = sorted(site.rglob("*.html"))
    scripts = inline_scripts(page.read_bytes().decode() for page in pages)
    policy = {"Content-Security-Policy": content_security_policy(scripts)}
    rules = {"/*": ISOLATION | policy, f"/{FOLDER}/*": FOR_EVER}
    (site / FILE).write_text(written(rules), encoding="utf-8")


def inline_scripts(pages: Iterable[str]) -> set[str]:
    """The sources of all scripts that stand in pages (HTML); data blocks are none."""
    return {
        script["source"]
        for page in pages
        for script in SCRIPT.finditer(page)
        if not re.search(r"\bsrc\s*=|\btype\s*=\s*[\"']?application/", script["attributes"])
    }


def content_security_policy(scripts: Iterable[str]) -> str:
    """Everything from this site alone; of scripts in pages, only these very ones."""
    hashes = sorted(f"'sha256-{sha256(script)}'" for script in scripts)
    directives = {
        "default-src": ["'self'"],
        "script-src": ["'self'", "'wasm-unsafe-eval'", *hashes],  # Python is WebAssembly
        "connect-src": ["'self'", "data:"],  # what unpacks Python is written so in its script
        "style-src": ["'self'", "'unsafe-inline'"],  # of formulas, figures and the editor
        "img-src": ["'self'", "data:", "blob:"],  # icons of the theme; pictures that cells draw
        "object-src": ["'none'"],
        "base-uri": ["'self'"],
        "form-action": ["'self'"],
        "frame-ancestors": ["'self'"],
    }
    return "; ".join(" ".join([name, *sources]) for name, sources in directives.items())


def sha256(text: str) -> str:
    """The hash of a script as a policy names it: in base 64."""
    return b64encode(hashlib.sha256(text.encode()).digest()).decode()


def written(rules: dict[str, dict[str, str]]) -> str:
    """Rules by path as text. Raises Problem for a line that hosts would refuse."""
    lines: list[str] = []
    for path, headers in rules.items():
        lines += [path, *(f"  {name}: {value}" for name, value in headers.items())]
    if longest := next((line for line in lines if len(line) > LONGEST), None):
        raise Problem(
            f"A line of {FILE} has {len(longest)} characters; hosts read {LONGEST}: "
            f"{longest[:60]} …",
            "move scripts out of the pages into files: each that stands in a page adds a hash.",
        )
    return "\n".join(lines) + "\n"
