"""Failures that are not bugs: one sentence that says what is wrong, one that says what to do."""


class Problem(Exception):
    """Something outside our control is in the way; the message carries the remedy."""

    def __init__(self, what: str, remedy: str) -> None:
        super().__init__(f"{what}\n  What to do: {remedy}")
        self.what = what
        self.remedy = remedy
