"""The package where there are no threads, processes, sockets, ``ctypes`` and ``mmap``, as in a browser.

This is not Pyodide: it is this Python with those taken away (``tests/bare_python.py``), which says whether the package
needs them. The same notebooks under Pyodide itself are ``tests/browser/test_lite.py``.
"""

import json
import os
import subprocess
import sys
import textwrap
from pathlib import Path

import pytest

from d2lhybrid.exercises import chapters, exercises

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "docs" / "lite"))

from contents import prepared  # noqa: E402

LESSONS = sorted((ROOT / "notebooks").glob("[0-9]*.ipynb"))
EXERCISES = sorted((ROOT / "notebooks" / "exercises").glob("*.ipynb"))


def bare(folder, *arguments):
    """Run a program of ``tests`` in a process without any of it; return what it printed."""
    done = subprocess.run(
        [sys.executable, "-W", "error", *map(str, arguments)],
        env={**os.environ, "PYTHONPATH": os.pathsep.join([str(ROOT), str(ROOT / "tests")]), "PYTHONIOENCODING": "utf-8",
             "D2LHYBRID_DATA": str(folder / "data"), "IPYTHONDIR": str(folder / "ipython")},
        cwd=folder,
        capture_output=True,
        text=True,
        encoding="utf-8",
        timeout=300,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    return done.stdout


def run(program, folder, *options):
    """Run a program text likewise."""
    file = folder / "program.py"
    file.write_text(textwrap.dedent(program), "utf-8")
    return bare(folder, ROOT / "tests" / "bare_python.py", *options, file)


def test_what_has_been_taken_away_is_gone(tmp_path):
    program = """
        import socket, subprocess, sys, threading
        for module in ("ctypes", "mmap", "multiprocessing.pool", "sqlite3"):
            try:
                __import__(module)
            except ModuleNotFoundError:
                continue
            raise AssertionError(module)
        tried = [threading.Thread(target=print).start, lambda: subprocess.run([sys.executable, "--version"])]
        for attempt in [*tried, socket.socket, socket.socketpair]:
            try:
                attempt()
            except (RuntimeError, OSError) as error:
                print(error)
            else:
                raise AssertionError(attempt)
        """
    said = run(program, tmp_path)
    assert "can't start new thread" in said and "does not support processes" in said
    assert said.count("Function not implemented") == 2


def test_a_net_is_trained_saved_and_read_where_not_even_sockets_can_be_imported(tmp_path):
    program = """
        import warnings

        import numpy

        import d2lhybrid as mx
        from d2lhybrid import autograd, gluon, nd
        from d2lhybrid.data import load_digits
        from d2lhybrid.gluon import nn

        mx.random.seed(0)
        numpy.random.seed(0)  # as in MXNet, the data loader shuffles with NumPy's random numbers
        (images, labels), _ = load_digits()
        data = gluon.data.DataLoader(gluon.data.ArrayDataset(images[:500], labels[:500]), 50, shuffle=True)
        net = nn.HybridSequential()
        net.add(nn.Flatten(), nn.Dense(32, activation="relu"), nn.Dense(10))
        net.initialize(mx.init.Xavier())
        net.hybridize()
        loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
        trainer = gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.01})
        for _ in range(20):
            for x, y in data:
                with autograd.record():
                    loss = loss_of(net(x), y)
                loss.backward()
                trainer.step(len(x))
        right = (net(nd.array(images[:500])).argmax(axis=1).asnumpy() == labels[:500]).mean()
        assert right > 0.9, right
        net.export("net")
        warnings.simplefilter("ignore")  # the file does not tell the type of the input
        again = gluon.SymbolBlock.imports("net-symbol.json", ["data"], "net-0000.params")
        assert (again(x) == net(x)).asnumpy().all()
        print(net.explain(x, profile=True))
        print(mx.check_hybridization(net, x))
        print(mx.print_trace(net, x), mx.compile_steps(net, x), net.graph(x))
        assert (nd.from_dlpack(x.to_dlpack_for_read()) == x).asnumpy().all()

        from d2lhybrid.exercises import ex, exercises, progress
        assert all(exercise.check(None) is not None for exercise in exercises())
        print(progress())
        """
    run(program, tmp_path, "--strict")


#: What cannot be had, what it says, and what it advises.
REFUSED = {
    "DataLoader(num_workers=2)": (
        "next(iter(gluon.data.DataLoader([1, 2, 3], 2, num_workers=2)))",
        "DataLoader needs threads", "num_workers=0",
    ),
    "PrefetchingIter": (
        "mx.io.PrefetchingIter(mx.io.NDArrayIter(nd.ones((4, 2)), batch_size=2))",
        "PrefetchingIter needs threads", "the iterator itself",
    ),
    "backend='c'": (
        "net = gluon.nn.HybridLambda('relu'); net.hybridize(backend='c'); net(nd.ones((2,)))",
        "Error optimizing for backend 'c'", "Leave `backend` out",
    ),
    "backend='onnxruntime'": (
        "gluon.nn.HybridLambda('relu').optimize_for(nd.ones((2,)), backend='onnxruntime')",
        "Error optimizing for backend 'onnxruntime'", "Leave `backend` out",
    ),
    "backend='onednn'": (
        "gluon.nn.HybridLambda('relu').hybridize(backend='onednn')",
        "Error optimizing for backend 'onednn'", "Leave `backend` out",
    ),
    "gpu": ("nd.ones((2,), ctx=mx.gpu())", "GPU is not enabled", "Python cannot use a GPU in a browser"),
    "grading": (
        "from d2lhybrid.internals.course.grading import grade", "starts a separate process for each answer",
        "`d2lhybrid grade`",
    ),
}  # fmt: skip


@pytest.fixture(scope="module")
def refusals(tmp_path_factory):
    """Return what each of them says; one process asks for them all."""
    text = """
        import json
        import d2lhybrid as mx
        from d2lhybrid import gluon, nd
        said = {}
        for what, program in json.loads(PROGRAMS).items():
            try:
                exec(program)
            except mx.MXNetError as error:
                assert error.__cause__ is None and (error.__context__ is None or error.__suppress_context__), what
                said[what] = "\\n".join([str(error), *error.__notes__])
        print(json.dumps(said))
        """
    programs = json.dumps({what: program for what, (program, _, _) in REFUSED.items()})
    told = run(text.replace("PROGRAMS", repr(programs)), tmp_path_factory.mktemp("refusals"))
    return json.loads(told.splitlines()[-1])


@pytest.mark.xdist_group("refusals in a bare Python")
@pytest.mark.parametrize("what", REFUSED)
def test_what_cannot_be_had_says_so_in_one_error(refusals, what):
    _, sentence, advice = REFUSED[what]
    assert sentence in refusals[what] and advice in refusals[what]
    assert what == "gpu" or "Python runs in a browser" in refusals[what]


def test_without_a_browser_a_thread_that_cannot_be_started_is_named_too(tmp_path):
    program = """
        import sys
        sys.platform = "linux"
        from d2lhybrid import MXNetError
        from d2lhybrid.gluon.data import DataLoader
        try:
            next(iter(DataLoader([1, 2, 3], 2, num_workers=2)))
        except MXNetError as error:
            print(error)
        """
    assert (
        run(program, tmp_path) == "DataLoader needs threads, but Python cannot start a thread: can't start new thread\n"
    )


def test_the_helpers_of_the_book_ask_for_no_workers(tmp_path):
    assert run("from d2lhybrid import d2l; print(d2l.get_dataloader_workers())", tmp_path) == "0\n"


def test_the_doctor_asks_for_nothing_that_a_browser_cannot_have(tmp_path):
    said = run("from d2lhybrid import doctor; print(doctor.report(doctor.examine()))", tmp_path)
    assert "Everything that is needed works." in said and "d2lhybrid" in said
    for word in ("apt ", "CuPy", "jupyterlab", "onnx", "-m pip", "dot"):
        assert word not in said, said


@pytest.fixture(scope="module")
def lessons(tmp_path_factory):
    """Return what became of each lesson; one process runs them all, each in a namespace of its own."""
    pytest.importorskip("IPython", reason="IPython runs the cells")
    folder = tmp_path_factory.mktemp("lessons")
    for lesson in LESSONS:
        (folder / lesson.name).write_text(json.dumps(prepared(json.loads(lesson.read_text("utf-8")))), "utf-8")
    names = [lesson.name for lesson in LESSONS]
    return json.loads(bare(folder, ROOT / "tests" / "bare_notebook.py", *names).splitlines()[-1])


@pytest.mark.slow
@pytest.mark.xdist_group("lessons in a bare Python")
@pytest.mark.parametrize("lesson", LESSONS, ids=lambda path: path.stem)
def test_a_lesson_runs(lessons, lesson):
    """As a browser gets it: where it raises on purpose, it shows the error; what starts a program is left out."""
    outcome = lessons[lesson.name]
    assert outcome["raised"] == []
    assert outcome["cells"] > 5 and outcome["printed"]


@pytest.mark.slow
def test_the_solutions_of_all_exercises_are_judged_right(tmp_path):
    pytest.importorskip("IPython", reason="IPython runs the cells")
    text = bare(tmp_path, ROOT / "tests" / "bare_notebook.py", "--solutions", *EXERCISES)
    outcomes = json.loads(text.splitlines()[-1])
    assert len(outcomes) == len(chapters())
    printed = "".join(outcome["printed"] for outcome in outcomes.values())
    assert not any(outcome["raised"] for outcome in outcomes.values())
    assert [e.number for e in exercises() if f"{e.number} right." not in printed] == []
    assert f"{len(exercises())} of {len(exercises())} exercises solved" in printed
