"""The core tests on every supported Python that this machine has: `make test-pythons`.

Each gets an environment of its own in build/, from the lock file. A Python that isn't here is named and left out; the
forge's workflow has them all.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
import tomllib
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parent.parent
CORE = [
    "README.md", "docs/python.md", "docs/match-file.md", "src/tribord/core", "tests/core", "tests/games",
    "tests/test_release.py",
]  # fmt: skip


def supported() -> list[str]:
    """The Pythons that pyproject.toml names: 3.11, 3.12…"""
    project = tomllib.loads((ROOT / "pyproject.toml").read_text())["project"]
    return [found[1] for named in project["classifiers"] if (found := re.fullmatch(r".* :: Python :: (3\.\d+)", named))]


def candidates(version: str) -> Iterator[str]:
    """Where a Python may be: on the path, or among pyenv's."""
    on_path = shutil.which(f"python{version}")
    if on_path:
        yield on_path
    yield from map(str, sorted(Path.home().glob(f".pyenv/versions/{version}.*/bin/python"), reverse=True))


def find(version: str) -> str | None:
    """A Python of this version that really runs; pyenv's may not be installed."""
    asked = "import sys; print('%d.%d' % sys.version_info[:2])"
    for python in candidates(version):
        answer = subprocess.run([python, "-c", asked], capture_output=True, text=True, check=False)
        if answer.stdout.strip() == version:
            return python
    return None


def prepare(python: str, folder: Path) -> Path:
    """An environment with the locked tools and this Tribord; returns its Python."""
    inside = folder / "bin" / "python"
    if not inside.exists():
        subprocess.run([python, "-m", "venv", folder], check=True)
    install = [inside, "-m", "pip", "install", "--quiet", "--disable-pip-version-check"]
    subprocess.run([*install, "--require-hashes", "-r", ROOT / "requirements" / "dev.txt"], check=True)
    subprocess.run([*install, "--no-deps", "--no-build-isolation", "--editable", ROOT], check=True)
    return inside


def main() -> int:
    """Test them all; the exit code is 1 if one of them fails."""
    results = {}
    missing = []
    for version in supported():
        python = find(version)
        if python is None:
            missing.append(version)
            continue
        print(f"Python {version}: {python}", flush=True)
        inside = prepare(python, ROOT / "build" / f"python-{version}")
        tested = subprocess.run(
            [inside, "-m", "pytest", "-q", "-m", "not long", *sys.argv[1:], *CORE], cwd=ROOT, check=False
        )
        results[version] = "passed" if tested.returncode == 0 else "FAILED"
    for version, result in results.items():
        print(f"Python {version}: {result}")
    if missing:
        print(f"NOT TESTED, because this machine doesn't have them: Python {', '.join(missing)}")
    return int("FAILED" in results.values())


if __name__ == "__main__":
    sys.exit(main())
