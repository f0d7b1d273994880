"""RoPE as hands of clocks: a query and a key, each pair of features turned by its position."""

from typing import Any, TypedDict

import numpy as np
from numpy.typing import NDArray

from site_src.figures.calculation.trace import Step
from site_src.figures.matrices import fixed, matrix
from snippets.positions import rope

Q = [1.2, 0.7, 0.9, -0.5, 0.4, 1.0, 0.3, 0.8]
K = [0.8, 1.0, -0.4, 0.6, 1.1, -0.2, 0.9, 0.5]
PLACES = 41  # of the key: 0 to 40
DISTANCES = 25  # from the key on to the query: 0 to 24
START = (4, 3, 0)  # the key's position, the distance, and the pair that is shown at first
SHOWN_PLACES, SHOWN_DISTANCES = [0, 1, 10, 40], [0, 1, 2, 3, 12, 24]


class Inputs(TypedDict):
    """A query and a key, not yet turned, of an even length."""

    q: list[float]
    k: list[float]


STEPS = [
    Step(
        key="scores",
        title="The score, q · k after turning both",
        says="A row for each position of the key, a column for each distance: all rows are alike.",
        takes=[],
        makes=["scores"],
    ),
    Step(
        key="pairs",
        title="How fast each pair turns",
        says="In degrees for each position; a pair is features i and i + d/2.",
        takes=[],
        makes=["speeds"],
    ),
]


def embedded() -> dict[str, Inputs]:
    """Two vectors of eight numbers: four hands each."""
    return {"hands": Inputs(q=Q, k=K)}


def trace(inputs: Inputs) -> dict[str, Any]:
    """Where each hand stands, and the scores. Raises ValueError for vectors that do not fit."""
    q, k = checked(inputs.get("q"), inputs.get("k"))
    pairs = len(q) // 2
    places = np.arange(PLACES + DISTANCES - 1)
    q_turned, k_turned = (rope(np.tile(x, (len(places), 1)), places) for x in (q, k))
    by_pair = np.stack(
        [scores(q_turned[:, i::pairs], k_turned[:, i::pairs]) for i in range(pairs)]
    )  # [pairs, places, distances]
    total = by_pair.sum(axis=0)
    speeds = angles(rope(np.repeat([1.0, 0.0], pairs), 1))
    stands = [angles(x) for x in (q_turned, k_turned)]  # [T, pairs] each
    between = np.abs((stands[0][:DISTANCES] - stands[1][0] + 180) % 360 - 180)
    lengths = [np.hypot(*np.split(x, 2)) for x in (q, k)]
    return {
        "inputs": {"q": q.tolist(), "k": k.tolist()},
        "matrices": [
            matrix(
                "scores",
                "not yet divided by √d_k",
                total[np.ix_(SHOWN_PLACES, SHOWN_DISTANCES)].round(2),
                [f"key at {p}" for p in SHOWN_PLACES],
                [f"{n} apart" for n in SHOWN_DISTANCES],
                symbol="scores",
                show=fixed,
            ),
            matrix(
                "speeds",
                "",
                speeds[:, None].round(5),
                names(pairs),
                ["degrees a position"],
                show=degrees,
            ),
        ],
        "steps": STEPS,
        "picture": told(between, by_pair[:, 0], total[0]),
        "verdict": verdict(by_pair),
        "hands": [x.T.round(1).tolist() for x in stands],
        "lengths": [length.round(3).tolist() for length in lengths],
        "between": between.T.round().astype(int).tolist(),
        "by_pair": by_pair[:, 0].round(2).tolist(),
        "scores": total[0].round(2).tolist(),
        "code": f"q = np.array({q.tolist()})\nk = np.array({k.tolist()})\n",
    }


def checked(q: Any, k: Any) -> tuple[NDArray[Any], NDArray[Any]]:
    """Two vectors of one even length."""
    try:
        q, k = np.asarray(q, dtype=np.float64), np.asarray(k, dtype=np.float64)
    except (TypeError, ValueError):
        q = k = np.zeros(0)
    if q.ndim != 1 or q.shape != k.shape or len(q) not in (2, 4, 6, 8):
        raise ValueError("q and k must be two rows of equally many numbers: 2, 4, 6 or 8.")
    return q, k


def scores(q: NDArray[Any], k: NDArray[Any]) -> NDArray[Any]:
    """Products by the key's place and the distance from there on to the query."""
    table = q @ k.T  # [T, T], queries × keys
    return np.array([[table[p + n, p] for n in range(DISTANCES)] for p in range(PLACES)])


def angles(turned: NDArray[Any]) -> NDArray[Any]:
    """Where the hand of each pair stands, in degrees, [..., D] → [..., D/2].

    >>> angles(np.array([1.0, 0.0, 0.0, 2.0]))
    array([ 0., 90.])
    """
    first, second = np.split(turned, 2, axis=-1)
    found: NDArray[Any] = np.degrees(np.arctan2(second, first))
    return found


def names(pairs: int) -> list[str]:
    """What the pairs are called."""
    return [f"pair {i}" for i in range(pairs)]


def degrees(angle: float) -> str:
    """An angle.

    >>> degrees(57.2957), degrees(0.0572957)
    ('57.3°', '0.057°')
    """
    return f"{angle:.1f}°" if angle >= 1 else f"{angle:.2g}°"


def told(between: NDArray[Any], by_pair: NDArray[Any], total: NDArray[Any]) -> str:
    """What is drawn at first, as the view says it of any place, distance and pair."""
    place, distance, pair = START
    count = f"All {len(by_pair)} pairs together give" if len(by_pair) > 1 else "So it is"
    return (
        f"Query at position {place + distance}, key at position {place}: {distance} apart. "
        f"In pair {pair} the hands stand {between[distance, pair]:.0f}° apart and give "
        f"{fixed(float(by_pair[pair, distance].round(2)))}. {count} a score of "
        f"{fixed(float(total[distance].round(2)))}."
    )


def verdict(by_pair: NDArray[Any]) -> str:
    """Whether moving both keeps every score, by trying all places."""
    if np.ptp(by_pair, axis=1).max() > 1e-9:
        return "Moving both changes the score."  # a mistake in rope: tests say never
    return (
        f"Tried at all {PLACES} positions of the key: moving both changes no score. "
        "Only the distance counts."
    )
