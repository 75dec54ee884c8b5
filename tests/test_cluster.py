"""Marking on a Dask cluster: the same marks as here."""

import contextlib
import gc
import json
import os
import signal
import socket
import subprocess
import sys
import time

import pytest

pytest.importorskip("distributed", reason="Dask is not installed: pip install 'd2lhybrid[grading]'")
if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from distributed import LocalCluster
from judged import mistakes

from d2lhybrid.exercises import ex
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.grading import Limits, Submission, grade
from d2lhybrid.internals.course.grading import cluster as clusters
from d2lhybrid.internals.course.grading.cluster import ClusterError, grade_on_cluster

# Dask's own warnings are not ours.
pytestmark = pytest.mark.filterwarnings("ignore")

NUMBERS = ["01.1", "03.1"]
LIMITS = Limits(seconds=2, memory=2**30)


@pytest.fixture(autouse=True)
def nothing_is_left_to_other_tests():
    """Have Dask's lost tasks complain here.

    They write their traceback when they are collected, which reads source; where that happens while another test reads
    source, Python 3.11.7 answers the test with a SystemError.
    """
    yield
    gc.collect()


def submissions():
    right = {n: [(ex(n).solution_code, True)] for n in NUMBERS}
    return [
        Submission("right", right),
        Submission("wrong", {**right, "01.1": [(mistakes(ex("01.1"))[0].code, True)]}),
        Submission("endless", {**right, "01.1": [("while True:\n    pass", True)]}),
        Submission("crashing", {**right, "03.1": [("import os\nos.abort()", True)]}),
        Submission("unreadable", problem="this is not a notebook"),
    ]


def test_the_marks_are_the_same_as_on_this_machine(tmp_path):
    seen = []
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path), silence_logs=50
    ) as cluster:
        there = grade_on_cluster(submissions(), NUMBERS, LIMITS, seed=5, done=seen.append, address=cluster)
    here = grade(submissions(), NUMBERS, LIMITS, seed=5)
    assert [(r.name, r.points) for r in there] == [
        ("right", 2), ("wrong", 1), ("endless", 1), ("crashing", 1), ("unreadable", 0)
    ]  # fmt: skip
    assert [[m.state for m in r.marks] for r in there] == [[m.state for m in r.marks] for r in here]
    assert there[0] == here[0] and there[1] == here[1]
    assert len(seen) == 5


def test_a_worker_that_is_lost_takes_no_submission_with_it(tmp_path):
    """Its submissions go to another worker."""
    with LocalCluster(
        n_workers=2, threads_per_worker=1, dashboard_address=None, local_directory=str(tmp_path), silence_logs=50
    ) as cluster:
        victim = next(iter(cluster.workers.values()))
        killed = []

        def kill_one(report):
            # Once: Dask gives up what has met with several deaths, and the worker that comes in its place may die, too.
            if not killed and victim.process is not None and victim.process.process is not None:
                victim.process.process.terminate()
                killed.append(report)

        reports = grade_on_cluster(submissions()[:4] * 3, NUMBERS, LIMITS, done=kill_one, address=cluster)
    assert killed and [r.points for r in reports] == [2, 1, 1, 1] * 3, [r.problem for r in reports]


def small_cluster(folder, workers):
    return LocalCluster(
        n_workers=workers,
        threads_per_worker=1,
        dashboard_address=None,
        local_directory=str(folder),
        silence_logs=50,
    )


def test_a_wrong_address_is_said_and_not_waited_for(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(clusters, "_PATIENCE", 2.0)
    (tmp_path / "a.ipynb").write_text('{"cells": []}')
    (tmp_path / "marks.csv").write_text("older")
    arguments = ["grade", str(tmp_path), "-o", str(tmp_path / "marks.csv"), "-e", "01.1", "--executor", "dask"]
    begin = time.monotonic()
    assert main([*arguments, "--scheduler", "tcp://127.0.0.1:9"]) == 1
    said = capsys.readouterr().err
    assert "no Dask scheduler answers at tcp://127.0.0.1:9" in said and "Traceback" not in said
    assert time.monotonic() - begin < 60 and (tmp_path / "marks.csv").read_text() == "older"


@pytest.mark.parametrize("address", ["nonsense", "http://127.0.0.1:1", "tcp://:x", "[::1", "tls://127.0.0.1:1", ""])
def test_what_is_no_address_is_said_at_once(address, tmp_path, capfd):
    (tmp_path / "a.ipynb").write_text('{"cells": []}')
    arguments = ["grade", str(tmp_path), "-o", str(tmp_path / "marks.csv"), "-e", "01.1", "--executor", "dask"]
    begin = time.monotonic()
    assert main([*arguments, "--scheduler", address]) == 1
    said = capfd.readouterr().err
    assert f"no Dask scheduler answers at {address} (" in said and "Traceback" not in said
    assert time.monotonic() - begin < 15


def test_something_that_takes_the_connection_and_says_nothing_is_not_waited_for(tmp_path, monkeypatch):
    """A scheduler that stands still, or another program."""
    monkeypatch.setattr(clusters, "_PATIENCE", 2.0)
    begin = time.monotonic()
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.raises(ClusterError, match="but does not answer"):
        grade_on_cluster(submissions(), NUMBERS, LIMITS, address=f"tcp://127.0.0.1:{silent.getsockname()[1]}")
    assert time.monotonic() - begin < 20


@pytest.fixture
def processes(tmp_path):
    """Start Dask's own programs, and end what is left of them."""
    started = []

    def start(program, *arguments):
        words = [sys.executable, "-m", f"distributed.cli.{program}", *arguments, "--no-dashboard"]
        quiet = {"stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL, "cwd": tmp_path}
        started.append(subprocess.Popen(words, start_new_session=True, **quiet))
        return started[-1]

    yield start
    for process in started:
        with contextlib.suppress(ProcessLookupError):
            os.killpg(process.pid, signal.SIGKILL)
        process.wait()


@pytest.mark.parametrize(("whom", "how"), [("scheduler", "KILL"), ("scheduler", "STOP"), ("worker", "STOP")])
def test_a_machine_that_dies_or_stands_still_takes_no_mark_with_it(whom, how, tmp_path, monkeypatch, capfd, processes):
    place = tmp_path / "scheduler.json"
    there = {"scheduler": processes("dask_scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", place)}
    there["worker"] = processes("dask_worker", "--scheduler-file", str(place), "--nthreads", "1", "--no-nanny")
    for _ in range(300):
        if place.exists() and place.stat().st_size:
            break
        time.sleep(0.1)
    address, seen = json.loads(place.read_text())["address"], []
    monkeypatch.setattr(clusters, "_PATIENCE", 120.0)  # until something is marked, a busy machine may take its time

    def end(report):
        if not seen:
            os.killpg(there[whom].pid, getattr(signal, f"SIG{how}"))
            monkeypatch.setattr(clusters, "_PATIENCE", 6.0)
        seen.append(time.monotonic())

    with pytest.raises(ClusterError, match=r"Dask cluster (has stopped|has no workers|canceled the work)"):
        grade_on_cluster(submissions() * 5, NUMBERS, LIMITS, address=address, done=end)
    assert seen and time.monotonic() - seen[-1] < 60
    assert "Traceback" not in capfd.readouterr().err


def test_a_cluster_without_workers_is_not_waited_for(tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "_PATIENCE", 2.0)
    with small_cluster(tmp_path, 0) as cluster, pytest.raises(ClusterError, match="has no workers"):
        grade_on_cluster(submissions(), NUMBERS, LIMITS, address=cluster)


@pytest.mark.parametrize("what", ["workers", "scheduler"])
def test_what_was_marked_before_a_cluster_ended_is_kept(what, tmp_path, monkeypatch):
    monkeypatch.setattr(clusters, "_PATIENCE", 120.0)  # until something is marked, a busy machine may take its time
    seen = []
    with small_cluster(tmp_path, 1) as cluster:

        def end(report):
            seen.append(report.name)
            monkeypatch.setattr(clusters, "_PATIENCE", 3.0)
            if what == "workers":
                cluster.scale(0)
            else:
                cluster.close()

        with pytest.raises(ClusterError, match=r"Dask cluster (has stopped|has no workers|canceled the work)"):
            grade_on_cluster(submissions() * 5, NUMBERS, LIMITS, address=cluster, done=end)
    assert seen
