"""How many steps a word is away from another: in a chain, and where all are linked."""

import numpy as np


def chain(n):
    """Who reaches whom in one step of a recurrent network: each word the next. [n, n]

    >>> chain(3).astype(int).tolist()
    [[0, 1, 0], [0, 0, 1], [0, 0, 0]]
    """
    return np.eye(n, k=1, dtype=bool)


def all_linked(n):
    """Who reaches whom in one step of attention: every word every word. [n, n]

    >>> all_linked(2).tolist()
    [[True, True], [True, True]]
    """
    return np.ones((n, n), dtype=bool)


def steps_to_last(links):
    """The fewest steps from the first word to the last. links: [n, n], True = in one step.

    >>> steps_to_last(chain(5)), steps_to_last(all_linked(5))
    (4, 1)
    >>> steps_to_last(np.eye(2, dtype=bool))
    Traceback (most recent call last):
    ValueError: no path leads from the first word to the last
    """
    reached = np.eye(len(links), dtype=bool)[0]
    for steps in range(len(links)):
        if reached[-1]:
            return steps
        reached = links[reached].any(axis=0)
    raise ValueError("no path leads from the first word to the last")
