"""The pronoun task: which noun does "it" mean, the creature or the way?

"the animal didn't cross the street because it was too tired" or "… too wide": only the last word
tells. It is a toy. Eight creatures, eight ways, and eight adjectives that fit each kind; "too big"
would fit both, and is not in it.
"""

from functools import cache
from itertools import product

import numpy as np

# region words
CREATURES = ["animal", "dog", "cat", "horse", "child", "cow", "fox", "goat"]
WAYS = ["street", "road", "path", "bridge", "lane", "trail", "alley", "track"]
OF_CREATURES = ["tired", "hungry", "scared", "shy", "sleepy", "lazy", "sad", "thirsty"]
OF_WAYS = ["wide", "narrow", "steep", "muddy", "icy", "crowded", "bumpy", "busy"]
VERBS = ["cross", "reach", "like", "stop", "suit", "pass"]
TIMES = ["yesterday", "today"]
# endregion

VOCABULARY = [
    *CREATURES, *WAYS, *OF_CREATURES, *OF_WAYS, *VERBS, *TIMES,
    "the", "didn't", "because", "it", "was", "too",
]  # fmt: skip
NUMBERS = {word: number for number, word in enumerate(VOCABULARY)}
KINDS = [CREATURES, WAYS, OF_CREATURES, OF_WAYS]
PLACES = {word: place for kind in KINDS for place, word in enumerate(kind)}  # of its kind's eight


def sentence(first, verb, second, last, when="", of_first="", of_second=""):
    """The words of one sentence; what is empty is left out.

    >>> " ".join(sentence("animal", "cross", "street", "tired"))
    "the animal didn't cross the street because it was too tired"
    >>> " ".join(sentence("road", "suit", "cat", "shy", when="today", of_second="lazy"))
    "today the road didn't suit the lazy cat because it was too shy"
    """
    start = [when, "the", of_first, first, "didn't", verb, "the", of_second, second]
    return [word for word in [*start, "because", "it", "was", "too", last] if word]


def right_noun(words):
    """The place of the noun that the last word fits.

    >>> right_noun(sentence("animal", "cross", "street", "tired"))
    1
    >>> right_noun(sentence("animal", "cross", "street", "wide"))
    5
    """
    nouns = CREATURES if words[-1] in OF_CREATURES else WAYS
    fitting = [place for place, word in enumerate(words) if word in nouns]
    if len(fitting) != 1:
        raise ValueError(f"{len(fitting)} nouns fit “{words[-1]}”; one should: {' '.join(words)}")
    return fitting[0]


def is_kept_back(noun, adjective):
    """Whether no sentence that the model learns from holds both of these words.

    >>> is_kept_back("animal", "tired"), is_kept_back("animal", "hungry")
    (True, False)
    >>> is_kept_back("street", "wide")
    True
    """
    return (PLACES[noun] - PLACES[adjective]) % 4 == 0


def frames(kept_back):
    """All (first noun, second noun, last word): those to learn from, or those kept back.

    >>> len(frames(kept_back=False)), len(frames(kept_back=True))
    (1152, 896)
    """
    pairs = [*product(CREATURES, WAYS), *product(WAYS, CREATURES)]
    return [
        (first, second, last)
        for (first, second), last in product(pairs, OF_CREATURES + OF_WAYS)
        if any(is_kept_back(noun, last) for noun in (first, second)) == kept_back
    ]


def filled(frame, rng):
    """A sentence from a frame, the rest of it drawn at random.

    Four in five have an adjective before one noun. It fits that noun and says nothing about "it",
    so the model has to tell it from the last word.

    >>> " ".join(filled(("fox", "path", "shy"), np.random.default_rng(2)))
    "yesterday the fox didn't like the path because it was too shy"
    """
    first, second, last = frame
    when = draw(TIMES, rng) if rng.random() < 0.3 else ""
    described = draw([first, second], rng) if rng.random() < 0.8 else ""
    adjective = draw(free_adjectives(described in CREATURES, first, second), rng)
    of_first, of_second = (adjective * (described == noun) for noun in (first, second))
    return sentence(first, draw(VERBS, rng), second, last, when, of_first, of_second)


@cache
def free_adjectives(of_creatures, first, second):
    """The adjectives of a kind that are kept back from neither noun.

    >>> free_adjectives(True, "animal", "road")
    ['scared', 'shy', 'sad', 'thirsty']
    """
    fitting = OF_CREATURES if of_creatures else OF_WAYS
    return [one for one in fitting if not any(is_kept_back(n, one) for n in (first, second))]


def kept_back_sentences():
    """One sentence for each frame that the model has not learned from.

    >>> len(kept_back_sentences())
    896
    """
    rng = np.random.default_rng(1)
    return [filled(frame, rng) for frame in frames(kept_back=True)]


def draw(words, rng):
    """One of the words.

    >>> draw(["yes", "no"], np.random.default_rng(0))
    'no'
    """
    return words[rng.integers(len(words))]


def numbers(words):
    """The numbers of words, as the model knows them. Raises ValueError for one it does not know.

    >>> numbers(["animal", "it"])
    [0, 43]
    >>> numbers(["unicorn"])
    Traceback (most recent call last):
    ValueError: the model has never met “unicorn”; the words it knows are in VOCABULARY
    """
    for word in words:
        if word not in NUMBERS:
            raise ValueError(
                f"the model has never met “{word}”; the words it knows are in VOCABULARY"
            )
    return [NUMBERS[word] for word in words]


def encode(sentences):
    """Sentences as numbers: tokens [B, T], which of them are words [B, T], "it" and answer [B].

    >>> tokens, present, it, right = encode([sentence("dog", "reach", "path", "icy")])
    >>> tokens.shape, present.all(), it, right
    ((1, 11), np.True_, array([7]), array([5]))
    """
    longest = max(map(len, sentences))
    tokens = np.zeros((len(sentences), longest), dtype=np.int64)
    present = np.zeros((len(sentences), longest), dtype=bool)
    for row, words in enumerate(sentences):
        tokens[row, : len(words)] = numbers(words)
        present[row, : len(words)] = True
    it = np.array([words.index("it") for words in sentences])
    return tokens, present, it, np.array([right_noun(words) for words in sentences])
