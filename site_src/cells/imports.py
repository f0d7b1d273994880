"""What code takes from snippets: the files it depends on, the sources that can replace imports."""

import ast
from functools import cache
from pathlib import Path

from site_src import ROOT
from site_src.cells.regions import parse
from site_src.problems import Problem

PACKAGE = "snippets"
MODEL = "real_model"  # the snippet that opens the real model


def snippet_files(source: str, root: Path = ROOT) -> list[Path]:
    """Every snippet file that the source imports, and what these import; the deepest first."""
    files: list[Path] = []
    for name in imported_modules(source):
        file = root / PACKAGE / f"{name.replace('.', '/')}.py"
        if not file.is_file():
            raise Problem(f"there is no {file.relative_to(root)}.", "mend the import.")
        text = file.read_text(encoding="utf-8")
        check_syntax(text, file, root)
        for needed in [*snippet_files(text, root), file]:
            if needed not in files:
                files.append(needed)
    return files


def uses_model(source: str) -> bool:
    """Whether a source imports what opens the real model."""
    return any(file.stem == MODEL for file in snippet_files(source))


@cache
def check_syntax(text: str, file: Path, root: Path) -> None:
    """Raise a Problem that names the line of a snippet that is not Python; each text once."""
    parse(text, file, root)


@cache  # pages share most of their snippets
def imported_modules(source: str) -> list[str]:
    """The modules of snippets that a source imports, in whatever way and wherever.

    None for a source that is not Python: running it tells what is wrong.
    """
    found: list[str] = []
    for node in import_nodes(source):
        if isinstance(node, ast.Import):
            found += [alias.name.partition(".")[2] for alias in node.names if "." in alias.name]
        elif name := (node.module or "").removeprefix(PACKAGE).strip("."):
            found.append(name)
        else:
            found += [alias.name for alias in node.names]
    return list(dict.fromkeys(found))


def import_nodes(source: str) -> list[ast.Import | ast.ImportFrom]:
    """All statements that import snippets."""
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    return [
        node
        for node in ast.walk(tree)
        if (isinstance(node, ast.Import) and any(starts_here(name.name) for name in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.level or starts_here(node.module or "")))
    ]


def starts_here(module: str) -> bool:
    """Whether a module is snippets or one in it."""
    return module.split(".")[0] == PACKAGE


def inlines(source: str, root: Path = ROOT) -> dict[str, list[str]]:
    """For each import line of snippets, the module sources that can stand in its place.

    Raises Problem for an import that cannot be replaced.
    """
    return {
        import_line(node, source): [
            body(file.read_text(encoding="utf-8"))
            for file in snippet_files(ast.unparse(node), root)
        ]
        for node in replaceable_imports(source)
    }


def replaceable_imports(source: str) -> list[ast.ImportFrom]:
    """The statements that import snippets, all in the form that a copied program can do without."""
    statements = ast.parse(source).body if import_nodes(source) else []
    replaceable = [
        node
        for node in statements
        if isinstance(node, ast.ImportFrom)
        and not node.level
        and (node.module or "").startswith(f"{PACKAGE}.")
    ]
    if len(replaceable) < len(import_nodes(source)):
        raise Problem(
            "an import of snippets cannot be turned into a program to copy.",
            "write “from snippets.module import name”, at the top level.",
        )
    return replaceable


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
    """A module's source without its docstring, its own imports of snippets, and its own run."""
    statements = ast.parse(source).body
    told = statements[:1] if ast.get_docstring(ast.parse(source)) else []
    run = [node for node in statements if ast.unparse(node).startswith("if __name__ ==")]
    dropped = {
        number
        for node in [*told, *replaceable_imports(source), *run]
        for number in range(node.lineno, (node.end_lineno or node.lineno) + 1)
    }
    lines = source.splitlines()
    return "\n".join(line for number, line in enumerate(lines, 1) if number not in dropped)
