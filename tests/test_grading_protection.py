"""What keeps answers from what is not theirs: refused where it is missing, bounded where it is there, gone after."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from d2lhybrid.exercises import ex
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.grading import (
    Limits,
    MachineryError,
    Submission,
    grade,
    grade_submission,
    protection,
    scratch,
)
from d2lhybrid.internals.course.grading.arguments import UsageError
from d2lhybrid.internals.course.probing import system_calls
from d2lhybrid.internals.course.probing.confine import layers

LIMITS = Limits(seconds=5, memory=2**30)
on_linux = pytest.mark.skipif("seccomp" not in layers() or "Landlock" not in layers(), reason="Linux confines fully")


def one(code, number="01.1", limits=LIMITS):
    return grade_submission(Submission("x", {number: [(code, True)]}), [number], limits).marks[0]


def told(program):
    """Run a program where the answer is called; what it says with ``tell``."""
    lines = "\n".join(f"    {line}" for line in program.strip().splitlines())
    code = f"class Told(Exception):\n    pass\n\ndef tell(x):\n    raise Told(x)\n\ndef describe_sum(numbers):\n{lines}"
    return one(code).message


# Where a layer is missing -----------------------------------------------------------------------------


@pytest.mark.parametrize("there", [["Landlock"], ["seccomp"], []])
def test_without_a_layer_it_refuses_and_names_the_two_ways_on(there, monkeypatch, tmp_path, capsys):
    monkeypatch.setattr(protection, "layers", lambda: ["resource limits", "audit hook", *there])
    (tmp_path / "x.ipynb").write_text("{}")
    assert main(["grade", str(tmp_path), "-o", str(tmp_path / "marks.csv")]) == 1
    said = capsys.readouterr().err
    assert "docker run --rm" in said and "podman" in said and "--trust-submissions" in said
    assert not (tmp_path / "marks.csv").exists()


def test_what_is_trusted_is_marked_with_a_warning(monkeypatch):
    monkeypatch.setattr(protection, "layers", lambda: ["resource limits"])
    assert "Careful" in protection.check_protection(trusted=True)
    monkeypatch.setattr(protection, "layers", lambda: ["Landlock", "seccomp"])
    assert protection.check_protection(trusted=False) == ""


def test_the_refusal_names_the_missing_layers_and_the_system(monkeypatch):
    monkeypatch.setattr(protection, "layers", lambda: ["Landlock"])
    with pytest.raises(UsageError, match=r"^This system has no seccomp, so a malicious answer"):
        protection.check_protection(trusted=False)
    monkeypatch.setattr(protection, "layers", list)
    monkeypatch.setattr(protection.sys, "platform", "darwin")
    with pytest.raises(UsageError, match=r"^This system has neither Landlock nor seccomp \(macOS has neither\), so"):
        protection.check_protection(trusted=False)


def test_a_machine_of_a_cluster_refuses_too(monkeypatch):
    monkeypatch.setattr(protection, "layers", lambda: ["resource limits"])
    submission = Submission("x", {"01.1": [(ex("01.1").solution_code, True)]})
    with pytest.raises(MachineryError, match="this system has neither Landlock nor seccomp"):
        grade([submission], ["01.1"], LIMITS)
    (report,) = grade([submission], ["01.1"], Limits(seconds=5, memory=2**30, trusted=True))
    assert report.points == 1


def test_the_command_line_for_a_container_is_one():
    words = subprocess.run(["sh", "-nc", protection.container_command(["grade", "my class/a.ipynb"])], check=True)
    assert words.returncode == 0
    assert "'my class/a.ipynb'" in protection.container_command(["grade", "my class/a.ipynb"]).replace("'\"'\"'", "'")


# Who an answer is, and what it may take ---------------------------------------------------------------


@on_linux
@pytest.mark.skipif(os.geteuid() != 0, reason="only root has something to give up")
def test_roots_answers_run_as_nobody():
    said = told("import os\ntell([os.getresuid(), os.getresgid(), os.getgroups()])")
    assert "(0," not in said and "Told: [(6" in said and "(65534, 65534, 65534), []]" in said
    assert "Operation not permitted" in told("import os\nos.setuid(0)")
    powers = told("line = [s for s in open('/proc/self/status') if s.startswith('CapEff')]\ntell(line)")
    assert "PermissionError" in powers or "0000000000000004" in powers or "0000000000000000" in powers


@on_linux
def test_threads_are_bounded():
    said = told(
        # None is waited for: where others compute, too, that would take longer than an answer may.
        "import _thread, time\n_thread.stack_size(65536)\nn = 0\ntry:\n    while n < 3000:\n"
        "        _thread.start_new_thread(time.sleep, (9,))\n        n += 1\n"
        "except RuntimeError:\n    pass\ntell(n)"
    )
    assert 8 <= int(said.rpartition("Told: ")[2].strip("`")) <= 400, said


@on_linux
@pytest.mark.parametrize(
    "call",
    ["memfd_create", "mknodat", "settimeofday", "fsopen", "open_tree", "swapoff", "acct", "inotify_init1", "capset",
     "open_by_handle_at", "sethostname"],
)  # fmt: skip
def test_the_kernel_refuses_what_a_system_call_would_do(call):
    number = system_calls._REFUSED[call][system_calls._ARCHITECTURES[os.uname().machine][0]]
    program = (
        "import ctypes, os, sys\nfrom d2lhybrid.internals.course.probing.system_calls import forbid_system_calls\n"
        "libc = ctypes.CDLL(None, use_errno=True)\nlibc.prctl(38, 1, 0, 0, 0)\nforbid_system_calls()\n"
        f"assert libc.syscall({number}, 0, 0, 0, 0, 0) == -1\nsys.exit(ctypes.get_errno())"
    )
    assert subprocess.run([sys.executable, "-c", program], check=False).returncode == 1  # EPERM


def test_a_reply_that_unfolds_into_gigabytes_is_bounded_by_the_memory_of_an_answer():
    mark = one("def distance(a, b):\n    return sym.sum(sym.ones((36000, 36000))) + sym.sum(a - b, axis=1)", "01.4")
    assert mark.state == "wrong" and "Unable to allocate" in mark.message


def test_the_time_of_the_checker_follows_that_of_an_answer():
    assert Limits(seconds=30).checking == 30 and Limits(seconds=1).checking == 10
    assert Limits(seconds=30, checking=5).checking == 5


# What is left afterwards ------------------------------------------------------------------------------


def test_deep_and_closed_folders_are_removed(tmp_path):
    root = tmp_path / "scratch"
    root.mkdir()
    before = os.getcwd()
    try:
        os.chdir(root)
        for _ in range(3000):
            os.mkdir("d" * 40)
            os.chdir("d" * 40)
        Path("file").write_text("x" * 100)
    finally:
        os.chdir(before)
    (root / "closed").mkdir(mode=0)
    (root / "link").symlink_to(tmp_path)
    assert scratch.size_of(str(root), 10**6) < 10**6
    scratch.remove_tree(root)
    assert not root.exists() and tmp_path.exists()


def test_files_are_counted_up_to_a_bound(tmp_path):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b").write_bytes(bytes(1000))
    assert scratch.size_of(str(tmp_path), 10**6) == 1000
    assert scratch.size_of(str(tmp_path), 10**6, entries=1) > 10**6


def test_what_a_killed_process_left_is_removed_by_the_next(tmp_path, monkeypatch):
    monkeypatch.setattr("tempfile.tempdir", str(tmp_path))
    gone = subprocess.Popen([sys.executable, "-c", ""])
    gone.wait()
    (tmp_path / f"d2lhybrid-grading-answer-{gone.pid}-abc").mkdir()
    mine = Path(scratch.make_scratch("answer"))
    other = tmp_path / "d2lhybrid-grading-of-somebody-else"
    other.mkdir()
    scratch.remove_what_is_left()
    assert sorted(path.name for path in tmp_path.iterdir()) == sorted([mine.name, other.name])
    scratch.remove_of(os.getpid())
    assert [path.name for path in tmp_path.iterdir()] == [other.name]


def test_mxnet_is_this_package_for_answers():
    code = "import mxnet as mx\nfrom mxnet import autograd, gluon, nd\nfrom mxnet.gluon import nn\n"
    assert one(code + ex("03.1").solution_code, "03.1").state == "right"
