"""A run of ``d2lhybrid grade`` is stopped at every step, in every way: no mark is lost, and it goes on from there.

Judging itself is replaced by something quick that depends on the answer and the seed alone, so that a class can be
marked hundreds of times.
"""

import csv
import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

NUMBERS = ["01.1", "02.1"]
CLASS = 60

#: Every so many steps of the class a fault is tried; ``make class-faults`` tries each of them.
STRIDE = int(os.environ.get("D2LHYBRID_STRIDE", "43"))

#: The share of runs, at most, that come to their end in spite of a fault: nothing interrupts a run while it writes, and
#: at the last step all has been written.
MOST_ENDED = {"kill": 0, "interrupt": 0.55, "disk full": 0.03}

#: Marks a class with one fault, then resumes; a fork for each, so that a run can be killed.
DRIVER = """
import contextlib, errno, io, json, os, signal, sys, threading
from pathlib import Path
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.exercises.results import Result, State
from d2lhybrid import doctor
from d2lhybrid.exercises import exercises
from d2lhybrid.internals.course.grading import command, marking, submission
from d2lhybrid.internals.course.grading.checker_process import Stopped

exercises()  # loaded once, for all
signal.signal(signal.SIGINT, signal.default_int_handler)  # a process in the background of a shell would ignore it
step, fault, at, judged = 0, None, None, 0
lock = threading.Lock()

def count(kind, fails=False):
    global step
    with lock:
        step += 1
        now = step
    if fault == "kill" and now == at:
        os.kill(os.getpid(), signal.SIGKILL)
    if fault == "interrupt" and now == at:
        os.kill(os.getpid(), signal.SIGINT)
    if fault == "disk full" and now >= at and fails:
        raise OSError(errno.ENOSPC, "No space left on device")

class Cheap:
    stopped = False
    def judge(self, number, cells, seed, limits):
        global judged
        if self.stopped:
            raise Stopped
        count("judge")
        with lock:
            judged += 1
        state = State.RIGHT if (len(cells[0][0]) + sum(seed)) % 3 else State.WRONG
        return Result(number, state, f"{cells[0][0]} {seed}")
    def stop(self):
        self.stopped = True
    def close(self, kill=False):
        pass

def counted(function, fails):
    def call(*args):
        count(function.__name__, fails)
        return function(*args)
    return call

marking.CheckerProcess = Cheap
write, replace, opened = os.write, os.replace, submission.open_file
os.fsync = counted(lambda number: None, True)
os.replace = counted(replace, True)

def half_written(number, data):
    if fault == "disk full" and step + 1 >= at:
        write(number, bytes(data)[: len(data) // 2])
    count("write", True)
    return write(number, data)
os.write = half_written

def unreadable(path):
    if fault == "unreadable" and path.stem == f"s{at:02}":
        raise OSError(errno.EIO, "Input/output error")
    return opened(path)
submission.open_file = unreadable

def forked(arguments, kind=None, where=None):
    global fault, at, step, judged
    step, judged, fault, at = 0, 0, kind, where
    reader, writer = os.pipe()
    pid = os.fork()
    if not pid:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
        os.dup2(os.open("stderr", os.O_WRONLY | os.O_CREAT | os.O_TRUNC), 2)
        try:
            status = main(arguments)
            write(writer, json.dumps([status, step, judged]).encode())
        finally:
            os._exit(0)
    os.close(writer)
    with open(reader) as stream:
        said = stream.read()
    os.waitpid(pid, 0)
    return json.loads(said) if said else None

def snapshot(name):
    table, pages = Path(f"{name}.csv"), Path(f"{name}-reports")
    return [table.read_text() if table.exists() else None, {p.name: p.read_text() for p in pages.glob("*")}]

common = ["grade", "submissions", "--seed", "5", "--workers", "2", "-e", "01.1", "02.1"]
with contextlib.redirect_stdout(io.StringIO()), contextlib.redirect_stderr(io.StringIO()):
    main([*common, "-o", "first.csv"])  # what is imported and computed once, each fork has from the start
for line in sys.stdin:
    name, kind, where = json.loads(line)
    first = forked([*common, "-o", f"{name}.csv"], kind, where)
    journal = Path(f"{name}-journal.jsonl")
    kept = journal.read_bytes().count(b"\\n") - 1 if journal.exists() else -1
    said = Path("stderr").read_text()
    before = snapshot(name)
    second = forked([*common, "-o", f"{name}.csv", *(["--resume"] if kept >= 0 else [])])
    print(json.dumps([first, kept, said, before, second, snapshot(name)]), flush=True)
"""


class Class:
    """A class of submissions, and what becomes of it under faults."""

    def __init__(self, folder: Path, size: int) -> None:
        self.size = size
        (folder / "submissions").mkdir(parents=True)
        for i in range(size):
            cells = [
                {"cell_type": "code", "source": f"{n[-1]}{'x' * (i % 7)}", "metadata": {"nbgrader": {
                    "grade_id": f"answer-{n.replace('.', '-')}"}}} for n in NUMBERS
            ]  # fmt: skip
            cells += [
                {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": f"check-{n[:2]}-1"}}}
                for n in NUMBERS
            ]
            cells = [cells[0], cells[2], cells[1], cells[3]]
            (folder / "submissions" / f"s{i:02}.ipynb").write_text(json.dumps({"cells": cells}))
        (folder / "driver.py").write_text(DRIVER)
        self.process = subprocess.Popen(
            [sys.executable, "driver.py"], cwd=folder, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.count = 0
        (status, self.steps, judged), kept, _, _, (again, _, judged_again), self.complete = self.run()
        assert (status, again, kept, judged, judged_again) == (0, 0, size, 2 * size, 0)
        assert len(self.rows(self.complete)) == size == len(self.complete[1])

    @staticmethod
    def rows(snapshot):
        return {row["submission"]: row for row in csv.DictReader((snapshot[0] or "").splitlines())}

    def run(self, kind=None, where=None):
        self.count += 1
        print(json.dumps([f"marks{self.count}", kind, where]), file=self.process.stdin, flush=True)
        return json.loads(self.process.stdout.readline())

    def check(self, kind, where):
        """Make a run with a fault and go on from there; whether the first run came to its end in spite of it."""
        first, kept, said, before, second, after = self.run(kind, where)
        told = f"{kind} at {where}: {first} {said}"
        complete = self.rows(self.complete)
        changed = {name for name, row in self.rows(before).items() if row != complete[name]}
        assert changed == ({f"s{where:02}"} if kind == "unreadable" else set()), told
        if kind == "unreadable":
            assert first[0] == 0 and self.rows(after) == complete and second[2] == 2, told
            return True
        assert after == self.complete, told
        assert second[0] == 0 and second[2] == 2 * (self.size - max(kept, 0)), told
        if kind == "interrupt" and first[0] == 0:
            assert before == self.complete, told
        if kind == "interrupt" and first[0] != 0:
            assert first[0] == 130, told
            assert len(self.rows(before)) == max(kept, 0) and "--resume" in said, told
            assert first[2] - 4 <= 2 * kept, f"{told}: more was judged than is kept"
        if kind == "disk full":
            assert before == self.complete if first[0] == 0 else "No space left" in said, told
        return first is not None and first[0] == 0

    def close(self):
        self.process.stdin.close()
        self.process.stdout.close()
        self.process.wait()


@pytest.fixture(scope="module")
def whole_class(tmp_path_factory):
    found = Class(tmp_path_factory.mktemp("class"), CLASS)
    yield found
    found.close()


@pytest.fixture(scope="module")
def small_class(tmp_path_factory):
    found = Class(tmp_path_factory.mktemp("few"), 4)
    yield found
    found.close()


@pytest.mark.parametrize("kind", ["kill", "interrupt", "disk full"])
def test_a_class_of_sixty_stopped_anywhere_goes_on(kind, whole_class):
    steps = range(1, whole_class.steps + 1, STRIDE)
    ended = sum(whole_class.check(kind, step) for step in steps)
    print(f"{kind}: {len(steps)} of {whole_class.steps} steps, {len(steps) - ended} runs were stopped")
    assert ended <= MOST_ENDED[kind] * len(steps), "what stops nothing is no fault"


@pytest.mark.parametrize("kind", ["kill", "interrupt", "disk full"])
def test_a_run_stopped_at_every_single_step_goes_on(kind, small_class):
    ended = sum(small_class.check(kind, step) for step in range(1, small_class.steps + 1))
    assert ended <= MOST_ENDED[kind] * small_class.steps, "what stops nothing is no fault"


def test_a_file_that_cannot_be_read_once_is_read_by_the_resumed_run(whole_class):
    for i in {0, 59, *range(0, CLASS, (STRIDE + 1) // 2)}:
        whole_class.check("unreadable", i)
