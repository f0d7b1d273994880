"""What the pages say of the real model's heads, held against the published model."""

from typing import Any

import numpy as np
import pytest

from site_src.figures.real_heads.trace import SENTENCES, gap, looks, to_nouns, turning
from site_src.figures.real_layer.trace import LAST, habits
from site_src.model import original
from snippets.flip import preference
from tests.site.test_claims import prose

pytestmark = pytest.mark.usefixtures("prepared")
SEE, SEVERAL = prose("see-it-work"), prose("multi-head")


def per_cent(share: Any) -> str:
    """A share as the pages write it."""
    return f"{share:.0%}"


def test_the_size_of_the_model() -> None:
    numbers = [t.size for name, t in original.tensors().items() if "position_ids" not in name]
    assert f"a model with {sum(numbers) / 1e6:.1f} million numbers" in SEE
    _, maps = looks("tired")
    layers, heads = maps.shape[:2]
    assert f"It has {layers} layers of {heads} heads" in SEE
    assert f"All {layers * heads} tables" in SEE
    assert f"{layers * heads} heads of a real model." in SEE


def test_the_head_that_is_shown_first() -> None:
    best = max(turning(), key=gap)
    assert best == (4, 0)
    (animal, street), (after_wide, most) = (map(per_cent, row) for row in to_nouns(best))
    assert (
        f"Its *it* gives {animal} to *animal* and {street} to *street* after *tired*, "
        f"{after_wide} and {most} after *wide*."
    ) in SEE
    for words, maps in map(looks, SENTENCES):
        assert words[maps[best][words.index("it")].argmax()] == "[CLS]"
    assert "The thickest arc goes to neither noun but to [CLS]" in SEE


def test_how_many_heads_turn_which_way() -> None:
    ways = list(turning().values())
    found = f"found {ways.count('with')} that turn from animal to street with the last word."
    assert found in SEE
    assert f"It also found {ways.count('against')} that turn the other way." in SEE


def test_a_first_layer_keeps_its_ratios() -> None:
    """As it must: see the page on stacking layers."""
    tired, wide = (preference(maps, words) for words, maps in map(looks, SENTENCES))
    moved = np.abs(tired - wide).max(-1)
    assert len(tired[0]) == 12
    assert "In all 12, the ratio of the weights of *it* on *animal* and *street* is the same" in SEE
    assert "its logarithm moves by less than 0.000001" in SEE
    assert moved[0] < 1e-6
    assert f"In layer 5 it moves by up to {moved[4]:.1f}." in SEE
    assert not any(layer == 0 for layer, _ in turning())


def test_the_sink() -> None:
    to_sink = habits(looks("tired")[1])["[CLS]"]
    assert f"in layers 2 to 5, [CLS] takes {per_cent(to_sink[1:5].mean())} of all attention" in SEE


def test_habits() -> None:
    words, maps = looks(LAST)
    found = habits(maps)
    before, after = found["the piece before"], found["the piece after"]
    assert before.argmax() == 2
    assert f"In layer 1, head 3 gives {per_cent(before.max())} to the piece before" in SEVERAL
    assert after.argmax() == 12 + 8
    assert f"In layer 2, head 9 gives {per_cent(after.max())} to the piece after" in SEVERAL
    most = maps.mean(-2).argmax(-1)  # the place that gets most, in each head
    assert f"in {(most == 0).sum()} of all 72 heads no token gets as much as [CLS]" in SEVERAL
    assert len(words) == 15
