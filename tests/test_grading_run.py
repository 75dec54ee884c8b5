"""A run of ``d2lhybrid grade``: what is made sure of before it, what it writes, and how it is stopped."""

import csv
import json
import os
import signal
import subprocess
import sys
import time

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from d2lhybrid.error import MXNetError
from d2lhybrid.exercises import ex
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.exercises.results import Result, State
from d2lhybrid.internals.course.grading import (
    Limits,
    MachineryError,
    Mark,
    Report,
    Submission,
    command,
    grade,
    marking,
    patience,
)
from d2lhybrid.internals.course.grading.checker_process import CheckerProcess
from d2lhybrid.internals.course.grading.growing_file import GrowingFile
from d2lhybrid.internals.course.grading.names import file_names, names_of, visible
from d2lhybrid.internals.course.grading.reports import page, write_reports
from d2lhybrid.internals.support.filesystem import check_writable

RIGHT = ex("01.1").solution_code


def write_notebook(path, code=RIGHT):
    cells = [
        {"cell_type": "code", "source": code, "metadata": {"nbgrader": {"grade_id": "answer-01-1"}}},
        {"cell_type": "code", "source": "", "metadata": {"nbgrader": {"grade_id": "check-01-1"}}},
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps({"cells": cells}))


def rows(path):
    return {row["submission"]: row for row in csv.DictReader(path.read_text("utf-8").splitlines())}


class Cheap:
    """In the place of a checker: the verdict is in the answer."""

    judged = 0

    def judge(self, number, cells, seed, limits):
        Cheap.judged += 1
        message = cells[0][0]
        return Result(number, State.RIGHT if message.startswith("right") else State.WRONG, message)

    def stop(self):
        pass

    def close(self, kill=False):
        pass


@pytest.fixture
def cheap(monkeypatch):
    monkeypatch.setattr(marking, "CheckerProcess", Cheap)
    Cheap.judged = 0


# Before anything runs --------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("options", "says"),
    [
        (["-o", "nowhere/marks.csv"], "No such file or directory"),
        (["-o", "folder"], "Is a directory"),
        (["-o", "marks.csv", "-r", "a file"], "cannot be created"),
        (["-o", "marks.csv", "-r", "a file/pages"], "cannot be created"),
        (["-o", "ada.ipynb"], "is a submission"),
        (["-o", "/dev/null"], "is not a regular file"),
        (["--seed", "-5"], "--seed must be 0 or more"),
        (["--seconds", "0"], "--seconds"),
        (["--seconds", "nan"], "--seconds"),
        (["--memory", "-1"], "--memory"),
        (["--workers", "0"], "--workers"),
        (["--resume"], "nothing to resume"),
        (["-e", "99"], "no exercise or chapter 99"),
        (["-e", "01.1", "nobody.ipynb"], "There is no file nobody.ipynb"),
        (["folder"], "no notebooks in the folder"),
    ],
)
def test_what_cannot_be_done_is_said_before_anything_is_marked(options, says, tmp_path, monkeypatch, capsys, cheap):
    monkeypatch.chdir(tmp_path)
    write_notebook(tmp_path / "ada.ipynb")
    content = (tmp_path / "ada.ipynb").read_bytes()
    (tmp_path / "folder").mkdir()
    (tmp_path / "a file").write_text("kept")
    assert main(["grade", "ada.ipynb", *options]) == 1
    assert says in capsys.readouterr().err
    assert Cheap.judged == 0 and (tmp_path / "a file").read_text() == "kept"
    assert (tmp_path / "ada.ipynb").read_bytes() == content


def test_the_trial_changes_nothing(tmp_path):
    (tmp_path / "a.csv").write_text("older")
    check_writable(tmp_path / "a.csv")
    check_writable(tmp_path / "b.csv")
    assert (tmp_path / "a.csv").read_text() == "older" and os.listdir(tmp_path) == ["a.csv"]
    with pytest.raises(MXNetError, match="directory"):
        check_writable(tmp_path / "nowhere" / "a.csv")


def test_folders_and_files_behind_the_exercises_are_submissions(tmp_path, monkeypatch, cheap):
    monkeypatch.chdir(tmp_path)
    for name in ("ada", "bob", ".ipynb_checkpoints/ada", "late/cy"):
        write_notebook(tmp_path / "in" / f"{name}.ipynb", "right")
    assert main(["grade", "in", "in/ada.ipynb"]) == 0
    assert set(rows(tmp_path / "marks.csv")) == {"ada", "bob", "cy"}
    assert main(["grade", "-o", "m.csv", "-e", "01.1,01.2", "in/ada.ipynb", "in/bob.ipynb"]) == 0
    assert set(rows(tmp_path / "m.csv")) == {"ada", "bob"} and "01.2" in rows(tmp_path / "m.csv")["ada"]


# The machinery ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("state", ["right", "error"])
def test_a_machine_that_judges_wrongly_marks_nothing(state, tmp_path, monkeypatch, capsys):
    """Whether it calls everything right, or nothing."""
    reply = {"state": state, "message": "of the machine", "details": []}
    monkeypatch.setattr(CheckerProcess, "_ask", lambda self, *arguments: reply)
    write_notebook(tmp_path / "ada.ipynb")
    assert main(["grade", str(tmp_path), "-o", str(tmp_path / "m.csv"), "-e", "01.1"]) == 1
    said = capsys.readouterr().err
    assert "are not reliable" in said and "of the machine" in said and not (tmp_path / "m.csv").exists()


def test_a_known_right_answer_that_gets_no_time_stops_the_run():
    submission = Submission("x", {"01.1": [(RIGHT, True)]})
    with pytest.raises(MachineryError, match="known to be right was judged as 'error'"):
        grade([submission], ["01.1"], Limits(seconds=1e-6), workers=1)


def test_a_negative_seed_is_refused():
    with pytest.raises(ValueError, match="not -5"):
        grade([], ["01.1"], seed=-5)


def test_ctrl_c_stops_at_once_and_resume_goes_on(tmp_path):
    """With the real checkers: two answers are quick, and one would take a minute."""
    for name, code in {"a": RIGHT, "b": "x = 1", "c": "import time\ntime.sleep(50)"}.items():
        write_notebook(tmp_path / "in" / f"{name}.ipynb", code)
    command = [sys.executable, "-m", "d2lhybrid", "grade", "in", "--workers", "1", "--seconds", "60", "--seed", "3"]
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # children inherit that it is ignored
    try:
        process = subprocess.Popen(command, cwd=tmp_path, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    finally:
        signal.signal(signal.SIGINT, before)
    journal = tmp_path / "marks-journal.jsonl"
    limit = time.monotonic() + 100
    while not (journal.exists() and journal.read_bytes().count(b"\n") == 3) and time.monotonic() < limit:
        time.sleep(0.1)
    begin = time.monotonic()
    process.send_signal(signal.SIGINT)
    _, said = process.communicate(timeout=40)
    assert process.returncode == 130 and "Marked 2 of 3 submissions" in said and "Traceback" not in said
    assert time.monotonic() - begin < 40
    assert {name: row["points"] for name, row in rows(tmp_path / "marks.csv").items()} == {"a": "1", "b": "0"}
    write_notebook(tmp_path / "in" / "c.ipynb", RIGHT)
    done = subprocess.run([*command, "--resume"], cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0 and rows(tmp_path / "marks.csv")["c"]["points"] == "1", done.stderr


def test_what_cost_a_class_its_marks_costs_one_answer_at_most(tmp_path, capsys):
    """Texts that cannot be written, names that are no text, long paths, damaged cells, much output."""
    folder, long = tmp_path / "in", "\u738b" * 60
    half = {
        "half a pair": 'raise RuntimeError("\\ud800")',
        "half a pair, returned": 'def describe_sum(n):\n    return "\\udc80"',
        "half a pair in the source": RIGHT + "\n# \ud800",
        "a zero": RIGHT + "\n# \x00",
    }
    for name, code in half.items():
        write_notebook(folder / f"{name}.ipynb", code)
    for name in (f"{long}/{long}/{long}", f"{long}/{long}", "\x1b[2Jred", os.fsdecode("Jos\xe9".encode("latin-1"))):
        write_notebook(folder / f"{name}.ipynb")
    data = json.loads((folder / f"{long}" / f"{long}.ipynb").read_text())
    data["cells"] += [None, {"cell_type": "code"}, {"outputs": [{"text": [']}"\n'] * 10**6}], **data["cells"][1]}]
    (folder / "odd.ipynb").write_bytes(json.dumps(data).encode("utf-16"))
    words = ["grade", str(folder), "-o", str(tmp_path / "m.csv"), "-e", "01.1", "--seconds", "5"]
    assert main(words) == 0, capsys.readouterr().err
    found = {name: row["points"] for name, row in rows(tmp_path / "m.csv").items()}
    assert {n: p for n, p in found.items() if n in half} == dict.fromkeys(half, "0")
    assert [p for n, p in found.items() if n not in half] == ["1"] * 5 and len(found) == 9
    assert len(list((tmp_path / "m-reports").iterdir())) == 9 and "\x1b" not in capsys.readouterr().out


# The journal -----------------------------------------------------------------------------------------


def test_what_was_marked_is_not_marked_again(tmp_path, monkeypatch, capsys, cheap):
    monkeypatch.chdir(tmp_path)
    for name in ("ada", "bob"):
        write_notebook(tmp_path / f"{name}.ipynb", "right")
    assert main(["grade", ".", "--seed", "7"]) == 0 and Cheap.judged == 2
    write_notebook(tmp_path / "bob.ipynb", "wrong")
    write_notebook(tmp_path / "cy.ipynb", "right")
    assert main(["grade", ".", "--resume"]) == 0 and Cheap.judged == 4
    assert [row["points"] for row in rows(tmp_path / "marks.csv").values()] == ["1", "0", "1"]
    assert "Seed: 7" in capsys.readouterr().out
    assert main(["grade", ".", "--resume", "--seconds", "3"]) == 1
    assert "the value of seconds was 20 and is now 3.0" in capsys.readouterr().err
    journal = (tmp_path / "marks-journal.jsonl").read_bytes()
    assert main(["grade", "."]) == 0 and Cheap.judged == 7
    assert (tmp_path / "marks-journal.jsonl~").read_bytes() == journal


def test_a_journal_of_something_else_is_not_gone_on_with(tmp_path, capsys, cheap):
    write_notebook(tmp_path / "ada.ipynb", "right")
    (tmp_path / "marks-journal.jsonl").write_text("[1]\n")
    assert main(["grade", str(tmp_path), "-o", str(tmp_path / "marks.csv"), "--resume"]) == 1
    assert "is not a marking journal" in capsys.readouterr().err


def test_a_growing_file_has_whole_lines_only(tmp_path, monkeypatch):
    path = tmp_path / "log"
    path.write_bytes(b"first\nhal")
    with GrowingFile(path) as file:
        assert file.lines() == [b"first"]
        with pytest.raises(MXNetError, match="Another program"):
            GrowingFile(path)
        file.add(b"second")
        write = os.write

        def full(descriptor, data):
            write(descriptor, bytes(data)[:2])
            raise OSError(28, "No space left on device")

        monkeypatch.setattr(os, "write", full)
        with pytest.raises(MXNetError, match="No space left"):
            file.add(b"third and long")
        monkeypatch.undo()
        file.add(b"4")
    assert path.read_bytes() == b"first\nsecond\n4\n"


# What is written -------------------------------------------------------------------------------------


def test_any_text_can_be_written(tmp_path):
    mark = Mark("01.1", "error", 0, 1, "raised `\ud800 \x1b[2J \x00`", ["\udfff"])
    reports = [Report(name, [mark], "\ud800") for name in ("\udce9", "\x1b]0;", "x" * 5000, "中" * 400 + "/1", "..")]
    assert write_reports(reports, tmp_path / "m.csv", tmp_path) == []
    assert len(list(tmp_path.glob("*.html"))) == 5 + 1, "and one for the class"
    assert "\x1b" not in "".join(path.read_text("utf-8") for path in tmp_path.iterdir())


def test_a_page_that_cannot_be_written_keeps_nothing_else_from_being_written(tmp_path):
    (tmp_path / "ada.html").mkdir()
    reports = [Report(name, [Mark("01.1", "right", 1, 1, "")]) for name in ("ada", "bob")]
    problems = write_reports(reports, tmp_path / "m.csv", tmp_path)
    assert len(problems) == 1 and "ada.html" in problems[0]
    assert set(rows(tmp_path / "m.csv")) == {"ada", "bob"} and (tmp_path / "bob.html").is_file()


def test_names_that_are_no_text(tmp_path, monkeypatch, capsys, cheap):
    folder = os.fsencode(tmp_path / "in")
    os.mkdir(folder)
    write_notebook(tmp_path / "x.ipynb", "right")
    for name in ("José".encode("latin-1"), b"\x1b[31mred", "王".encode() * 70):
        os.link(tmp_path / "x.ipynb", os.path.join(folder, name + b".ipynb"))
    assert main(["grade", str(tmp_path / "in"), "-o", str(tmp_path / "m.csv")]) == 0
    assert set(rows(tmp_path / "m.csv")) == {"José", "?[31mred", "王" * 70}
    assert len(list((tmp_path / "m-reports").iterdir())) == 3
    assert main(["grade", str(tmp_path / "in") + "\x1b[2J"]) == 1
    assert "\x1b" not in capsys.readouterr().err


def test_names_of_files_are_short_and_different():
    names = ["a" * 300 + "1", "a" * 300 + "2", "Ada", "ada", "é", "e\u0301", "", "/"]
    found = file_names(names)
    assert len({name.casefold() for name in found}) == len(names)
    assert max(len(name.encode()) for name in found) < 140 and file_names(names) == found
    assert visible("\ud800") == "?" and visible("中é") == "中é"


def test_equal_names_are_told_apart(tmp_path):
    paths = [tmp_path / "a" / "x.ipynb", tmp_path / "b" / "x.ipynb", tmp_path / "a" / "x.json", tmp_path / "y.ipynb"]
    assert names_of(paths) == ["a/x", "b/x", "a/x (2)", "y"]


def test_a_long_message_is_shortened(cheap):
    report = grade([Submission("x", {"01.1": [("wrong" * 10**6, True)]})], ["01.1"])[0]
    assert len(page(report)) < 10_000 and "5000000 characters" in report.marks[0].message


def test_a_run_that_is_stopped_leaves_an_older_table_that_holds_more(tmp_path, monkeypatch, capsys):
    for name in ("a", "b", "c"):
        write_notebook(tmp_path / f"{name}.ipynb", "x = 1")
    words = ["grade", str(tmp_path), "-o", str(tmp_path / "marks.csv"), "-e", "01.1", "--workers", "1"]
    assert main(words) == 0
    whole = (tmp_path / "marks.csv").read_text()

    def stopped(submissions, numbers, limits, seed, done, **_):
        done(Report(submissions[0].name, [Mark("01.1", "right", 1, 1, "")], "", seed))
        raise KeyboardInterrupt

    monkeypatch.setattr(command, "_executor", lambda arguments: stopped)
    assert main(words) == 130
    assert (tmp_path / "marks.csv").read_text() == whole
    assert set(rows(tmp_path / "marks-incomplete.csv")) == {"a"}
    assert "is from an earlier run" in capsys.readouterr().err
    monkeypatch.undo()
    assert main([*words, "--resume"]) == 0
    assert rows(tmp_path / "marks.csv")["a"]["points"] == "1" and not (tmp_path / "marks-incomplete.csv").exists()


@pytest.mark.parametrize("load, factor", [(0.0, 1.0), (2.0, 1.0), (7.0, 3.5), (500.0, 10.0)])
def test_an_answer_may_take_longer_where_others_are_at_work(monkeypatch, load, factor):
    monkeypatch.setattr(patience, "affinity", lambda: 2)
    monkeypatch.setattr(patience.os, "getloadavg", lambda: (load, 0.0, 0.0))
    assert patience.crowding() == factor
