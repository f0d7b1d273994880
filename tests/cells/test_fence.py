"""The fence of a cell: the HTML it becomes, and what it says when something is wrong.

Without MkDocs: Markdown in, HTML out, with snippets of our own in a temporary folder.
"""

import subprocess
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from bs4 import BeautifulSoup, Tag
from markdown import Markdown
from pymdownx.superfences import SuperFencesException

from site_src import model, pages, steps
from site_src.cells import fence, imports, regions
from site_src.pages import execution

SNIPPET = '''"""Numbers.

>>> numbers
[1, 2]
"""

import math

# region inputs
numbers = [1, 2]
# endregion


def double(x):
    """Twice x.

    >>> double(2)
    4
    """
    return 2 * x


def root(x):
    """The square root.

    >>> root(4.0)
    2.0
    """
    return math.sqrt(x)


def unproved(x):
    """Not a single example."""
    return x

'''

BROKEN = '''def wrong(x):
    """Its example fails.

    >>> wrong(1)
    2
    """
    return x
'''

ODD = """import functools


@functools.cache
def decorated(x):
    r'''A \\nabla "quoted"
    on two lines.

    >>> decorated(1)
    1
    '''
    return x


async def later():
    \"\"\"Say "later"

    >>> later.__name__
    'later'
    \"\"\"
    return 1


def dense(x): "Dense."; return x
"""

Convert = Callable[[str], str]


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A project with one snippet file and a cache of its own."""
    (tmp_path / "snippets").mkdir()
    (tmp_path / "snippets" / "__init__.py").touch()
    for name, text in {"numbers": SNIPPET, "broken": BROKEN, "odd": ODD}.items():
        (tmp_path / "snippets" / f"{name}.py").write_text(text, encoding="utf-8")
    for function in (regions.find_region, imports.snippet_files, imports.inlines):
        monkeypatch.setattr(function, "__defaults__", (tmp_path,))
    monkeypatch.setattr(execution.PageRun.__init__, "__defaults__", (tmp_path,))
    monkeypatch.setattr(execution, "CACHE", tmp_path / "cache")
    monkeypatch.setattr(pages.surroundings, "page", None)
    return tmp_path


@pytest.fixture
def convert(root: Path) -> Iterator[Convert]:
    """Turns the Markdown of one page into HTML."""
    converters = []

    def converted(markdown: str) -> str:
        entry = {
            "name": "py-cell",
            "class": "cell",
            "validator": pages.take_options,
            "format": fence.format_cell,
        }
        converter = Markdown(
            extensions=["site_src.cells.fence", "pymdownx.superfences"],
            extension_configs={"pymdownx.superfences": {"custom_fences": [entry]}},
        )
        converters.append(converter)
        return converter.convert(markdown)

    yield converted
    for converter in converters:
        fence.page_of(converter).run.close()


def cell(options: str, body: str = "") -> str:
    """A page with one fence."""
    return f"```py-cell {options}\n{body}\n```\n"


def elements(html: str) -> list[Tag]:
    """The cells of a page."""
    return list(BeautifulSoup(html, "html.parser").find_all("py-cell"))


def code(element: Tag) -> str:
    """The code that a cell shows."""
    shown = element.select_one("code")
    assert shown
    return shown.text.rstrip("\n")


def output(element: Tag) -> str:
    """The output that a cell shows."""
    printed = element.select_one("output")
    assert printed
    return printed.text


# The HTML


def test_becomes_highlighted_code_and_real_output(convert: Convert) -> None:
    html = convert(cell('name="sum"', "print(1 + 1)"))
    assert html == (
        '<div class="cell"><py-cell id="cell-sum" name="sum" number="1" state="idle">'
        '<div class="code highlight"><pre><code>'
        '<span class="nb">print</span><span class="p">(</span><span class="mi">1</span> '
        '<span class="o">+</span> <span class="mi">1</span><span class="p">)</span>\n'
        '</code></pre></div><output><span class="stdout">2\n</span></output></py-cell></div>'
    )


def test_a_cell_that_builds_on_the_real_model_says_so_where_a_build_lacks_it(
    convert: Convert, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It shows its code, and is not run; other cells are."""
    (root / "snippets" / "real_model.py").write_text('FOLDER = "nowhere"\n', encoding="utf-8")
    monkeypatch.setattr(model, "MODEL", root)
    page = cell('name="other"', "print(1 + 1)")
    page += cell('name="model"', "from snippets.real_model import load_model")
    page += cell('name="read" after="model"', "print(load_model())")
    other, *lacking = elements(convert(page))
    assert output(other) == "2\n"
    for element in lacking:
        note = element.select_one(".cell-unavailable")
        assert note
        assert "make serve REAL_MODEL=1" in note.text
        assert output(element) == ""


def test_shows_a_region_a_function_and_the_pages_own_lines(convert: Convert) -> None:
    page = cell('name="all" snippet="numbers.inputs numbers.double"', "print(double(numbers[1]))")
    (element,) = elements(convert(page))
    assert code(element) == (
        'numbers = [1, 2]\n\n\ndef double(x):\n    """Twice x."""\n    return 2 * x\n\n\n'
        "print(double(numbers[1]))"
    )
    assert output(element) == "4\n"


def test_imports_what_a_region_needs_unless_an_earlier_cell_has(convert: Convert) -> None:
    page = cell('name="one" snippet="numbers.root"') + cell('name="two" snippet="numbers.root"')
    page += cell('name="three" snippet="numbers.root" after="two"')
    one, two, three = map(code, elements(convert(page)))
    assert one.startswith("import math\n\n\ndef root(x):")
    assert two == one
    assert three == one.removeprefix("import math\n\n\n")


def test_cells_of_a_page_share_variables(convert: Convert) -> None:
    page = cell('name="one"', "x = 20") + cell('name="two" after="one"', "print(x + 1)")
    _, two = elements(convert(page))
    assert output(two) == "21\n"
    assert two["after"] == "one"
    assert two["number"] == "2"


def test_no_page_can_change_another(convert: Convert) -> None:
    convert(cell('name="vandal"', "import builtins\nbuiltins.print = None"))
    (element,) = elements(convert(cell('name="innocent"', "print('fine')")))
    assert output(element) == "fine\n"


def test_output_is_text_whatever_it_looks_like(convert: Convert) -> None:
    html = convert(cell('name="tag"', "print('<script>&amp;')"))
    assert "<script>" not in html
    assert output(elements(html)[0]) == "<script>&amp;\n"


def test_what_is_printed_to_stderr_is_told_apart(convert: Convert) -> None:
    html = convert(cell('name="both"', "import sys\nprint(1)\nprint(2, file=sys.stderr)"))
    kinds = [span["class"] for span in BeautifulSoup(html, "html.parser").select("output span")]
    assert kinds == [["stdout"], ["stderr"]]


def test_says_what_can_stand_in_for_an_import_of_snippets(convert: Convert) -> None:
    line = "from snippets.numbers import double"
    (element,) = elements(convert(cell('name="use"', f"{line}\nprint(double(4))")))
    assert output(element) == "8\n"
    assert "def double(x):" in str(element["data-inlines"])


def test_what_a_module_does_when_it_is_run_is_not_copied(root: Path, convert: Convert) -> None:
    """(a training would write its weights anew)"""
    with (root / "snippets" / "numbers.py").open("a") as file:
        file.write('\n\nif __name__ == "__main__":\n    Path(__file__).unlink()\n')
    line = "from snippets.numbers import double"
    (element,) = elements(convert(cell('name="use"', f"{line}\nprint(double(4))")))
    assert "def double(x):" in str(element["data-inlines"])
    assert "__file__" not in str(element["data-inlines"])


def test_odd_definitions_keep_their_form(convert: Convert) -> None:
    page = cell('name="a" snippet="odd.decorated odd.later"')
    (element,) = elements(convert(page))
    shown = code(element)
    assert "@functools.cache\ndef decorated(x):\n    r'''A \\nabla" in shown
    assert 'async def later():\n    """Say "later" """\n    return 1' in shown
    compile(shown, "shown", "exec")


# Memory


def test_an_unchanged_page_is_not_run_again(
    convert: Convert, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = cell('name="one" snippet="numbers.double"', "print(double(1))")
    first = convert(page)
    monkeypatch.setattr(subprocess, "Popen", None)
    assert convert(page) == first


@pytest.mark.parametrize(
    "page",
    [
        cell('name="one" snippet="numbers.inputs"', "print(numbers)"),
        cell('name="one"', "from snippets.numbers import numbers\nprint(numbers)"),
    ],
)
def test_an_edited_snippet_changes_the_output(convert: Convert, root: Path, page: str) -> None:
    assert output(elements(convert(page))[0]) == "[1, 2]\n"
    (root / "snippets" / "numbers.py").write_text(
        SNIPPET.replace("[1, 2]", "[1, 3]"), encoding="utf-8"
    )
    assert output(elements(convert(page))[0]) == "[1, 3]\n"


def test_what_failed_is_tried_again(convert: Convert, root: Path) -> None:
    page = cell('name="one"', "import helper\nprint(helper.x)")
    with pytest.raises(SuperFencesException, match="No module named"):
        convert(page)
    (root / "helper.py").write_text("x = 7", encoding="utf-8")
    assert output(elements(convert(page))[0]) == "7\n"


def test_a_new_cell_sees_the_variables_of_remembered_ones(convert: Convert) -> None:
    first = cell('name="one"', "x = 5")
    convert(first)
    _, two = elements(convert(first + cell('name="two" after="one"', "print(x)")))
    assert output(two) == "5\n"


# Problems: each is told with the page's line and with what to do.


@pytest.mark.parametrize(
    ("page", "said", "remedy"),
    [
        (cell('snippet="numbers.double"'), "“” is no name for a cell", 'write name="…"'),
        (cell('name="a" nmae="b"', "1"), "unknown option nmae", "takes after, name, snippet"),
        (cell('name="a"'), "the cell is empty", "name a snippet"),
        (cell('name="a"', "1") * 2, "two cells of this page have this name", "rename"),
        (cell('name="a" after="b"', "1"), "no cell above has this name", "name cells above"),
        (cell('name="a" snippet="numbers.dubble"'), "nothing named “dubble”", "double, root"),
        (cell('name="a" snippet="nmubers.double"'), "no snippet “nmubers.double”", "numbers"),
        (cell('name="a" snippet="numbers.unproved"'), "unproved has no example", "as a >>> line"),
        (
            cell('name="a" snippet="broken.wrong"'),
            "Expected:\n    2\nGot:\n    1",
            "mend the example",
        ),
        (cell('name="a"', "1 / 0"), "ZeroDivisionError", "mend the cell"),
        (cell('name="a"', "x = = 1"), "SyntaxError", "mend the cell"),
        (cell('name="a"', "import os\nos._exit(1)"), "ended Python", "take it out"),
        (cell('name="a"', "input()"), "EOFError", "mend the cell"),
        (cell("name=a", "1"), "“py-cell name=a” cannot be read", 'as in name="result"'),
        (
            cell('name="a"', "x = 1") + cell('name="b"', "print(x)"),
            "does not work with only what it comes after",
            "name in “after”",
        ),
        (
            cell('name="a"', "x = 1")
            + cell('name="b" after="a"', "x = 2")
            + cell('name="c" after="a"', "print(x)"),
            "It prints:\n1",
            "name in “after”",
        ),
        (cell('name="a" snippet="odd.dense"'), "has no example", "as a >>> line"),
        *(
            (cell('name="a"', code), "cannot be turned into a program", "at the top level")
            for code in (
                "import snippets.numbers",
                "from snippets import numbers",
                "def f():\n    from snippets.numbers import double",
            )
        ),
        (
            cell('name="a"', "from snippets.numbers import double as d\nprint(d(1))"),
            "cannot be turned into a program",
            "without “as”",
        ),
    ],
)
def test_a_problem_ends_the_build_with_a_remedy(
    convert: Convert, page: str, said: str, remedy: str
) -> None:
    with pytest.raises(SuperFencesException) as caught:
        convert(page)
    assert said in str(caught.value)
    assert "What to do:" in str(caught.value)
    assert remedy in str(caught.value)


def test_a_snippet_that_is_not_python_is_named_with_its_line(convert: Convert, root: Path) -> None:
    (root / "snippets" / "numbers.py").write_text("x = 1\ny = = 2\n", encoding="utf-8")
    with pytest.raises(SuperFencesException, match=r"snippets/numbers\.py:2 is not valid Python"):
        convert(cell('name="a" snippet="numbers.double"'))
    with pytest.raises(SuperFencesException, match=r"snippets/numbers\.py:2 is not valid Python"):
        convert(cell('name="a"', "from snippets.numbers import double"))


@pytest.mark.parametrize("kind", ["py-cell", "figure"])
def test_a_header_that_cannot_be_read_does_not_drop_out(kind: str) -> None:
    readable = fence.MalformedFences.readable
    assert "malformed=" in readable(f"```{kind} name=calculation")
    assert readable(f'```{kind} name="a" title="b c"') == f'```{kind} name="a" title="b c"'
    assert readable("```python name=a") == "```python name=a"


def test_an_endless_cell_ends_the_build(convert: Convert, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(execution, "SECONDS", 1)
    with pytest.raises(SuperFencesException, match="took more than 1 s"):
        convert(cell('name="a"', "while True: pass"))


def test_a_problem_names_page_and_line(
    convert: Convert, root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    page = root / "page.md"
    page.write_text(
        "---\ntitle: x\n---\n\n" + cell('name="a"', "1") + "\n" + cell('name="b"', "1 / 0"),
        encoding="utf-8",
    )
    monkeypatch.setattr(pages.surroundings, "page", page)
    with pytest.raises(SuperFencesException, match=rf"{page}:9: cell “b”"):
        convert(page.read_text(encoding="utf-8").split("---\n")[2])


def test_a_server_shows_the_problem_where_the_output_would_be(
    convert: Convert, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages.surroundings, "show_problems", True)
    html = convert(cell('name="a"', "1 / 0") + cell('name="b"', "print('still here')"))
    alert = BeautifulSoup(html, "html.parser").find(role="alert")
    assert alert
    assert "ZeroDivisionError" in alert.text
    assert output(elements(html)[0]) == "still here\n"


def test_a_site_without_python_says_so_in_each_cell(
    convert: Convert, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pages.surroundings, "unavailable", "No network.")
    (element,) = elements(convert(cell('name="a"', "print(1)")))
    note = element.select_one(".cell-unavailable")
    assert note
    assert note.text == "No network."


def test_digest_depends_on_content_and_order(tmp_path: Path) -> None:
    one, two = tmp_path / "1", tmp_path / "2"
    one.write_text("a", encoding="utf-8")
    two.write_text("b", encoding="utf-8")
    assert steps.digest([one, two]) != steps.digest([two, one])
