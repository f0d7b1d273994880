"""Search costs nothing until a word is searched."""

from string import ascii_lowercase

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.conftest import Watched
from tests.server import StaticServer

PARTS = ("/assets/live/search-", "/workers/search.")  # the index and the engine


@pytest.fixture
def results(page: Page, server: StaticServer) -> Locator:
    """What a search finds."""
    page.goto(f"{server.address}numpy/", wait_until="networkidle")
    page.get_by_role("textbox", name="Search").click()
    return page.locator(".md-search-result__item")


def fetched(watched: Watched) -> list[str]:
    """What has been fetched for the sake of searching."""
    return [url for url in watched.requests if any(part in url for part in PARTS)]


def test_index_and_engine_come_with_the_first_word(
    page: Page, results: Locator, watched: Watched
) -> None:
    assert fetched(watched) == []
    page.keyboard.type("softm")
    expect(results.first).to_contain_text("Softmax has a temperature")
    assert len(fetched(watched)) == len(PARTS)
    page.get_by_role("textbox", name="Search").select_text()
    page.keyboard.type("rotary")
    expect(results.first).to_contain_text("Tell attention where each word is")
    assert len(fetched(watched)) == len(PARTS)


def test_words_are_found_by_any_first_letter(
    page: Page, results: Locator, watched: Watched
) -> None:
    """lunr alone loses words that share a letter with numbers; it warns in the console."""
    for letter in ascii_lowercase:
        page.get_by_role("textbox", name="Search").select_text()
        page.keyboard.type(letter)
    page.get_by_role("textbox", name="Search").select_text()
    page.keyboard.type("rotary")
    expect(results.first).to_contain_text("Tell attention where each word is")
    assert watched.errors == []


def test_an_index_that_does_not_come_is_told_and_asked_for_again(
    page: Page, results: Locator, server: StaticServer, watched: Watched
) -> None:
    watched.expected = ["Failed to load resource"]
    assert server.root
    (index,) = server.root.glob("assets/live/search-*.json")
    server.replaced[index.name] = None
    page.keyboard.type("softma")
    expect(results).to_contain_text("Search could not be loaded")
    server.replaced.clear()
    page.keyboard.type("x")
    expect(results.first).to_contain_text("Softmax has a temperature")
