"""A row for each student over all chapters, and what Canvas, Moodle and Gradescope import."""

import csv
import json
import os
from pathlib import Path

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from d2lhybrid.exercises import ex
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.exercises.results import Part
from d2lhybrid.internals.course.grading import Mark, Report
from d2lhybrid.internals.course.grading.gradebooks import gradescope_results
from d2lhybrid.internals.course.grading.handed_in import Student, student_of
from d2lhybrid.internals.course.grading.names import names_of
from d2lhybrid.internals.course.grading.reports import table, write_results
from d2lhybrid.internals.course.grading.weights import Weights

NUMBERS = ["01.1", "03.1"]


@pytest.fixture
def folder(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def write_marks(path, found):
    """Write a table as the command does: submission -> points of 01.1 and 03.1, None for no such exercise."""
    reports = []
    for name, points in found.items():
        marks = []
        for number, given in zip(NUMBERS, points, strict=True):
            state = "needs a look" if given == "?" else "right" if given else "not attempted"
            value = given if isinstance(given, int | float) else 0
            marks.append(Mark(number, state, value, 1, "", missing=given is None))
        reports.append(Report(name, marks))
    Path(path).write_text(table(reports))


def rows(path):
    return list(csv.DictReader(Path(path).read_text().splitlines()))


@pytest.mark.parametrize(
    ("name", "student"),
    [
        ("doejane_1234_5678_answers", Student("1234", "doejane")),
        ("doejane_LATE_1234_5678_my_answers-1", Student("1234", "doejane")),
        ("王小明_1234_5678_01_imperative", Student("1234", "王小明")),
        ("Jane van Doe_77_assignsubmission_file_/answers", Student("77", "Jane van Doe")),
        ("Jane Doe_77_assignsubmission_file_answers", Student("77", "Jane Doe")),
        ("Participant_77_assignsubmission_file_", Student("77", "Participant")),
        ("submission_4711/answers", Student("4711")),
        ("anon_aB3xZ_5678_answers", Student("anon_aB3xZ")),
        ("LATE_anon_aB3xZ_5678_answers_2", Student("anon_aB3xZ")),
        ("Group A_12_assignsubmission_file_/answers", Student("12", "Group A")),
        ("ada", None),
        ("ada/03", None),
        ("03_hybrid_block", None),
        ("ada_03_1", None),
        ("answers_1_2_final", None),
    ],
)
def test_names_of_downloads_are_recognised(name, student):
    assert student_of(name) == student


def test_the_folder_of_a_student_stays_in_the_name():
    paths = [Path("in/Jane Doe_77_assignsubmission_file_/a.ipynb"), Path("in/submission_1/b.ipynb"), Path("in/c.ipynb")]
    assert names_of(paths) == ["Jane Doe_77_assignsubmission_file_/a", "submission_1/b", "c"]


def test_chapters_become_one_row(folder):
    write_marks("marks-01.csv", {"ada/01": (1, None), "bob/01": (0, None)})
    write_marks("marks-03.csv", {"ada/03": (None, 0.75)})
    assert main(["gather", "marks-01.csv", "marks-03.csv"]) == 0
    assert rows("class.csv") == [
        {
            "student": "ada",
            "name": "",
            "points": "1.75",
            "01.1": "1",
            "03.1": "0.75",
            "needs a look": "0",
            "submissions": "ada/01; ada/03",
        },
        {
            "student": "bob",
            "name": "",
            "points": "0",
            "01.1": "0",
            "03.1": "",
            "needs a look": "0",
            "submissions": "bob/01",
        },
    ]


def test_names_are_mapped_and_who_handed_in_nothing_has_a_row(folder):
    write_marks("marks.csv", {"x1": (1, None), "final_v2": (None, 1), "Jane Doe_77_assignsubmission_file_/a": (1, "?")})
    Path("students.csv").write_text("submission;student;name\nx1.ipynb;s1;Ada\nfinal_v2;s1;Ada\ngone;s2;Bob\n")
    assert main(["gather", "marks.csv", "--students", "students.csv", "-o", "all.csv"]) == 0
    found = {row["student"]: row for row in rows("all.csv")}
    assert {name: row["points"] for name, row in found.items()} == {"s1": "2", "s2": "0", "77": "1"}
    assert {name: row["needs a look"] for name, row in found.items()} == {"s1": "0", "s2": "0", "77": "1"}
    assert found["s1"]["name"] == "Ada" and found["77"]["03.1"] == "?" and found["77"]["name"] == "Jane Doe"


CANVAS = """Student,ID,SIS User ID,SIS Login ID,Section,Homework 3 (991),Other (992)
    Points Possible,,,,,2,5
"Doe, Jane",1234,u77,jane,S1,,4
"Roe, Richard",1235,u78,rich,S1,1.5,4
"""
MOODLE = """Identifier,Full name,Email address,Status,Grade,Maximum Grade,Last modified (grade),Feedback comments
Participant 77,Jane Doe,jane@x.org,Submitted,,2.00,-,
Participant 78,Richard Roe,rich@x.org,No submission,,2.00,-,
"""


def test_canvas_gets_its_columns_and_nothing_else_changes(folder):
    write_marks("marks.csv", {"doejane_LATE_1234_5678_a": (1, 0.5)})
    Path("book.csv").write_text(CANVAS)
    assert main(["gather", "marks.csv", "--canvas", "book.csv", "--column", "Homework 3"]) == 0
    found = rows("class-canvas.csv")
    assert list(found[0]) == ["Student", "ID", "SIS User ID", "SIS Login ID", "Section", "Homework 3 (991)"]
    assert [row["Homework 3 (991)"] for row in found] == ["2", "1.5", "1.5"]
    assert Path("book.csv").read_text() == CANVAS


#: As Canvas writes it with all that may be switched on: names in two columns, more numbers, a column of the teacher's,
#: a row on posting, scores that it calculates, students who are excused or for whom there is nothing to do.
CANVAS_IN_FULL = """\ufeffLastName;FirstName;ID;SIS User ID;SIS Login ID;Integration ID;Root Account;Section;Notes;\
Homework 3 (991);Final Score
;;;;;;;;;Manual Posting;
    Points Possible;;;;;;;;;2,00;(read only)
Doe;Jane;1234;u77;jane;i1;school.edu;S1;likes tea;;80
Roe;Richard;1235;u78;rich;i2;school.edu;S1;;EX;80
Poe;Edgar;1236;u79;ed;i3;school.edu;S1;;N/A;80
Student;Test;1237;;t;;school.edu;S1;;;
"""


def test_canvas_with_all_of_its_columns(folder, capsys):
    names = ["doejane_1234_501_a", "roerichard_1235_502_a", "poeedgar_1236_503_a"]
    write_marks("marks.csv", dict.fromkeys(names, (1, 0.75)))
    Path("book.csv").write_text(CANVAS_IN_FULL, "utf-8")
    assert main(["gather", "marks.csv", "--canvas", "book.csv", "--column", "Homework 3"]) == 0
    found = rows("class-canvas.csv")
    kept = ["LastName", "FirstName", "ID", "SIS User ID", "SIS Login ID", "Integration ID", "Root Account", "Section"]
    assert list(found[0]) == [*kept, "Homework 3 (991)"]
    assert [row["Homework 3 (991)"] for row in found] == ["Manual Posting", "2,00", "1.75", "EX", "N/A", ""]
    assert "their entries in the gradebook are kept: Roe (EX), Poe (N/A)" in capsys.readouterr().err


def test_points_are_written_in_full(folder):
    write_marks("marks.csv", {"doejane_1234_501_a": (12345, 0.67)})
    Path("book.csv").write_text(CANVAS)
    assert main(["gather", "marks.csv", "--canvas", "book.csv", "--column", "Homework 3"]) == 0
    assert rows("class-canvas.csv")[1]["Homework 3 (991)"] == "12345.67"


def test_moodle_gets_its_worksheet_with_grades(folder):
    write_marks("marks.csv", {"Jane Doe_77_assignsubmission_file_/a": (1, 1)})
    Path("sheet.csv").write_bytes(b"\xef\xbb\xbf" + MOODLE.encode())
    assert main(["gather", "marks.csv", "--moodle", "sheet.csv"]) == 0
    found = rows("class-moodle.csv")
    assert [row["Grade"] for row in found] == ["2", ""] and list(found[0]) == MOODLE.splitlines()[0].split(",")


def test_who_needs_a_look_keeps_what_the_gradebook_has(folder, capsys):
    write_marks("marks.csv", {"roe_1235_501_a": ("?", 1)})
    Path("book.csv").write_text(CANVAS)
    assert main(["gather", "marks.csv", "--canvas", "book.csv", "--column", "Homework 3 (991)"]) == 0
    assert rows("class-canvas.csv")[2]["Homework 3 (991)"] == "1.5"
    assert "The gradebook keeps its entries" in capsys.readouterr().err


@pytest.mark.parametrize(
    ("marks", "more", "complaint"),
    [
        ({"ada": (1, 1)}, ["--canvas", "book.csv", "--column", "Homework 3"], "book.csv has no row for ada"),
        ({"ada": (1, 1)}, ["--moodle", "sheet.csv"], "sheet.csv has no row for ada (searched columns: Identifier, "),
        ({f"s{i}": (1, 1) for i in range(12)}, ["--moodle", "sheet.csv"], " and 2 more (searched columns"),
        ({"ada": (1, 1)}, ["--moodle", "book.csv"], "book.csv has no columns 'Identifier', 'Grade', 'Last modified"),
        (
            {"P_77_assignsubmission_file_/a": (2, 1)},
            ["--moodle", "sheet.csv"],
            "has 3 points, but Moodle ignores marks above the maximum grade, 2",
        ),
        ({"a_1234_501_x": (1, 1)}, ["--canvas", "twins.csv", "--column", "Homework 3"], "more than one row for 1234"),
        (
            {"a_1234_501_x": (1, 1)},
            ["--canvas", "computed.csv", "--column", "Homework 3"],
            "cannot be imported into this column",
        ),
        ({"a_1234_501_x": (1, 1)}, ["--canvas", "book.csv", "--column", "Homework"], "has no column for 'Homework'"),
        ({"a_1234_501_x": (1, 1)}, ["--canvas", "book.csv"], "The Canvas column is missing"),
        (
            {"a_1234_501_x": (1, 1), "a_1234_502_x": (1, 0)},
            [],
            "1234 has two marks for exercise 01.1, in 'a_1234_501_x' and",
        ),
        ({"ada": (1, 1)}, ["--students", "students.csv"], "The students of these submissions are unknown"),
        ({"x1": (1, 1)}, ["--students", "twice.csv"], "more than one row for the submission 'x1'"),
        (
            {"x1": (1, 1)},
            ["--students", "odd.csv"],
            "unknown column 'nmae'. The known columns are submission, student, name",
        ),
        ({"x1": (1, 1)}, ["--students", "marks.csv"], "has no column 'student'"),
        ({"x1": (1, 1)}, ["--students", "none.csv"], "There is no file none.csv"),
        ({"x1": (1, 1)}, ["book.csv"], "book.csv is not a table of marks"),
        ({"x1": (1, 1)}, ["-o", "marks.csv"], "marks.csv is an input"),
    ],
)
def test_what_does_not_fit_is_said_and_nothing_is_written(marks, more, complaint, folder, capsys):
    write_marks("marks.csv", marks)
    Path("book.csv").write_text(CANVAS)
    Path("sheet.csv").write_text(MOODLE)
    Path("twins.csv").write_text(CANVAS.replace("u78", "1234"))
    Path("computed.csv").write_text(CANVAS.replace(",,,2,5", ",,,(read only),5"))
    Path("students.csv").write_text("submission,student\nx1,s1\n")
    Path("twice.csv").write_text("submission,student\nx1,s1\nx1,s2\n")
    Path("odd.csv").write_text("submission,student,nmae\nx1,s1,Ada\n")
    Path("class.csv").write_text("older")
    before = {path.name: path.read_bytes() for path in folder.iterdir()}
    assert main(["gather", "marks.csv", *more]) == 1
    assert complaint in capsys.readouterr().err
    assert {path.name: path.read_bytes() for path in folder.iterdir()} == before


def test_gradescope_gets_a_test_for_each_part(tmp_path):
    parts = [Part(name, i == 0, "" if i == 0 else "no") for i, name in enumerate(ex("03.1").parts)]
    marks = [Mark("01.1", "right", 1, 1, "good"), Mark("03.1", "wrong", 0, 1, "no", [], parts)]
    report = Weights().report(Report("submission_1/a", marks))
    found = json.loads(gradescope_results(report))
    assert found["score"] == 1.25 == sum(test["score"] for test in found["tests"]) and len(found["tests"]) == 5
    assert sum(test["max_score"] for test in found["tests"]) == 2 and found["tests"][2]["output"] == "no"
    unclear = Report("b", [Mark("01.1", "needs a look", 0, 1, "odd \ud800")])
    found = json.loads(gradescope_results(unclear))
    assert found["score"] == 0 and found["output"] == "0 of 1 point; need a look by a person: 01.1"
    assert write_results([report, unclear], tmp_path / "to") == []
    assert sorted(path.parent.name for path in (tmp_path / "to").glob("*/results.json")) == ["b", "submission_1_a"]
