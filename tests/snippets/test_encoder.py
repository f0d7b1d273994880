"""The encoder against torch's own layer, which BERT's is, and against mistakes."""

import math
import re
import types
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose

from snippets import encoder as encoder_module
from snippets.attention import attention
from tests.snippets.mistakes import Array, Check, Mistakes, checks, is_caught, name, read_only
from tests.snippets.oracles import tensor

D, HEADS, LAYERS, T = 6, 3, 2, 4
LINEAR = {"query": D, "key": D, "value": D, "output": D, "mlp_in": 4 * D, "mlp_out": D}


def drawn(dtype: str = "f8") -> dict[str, Any]:
    """Weights of a small encoder, in which nothing is 0 or 1 or small."""
    rng = np.random.default_rng(5)

    def draw(*shape: int, middle: float = 0.0) -> Array:
        return read_only((rng.normal(size=shape) + middle).astype(dtype))

    def norm() -> tuple[Array, Array]:
        return draw(D, middle=2), draw(D)

    def layer() -> dict[str, tuple[Array, Array]]:
        given = {n: (draw(4 * D if n == "mlp_out" else D, f), draw(f)) for n, f in LINEAR.items()}
        return given | {"norm_1": norm(), "norm_2": norm()}

    layers = [layer() for _ in range(LAYERS)]
    return {"positions": draw(9, D), "segment": draw(D), "norm": norm(), "layers": layers}


ROWS = read_only(np.random.default_rng(6).normal(size=(T, D)))


def torch_layer(layer: dict[str, tuple[Array, Array]]) -> torch.nn.TransformerEncoderLayer:
    """nn.TransformerEncoderLayer with norms behind, its exact gelu, and BERT's eps."""
    made = torch.nn.TransformerEncoderLayer(
        *(D, HEADS, 4 * D, 0.0),
        activation="gelu",
        layer_norm_eps=1e-12,
        batch_first=True,
        dtype=torch.double,
    )
    three = [layer[n] for n in ("query", "key", "value")]
    loaded = {
        "self_attn.in_proj_weight": np.concatenate([w.T for w, _ in three]),
        "self_attn.in_proj_bias": np.concatenate([b for _, b in three]),
    }
    for ours, theirs in {
        "output": "self_attn.out_proj",
        "mlp_in": "linear1",
        "mlp_out": "linear2",
        "norm_1": "norm1",
        "norm_2": "norm2",
    }.items():
        loaded |= {f"{theirs}.weight": layer[ours][0].T, f"{theirs}.bias": layer[ours][1]}
    made.load_state_dict({key: tensor(value) for key, value in loaded.items()})
    return made


def check_encoder(module: types.ModuleType) -> None:
    """Every state and every map; in float32 too, and stays there."""
    weights = drawn()
    states, maps = module.encoder(ROWS, weights, attention, HEADS)
    added = tensor(ROWS + weights["positions"][:T] + weights["segment"])
    gain, bias = map(tensor, weights["norm"])
    x = torch.nn.functional.layer_norm(added, (D,), gain, bias, 1e-12)[None]
    for number, layer in enumerate(map(torch_layer, weights["layers"])):
        with torch.no_grad():
            assert_allclose(states[number], x[0], atol=1e-5)
            _, looks = layer.self_attn(x, x, x, average_attn_weights=False)
            assert_allclose(maps[number], looks[0], atol=1e-5)
            x = layer(x)
    assert_allclose(states[LAYERS], x[0], atol=1e-5)
    assert (states.shape, maps.shape) == ((LAYERS + 1, T, D), (LAYERS, HEADS, T, T))
    narrow = module.encoder(ROWS.astype("f4"), drawn("f4"), attention, HEADS)
    assert [part.dtype for part in narrow] == [np.float32] * 2
    assert_allclose(narrow[0], states, atol=1e-4)


def check_mask(module: types.ModuleType) -> None:
    """The last token is padding, for every head of every layer."""
    weights, mask = drawn(), np.array([[True] * (T - 1) + [False]])
    states, maps = module.encoder(ROWS, weights, attention, HEADS, mask)
    alone, looks = module.encoder(ROWS[:-1], weights, attention, HEADS)
    assert_allclose(states[:, :-1], alone, atol=1e-9)
    assert_allclose(maps[:, :, :-1, :-1], looks, atol=1e-9)
    assert (maps[..., -1] == 0).all()


def check_attention_of_any_dtype(module: types.ModuleType) -> None:
    """A function that computes in float64 does not make the rest slow; lists will do."""

    def wide(q: Array, k: Array, v: Array) -> list[Any]:
        output, weights = attention(q, k, v)
        return [output.astype("f8"), weights.tolist()]

    states, maps = module.encoder(ROWS.astype("f4"), drawn("f4"), wide, HEADS)
    assert [states.dtype, maps.dtype] == [np.float32] * 2


def check_erf(module: types.ModuleType) -> None:
    """The library's, to 2 in ten million; nothing overflows; gelu is torch's exact one."""
    x = np.linspace(-6, 6, 2401)
    with np.errstate(all="raise", under="ignore"):
        assert_allclose(module.erf(x), [math.erf(n) for n in x], rtol=0, atol=2e-7)
        assert module.erf(np.array([-50.0, 50.0])).tolist() == [-1, 1]
    expected = torch.nn.functional.gelu(tensor(x)).numpy()
    assert_allclose(module.exact_gelu(x), expected, atol=1e-6)


WRONG_RESULTS = {
    "(4, 2)": lambda q, k, v: v,
    "(4, 2) and (4, 3)": lambda q, k, v: (v, np.ones((4, 3))),
    "(2, 4) and (4, 4)": lambda q, k, v: (v.T, np.ones((4, 4))),
    "(4, 4) and (4, 2)": lambda q, k, v: (np.ones((4, 4)), v),
    "()": lambda q, k, v: None,
}


def check_wrong_results_are_refused(module: types.ModuleType) -> None:
    """What came back is named, and what has to."""
    for got, function in WRONG_RESULTS.items():
        said = re.escape(f"(output, weights) of shapes (4, 2) and (4, 4): got {got}")
        with pytest.raises(ValueError, match=f"{said}$"):
            module.encoder(ROWS, drawn(), function, HEADS)


def check_nothing_but_numbers(module: types.ModuleType) -> None:
    """One NaN, or one infinity, anywhere."""
    for place in (0, 1):
        for number in (np.nan, np.inf):

            def broken(q: Array, k: Array, v: Array, n: float = number, p: int = place) -> Any:
                parts = [part.copy() for part in attention(q, k, v)]
                parts[p][-1, -1] = n
                return parts

            with pytest.raises(ValueError, match="returned NaN or infinity"):
                module.encoder(ROWS, drawn(), broken, HEADS)


def check_sentence_vector(module: types.ModuleType) -> None:
    """The direction of the mean, whatever the size."""
    mean = ROWS.mean(0)
    for size in (0.01, 1, 100):
        found = module.sentence_vector(size * ROWS)
        assert_allclose(found, mean / (mean @ mean) ** 0.5)


CHECKS = checks(globals())


@pytest.mark.parametrize("check", CHECKS, ids=name)
def test_agrees_with_independent_results(check: Check) -> None:
    check(encoder_module)


UPDATE, MLP = "add(x, update), layer", 'add(x, linear(hidden, *layer["mlp_out"])), layer'
EMBED = 'rows + weights["positions"][: len(rows)] + weights["segment"]'
MISTAKES: Mistakes = {
    "no positions": (EMBED, 'rows + weights["segment"]'),
    "no segment": (EMBED, 'rows + weights["positions"][: len(rows)]'),
    "positions from the end": (EMBED, EMBED.replace("[: len", "[-len")),
    "embeddings not normed": ('norm(x, weights["norm"])', "x"),
    "another eps": ("EPS = 1e-12", "EPS = 1e-2"),
    "no bias": ("x, w) + b", "x, w)"),
    "no mask": ("(mask,)", "()"),
    "no mask in a head": ("(attention, *head, *mask)", "(attention, *head)"),
    "NaN may pass": ("np.isfinite(part).all() for part in parts", "True for part in parts"),
    "one number is enough": ("np.isfinite(part).all()", "np.isfinite(part).any()"),
    "query and key exchanged": ('("query", "key", "value")', '("key", "query", "value")'),
    "keys for values": ('("query", "key", "value")', '("query", "key", "key")'),
    "heads not merged": ("merge_heads(outputs)", "outputs.reshape(x.shape)"),
    "heads not mixed": (
        'linear(merge_heads(outputs), *layer["output"]), weights',
        "merge_heads(outputs), weights",
    ),
    "no residual around attention": (UPDATE, "update, layer"),
    "no residual around the MLP": (MLP, 'linear(hidden, *layer["mlp_out"]), layer'),
    "norms exchanged": ('layer["norm_1"]', 'layer["norm_2"]  # was 1\n    '),
    "no bend": ('exact_gelu(linear(x, *layer["mlp_in"]))', 'linear(x, *layer["mlp_in"])'),
    "GPT-2's bend": (
        "return x * (1 + erf(x / 2**0.5)) / 2",
        "return x * (1 + np.tanh((2 / np.pi) ** 0.5 * (x + 0.044715 * x**3))) / 2",
    ),
    "erf of x": ("erf(x / 2**0.5)", "erf(x)"),
    "no sign": ("np.sign(x) * ", ""),
    "the first layer again": ("encoder_layer(states[-1]", "encoder_layer(states[0]"),
    "the dtype of what was given": ("np.array(part, x.dtype)", "np.array(part)"),
    "anything goes": ("if found != wanted:", "if False:"),
    "only the output is looked at": ("if found != wanted:", "if found[0] != wanted[0]:"),
    "the sum for the mean": ("mean / np.linalg.norm(mean)", "mean"),
    "the first token for all": ("x.mean(0)", "x[0]"),
}


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_is_caught(mistake: str) -> None:
    assert is_caught(encoder_module, MISTAKES[mistake], CHECKS)
