"""What a teacher gets besides marks: the class on one page, marks set by hand, answers alike; what a student gets."""

import csv
import json
import os
import re

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from d2lhybrid.exercises import ex
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.grading import Mark, Report, Submission, overrides, similar
from d2lhybrid.internals.course.grading.arguments import UsageError
from d2lhybrid.internals.course.grading.overview import common_mistakes, overview

RIGHT = ex("01.1").solution_code
WRONG = "def describe_sum(numbers):\n    return sum(numbers)"
FOLDED = ex("01.2").solution_code
OWN = """import ast

def walk(node):
    if isinstance(node, ast.BinOp):
        left, right = walk(node.left), walk(node.right)
        if isinstance(left, ast.Constant) and isinstance(right, ast.Constant):
            return ast.Constant(eval(ast.unparse(ast.BinOp(left, node.op, right))))
        return ast.BinOp(left, node.op, right)
    return node

def fold(text):
    return ast.unparse(walk(ast.parse(text, mode="eval").body))
"""


def write_notebook(path, answers):
    cells = []
    for number, code in answers.items():
        name = number.replace(".", "-")
        for source, grade_id in ((code, f"answer-{name}"), ("", f"check-{name}")):
            cells.append({"cell_type": "code", "source": source, "metadata": {"nbgrader": {"grade_id": grade_id}}})
    path.write_text(json.dumps({"cells": cells}))


def rows(path):
    return {row["submission"]: row for row in csv.DictReader(path.read_text("utf-8").splitlines())}


@pytest.fixture
def marked(tmp_path, capsys):
    """Return a folder with a class in it, and the words that mark it."""
    write_notebook(tmp_path / "ada.ipynb", {"01.1": RIGHT, "01.2": OWN})
    write_notebook(
        tmp_path / "bob.ipynb", {"01.1": WRONG, "01.2": OWN.replace("node", "n").replace("walk", "go") + "# my own"}
    )
    write_notebook(tmp_path / "cy.ipynb", {"01.1": WRONG, "01.2": ex("01.2").starter})
    words = ["grade", str(tmp_path), "-o", str(tmp_path / "marks.csv"), "-e", "01.1", "01.2", "--workers", "1"]
    assert main(words) == 0
    return tmp_path, words


def test_the_table_counts_the_states(marked):
    folder, _ = marked
    found = rows(folder / "marks.csv")
    counts = {n: [row[c] for c in ("right", "wrong", "error", "not attempted")] for n, row in found.items()}
    assert counts == {"ada": ["2", "0", "0", "0"], "bob": ["1", "1", "0", "0"], "cy": ["0", "1", "0", "1"]}


def test_the_overview_says_what_went_wrong_and_what_is_alike(marked):
    text = (marked[0] / "marks-overview.html").read_text()
    assert "3 submissions" in text
    row = re.search(r"<tr><td>01\.1 .*?</tr>", text).group()
    assert "2× For" in row and "the function computes the sum instead of describing it" in row
    assert "<li>01.2: ada, bob</li>" in text and "<li>01.1" not in text, "short answers are alike by themselves"


def test_marks_set_by_hand_stay_in_later_runs(marked, capsys):
    folder, words = marked
    table = "submission,exercise,points,comment\nbob,01.1,0.5,the idea is right\ncy,01.1,1,<b>\n"
    (folder / "marks-overrides.csv").write_text(table)
    for more in ([], ["--resume"]):
        assert main([*words, *more]) == 0
        found = rows(folder / "marks.csv")
        assert found["bob"]["01.1"] == "0.5" and found["bob"]["points"] == str(0.5 + ex("01.2").points)
        assert found["cy"]["01.1"] == "1" and found["cy"]["right"] == "1"
        assert (folder / "marks-overrides.csv").read_text() == table
    page = (folder / "marks-reports" / "bob.html").read_text()
    assert "Set by hand: the idea is right" in page and "Before: wrong, 0 of 1" in page
    assert "&lt;b&gt;" in (folder / "marks-reports" / "cy.html").read_text()


@pytest.mark.parametrize(
    ("line", "complaint"),
    [
        ("adda,01.1,1,", "there is no submission 'adda'"),
        ("ada,01.9,1,", "exercise '01.9' is not marked in this run"),
        ("ada,01.1,much,", "the points must be a number that is 0 or more, not 'much'"),
        ("ada,01.1,-1,", "the points must be a number that is 0 or more, not '-1'"),
        ("ada,01.1,nan,", "the points must be a number that is 0 or more, not 'nan'"),
    ],
)
def test_a_line_that_means_nothing_is_refused_before_anything_runs(tmp_path, line, complaint):
    path = tmp_path / "marks-overrides.csv"
    path.write_text(f"submission,exercise,points,comment\n{line}\n")
    with pytest.raises(UsageError, match=re.escape(complaint)):
        overrides.read_overrides(path, ["ada"], ["01.1"])


def test_tables_of_other_programs_are_read(tmp_path):
    path = tmp_path / "marks-overrides.csv"
    path.write_bytes('submission,exercise,points,comment\r\n\'=ada,01.1,"1,5",schön\r\n'.encode("utf-8-sig"))
    assert overrides.read_overrides(path, ["=ada"], ["01.1"])["=ada", "01.1"] == overrides.Override(1.5, "schön")
    path.write_text("name,points\nada,1\n")
    with pytest.raises(UsageError, match="no columns 'submission', 'exercise'"):
        overrides.read_overrides(path, ["ada"], ["01.1"])
    assert overrides.read_overrides(tmp_path / "none.csv", [], []) == {}


@pytest.mark.parametrize(("state", "points", "then"), [("needs a look", 0, "wrong"), ("needs a look", 1, "right"),
                                                       ("right", 0, "wrong"), ("error", 0.5, "error")])  # fmt: skip
def test_a_mark_set_by_hand_is_clear(state, points, then):
    report = Report("ada", [Mark("01.1", state, 0, 1, "why")])
    done = overrides.overridden(report, {("ada", "01.1"): overrides.Override(points, "")})
    assert done.marks[0].state == then and done.points == points and not done.unclear
    assert overrides.overridden(report, {}) is report


def test_mistakes_of_a_kind_are_counted_together():
    messages = ["For [1, 2] it is 3.", "For [4, -5, 6] it is 1.5e-3.", "No text."]
    marks = [Mark("01.1", "wrong", 0, 1, message) for message in messages]
    assert common_mistakes([*marks, Mark("01.1", "not attempted", 0, 1, "Empty.")]) == [
        (2, messages[0]),
        (1, messages[2]),
    ]


def test_the_overview_shows_what_people_wrote_as_text():
    text = overview([Report("<b>", [Mark("01.1", "error", 0, 1, "<script>")])], {"01.1": [["<b>", "c"]]})
    assert "<script>" not in text and "&lt;b&gt;, c" in text


def test_solutions_and_starters_are_not_called_alike():
    same = {"01.2": [(FOLDED, True)]}
    assert similar.alike([Submission("a", same), Submission("b", same)], ["01.2"]) == {}
    assert similar.alike([Submission(n, {"01.2": [(OWN, True)]}) for n in "ab"], ["01.2"]) == {"01.2": [["a", "b"]]}
    assert similar.shape_of("def (") == ""


def test_other_names_are_the_same_answer():
    one = "import numpy as np\nclass Helper:\n    pass\nh = Helper()\nx = " + "np.abs(h) + " * 20 + "1"
    two = one.replace("np", "xp").replace("Helper", "Tool").replace("x =", "y =") + "  # mine"
    assert similar.shape_of(one) == similar.shape_of(two) != ""
    assert similar.shape_of(one.replace("abs", "exp")) != similar.shape_of(one)


def test_students_check_a_notebook_before_they_hand_it_in(tmp_path, capsys):
    write_notebook(tmp_path / "mine.ipynb", {"01.1": WRONG, "01.2": OWN})
    assert main(["check", str(tmp_path / "mine.ipynb")]) == 1
    said = capsys.readouterr().out
    assert "01.1 Describe instead of computing: wrong, 0 of 1." in said and "instead of describing it" in said
    assert said.rstrip().endswith("2 of 3 points: 1 wrong, 1 right.")
    assert main(["check", str(tmp_path / "mine.ipynb"), "-e", "01.2"]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mine.ipynb"], "nothing is written"


def test_what_cannot_be_checked_is_said(tmp_path, capsys):
    (tmp_path / "x.ipynb").write_text("{")
    assert main(["check", str(tmp_path / "x.ipynb")]) == 2
    assert "the notebook is truncated" in capsys.readouterr().err
    assert main(["check", str(tmp_path / "nothing.ipynb")]) == 2
    assert "There is no file" in capsys.readouterr().err
