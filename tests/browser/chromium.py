"""A Chromium to test in: found on this machine, else installed. python -m tests.browser.chromium"""

import os
import shutil
import subprocess
import sys
from pathlib import Path

from playwright.sync_api import Browser, Playwright, sync_playwright

NAMES = ["chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome"]
QUIET = [
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-gpu",
    "--disable-quic",
    "--disable-sync",
    "--no-first-run",
    # A host name that is no secure origin, as a machine in a home network is none.
    "--host-resolver-rules=MAP home.test 127.0.0.1",
]
# Chromium heeds only the last list of features to leave out, so Playwright's own stands here again.
FEATURES_OFF = [
    "AvoidUnnecessaryBeforeUnloadCheckSync",
    "DestroyProfileOnBrowserClose",
    "HttpsUpgrades",
    "HttpsFirstBalancedModeAutoEnable",
    "LensOverlay",
    "MediaRouter",
    "PaintHolding",
    "ThirdPartyStoragePartitioning",
    "AvoidCorsURLLoaderRestartOnRedirect",
    "OptimizationHints",
    "NetworkTimeServiceQuerying",
    "AimEnabled",
    "PreconnectToSearch",
    # Two hidden pages of the browser's own, made anew with every window.
    "WebUIOmniboxPopup",
    "WebUIOmniboxAimPopup",
]
# Most visits are short: Python is compiled a second time, for speed, only where it runs long.
SHORT_VISITS = [
    "--js-flags=--wasm-tiering-budget=1000000000",
    f"--disable-features={','.join(FEATURES_OFF)}",
]
# Chromium's sandbox refuses to run as root, as which containers often run their tests.
ARGUMENTS = [*QUIET, "--no-sandbox"] if hasattr(os, "geteuid") and os.geteuid() == 0 else QUIET


def executable() -> str | None:
    """Where Chromium is: $CHROMIUM, on the PATH, or None for Playwright's own."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def launch(playwright: Playwright, *more: str) -> Browser:
    """Start the browser, with more arguments than the usual ones."""
    return playwright.chromium.launch(executable_path=executable(), args=[*ARGUMENTS, *more])


def installed() -> bool:
    """Whether there is a browser to start."""
    if executable():
        return True
    with sync_playwright() as playwright:
        return Path(playwright.chromium.executable_path).exists()


def install() -> None:
    """Playwright's own Chromium; where that cannot be fetched, the system's package of it."""
    print("  Chromium for the tests …", flush=True)
    commands = [[sys.executable, "-m", "playwright", "install", "chromium"]]
    if shutil.which("apt-get") and os.geteuid() == 0:
        commands += [["apt-get", "install", "--yes", "--quiet", "chromium"]]
    for command in commands:
        if subprocess.run(command, check=False).returncode == 0 and installed():
            return
    sys.exit(
        "There is no Chromium, and none could be installed.\n"
        "  What to do: install Chromium or Chrome, or name one: CHROMIUM=/path make test"
    )


if __name__ == "__main__":
    if not installed():
        install()
