"""Find a piece of a snippet by name: a function, a class, or a marked region of a file.

A region is written as in many editors, and folds there:

    # region inputs
    X = np.array(…)
    # endregion
"""

import ast
import doctest
import re
from pathlib import Path
from typing import NamedTuple

from site_src import ROOT
from site_src.problems import Problem

Definition = ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef
REGION = re.compile(r"^# region (?P<name>\w+)\n(?P<code>.*?)^# endregion$", re.M | re.S)


class Region(NamedTuple):
    """A piece of a snippet as a page shows it."""

    file: Path
    name: str
    code: str  # a docstring is cut to its first line: the page around it says the rest
    imports: tuple[str, ...]  # the import lines of the file that this code needs


def find_region(reference: str, root: Path = ROOT) -> Region:
    """The region that "module.name" names, in snippets/module.py.

    Raises Problem if there is no such file or region, or if no example proves it.
    """
    module, _, name = reference.rpartition(".")
    file = root / "snippets" / f"{module.replace('.', '/')}.py"
    if not module or not file.is_file():
        known = ", ".join(sorted(path.stem for path in (root / "snippets").glob("[!_]*.py")))
        raise Problem(
            f"there is no snippet “{reference}”.",
            f"write module.name, the module being one of: {known}.",
        )
    text = file.read_text(encoding="utf-8")
    tree = parse(text, file, root)
    definitions = {node.name: node for node in tree.body if isinstance(node, Definition)}
    regions = {match["name"]: match["code"].rstrip() for match in REGION.finditer(text)}
    where = file.relative_to(root)
    if name in definitions:
        node = definitions[name]
        need_example(node, f"{where}:{node.lineno}: {name}")
        code = shown(node, text)
    elif name in regions:
        need_example(tree, str(where))
        code = regions[name]
    else:
        known = ", ".join([*definitions, *regions])
        raise Problem(f"{where} has nothing named “{name}”.", f"name one of: {known}.")
    return Region(file, name, code, needed_imports(tree, code))


def parse(text: str, file: Path, root: Path = ROOT) -> ast.Module:
    """The syntax tree of a snippet, or a Problem that names the line."""
    try:
        return ast.parse(text)
    except SyntaxError as error:
        raise Problem(
            f"{file.relative_to(root)}:{error.lineno} is not valid Python: {error.msg}.",
            "mend that line.",
        ) from error


def need_example(node: Definition | ast.Module, what: str) -> None:
    """A docstring without >>> would silently drop out of the tests."""
    if not doctest.DocTestParser().get_examples(ast.get_docstring(node) or ""):
        raise Problem(f"{what} has no example.", "add one to its docstring, as a >>> line.")


def shown(node: Definition, text: str) -> str:
    """The source of a definition, each docstring in it cut to its first line."""
    lines = text.splitlines()
    start = min([node.lineno, *(decorator.lineno for decorator in node.decorator_list)])
    end = node.end_lineno
    inside = [one for one in ast.walk(node) if isinstance(one, Definition)]
    for inner in sorted(inside, key=lambda one: one.lineno, reverse=True):
        first, *rest = inner.body
        if first.lineno == inner.lineno or (rest and rest[0].lineno == first.end_lineno):
            raise Problem(
                f"{inner.name} has its docstring and code on one line.",
                "give each a line of its own.",
            )
        if ast.get_docstring(inner) is not None:
            docstring = first_line(ast.get_source_segment(text, first) or "")
            lines[first.lineno - 1 : first.end_lineno] = [" " * first.col_offset + docstring]
            end = end and end - ((first.end_lineno or first.lineno) - first.lineno)
    return "\n".join(lines[start - 1 : end])


def first_line(docstring: str) -> str:
    """The literal of a docstring's first line, with the prefix and the quotes of the whole."""
    opening = re.match(r"""[rRuU]*(\"{3}|'{3}|\"|')""", docstring)
    if not opening or "\n" not in docstring:
        return docstring
    line = docstring.splitlines()[0].rstrip()
    gap = " " if line != opening[0] and line.endswith(opening[1][0]) else ""
    return line + gap + opening[1]


def needed_imports(tree: ast.Module, code: str) -> tuple[str, ...]:
    """The file's import lines, each narrowed to the names that the code uses."""
    used = {node.id for node in ast.walk(ast.parse(code)) if isinstance(node, ast.Name)}
    lines = []
    for node in tree.body:
        if isinstance(node, ast.Import | ast.ImportFrom):
            node.names = [name for name in node.names if bound_name(name) in used]
            lines += [ast.unparse(node)] if node.names else []
    return tuple(lines)


def bound_name(alias: ast.alias) -> str:
    """The name that an import binds."""
    return alias.asname or alias.name.split(".")[0]
