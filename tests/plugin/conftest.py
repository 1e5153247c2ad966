"""A game as its own distribution, which tests/test_plugin.py builds, installs and plays."""

collect_ignore = ["src", "tests"]
