# Everything is made on demand and again when pyproject.toml changes; nothing needs to be activated.
#
#   make lab       open the course in JupyterLab
#   make test      run every check and every test
#   make quick     the checks, and the tests that most often find a change of the core or of what was changed
#   make versions  those tests on the oldest Python here with the lowest NumPy, and on the newest with the newest
#   make house     the rooms of the package and what each imports; fails where one imports a higher one
#   make unplugged  the tests with the machine alone, without what only makes it fast: UNPLUGGED=tests/test_trainer.py for some
#   make unplugged-quick  those of them that most often find a change
#   make fuzz      random programs, hybridized and eager, for a minute: FUZZ="--seconds 3600 --workers 8" for longer
#   make judge     random training programs, here and on real MXNet, for a minute: JUDGE="--seconds 3600 --workers 2" for longer
#   make answers   right and wrong answers to the exercises, judged for 50 seeds: SEEDS=300 for more
#   make mutants   solutions with one thing changed, and how many of them a check still calls right
#   make mutants-core how many small faults of the machine the quick tests find: MUTANTS="--sample 500 tape invoke" for some
#   make class-of-thirty a class of thirty is made over all chapters and marked; prints who got what is not due
#   make hostile   thousands of hostile files, and a table of what became of them: HOSTILE="-n 10000" for more
#   make faults    Ctrl-C, kills, full disks, threads and forks at every line: FAULTS="--sample 50" for fewer
#   make lesson    run the notebooks without a browser and print what each cell prints
#   make interop   the tests against real MXNet 1.9.1
#   make others    run the gallery with PyTorch, JAX and TensorFlow, and record it: OTHERS="jax --check" for a part, and only compare
#   make peer-tests MXNet's own unit tests: GIT_DIR=/path/to/mxnet, a clone with the tag 1.9.1; PEER=test_gluon.py for one file
#   make example-programs MXNet's example programs on small data: GIT_DIR=/path/to/mxnet; PROGRAMS="gluon rnn" for some of them
#   make chapters the chapters of Dive into Deep Learning on small data: GIT_DIR=/path/to/d2l-en; CHAPTERS="rnn mlp" for some
#   make habits port-table    statements of old programs that today's libraries refuse, and that d2lhybrid run gives back
#   make port-table what d2lhybrid port says of programs, and what becomes of them: FOLDERS="clones" BOOKS="git directories of d2l"
#   make model-definitions the models of GluonCV, GluonNLP or gluoncv2 beside real MXNet's: GIT_DIR=/path/to/gluon-cv; MODELS="resnet yolo3" for some
#   make old-files which files of old versions of MXNet load, compute and are written back: GIT_DIR=/path/to/clone for those in it
#   make library-tests the unit tests of GluonCV, GluonNLP, Sockeye, GluonTS or MXFusion: GIT_DIR=/path/to/gluon-cv; TESTS="test_nn.py" for some files
#   make nbgrader  the tests with real nbgrader
#   make pictures  photograph the widgets for README, in a browser, into docs/pictures: PICTURES="graph steps" for some
#   make site      the course and the reference as pages for a browser, in build/site: SITE=--fresh for all anew
#   make lite      the course for a browser alone, without a server, in build/lite: LITE="--pyodide FOLDER" for Pyodide's own files
#   make pyodide   the lessons and exercises under Pyodide itself, Python as WebAssembly, in Node
#   make release-check  build the package, and try it in empty environments: RELEASE=0.1.0 asks whether that can be published
#   make lock      write down which versions Binder installs: the newest that fit together today
#   make bench     the benchmarks
#   make bench-others the lesson's nets in Gluon, PyTorch, JAX and TensorFlow: the first call and a later one
#   make bench-threads the same nets under every setting of threads: BENCH="E --modes onednn" for a part
#   make bench-busy the same nets beside busy processes: BENCH="resnet-18 --beside 0 1" for a part
#   make bench-operators single operators beside real MXNet's: BENCH="deconvolution pooling" for some
#   make test-gpu  the tests on a machine with a GPU, with its own Python, which has to hold CuPy and pytest
#   make bench-gpu the benchmarks there
#   make format    put the code into the house style
#   make stubs     write down for editors which functions are made at run time
#   make surface   count what of MXNet's public names is here, and write the table of docs/compatibility.md
#   make indices   indices and regions at the edge, here and in MXNet, and write the table of docs/index_edges.md
#   make pages     write the pages of docs/errors from d2lhybrid/internals/pictures/traps
#   make exercises write the notebooks of the exercises, in English and in Chinese, from their definitions
#   make clean     remove everything that was made
#
# PYTHON=/path/to/python chooses the Python that the environment is made with; another one than it has makes it anew.

BIN := .venv/bin
MXNET := .venv-mxnet
NBGRADER := .venv-nbgrader
PEER_ENVIRONMENT := .venv-peer
PROGRAMS_ENVIRONMENT := .venv-programs
CHAPTERS_ENVIRONMENT := .venv-chapters
MODELS_ENVIRONMENT := .venv-models
MODELS_MXNET := .venv-models-mxnet
LIBRARIES_ENVIRONMENT := .venv-libraries
LIBRARIES_MXNET := .venv-libraries-mxnet
SITE_ENVIRONMENT := .venv-site
LITE_ENVIRONMENT := .venv-lite
# An interpreter that is named, say D2LHYBRID_JAX_PYTHON=/path/to/python, is used in the place of an environment.
OTHERS_ENVIRONMENTS := $(if $(D2LHYBRID_TORCH_PYTHON),,.venv-others-torch) $(if $(D2LHYBRID_JAX_PYTHON),,.venv-others-jax) \
    $(if $(D2LHYBRID_TENSORFLOW_PYTHON),,.venv-others-tensorflow)
RELEASE_ENVIRONMENT := .venv-release
OLDEST := .venv-oldest
NEWEST := .venv-newest
export PIP_DISABLE_PIP_VERSION_CHECK := 1
# The Python package pyright fetches the checker of the same number: into the environment, please,
# and without reminders of newer ones.
export PYRIGHT_PYTHON_CACHE_DIR := $(CURDIR)/.venv/pyright
export PYRIGHT_PYTHON_IGNORE_WARNINGS := 1
# This folder's package comes before any other that a PYTHONPATH may name, and the environment's own library too.
export PYTHONPATH := $(CURDIR)
# Modules are compiled once, not in each of a thousand processes.
unexport PYTHONHOME PYTHONSAFEPATH PYTHONDONTWRITEBYTECODE

.PHONY: lab others bench-others test check pytest quick quick-tests versions house unplugged unplugged-quick fuzz judge faults class-faults class-of-thirty large-class hostile lesson interop mxnet peer-tests example-programs chapters habits port-table model-definitions old-files library-tests library-record nbgrader pictures site lite pyodide release-check lock bench bench-busy bench-threads bench-operators test-gpu bench-gpu format stubs surface indices pages exercises answers mutants mutants-core clean help environment lab-environment dev-environment
.DEFAULT_GOAL := help

help:
	@sed -n 's/^#   //p' Makefile

# --- the course ---

# Without a shell between: a signal that ends make ends JupyterLab.
lab: lab-environment
	@$(BIN)/python -m d2lhybrid lab notebooks

lesson: lab-environment
	@$(BIN)/python -m d2lhybrid lesson

# --- the tests ---

test: check pytest

check: dev-environment
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/pyright --warnings --pythonpath $(BIN)/python
	$(BIN)/codespell d2lhybrid docs notebooks benchmarks README.md CONTRIBUTING.md Makefile
	$(BIN)/python -m tests.prose

# One thread a process for linear algebra: the tests themselves run side by side.
pytest: dev-environment
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(WITH_MXNET) $(WITH_NBGRADER) $(BIN)/python -m pytest -n auto --dist loadgroup $(PYTEST)

# For somebody who changes one thing: all that a net goes through, without what is slow, and without Jupyter.
QUICK_TESTS = tests/transcript tests/core d2lhybrid/internals/core $(addprefix tests/test_,$(addsuffix .py,backward_inference \
    bad_calls bad_input cached_op check_hybridization control_flow custom_operators elementwise executor gluon_layers gluon_nn \
    gluon_rnn house index_operators initializers limits losses matrix_operators metrics nd_cached_op numpy_arrays optimizers \
    own_gradients parameter params_format peek pooling print_trace reductions sparse sparse_like_mxnet special_functions stubs \
    symbol_json tracing trainer viz))
RUN_QUICK_TESTS = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 "$$environment"/bin/python -m pytest -q -n auto --dist loadgroup \
    -m "not slow" -p no:cacheprovider $(QUICK_TESTS) $(PYTEST)

# Pyright keeps one processor busy, for as long as the tests take the others.
quick: dev-environment
	@$(MAKE) --no-print-directory -j 2 check quick-tests

# With those that find what was changed since the main branch.
quick-tests: dev-environment
	@environment=.venv; $(RUN_QUICK_TESTS) $$($(BIN)/python -m tests.changed)

# What else differs between releases of Python: the standard library, and how doctest reads errors.
VERSIONS_TESTS = tests/test_archives.py tests/test_d2l_training.py d2lhybrid --ignore=d2lhybrid/onnx --doctest-ignore-import-errors

versions: $(OLDEST)/.installed $(NEWEST)/.installed
	@for environment in $(OLDEST) $(NEWEST); do \
	    test -x "$$environment/bin/python" || continue; \
	    "$$environment/bin/python" -c 'import sys, numpy; print("== Python", sys.version.split()[0], "with NumPy", numpy.__version__)'; \
	    $(RUN_QUICK_TESTS) $(VERSIONS_TESTS) || exit 1; \
	done

# The rooms of the package; draws docs/house.svg.
house: environment
	$(BIN)/python -m tests.house

# The machine alone: all tests but those of the rooms that are left out; UNPLUGGED=tests/test_trainer.py for some of them.
unplugged: dev-environment
	$(RUN_UNPLUGGED) $(PYTEST) $(UNPLUGGED)

# Those that most often find a change, of operators, layers, gradients and calls: a minute. Stubs name the compiler's operators.
unplugged-quick: dev-environment
	$(RUN_UNPLUGGED) -m "not slow" $(filter-out tests/test_stubs.py,$(QUICK_TESTS)) $(addprefix tests/,golden test_every_layer.py test_compile_steps.py \
		test_custom_operators.py test_bare_python.py)

RUN_UNPLUGGED = OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m pytest -q -n auto --dist loadgroup \
    -p no:cacheprovider -p tests.unplugged

# Hostile files; `make hostile HOSTILE=--help` lists the options.
hostile: dev-environment
	PYTHONPATH="$(CURDIR)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.hostile $(HOSTILE)

# Every right and every wrong answer to the exercises, judged for fifty seeds; `make answers SEEDS=300` for more.
SEEDS ?= 50
answers: dev-environment
	PYTHONPATH="$(CURDIR)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 D2LHYBRID_SEEDS=$(SEEDS) $(BIN)/python -m pytest -q \
		-n auto --dist loadgroup -p no:cacheprovider tests/test_exercise_answers.py

# Solutions with one thing changed: how many does a check still call right? `make mutants MUTANTS=--help` lists the options;
# with MUTANTS=--others, all right answers are changed, which takes half an hour of a processor.
mutants: dev-environment
	PYTHONPATH="$(CURDIR)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.mutation $(MUTANTS)

# The machine with one thing changed: which changes do the quick tests find? A thousand mutants take an hour of a processor.
mutants-core: dev-environment
	PYTHONPATH="$(CURDIR)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 QUICK_TESTS="$(QUICK_TESTS)" \
		$(BIN)/python -m tests.core_mutants $(MUTANTS)

# Random programs in all modes; `make fuzz FUZZ=--help` lists the options.
fuzz: dev-environment
	PYTHONPATH="$(CURDIR):$(CURDIR)/tests" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(WITH_MXNET) $(BIN)/python -m fuzz $(FUZZ)

# Whole training programs, compared with real MXNet's after every step; `make judge JUDGE=--help` lists the options.
judge: dev-environment mxnet
	PYTHONPATH="$(CURDIR):$(CURDIR)/tests" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(WITH_MXNET) $(BIN)/python -m judge $(JUDGE)

# Everything that can go wrong, at every line; prints what was tried, survived and lost.
faults: dev-environment
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.faults $(FAULTS)

# A class of sixty is marked, and killed, interrupted or out of disk at every single step: some minutes.
class-faults: dev-environment
	PYTHONPATH="$(CURDIR)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 D2LHYBRID_STRIDE=1 $(BIN)/python -m pytest -q -rP -n 4 \
		--dist load -p no:cacheprovider tests/test_grading_faults.py

# A class of thirty over all chapters, a folder each: blank, half done, wrong, renamed, damaged, from VS Code and Colab.
class-of-thirty: dev-environment
	PYTHONPATH="$(CURDIR)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.class_of_thirty

# A class of six hundred is made and marked; prints seconds and the most memory. `make large-class CLASS=100` makes a smaller one.
CLASS ?= 600
large-class: dev-environment
	PYTHONPATH="$(CURDIR)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -m tests.large_class $(CLASS)

bench: lab-environment
	@for file in $(filter-out $(addprefix benchmarks/,compare_gpu.py busy_machine.py thread_settings.py eager_operators.py), $(wildcard benchmarks/[!_]*.py)); do \
	    test -f "$$file" || { echo "There are no benchmarks."; continue; }; \
	    echo; echo "== $$file"; $(BIN)/python "$$file" || exit 1; \
	done

bench-busy: lab-environment
	@$(BIN)/python benchmarks/busy_machine.py $(BENCH)

bench-threads: lab-environment
	@$(BIN)/python benchmarks/thread_settings.py $(BENCH)

bench-operators: lab-environment mxnet
	@$(BIN)/python benchmarks/eager_operators.py $(BENCH)

# --- on a GPU ---

# There a Python holds CuPy, PyTorch and JAX for its CUDA, and often there is no package registry: so it is used as it is.
GPU_PYTHON = PYTHONPATH="$(CURDIR)" $(or $(PYTHON),python3)
# What is tested on both devices, and what the GPU half is built on. Nothing of it needs Jupyter.
GPU_TESTS = tests/gpu tests/compiler tests/golden $(addprefix tests/test_,$(addsuffix .py,bad_input cached_op \
    control_flow convolution digits elementwise every_operator gluon_layers gluon_nn gluon_rnn gluon_utils gpu_benchmark \
    index_operators initializers kvstore lenet losses matrix_operators metrics numpy_arrays optimizers parameter \
    params_format pooling random_operators reductions shape_gradients special_functions symbol_json tracing trainer)) \
    d2lhybrid/internals/device/array_modules.py d2lhybrid/internals/compiler d2lhybrid/gluon d2lhybrid/optimizer

# A GPU serves eight processes well; what a test leaves there ends with them. pytest-benchmark, which such a Python often
# holds, warns beside pytest-xdist, and a warning is an error here.
test-gpu:
	@$(GPU_PYTHON) tests/gpu/needs_a_gpu.py "make test-gpu"
	OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(GPU_PYTHON) -m pytest -n 8 --dist loadgroup \
	    -p no:cacheprovider -p no:benchmark --durations 15 $(GPU_TESTS) $(PYTEST)

bench-gpu:
	@$(GPU_PYTHON) benchmarks/compare_gpu.py $(BENCH)

format: dev-environment
	$(BIN)/ruff check --fix --exit-zero
	$(BIN)/ruff format
	@find notebooks -name '*.ipynb' -not -path '*/.*' -exec $(BIN)/nbstripout {} +

stubs: dev-environment
	$(BIN)/python -m d2lhybrid.internals.commands.stubs

surface: dev-environment
	PYTHONPATH="$(CURDIR)" $(BIN)/python -W ignore -m tests.surface

# MXNet's answers are those of tests/golden_data/indices.json; tests/indices/record.py asks it again.
indices: dev-environment
	PYTHONPATH="$(CURDIR)" OMP_NUM_THREADS=1 OPENBLAS_NUM_THREADS=1 $(BIN)/python -W ignore -m tests.indices

pages: dev-environment
	$(BIN)/python -m d2lhybrid.internals.pictures.traps.pages

exercises: dev-environment
	$(BIN)/python -m d2lhybrid.internals.course.exercises.notebooks

clean:
	rm -rf .venv $(MXNET) $(PEER_ENVIRONMENT) $(PROGRAMS_ENVIRONMENT) $(CHAPTERS_ENVIRONMENT) $(MODELS_ENVIRONMENT) $(MODELS_MXNET) $(LIBRARIES_ENVIRONMENT) $(LIBRARIES_MXNET) $(NBGRADER) $(SITE_ENVIRONMENT) $(LITE_ENVIRONMENT) $(RELEASE_ENVIRONMENT) $(OLDEST) $(NEWEST) build dist .pytest_cache .ruff_cache .hypothesis
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# --- the environment ---

# Prints the first Python that will do, or one sentence on why there is none. One that was asked for is the only one.
# (Debian leaves ensurepip out, without which a new environment has no pip.)
define FIND_PYTHON
asked="$(PYTHON)"; too_old=; bare=; \
if test -n "$$asked"; then set -- "$$asked"; else set -- python3.13 python3.12 python3.11 python3 python3.14 python3.15 python; fi; \
for python in "$$@"; do \
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
elif test -n "$$asked" && test -n "$$too_old"; then \
    echo "PYTHON=$$asked is Python$$too_old, and d2lhybrid needs Python 3.11 or newer: name another one, or leave PYTHON out." >&2; \
elif test -n "$$asked"; then \
    echo "PYTHON=$$asked is no Python that can be started here: name another one, or leave PYTHON out." >&2; \
elif test -n "$$too_old"; then \
    case "$$(uname -s 2>/dev/null)" in \
    Darwin) how="brew install python@3.13, or the installer from https://www.python.org/downloads/macos/";; \
    *) how="on Ubuntu 22.04 sudo add-apt-repository ppa:deadsnakes/ppa && sudo apt install python3.13-venv; anywhere python3 -m pip install --user uv && python3 -m uv python install 3.13";; \
    esac; \
    echo "d2lhybrid needs Python 3.11 or newer, but here is only Python$$too_old: install a newer one ($$how), or name one with make PYTHON=/path/to/python3." >&2; \
else \
    echo "d2lhybrid needs Python 3.11 or newer, but there is no Python on the PATH: install it, or name one with make PYTHON=/path/to/python3." >&2; \
fi; \
exit 1
endef

# Says with status 0 that the environment can be used: its Python may have gone, been replaced by a newer one, or be
# another one than is asked for.
define USABLE
{ $(BIN)/python -c 'import pip, sys; sys.exit(sys.version_info < (3, 11))' 2>/dev/null && \
  { test -z "$(PYTHON)" || test "$$("$(PYTHON)" -c '$(SHOW)' 2>/dev/null)" = "$$($(BIN)/python -c '$(SHOW)')"; }; }
endef
SHOW := import sys; print(sys.version, sys.base_prefix)

environment:
	@$(USABLE) && exit 0; \
	test -w . || { echo "This folder cannot be written to, and .venv is made in it: copy the folder to a place of your own." >&2; exit 1; }; \
	python=$$($(FIND_PYTHON)) && echo "Making an environment in .venv with $$python ..." && "$$python" -m venv --clear .venv

# What is missing is installed; where all is there, no connection is needed and nothing is said.
# ONNX Runtime is not made for every processor; without it one part of one notebook says so.
lab-environment: environment
	@$(BIN)/python -m d2lhybrid.internals.commands.installation lab --if-possible onnx fast
	@$(FRESH_STUBS)

dev-environment: environment
	@$(BIN)/python -m d2lhybrid.internals.commands.installation lab dev
	@$(FRESH_STUBS)

# An installation writes what editors know functions from that are made at run time; here, what has changed since.
FRESH_STUBS = test -z "$$(find d2lhybrid -name '*.py' -newer d2lhybrid/typing.pyi 2>&1)" || $(BIN)/python -m d2lhybrid.internals.commands.stubs

# --- the oldest and the newest that the package promises to run on: NumPy and pytest, no more ---

# What pyproject.toml asks for, with `==` in the place of `>=` where the lowest version of each is wanted.
REQUIREMENTS := import sys, tomllib; project = tomllib.load(open("pyproject.toml", "rb"))["project"]; \
    tools = [r for r in project["optional-dependencies"]["dev"] if r.startswith(("pytest", "hypothesis"))]; \
    print(*(r.replace(">=", sys.argv[1]) for r in project["dependencies"]), *tools, sep="\n")

# Arguments: the environment, the last Python that will do, `head` for the oldest of them or `tail` for the newest, and
# `==` or `>=`. A Python may be here twice, Debian's 3.11.2 beside one's own 3.11.9: so every one is asked for its number.
define INSTALL_VERSION
python=$$(IFS=:; for folder in $$PATH; do \
    for python in "$$folder"/python3 "$$folder"/python3.1[0-9] "$$folder"/python; do \
        test ! -x "$$python" || "$$python" -c '$(NUMBER)' '$(2)' "$$python" 2>/dev/null; \
    done; \
done | sort | $(3) -n 1 | cut -d ' ' -f 2-); \
if test -n "$$python"; then \
    echo "Making an environment in $(1) with $$python ..."; \
    "$$python" -m venv --clear $(1) && \
    $(1)/bin/python -c '$(REQUIREMENTS)' '$(4)' > $(1)/requirements.txt && \
    $(1)/bin/python -m pip install --quiet --only-binary :all: -r $(1)/requirements.txt && \
    touch $(1)/.installed; \
else \
    echo "There is no Python with its venv module here for $(1), so the tests on it are skipped."; \
fi
endef
NUMBER := import sys, venv, ensurepip; number = "%d.%02d.%03d" % sys.version_info[:3]; \
    print(number, sys.argv[2]) if "3.11" <= number[:4] <= sys.argv[1] else None

# The lowest NumPy has no wheels for a Python that came after it.
$(OLDEST)/.installed: pyproject.toml
	@$(call INSTALL_VERSION,$(OLDEST),3.12,head,==)

$(NEWEST)/.installed: pyproject.toml
	@$(call INSTALL_VERSION,$(NEWEST),3.99,tail,>=)

# --- nbgrader, which brings extensions of JupyterLab: in an environment of its own ---

# The tests start the interpreter that this names, and skip where it names none.
WITH_NBGRADER = D2LHYBRID_NBGRADER_PYTHON="$$(test ! -f $(NBGRADER)/.installed || echo "$(CURDIR)/$(NBGRADER)/bin/python")"

$(NBGRADER)/.installed: pyproject.toml | dev-environment
	$(BIN)/python -m venv --clear $(NBGRADER)
	@$(NBGRADER)/bin/python -m d2lhybrid.internals.commands.installation grading
	@touch $@

nbgrader: $(NBGRADER)/.installed
	$(WITH_NBGRADER) $(BIN)/python -m pytest tests/test_nbgrader.py $(PYTEST)

# --- the pictures of README: the widgets, in the browser of the system ---

pictures: dev-environment
	@$(BIN)/python -W ignore docs/pictures/make.py $(PICTURES)

# --- the site: Sphinx, and what the lessons need, in an environment of its own ---

$(SITE_ENVIRONMENT)/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear $(SITE_ENVIRONMENT)
	@$(SITE_ENVIRONMENT)/bin/python -m d2lhybrid.internals.commands.installation lab site --if-possible onnx fast
	@touch $@

site: $(SITE_ENVIRONMENT)/.installed
	@$(SITE_ENVIRONMENT)/bin/python docs/site/build.py $(SITE)

# --- the course without a server: JupyterLite, whose kernel wants its own versions of widgets, in an environment of its own ---

$(LITE_ENVIRONMENT)/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear $(LITE_ENVIRONMENT)
	@$(LITE_ENVIRONMENT)/bin/python -m d2lhybrid.internals.commands.installation lite
	@touch $@

lite: $(LITE_ENVIRONMENT)/.installed
	@$(LITE_ENVIRONMENT)/bin/python docs/lite/build.py $(LITE)

# The course in WebAssembly without a browser: Pyodide and NumPy from package indexes, and Node.
pyodide: $(LITE_ENVIRONMENT)/.installed dev-environment
	@$(LITE_ENVIRONMENT)/bin/python docs/lite/node.py $(LITE)
	$(BIN)/python -m pytest -q tests/test_pyodide.py $(PYTEST)

# --- the package for an index ---

$(RELEASE_ENVIRONMENT)/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear $(RELEASE_ENVIRONMENT)
	@$(RELEASE_ENVIRONMENT)/bin/python -m d2lhybrid.internals.commands.installation release
	@touch $@

release-check: $(RELEASE_ENVIRONMENT)/.installed
	@$(RELEASE_ENVIRONMENT)/bin/python docs/release/check.py $(RELEASE)

lock: $(RELEASE_ENVIRONMENT)/.installed
	@$(RELEASE_ENVIRONMENT)/bin/python docs/release/lock.py

# --- real MXNet, to compare with ---

# The tests start the interpreter that this names, and skip where it names none.
WITH_MXNET = D2LHYBRID_MXNET_PYTHON="$$(test ! -f $(MXNET)/.installed || echo "$(CURDIR)/$(MXNET)/bin/python")"

interop: mxnet dev-environment
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

# --- the gallery of small programs: each of the other frameworks in an environment of its own, as its NumPy may want it ---

# The build of PyTorch without CUDA is much smaller; PIP_EXTRA_INDEX_URL may name where it is.
OTHERS_torch := torch
OTHERS_jax := jax flatbuffers
OTHERS_tensorflow := tensorflow-cpu

.venv-others-%/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear .venv-others-$*
	.venv-others-$*/bin/python -m pip install --quiet --only-binary :all: numpy $(OTHERS_$*)
	@touch $@

others: $(addsuffix /.installed,$(OTHERS_ENVIRONMENTS)) dev-environment
	@$(BIN)/python -W ignore -m tests.others $(OTHERS)

# How long the lesson's nets take in each of them: on a machine that does nothing else.
bench-others: $(addsuffix /.installed,$(OTHERS_ENVIRONMENTS)) dev-environment
	@$(BIN)/python benchmarks/four_frameworks.py

# --- MXNet's own unit tests, which want SciPy: in an environment of their own ---

$(PEER_ENVIRONMENT)/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear $(PEER_ENVIRONMENT)
	$(PEER_ENVIRONMENT)/bin/python -m pip install --quiet --only-binary :all: numpy scipy pillow graphviz requests 'pytest>=8.3'
	@touch $@

peer-tests: $(PEER_ENVIRONMENT)/.installed
	@test -n "$(GIT_DIR)" || { echo "Name a clone of apache/mxnet: make peer-tests GIT_DIR=/path/to/mxnet" >&2; exit 1; }
	@$(PEER_ENVIRONMENT)/bin/python -W ignore -m tests.foreign peer "$(GIT_DIR)" $(PEER)

# --- MXNet's example programs, which want what people use beside MXNet ---

$(PROGRAMS_ENVIRONMENT)/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear $(PROGRAMS_ENVIRONMENT)
	$(PROGRAMS_ENVIRONMENT)/bin/python -m pip install --quiet --only-binary :all: numpy scipy pillow graphviz requests \
		matplotlib pandas scikit-learn scikit-image opencv-python-headless tqdm captcha ipython seaborn librosa resampy
	@touch $@

example-programs: $(PROGRAMS_ENVIRONMENT)/.installed
	@test -n "$(GIT_DIR)" || { echo "Name a clone of apache/mxnet: make example-programs GIT_DIR=/path/to/mxnet" >&2; exit 1; }
	@$(PROGRAMS_ENVIRONMENT)/bin/python -W ignore -m tests.foreign programs "$(GIT_DIR)" $(PROGRAMS)

# --- books and tutorials that were written for MXNet, with the libraries that pip installs today ---

$(CHAPTERS_ENVIRONMENT)/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear $(CHAPTERS_ENVIRONMENT)
	$(CHAPTERS_ENVIRONMENT)/bin/python -m pip install --quiet --only-binary :all: numpy scipy pillow graphviz requests \
		matplotlib pandas ipython scikit-learn tqdm opencv-python-headless nbclient ipykernel h5py
	@touch $@

# What today's libraries refuse, and as_mxnet(habits=True) gives back.
habits: $(CHAPTERS_ENVIRONMENT)/.installed
	@$(CHAPTERS_ENVIRONMENT)/bin/python -W ignore -m tests.habits

chapters: $(CHAPTERS_ENVIRONMENT)/.installed
	@test -n "$(GIT_DIR)" || { echo "Name a clone of d2l-ai/d2l-en or d2l-ai/d2l-zh: make chapters GIT_DIR=/path/to/d2l-en" >&2; exit 1; }
	@$(CHAPTERS_ENVIRONMENT)/bin/python -W ignore -m tests.foreign chapters "$(GIT_DIR)" $(CHAPTERS)

# What d2lhybrid port says of programs, and what becomes of them.
port-table: $(CHAPTERS_ENVIRONMENT)/.installed
	@test -n "$(FOLDERS)$(BOOKS)" || { echo "Name clones: make port-table FOLDERS=/path/to/repository BOOKS=/path/to/d2l-en/.git" >&2; exit 1; }
	@$(CHAPTERS_ENVIRONMENT)/bin/python -W ignore -m tests.porting $(FOLDERS) $(if $(BOOKS),--books $(BOOKS))

# --- files of old versions ---

old-files: dev-environment
	@$(BIN)/python -W ignore -m tests.old_files $(if $(GIT_DIR),--git-dir "$(GIT_DIR)") $(OLD_FILES)

# --- the models of GluonCV, GluonNLP and gluoncv2, with this package and with real MXNet, whose NumPy wants older libraries ---

$(MODELS_ENVIRONMENT)/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear $(MODELS_ENVIRONMENT)
	$(MODELS_ENVIRONMENT)/bin/python -m pip install --quiet --only-binary :all: numpy scipy pillow graphviz requests \
		matplotlib pandas opencv-python-headless tqdm portalocker yacs autocfg pyyaml packaging six
	@touch $@

# Where real MXNet is not, this environment is not either, and the models are compared eagerly and hybridized alone.
$(MODELS_MXNET)/.installed: pyproject.toml | mxnet
	@test ! -f $(MXNET)/.installed || { \
	    $(MXNET)/bin/python -m venv --clear $(MODELS_MXNET) && \
	    $(MXNET)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	        > "$$($(MODELS_MXNET)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/mxnet.pth" && \
	    $(MODELS_MXNET)/bin/python -m pip install --quiet --only-binary :all: numpy==1.23.5 'scipy<1.11' 'pillow<12' 'matplotlib<3.9' \
	        'pandas<2.1' 'opencv-python-headless<4.9' tqdm portalocker yacs autocfg pyyaml packaging six && touch $@; }

model-definitions: $(MODELS_ENVIRONMENT)/.installed $(MODELS_MXNET)/.installed
	@test -n "$(GIT_DIR)" || { echo "Name a clone of dmlc/gluon-cv, dmlc/gluon-nlp or osmr/imgclsmob: make model-definitions GIT_DIR=/path/to/gluon-cv" >&2; exit 1; }
	@$(MODELS_ENVIRONMENT)/bin/python -W ignore -m tests.foreign models "$(GIT_DIR)" \
		$$(test ! -f $(MODELS_MXNET)/.installed || echo --real $(MODELS_MXNET)/bin/python) $(MODELS)

# --- the unit tests of libraries on MXNet, with what these libraries want ---

# GPy is a reference that MXFusion's tests compare with; what it asks for besides is not needed.
LIBRARIES_WANT := pillow 'pytest>=8.3' flaky requests tqdm 'portalocker<2' yacs autocfg pyyaml packaging six 'pydantic<2' toolz ujson \
	orjson holidays networkx sacremoses sentencepiece regex 'sacrebleu==1.4.14' tensorboardX Cython setuptools nltk typing_extensions

$(LIBRARIES_ENVIRONMENT)/.installed: pyproject.toml | environment
	$(BIN)/python -m venv --clear $(LIBRARIES_ENVIRONMENT)
	$(LIBRARIES_ENVIRONMENT)/bin/python -m pip install --quiet --only-binary :all: numpy scipy graphviz matplotlib pandas \
		opencv-python-headless $(LIBRARIES_WANT)
	$(LIBRARIES_ENVIRONMENT)/bin/python -m pip install --quiet --only-binary :all: --no-deps GPy paramz decorator
	@touch $@

library-tests: $(LIBRARIES_ENVIRONMENT)/.installed
	@test -n "$(GIT_DIR)" || { echo "Name a clone of a library: make library-tests GIT_DIR=/path/to/gluon-cv" >&2; exit 1; }
	@$(LIBRARIES_ENVIRONMENT)/bin/python -W ignore -m tests.foreign libraries "$(GIT_DIR)" $(TESTS)

# Which of them pass on real MXNet is recorded once, in tests/foreign/records/libraries.json.
$(LIBRARIES_MXNET)/.installed: pyproject.toml | mxnet
	@test ! -f $(MXNET)/.installed || { \
	    $(MXNET)/bin/python -m venv --clear $(LIBRARIES_MXNET) && \
	    $(MXNET)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))' \
	        > "$$($(LIBRARIES_MXNET)/bin/python -c 'import sysconfig; print(sysconfig.get_path("purelib"))')/mxnet.pth" && \
	    $(LIBRARIES_MXNET)/bin/python -m pip install --quiet --only-binary :all: numpy==1.23.5 'scipy<1.11' 'matplotlib<3.9' \
	        'pandas<2.1' 'opencv-python-headless<4.9' $(LIBRARIES_WANT) && \
	    $(LIBRARIES_MXNET)/bin/python -m pip install --quiet --only-binary :all: --no-deps GPy paramz decorator && touch $@; }

library-record: $(LIBRARIES_ENVIRONMENT)/.installed $(LIBRARIES_MXNET)/.installed
	@test -n "$(GIT_DIR)" || { echo "Name a clone of a library: make library-record GIT_DIR=/path/to/gluon-cv" >&2; exit 1; }
	@$(LIBRARIES_ENVIRONMENT)/bin/python -W ignore -m tests.foreign libraries "$(GIT_DIR)" --record $(LIBRARIES_MXNET)/bin/python $(TESTS)
