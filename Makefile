# Everything is made on demand and again when pyproject.toml changes; nothing needs to be activated.
#
#   make lab       open the course in JupyterLab
#   make test      run every check and every test
#   make lesson    run the notebooks without a browser and print what each cell prints
#   make interop   the tests against real MXNet 1.9.1
#   make nbgrader  the tests with real nbgrader
#   make bench     the benchmarks
#   make test-gpu  the tests on a machine with a GPU, with its own Python, which has to hold CuPy and pytest
#   make bench-gpu the benchmarks there
#   make format    put the code into the house style
#   make stubs     write down for editors which functions are made at run time
#   make pages     write the pages of docs/errors from d2lhybrid/traps
#   make exercises write the notebooks of the exercises from their definitions
#   make clean     remove everything that was made
#
# PYTHON=/path/to/python chooses the Python that the environment is made with.

BIN := .venv/bin
MXNET := .venv-mxnet
NBGRADER := .venv-nbgrader
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The Python package pyright fetches the checker of the same number: into the environment, please,
# and without reminders of newer ones.
export PYRIGHT_PYTHON_CACHE_DIR := $(CURDIR)/.venv/pyright
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1

.PHONY: lab test check pytest lesson interop mxnet nbgrader bench test-gpu bench-gpu format stubs pages exercises clean help
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' Makefile

# --- the course ---

lab: .venv/.lab
	$(BIN)/d2lhybrid lab notebooks

lesson: .venv/.lab
	$(BIN)/d2lhybrid lesson

# --- the tests ---

test: check pytest

check: .venv/.dev
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --pythonpath $(BIN)/python

# One thread a process for linear algebra: the tests themselves run side by side.
pytest: .venv/.dev
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(WITH_MXNET) $(WITH_NBGRADER) $(BIN)/python -m pytest -n auto --dist loadgroup $(PYTEST)

bench: .venv/.lab
	@for file in $(filter-out benchmarks/compare_gpu.py, $(wildcard benchmarks/[!_]*.py)); do \
	    test -f "$$file" || { echo "There are no benchmarks."; continue; }; \
	    echo; echo "== $$file"; $(BIN)/python "$$file" || exit 1; \
	done

# --- on a GPU ---

# There a Python holds CuPy, PyTorch and JAX for its CUDA, and often there is no package registry: so it is used as it is.
GPU_PYTHON = PYTHONPATH="$(CURDIR)" $(or $(PYTHON),python3)
# What is tested on both devices, and what the GPU half is built on. Nothing of it needs Jupyter.
GPU_TESTS = tests/gpu tests/compiler tests/golden $(addprefix tests/test_,$(addsuffix .py,bad_input cached_op \
    control_flow convolution digits elementwise every_operator gluon_layers gluon_nn gluon_rnn gluon_utils gpu_benchmark \
    index_operators initializers kvstore lenet losses matrix_operators metrics numpy_arrays optimizers parameter \
    params_format pooling random_operators reductions shape_gradients special_functions symbol_json tracing trainer)) \
    d2lhybrid/backend.py d2lhybrid/compiler d2lhybrid/gluon d2lhybrid/optimizer

# A GPU serves eight processes well; what a test leaves there ends with them.
test-gpu:
	@$(GPU_PYTHON) tests/gpu/needs_a_gpu.py "make test-gpu"
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(GPU_PYTHON) -m pytest -n 8 --dist loadgroup \
	    -p no:cacheprovider --durations 15 $(GPU_TESTS) $(PYTEST)

bench-gpu:
	@$(GPU_PYTHON) benchmarks/compare_gpu.py $(BENCH)

format: .venv/.dev
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format
	@find notebooks -name '*.ipynb' -not -path '*/.*' -exec $(BIN)/nbstripout {} +

stubs: .venv/.dev
	$(BIN)/python -m d2lhybrid.stubs

pages: .venv/.dev
	$(BIN)/python -m d2lhybrid.traps.pages

exercises: .venv/.dev
	$(BIN)/python -m d2lhybrid.exercises.notebooks

clean:
	rm -rf .venv $(MXNET) $(NBGRADER) build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment ---

# Prints the first Python that will do, or one sentence on why there is none.
# (Debian leaves ensurepip out, without which a new environment has no pip.)
define FIND_PYTHON
too_old=; bare=; \
for python in $(PYTHON) python3.13 python3.12 python3.11 python3 python3.14 python; do \
    version=$$("$$python" -c 'import sys; print("%d.%d" % sys.version_info[:2])' 2>/dev/null) || continue; \
    if ! "$$python" -c 'import sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null; then \
        too_old="$$too_old $$version"; \
    elif ! "$$python" -c 'import venv, ensurepip' 2>/dev/null; then \
        bare="$$bare $$version"; \
    else \
        echo "$$python"; exit 0; \
    fi; \
done; \
if test -n "$$bare"; then set -- $$bare; \
    echo "Python $$1 is here without its venv module: install it (on Debian or Ubuntu: sudo apt install python$$1-venv) and try again." >&2; \
elif test -n "$$too_old"; then \
    echo "d2lhybrid needs Python 3.11 or newer, but here is only Python$$too_old: install a newer one, or name one with make PYTHON=/path/to/python3." >&2; \
else \
    echo "d2lhybrid needs Python 3.11 or newer, but there is no Python on the PATH: install it, or name one with make PYTHON=/path/to/python3." >&2; \
fi; \
exit 1
endef

.venv/bin/python:
	@python=$$($(FIND_PYTHON)) && echo "$$python -m venv .venv" && "$$python" -m venv --clear .venv

# ONNX Runtime is not made for every processor; without it one part of one notebook says so.
.venv/.lab: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[lab,onnx]' || \
	    $(BIN)/python -m pip install --quiet --editable '.[lab]'
	@touch $@

.venv/.dev: pyproject.toml | .venv/bin/python
	$(BIN)/python -m pip install --quiet --editable '.[lab,dev]'
	@touch .venv/.lab $@

# --- nbgrader, which brings extensions of JupyterLab: in an environment of its own ---

# The tests start the interpreter that this names, and skip where it names none.
WITH_NBGRADER = D2LHYBRID_NBGRADER_PYTHON="$$(test ! -f $(NBGRADER)/.installed || echo "$(CURDIR)/$(NBGRADER)/bin/python")"

$(NBGRADER)/.installed: pyproject.toml .venv/.dev
	$(BIN)/python -m venv --clear $(NBGRADER)
	$(NBGRADER)/bin/python -m pip install --quiet --editable '.[grading]'
	@touch $@

nbgrader: $(NBGRADER)/.installed
	$(WITH_NBGRADER) $(BIN)/python -m pytest tests/test_nbgrader.py $(PYTEST)

# --- real MXNet, to compare with ---

# The tests start the interpreter that this names, and skip where it names none.
WITH_MXNET = D2LHYBRID_MXNET_PYTHON="$$(test ! -f $(MXNET)/.installed || echo "$(CURDIR)/$(MXNET)/bin/python")"

interop: mxnet .venv/.dev
	@test ! -f $(MXNET)/.installed || \
	    $(WITH_MXNET) $(BIN)/python -m pytest -m interop tests $(PYTEST)

# Its last release wants NumPy 1.23, so it gets an environment of its own. Where that cannot be made
# (other processors, no Python 3.8 to 3.11), one line says why, and nothing fails.
define INSTALL_MXNET
test ! -f $(MXNET)/.installed || exit 0; \
reason="it needs a Python from 3.8 to 3.11 with its venv module, and there is none here"; \
for python in python3.11 python3.10 python3.9 python3.8 python3; do \
    "$$python" -c 'import sys, venv, ensurepip; sys.exit(not (3, 8) <= sys.version_info < (3, 12))' \
        2>/dev/null || continue; \
    echo "Installing MXNet 1.9.1 into $(MXNET) ..."; \
    rm -rf $(MXNET); mkdir $(MXNET); \
    { "$$python" -m venv $(MXNET) && \
      $(MXNET)/bin/python -m pip install --quiet --only-binary :all: numpy==1.23.5 requests 'graphviz<0.9' && \
      $(MXNET)/bin/python -m pip install --quiet --only-binary :all: --no-deps mxnet==1.9.1 && \
      $(MXNET)/bin/python -c 'import mxnet; mxnet.nd.ones((1,)).asnumpy()'; \
    } >$(MXNET)/log 2>&1 && touch $(MXNET)/.installed && exit 0; \
    reason=$$(grep -v '^ *$$' $(MXNET)/log | tail -n 1); \
    break; \
done; \
echo "Real MXNet 1.9.1 cannot be installed here, so the tests against it are skipped: $$reason"
endef

mxnet:
	@$(INSTALL_MXNET)
