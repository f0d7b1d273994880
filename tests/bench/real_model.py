"""The real model in the page: its bytes; a pass against the products in it, and transformers."""

import json
import statistics
import time
from typing import Any

from playwright.sync_api import Page, Playwright

from site_src import model
from snippets.real_model import load_model
from snippets.word_pieces import tokens
from tests.browser import chromium
from tests.browser.cells import CellOnPage
from tests.server import StaticServer

TEXTS = {
    15: "The animal didn't cross the street because it was too tired",
    128: "the cat sat on the mat and " * 18,
    512: "every good boy has the best " * 120,
}
REPEATS = {15: 15, 128: 5, 512: 2}
# The products of a pass alone, of the same shapes: as @ writes them, and as linear() does.
CODE = """import json, time
from snippets.real_model import read, load_model
texts, repeats = json.loads('''TEXTS''')

def best(work, times):
    found = []
    for _ in range(times + 1):
        start = time.perf_counter()
        work()
        found.append(time.perf_counter() - start)
    return min(found[1:]) * 1e3

def products(T, times):
    rng = np.random.default_rng(0)
    draw = lambda *shape: rng.normal(size=shape).astype("f4")
    layers = model["weights"]["layers"]
    x, wide, heads = draw(T, 384), draw(T, 1536), draw(12, T, 32)
    weights = draw(12, T, T)
    def bare(product):
        for layer in layers:
            for name in ("query", "key", "value", "output", "mlp_in"):
                product(x, layer[name][0])
            product(wide, layer["mlp_out"][0])
            for h in range(12):
                (heads[h] @ heads[h].T) @ heads[h]
    einsum = lambda a, w: np.einsum("td,df->tf", a, w)
    return best(lambda: bare(np.matmul), times), best(lambda: bare(einsum), times)

found = {}
for text, times in zip(texts, repeats):
    T = len(read(text, model, attention)[0])
    found[T] = best(lambda: read(text, model, attention), times), *products(T, times)
print("found", json.dumps(found))"""


def measure(playwright: Playwright, server: StaticServer) -> None:
    """Bytes of the first text and of the first with a rarer word; milliseconds of a pass."""
    if not model.files():
        print("The real model: not measured, it has not been fetched")
        return
    browser = chromium.launch(playwright)
    page = browser.new_page()
    page.set_default_timeout(300_000)
    page.goto(f"{server.address}site/real-model/")
    attention = CellOnPage(page, "attention")
    attention.run_to_end()
    print("The real model, bytes:", *bytes_sent(page, server))
    theirs = transformers()
    for count, (ours, at, einsum) in in_page(page).items():
        print(
            f"{count} tokens: {ours:.0f} ms; products alone {at:.0f} ms with @ ({ours / at:.2f}), "
            f"{einsum:.0f} with einsum ({ours / einsum:.2f}); transformers {theirs[count]:.0f} ms "
            f"on this CPU ({ours / theirs[count]:.1f})"
        )
    browser.close()


def bytes_sent(page: Page, server: StaticServer) -> list[str]:
    """For a first sentence, for another, and for one with a rarer word."""
    cell, said = CellOnPage(page, "read"), []
    texts = {"first": TEXTS[15], "next": "the dog", "rarer word": "the axolotl"}
    for name, text in texts.items():
        reading = f"words, maps, states = read({text!r}, model, attention)"
        cell.write(f"from snippets.real_model import read\n{reading}")
        before = server.sent
        cell.run_to_end()
        said.append(f"{name} {server.sent - before:,};")
    return said


def in_page(page: Page) -> dict[int, tuple[float, float, float]]:
    """Milliseconds in the page, by tokens: a pass, and its products in two ways."""
    cell = CellOnPage(page, "check")
    given = json.dumps([list(TEXTS.values()), list(REPEATS.values())])
    cell.write(CODE.replace("TEXTS", given.replace("'", "\\'")))
    cell.run_to_end()
    text = cell.output.text_content() or ""
    found = json.loads(text.split("found ")[1])
    return {int(count): tuple(times) for count, times in found.items()}


def transformers() -> dict[int, float]:
    """Milliseconds of the library's own model on this CPU, by tokens."""
    import torch

    from tests.model.test_real_model import transformers_model

    bert, opened = transformers_model(), load_model(model.MODEL)
    found = {}
    for text in TEXTS.values():
        words, _ = tokens(text, opened["vocabulary"])
        numbers = torch.tensor([[opened["vocabulary"][word] for word in words]])
        with torch.no_grad():
            found[len(words)] = milliseconds(lambda n=numbers: bert(n, output_attentions=True))
    return found


def milliseconds(work: Any) -> float:
    """The median of a few runs after a first one."""
    work()
    times = []
    for _ in range(5):
        start = time.perf_counter()
        work()
        times.append(time.perf_counter() - start)
    return statistics.median(times) * 1e3
