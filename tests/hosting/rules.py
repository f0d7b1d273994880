"""Reads a `_headers` file as hosts do that know it."""

from pathlib import Path


class Rules:
    """The headers that a host sends, by the beginning of a path."""

    def __init__(self, file: Path | None = None) -> None:
        self.by_path: dict[str, dict[str, str]] = {}
        for line in file.read_text(encoding="utf-8").splitlines() if file else []:
            if line.startswith("/"):
                headers = self.by_path.setdefault(line.removesuffix("*"), {})
            else:
                name, _, value = line.strip().partition(": ")
                headers[name] = value

    def headers(self, path: str) -> dict[str, str]:
        """All that apply to a path."""
        found: dict[str, str] = {}
        for beginning, headers in self.by_path.items():
            if path.startswith(beginning):
                found |= headers
        return found
