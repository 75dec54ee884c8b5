"""``d2lhybrid doctor``, and the command line around it."""

import html
import os
import re
import shutil
import subprocess
import sys
import tempfile
from types import SimpleNamespace

import nbformat
import numpy
import pytest

import d2lhybrid
from d2lhybrid import random
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.internals.commands import cli, doctor, lab
from d2lhybrid.internals.commands.doctor import Check
from d2lhybrid.internals.compiler.backends import c_compiler
from d2lhybrid.internals.course import course, lesson
from d2lhybrid.internals.device import array_modules
from d2lhybrid.internals.support import install_commands as advice
from d2lhybrid.internals.support.telemetry import LAB_OPTIONS
from d2lhybrid.name import NameManager


def by_name(name):
    return {check.name: check for check in doctor.examine()}[name]


# --- doctor ---


def test_the_core_works_here():
    checks = doctor.examine()
    broken = [check for check in checks if check.needed and not check.works]
    assert not broken
    assert doctor.exit_status(checks) == 0
    assert [check.name for check in checks if check.needed] == [
        "Python",
        "NumPy",
        "d2lhybrid",
        "Temporary folder",
    ]


def test_every_check_that_fails_says_what_to_type_or_what_is_different():
    for check in doctor.examine():
        assert check.works or check.remedy or check.without


def test_report():
    checks = [
        Check("Python", True, "3.12", needed=True),
        Check("NumPy", False, "1.26", "pip install numpy", needed=True),
        Check("GPU", False, "no driver", "", "Everything runs on the CPU."),
    ]
    assert doctor.report(checks).splitlines() == [
        "works    Python  3.12",
        "BROKEN   NumPy   1.26",
        "                 To fix it: pip install numpy",
        "missing  GPU     no driver",
        "                 Everything runs on the CPU.",
        "",
        "d2lhybrid cannot work here until you fix this: NumPy.",
    ]
    assert doctor.exit_status(checks) == 1
    assert doctor.report(checks[:1]).endswith("\nEverything works.")
    optional = Check("a", False, "")
    assert doctor.report([optional, optional]).endswith("2 of 2 items are missing; they are optional.")
    assert doctor.exit_status([optional]) == 0


def test_a_notebook_shows_the_report_as_html_with_the_same_words():
    checks = [
        Check("Python", True, "3.12", needed=True),
        Check("GPU", False, "no driver", 'pip install "cupy<20"', "Everything runs on the CPU."),
    ]
    report = doctor.report(checks)
    page = report._repr_html_()
    text = html.unescape(re.sub("<[^>]+>", " ", page))
    assert text.split() == str(report).split()
    assert repr(report) == str(report) and "<script" not in page and "cupy&lt;20" in page


def test_old_numpy_is_too_old_in_every_line(monkeypatch):
    monkeypatch.setattr(numpy, "__version__", "1.26.4")
    checks = {check.name: check for check in doctor.examine()}
    check = checks["NumPy"]
    assert not check.works and check.found.startswith("1.26.4 with BLAS ")
    assert check.found.endswith(" is too old: d2lhybrid needs numpy>=2")
    assert check.remedy.endswith('-m pip install "numpy>=2"')
    for other in ("d2lhybrid", "GPU", "C compiler"):
        assert not checks[other].tried and checks[other].found == "not tried: NumPy must be fixed first"
    report = doctor.report(list(checks.values()))
    assert report.endswith("\nd2lhybrid cannot work here until you fix this: NumPy.")
    assert "\nunknown  d2lhybrid" in report


def test_the_c_compiler(monkeypatch, tmp_path):
    monkeypatch.setattr(c_compiler, "find_compiler", lambda: None)
    assert by_name("C compiler").found.endswith("is on the PATH")
    broken = tmp_path / "cc"
    broken.write_text(f"#!{shutil.which('sh')}\necho 'no headers' >&2\nexit 1\n")
    broken.chmod(0o755)
    monkeypatch.setattr(c_compiler, "find_compiler", lambda: str(broken))
    check = by_name("C compiler")
    assert not check.works and check.found.endswith("no headers") and check.remedy and check.without


@pytest.mark.skipif(c_compiler.find_compiler() is None, reason="there is no C compiler")
def test_the_c_compiler_of_this_machine_is_tried_and_nothing_kept(monkeypatch, tmp_path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    assert by_name("C compiler").works and not list(tmp_path.iterdir())


def test_what_needs_graphviz_is_said(monkeypatch):
    """The program for ``engine="dot"`` and rendering, the package for MXNet's ``plot_network``."""
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(doctor, "installed_version", lambda name: None)
    assert 'engine="dot"' in by_name("Graphviz program").without
    assert "viz.plot_network" in by_name("graphviz package").without


def test_old_python(monkeypatch):
    monkeypatch.setattr(doctor.sys, "version_info", (3, 10, 1))
    assert not by_name("Python").works


def test_a_broken_package_is_reported_not_raised(monkeypatch):
    monkeypatch.setattr(d2lhybrid, "nd", SimpleNamespace())
    check = by_name("d2lhybrid")
    assert not check.works and "AttributeError" in check.found and check.remedy


def test_it_takes_no_names_and_no_random_numbers():
    def first_net():
        with NameManager():
            random.seed(7)
            doctor.examine()
            layer = nn.Dense(2, in_units=1)
            layer.initialize()
            return layer.name, layer.weight.data().asnumpy().tolist()

    expected = first_net()
    assert expected[0] == "dense0"
    with NameManager():
        random.seed(7)
        layer = nn.Dense(2, in_units=1)
        layer.initialize()
    assert expected == (layer.name, layer.weight.data().asnumpy().tolist())


def test_a_temporary_folder_that_cannot_be_written_to(monkeypatch):
    def refuse(**_):
        raise PermissionError("read-only")

    monkeypatch.setattr(tempfile, "NamedTemporaryFile", refuse)
    check = by_name("Temporary folder")
    assert not check.works and check.found == "read-only" and "TMPDIR" in check.remedy


@pytest.mark.parametrize(
    ("driver", "package"),
    [
        ("| NVIDIA-SMI 550.54  Driver Version: 550.54  CUDA Version: 12.4 |", "cupy-cuda12x"),
        ("| NVIDIA-SMI 590.1  KMD Version: 590.1  CUDA UMD Version: 13.1 |", "cupy-cuda13x"),
    ],
)
def test_a_gpu_without_cupy(monkeypatch, driver, package):
    def refuse(context):
        error = MXNetError("GPU is not enabled")
        error.add_note("CuPy is not installed.")
        raise error

    monkeypatch.setattr(array_modules, "array_module", refuse)
    monkeypatch.setattr(doctor, "_output", lambda *command: driver if command == ("nvidia-smi",) else None)
    check = by_name("GPU")
    assert not check.works and check.found.endswith("but: CuPy is not installed.")
    assert package in check.remedy and check.without == doctor.WITHOUT_GPU


def test_no_gpu_at_all(monkeypatch):
    monkeypatch.setattr(array_modules, "array_module", lambda context: (_ for _ in ()).throw(MXNetError("no")))
    monkeypatch.setattr(doctor, "_output", lambda *command: None)
    check = by_name("GPU")
    assert check.found.startswith("no NVIDIA driver") and not check.remedy


def fake_cupy(ones):
    properties = {"name": b"Imagined GPU"}
    runtime = SimpleNamespace(getDeviceProperties=lambda device: properties)
    return SimpleNamespace(__version__="14.0", ones=ones, cuda=SimpleNamespace(runtime=runtime))


def test_a_gpu_that_works(monkeypatch):
    monkeypatch.setattr(array_modules, "array_module", lambda context: fake_cupy(numpy.ones))
    monkeypatch.setattr(array_modules, "gpu_memory_info", lambda device: (2**30, 2**31))
    monkeypatch.setattr(array_modules, "num_gpus", lambda: 2)
    check = by_name("GPU")
    assert check.works and check.found == "CuPy 14.0, 2 x Imagined GPU, 1.0 of 2.0 GiB free"


def test_a_gpu_that_fails_when_it_is_used(monkeypatch):
    def ones(*arguments):
        raise RuntimeError("cannot find cuda_fp16.h\nmore lines")

    monkeypatch.setattr(array_modules, "array_module", lambda context: fake_cupy(ones))
    check = by_name("GPU")
    assert not check.works and check.found == "cannot find cuda_fp16.h" and "[ctk]" in check.remedy


@pytest.mark.gpu
@pytest.mark.skipif(array_modules.num_gpus() == 0, reason="there is no GPU that CuPy can use")
def test_the_gpu_of_this_machine():
    check = by_name("GPU")
    assert check.works and "GiB free" in check.found


def test_without_jupyter(monkeypatch):
    monkeypatch.setattr(doctor, "installed_version", {"ipywidgets": "7.7.1"}.get)
    assert by_name("jupyterlab").found == "not installed"
    old = by_name("ipywidgets")
    assert not old.works and old.remedy.endswith('"ipywidgets>=8.1"')
    assert not by_name("graphviz package").works


def test_graphviz_program(monkeypatch):
    monkeypatch.setattr(shutil, "which", lambda name: None)
    monkeypatch.setattr(advice.platform, "system", lambda: "Darwin")
    assert by_name("Graphviz program").remedy == "brew install graphviz"
    monkeypatch.setattr(shutil, "which", lambda name: name)
    monkeypatch.setattr(doctor, "_output", lambda *command: None)
    assert by_name("Graphviz program").found == "`dot -V` fails"
    monkeypatch.setattr(doctor, "_output", lambda *command: "dot - graphviz version 12.1.0 (20240811)\n")
    assert by_name("Graphviz program").found == "dot 12.1.0"


def test_a_program_that_does_not_exist_or_fails():
    assert doctor._output("d2lhybrid-no-such-program") is None
    assert doctor._output(sys.executable, "-c", "raise SystemExit(3)") is None
    assert doctor._output(sys.executable, "-c", "print('yes')") == "yes" + os.linesep


# --- the command line ---


def test_exit_status_of_the_command(monkeypatch, capsys):
    monkeypatch.setattr(doctor, "examine", lambda: [Check("x", False, "gone", needed=True)])
    assert cli.main(["doctor"]) == 1
    assert "BROKEN   x  gone" in capsys.readouterr().out


def test_unknown_command(capsys):
    with pytest.raises(SystemExit) as caught:
        cli.main(["docter"])
    assert caught.value.code == 2
    assert "doctor" in capsys.readouterr().err


@pytest.mark.parametrize("spelling", ["--version", "version"])
def test_the_version_in_both_spellings(spelling):
    command = [sys.executable, "-m", "d2lhybrid", spelling]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    assert (done.stdout, done.stderr) == (f"d2lhybrid {d2lhybrid.__version__}\n", "")


def test_a_reader_that_stops_early_is_no_error():
    command = f'"{sys.executable}" -m d2lhybrid version | true'
    done = subprocess.run(command, shell=True, capture_output=True, text=True, check=False)
    assert done.returncode == 0 and not done.stderr


def test_lab_opens_the_folder(monkeypatch, tmp_path):
    calls = []

    def run(module, run_name, alter_sys):
        calls.append([module, *sys.argv])
        raise SystemExit(ended)

    monkeypatch.setattr(lab.runpy, "run_module", run)
    monkeypatch.setattr(lab.signal, "signal", lambda number, handler: None)
    monkeypatch.setattr(os, "geteuid", lambda: 1000, raising=False)
    before, ended = sys.argv, 0
    assert cli.main(["lab", str(tmp_path)]) == 0 and sys.argv is before
    monkeypatch.setattr(os, "geteuid", lambda: 0, raising=False)
    assert cli.main(["lab", str(tmp_path), "--no-browser"]) == 0
    (tmp_path / "00_start_here.ipynb").touch()
    ended = 3
    assert cli.main(["lab", str(tmp_path), "--no-browser"]) == 3
    command = ["jupyterlab", "jupyter-lab", f"--ServerApp.root_dir={tmp_path}", *LAB_OPTIONS]
    command.append("--LabApp.expose_app_in_browser=True")
    opening = "--LabApp.default_url=/lab/tree/00_start_here.ipynb"
    assert calls == [
        command,
        [*command, "--no-browser", "--allow-root"],
        [*command, opening, "--no-browser", "--allow-root"],
    ]


def test_lab_without_folder_or_jupyter(monkeypatch, tmp_path, capsys):
    (tmp_path / "a file").touch()
    assert cli.main(["lab", str(tmp_path / "a file")]) == 1
    assert "is not a folder" in capsys.readouterr().err
    monkeypatch.setattr(cli.importlib.util, "find_spec", lambda name: None)
    assert cli.main(["lab", str(tmp_path / "new")]) == 1
    assert "-m pip install jupyterlab" in capsys.readouterr().err and not (tmp_path / "new").exists()


# --- lessons without a browser ---


def write_notebook(path, *sources):
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(source) for source in sources])
    nbformat.write(notebook, path)
    return path


@pytest.mark.slow
def test_lesson_prints_what_each_cell_prints(tmp_path, capsys):
    good = write_notebook(
        tmp_path / "good.ipynb",
        "# a comment\nprint('hello')\n6 * 7",
        "open('made.txt', 'w').close()",
    )
    bad = write_notebook(tmp_path / "bad.ipynb", "1 / 0", "print('never')")
    before = good.read_bytes()
    assert cli.main(["lesson", str(good), str(bad), str(tmp_path / "absent.ipynb")]) == 1
    out = capsys.readouterr().out
    assert "[1] # a comment\n    hello\n    42\n\n[2] open(" in out
    assert "ZeroDivisionError" in out and "\x1b" not in out and "never" not in out
    assert f"ran  {good}" in out
    assert f"a cell failed: ZeroDivisionError: division by zero  {bad}" in out
    assert "there is no such file  " in out
    assert good.read_bytes() == before and not (tmp_path / "made.txt").exists()


def test_lesson_that_is_no_notebook(tmp_path):
    path = tmp_path / "x.ipynb"
    path.write_text("{")
    assert lesson.run(path).startswith("this is not a notebook")


@pytest.mark.slow
def test_lesson_that_hangs(tmp_path):
    path = write_notebook(tmp_path / "x.ipynb", "import time; time.sleep(60)")
    assert lesson.run(path, timeout=1) == "a cell took more than 1 second"


def test_lesson_without_notebooks(monkeypatch, capsys, tmp_path):
    monkeypatch.setattr(course, "course_folder", lambda: tmp_path)
    assert cli.main(["lesson"]) == 1
    assert "This folder contains no notebooks" in capsys.readouterr().err
