"""Notebooks are read as students write them: whatever their habits are, a right answer is found."""

import base64
import builtins
import json
import os
import tracemalloc

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

from judged import mistakes

from d2lhybrid.exercises import chapters, ex, exercises
from d2lhybrid.internals.course.course import original
from d2lhybrid.internals.course.exercises.notebooks import LANGUAGES, answer_id, notebook_of
from d2lhybrid.internals.course.grading import Limits, Submission, grade_submission, read_submission
from d2lhybrid.internals.course.grading.cells import without_outputs
from d2lhybrid.internals.course.grading.magics import without_magics
from d2lhybrid.internals.course.grading.submission import numbers_to_mark

LIMITS = Limits(seconds=10, memory=2**30)
RIGHT = ex("01.1").solution_code.strip()
STARTER = ex("01.1").starter.strip()


def code(source, label=None):
    return {"cell_type": "code", "source": source, "metadata": {"nbgrader": {"grade_id": label}} if label else {}}


def text(source, kind="markdown"):
    return {"cell_type": kind, "source": source, "metadata": {}}


IMPORTS = code("import numpy\nfrom d2lhybrid.exercises import ex, progress")
HEADING = text("## 01.1 Describe instead of computing")
NEXT = text("## 01.2 Fold")
ANSWER = code(RIGHT, "answer-01-1")
CHECK = code('ex("01.1").check(describe_sum)', "check-01-1")
UNLABELLED_CHECK = code("ex('01.1').check(describe_sum)")

#: Habit -> cells, with a right answer to 01.1 in them.
HABITS = {
    "as it is meant": [IMPORTS, HEADING, ANSWER, CHECK],
    "an import in the first cell": [
        code("import nothing_like_this\nfrom math import floor\nimport math, functools as f"),
        HEADING,
        code("def describe_sum(numbers):\n    numbers = [math.floor(floor(n)) for n in numbers]\n"
             "    return f'print({f.reduce(lambda a, b: str(a) + chr(43) + str(b), numbers)})'", "answer-01-1"),
        CHECK,
    ],
    "an import in a cell further down": [HEADING, code("import functools\n1 / 0"), code(
        "describe_sum = functools.partial(lambda sign, numbers: f'print({sign.join(map(str, numbers))})', ' + ')",
        "answer-01-1"), CHECK],
    "a hint in the answer cell": [IMPORTS, HEADING, code(
        f"ex('01.1').hint()\nprint(progress())\n{RIGHT}\nassert ex('01.1').check(describe_sum).right", "answer-01-1")],
    "the check in the answer cell": [IMPORTS, HEADING, code(f"{RIGHT}\nex('01.1').check(describe_sum)")],
    "display, plots and bars": [HEADING, code(
        "import matplotlib.pyplot as plt\nfrom matplotlib import pyplot\nfrom IPython.display import HTML\n"
        "from tqdm.notebook import tqdm\nimport seaborn as sns\ndisplay(HTML('<b>'))\nget_ipython().system('ls')\n"
        "fig, ax = plt.subplots()\nax.plot([1, 2])\nfig, (a, b) = plt.subplots(1, 2)\nplt.show()\nsns.set()\n"
        "for i in tqdm(range(3)):\n    last = i\nassert last == 2\n" + RIGHT, "answer-01-1"), CHECK],
    "magics": [HEADING, code("%%time\n%matplotlib inline\n!ls\nfiles = !ls\n" + RIGHT
                             + "\nif files:\n    %time 1\ndescribe_sum?", "answer-01-1"), CHECK],
    "await outside of functions": [HEADING, code("import asyncio\nawait asyncio.sleep(0)\nfor _ in range(2):\n"
                                   "    await asyncio.sleep(0)\n" + RIGHT, "answer-01-1"), CHECK],
    "lines of a cloud": [HEADING, code("#@title Answer { display-mode: \"form\" }\n!pip install d2lhybrid\n"
                         "%pip install numpy\nfrom typing import *\n" + RIGHT.replace("\n", "\r\n"), "answer-01-1")],
    "commands that go on in the next line": [HEADING, code(
        "!pip install -q \\\n    d2lhybrid \\\n    numpy\n%cd \\\n  x\n" + RIGHT, "answer-01-1"), CHECK],
    "commands without a sign": [
        code("pip install d2lhybrid\nmatplotlib inline\nimport functools as ft\ncd /content\nls"), HEADING, code(
            "cd ..\nls\ndescribe_sum = lambda n: f'print({ft.reduce(lambda a, b: str(a) + chr(43) + str(b), n)})'",
            "answer-01-1"), CHECK],
    "lines as a terminal shows them": [HEADING, code(
        "\n".join((">>> " if line[0] != " " else "... ") + line for line in RIGHT.split("\n")), "answer-01-1"), CHECK],
    "lines as IPython shows them": [HEADING, code(
        "In [3]: " + RIGHT.replace("\n", "\n   ...: "), "answer-01-1"), CHECK],
    "a cell that is indented": [HEADING, code("    " + RIGHT.replace("\n", "\n    "), "answer-01-1"), CHECK],
    "two magics of the cell": [HEADING, code("%%capture\n%%time\n" + RIGHT, "answer-01-1"), CHECK],
    "packages that are not there": [HEADING, code(
        "import pandas as pd, torch\nfrom sklearn.metrics import *\nfrom scipy import stats, special\n"
        "from google.colab import drive\ndrive.mount('/content/drive')\npd.set_option('display.width', 80)\n"
        "try:\n    import tensorflow\nexcept ImportError:\n    tensorflow = None\nassert tensorflow is None\n"
        + RIGHT, "answer-01-1"), CHECK],
    "what is on the student's machine": [HEADING, code(
        "import os\nos.chdir('/content')\nname = input('Your name?')\nnotes = open('my notes.txt').read()\n"
        + RIGHT, "answer-01-1"), CHECK],
    "from the future, in the middle": [HEADING, code("x = 1\nfrom __future__ import annotations"), code(
        "import math\n" + RIGHT.replace("(numbers)", "(numbers: Sequence[int]) -> Text", 1), "answer-01-1"), CHECK],
    "a definition in a function": [HEADING, code("def begin():\n    global describe_sum\n    "
                                                 + RIGHT.replace("\n", "\n    ") + "\nbegin()", "answer-01-1"), CHECK],
    "mended below the check": [HEADING, code(
        "class Describe:\n    def __call__(self, numbers):\n        return self.text(numbers)\n"
        "describe_sum = Describe()", "answer-01-1"), CHECK,
        code("def text(numbers):\n    return f'print({sign.join(map(str, numbers))})'\nsign = ' + '"),
        code("describe_sum.text = text"), UNLABELLED_CHECK],
    "mended, and no check": [HEADING, code(
        "class Describe:\n    pass\ndescribe_sum = Describe()", "answer-01-1"), code(
        "@lambda f: setattr(Describe, '__call__', f)\ndef _(self, numbers):\n    return self.text(numbers)\n"
        "describe_sum.text = lambda numbers: f'print({chr(43).join(map(str, numbers))})'"), NEXT],
    "numbers by keywords": [HEADING, code(STARTER, "answer-01-1"), code(RIGHT.replace("describe_sum", "mine")),
                            code("ex(number='01.1').check(answer=mine)")],
    "an error after the definition": [HEADING, code(RIGHT + "\nprint(describe_sum(numbers))", "answer-01-1"), CHECK],
    "check cells deleted": [HEADING, ANSWER, NEXT],
    "labels only": [ANSWER],
    "labels lost": [HEADING, code(RIGHT), UNLABELLED_CHECK],
    "labels and headings lost": [code(RIGHT), UNLABELLED_CHECK, code("x = 1"), code("ex('01.2').check(fold)")],
    "headings only": [HEADING, code(RIGHT), NEXT],
    "the answer below the check": [HEADING, code(STARTER, "answer-01-1"), CHECK, code(RIGHT), NEXT],
    "the answer at the end": [HEADING, code(STARTER, "answer-01-1"), CHECK, NEXT, text("# Mine"), code(RIGHT)],
    "all checks at the end": [HEADING, code(RIGHT), NEXT, code("def fold(text):\n    return text"), UNLABELLED_CHECK,
                              code("ex('01.2').check(fold)")],
    "headings between helper and answer": [HEADING, code("sign = ' + '"), text("## My answer"), code(
        "def describe_sum(numbers):\n    return f'print({sign.join(map(str, numbers))})'"), CHECK],
    "a helper somewhere else": [
        code("def joined(x):\n    return sign.join(map(str, x))"),
        code("sign = ' + '"),
        HEADING,
        code("def describe_sum(numbers):\n    return f'print({joined(numbers)})'", "answer-01-1"),
    ],
    "the last of several answers": [HEADING, code("def describe_sum(numbers):\n    return 1", "answer-01-1"),
                                    code(RIGHT), CHECK],
    "another name": [HEADING, code(STARTER, "answer-01-1"), code(RIGHT.replace("describe_sum", "mine")),
                     code("ex('01.1').check(mine)")],
    "an expression": [IMPORTS, HEADING, code("ex('01.1').check(lambda n: f\"print({' + '.join(map(str, n))})\")")],
    "a heading in other words": [text("# Exercise 01.1: my solution"), code(RIGHT)],
    "a damaged cell": [HEADING, {"cell_type": "code"}, None, {"source": 3, "cell_type": "code"}, ANSWER, CHECK],
    "no metadata at all": [{"cell_type": "code", "source": RIGHT.splitlines(True)},
                           {"cell_type": "code", "source": ["ex('01.1').check(describe_sum)"], "metadata": None}],
}  # fmt: skip


def read(tmp_path, cells, **options):
    path = tmp_path / "a.ipynb"
    path.write_text(json.dumps({"cells": cells, "nbformat": 4}, **options))
    return read_submission(path)


@pytest.mark.parametrize("habit", HABITS)
def test_a_right_answer_is_found_whatever_the_habits(habit, tmp_path):
    submission = read(tmp_path, HABITS[habit])
    report = grade_submission(submission, ["01.1"], LIMITS)
    assert report.marks[0].state == "right", (report, submission.answers)


def test_a_notebook_can_be_read_in_a_kernel(tmp_path, monkeypatch):
    # IPython puts these among the builtins of its own process; answers run in another one.
    for name in ("display", "get_ipython"):
        monkeypatch.setattr(builtins, name, lambda *args: None, raising=False)
    submission = read(tmp_path, HABITS["display, plots and bars"])
    report = grade_submission(submission, ["01.1"], LIMITS)
    assert report.marks[0].state == "right", (report, submission.answers)


def test_what_stands_around_does_not_make_an_answer_right(tmp_path):
    cells = [HEADING, code("def describe_sum(numbers):\n    return 1", "answer-01-1"), CHECK]
    assert grade_submission(read(tmp_path, cells), ["01.1"], LIMITS).marks[0].state == "wrong"
    cells[1] = {"cell_type": "code"}
    damaged = read(tmp_path, [*cells, code("def describe_sum(numbers):\n    return 1")])
    assert grade_submission(damaged, ["01.1"], LIMITS).marks[0].state == "wrong", "there is an answer, and it is wrong"
    assert grade_submission(read(tmp_path, [HEADING, code(STARTER), CHECK]), ["01.1"], LIMITS).marks[0].state == (
        "not attempted"
    )


@pytest.mark.parametrize(
    ("cells", "why"),
    [
        ([HEADING, code(STARTER), text(f"```\n{RIGHT}\n```"), CHECK], "in a text cell"),
        ([HEADING, code(STARTER, "answer-01-1"), text(RIGHT, "raw"), CHECK], "in a text cell"),
        ([HEADING, code(STARTER), code(RIGHT.replace("describe_sum", "mine")), CHECK], "contain other code"),
        ([HEADING, code("%%writefile mine.py\n" + RIGHT), code("from mine import describe_sum"), CHECK], "in a file"),
        ([HEADING, code("%%file mine.py\n" + RIGHT), code("%run mine.py"), CHECK], "in a file"),
        ([HEADING, code("from my_answers import describe_sum"), CHECK], "is imported"),
        ([HEADING, code("from my_answers import *"), CHECK], "No module named 'my_answers'"),
        (
            [
                HEADING,
                code("import pandas as pd\ndef describe_sum(numbers):\n    return pd.Series(numbers).map(str)"),
                CHECK,
            ],
            "No module named 'pandas'",
        ),
        (
            [
                HEADING,
                code("from scipy import stats\nclass Describe(stats.norm):\n    pass\ndescribe_sum = Describe()"),
                CHECK,
            ],
            "No module named 'scipy'",
        ),
        ([HEADING, {"cell_type": "code"}, CHECK], "damaged"),
        ([HEADING, code("#" * 200_000 + "\n" + RIGHT), CHECK], "characters"),
    ],
)
def test_what_is_unclear_needs_a_look(cells, why, tmp_path):
    mark = grade_submission(read(tmp_path, cells), ["01.1"], LIMITS).marks[0]
    assert mark.state == "needs a look" and why in mark.message


#: All notebooks that students are given and that hold exercises: name -> the numbers of these.
GIVEN = {
    path.relative_to(original()).as_posix(): numbers
    for path in sorted(original().rglob("*.ipynb")) if ".ipynb_checkpoints" not in path.parts
    if (numbers := [e.number for e in exercises() if e.chapter == path.name[:2]])
    and f'ex(\\"{numbers[0]}\\").check(' in path.read_text("utf-8")
}  # fmt: skip


@pytest.mark.parametrize("name", GIVEN)
def test_an_untouched_notebook_is_not_attempted(name):
    submission = read_submission(original() / name)
    assert list(submission.answers) == GIVEN[name] and not submission.unclear and not submission.guessed
    report = grade_submission(submission, GIVEN[name], LIMITS)
    assert {mark.state for mark in report.marks} == {"not attempted"}, report
    assert (report.points, report.unclear) == (0, [])


def test_every_exercise_is_in_notebooks_of_both_languages():
    for folder in LANGUAGES.values():
        numbers = [number for name, found in GIVEN.items() if name.rpartition("/")[0] == folder for number in found]
        assert numbers == [e.number for e in exercises() if e.number < "50"]


def test_a_lesson_adds_no_exercise():
    lessons = [path for path in original().rglob("*.ipynb") if path.relative_to(original()).as_posix() not in GIVEN]
    for path in lessons:
        found = read_submission(path)
        assert not found.answers and not found.unclear, path


#: How exercises are left: what becomes of the starter.
LEFT = {
    "empty": lambda starter: "",
    "a remark": lambda starter: "# later",
    "a remark in each line": lambda starter: starter.rstrip().replace("\n", "  # later\n") + "  # later",
    "the dots deleted": lambda starter: starter.replace("...", ""),
    "reformatted": lambda starter: starter.replace("    ", "  "),
}


@pytest.mark.parametrize("left", LEFT)
@pytest.mark.parametrize("number", ["01.3", "02.1", "04.1", "10.1"])
@pytest.mark.parametrize("labelled", [True, False])
def test_what_is_left_is_not_attempted(number, left, labelled, tmp_path):
    exercise = ex(number)
    answer = code(LEFT[left](exercise.starter), answer_id(number) if labelled else None)
    task, check = text(f"## {number}\n\n{exercise.task}"), code(f"ex('{number}').check({exercise.answer})")
    mark = grade_submission(read(tmp_path, [IMPORTS, task, answer, check]), [number], LIMITS).marks[0]
    assert mark.state == "not attempted", mark


def test_an_answer_in_the_cell_of_its_task_needs_a_look(tmp_path):
    exercise = ex("04.1")
    answer = code(exercise.starter, "answer-04-1")
    mended = text(f"## 04.1\n\n{exercise.task.replace('x.shape[0]', '0')}")
    added = text(f"## 04.1\n\n{exercise.task}\n\n```python\n{exercise.solution_code}```")
    assert "x.shape[0]" in exercise.task
    for task in (mended, added):
        submission = read(tmp_path, [task, answer])
        assert submission.unclear == {"04.1": "`FlatMean` is defined in a text cell"}


def test_a_name_that_several_exercises_ask_for_belongs_to_its_own(tmp_path):
    cells = []
    for number in ("02.1", "02.3"):
        cells += [text(f"## {number}"), code(ex(number).solution_code)]
    cells += [code(f"ex('{number}').check(make_net)") for number in ("02.1", "02.3")]
    answers = read(tmp_path, cells).answers
    for number in ("02.1", "02.3"):
        assert answers[number] == [(ex(number).solution_code, True)]
    assert "which exercise" in read(tmp_path, [code(ex("02.1").solution_code)]).unclear["02.1"]


SHARED = ("02.1", "02.2", "02.3")


def test_answers_in_one_cell_are_told_apart_by_their_checks(tmp_path):
    cells = [code("\n\n".join(f"{ex(n).solution_code}\nassert ex('{n}').check(make_net)  # {n}" for n in SHARED))]
    submission = read(tmp_path, cells)
    assert not submission.unclear
    assert [mark.state for mark in grade_submission(submission, SHARED, LIMITS).marks] == ["right"] * 3


@pytest.mark.parametrize(
    ("cells", "unclear"),
    [
        # Two definitions in a cell, and whose is the first?
        ([code("\n".join([ex("02.1").solution_code, ex("02.3").solution_code, "ex('02.1').check(make_net)",
                          "ex('02.3').check(make_net)"]))], {"02.1", "02.3"}),
        ([text("## 02.1\n## 02.3"), code(ex("02.1").solution_code), code(ex("02.3").solution_code)], {"02.1", "02.3"}),
        ([text("## 02.3"), text("## 02.1"), code(ex("02.1").solution_code + ex("02.3").solution_code)],
         {"02.1", "02.3"}),
        # One for each, or the second is a better one.
        ([text("## 02.1"), code(ex("02.1").solution_code), text("## 02.3"), code(ex("02.3").solution_code)], set()),
        ([text("## 02.1"), code("def make_net():\n    pass\n" + ex("02.1").solution_code),
          text("## 02.3"), code(ex("02.3").starter)], set()),
    ],
)  # fmt: skip
def test_it_is_not_guessed_which_exercise_a_definition_is_for(cells, unclear, tmp_path):
    submission = read(tmp_path, cells)
    states = {mark.number: mark.state for mark in grade_submission(submission, ["02.1", "02.3"], LIMITS).marks}
    assert all(states[number] in ("needs a look", "right") for number in unclear), (states, submission.answers)
    assert "needs a look" in states.values() if unclear else states["02.1"] == "right"
    assert set(submission.unclear) & {"02.1", "02.3"} == unclear or not unclear


@pytest.mark.parametrize(
    ("number", "cut"),
    [("03.1", "    def hybrid_forward"), ("06.5", "bent.infer_shape"), ("06.5", "@bent.gradient"), ("03.2", "seen")],
)
@pytest.mark.parametrize("checked", [True, False])
def test_an_answer_in_two_cells(number, cut, checked, tmp_path):
    exercise = ex(number)
    whole = exercise.solution_code.strip()
    place = whole.index(cut)
    first, second = whole[:place], whole[place:]
    if number == "03.1":  # a method that is written in a cell of its own
        second = "\n".join(line[4:] for line in second.split("\n")) + "\nResidual.hybrid_forward = hybrid_forward"
    if number == "03.2":
        first, second = exercise.starter, f"seen.update({whole.partition('=')[2].strip()})"
    cells = [text(f"## {number}"), code(first), text("and then"), code(second)]
    cells.append(code(f"ex('{number}').check({exercise.answer})") if checked else text("## 07.1"))
    mark = grade_submission(read(tmp_path, cells), [number], LIMITS).marks[0]
    assert mark.state == "right", mark


def test_what_is_imported_from_the_future_holds_for_later_cells(tmp_path):
    imports, _, rest = ex("06.5").solution_code.partition("@operator")
    assert "from __future__ import annotations" in imports
    cells = [code(imports), text("## 06.5"), code("@operator" + rest), code("ex('06.5').check(bent)")]
    assert grade_submission(read(tmp_path, cells), ["06.5"], LIMITS).marks[0].state == "right"


def test_a_definition_alone_does_not_add_an_exercise_for_all(tmp_path):
    submission = read(tmp_path, [HEADING, ANSWER, code("class Affine:\n    pass")])
    assert "03.6" in submission.answers and numbers_to_mark([submission]) == ["01.1"]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("chapter", chapters(), ids=lambda chapter: chapter.number)
def test_every_solution_is_found_in_its_notebook(chapter, lang, tmp_path):
    """As it is handed out, with labels, and without them."""
    pytest.importorskip("nbformat")
    notebook = json.loads(json.dumps(notebook_of(chapter, lang)))
    solved = {e.starter.strip(): e.solution_code for e in exercises(chapter)}
    for cell in notebook["cells"]:
        cell["source"] = solved.get(cell["source"], cell["source"])
    for cells in (notebook["cells"], [{**c, "metadata": {}, "id": f"x{i}"} for i, c in enumerate(notebook["cells"])]):
        submission = read(tmp_path, cells)
        assert not submission.unclear and not submission.guessed
        assert list(submission.answers) == [e.number for e in exercises(chapter)]
        for e in exercises(chapter):
            assert [c for c in submission.answers[e.number] if c[1]] == [(e.solution_code, True)]


@pytest.mark.parametrize("number", ["01.1", "01.4", "02.1", "03.3", "04.6", "05.2", "06.2", "07.1", "10.3"])
def test_answers_in_a_chinese_notebook_are_marked_like_those_in_an_english_one(number, tmp_path):
    """And in the same words: what is said to whoever marks does not follow the language of the notebook."""
    pytest.importorskip("nbformat")
    exercise, chapter = ex(number), next(c for c in chapters() if c.number == number[:2])
    mistake = next(m for m in mistakes(exercise) if m.name != "hard_coded")
    for answer, states in ((exercise.solution_code, {"right"}), (mistake.code, {"wrong", "error"})):
        marks = []
        for lang in LANGUAGES:
            notebook = json.loads(json.dumps(notebook_of(chapter, lang)))
            (cell,) = [c for c in notebook["cells"] if c["source"] == exercise.starter.strip()]
            cell["source"] = answer
            (mark,) = grade_submission(read(tmp_path, notebook["cells"]), [number], LIMITS, seed=1).marks
            assert mark.message.isascii() and all(d.isascii() for d in mark.details), mark
            marks.append((mark.state, mark.points, mark.out_of, [(p.name, p.right) for p in mark.parts]))
        assert marks[0] == marks[1] and marks[0][0] in states, marks
        assert answer != mistake.code or mistake.says in mark.message, mark


@pytest.mark.parametrize("encoding", ["utf-8-sig", "utf-16", "utf-16-le", "utf-16-be", "utf-32"])
def test_encodings(encoding, tmp_path):
    notebook = json.dumps({"cells": [HEADING, code(RIGHT + "\n# é 中"), CHECK]}, ensure_ascii=False)
    (tmp_path / "a.ipynb").write_bytes(notebook.encode(encoding))
    assert read_submission(tmp_path / "a.ipynb").answers["01.1"] == [(RIGHT + "\n# é 中", True)]


def test_a_letter_of_another_encoding_costs_nothing(tmp_path):
    notebook = json.dumps({"cells": [HEADING, code(RIGHT + "\n# é"), CHECK]}, ensure_ascii=False)
    (tmp_path / "a.ipynb").write_bytes(notebook.encode("latin-1"))
    assert read_submission(tmp_path / "a.ipynb").answers["01.1"][0][0].startswith(RIGHT)


def test_large_outputs_are_passed_over(tmp_path):
    picture = base64.b64encode(os.urandom(15_000_000)).decode()
    cells = [HEADING, {**ANSWER, "outputs": [{"data": {"image/png": picture}, "text": [']}\\"[\n'] * 100_000}]}, CHECK]
    notebook = json.dumps({"cells": cells})
    assert len(notebook) > 20_000_000
    (tmp_path / "a.ipynb").write_text(notebook)
    assert read_submission(tmp_path / "a.ipynb").answers["01.1"] == [(RIGHT, True)]


def test_outputs_are_taken_out_of_the_right_place():
    cells = [{"outputs": [["]", "\\"], {"outputs": []}], "source": '"outputs": ["a"]'}, {"outputs": [], "source": "1"}]
    found = json.loads(without_outputs(json.dumps(cells)))
    assert found == [{**cell, "outputs": []} for cell in cells]
    assert without_outputs('{"outputs": [') == '{"outputs": ['


def test_an_old_notebook(tmp_path):
    cells = [{"cell_type": "heading", "level": 2, "source": "01.1"}, {"cell_type": "code", "input": RIGHT}]
    (tmp_path / "a.ipynb").write_text(json.dumps({"worksheets": [{"cells": cells}], "nbformat": 3}))
    assert read_submission(tmp_path / "a.ipynb").answers["01.1"] == [(RIGHT, True)]


@pytest.mark.parametrize(
    ("source", "python"),
    [
        ("x = '''\n%time\n!ls\n'''", "x = '''\n%time\n!ls\n'''"),
        ("%%bash\nls -l", ""),
        ("%%timeit\nx = 1", ""),
        ("if x:\n    !ls\n    %timeit f(1)", "if x:\n    pass\n    pass"),
        ("a, b = %sql x", "a, b = []"),
        ("?x\nx??", "pass\npass"),
        ("y = x % 2\ndef f(:", "y = x % 2\ndef f(:"),
    ],
)
def test_commands_of_ipython_do_nothing(source, python):
    assert without_magics(source) == python


def test_reading_takes_little_memory(tmp_path):
    cells = [HEADING, {**ANSWER, "outputs": [{"text": ["1\n"] * 1_000_000}]}, CHECK]
    (tmp_path / "a.ipynb").write_text(json.dumps({"cells": cells}))
    tracemalloc.start()
    try:
        read_submission(tmp_path / "a.ipynb")
        assert tracemalloc.get_traced_memory()[1] < 6 * (tmp_path / "a.ipynb").stat().st_size
    finally:
        tracemalloc.stop()


def test_what_is_right_needs_no_look():
    submission = Submission("x", {"01.1": [(RIGHT, True)], "01.4": []}, unclear={"01.1": "?", "01.4": "?"})
    assert [mark.state for mark in grade_submission(submission, ["01.1", "01.4"], LIMITS).marks] == [
        "right",
        "needs a look",
    ]
