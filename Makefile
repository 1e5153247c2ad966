# Two commands: `make play` opens a table, `make test` proves the house. Both set up .venv from nothing.
PYTHON ?= python3
BIN := .venv/bin
STAMP := .venv/.ready

.PHONY: play test test-long lint venv messages golden docs bench clean

play: venv
	$(BIN)/tribord play

test: lint
	$(BIN)/pytest -n 2 -m "not long" -q

test-long: venv
	$(BIN)/pytest -n 2 -q

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports

venv: $(STAMP)

$(STAMP): pyproject.toml
	test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[dev]"
	touch $(STAMP)

messages: venv ## extract, merge and compile the translation catalogues
	$(BIN)/python -m tribord.testing.catalogue

golden: venv ## write the perft counts and playthroughs of every game anew (then read the diff)
	$(BIN)/python -m tribord.testing.golden

docs: venv ## write the reference pages of the games and the schemas of the protocol anew
	$(BIN)/python -m tribord.testing.page
	$(BIN)/python -m tribord.server.schema

bench: venv
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e ".[bench]"
	$(BIN)/python benchmarks/random_play.py

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
