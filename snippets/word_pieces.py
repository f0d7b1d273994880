"""WordPiece: a text cut into the pieces that a model has vectors for, as BERT cuts it.

Sources: Devlin et al., "BERT: Pre-training of Deep Bidirectional Transformers" (2018), and the
code beside it; Schuster and Nakajima, "Japanese and Korean Voice Search" (2012), for the pieces.
"""

import re
import unicodedata

LONGEST_WORD = 100  # letters; BERT calls a longer word unknown
SPECIAL = re.compile(r"(\[(?:PAD|UNK|CLS|SEP|MASK)\])")
IDEOGRAPH = re.compile(  # Chinese is written without spaces: each character is a word
    "[\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff\U00020000-\U0002a6df"
    "\U0002a700-\U0002b73f\U0002b740-\U0002b81f\U0002b920-\U0002ceaf\U0002f800-\U0002fa1f]"
)


def is_written(c):
    """Whether a character is part of the text: neither a control nor an invisible format code.

    What Unicode has not assigned yet is kept, as a newer version may know it.

    >>> [is_written(c) for c in ("a", " ", "\\n", "\\0", "\\u200b")]
    [True, True, True, False, False]
    """
    hidden = unicodedata.category(c) in ("Cc", "Cf", "Co", "Cs")
    return c in "\t\n\r" or not (hidden or c == "\ufffd")


def is_punctuation(c):
    """Whether a character is a word by itself; in ASCII also +, $ and their like.

    >>> [is_punctuation(c) for c in ".$€a"]
    [True, True, False, False]
    """
    return unicodedata.category(c)[0] == "P" or ("!" <= c <= "~" and not c.isalnum())


def plain(text):
    """The text in lower case, without accents, every kind of space as a space.

    >>> plain("Crème\\u00a0BRÛLÉE")
    'creme brulee'
    """
    text = "".join(" " if c.isspace() else c for c in text if is_written(c))
    text = IDEOGRAPH.sub(r" \g<0> ", text)
    parts = unicodedata.normalize("NFD", text)  # é becomes e, and an accent of its own
    return "".join(c.lower() for c in parts if unicodedata.category(c) != "Mn")


def words_of(text):
    """The words and the punctuation marks of a text.

    >>> words_of("The animal didn't cross.")
    ['the', 'animal', 'didn', "'", 't', 'cross', '.']
    """
    return "".join(f" {c} " if is_punctuation(c) else c for c in plain(text)).split()


def pieces(word, vocabulary):
    """A word as the longest pieces that the vocabulary has, from left to right.

    A piece that does not begin the word is marked with ##. A word with a part for which
    there is no piece is unknown as a whole.

    >>> vocabulary = {"un", "##aff", "##able", "##a", "able"}
    >>> pieces("unaffable", vocabulary)
    ['un', '##aff', '##able']
    >>> pieces("unable!", vocabulary)
    ['[UNK]']
    """
    if len(word) > LONGEST_WORD:
        return ["[UNK]"]
    found, start = [], 0
    while start < len(word):
        prefix = "##" if start else ""
        ends = range(len(word), start, -1)  # the longest first
        end = next((end for end in ends if prefix + word[start:end] in vocabulary), None)
        if end is None:
            return ["[UNK]"]
        found.append(prefix + word[start:end])
        start = end
    return found


def tokens(text, vocabulary, limit=512):
    """What a model reads: [CLS], the pieces of a text, [SEP]; and how many pieces did not fit.

    limit: the most tokens that the model has positions for. A special token such as [MASK]
    may stand in the text.

    >>> vocabulary = dict.fromkeys(["the", "cat", "##s", "sat"])
    >>> tokens("The cats sat", vocabulary)
    (['[CLS]', 'the', 'cat', '##s', 'sat', '[SEP]'], 0)
    >>> tokens("The [MASK] sat", vocabulary, limit=4)
    (['[CLS]', 'the', '[MASK]', '[SEP]'], 1)
    """
    found = []
    for place, part in enumerate(SPECIAL.split(text)):
        if place % 2:  # between two stretches of text
            found.append(part)
        else:
            found += [piece for word in words_of(part) for piece in pieces(word, vocabulary)]
    room = limit - 2
    return ["[CLS]", *found[:room], "[SEP]"], max(0, len(found) - room)


def vocabulary_of(lines):
    """The number of each piece: BERT's vocab.txt has a piece a line, from 0 on.

    >>> vocabulary_of("[PAD]\\nthe\\n##s\\n")
    {'[PAD]': 0, 'the': 1, '##s': 2}
    """
    return {piece: number for number, piece in enumerate(lines.removesuffix("\n").split("\n"))}
