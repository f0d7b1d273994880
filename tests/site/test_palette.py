"""The colours can be read: as text, each has a contrast of at least 4.5 (WCAG 2, level AA)."""

import re
from itertools import product

import pytest

from site_src import ROOT

PALETTE = (ROOT / "site_src" / "theme" / "palette.css").read_text(encoding="utf-8")
SYMBOLS = ["x", "q", "k", "v", "scores", "weights", "output"]
TEXT = ["ink", "ink-soft", "accent", "error", *(f"symbol-{symbol}" for symbol in SYMBOLS)]


def colours(scheme: str) -> dict[str, str]:
    """The custom properties of one scheme, resolved to hexadecimal colours."""
    block = re.search(rf'\[data-md-color-scheme="{scheme}"\] \{{(.*?)\}}', PALETTE, re.S)
    assert block
    found = dict(re.findall(r"--([\w-]+): ([^;]+);", block[1]))
    return {
        name: found[value[6:-1]] if value.startswith("var(--") else value
        for name, value in found.items()
    }


def luminance(colour: str) -> float:
    """Relative luminance as WCAG 2 defines it."""
    channels = [int(colour[i : i + 2], 16) / 255 for i in (1, 3, 5)]
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in channels]
    return 0.2126 * linear[0] + 0.7152 * linear[1] + 0.0722 * linear[2]


def contrast(one: str, other: str) -> float:
    """The contrast ratio of two colours, between 1 and 21."""
    darker, lighter = sorted([luminance(one), luminance(other)])
    return (lighter + 0.05) / (darker + 0.05)


@pytest.mark.parametrize(("scheme", "name"), [*product(["default", "slate"], TEXT)])
def test_text_can_be_read_on_the_page_and_on_a_cell(scheme: str, name: str) -> None:
    palette = colours(scheme)
    for background in ("paper", "cell"):
        assert contrast(palette[name], palette[background]) >= 4.5, background


def test_contrast_is_computed_as_the_standard_says() -> None:
    assert contrast("#000000", "#ffffff") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_each_symbol_has_a_colour_of_its_own(scheme: str) -> None:
    palette = colours(scheme)
    used = [palette[f"symbol-{symbol}"] for symbol in SYMBOLS]
    assert len(set(used)) == len(used)


@pytest.mark.parametrize("share", [0, 0.25, 0.5, 0.75, 1])
@pytest.mark.parametrize("scheme", ["default", "slate"])
def test_numbers_can_be_read_on_weights_of_any_share(scheme: str, share: float) -> None:
    palette = colours(scheme)
    heat = float(palette["heat"].rstrip("%")) / 100 * share
    background = mixed(palette["symbol-weights"], palette["cell"], heat)
    assert contrast(palette["ink"], background) >= 4.5


def mixed(one: str, other: str, share: float) -> str:
    """CSS color-mix in srgb."""
    channels = [
        share * int(one[i : i + 2], 16) + (1 - share) * int(other[i : i + 2], 16) for i in (1, 3, 5)
    ]
    return "#" + "".join(f"{round(channel):02x}" for channel in channels)
