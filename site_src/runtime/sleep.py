"""time.sleep for the page: Stop wakes it, and it lets the processor rest."""

import time
from collections.abc import Callable
from functools import wraps


def install(pause: Callable[[float], None]) -> None:
    """Put it in its place. pause: waits for some milliseconds, or until Stop, and raises then."""

    @wraps(time.sleep)
    def sleep(seconds: float, /) -> None:
        if not seconds >= 0:
            raise ValueError("sleep length must be non-negative")
        pause(1000 * float(seconds))

    time.sleep = sleep  # type: ignore[assignment]
