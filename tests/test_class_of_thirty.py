"""Everybody in a class of thirty gets a number, whatever was handed in and however, and nothing false is said."""

import contextlib
import csv
import io
import os

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from class_of_thirty import make_class, misread

from d2lhybrid.internals.commands.cli import main

#: In one process, which marks the class once.
pytestmark = pytest.mark.xdist_group("class of thirty")

CHAPTERS = ["01", "03"]  # `make class-of-thirty` marks all of them
STATES = ("right", "wrong", "error", "not attempted", "needs a look")


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    folder = tmp_path_factory.mktemp("thirty")
    expected = make_class(folder / "class", CHAPTERS)
    assert len(expected) == 30
    table = folder / "marks.csv"
    said = io.StringIO()
    with contextlib.redirect_stderr(said):
        assert main(["grade", str(folder / "class"), "-o", str(table), "--seed", "1"]) == 0
    assert said.getvalue() == "Reading 172 files as the submissions of 30 students.\n"
    rows = {row["submission"]: row for row in csv.DictReader(table.read_text("utf-8").splitlines())}
    return folder, expected, rows


def test_everybody_has_the_number_that_is_due(marked):
    _, expected, rows = marked
    assert misread(expected, [*rows.values()]) == []


def test_all_are_marked_out_of_the_same_chapters(marked):
    _, _, rows = marked
    numbers = [column for column in next(iter(rows.values())) if column[:1].isdigit()]
    assert {number[:2] for number in numbers} == set(CHAPTERS)
    assert len({row["out of"] for row in rows.values()}) == 1


def test_what_was_not_done_is_not_attempted(marked):
    _, expected, rows = marked
    for name, mark in expected.items():
        row = rows[name]
        if mark == (0, 0, 0):
            assert (row["wrong"], row["error"], row["right"], row["problem"]) == ("0", "0", "0", ""), row
        assert sum(int(row[state]) for state in STATES) == sum(column[:1].isdigit() for column in row), row


def test_wrong_answers_are_worth_their_parts(marked):
    _, expected, rows = marked
    assert 0 < expected["pedro"].points < float(rows["pedro"]["out of"]) / 2
    assert int(rows["pedro"]["right"]) == 0


def test_one_row_a_student_goes_into_the_gradebook(marked, capsys):
    folder, expected, _ = marked
    assert main(["gather", str(folder / "marks.csv"), "-o", str(folder / "class.csv")]) == 0
    rows = {row["student"]: row for row in csv.DictReader((folder / "class.csv").read_text("utf-8").splitlines())}
    assert {name: float(row["points"]) for name, row in rows.items()} == {
        n: mark.points for n, mark in expected.items()
    }
    assert "Students: late." in capsys.readouterr().err
