"""The notebooks 05 to 09 show what their texts say, on a machine with and without what they can use."""

import importlib.util
import re
from pathlib import Path

import pytest

pytest.importorskip("nbformat", reason="the notebooks are read with nbformat")
pytest.importorskip("nbclient", reason="the notebooks are run with nbclient")

from d2lhybrid import context

from .notebook_runs import run, together

pytestmark = together

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"

#: The most that a kernel may take, in MB: Binder gives 2 GB to JupyterLab and all its kernels.
MEMORY = 800


def printed(name):
    """Return what a notebook printed in a run without problems."""
    done = run(FOLDER / f"{name}.ipynb")
    assert done.problem is None, f"{done.problem}\n{done.text}"
    return done.text


def cell(text, beginning):
    """Return what the cell that begins so printed."""
    cells = re.split(r"^\[\d+\] ", text, flags=re.MULTILINE)
    (found,) = [c.partition("\n")[2] for c in cells if c.startswith(beginning)]
    return found


# --- 05 ---

EXPORT = "05_export_and_deploy"


def test_the_reader_in_the_notebook_reads_what_the_package_reads():
    text = printed(EXPORT)
    assert cell(text, "loaded = nd.load").strip() == "True"
    assert "aux:digits_batchnorm0_running_mean  (32,)" in cell(text, "def read_params")


def test_another_process_says_the_same_digits():
    there, here = cell(printed(EXPORT), 'Path("deploy.py")').strip().splitlines()
    digits = there.removeprefix("    another process: ").split()[-20:]
    assert len(digits) == 20 and digits == here.split()[-20:]


def test_the_net_of_the_real_mxnet_computes_what_it_has_learnt():
    lines = re.findall(r"(\d) xor (\d) is (\S+)", printed(EXPORT))
    assert len(lines) == 4
    assert all(abs(float(value) - (int(a) ^ int(b))) < 0.01 for a, b, value in lines)


def test_onnx_runtime_agrees():
    pytest.importorskip("onnxruntime", reason="without ONNX Runtime the notebook says so")
    text = printed(EXPORT)
    (difference,) = re.findall(r"largest difference: (\S+)", text)
    assert float(difference) < 1e-4 and re.search(r"same digits: +True", text)
    assert "cannot be written as ONNX" in text and "made by Cell In[" in text and "random numbers" in text


def test_a_decision_of_python_is_fixed_in_the_file():
    assert "('_mul_scalar', {'scalar': '3'})" in cell(printed(EXPORT), "class Scale")


# --- 06 ---

COMPILER = "06_inside_the_compiler"


def changes(text, beginning):
    """Return the stages that changed something in a cell, except the first."""
    return re.findall(r"^    (?! )(?!def |infer$|at most )([a-z -]+)$", cell(text, beginning), flags=re.MULTILINE)


@pytest.mark.parametrize(
    ("beginning", "stages"),
    [
        ("program = compile_and_compare(lambda F, x: F.relu(x) + 1, x)", []),
        ("program = compile_and_compare(lambda F, x: F.transpose", ["simplify"]),
        ("program = compile_and_compare(lambda F, x: F.broadcast_add", ["fold constants"]),
        ("program = compile_and_compare(lambda F, x: F.exp(x) * F.exp(x), x)", ["merge equal"]),
        ("program = compile_and_compare(lambda F, x: F.random.uniform", []),
        ("large = ", ["fuse element-wise"]),
        ("conv = ", ["assign layout"]),
        ("dense = ", ["drop unit batch"]),
        ("block = ", ["fold batch norm"]),
        ("program = compile_and_compare(lambda F, x: F.exp(x) * x, x, record=True)", ["differentiate"]),
        ("def product", ["merge exponentials"]),
    ],
)
def test_each_function_shows_its_pass_and_no_other(beginning, stages):
    assert changes(printed(COMPILER), beginning) == stages


def test_what_nobody_needs_is_not_in_the_graph():
    text = cell(printed(COMPILER), "def with_a_useless_line")
    assert "relu(data)" in text and "exp" not in text


def test_the_arena_and_the_plan():
    text = printed(COMPILER)
    lifetimes = cell(text, "def chain")
    assert "bytes at once" in lifetimes and lifetimes.count("out=") == 2
    assert "arena = " in cell(text, "net = nn.HybridLambda(chain") and "True" in cell(text, "first = net(x)")


def test_the_own_pass_computes_the_same():
    (difference,) = re.findall(r"largest relative difference: ([^\s']+)", printed(COMPILER))
    assert float(difference) < 1e-5


# --- 07 ---

TRAINING = "07_train_faster"


def test_both_ways_train_alike():
    text = printed(TRAINING)
    shares = re.findall(r"(\S+)% of the test digits right", text)
    assert len(shares) == 2 and all(float(share) > 90 for share in shares)
    losses = re.findall(r"loss (\S+) imperative, (\S+) hybridized", text)
    assert len(losses) == 5 and all(abs(float(a) - float(b)) < 1e-3 for a, b in losses)


def test_the_expensive_lines_come_first():
    shares = re.findall(r"^ +(\S+)%  (?:forward|backward)", printed(TRAINING), flags=re.MULTILINE)
    assert len(shares) == 10 and shares == sorted(shares, key=float, reverse=True)
    (ten,) = re.findall(r"These ten of \d+ lines: (\d+)%", printed(TRAINING))
    assert int(ten) > 50


def test_each_new_shape_is_a_program():
    changed = re.findall(r"the shape of data changed from \((\d+), .*?to \((\d+), ", printed(TRAINING))
    assert changed == [("50", "47"), ("47", "31")]


# --- 08 ---

CONTEXTS = "08_gpu"


def test_the_notebook_on_contexts_says_whether_there_is_a_gpu():
    first = cell(printed(CONTEXTS), "import d2lhybrid")
    number = context.num_gpus()
    assert (f"GPUs that can be used here: {number}." if number else "No GPU can be used here") in first
    assert first.rstrip().endswith("gpu(0)" if number else "cpu(0)")


def test_an_absent_device_is_an_error():
    text = cell(printed(CONTEXTS), "absent = ")
    assert "  - " in text and ("not enabled" in text or "GPU" in text)


def test_one_trace_and_a_program_for_each_context():
    words = re.findall(r"^ *(\w+) +\S", cell(printed(CONTEXTS), "report = net.explain()"), flags=re.MULTILINE)
    assert words == ["trace", "compile", "recompile"]
    assert "the context changed from cpu(0)" in printed(CONTEXTS)


def test_copies_of_parameters_agree_after_a_step():
    differences = re.findall(r"largest difference of the copies: (\S+)", printed(CONTEXTS))
    assert len(differences) == 4 and all(float(d) < 1e-6 for d in differences)


# --- 09 ---

OTHERS = "09_and_the_others"
#: Program -> what its cell shows of each framework, and the text explains.
SHOWN = {
    "print": [
        "● ■ ■ ■  prints 1 0 0 0;",
        "● ■ ● ■  as in Python; 2 traces; 2 graphs",
        "● ■ ● ■  prints 1 0 1 0;",
        "● ■ ● ■  prints 1 0 1 0;",
    ],
    "if_value": ["✗ ✗ ✗    refuses", "● ● ■    as in Python", "✗ ✗ ✗    refuses", "● ■ ■    as in Python"],
    "cond": ["● ■      as in Python"] * 4,
    "if_shape": ["✗ ✗ ✗    refuses"] + ["● ● ■    as in Python"] * 3,
    "attribute": [
        "● ■ ■    call 2: returns [2. 2.]",
        "● ● ■    as",
        "● ■ ■    call 2: returns [2. 2.]",
        "● ■ ■    call 2: returns [2. 2.]",
    ],
    "global": [
        "● ■ ■    call 2: returns [2. 2.]",
        "● ● ●    as",
        "● ■ ●    call 2: returns [2. 2.]",
        "● ■ ●    call 2: returns [2. 2.]",
    ],
    "counter": [
        "● ■ ■ ·  the counter: returns 1",
        "● ■ ■ ·  as",
        "● ■ ■ ·  the counter: returns 1",
        "● ■ ■ ·  the counter: returns 1",
    ],
    "exception": ["● ■ ■    call 2: no error", "● ✗ ▶    as", "● ■ ■    call 2: no error", "● ■ ■    call 2: no error"],
    "random_python": [
        "● ■ ·    are they equal?: returns True",
        "● ■ ·    call 1: returns [",
        "● ■ ·    are they equal?: returns True",
        "● ■ ·    are they equal?: returns True",
    ],
    "batch": ["● ■ ■ ■  as", "● ● ■ ■  as in Python; 2 traces", "● ● ● ●  as", "● ● ● ●  as"],
}
FRAMEWORKS = {"Gluon": "d2lhybrid", "PyTorch": "torch", "JAX": "jax", "TensorFlow": "tensorflow"}


@pytest.mark.parametrize("name", SHOWN)
def test_each_framework_does_what_the_text_says(name):
    text = cell(printed(OTHERS), f'mx.side_by_side("{name}")\n')
    for framework, shown in zip(FRAMEWORKS, SHOWN[name], strict=True):
        assert re.search(rf"^ +{framework} +{re.escape(shown)}", text, re.MULTILINE), framework


def test_the_notebook_is_complete_without_any_other_framework():
    text = printed(OTHERS)
    assert "recorded 20" in cell(text, "mx.side_by_side()")
    here = cell(text, 'mx.side_by_side("print", live=True)')
    assert "run here: Python" in here and "not installed" not in text
    for framework, module in FRAMEWORKS.items():
        assert (f"{framework} " in here.rpartition("run here: ")[2]) == (importlib.util.find_spec(module) is not None)


# --- all of them ---


@pytest.mark.parametrize("name", [path.stem for path in sorted(FOLDER.glob("0[0-9]_*.ipynb"))])
def test_memory(name):
    if name == OTHERS and any(importlib.util.find_spec(m) for m in [*FRAMEWORKS.values()][1:]):
        pytest.skip("the other systems take what they take")
    found = re.findall(r"VmHWM:\s*(\d+) kB", printed(name))
    if not found:
        pytest.skip("this system does not tell how much memory a process used")
    megabytes = int(found[0]) / 1000
    print(f"{name}: {megabytes:.0f} MB")
    assert 20 < megabytes < MEMORY
