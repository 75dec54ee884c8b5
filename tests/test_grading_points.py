"""Points for parts of an answer: alike, as a table says, or not at all; and what stands on the page of a student."""

import csv
import dataclasses
import itertools
import json
import os
import re
import time

import numpy
import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from d2lhybrid.exercises import ex, exercises
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.exercises.results import Part, Result, State
from d2lhybrid.internals.course.exercises.subject import LocalSubject, Subject
from d2lhybrid.internals.course.grading import Limits, Mark, Report, Submission, grade_submission, marking
from d2lhybrid.internals.course.grading.arguments import UsageError
from d2lhybrid.internals.course.grading.patience import crowding
from d2lhybrid.internals.course.grading.reports import page
from d2lhybrid.internals.course.grading.weights import Weights, read_weights

PARTS = ex("02.1").parts
LIMITS = Limits(seconds=3, memory=2**30)
ONLY_LINE_BY_LINE = """
class Net(nn.HybridBlock):
    def __init__(self, widths, classes):
        super().__init__()
        with self.name_scope():
            self.layers = [nn.Dense(n) for n in [*widths, classes]]
            for layer in self.layers:
                self.register_child(layer)

    def hybrid_forward(self, F, x):
        x.asnumpy()
        for layer in self.layers[:-1]:
            x = F.relu(layer(x))
        return self.layers[-1](x)

def make_net(widths, classes):
    return Net(widths, classes)
"""


def rows(path):
    return {row["submission"]: row for row in csv.DictReader(path.read_text("utf-8").splitlines())}


def one(code, number="02.1"):
    return grade_submission(Submission("x", {number: [(code, True)]}), [number], LIMITS).marks[0]


def test_what_is_right_in_a_wrong_answer_counts():
    mark = one(ONLY_LINE_BY_LINE)
    assert mark.state == "error" and mark.points == 0.25 and mark.out_of == 1
    assert [part.right for part in mark.parts] == [True, False, False, False]
    assert "asnumpy" in mark.message and "asnumpy" in mark.parts[1].message


#: Ways to end a process, and what is said of each.
ENDS = {
    "raise ValueError": "ValueError",
    "import os; os.abort()": r"crashed \(SIGABRT\)",
    "import os; os._exit(0)": "ended its own process",
}
#: Ways to have it ended.
HANGS = {"while True: pass": "longer than|of processor time", "import time; time.sleep(1000)": "longer than"}
#: Where a process ends, and what is right in the answer nevertheless.
PLACES = {
    "not isinstance(x, nd.NDArray)": {"line by line"},
    "autograd.is_training()": {"line by line", "hybridized", "as a file"},
    "autograd.is_training() and F is nd": {"line by line", "hybridized", "as a file"},
    "F is nd": set(),
}


@pytest.mark.parametrize(("place", "end"), [*itertools.product(PLACES, ENDS), *zip(PLACES, HANGS, strict=False)])
def test_an_answer_that_ends_its_process_loses_what_it_does_not_reach(place, end):
    """The same as one that raises an exception there."""
    mark = one(ONLY_LINE_BY_LINE.replace("x.asnumpy()", f"if {place}:\n            {end}"))
    assert mark.state == "error" and re.search({**ENDS, **HANGS}[end], mark.message), mark
    assert {part.name for part in mark.parts if part.right} == PLACES[place], mark.parts
    assert mark.points == len(PLACES[place]) / 4


def test_a_check_begins_anew_within_a_time_for_all():
    """An answer that hangs at every question does not keep the class waiting."""
    begin = time.monotonic()
    limits = Limits(seconds=2, memory=2**30)
    number = next(e.number for e in exercises() if len(e.parts) > 3 and not e.constant)
    name = ex(number).answer
    code = f"import time\ndef {name}(*args, **kwargs):\n    time.sleep(1000)\n"
    mark = grade_submission(Submission("x", {number: [(code, True)]}), [number], limits).marks[0]
    assert mark.points == 0 and mark.state == "error" and "longer than 2 seconds" in mark.message
    assert time.monotonic() - begin < 60 * crowding()


def test_an_answer_that_ends_before_any_part_is_told_why():
    for code in ("import os\nos.abort()\ndef make_net(widths, classes):\n    return 1",
                 "class Odd:\n    def __getattribute__(self, name):\n        import os\n        os.abort()\n"
                 "make_net = Odd()"):  # fmt: skip
        mark = one(code)
        assert mark.state == "error" and mark.points == 0 and "crashed" in mark.message


def test_data_of_another_kind_costs_one_part():
    """Where a check takes for granted what comes back, other data is a failure of the part that asked for it."""

    class Odd(Subject):
        def ask(self, question, doing="", **data):
            return {"describe": {"unwritten": False}, "a": [], "b": 2}[question]

    def check(subject, rng):
        for name in ("a", "b", "c"):
            with subject.part(name):
                assert subject.ask(name) + 1 == 3

    exercise = dataclasses.replace(ex("02.1"), checker=check, parts=("a", "b", "c"))
    found = exercise.judge(Odd(), numpy.random.default_rng(0), all_parts=True)
    assert [part.right for part in found.parts] == [False, True, False] and found.state is State.WRONG
    assert "wrong type" in found.message and "'c'" in found.parts[2].message


def test_a_solution_gets_everything():
    mark = one(ex("06.4").solution_code, "06.4")
    assert mark.points == 3 and all(part.right for part in mark.parts) and mark.worth == [1, 1, 1]


def test_a_table_of_choices_counts_as_a_whole():
    given = {**dict.fromkeys(ex("01.3").parts, "nothing"), "print": "imperative", "phone": "symbolic"}
    mark = one(f"choices = {given}", "01.3")
    assert {part.name for part in mark.parts if part.right} == {"print", "phone"} and mark.points == 0
    assert re.search("<td>✓</td><td>print</td><td></td>", page(Report("x", [mark])))
    lines = Weights({"01.3": dict.fromkeys(ex("01.3").parts, 2)})  # unless a teacher says what the lines are worth
    assert lines.weighed(mark).points == 4 and lines.weighed(mark).out_of == 12


def marks_of_all_tables(number, choices):
    """Return what each table gets that somebody may fill in without a thought."""
    for chosen in itertools.product(choices, repeat=len(ex(number).parts)):
        subject = LocalSubject(dict(zip(ex(number).parts, chosen, strict=True)))
        yield marking._mark(ex(number).judge(subject, numpy.random.default_rng(0), all_parts=True), missing=False)


@pytest.mark.parametrize(
    ("number", "choices"), [("01.3", ["imperative", "symbolic"]), ("04.8", ["same", "error", "silent"])]
)
def test_guessing_earns_nothing(number, choices):
    """One table of all gets the points."""
    points = [mark.points for mark in marks_of_all_tables(number, choices)]
    assert len(points) == len(choices) ** len(ex(number).parts) and sum(points) == max(points) == 1
    assert sum(points) / len(points) < 0.02


def test_every_table_of_choices_counts_as_a_whole():
    tables = [exercise for exercise in exercises() if exercise.constant]
    assert len(tables) >= 6
    for exercise in tables:
        assert len(exercise.parts) >= 5  # of two choices and more: once in 32 times at most
        parts = [Part(name, i > 0) for i, name in enumerate(exercise.parts)]
        assert Weights().weighed(Mark(exercise.number, "wrong", 0, 1, "", parts=parts)).points == 0


# A table of weights -----------------------------------------------------------------------------------


class Cheap:
    """In the place of a checker: all but the first part is right."""

    judged = 0

    def judge(self, number, cells, seed, limits):
        Cheap.judged += 1
        parts = tuple(Part(name, i > 0, "" if i else "no") for i, name in enumerate(ex(number).parts))
        return Result(number, State.WRONG, "no", (), parts)

    def stop(self):
        pass

    def close(self, kill=False):
        pass


@pytest.fixture
def marked(tmp_path, monkeypatch):
    monkeypatch.setattr(marking, "CheckerProcess", Cheap)
    cells = [{"cell_type": "code", "source": "make_net = 1 < 2", "metadata": {"nbgrader": {"grade_id": "answer-02-1"}}}]
    (tmp_path / "ada.ipynb").write_text(json.dumps({"cells": cells}))
    return tmp_path, ["grade", str(tmp_path), "-o", str(tmp_path / "marks.csv"), "-e", "02.1"]


def test_weights_are_changed_without_another_run(marked):
    folder, words = marked
    Cheap.judged = 0
    assert main(words) == 0
    assert rows(folder / "marks.csv")["ada"]["02.1"] == "0.75"
    table = "exercise,check,points\n" + "".join(f"02.1,{name},{2 + i}\n" for i, name in enumerate(PARTS))
    (folder / "marks-weights.csv").write_text(table)
    assert main([*words, "--resume"]) == 0
    row = rows(folder / "marks.csv")["ada"]
    assert (row["02.1"], row["points"], row["out of"]) == ("12", "12", "14")
    assert main([*words, "--resume", "--all-or-nothing"]) == 0
    assert rows(folder / "marks.csv")["ada"]["02.1"] == "0"
    assert Cheap.judged == 1 and (folder / "marks-weights.csv").read_text() == table


@pytest.mark.parametrize(
    ("lines", "complaint"),
    [
        ("03.1,hybridized,1", "exercise '03.1' is not marked in this run"),
        ("02.1,speed,1", "02.1 has no check 'speed'. Its checks are 'line by line', 'hybridized'"),
        ("02.1,hybridized,many", "the points must be a number that is 0 or more, not 'many'"),
        ("02.1,hybridized,1\n02.1,hybridized,2", "more than one row for the check 'hybridized' of exercise 02.1"),
        ("02.1,hybridized,1", "no row for these checks of exercise 02.1: 'line by line', 'in training', 'as a file'."),
        (
            "\n".join(f"02.1,{name},1" for name in ("line by line", "hybridized", "in training")),
            "no row for this check of exercise 02.1: 'as a file'.",
        ),
    ],
)
def test_weights_that_mean_nothing_are_refused_before_anything_runs(marked, lines, complaint, capsys):
    folder, words = marked
    (folder / "marks-weights.csv").write_text(f"exercise,check,points\n{lines}\n")
    Cheap.judged = 0
    assert main(words) == 1
    assert complaint in capsys.readouterr().err and Cheap.judged == 0 and not (folder / "marks.csv").exists()


def test_tables_with_other_columns_are_refused(tmp_path):
    path = tmp_path / "w.csv"
    path.write_text("exercise,check,points,wieght\n")
    with pytest.raises(UsageError, match=r"unknown column 'wieght'. The known columns are exercise, check, points"):
        read_weights(path, ["02.1"])
    path.write_bytes("exercise;check;points\r\n05.2;;2,5\r\n".encode("utf-8-sig"))
    assert read_weights(path, ["05.2"]).points == {"05.2": {"": 2.5}}
    path.write_bytes(b"exercise,check,points\n\xff\xff\n")
    with pytest.raises(UsageError, match="not encoded in UTF-8"):
        read_weights(path, ["05.2"])


def test_an_exercise_of_one_part_can_weigh_more():
    weights = Weights({"05.2": {"": 4}})
    assert weights.weighed(Mark("05.2", "right", 1, 1, "")).points == 4
    assert weights.weighed(Mark("05.2", "wrong", 0, 1, "")).points == 0
    assert weights.weighed(Mark("05.2", "needs a look", 0, 1, "")).out_of == 4


# The page ---------------------------------------------------------------------------------------------


def test_a_page_shows_each_part_and_the_answer(marked):
    folder, words = marked
    assert main(words) == 0
    text = (folder / "marks-reports" / "ada.html").read_text()
    lines = re.findall(r"<tr><td>(.)</td><td>(.*?)</td><td>(.*?)</td><td>(.*?)</td></tr>", text)
    assert lines == [("✗", PARTS[0], "0 of 0.25", "no"), *(("✓", name, "0.25 of 0.25", "") for name in PARTS[1:])]
    assert "<summary>Your answer</summary><pre>make_net = 1 &lt; 2</pre>" in text


def test_a_long_or_odd_answer_is_shown_as_far_as_it_goes():
    report = Report("x", [Mark("02.1", "wrong", 0, 1, "no")])
    text = page(report, {"02.1": "</pre><script>\x00" + "x" * 10**6})
    assert len(text) < 30_000 and "<script>" not in text and "\x00" not in text and "1000015 characters" in text
    assert "Your answer" not in page(report, {"02.1": "  "}) and "Your answer" not in page(report)
