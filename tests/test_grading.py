"""``d2lhybrid grade``: right marks for all, none lost, and no way to a mark but a right answer."""

import contextlib
import csv
import html
import json
import os
import re
import sys
import tempfile
import time
from pathlib import Path

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from hostile_answers import HOSTILE, if_it_works
from judged import mistakes

import d2lhybrid
from d2lhybrid.exercises import ex, exercises
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.grading import (
    Limits,
    Mark,
    Report,
    Submission,
    grade,
    grade_submission,
    marking,
    read_submission,
)
from d2lhybrid.internals.course.grading.reports import page, table
from d2lhybrid.internals.course.grading.stage import stage_folder
from d2lhybrid.internals.course.grading.submission import numbers_to_mark
from d2lhybrid.internals.course.probing.confine import layers

#: In one process, which marks the class once.
pytestmark = pytest.mark.xdist_group("grading")

NUMBERS = ["01.1", "02.1", "03.2"]
POINTS = {n: ex(n).points for n in NUMBERS}
ALL = sum(POINTS.values())
LIMITS = Limits(seconds=5, memory=2**30)


def cell(source, grade_id=None, kind="code"):
    metadata = {"nbgrader": {"grade_id": grade_id}} if grade_id else {}
    return {"cell_type": kind, "source": source, "metadata": metadata}


def notebook(answers):
    """Return a notebook as students hand it in: a text, an answer and a check for each exercise."""
    cells = [cell("import numpy", "")]
    for number, code in answers.items():
        name = number.replace(".", "-")
        cells += [
            cell(f"## {number} {ex(number).title}", kind="markdown"),
            cell(code, f"answer-{name}"),
            cell(f'ex("{number}").check({ex(number).answer})', f"check-{name}"),
        ]
    return json.dumps({"cells": cells, "metadata": {}, "nbformat": 4, "nbformat_minor": 5})


RIGHT = {number: ex(number).solution_code for number in NUMBERS}


def honest():
    """Return name -> (answers, points): what ordinary classes hand in."""
    found = {"a right one": (RIGHT, ALL), "starters": ({n: ex(n).starter for n in NUMBERS}, 0)}
    for number in NUMBERS:
        for mistake in mistakes(ex(number))[:3]:
            if mistake.name != "hard_coded":
                found[f"{number} {mistake.name}"] = ({**RIGHT, number: mistake.code}, ALL - POINTS[number])
    for number in ("01.1", "02.1"):
        code = next(m.code for m in mistakes(ex(number)) if m.name == "hard_coded")
        found[f"{number} hard-coded"] = ({**RIGHT, number: code}, ALL - POINTS[number])
    return found


def processes_of_answers():
    """Return the command lines of servers and answers that this process has started."""
    stage = str(stage_folder()).encode()
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        with contextlib.suppress(OSError):
            arguments = path.read_bytes().split(b"\0")
            if stage in arguments:
                found.append(b" ".join(arguments).decode())
    return found


def test_no_solution_lies_where_answers_run():
    files = {path: path.read_bytes() for path in (stage_folder() / "d2lhybrid").rglob("*") if path.is_file()}
    assert len(files) > 500
    for exercise in exercises():
        solution = exercise.solution_code.strip().encode()
        assert not [path for path, content in files.items() if solution in content], exercise.number


@pytest.fixture(scope="module")
def marked(tmp_path_factory):
    """Mark the whole class once, as a teacher would: with the command."""
    folder = tmp_path_factory.mktemp("class")
    (folder / "marks.csv").write_text("old marks")
    expected = {}
    for name, (answers, points) in honest().items():
        (folder / f"{name}.ipynb").write_text(notebook(answers))
        expected[name] = points
    package = Path(d2lhybrid.__file__).parent
    solution = package / "internals/course/exercises/tasks/imperative_and_symbolic/describe_sum/solution.py"
    assert solution.is_file()
    known = f"PACKAGE = {str(package)!r}\nSOLUTION = {str(solution)!r}\nFOLDER = {str(folder)!r}\n"
    for name, (code, _) in HOSTILE.items():
        (folder / f"{name}.ipynb").write_text(notebook({**RIGHT, "01.1": code and known + code}))
        expected[name] = ALL - POINTS["01.1"]
    (folder / "no notebook.ipynb").write_text("{")
    (folder / "deep.ipynb").write_text("[" * 100000)
    (folder / "empty.ipynb").write_text('{"cells": []}')
    expected |= {"no notebook": 0, "deep": 0, "empty": 0}
    paths = sorted(folder.glob("*.ipynb"))
    assert len(paths) == len(expected) >= 60
    arguments = ["grade", *map(str, paths), "-o", str(folder / "marks.csv"), "--seconds", "2", "--memory", "1024"]
    arguments.append("--all-or-nothing")
    marking._close_idle()  # what other tests have left open
    begin = time.monotonic()
    assert main(arguments) == 0
    print(f"{len(paths)} submissions in {time.monotonic() - begin:.0f} s")
    rows = {row["submission"]: row for row in csv.DictReader((folder / "marks.csv").read_text().splitlines())}
    return folder, expected, rows, processes_of_answers()


def test_none_is_lost(marked):
    _, expected, rows, _ = marked
    assert set(rows) == set(expected)


def test_every_mark_is_right(marked):
    _, expected, rows, _ = marked
    assert {name: int(row["points"]) for name, row in rows.items()} == expected
    assert all(int(row["out of"]) == ALL for row in rows.values())


@pytest.mark.parametrize("name", HOSTILE)
def test_what_is_tried_fails_and_is_named(marked, name):
    folder, _, rows, _ = marked
    assert rows[name]["01.1"] == "0"
    text = html.unescape(
        re.sub("<(?!script)[^>]*>", "", (folder / "marks-reports" / f"{file_stem(name)}.html").read_text())
    )
    first = text[text.index("01.1 ") : text.index("02.1 ")]
    assert re.search(HOSTILE[name][1].replace("`", ""), first), first


def file_stem(name):
    return re.sub(r"[^\w.-]+", "_", name)


def test_a_page_shows_what_people_wrote_as_text(marked):
    folder, *_ = marked
    text = (folder / "marks-reports" / "raises.html").read_text()
    assert "<script>" not in text and "&lt;script&gt;" in text


def test_what_is_no_notebook_has_a_problem(marked):
    _, _, rows, _ = marked
    assert rows["no notebook"]["problem"] == "the notebook is truncated in line 1"
    assert rows["deep"]["problem"] == "this is not a notebook"
    for row in (rows["no notebook"], rows["deep"]):
        assert [row[n] for n in NUMBERS] == ["?"] * 3 and (row["points"], row["needs a look"]) == ("0", "3")


@pytest.mark.skipif(not Path("/proc").is_dir(), reason="processes are listed in /proc")
def test_no_process_is_left_behind(marked):
    """Neither servers, nor answers, nor what these have started: all of them have the stage on their command line."""
    assert marked[3] == []


def test_no_folder_is_left_behind(marked):
    left = Path(tempfile.gettempdir()).glob("d2lhybrid-grading-answer-*")
    assert not [path for path in left if not Path("/proc", path.name.split("-")[3]).exists()]


def test_full_confinement_on_this_machine():
    if sys.platform != "linux":
        pytest.skip("Landlock and seccomp are Linux's")
    if "Landlock" not in layers():
        pytest.skip("this kernel has no Landlock; without it, the audit hook alone keeps answers from files")
    assert layers() == ["resource limits", "audit hook", "Landlock", "seccomp"]


# Single submissions -----------------------------------------------------------------------------------


def one(code, number="01.1", **kwargs):
    report = grade_submission(Submission("x", {number: [(code, True)]}), [number], LIMITS, **kwargs)
    return report.marks[0]


def test_an_attack_that_worked_would_get_a_mark():
    """Otherwise the marks of those that fail would say nothing."""
    assert one(if_it_works("pass")).state == "right"


def test_hostile_after_the_answer_harms_only_itself():
    """What an answer leaves behind in its process is gone with it."""
    poison = "import d2lhybrid\nd2lhybrid.nd.relu = None\nimport numpy\nnumpy.ones = None\nraise ValueError"
    answers = {"01.1": [(poison, True)], "03.1": [(ex("03.1").solution_code, True)]}
    report = grade_submission(Submission("x", answers), ["01.1", "03.1"], LIMITS)
    assert [mark.state for mark in report.marks] == ["error", "right"]


def test_a_graph_that_is_too_large_to_run_is_wrong():
    code = (
        "def distance(a, b):\n"
        "    return sym.broadcast_to(sym.reshape(sym.sum(a - b), (1, 1)), shape=(10**6, 10**6)) + 1"
    )
    mark = one(code, "01.4")
    assert mark.state == "wrong" and "The graph cannot be run" in mark.message


def test_a_graph_that_never_ends_costs_only_its_own_mark():
    """It is the checker that runs it: the command brings it to an end, and goes on with a new one."""
    code = (
        "def distance(a, b):\n"
        "    step = lambda i: ([], [i + 1])\n"
        "    _, (i,) = sym.contrib.while_loop(lambda i: sym.sum(i) >= 0, step, [a * a], max_iterations=2**30)\n"
        "    return sym.sum(i + b, axis=1)\n"
    )
    answers = {"01.4": [(code, True)], "03.1": [(ex("03.1").solution_code, True)]}
    limits = Limits(seconds=2, memory=2**30, checking=3)
    report = grade_submission(Submission("x", answers), ["01.4", "03.1"], limits)
    assert [mark.state for mark in report.marks] == ["error", "right"], report
    assert "Checking the answer's result took too long" in report.marks[0].message


@pytest.mark.parametrize("number", ["03.6", "04.7", "05.1", "05.4", "06.4", "06.5", "07.1", "07.5"])
def test_solutions_of_every_kind_pass_across_processes(number):
    mark = one(ex(number).solution_code, number)
    assert mark.state == "right", mark


@pytest.mark.parametrize("number", ["03.1", "05.1", "06.4", "06.5", "07.1"])
def test_the_verdict_is_that_of_the_notebook(number):
    for mistake in mistakes(ex(number))[:4]:
        mark = one(mistake.code, number)
        assert mark.state in ("wrong", "error")
        assert mistake.says in "\n".join([mark.message, *mark.details]), mark


def test_helpers_and_hints_between_the_cells_do_no_harm(tmp_path):
    number = "01.1"
    cells = [
        cell("## 01.1 ...", kind="markdown"),
        cell("from d2lhybrid.exercises import ex\nex('01.1').hint()"),
        cell("separator = ' + '"),
        cell("def describe_sum(n):\n    return 'print(' + separator.join(map(str, n)) + ')'", "answer-01-1"),
        cell("%timeit 1\n!ls\n1 / 0"),
        cell('ex("01.1").check(describe_sum)', "check-01-1"),
    ]
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps({"cells": cells}))
    report = grade_submission(read_submission(path), [number], LIMITS)
    assert report.marks[0].state == "right", report


def test_magics_in_an_answer_are_passed_over():
    code = "%matplotlib inline\n" + ex("01.1").solution_code + "\ndescribe_sum?"
    assert one(code).state == "right"


def test_notebooks_without_metadata_are_read_by_their_order(tmp_path):
    data = json.loads(notebook(RIGHT))
    for c in data["cells"]:
        c["metadata"] = {}
        c["source"] = c["source"].splitlines(keepends=True)
    path = tmp_path / "x.ipynb"
    path.write_text(json.dumps(data))
    answers = read_submission(path).answers
    assert {number: cells[-1] for number, cells in answers.items()} == {n: (c, True) for n, c in RIGHT.items()}


def test_the_same_seed_gives_the_same_verdict():
    code = "def describe_sum(numbers):\n    return repr(numbers)"
    messages = {one(code, seed=7).message, one(code, seed=7).message}
    assert len(messages) == 1
    assert one(code, seed=8).message not in messages


def test_what_counts_is_not_decided_by_a_single_student():
    normal = Submission("a", {"01.1": [], "01.2": []})
    assert numbers_to_mark([normal, normal, Submission("b", {"07.4": []})]) == ["01.1", "01.2"]
    assert numbers_to_mark([], ["03", "04.1"]) == [f"03.{i}" for i in range(1, 7)] + ["04.1"]
    with pytest.raises(ValueError, match=r"no exercise or chapter 08"):
        numbers_to_mark([], ["08"])


def test_a_table_cannot_run_anything():
    mark = Mark("01.1", "right", 1, 1, "")
    text = table([Report("=cmd()", [mark]), Report('b,\n"c', [mark], "-1")])
    rows = list(csv.reader(text.splitlines(keepends=True)))
    assert rows[1][0] == "'=cmd()" and rows[2][0] == 'b,?"c' and rows[2][-1] == "'-1"


def test_a_total_is_a_number_and_what_needs_a_look_is_counted_beside_it():
    marks = [Mark("01.1", "right", 1, 1, ""), Mark("01.2", "needs a look", 0, 2, ""), Mark("01.3", "wrong", 0, 1, "")]
    (row,) = csv.DictReader(table([Report("ada", marks)]).splitlines())
    assert (row["points"], row["out of"], row["needs a look"]) == ("1", "4", "1")
    assert (row["01.1"], row["01.2"], row["01.3"]) == ("1", "?", "0")


def test_a_page_has_the_points():
    text = page(Report("Ada & Co", [Mark("01.1", "right", 1, 1, "`x` holds.", ["<a>"])]))
    assert "<h1>Ada &amp; Co: 1 of 1 point</h1>" in text and "<code>x</code> holds." in text and "&lt;a&gt;" in text


def test_reports_come_in_the_order_of_the_submissions():
    slow = "import time\ntime.sleep(0.5)\n" + ex("01.1").solution_code
    submissions = [Submission(str(i), {"01.1": [(slow if i == 0 else "x = 1", True)]}) for i in range(4)]
    seen = []
    reports = grade(submissions, ["01.1"], LIMITS, workers=2, done=seen.append)
    assert [r.name for r in reports] == ["0", "1", "2", "3"] and len(seen) == 4
    assert [r.points for r in reports] == [1, 0, 0, 0]


# The command ------------------------------------------------------------------------------------------


def test_two_files_of_one_name(tmp_path, capsys):
    for student in ("ada", "bob"):
        (tmp_path / student).mkdir()
        (tmp_path / student / "03.ipynb").write_text(notebook(RIGHT if student == "ada" else {"01.1": "x = 1"}))
    paths = sorted(tmp_path.glob("*/*.ipynb"))
    status = main(["grade", *map(str, paths), "-o", str(tmp_path / "m.csv"), "-e", "01.1", "--workers", "1"])
    assert status == 0 and "2 submissions, 1 exercise, at most 1 point." in capsys.readouterr().out
    rows = list(csv.DictReader((tmp_path / "m.csv").read_text().splitlines()))
    assert [row["points"] for row in rows] == ["1", "0"]
    assert rows[0]["submission"].endswith("ada/03") and rows[1]["submission"].endswith("bob/03")
    assert len(list((tmp_path / "m-reports").iterdir())) == 2


def test_complaints(tmp_path, capsys, monkeypatch):
    assert main(["grade", str(tmp_path / "nobody.ipynb")]) == 1
    assert "There is no file" in capsys.readouterr().err
    (tmp_path / "x.ipynb").write_text(notebook(RIGHT))
    assert main(["grade", str(tmp_path / "x.ipynb"), "-e", "99"]) == 1
    assert "no exercise or chapter 99" in capsys.readouterr().err
    (tmp_path / "y.ipynb").write_text('{"cells": []}')
    assert main(["grade", str(tmp_path / "y.ipynb")]) == 1
    assert "These notebooks contain no exercises" in capsys.readouterr().err
    monkeypatch.delenv("DASK_SCHEDULER_ADDRESS", raising=False)
    assert main(["grade", str(tmp_path / "x.ipynb"), "--executor", "dask"]) == 1
    assert re.search("Dask is not installed|The address of the Dask cluster is missing", capsys.readouterr().err)
