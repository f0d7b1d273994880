"""Steps of the preparation: each announces itself on one line, is stamped, and is not repeated."""

import errno
import hashlib
import time
from collections.abc import Callable, Iterable
from pathlib import Path

from site_src import CACHE
from site_src.problems import Problem

Work = Callable[[], str]  # does the work and says in a few words what came of it


def digest(paths: Iterable[Path], *words: str) -> str:
    """One sha256 over the contents of files and over some words, in the order given."""
    total = hashlib.sha256("\0".join(words).encode())
    for path in paths:
        total.update(hashlib.sha256(path.read_bytes()).digest())
    return total.hexdigest()


def step(title: str, made_from: str, result: Path, work: Work) -> None:
    """Do the work, unless `result` was already made from these very inputs.

    made_from is a digest of the inputs; a stamp in the cache remembers it.
    """
    stamp = stamp_of(title)
    if result.exists() and stamp.exists() and stamp.read_text(encoding="utf-8") == made_from:
        return
    print(f"  {title} …", end=" ", flush=True)
    start = time.monotonic()
    try:
        said = work()
        stamp.parent.mkdir(parents=True, exist_ok=True)
        stamp.write_text(made_from, encoding="utf-8")
    except OSError as error:
        print("failed", flush=True)
        raise disk_problem(error) or error from error
    except Problem:
        print("failed", flush=True)
        raise
    print(f"{said}, {time.monotonic() - start:.1f} s", flush=True)


def stamp_of(title: str) -> Path:
    """Where a step notes what it was done with."""
    return CACHE / "stamps" / title.replace(" ", "-")


def disk_problem(error: Exception) -> Problem | None:
    """A full or write-protected disk, told in a sentence; None for an error of another kind."""
    refusals = {errno.ENOSPC, errno.EDQUOT, errno.EROFS, errno.EACCES}
    if not isinstance(error, OSError) or error.errno not in refusals:
        return None
    return Problem(
        f"The disk refused to take a file ({error.strerror}: {error.filename or CACHE}).",
        "free about 300 MB or make the folder writable, then run the same command again.",
    )
