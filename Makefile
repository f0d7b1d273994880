# Everything there is to do; `make help` says what each command downloads.

NEW_ENOUGH := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON ?= $(shell for p in python3 python3.14 python3.13 python3.12 python3.11; do \
  $$p -c '$(NEW_ENOUGH)' 2>/dev/null && { echo $$p; exit; }; done; echo python3)
PORT ?= 8000
BIN := .venv/bin
NODE := PATH="$(CURDIR)/$(BIN):$$PATH"
export NO_MKDOCS_2_WARNING := 1
export PIP_DISABLE_PIP_VERSION_CHECK := 1

# PyTorch's own index has a build without CUDA, a tenth the size; where it cannot be reached, pip
# takes what its usual index has.
TORCH := --retries 0 --extra-index-url https://download.pytorch.org/whl/cpu torch==2.13.0

FAILED := { \
	  echo "The packages could not be installed; the reason stands above."; \
	  echo "  What to do: check the network and the free space on the disk, then try again."; \
	  exit 1; }

.PHONY: help setup serve build test check bench pictures notebooks

help:
	@echo "make serve     the site at http://127.0.0.1:$(PORT), rebuilt as you edit (PORT=…: elsewhere)"
	@echo "               first time: about 125 MB of Python packages (nearly half of it Node),"
	@echo "               10 MB of npm parts (Pyodide, CodeMirror, fonts), 13 MB of NumPy and matplotlib"
	@echo "               with REAL_MODEL=1 also the real model, all-MiniLM-L6-v2 (84 MB)"
	@echo "make build     the site as plain files in site/, for any static host; downloads the same"
	@echo "               and the model"
	@echo "make setup     only what serve and build need; downloads the same"
	@echo "make test      all tests; first time also PyTorch (200 MB), the test tools (95 MB), the real"
	@echo "               model (84 MB), and a browser (150 MB) unless Chromium or Chrome is installed;"
	@echo "               the runtime's core also in Firefox and WebKitGTK, where the system has them"
	@echo "make check     format, lint and types; first time also the tools for them (100 MB)"
	@echo "make bench     speed, as ratios measured side by side in one run; downloads as for test,"
	@echo "               and PyScript, JupyterLite and marimo to compare with (about 115 MB)"
	@echo "make notebooks runs the pages of PyTorch that have changed, and keeps what they print"
	@echo "make pictures  takes the screenshots of README and of shared links anew"

setup: .venv/site
	@$(BIN)/python -m site_src.prepare

serve: .venv/site
	@$(if $(REAL_MODEL),$(BIN)/python -m site_src.prepare --model)
	@$(BIN)/mkdocs serve --dev-addr 127.0.0.1:$(PORT)

build: .venv/site
	@$(BIN)/python -m site_src.prepare --model
	@OFFLINE=1 $(BIN)/mkdocs build --strict

test: .venv/dev
	@$(BIN)/python -m tests.browser.chromium
	@$(BIN)/python -m pytest --numprocesses auto --dist worksteal

check: .venv/dev
	@$(BIN)/python -m site_src.prepare
	@$(MAKE) --no-print-directory node_modules/.bin/biome
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	@$(NODE) node_modules/.bin/biome ci --error-on-warnings
	@$(NODE) node_modules/.bin/tsc -p tsconfig.json
	@$(NODE) node_modules/.bin/tsc -p tsconfig.worker.json

bench: .venv/dev
	@$(BIN)/python -m tests.bench

notebooks: .venv/dev
	@$(BIN)/python -m site_src.notebooks.execute

pictures: .venv/dev
	@$(BIN)/python -m tests.pictures

node_modules/.bin/biome: package-lock.json
	@echo "  npm tools …"
	@$(NODE) $(BIN)/npm ci --silent || $(FAILED)
	@touch $@

.venv/bin/python:
	@"$(PYTHON)" -c '$(NEW_ENOUGH)' 2>/dev/null || { \
	  echo "This needs Python 3.11 or newer, and found: $$("$(PYTHON)" --version 2>/dev/null || echo none)."; \
	  echo "  What to do: install it from python.org, or name one: make serve PYTHON=/path/to/python3.12"; \
	  exit 1; }
	@echo "  Python environment in .venv …"
	@"$(PYTHON)" -m venv .venv || { rm -rf .venv; $(FAILED); }

.venv/site: .venv/bin/python pyproject.toml constraints.txt
	@echo "  Python packages …"
	@$(BIN)/pip install --quiet --constraint constraints.txt --editable . || $(FAILED)
	@touch $@

.venv/dev: .venv/site
	@echo "  test tools and PyTorch …"
	@$(BIN)/pip install --quiet --no-compile $(TORCH) || $(FAILED)
	@$(BIN)/pip install --quiet --no-compile --constraint constraints.txt --editable '.[dev]' || $(FAILED)
	@touch $@
