"""What code takes from snippets: the files it depends on, the sources that can replace imports."""

import ast
from pathlib import Path

from site_src import ROOT
from site_src.cells.regions import parse
from site_src.problems import Problem

PACKAGE = "snippets"


def snippet_files(source: str, root: Path = ROOT) -> list[Path]:
    """Every snippet file that the source imports, and what these import; the deepest first.

    Raises Problem for an import that could be neither followed nor replaced by its source.
    """
    files: list[Path] = []
    for node in snippet_imports(source):
        file = root / PACKAGE / f"{module_name(node)}.py"
        if not file.is_file():
            raise Problem(f"there is no {file.relative_to(root)}.", "mend the import.")
        text = file.read_text(encoding="utf-8")
        parse(text, file, root)
        for needed in [*snippet_files(text, root), file]:
            if needed not in files:
                files.append(needed)
    return files


def inlines(source: str, root: Path = ROOT) -> dict[str, list[str]]:
    """For each import line of snippets, the module sources that can stand in its place."""
    return {
        import_line(node, source): [
            body(file.read_text(encoding="utf-8"))
            for file in snippet_files(ast.unparse(node), root)
        ]
        for node in snippet_imports(source)
    }


def snippet_imports(source: str) -> list[ast.ImportFrom]:
    """The statements `from snippets.module import name` of a source.

    None in a source that is not Python: running it tells what is wrong. Raises Problem for other
    ways to import snippets.
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    for node in ast.walk(tree):
        plain = isinstance(node, ast.ImportFrom) and node in tree.body and module_name(node)
        if imports_snippets(node) and not plain:
            raise Problem(
                f"“{ast.unparse(node)}” cannot be turned into a program to copy.",
                "write “from snippets.module import name”, at the top level.",
            )
    return [node for node in tree.body if isinstance(node, ast.ImportFrom) and module_name(node)]


def imports_snippets(node: ast.AST) -> bool:
    """Whether a statement imports snippets, in whatever way."""
    if isinstance(node, ast.ImportFrom):
        return node.level > 0 or (node.module or "").split(".")[0] == PACKAGE
    names = node.names if isinstance(node, ast.Import) else []
    return any(alias.name.split(".")[0] == PACKAGE for alias in names)


def module_name(node: ast.ImportFrom) -> str:
    """The module of a snippet import; nothing if it is another import or names no module."""
    package, _, module = (node.module or "").partition(".")
    return module if package == PACKAGE and not node.level else ""


def import_line(node: ast.ImportFrom, source: str) -> str:
    """The import as the one line that it has to be, with names as they are in the snippet."""
    line = source.splitlines()[node.lineno - 1]
    if node.end_lineno != node.lineno or any(alias.asname for alias in node.names):
        raise Problem(
            f"the import “{line.strip()}” cannot be turned into a program to copy.",
            "write it on one line and without “as”.",
        )
    return line


def body(source: str) -> str:
    """A module's source without its docstring and without its own imports of snippets."""
    statements = ast.parse(source).body
    told = statements[:1] if ast.get_docstring(ast.parse(source)) else []
    dropped = {
        number
        for node in [*told, *snippet_imports(source)]
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = source.splitlines()
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in dropped)
