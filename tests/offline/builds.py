"""Two builds of a small site that works offline, and a host that goes from one to the other."""

import shutil
from pathlib import Path
from typing import Any, NamedTuple

from playwright.sync_api import Page

from tests.server import StaticServer
from tests.site.build import mkdocs
from tests.site.checkout import small_checkout

# What the later build has otherwise: a page's words, and the scripts that run cells.
CHANGES = {
    "docs/numpy.md": ("# Write self-attention in NumPy", "# Write it, newly deployed"),
    "site_src/runtime/matplotlib_backend.py": ('"""', '"""Newly deployed. '),
    "site_src/theme/page.css": ("line-height: 1.62", "line-height: 1.63"),
}


class Builds(NamedTuple):
    """Folders of two builds, for one address."""

    earlier: Path
    later: Path


def built_twice(folder: Path, server: StaticServer) -> Builds:
    """Build for the server's address, as `make build` does; change something, and build again."""
    root = small_checkout(folder / "checkout")
    builds = Builds(folder / "earlier", folder / "later")
    build(root, builds.earlier, server)
    for file, (old, new) in CHANGES.items():
        path = root / file
        text = path.read_text(encoding="utf-8")
        assert old in text
        path.write_text(text.replace(old, new, 1), encoding="utf-8")
    build(root, builds.later, server)
    shutil.rmtree(root)
    return builds


def published(folder: Path, server: StaticServer) -> Path:
    """Build once."""
    root = small_checkout(folder / "checkout")
    build(root, folder / "site", server)
    shutil.rmtree(root)
    return folder / "site"


def build(root: Path, target: Path, server: StaticServer) -> None:
    """Build a checkout; its pages have links to pages that it lacks, so not strictly."""
    site = {"SITE_URL": server.address, "OFFLINE": "1"}
    done = mkdocs("build", "--site-dir", str(target), root=root, **site)
    assert done.returncode == 0, done.stderr


KEPT = """async () => {
    const paths = [];
    for (const name of await caches.keys())
        for (const { url } of await (await caches.open(name)).keys())
            paths.push(new URL(url).pathname);
    return paths;
}"""


def kept(page: Page) -> list[str]:
    """The paths of all that the browser keeps."""
    return list(page.evaluate(KEPT))


def wait_until_kept(page: Page, *parts: str, gone: bool = False) -> None:
    """Wait until these pages, and paths with these parts, are kept; or none of them."""
    condition = f"""async ([parts, gone]) => {{
        const paths = await ({KEPT})();
        const isPage = (part) => part.endsWith("/");
        const has = (part) =>
            isPage(part) ? paths.includes(part) : paths.some((path) => path.includes(part));
        return gone ? !parts.some(has) : parts.every(has);
    }}"""
    wait_until(page, condition, [list(parts), gone])


def wait_until(page: Page, condition: str, argument: Any = None) -> None:
    """Wait until a condition holds that is a promise, for which Playwright's own wait is not."""
    page.evaluate(
        f"""async (argument) => {{
            const end = performance.now() + 60_000;
            while (!(await ({condition})(argument))) {{
                if (performance.now() > end) throw new Error(`never: ${{argument}}`);
                await new Promise((resolve) => setTimeout(resolve, 20));
            }}
        }}""",
        argument,
    )
