"""Points for parts of an answer: alike, as a table says, or not at all; and what stands on the page of a student."""

import csv
import json
import os
import re

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from d2lhybrid.exercises import ex
from d2lhybrid.school.exercises.results import Part, Result, State
from d2lhybrid.school.grading import Limits, Mark, Report, Submission, grade_submission, marking
from d2lhybrid.school.grading.arguments import UsageError
from d2lhybrid.school.grading.reports import page
from d2lhybrid.school.grading.weights import Weights, read_weights
from d2lhybrid.tools.cli import main

PARTS = ex("02.1").parts
LIMITS = Limits(seconds=5, memory=2**30)
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


@pytest.mark.parametrize("end", ["import os; os.abort()", "while True:\n            pass"])
def test_an_answer_that_ends_the_check_gets_nothing(end):
    mark = one(ONLY_LINE_BY_LINE.replace("x.asnumpy()", f"if not isinstance(x, nd.NDArray):\n            {end}"))
    assert mark.state == "error" and mark.points == 0 and not mark.parts


def test_a_solution_gets_everything():
    mark = one(ex("06.4").solution_code, "06.4")
    assert mark.points == 3 and all(part.right for part in mark.parts) and mark.worth == [1, 1, 1]


def test_a_line_of_a_table_counts():
    given = {**dict.fromkeys(ex("01.3").parts, "nothing"), "print": "imperative", "phone": "symbolic"}
    mark = one(f"choices = {given}", "01.3")
    assert {part.name for part in mark.parts if part.right} == {"print", "phone"} and mark.points == 0.33


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
        ("03.1,hybridized,1", "exercise '03.1' is not one of those that count"),
        ("02.1,speed,1", "02.1 has no check 'speed'. It has 'line by line', 'hybridized'"),
        ("02.1,hybridized,many", "'many' is no number of points"),
        ("02.1,hybridized,1\n02.1,hybridized,2", "two lines for 02.1, 'hybridized'"),
        ("02.1,hybridized,1", "of 02.1, there is no line for 'line by line', 'in training', 'as a file'"),
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
    with pytest.raises(UsageError, match="column 'wieght', which is none of exercise, check, points"):
        read_weights(path, ["02.1"])
    path.write_bytes("exercise;check;points\r\n05.2;;2,5\r\n".encode("utf-8-sig"))
    assert read_weights(path, ["05.2"]).points == {"05.2": {"": 2.5}}
    path.write_bytes(b"exercise,check,points\n\xff\xff\n")
    with pytest.raises(UsageError, match="not in UTF-8"):
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
