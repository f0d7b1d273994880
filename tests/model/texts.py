"""The site's two sentences; a thousand strings of words, scripts, marks and what breaks others."""

import random
from collections.abc import Iterator

PASTE = "every good boy deserves fudge " * 120  # 600 words
TIRED = "The animal didn't cross the street because it was too tired"
WIDE = "The animal didn't cross the street because it was too wide"
SCRIPTS = [
    *[(0x20, 0x7E)] * 6,  # ASCII
    *[(0xA0, 0x17F), (0x1E00, 0x1EFF), (0x370, 0x3FF), (0x400, 0x45F)],  # Latin, Greek, Cyrillic
    *[(0x5D0, 0x5EA), (0x621, 0x64A), (0x904, 0x939), (0xE01, 0xE3A)],  # Hebrew … Thai
    *[(0xAC00, 0xD7A3), (0x3041, 0x30FF), (0x4E00, 0x9FA5)],  # Hangul, Kana, Chinese
    *[(0x300, 0x36F), (0xFE00, 0xFE0F), (0, 0x20), (0x7F, 0x9F), (0x2000, 0x206F)],  # unseen
    *[(0xFF01, 0xFF5E), (0x1D400, 0x1D7FF), (0x20A0, 0x20B9), (0x2190, 0x21FF)],  # wide, maths
    *[(0x1F300, 0x1F5FF), (0x1F1E6, 0x1F1FF), (0xE000, 0xE010)],  # emoji, flags, private
]
TRAPS = [
    *("[MASK]", "[CLS]", "[SEP]", "[mask]", "[ PAD]", "x" * 100, "x" * 101, "##ing", "\ufffd"),
    *(
        "İstanbul",
        "ΣΑΣ",
        "Straße",
        "ſ",
        "Å",
        "ﬁ",
        "👩‍👩‍👧‍👦",
        "日本",
        "e\u0301\u0327",
        "don't",
        "\u2028",
    ),
]


def varied(words: list[str], count: int, seed: int = 0) -> Iterator[str]:
    """Strings of such parts, at random but always the same: the first is empty, the last long."""
    rng = random.Random(seed)
    yield ""
    for _ in range(count - 2):
        parts = (part(words, rng) for _ in range(rng.randint(1, 12)))
        yield "".join(f"{p}{rng.choice(['', ' ', ' '])}" for p in parts)
    yield " ".join(rng.choices(words, k=5_000))


def part(words: list[str], rng: random.Random) -> str:
    """A word, a trap, or some characters of one script."""
    begin, end = rng.choice(SCRIPTS)
    letters = "".join(chr(rng.randint(begin, end)) for _ in range(rng.randint(1, 10)))
    return rng.choice([letters, rng.choice(words), rng.choice(words).title(), rng.choice(TRAPS)])
