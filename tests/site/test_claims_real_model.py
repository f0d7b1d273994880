"""What the page on the real model claims, computed with the model as the site hosts it."""

import inspect
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from site_src.figures.real_heads.trace import turning
from site_src.model import original, small
from snippets import attention as module
from snippets.attention import attention
from snippets.head_habits import turned
from snippets.real_model import differences, load_model, read, value_lengths, vector, verdict
from tests.model.texts import TIRED, WIDE
from tests.site.test_claims import prose

TEXT = prose("real-model")
SENTENCES = [
    "The cat slept on the bed.",
    "An animal is asleep on the floor.",
    "Prices fell at the stock market.",
    "Shares lost value this afternoon.",
]
PAIRS = ((0, 1), (2, 3))
SCALING = ("scores = scores / q.shape[-1] ** 0.5", "scores = scores")
MASK = ("if mask is not None:", "if False:")
ALL_DIFFER = "Differs from the reference in 72 of 72 heads"
SOFTMAX = ("weights = softmax(scores)", "weights = scores")


@pytest.fixture(scope="module")
def model(prepared: Path) -> Any:
    """The model as the site hosts it."""
    return load_model(prepared)


def edited(right: str, wrong: str) -> Any:
    """The page's attention as a reader breaks it."""
    source = inspect.getsource(module)
    assert source.count(right) == 1
    names: dict[str, Any] = {}
    exec(source.replace(right, wrong), names)
    return names["attention"]


def to_cls(model: Any, function: Any) -> float:
    """The share of all weights that the first token gets."""
    return float(read(TIRED, model, function)[1][..., 0].mean())


def similarities(model: Any, function: Any) -> Any:
    """Of all sentences to each other."""
    vectors = np.array([vector(one, model, function) for one in SENTENCES])
    return vectors @ vectors.T


def preferences(model: Any, function: Any) -> list[Any]:
    """How much more "it" looks at animal than at street, in either sentence: [layers, H] each."""
    found = []
    for text in (TIRED, WIDE):
        words, maps, _ = read(text, model, function)
        it, animal, street = (words.index(word) for word in ("it", "animal", "street"))
        found.append(maps[:, :, it, animal] - maps[:, :, it, street])
    return found


def test_the_size_of_the_model() -> None:
    unused = ("embeddings.position_ids",)
    count = sum(t.size for name, t in original.tensors().items() if name not in unused)
    assert f"a Transformer of {count / 1e6:.1f} million parameters" in TEXT
    config = original.config()
    layers, heads = config["num_hidden_layers"], config["num_attention_heads"]
    assert f"{layers} layers with {heads} heads each, {layers * heads} in all" in TEXT
    assert f"A text may have {config['max_position_embeddings']} tokens" in TEXT


def test_one_head_is_clear_and_as_many_turn_the_other_way(model: Any) -> None:
    before, after = preferences(model, attention)
    found = turned(before, after)
    assert "As many heads turn the wrong way" in TEXT
    both = found, turned(after, before)
    assert [len(heads) for heads in both] == [6, 6]
    assert "the weights as published give the same six and six" in TEXT
    marked = turning()
    assert both == tuple([p for p in marked if marked[p] == way] for way in ("with", "against"))
    assert "only layer 5, head 1 is clear; of those that turn against it two are as clear" in TEXT
    clear = [
        [place for place in heads if min(abs(before[place]), abs(after[place])) > 0.01]
        for heads in both
    ]
    assert (clear[0], len(clear[1])) == ([(4, 0)], 2)


def test_the_size_of_the_download(prepared: Path) -> None:
    hosted = sum((prepared / name).stat().st_size for name in (small.MODEL, small.RARER))
    published = sum(tensor.nbytes for tensor in original.tensors().values())
    assert f"to 9 bits each: {hosted / 1e6:.0f} MB instead of {published / 1e6:.0f}" in TEXT
    vocabulary = original.read("vocab.txt").decode().split()
    assert f"The model knows {len(vocabulary):,} pieces of words" in TEXT
    card = (prepared / "model-card.txt").read_text(encoding="utf-8")
    assert (
        "its makers cut texts after 256, and taught it to compare sentences of at most 128" in TEXT
    )
    assert "longer than 256 word pieces is truncated" in card
    assert "The sequence length was limited to 128 tokens" in card


def test_cls_is_a_sink(model: Any) -> None:
    ratio, share = of_cls(model)
    assert "`[CLS]` gets about half of all attention or more in layers 2 to 5" in TEXT
    assert [layer for layer in range(6) if share[layer] > 0.49] == [1, 2, 3, 4]
    there = ratio[1:5].round(2)
    assert f"its value is {there.min():.2f} to {there.max():.2f} as long as the others'" in TEXT


def of_cls(model: Any) -> tuple[Any, Any]:
    """The length of its value, by that of others (the median of heads); its share of weights."""
    of_all = value_lengths(TIRED, model, attention)
    maps = read(TIRED, model, attention)[1]
    ratio = of_all[..., 0] / of_all[..., 1:].mean(axis=-1)
    return np.median(ratio, axis=1), maps[..., 0].mean(axis=(1, 2))


def test_without_the_scaling(model: Any) -> None:
    function = edited(*SCALING)
    shares = [f"{to_cls(model, f):.0%}" for f in (function, attention)]
    assert "`[CLS]` now gets {} instead of {}".format(*shares) in TEXT
    right, wrong = (similarities(model, f) for f in (attention, function))
    pairs = [f"{s[pair]:.2f}" for s in (right, wrong) for pair in PAIRS]
    assert "from {} and {} to {} and {}, still far above the others".format(*pairs) in TEXT
    assert min(wrong[pair] for pair in PAIRS) > 3 * wrong[:2, 2:].max()
    counts = [len(turned(*preferences(model, f))) for f in (function, attention)]
    assert "And {} heads turn with the meaning instead of {}".format(*counts) in TEXT
    assert "all heads differ" in TEXT
    assert verdict(differences(function, TIRED, model)).startswith(ALL_DIFFER)


def test_without_the_mask(model: Any) -> None:
    function = edited(*MASK)
    assert "Alone, nothing changes; padded, all heads differ" in TEXT
    assert differences(function, TIRED, model).max() == 0
    assert verdict(differences(function, TIRED, model, 20)).startswith(ALL_DIFFER)
    agree = [vector(s, model, function) @ vector(s, model, function, 20) for s in SENTENCES]
    assert f"agree to {min(agree):.2f}–{max(agree):.2f} only" in TEXT


def test_without_softmax(model: Any) -> None:
    function = edited(*SOFTMAX)
    found = similarities(model, function)
    assert f"the pair about the market falls to {found[2, 3]:.2f}".replace("-", "−") in TEXT
    assert (found[:2, 2:] > found[2, 3]).sum() >= 3
    assert "With a mask, −∞ gets into the sums, and the model refuses." in TEXT
    with (
        np.errstate(invalid="ignore"),
        pytest.raises(ValueError, match="attention returned NaN or infinity"),
    ):
        vector(SENTENCES[0], model, function, 20)


def test_what_the_page_prints_does_not_hang_on_the_last_bits(model: Any) -> None:
    """Browsers add up in another order: what is rounded stands clear of where rounding turns."""
    before, after = preferences(model, attention)
    places = turned(before, after)
    printed = {
        2: [
            *np.concatenate(of_cls(model)),
            *similarities(model, attention).flat,
        ],
        3: [*(p[place] for p in (before, after) for place in places)],
    }
    for digits, numbers in printed.items():
        from_half = np.abs(np.abs(numbers) * 10**digits % 1 - 0.5) / 10**digits
        assert from_half.min() > 1e-5
