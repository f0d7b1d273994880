"""Install peers below .cache, each for itself, and build from each a site that needs no network."""

import os
import shutil
import subprocess
import sys
import textwrap
from collections.abc import Callable
from pathlib import Path

from site_src import CACHE, ROOT
from site_src.node import npm
from site_src.problems import Problem
from site_src.runtime.distribution import WHEELS
from site_src.steps import digest, step
from tests.bench.start_up.peers.mirror import mirror, without_machine_code
from tests.bench.start_up.peers.versions import HERE
from tests.bench.start_up.program import telling_program
from tests.server import StaticServer

PEERS = CACHE / "bench" / "peers"
SITES = PEERS / "sites"
NODE_MODULES = PEERS / "node_modules"
MARK = "PROGRAM"
MARIMO_INDENT = 8 * " "
FOR_THE_BROWSER = [
    "--platform=any",
    "--platform=pyemscripten_2026_0_wasm32",
    "--implementation=cp",
    "--python-version=3.14",
    "--abi=none",
    "--abi=cp314",
]


def install() -> dict[str, str]:
    """Bring all peers to where they can be served; of those that could not be, the reason."""
    failed = {}
    step("bench npm parts", digest([HERE / "package-lock.json"]), NODE_MODULES, npm_parts)
    made_from = digest(sorted(path for path in HERE.iterdir() if path.is_file()), telling_program())
    for name, build in BUILDERS.items():
        try:
            step(f"bench {name}", made_from, SITES / name, build)
        except (Problem, subprocess.CalledProcessError) as error:
            failed[name] = str(getattr(error, "stderr", "") or error).strip().splitlines()[-1]
    return failed


def npm_parts() -> str:
    """PyScript, and both versions of Pyodide."""
    PEERS.mkdir(parents=True, exist_ok=True)
    for file in (HERE / "package.json", HERE / "package-lock.json", ROOT / ".npmrc"):
        shutil.copy(file, PEERS)
    npm("ci", f"--prefix={PEERS}", failing="npm could not install the peers", remedy="try again.")
    return "installed"


def pyscript() -> str:
    """Its files as they are published, and two pages."""
    target = fresh("pyscript")
    shutil.copytree(NODE_MODULES / "@pyscript" / "core" / "dist", target / "core")
    wheels = [numpy(), *downloaded("pyscript")]
    mirror(NODE_MODULES / "pyodide", wheels, target / "pyodide")
    for page in ("page", "editor"):
        text = (HERE / f"pyscript-{page}.html").read_text(encoding="utf-8")
        page_with_code = text.replace(MARK, telling_program())
        (target / f"{page}.html").write_text(page_with_code, encoding="utf-8")
    return "built"


def jupyterlite() -> str:
    """Its REPL alone, built by its own command, with Pyodide beside it."""
    source = PEERS / "jupyterlite"
    shutil.rmtree(source, ignore_errors=True)
    wheels = downloaded("jupyterlite")
    mirror(NODE_MODULES / "pyodide", [numpy(), *wheels], source / "static" / "pyodide")
    (comm,) = [wheel for wheel in wheels if wheel.name.startswith("comm-")]  # in no lock of Pyodide
    command = [environment("jupyterlite") / "bin" / "jupyter", "lite", "build", "--apps", "repl"]
    target = fresh("jupyterlite")
    run(*command, "--output-dir", target, "--piplite-wheels", comm, folder=source)
    return "built"


def marimo() -> str:
    """A notebook with the program in one cell, exported by its own command."""
    source = PEERS / "marimo"
    source.mkdir(parents=True, exist_ok=True)
    text = (HERE / "marimo-notebook.txt").read_text(encoding="utf-8")
    code = textwrap.indent(telling_program(), MARIMO_INDENT).lstrip()
    (source / "notebook.py").write_text(text.replace(MARK, code), encoding="utf-8")
    wheels = [numpy(), *downloaded("marimo")]
    mirror(NODE_MODULES / "pyodide-of-marimo", wheels, source / "mirror")
    python = environment("marimo") / "bin" / "python"
    with StaticServer(source / "mirror") as server:
        export = HERE / "export_marimo.py"
        run(python, export, source / "notebook.py", fresh("marimo"), server.address)
    return "built"


BUILDERS: dict[str, Callable[[], str]] = {
    "pyscript": pyscript,
    "jupyterlite": jupyterlite,
    "marimo": marimo,
}


def fresh(name: str) -> Path:
    """An empty folder for a peer's site."""
    shutil.rmtree(SITES / name, ignore_errors=True)
    (SITES / name).mkdir(parents=True)
    return SITES / name


def numpy() -> Path:
    """NumPy for the browser, the same file for all sides."""
    (wheel,) = WHEELS.glob("numpy-*.whl")
    return wheel


def environment(name: str) -> Path:
    """A Python environment with a peer in it."""
    folder = PEERS / f"{name}-python"
    run(sys.executable, "-m", "venv", folder)
    run(folder / "bin" / "pip", "install", "-q", "-r", HERE / f"{name}.txt")
    return folder


def downloaded(name: str) -> list[Path]:
    """The wheels that a peer's Python loads in the page."""
    target = PEERS / f"{name}-wheels"
    shutil.rmtree(target, ignore_errors=True)
    pip_download(target, HERE / f"{name}-wheels.txt", *FOR_THE_BROWSER)
    native = HERE / f"{name}-wheels-of-this-machine.txt"
    if native.exists():
        pip_download(target, native)
    return [
        wheel if wheel.name.endswith(("-any.whl", "wasm32.whl")) else without_machine_code(wheel)
        for wheel in sorted(target.iterdir())
    ]


def pip_download(target: Path, pins: Path, *machine: str) -> None:
    """Wheels for a machine; without a word on it, for this one."""
    pip = [sys.executable, "-m", "pip", "download", "-q", "--no-deps", "--only-binary=:all:"]
    run(*pip, *machine, "--dest", target, "-r", pins)


def run(*command: object, folder: Path | None = None) -> None:
    """Run a program to its end, with those beside it on the path; raises where it fails."""
    words = [str(word) for word in command]
    path = f"{Path(words[0]).parent}{os.pathsep}{os.environ['PATH']}"
    environment = os.environ | {"PATH": path}
    environment.pop("PYTHONPATH", None)
    subprocess.run(words, cwd=folder, env=environment, check=True, capture_output=True, text=True)


if __name__ == "__main__":
    print(install())
