"""``d2lhybrid run``: a program as ``python`` would run it, and a notebook as Jupyter would."""

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

from d2lhybrid.internals.commands.running.notebook import output_path
from d2lhybrid.internals.commands.running.program import compiled
from d2lhybrid.internals.commands.running.python2 import python2_advice

ROOT = Path(__file__).resolve().parents[1]
PROGRAM = """
import os, sys, signal
import mxnet as mx, numpy as np
from helper import fail
what = sys.argv[1]
if what == "show":
    print([__name__, sys.argv, __file__, sys.path[0], mx.__version__, __spec__, np.int(3)])
    import __main__
    assert __main__.what == what and __main__ is sys.modules["__main__"]
if what == "exit": sys.exit(7)
if what == "sentence": sys.exit("no data")
if what == "terminate": os.kill(os.getpid(), signal.SIGTERM)
if what == "interrupt": raise KeyboardInterrupt
fail(what)
"""
HELPER = """
import mxnet as mx
def fail(what):
    if what == "error":
        mx.nd.dot(mx.nd.ones((2, 3)), mx.nd.ones((2, 3)))
    if what == "cause":
        try:
            fail("error")
        except mx.MXNetError as error:
            raise ValueError("inside") from error
    if what == "hybrid":
        net = mx.gluon.nn.HybridLambda(lambda F, x: x.T)
        net.hybridize()
        net(mx.nd.ones((2, 3)))
"""


def run(folder, *words):
    """Run the command in a folder."""
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    command = [sys.executable, "-m", "d2lhybrid", "run", *words]
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False, env=environment)


def write_program(folder):
    """Write a program of two files into a folder in the folder."""
    (folder / "own").mkdir()
    (folder / "own" / "train.py").write_text(PROGRAM, "utf-8")
    (folder / "own" / "helper.py").write_text(HELPER, "utf-8")


@pytest.fixture
def folder(tmp_path):
    write_program(tmp_path)
    return tmp_path


def test_a_program_finds_what_it_finds_under_python(folder):
    done = run(folder, "own/train.py", "show", "--lang", "x", "--", "-h")
    assert done.returncode == 0, done.stderr
    own = str((folder / "own").resolve())
    shown = ["__main__", ["own/train.py", "show", "--lang", "x", "--", "-h"], str(folder / "own" / "train.py"), own]
    assert eval(done.stdout) == [*shown, "1.9.1", None, 3]
    assert done.stderr.splitlines()[1:] == [
        "This program used 1 name that Python or a library has removed:",
        "  numpy.int  (own/train.py, line 7), today: int",
    ]


@pytest.mark.parametrize(
    ("what", "status"),
    [
        ("nothing", 0),
        ("exit", 7),
        ("sentence", 1),
        ("error", 1),
        ("terminate", -signal.SIGTERM),
        ("interrupt", -signal.SIGINT),
    ],
)
def test_the_exit_status_is_the_programs(folder, what, status):
    assert run(folder, "own/train.py", what).returncode == status


def test_tracebacks_begin_with_the_program_and_show_its_frames_alone(folder):
    told = run(folder, "own/train.py", "error").stderr
    assert told.startswith('Traceback (most recent call last):\n  File "own/train.py", line 14, in <module>\n')
    files = [line.split('"')[1] for line in told.splitlines() if line.startswith('  File "')]
    assert files == ["own/train.py", str(folder / "own" / "helper.py")]
    assert "frames inside d2lhybrid omitted" in told
    whole = run(folder, "--whole-traceback", "own/train.py", "error").stderr
    assert str(ROOT / "d2lhybrid" / "internals" / "core") in whole


def test_causes_are_shown_without_our_frames_too(folder):
    told = run(folder, "own/train.py", "cause").stderr
    assert "direct cause" in told and told.count("dot shape error") == 1
    assert str(ROOT / "d2lhybrid") not in told


def test_errors_are_explained_as_in_the_course(folder):
    told = run(folder, "own/train.py", "hybrid").stderr
    assert "── H10" in told and "+ net = mx.gluon.nn.HybridLambda(lambda F, x: F.transpose(x))" in told
    chinese = run(folder, "--lang", "zh", "own/train.py", "hybrid").stderr
    assert "省略了 d2lhybrid 内部的" in chinese


#: What cannot be run: a name, what the file holds, and what is said of it.
NO_PROGRAMS = [
    ("own", None, "own is a folder, not a program or a notebook. Pass a program in this folder: helper.py, train.py"),
    ("trian.py", None, "There is no file trian.py."),
    ("own/trian.py", None, "Did you mean own/train.py?"),
    ("zeros.py", b"\0\1", "zeros.py is not a Python program, because it is not text."),
    ("chinese.py", "x = '中'".encode("gbk"), "# -*- coding: gbk -*-"),
    ("broken.ipynb", b"{", "broken.ipynb is not a notebook: Expecting property name"),
    ("list.ipynb", b"[]", "list.ipynb is not a notebook: "),
    (
        "none.ipynb",
        b'{"cells": 3, "nbformat": 4, "nbformat_minor": 5, "metadata": {}}',
        "none.ipynb is not a notebook: ",
    ),
    ("latin.ipynb", b"\xff\xfe\xfd", "latin.ipynb is not a notebook: "),
]
#: Runs the command with each of some names in one process, for each takes a moment and the start of Python a second.
EACH = """
import contextlib, io, json, sys
from d2lhybrid.internals.commands.cli import main
told = {}
for name in sys.argv[1:]:
    with contextlib.redirect_stdout(io.StringIO()) as out, contextlib.redirect_stderr(io.StringIO()) as errors:
        status = main(["run", name])
    told[name] = [status, out.getvalue(), errors.getvalue()]
print(json.dumps(told))
"""


@pytest.fixture(scope="module")
def refusals(tmp_path_factory):
    """Return the exit status, the output and the errors for each name of what cannot be run."""
    place = tmp_path_factory.mktemp("refusals")
    write_program(place)
    for name, content, _ in NO_PROGRAMS:
        if content is not None:
            (place / name).write_bytes(content)
    command = [sys.executable, "-c", EACH, *[name for name, _, _ in NO_PROGRAMS]]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(command, cwd=place, capture_output=True, text=True, check=True, env=environment)
    assert not done.stderr
    return json.loads(done.stdout)


@pytest.mark.xdist_group("refusals of run")
@pytest.mark.parametrize(("name", "said"), [(name, said) for name, _, said in NO_PROGRAMS])
def test_what_cannot_be_run_is_said_in_one_sentence(refusals, name, said):
    status, output, errors = refusals[name]
    assert status == 2 and not output
    assert said in errors and "Traceback" not in errors


def test_the_exit_status_of_what_cannot_be_run_is_that_of_the_command(folder):
    done = run(folder, "trian.py")
    assert done.returncode == 2 and not done.stdout and "There is no file trian.py." in done.stderr


def test_a_wrong_escape_is_no_fault_of_the_encoding(folder):
    (folder / "path.py").write_text('path = "C:\\Users"\n', "utf-8")
    done = run(folder, "path.py")
    assert done.returncode == 1
    assert "'unicodeescape' codec" in done.stderr and "UTF-8" not in done.stderr


def test_a_program_of_python_2_is_known(folder):
    (folder / "old.py").write_text('print "a"\n', "utf-8")
    done = run(folder, "old.py")
    assert done.returncode == 1
    command = "d2lhybrid port old.py --fix old.patch"
    assert "This code is written for Python 2. In Python 3, write: print(x). " in done.stderr
    assert f"To get a patch for the whole file, run: {command}" in done.stderr
    words = [sys.executable, "-m", *command.split()]
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    assert subprocess.run(words, cwd=folder, env=environment, capture_output=True, check=False).returncode == 0
    assert '+print("a")' in (folder / "old.patch").read_text("utf-8")


@pytest.mark.parametrize(
    ("source", "today"),
    [
        ("print 'a'", "print(x)"), ("raise ValueError, 'a'", "raise Error(message)"),
        ("import sys; print >>sys.stderr, 1", "print(x, file=f)"),
        ("try: pass\nexcept ValueError, e: pass", "except Error as error:"), ("1 <> 2", "!="), ("x = `3`", "repr(x)"),
        ("x = 0777", "0o777"), ("x = 3L", "int"), ("exec 'x'", "exec(code)"), ("xrange(3)", "range(n)"),
        ("import cPickle", "import pickle"), ("import urllib2", "import urllib.request"), ("{}.iteritems()", "items()"),
        ("from itertools import izip", "zip, map, filter"), ("{}.has_key(1)", "key in dictionary"),
        ("import sys; sys.maxint", "sys.maxsize"), ("{}.keys()[0]", "list(...)"), ("unicode(3)", "str"),
        ("iter([1]).next()", "next(iterator)"), ("lambda (a, b): a", "lambda pair: ..."),
    ],
)  # fmt: skip
def test_the_signs_of_python_2_say_what_is_written_today(source, today, tmp_path):
    (tmp_path / "old.py").write_text(source, "utf-8")
    with pytest.raises(Exception) as told:
        exec(compiled(str(tmp_path / "old.py")), {})
    assert python2_advice(told.value) == f"This code is written for Python 2. In Python 3, write: {today}."


@pytest.mark.skipif(sys.version_info < (3, 14), reason="parentheses are required before Python 3.14")
@pytest.mark.parametrize(
    "types",
    [
        "ValueError, TypeError",
        "(ValueError, TypeError)",
        "ValueError, Mine",
        "ValueError, socket_error",
        "os.error, e.f",
    ],
)
def test_two_types_of_exceptions_need_no_parentheses(types, tmp_path):
    defined = "import os\nfrom socket import error as socket_error\nclass Mine(Exception): ...\n"
    source = f"{defined}try: pass\nexcept {types}: pass\n"
    (tmp_path / "new.py").write_text(source, "utf-8")
    exec(compiled(str(tmp_path / "new.py")), {})


def test_a_module_beside_a_file_of_a_package_was_found_by_python_2(folder):
    (folder / "nets").mkdir()
    (folder / "nets" / "__init__.py").write_text("import builder\n", "utf-8")
    (folder / "nets" / "builder.py").write_text("", "utf-8")
    (folder / "use.py").write_text("import nets\n", "utf-8")
    told = run(folder, "use.py").stderr
    assert "In Python 3, write: from .builder import x." in told
    assert f"d2lhybrid port {folder / 'nets' / '__init__.py'} --fix" in told
    (folder / "nets" / "builder.py").unlink()
    assert "Python 2" not in run(folder, "use.py").stderr


@pytest.mark.parametrize("source", ["x = = 3", "import nothing_here", "foo", "[].nothing", "'a' + 1"])
def test_other_errors_are_none_of_python_2(source):
    with pytest.raises(Exception) as told:
        exec(compile(source, "new.py", "exec"), {})
    assert python2_advice(told.value) == ""


def test_a_package_that_is_missing_is_named_as_pip_knows_it(folder):
    (folder / "picture.py").write_text("import sys\nsys.modules['yaml'] = None\nimport yaml\n", "utf-8")
    assert "The program needs yaml: " in run(folder, "picture.py").stderr


# --- notebooks ---


def notebook(folder, *cells):
    made = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(cell) for cell in cells])
    nbformat.write(made, folder / "lesson.ipynb")
    return (folder / "lesson.ipynb").read_bytes()


def outputs(path):
    """Return what each cell of a notebook has printed, or the kind of its output."""
    cells = nbformat.read(path, 4).cells
    return ["".join(out.get("text", out["output_type"]) for out in cell.outputs) for cell in cells]


def test_a_notebook_is_written_beside_itself_with_its_outputs(folder):
    first = "import mxnet as mx, numpy as np, helper\nprint(np.int(mx.nd.ones(3).sum().asscalar()), helper.fail('x'))"
    before = notebook(
        folder / "own",
        first,
        "x = 4",
        "print(x)",
    )
    done = run(folder, "own/lesson.ipynb")
    assert done.returncode == 0, done.stderr
    assert (folder / "own" / "lesson.ipynb").read_bytes() == before
    assert outputs(folder / "own" / "lesson.ran.ipynb") == ["3 None\n", "", "4\n"]
    told = done.stderr.splitlines()
    assert [line.split("]")[0] for line in told[:3]] == ["[1/3", "[2/3", "[3/3"]
    assert told[3] == f"The notebook with its outputs: {Path('own') / 'lesson.ran.ipynb'}"
    assert told[4:] == [
        "This program used 1 name that Python or a library has removed:",
        "  numpy.int  (In[1], line 2), today: int",
    ]


def test_a_cell_that_fails_ends_the_run_or_not(folder):
    notebook(folder, "print(1)", "import mxnet as mx\nmx.nd.nothing", "print 'a'", "print(4)")
    done = run(folder, "-o", "out.ipynb", "lesson.ipynb")
    assert done.returncode == 1
    assert outputs(folder / "out.ipynb") == ["1\n", "display_dataerror", "", ""]
    assert "AttributeError" in done.stderr and "[3/4]" not in done.stderr
    done = run(folder, "--keep-going", "lesson.ipynb")
    assert done.returncode == 1
    assert outputs(folder / "lesson.ran.ipynb") == ["1\n", "display_dataerror", "error", "4\n"]
    assert "Cells that failed: 2, 3" in done.stderr
    assert "This code is written for Python 2. In Python 3, write: print(x)." in done.stderr


def test_a_notebook_is_never_written_over(folder):
    before = notebook(folder, "1")
    (folder / "link.ipynb").symlink_to("lesson.ipynb")
    for name in ("lesson.ipynb", "link.ipynb"):
        done = run(folder, "-o", name, "lesson.ipynb")
        assert done.returncode == 2 and "is the path of the notebook" in done.stderr
    assert run(folder, "-o", "nowhere/x.ipynb", "lesson.ipynb").stderr == (
        "nowhere/x.ipynb cannot be written. Choose another file: --output FILE\n"
    )
    assert (folder / "lesson.ipynb").read_bytes() == before
    assert output_path(Path("a/b.ran.ipynb")) == Path("a/b.ran.ipynb")


def test_notebooks_in_other_languages_and_arguments_are_refused(folder):
    made = nbformat.v4.new_notebook(metadata={"kernelspec": {"language": "R", "name": "ir", "display_name": "R"}})
    nbformat.write(made, folder / "r.ipynb")
    assert run(folder, "r.ipynb").stderr == "r.ipynb is written in R, not in Python.\n"
    assert "A notebook takes no arguments" in run(folder, "r.ipynb", "3").stderr


def test_a_kernel_that_dies_and_a_cell_that_takes_too_long_are_said(folder):
    notebook(folder, "print(1)", "import os; os._exit(3)")
    done = run(folder, "lesson.ipynb")
    assert done.returncode == 1 and "The kernel died in this cell" in done.stderr
    assert outputs(folder / "lesson.ran.ipynb")[0] == "1\n"
    notebook(folder, "import time; time.sleep(60)")
    done = run(folder, "--timeout", "1", "lesson.ipynb")
    assert done.returncode == 1 and "took too long" in done.stderr


def test_a_cell_in_which_the_kernel_died_is_listed_and_later_cells_are_said_not_to_run(folder):
    notebook(folder, "print(1)", "1 / 0", "import os; os._exit(3)", "print(4)", "print(5)")
    done = run(folder, "--keep-going", "lesson.ipynb")
    assert done.returncode == 1
    assert "Cells that failed: 2, 3\n" in done.stderr
    assert "The variables are gone, so 2 later cells did not run.\n" in done.stderr
    assert outputs(folder / "lesson.ran.ipynb") == ["1\n", "error", "", "", ""]


def test_a_cell_that_takes_too_long_leaves_time_for_the_next_one(folder):
    notebook(folder, "import time\nx = 2\ntime.sleep(60)", "print(x)")
    done = run(folder, "--timeout", "2", "--keep-going", "lesson.ipynb")
    assert done.returncode == 1
    assert "Cells that failed: 1\n" in done.stderr
    assert outputs(folder / "lesson.ran.ipynb")[1] == "2\n"


def test_the_extension_serves_a_notebook_in_jupyter(folder):
    notebook(
        folder,
        "%load_ext d2lhybrid.mxnet",
        "import mxnet as mx\nfrom collections import Iterable\nprint(mx.nd.ones(1).shape)",
    )
    program = (
        "import nbformat; from nbclient import NotebookClient\n"
        "nb = nbformat.read('lesson.ipynb', 4); NotebookClient(nb, kernel_name='python3').execute()\n"
        "print(nb.cells[1].outputs[0].text)"
    )
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    done = subprocess.run(
        [sys.executable, "-c", program], cwd=folder, capture_output=True, text=True, check=False, env=environment
    )
    assert done.stdout.strip() == "(1,)", done.stderr
