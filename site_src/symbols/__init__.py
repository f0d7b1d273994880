"""One colour per symbol in formula, code, figure and prose."""

import json
from pathlib import Path
from typing import NamedTuple


class Symbol(NamedTuple):
    """A symbol of the formula; its elements have the class sym-KEY everywhere."""

    key: str
    letter: str
    meaning: str
    code: list[str]  # the names that it has in Python


SYMBOLS = [
    Symbol(**entry)
    for entry in json.loads((Path(__file__).parent / "symbols.json").read_text(encoding="utf-8"))
]
BY_KEY = {symbol.key: symbol for symbol in SYMBOLS}
BY_NAME = {name: symbol for symbol in SYMBOLS for name in symbol.code}


def symbol_class(key: str) -> str:
    """The class that gives an element its symbol's colour."""
    return f"sym-{key}"
