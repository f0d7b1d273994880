"""The threads in which the workers of a started engine run, as Linux knows them."""

from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

NAMES = {"DOM Worker", "WebCore: Worker"}  # in Firefox, in WebKit


def of_workers() -> dict[str, int]:
    """Their ids, each with its time on a processor so far, in ticks; of this process's engine."""
    return {task.name: ticks(task) for task in below("self") if is_worker(task)}


def below(process: str) -> Iterator[Path]:
    """The threads of a process and of its children."""
    for task in Path("/proc").glob(f"{process}/task/*"):
        yield task
        for child in text(task / "children").split():
            yield from below(child)


def is_worker(task: Path) -> bool:
    """Whether an engine named this thread as one of a worker."""
    return text(task / "comm").strip() in NAMES


def ticks(task: Path) -> int:
    """Time on a processor: the fields 14 and 15 of its line, after a name that may hold spaces."""
    fields = text(task / "stat").rpartition(")")[2].split()
    return sum(map(int, fields[11:13]))


def text(path: Path) -> str:
    """What is known of a thread; nothing if it has ended meanwhile."""
    with suppress(OSError):
        return path.read_text()
    return ""
