# Each target sets up .venv first, if it is missing or pyproject.toml has changed since.
#   make verify ARGS="-k linear"    pass arguments on to the tool
#   make test PYTHON=python3.12     set up with another Python (after `make clean`)

PYTHON ?= python3
ARGS ?=
BIN := .venv/bin
PIP := $(BIN)/python -m pip --disable-pip-version-check --quiet

.DEFAULT_GOAL := help
.PHONY: help setup verify test lint types certify docs clean

help:  ## list the targets
	@grep -hE '^[a-z]+:.*##' Makefile | sed -E 's/:[^#]*## */\t/' | expand -t 10

setup: .venv/.installed  ## make .venv with all that the other targets need

verify: .venv/.installed  ## check every theorem of the catalogue
	$(BIN)/pytest verification $(ARGS)

test: .venv/.installed  ## the product's own tests
	$(BIN)/pytest tests -n 2 $(ARGS)

lint: .venv/.installed  ## ruff: rules and format
	$(BIN)/ruff check
	$(BIN)/ruff format --check

types: .venv/.installed  ## pyright
	$(BIN)/pyright $(ARGS)

certify: .venv/.installed  ## search for the counterexamples again and write the certificates
	$(BIN)/pytest verification --certify $(ARGS)

docs: .venv/.docs  ## build docs/_build/html; a warning is an error
	$(BIN)/sphinx-build -W --keep-going -b html docs docs/_build/html $(ARGS)

clean:  ## back to a fresh clone: remove .venv, caches and what was built
	rm -rf .venv .hypothesis .benchmarks .pytest_cache .ruff_cache build dist docs/_build *.egg-info
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# The check of the version is written so that Python 2 can read it too.
.venv/.installed: pyproject.toml
	@command -v "$(PYTHON)" >/dev/null || \
	  { echo "make: no '$(PYTHON)' here. Name a Python 3.11 or newer: make PYTHON=/path/to/python3" >&2; exit 1; }
	@"$(PYTHON)" -c 'import sys; v = sys.version_info[:2]; sys.exit(v < (3, 11) and "make: $(PYTHON) is Python %d.%d, but 3.11 or newer is needed. Name one: make PYTHON=python3.11" % v or 0)'
	"$(PYTHON)" -m venv .venv
	$(PIP) install --upgrade "pip>=25.1"  # the first pip that knows --group
	$(PIP) install --editable ".[empirical]" --group dev
	@touch $@

# Apart from the rest, so that only those who build the documentation install Sphinx.
.venv/.docs: .venv/.installed
	$(PIP) install --group docs
	@touch $@
