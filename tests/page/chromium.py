"""The Chromium that the browser tests use: $CHROMIUM, the system's, or one that apt installs now if it may.

`python -m tests.page.chromium` makes sure that there is one.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys

# The headless shell first: it's Chromium without a window, and tests run a fifth faster.
NAMES = ("chromium-headless-shell", "chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
NONE = (
    "The page is tested in a real Chromium, and there is none here. Install one (`apt-get install chromium`, say) "
    "or say where it is: CHROMIUM=/path/to/chrome make test"
)


def find() -> str | None:
    """The path of a Chromium, if there is one."""
    named = os.environ.get("CHROMIUM")
    return named or next((path for name in NAMES if (path := shutil.which(name))), None)


def apt(*packages: str) -> None:
    """Install packages with apt, as root or with a sudo that needs no password; if neither is possible, do nothing."""
    if shutil.which("apt-get") is None:
        return
    become = [] if os.geteuid() == 0 else ["sudo", "-n"]
    if become and (shutil.which("sudo") is None or subprocess.run(["sudo", "-n", "true"], check=False).returncode):
        return
    for step in (["update"], ["install", "-y", "--no-install-recommends", *packages]):
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        subprocess.run([*become, "apt-get", "-q", *step], check=False, env=environment, stdout=subprocess.DEVNULL)


def main() -> int:
    """Find a Chromium, or install one, or say why not."""
    for package in ("chromium-headless-shell", "chromium"):
        if find() is None:
            apt(package)
    if find() is None:
        print(NONE, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
