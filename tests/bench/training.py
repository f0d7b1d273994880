"""The pronoun model: seconds to learn it in CPython and in the page, and what it has learned."""

import contextlib
import io

from playwright.sync_api import Playwright

from snippets.pronoun_model import knock_out
from snippets.pronoun_training import train
from snippets.pronouns import kept_back_sentences
from tests.browser import chromium
from tests.browser.cells import CellOnPage
from tests.server import StaticServer

CODE = """import time
from snippets.pronoun_training import reports, train
start = time.perf_counter()
*_, last = train()
whole = time.perf_counter()
*_, last = reports(train(steps=400), every=20)
print(whole - start, time.perf_counter() - whole)
"""


def measure(playwright: Playwright, server: StaticServer) -> None:
    """Print two lines on speed and one on skill."""
    for what, here, there in zip(
        ("The whole training", "As in the figure of the page on learning"),
        seconds_here(),
        seconds_in_page(playwright, server),
        strict=True,
    ):
        print(f"{what}: {here:.1f} s in CPython, {there:.1f} s in the page")
    *_, (_, model) = train()
    shares = [
        f"{who}: {right:.1%}" for who, right in knock_out(model, kept_back_sentences()).items()
    ]
    print("New sentences understood,", "; ".join(shares))


def seconds_here() -> list[float]:
    """Both trainings in CPython."""
    printed = io.StringIO()
    with contextlib.redirect_stdout(printed):
        exec(CODE, {})
    return [float(part) for part in printed.getvalue().split()]


def seconds_in_page(playwright: Playwright, server: StaticServer) -> list[float]:
    """The same, typed into a cell."""
    browser = chromium.launch(playwright)
    page = browser.new_page()
    page.goto(f"{server.address}site/see-it-work/")
    cell = CellOnPage(page, "words")
    cell.run_to_end()
    cell.write(CODE)
    cell.run_to_end()
    seconds = [float(part) for part in (cell.output.text_content() or "").split()]
    browser.close()
    return seconds
