"""`make serve` from nothing: seconds until it listens, bytes received, bytes on the disk."""

import os
import shutil
import subprocess
import tempfile
import time
from pathlib import Path

from site_src import ROOT


def measure() -> None:
    """Clone the last commit, with no caches at all, and serve it."""
    with tempfile.TemporaryDirectory() as folder:
        clone = Path(folder) / "clone"
        subprocess.run(["git", "clone", "--quiet", str(ROOT), str(clone)], check=True)
        empty = {"PIP_CACHE_DIR": f"{folder}/pip", "npm_config_cache": f"{folder}/npm"}
        clean = {name: value for name, value in os.environ.items() if not name.startswith("MAKE")}
        before = received()
        start = time.monotonic()
        process = subprocess.Popen(
            ["make", "serve", "PORT=8765"],
            cwd=clone,
            env=clean | empty,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            text=True,
            start_new_session=True,
        )
        assert process.stdout
        said = ""
        while "Serving on" not in said:
            line = process.stdout.readline()
            assert line, said
            said += line
        seconds = time.monotonic() - start
        os.killpg(process.pid, 9)
        process.communicate()
        network = received() - before
        print(
            f"make serve from nothing: {seconds:.0f} s, {network / 1e6:.0f} MB received,", end=" "
        )
        print(f"{used(clone) / 1e6:.0f} MB on the disk")
        shutil.rmtree(clone)


def received() -> int:
    """Bytes that this machine's busiest interface, loopback apart, has received so far (Linux)."""
    lines = Path("/proc/net/dev").read_text(encoding="utf-8").splitlines()[2:]
    counters = {line.split(":")[0].strip(): line.split(":")[1].split() for line in lines}
    return max(int(values[0]) for name, values in counters.items() if name != "lo")


def used(folder: Path) -> int:
    """Bytes of the files below a folder."""
    return sum(path.lstat().st_size for path in folder.rglob("*") if not path.is_dir())
