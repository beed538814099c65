# make run: install, ingest the samples, serve. make test: run the tests. make help: list the other targets.

PYTHON ?= python3
DATA_DIR ?= data
SIDE_BY_SIDE ?= 3
BIN := .venv/bin
# tests/conftest.py orders the files: the slow ones first.
BY_FILE = --dist loadfile --no-loadscope-reorder
IN_PARALLEL = -n $(SIDE_BY_SIDE) $(BY_FILE)
# Each of these starts several processes, or a framework.
IN_PAIRS = -n 2 $(BY_FILE)
# Only collecting these would import PyTorch and other frameworks in each process.
LEFT_OUT = --ignore tests/examples --ignore tests/training
export DATA_DIR
# Some systems forbid it; then each process that is started compiles the package anew.
export PYTHONDONTWRITEBYTECODE :=

.DEFAULT_GOAL := help
.PHONY: help install run screenshots test test-fast test-integrations test-npm cluster test-cluster chromium nginx promtool tesseract fonts uis bench bench-evidence bench-place bench-reading bench-answers bench-claims bench-embed bench-scale bench-pages lint fix sure lock audit sbom licences soak

help: ## what there is
	@grep -hE '^[a-z-]+:.*## ' $(MAKEFILE_LIST) | awk -F':.*## ' '{ printf "  make %-15s %s\n", $$1, $$2 }'

run: .venv/installed ## install, ingest samples/ (first time only), serve on http://127.0.0.1:8000 (HOST, PORT, DATA_DIR)
	@if [ ! -e "$(DATA_DIR)/samples-are-in" ]; then \
	  echo "Ingesting samples/ (first time only; one of them is a scan, which needs Tesseract)"; \
	  $(BIN)/python -m ingest samples/; [ $$? -le 1 ] && touch "$(DATA_DIR)/samples-are-in"; \
	fi
	@exec $(BIN)/python -m highlighter serve

install: .venv/installed ## make .venv and install requirements.lock (LOCK_FILE= for requirements.txt, without hashes)

test: .venv/installed-dev chromium nginx tesseract fonts ## the tests, on real parts, in a real browser (SIDE_BY_SIDE=3 files at once; REPORT=file.xml)
	$(BIN)/python -m pytest $(IN_PARALLEL) $(LEFT_OUT) -m "not integrations and not cluster" $(if $(REPORT),--junitxml "$(REPORT)")

test-fast: .venv/installed-dev tesseract fonts ## the tests without a browser, servers and kills, and without tests/slow_tests.txt: for while you work
	$(BIN)/python -m pytest $(IN_PARALLEL) $(LEFT_OUT) -m "not integrations and not cluster and not slow" --ignore tests/browser

test-integrations: .venv/installed-dev .venv/tools/installed .venv/uis/installed chromium promtool ## the examples with other frameworks, the wheel in an empty environment, deploy/, a training (1.5 GB more)
	$(BIN)/python -m pytest $(IN_PAIRS) -m "integrations and not npm" tests/examples tests/packaging tests/training tests/highlighter/embedding tests/highlighter/client tests/browser/test_other_servers.py tests/browser/test_extension.py tests/highlighter/monitoring

test-npm: .venv/installed-dev .venv/tools/installed chromium ## new projects with React, Vue and Next, a generated TypeScript client, signing in at an OpenID provider (Node.js 20 and npm's registry)
	$(BIN)/python -m pytest -m npm tests/examples/test_npm.py tests/highlighter/client tests/browser/test_sign_in.py

cluster: .venv/installed-dev ## two servers on PostgreSQL, Chroma, a storage and Dask, all on this machine: read the samples, ask both, stop
	$(BIN)/python -m tests.cluster.local_cluster

test-cluster: .venv/installed-dev nginx ## tests of several processes and machines: what one writes, what happens when a part dies
	$(BIN)/python -m pytest $(IN_PAIRS) -m cluster tests/cluster tests/soak tests/ingest tests/docs tests/highlighter/server tests/highlighter/store

uis: .venv/uis/installed ## an environment of their own for Streamlit and Gradio, whose examples are tested

bench: .venv/installed-dev ## speed and size: one table, ratios in one run
	$(BIN)/python -m bench $(if $(DOCS),--docs "$(DOCS)")

bench-evidence: .venv/installed-dev ## quality of evidence: questions across languages, and judged passages (DATA=folder with dev/ and train/)
	$(BIN)/python -m bench.evidence $(if $(DATA),"$(DATA)")

bench-place: .venv/installed-dev ## are rectangles right on the page, and are damaged quotes found? (DOCS: a folder)
	$(BIN)/python -m bench.place $(if $(DOCS),--docs "$(DOCS)")
	$(BIN)/python -m bench.quotes $(if $(DOCS),--docs "$(DOCS)")

bench-reading: .venv/installed-dev ## are words, their order and sentences of PDFs read right, beside other readers? (DOCS: a folder; PEERS: their Python)
	$(BIN)/python -m bench.reading $(if $(DOCS),--docs "$(DOCS)") $(if $(PEERS),--peers "$(PEERS)")

bench-answers: .venv/installed-dev ## are markers, quotes and claims judged right, and is the right sentence cited? (DATA: a folder)
	$(BIN)/python -m bench.answers $(if $(DATA),--data "$(DATA)")

bench-claims: .venv/installed-dev ## which claims get a tick, by set, language and kind (DATA: a folder with entailment/dev and grounding/)
	$(BIN)/python -m bench.claims $(DATA)

bench-embed: .venv/installed-dev ## cost of an embedded viewer: bytes, requests, time to the first highlight
	$(BIN)/python -m bench.embed

bench-scale: .venv/installed-dev ## SQLite and PostgreSQL, a growing library (SIZES="10000 1000000"), readers on several processes, Dask workers
	$(BIN)/python -m bench.scale
	$(BIN)/python -m bench.scale.curve --sizes $(or $(SIZES),10000 100000)
	$(BIN)/python -m bench.scale.curve --cluster --sizes 10000 100000
	$(BIN)/python -m bench.scale.readers
	$(BIN)/python -m bench.scale.workers

bench-pages: .venv/installed-dev chromium ## cost of each page: paint, shifts, a click, bytes, heap (DOCS: a folder; WINDOW=phone)
	$(BIN)/python -m bench.pages $(if $(DOCS),--docs "$(DOCS)") $(if $(WINDOW),--window $(WINDOW))

soak: .venv/installed-dev chromium nginx ## kills, failing disks, damaged files, attacks, backups and load for hours: one table (KILLS, FILES, MINUTES ...; tests/soak/options.py)
	@$(BIN)/pip install -q -r requirements-fuzzing.txt || echo "Without requirements-fuzzing.txt, guided fuzzing is left out." >&2
	@$(BIN)/python -m tests.soak

screenshots: .venv/installed-dev ## make the pictures of the README again
	$(BIN)/python -m tests.browser.readme_pictures

lint: .venv/installed-dev ## check style, types and words
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/python -m tests.plain_language

fix: .venv/installed-dev ## fix what the linter can fix
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

sure: lint test ## lint and test: run it before every commit

PYPI := https://pypi.org/simple
IMAGE_EXTRAS := postgresql s3 redis dask openai anthropic mcp oidc tracing
COMPILE = .venv/tools/bin/uv pip compile -q --universal --python-version 3.11 --default-index $(PYPI)

lock: .venv/tools/installed ## pin what requirements.txt and the image require, with hashes: after every change of requirements
	@mkdir -p build
	@cat requirements.txt requirements-dev.txt requirements-adapters.txt | grep -v '^-r' > build/tested.in
	$(COMPILE) --no-header --no-annotate build/tested.in -o build/tested.txt
	$(COMPILE) --generate-hashes --custom-compile-command "make lock" -c build/tested.txt --no-emit-package torch \
	  requirements.txt -o requirements.lock
	grep '^setuptools==' requirements-dev.txt | $(COMPILE) --generate-hashes --custom-compile-command "make lock" -c build/tested.txt \
	  $(IMAGE_EXTRAS:%=--extra %) pyproject.toml - -o deploy/image.lock

AUDIT = .venv/tools/bin/pip-audit --strict --disable-pip $$(sed -n 's/^\([A-Z]*-[A-Za-z0-9-]*\) .*/--ignore-vuln \1/p' deploy/advisories.txt)

audit: .venv/tools/installed ## are there advisories on what is installed? (needs PyPI; what could not be looked up counts as failed)
	$(AUDIT) --require-hashes -r requirements.lock -r deploy/image.lock
	$(AUDIT) --no-deps -r requirements.txt -r requirements-dev.txt -r requirements-tools.txt

sbom: .venv/installed .venv/tools/installed ## write dist/highlighter.cdx.json: every package and model of the service (CycloneDX)
	@mkdir -p build dist
	.venv/tools/bin/cyclonedx-py environment --pyproject pyproject.toml -o build/environment.cdx.json .venv
	$(BIN)/python -m tests.packaging.bill_of_materials build/environment.cdx.json dist/highlighter.cdx.json

licences: .venv/installed-dev ## write docs/reference/licences.md
	$(BIN)/python -m tests.packaging.licences

.venv/tools/installed: requirements-tools.txt
	$(PYTHON) -m venv .venv/tools
	.venv/tools/bin/pip install -q -r requirements-tools.txt
	@touch $@

chromium: .venv/installed-dev
	@if $(BIN)/python -m tests.browser.chromium >/dev/null 2>&1; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -q && for one in chromium chromium-headless-shell; do apt-get install -y -q --no-install-recommends $$one; done; \
	else $(BIN)/python -m playwright install chromium; fi

nginx: ## install nginx, on Debian and Ubuntu as root
	@if command -v nginx >/dev/null || [ -x /usr/sbin/nginx ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -q && apt-get install -y -q --no-install-recommends nginx-light; \
	else echo "The tests behind a proxy fail without nginx: apt-get install nginx-light"; fi

TESSERACT_LANGUAGES := eng deu chi_tra chi_tra_vert heb ara
OCR_PACKAGES := tesseract-ocr tesseract-ocr-osd $(addprefix tesseract-ocr-,$(subst _,-,$(TESSERACT_LANGUAGES)))

tesseract: ## install Tesseract and the languages of the tests, on Debian and Ubuntu as root
	@if ! for one in $(TESSERACT_LANGUAGES); do tesseract --list-langs 2>/dev/null | grep -qx $$one || echo $$one; done | grep -q .; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -q && apt-get install -y -q --no-install-recommends $(OCR_PACKAGES); \
	else echo "The tests of recognition fail without Tesseract: apt-get install $(OCR_PACKAGES)"; fi

# Debian's package would start a server: only its program is taken out.
promtool: .venv/tools/installed ## fetch Prometheus's program that evaluates alert rules, on Debian and Ubuntu
	@if command -v promtool >/dev/null || [ -x .venv/tools/bin/promtool ]; then :; \
	elif command -v apt-get >/dev/null; then \
	  mkdir -p build/prometheus && cd build/prometheus && apt-get download -q prometheus && dpkg-deb -x prometheus_*.deb . && \
	  cp usr/bin/promtool ../../.venv/tools/bin/; \
	else echo "The test of alert rules fails without promtool, a program of Prometheus."; fi

FONT_PACKAGES := fonts-dejavu fonts-liberation fonts-wqy-zenhei

fonts: ## install the fonts of generated PDFs, on Debian and Ubuntu as root
	@if [ -d /usr/share/fonts/truetype/dejavu ] && [ -d /usr/share/fonts/truetype/liberation ] && [ -d /usr/share/fonts/truetype/wqy ]; then :; \
	elif [ "$$(id -u)" = 0 ] && command -v apt-get >/dev/null; then \
	  apt-get update -q && apt-get install -y -q --no-install-recommends $(FONT_PACKAGES); \
	else echo "Tests of generated PDFs fail without these fonts: apt-get install $(FONT_PACKAGES)"; fi

# Plain PyPI wheels of torch bring gigabytes of CUDA. So torch goes first and by itself: from PyTorch's CPU index, unless
# pip has links or an index of its own, or torch is there already. requirements.txt pins the same version and changes nothing.
TORCH := $(shell sed -n 's/^\(torch==[0-9.]*\).*/\1/p' requirements.txt)
CPU_INDEX := https://download.pytorch.org/whl/cpu

# requirements.lock is requirements.txt with everything that it requires, each file by its hash; all but torch, whose builds
# without CUDA have other hashes on PyTorch's index than on PyPI. LOCK_FILE= takes the newest that requirements.txt allows, unchecked:
# for machines whose packages were built anew, so that they have other hashes.
LOCK_FILE ?= requirements.lock
INSTALLED_FROM = $(if $(LOCK_FILE),--no-deps --require-hashes -r $(LOCK_FILE),-r requirements.txt)

.venv/installed: requirements.txt requirements.lock
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' || \
	  { echo "Python 3.11 or newer is needed: make PYTHON=/path/to/python3.11 $(MAKECMDGOALS)" >&2; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing: apt-get install python3-venv" >&2; exit 1; }
	@echo "Installing into .venv: about 2 GB, some minutes without output (the first time only)"
	$(PYTHON) -m venv .venv
	@if $(BIN)/python -c 'import torch' 2>/dev/null || [ -n "$$PIP_FIND_LINKS$$PIP_INDEX_URL$$PIP_EXTRA_INDEX_URL" ] || \
	    $(BIN)/pip config list | grep -qE '(index-url|find-links)='; then \
	  $(BIN)/pip install -q $(TORCH); \
	else \
	  $(BIN)/pip install -q --no-deps --index-url $(CPU_INDEX) --retries 0 --timeout 5 $(TORCH) || $(BIN)/pip install -q $(TORCH); \
	fi
	$(BIN)/pip install -q $(INSTALLED_FROM)
	@touch $@

.venv/installed-dev: .venv/installed requirements-dev.txt requirements-adapters.txt
	$(BIN)/pip install -q -r requirements-dev.txt
	@touch $@

# Within .venv, so that it comes and goes with it: these two want other versions of what we have.
.venv/uis/installed: requirements-uis.txt | .venv/installed
	@echo "Installing Streamlit and Gradio into .venv/uis for their tests: about 650 MB"
	$(BIN)/python -m venv .venv/uis
	.venv/uis/bin/pip install -q -r requirements-uis.txt
	@touch $@
