"""What the site hosts of Python: exactly what Pyodide's own lock says, and nothing of it twice."""

import hashlib
import zipfile

from site_src.front_end import bundle
from site_src.runtime import distribution


def test_matplotlib_comes_with_all_that_the_lock_says_it_needs_and_nothing_else() -> None:
    packages = distribution.pyodide_lock()["packages"]
    both = distribution.at_start() | distribution.on_import()
    for name, wheel in both.items():
        assert set(wheel["depends"]) <= both.keys()
        assert wheel == packages[name]
    needed = {"matplotlib"}.union(*(wheel["depends"] for wheel in both.values()))
    assert both.keys() == needed
    assert list(distribution.on_import())[-1] == "matplotlib"  # after what it needs
    assert list(distribution.at_start()) == ["numpy"]


def test_each_wheel_is_the_one_that_the_lock_names() -> None:
    for wheel in (distribution.at_start() | distribution.on_import()).values():
        content = (distribution.WHEELS / wheel["file_name"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == wheel["sha256"]


def test_the_browser_is_told_the_size_and_hash_of_every_file_that_is_hosted() -> None:
    start = distribution.start_files()
    packages = distribution.hosted(distribution.on_import())
    assert not {*start} & {*packages}
    for path in [*start, *packages]:
        (told,) = distribution.manifest([path]).values()
        assert told["size"] == path.stat().st_size
        assert told["sha256"] == hashlib.sha256(path.read_bytes()).hexdigest()
    served = {path.name for address, path in bundle().files.items() if "/python-" in address}
    assert served == {path.name for path in [*start, *packages]}


def test_the_hosted_matplotlib_is_slim_and_whole() -> None:
    (path,) = distribution.RUNTIME.glob("matplotlib-*.whl")
    names = zipfile.ZipFile(path).namelist()
    assert not [name for name in names if "/tests/" in name or "sample_data" in name]
    assert "matplotlib/pyplot.pyc" in names
    assert "matplotlib/mpl-data/fonts/ttf/DejaVuSans.ttf" in names
    assert "matplotlib/mpl-data/matplotlibrc" in names
