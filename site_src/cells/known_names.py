"""The names that the editor can complete without asking Python: the language's and NumPy's."""

import builtins
import keyword

import numpy


def known_names() -> dict[str, list[str]]:
    """Names by what they follow, such as `np.`; under "" those that stand alone."""
    modules = {"np.": numpy, "np.linalg.": numpy.linalg, "np.random.": numpy.random}
    alone = {*keyword.kwlist, *keyword.softkwlist, *dir(builtins)}
    names = {"": alone} | {after: set(module.__all__) for after, module in modules.items()}
    return {after: sorted(filter(is_public, found)) for after, found in names.items()}


def is_public(name: str) -> bool:
    """Whether a name is meant to be typed."""
    return not name.startswith("_")
