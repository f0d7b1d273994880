"""How many parameters a layer or a whole model has, part by part, for settings of the reader's."""

from typing import Any, NamedTuple, TypedDict

import numpy as np

from site_src.figures.cache_bytes.trace import whole
from site_src.figures.calculation.trace import Step
from site_src.figures.cost.trace import rounded
from site_src.figures.matrices import Matrix, matrix
from snippets.parameters import attention_parameters, attention_parts, linear

HEADS = [1, 2, 4, 8, 12, 16, 32, 64]  # that the slider offers, where they divide
UNITS = [(10**9, "B"), (10**6, "M"), (10**3, "k")]

Stop = tuple[int, int]  # heads, and heads of the keys and values that they share


class Inputs(TypedDict):
    """What a reader can change."""

    model: str
    d_model: int
    heads: int
    kv_heads: int
    bias: bool


class Model(NamedTuple):
    """A model as published; below `bias`, what stays when a reader changes the rest."""

    d_model: int
    heads: int
    kv_heads: int
    bias: bool
    layers: int
    vectors: int = 0  # in its tables of words, positions and kinds of sentence
    words: int = 0  # that its own head scores; none if it is tied to the table of words
    pooler: bool = False
    gated: bool = False  # as in Llama: an MLP of three matrices, norms with a gain alone

    @property
    def norms(self) -> int:
        """Two in each layer, and one more beside the tables."""
        return 2 * self.layers + (self.vectors > 0)


MODELS = {
    "Transformer, one layer": Model(512, 8, 8, bias=True, layers=1),
    "Llama-3.1-8B, one layer": Model(4096, 32, 8, bias=False, layers=1, gated=True),
    "BERT-base": Model(768, 12, 12, True, layers=12, vectors=30_522 + 512 + 2, pooler=True),
    "GPT-2 small": Model(768, 12, 12, True, layers=12, vectors=50_257 + 1024),
    "Llama-3.1-8B": Model(
        4096, 32, 8, False, layers=32, vectors=128_256, words=128_256, gated=True
    ),
}
LAYERS = [name for name, model in MODELS.items() if model.layers == 1]

STEPS = [
    Step(
        key="parts",
        title="Where the parameters are",
        says="All parts with their shares, and the attention of one layer taken apart.",
        takes=[],
        makes=["parameters", "attention"],
    )
]


def embedded() -> dict[str, Inputs]:
    """All models as published; each single layer at the stops of the sliders, and with biases."""
    states = {name: published(name) for name in MODELS}
    for name in LAYERS:
        own = states[name]
        for heads, kv_heads in sorted({*heads_stops(own), *kv_stops(own)}):
            if (heads, kv_heads) != (own["heads"], own["kv_heads"]):
                state = f"{name}, heads {heads} and {kv_heads}"
                states[state] = {**own, "heads": heads, "kv_heads": kv_heads}
        states[f"{name}, biases turned"] = {**own, "bias": not own["bias"]}
    return states


def published(name: str) -> Inputs:
    """The settings that a model was published with."""
    d_model, heads, kv_heads, bias, *_ = MODELS[name]
    return Inputs(model=name, d_model=d_model, heads=heads, kv_heads=kv_heads, bias=bias)


def heads_stops(inputs: Inputs) -> list[Stop]:
    """Other numbers of heads; as many of them as before share a key and a value."""
    group = inputs["heads"] // inputs["kv_heads"]
    fitting = [n for n in HEADS if n % group == 0 and inputs["d_model"] % n == 0]
    return [(heads, heads // group) for heads in fitting]


def kv_stops(inputs: Inputs) -> list[Stop]:
    """Other numbers of heads for keys and values, from one for all to one each."""
    heads = inputs["heads"]
    return [(heads, shared) for shared in range(1, heads + 1) if heads % shared == 0]


def trace(inputs: Inputs) -> dict[str, Any]:
    """Every part's parameters. Raises ValueError for settings that no model can have."""
    inputs = checked(inputs)
    attention = attention_counts(inputs)
    parts = part_counts(inputs)
    return {
        "inputs": inputs,
        "matrices": [table("parameters", parts), table("attention", attention)],
        "steps": STEPS,
        "picture": told(inputs, parts),
        "short": [short(count) for count in attention.values()],
        "stops": {"heads": heads_stops(inputs), "kv_heads": kv_stops(inputs)},
    }


def checked(inputs: Any) -> Inputs:
    """The inputs as whole numbers. Raises ValueError, in a sentence, for what is none."""
    model, bias = inputs.get("model"), inputs.get("bias")
    if not isinstance(model, str) or model not in MODELS or not isinstance(bias, bool):
        raise ValueError("These are no settings of this figure.")
    d_model, heads, kv_heads = (whole(inputs, name) for name in ("d_model", "heads", "kv_heads"))
    try:
        attention_parts(d_model, heads, kv_heads)
    except ValueError as problem:
        raise ValueError(f"{problem}.") from None
    return Inputs(model=model, d_model=d_model, heads=heads, kv_heads=kv_heads, bias=bias)


def attention_counts(inputs: Inputs) -> dict[str, int]:
    """The four matrices of one layer's attention, and their biases."""
    shape = inputs["d_model"], inputs["heads"], inputs["kv_heads"]
    matrices = attention_parts(*shape, bias=False)
    biases = attention_parameters(*shape, bias=inputs["bias"]) - sum(matrices.values())
    named = zip(["W_q", "W_k", "W_v", "W_o"], matrices.values(), strict=True)
    return present({**dict(named), "biases": biases})


def part_counts(inputs: Inputs) -> dict[str, int]:
    """The parts of the whole, all layers together, in the order in which a word meets them."""
    model, d, bias = MODELS[inputs["model"]], inputs["d_model"], inputs["bias"]
    wide = 7 * d // 2 if model.gated else 4 * d
    into, back = linear(d, wide, bias), linear(wide, d, bias)
    norm = d if model.gated else 2 * d
    return present(
        {
            "embeddings": model.vectors * d,
            "attention": model.layers * sum(attention_counts(inputs).values()),
            "MLP": model.layers * ((2 if model.gated else 1) * into + back),
            "norms": model.norms * norm,
            "pooler": linear(d, d) if model.pooler else 0,
            "head": linear(d, model.words, bias=False),
        }
    )


def present(counts: dict[str, int]) -> dict[str, int]:
    """The parts that are there."""
    return {name: count for name, count in counts.items() if count}


def table(name: str, counts: dict[str, int]) -> Matrix:
    """Parts with their counts and shares, and all of them together."""
    rows = {**counts, "all": sum(counts.values())}
    values = np.array([[count, round(count / rows["all"], 4)] for count in rows.values()])
    drawn = matrix(name, "", values, list(rows), ["parameters", "share"])
    drawn["shown"] = [[f"{count:,}", percent(count / rows["all"])] for count in rows.values()]
    return drawn


def percent(share: float) -> str:
    """A share with one decimal.

    >>> percent(1 / 3), percent(0.00002)
    ('33.3%', '< 0.1%')
    """
    return "< 0.1%" if share < 0.0005 else f"{share:.1%}"


def short(count: int) -> str:
    """A count with three digits that matter.

    >>> short(262_144), short(16_777_216), short(960)
    ('262 k', '16.8 M', '960')
    """
    return rounded(count, UNITS) or str(count)


def told(inputs: Inputs, parts: dict[str, int]) -> str:
    """What the picture shows, with the formula of attention in numbers."""
    everything = sum(parts.values())
    attention, mlp = (percent(parts[name] / everything) for name in ("attention", "MLP"))
    changed = "" if inputs == published(inputs["model"]) else ", with your settings"
    return (
        f"{inputs['model']}{changed}: {everything:,} parameters. "
        f"Attention has {formula(inputs)} = {parts['attention']:,}, {attention} of them; "
        f"the MLP has {mlp}. {sharing(inputs)}"
    )


def sharing(inputs: Inputs) -> str:
    """How the features are dealt out to heads."""
    heads, kv_heads = inputs["heads"], inputs["kv_heads"]
    shared = "" if kv_heads == heads else f" share {counted(kv_heads)} of keys and values"
    return f"{counted(heads)} of {inputs['d_model'] // heads:,} features{shared}."


def formula(inputs: Inputs) -> str:
    """The parameters of all layers' attention as a sum, with the numbers put in."""
    d, layers = f"{inputs['d_model']:,}", MODELS[inputs["model"]].layers
    if inputs["kv_heads"] == inputs["heads"]:
        terms = [f"4 · {d}²", f"4 · {d}"]
    else:
        shared = f"{inputs['d_model'] // inputs['heads'] * inputs['kv_heads']:,}"
        terms = [f"2 · {d}² + 2 · {d} · {shared}", f"2 · {d} + 2 · {shared}"]
    a_layer = " + ".join(terms if inputs["bias"] else terms[:1])
    return a_layer if layers == 1 else f"{layers} · ({a_layer})"


def counted(heads: int) -> str:
    """So many heads.

    >>> counted(1), counted(8)
    ('1 head', '8 heads')
    """
    return "1 head" if heads == 1 else f"{heads} heads"
