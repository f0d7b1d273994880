"""What the page on positions claims, held against the code that it speaks of."""

import numpy as np

from site_src.figures.rope import trace as rope_trace
from site_src.figures.sinusoidal import trace as waves_trace
from snippets.attention import attention
from snippets.masks import causal_mask
from snippets.positions import rope, sinusoidal
from snippets.word_order import attend
from tests.site.test_claims import prose

NEWS, OLD = ["man", "bites", "dog"], ["dog", "bites", "man"]
BERT_BASE = 109_482_240  # as `sum(p.numel() for p in BertModel(BertConfig()).parameters())`
GPT_2_SMALL = 124_439_808  # as the same of GPT2LMHeadModel(GPT2Config()), its ends tied


def test_attention_permutes_what_is_permuted_whatever_the_numbers() -> None:
    text = prose("position")
    assert (
        "permute the words, and **weights**{.sym-weights} and **output**{.sym-output} are" in text
    )
    assert "It holds for any numbers, as long as there is no mask and no position." in text
    rng = np.random.default_rng(0)
    for _ in range(20):
        x, (w_q, w_k, w_v) = rng.normal(size=(7, 5)), rng.normal(size=(3, 5, 5))
        order = rng.permutation(7)
        output, weights = attention(x @ w_q, x @ w_k, x @ w_v)
        y = x[order]
        again, weights_again = attention(y @ w_q, y @ w_k, y @ w_v)
        np.testing.assert_allclose(again, output[order])
        np.testing.assert_allclose(weights_again, weights[order][:, order])


def test_a_causal_mask_alone_leaks_some_of_the_order() -> None:
    text = prose("position")
    assert "a causal mask alone already leaks some of the order, because a word that comes" in text
    assert "early sees fewer others" in text
    output, again = (attend(words, "causal mask")[0] for words in (OLD, NEWS))
    assert not np.allclose(again, output[::-1])
    assert causal_mask(3).sum(axis=-1).tolist() == [1, 2, 3]


def test_each_pair_is_slower_than_the_last() -> None:
    assert "a sine and a cosine, each pair slower than the last" in prose("position")
    table = sinusoidal(2, 32)
    speeds = np.arctan2(table[1, 0::2], table[1, 1::2])
    assert (np.diff(speeds) < 0).all()


def test_fast_features_tell_neighbours_apart_and_slow_ones_the_ends() -> None:
    assert "Fast features tell neighbours apart, slow ones tell the beginning from the end." in (
        prose("position")
    )
    table = sinusoidal(64, 32)
    neighbours = abs(np.diff(table, axis=0)).mean(axis=0)
    assert neighbours[:2].min() > 0.5 > 0.05 > neighbours[10:].max()
    slow = table[:, 14]  # rises all the way
    assert (np.diff(slow) > 0).all()
    assert slow[-1] - slow[0] > 0.9


def test_the_hill_keeps_its_shape() -> None:
    text = prose("position")
    assert r"$\mathrm{PE}(p) \cdot \mathrm{PE}(q)$ depends on $p - q$ only" in text
    assert "The figure views your `table`" in text
    assert "`np.random.default_rng(0).normal(size=(64, 32))`" in text
    random = np.random.default_rng(0).normal(size=(64, 32))
    assert "depends on the distance" in waves_trace.trace({})["verdict"]
    told = waves_trace.trace({"table": random.tolist()})["verdict"]
    assert "depends on where p and q are" in told
    assert "the hill is gone: a position is like itself, and neighbours are no more alike" in text
    near = [(random @ random.T)[p, p + 1] for p in range(63)]
    far = [(random @ random.T)[p, p + 30] for p in range(34)]
    largest = (random @ random.T).argmax(axis=-1)
    assert np.array_equal(largest, np.arange(64))
    assert abs(np.mean(near) - np.mean(far)) < 2


def test_learned_tables_end() -> None:
    """With so many rows, and no other number, the parameters add up to what was published."""
    text = prose("position")
    assert "BERT has 512 positions, GPT-2 1,024" in text
    width, inner = 768, 4 * 768
    layer = 4 * width * (width + 1) + 2 * width * inner + inner + width + 4 * width
    bert = (30_522 + 512 + 2 + 2) * width + 12 * layer + width * (width + 1)
    assert bert == BERT_BASE
    gpt_2 = (50_257 + 1_024) * width + 12 * layer + 2 * width
    assert gpt_2 == GPT_2_SMALL


def test_rope_turns_queries_and_keys_and_not_values() -> None:
    text = prose("position")
    assert "turns each pair like the hand of a clock" in text
    assert "Values are not turned." in text
    q = np.array(rope_trace.Q)
    assert np.array_equal(rope(q, 0), q)
    for place in (1, 50):
        assert np.isclose(np.linalg.norm(rope(q, place)), np.linalg.norm(q))
    only_one = [attend(["man"], "RoPE", start)[0] for start in (0, 9)]
    assert np.array_equal(*only_one), "one word alone passes on its value, wherever it is"


def test_the_vectors_of_the_cell_are_those_of_the_figure() -> None:
    text = prose("position")
    for name, vector in (("q", rope_trace.Q), ("k", rope_trace.K)):
        assert f"{name} = np.array({vector})" in text


def test_the_two_conventions() -> None:
    text = prose("position")
    assert "*i* and *i* + d/2, or neighbours, 2*i* and 2*i* + 1" in text
    x = np.random.default_rng(0).normal(size=8)
    order = [0, 4, 1, 5, 2, 6, 3, 7]
    assert f"order = {order}" in text
    for place in (1, 30):
        found = rope(x[order], place, interleaved=True)
        np.testing.assert_allclose(found, rope(x, place)[order])
        assert not np.allclose(rope(x, place), rope(x, place, interleaved=True))


def test_the_answer_to_your_turn() -> None:
    text = prose("position")
    changes = {
        way: abs(attend(OLD, way)[1] - attend(OLD, way, start=1000)[1]).max()
        for way in ("sinusoids", "RoPE", "no positions")
    }
    assert f"the weights change, by up to {changes['sinusoids']:.2f}" in text
    assert 'With `way = "RoPE"` nothing changes' in text
    assert changes["RoPE"] < 1e-12
    assert "Without positions nothing changes either" in text
    assert changes["no positions"] == 0
