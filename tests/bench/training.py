"""The pronoun model: seconds to learn it in CPython and in the page, and what it has learned."""

import time

from playwright.sync_api import Playwright

from snippets.pronoun_model import accuracy
from snippets.pronoun_training import train
from snippets.pronouns import kept_back_sentences
from tests.browser import chromium
from tests.browser.cells import CellOnPage
from tests.server import StaticServer

CODE = """import time
from snippets.pronoun_training import train
start = time.perf_counter()
*_, last = train()
print(time.perf_counter() - start)
"""


def measure(playwright: Playwright, server: StaticServer) -> None:
    """Print a line on speed and a line on skill."""
    start = time.perf_counter()
    *_, (_, model) = train()
    in_cpython = time.perf_counter() - start
    in_page = seconds_in_page(playwright, server)
    print(f"Training: {in_cpython:.1f} s in CPython, {in_page:.1f} s in the page")
    new = kept_back_sentences()
    print(
        f"New sentences understood: {accuracy(model, new):.1%}; "
        f"if “it” forgets what it read: {accuracy(model, new, lambda is_it: ~is_it):.1%}; "
        f"if all others forget: {accuracy(model, new, lambda is_it: is_it):.1%}"
    )


def seconds_in_page(playwright: Playwright, server: StaticServer) -> float:
    """The same training, typed into a cell."""
    browser = chromium.launch(playwright)
    page = browser.new_page()
    page.goto(f"{server.address}site/see-it-work/")
    cell = CellOnPage(page, "words")
    cell.run_to_end()
    cell.write(CODE)
    cell.run_to_end()
    seconds = float(cell.output.text_content() or "nan")
    browser.close()
    return seconds
