"""One colour per symbol, in formulas, code and prose, and words from the glossary."""

import pytest
from bs4 import BeautifulSoup, Tag
from markdown import Markdown

from site_src.problems import Problem
from site_src.symbols import SYMBOLS
from site_src.symbols.highlight import highlight


def html(text: str) -> BeautifulSoup:
    """Some Markdown with the extensions that pages have."""
    extensions = [
        "attr_list",
        "site_src.glossary",
        "site_src.symbols.maths",
        "site_src.symbols.prose",
    ]
    return BeautifulSoup(Markdown(extensions=extensions).convert(text), "html.parser")


def one(soup: BeautifulSoup, selector: str) -> Tag:
    """The only element of this kind."""
    (found,) = soup.select(selector)
    return found


def test_a_formula_is_rendered_with_its_symbols_in_their_classes() -> None:
    soup = html(r"It is $\Q\K^{\mathsf T}$.")
    assert one(soup, ".katex-html .sym-q").text == "Q"
    assert one(soup, ".katex-html .sym-k").text == "K"
    assert one(soup, "math")
    assert soup.find("annotation") is None


def test_a_displayed_formula_stands_alone_and_the_keyboard_can_scroll_it() -> None:
    assert one(html(r"$$ \frac{1}{2} $$"), ".katex-display")["tabindex"] == "0"


def test_a_price_is_no_formula() -> None:
    assert html("It costs $5 or $6.").text.strip() == "It costs $5 or $6."


def test_a_formula_that_cannot_be_read_is_told_with_a_remedy() -> None:
    with pytest.raises(Problem, match=r"the formula \\frac\{1"):
        html(r"$\frac{1$")


def test_names_of_symbols_have_their_colours_in_code_and_other_names_do_not() -> None:
    soup = BeautifulSoup(highlight('Q, weights = f(q.Q, "Q", W_q)'), "html.parser")
    assert [span.text for span in soup.select(".sym-q")] == ["Q", "q"]
    assert [span.text for span in soup.select(".sym-weights")] == ["weights"]


def test_the_first_of_each_symbol_in_prose_is_a_stop_for_the_keyboard() -> None:
    soup = html("A **query**{.sym-q}, a **key**{.sym-k}, a **query**{.sym-q}.")
    stops = soup.select("[tabindex='0']")
    assert [stop.text for stop in stops] == ["query", "key"]
    assert stops[0]["title"] == "Q: queries: what each word looks for"


def test_every_name_belongs_to_one_symbol() -> None:
    names = [name for symbol in SYMBOLS for name in symbol.code]
    assert len(names) == len(set(names))


def test_a_word_of_the_glossary_carries_its_definition() -> None:
    term = one(html("It cuts text into [tokens](?token)."), "dfn.term[tabindex='0']")
    assert term.text.startswith("tokensA word or a piece of a word.")


def test_a_word_that_the_glossary_does_not_have_is_told() -> None:
    with pytest.raises(Problem, match="the glossary has no “tokne”"):
        html("[tokens](?tokne)")
