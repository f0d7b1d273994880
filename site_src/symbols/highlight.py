"""Python as highlighted HTML, in which each symbol's name has its symbol's colour."""

from collections.abc import Iterable, Iterator
from typing import Any, cast

from pygments import highlight as pygments_highlight
from pygments.filter import Filter
from pygments.formatters import HtmlFormatter
from pygments.lexer import Lexer
from pygments.lexers import PythonLexer
from pygments.token import STANDARD_TYPES, Name, _TokenType

from site_src.symbols import BY_NAME, SYMBOLS, symbol_class

# Pygments names a token's class in this table; ours are token types of our own.
TOKENS = {symbol.key: getattr(Name, symbol.key.capitalize()) for symbol in SYMBOLS}
CLASSES = cast(dict[_TokenType, str], STANDARD_TYPES)
CLASSES.update({token: symbol_class(key) for key, token in TOKENS.items()})


class SymbolFilter(Filter):
    """Marks names of symbols; attributes and strings of the same spelling stay as they are."""

    def filter(
        self, lexer: Lexer | None, stream: Iterable[tuple[_TokenType, str]]
    ) -> Iterator[tuple[_TokenType, str]]:
        """Give each name of a symbol the symbol's token type."""
        before = ""
        for kind, text in stream:
            symbol = BY_NAME.get(text) if kind is Name and before != "." else None
            yield (TOKENS[symbol.key] if symbol else kind), text
            before = text


def highlight(code: str) -> str:
    """The HTML of some Python, without a surrounding element."""
    lexer: Any = PythonLexer(stripnl=False)
    lexer.add_filter(SymbolFilter())
    return str(pygments_highlight(code, lexer, HtmlFormatter(nowrap=True)))
