"""WordPiece by hand, and against mistakes; tests/model has a thousand strings with BERT's words."""

import types

import pytest

from snippets import word_pieces
from tests.snippets.mistakes import Check, Mistakes, checks, is_caught, name

VOCABULARY = dict.fromkeys(
    ["the", "un", "able", "o", "a", "x", "!", "##aff", "##able", "##a", "##b", "##x"]
)


def check_words(module: types.ModuleType) -> None:
    """Marks, Chinese characters and ASCII symbols stand alone; accents and the unseen go."""
    for text, expected in {
        "": [],
        " \t\n\u00a0\u2028": [],
        "Don't!": ["don", "'", "t", "!"],
        "1+1=$2": ["1", "+", "1", "=", "$", "2"],
        "5€": ["5€"],
        "日本x": ["日", "本", "x"],
        "CAFÉ cafe\u0301": ["cafe", "cafe"],
        "a\u200bb\x00c\ufffdd\x1ce": ["abcde"],
        "a\tb\nc\rd": ["a", "b", "c", "d"],
        "İΣΑΣ": ["iσασ"],  # letter by letter: no final ς
    }.items():
        assert module.words_of(text) == expected, ascii(text)


def check_pieces(module: types.ModuleType) -> None:
    """The longest first; a word is unknown as a whole; a hundred letters are the most."""
    for word, expected in {
        "unaffable": ["un", "##aff", "##able"],
        "aab": ["a", "##a", "##b"],
        "able": ["able"],
        "unz": ["[UNK]"],
        "z": ["[UNK]"],
        "": [],
        "x" * 100: ["x", *["##x"] * 99],
        "x" * 101: ["[UNK]"],
    }.items():
        assert module.pieces(word, VOCABULARY) == expected, word


def check_tokens(module: types.ModuleType) -> None:
    """Special tokens in the text keep their case; what does not fit is counted."""
    for text, limit, expected in [
        ("", 512, (["[CLS]", "[SEP]"], 0)),
        ("The [MASK]!", 512, (["[CLS]", "the", "[MASK]", "!", "[SEP]"], 0)),
        ("[mask]", 512, (["[CLS]", *["[UNK]"] * 3, "[SEP]"], 0)),
        ("the a x", 5, (["[CLS]", "the", "a", "x", "[SEP]"], 0)),
        ("the a x o", 5, (["[CLS]", "the", "a", "x", "[SEP]"], 1)),
        ("the " * 600, 512, (["[CLS]", *["the"] * 510, "[SEP]"], 90)),
    ]:
        assert module.tokens(text, VOCABULARY, limit) == expected, text
    assert module.tokens("the " * 600, VOCABULARY)[1] == 90


def check_vocabulary(module: types.ModuleType) -> None:
    """A line is a line: other characters that end one elsewhere are pieces too."""
    expected = {"a": 0, "\u2028": 1, "##b": 2}
    assert module.vocabulary_of("a\n\u2028\n##b\n") == expected
    assert module.vocabulary_of("a\n\u2028\n##b") == expected


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_results_by_hand(check: Check) -> None:
    check(word_pieces)


MISTAKES: Mistakes = {
    "letters kept large": ("c.lower() for c in parts", "c for c in parts"),
    "lowered as a whole": (
        '"".join(c.lower() for c in parts if unicodedata.category(c) != "Mn")',
        '"".join(c for c in parts if unicodedata.category(c) != "Mn").lower()',
    ),
    "accents kept": ('!= "Mn"', '!= "??"'),
    "composed": ('"NFD", text', '"NFC", text'),
    "tabs are controls": ('c in "\\t\\n\\r" or ', ""),
    "all spaces are kept": ('return c in "\\t\\n\\r" or', "return c.isspace() or"),
    "format codes kept": ('("Cc", "Cf", "Co", "Cs")', '("Cc", "Co", "Cs")'),
    "the unreadable kept": (' or c == "\\ufffd"', ""),
    "Chinese in one piece": ('IDEOGRAPH.sub(r" \\g<0> ", text)', "text"),
    "symbols are letters": (' or ("!" <= c <= "~" and not c.isalnum())', ""),
    "all symbols are marks": ('[0] == "P"', '[0] in "PS"'),
    "marks not apart": ('f" {c} " if is_punctuation(c) else c', "c"),
    "the shortest first": (
        "range(len(word), start, -1)",
        "range(start + 1, len(word) + 1)",
    ),
    "no mark inside": ('"##" if start else ""', '""'),
    "what is known is kept": (
        '            return ["[UNK]"]\n',
        '            return found or ["[UNK]"]\n',
    ),
    "a hundred is too long": ("len(word) > LONGEST", "len(word) >= LONGEST"),
    "no word is too long": ("len(word) > LONGEST_WORD", "False"),
    "special tokens cut": ("if place % 2:", "if False:"),
    "special in any case": ('SEP|MASK)\\])")', 'SEP|MASK)\\])", re.I)'),
    "the end is cut off": ("room = limit - 2", "room = limit - 1"),
    "what is left out not counted": ("max(0, len(found) - room)", "0"),
    "fewer than none left out": ("max(0, len(found) - room)", "len(found) - room"),
    "half as many places": ("limit=512", "limit=256"),
    "all ends of lines": ('.removesuffix("\\n").split("\\n")', ".splitlines()"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(word_pieces, MISTAKES[mistake], CHECKS)
