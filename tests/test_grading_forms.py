"""What students hand in, in whatever form: it is read, or named with the reason; no file is lost in silence."""

import csv
import io
import json
import os
import zipfile
from pathlib import Path

import pytest
from processor_time import taken

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

pytest.importorskip("nbformat")

from d2lhybrid.exercises import chapters, ex, exercises
from d2lhybrid.internals.commands.cli import main
from d2lhybrid.internals.course.course import original
from d2lhybrid.internals.course.exercises.notebooks import notebook_of
from d2lhybrid.internals.course.exercises.results import Result, State
from d2lhybrid.internals.course.grading import marking, read_submission
from d2lhybrid.internals.course.grading.names import names_of

CHAPTER = chapters()[0]
ANSWERS = {e.number: e.solution_code.strip() for e in exercises(CHAPTER)}


def solved(change=lambda text: text):
    """Return the notebook of the first chapter, with solutions, and with each cell's text changed."""
    notebook = json.loads(json.dumps(notebook_of(CHAPTER)))
    solutions = {e.starter.strip(): e.solution_code for e in exercises(CHAPTER)}
    for cell in notebook["cells"]:
        cell["source"] = change(solutions.get(cell["source"].strip(), cell["source"]))
    return notebook


def as_script(notebook):
    """Return a notebook as Jupytext and VS Code write it down in Python."""
    texts = []
    for cell in notebook["cells"]:
        if cell["cell_type"] == "code":
            texts.append(f"# %%\n{cell['source']}")
        else:
            texts.append("# %% [markdown]\n" + "\n".join(f"# {line}".rstrip() for line in cell["source"].split("\n")))
    return "# ---\n# jupyter:\n#   kernelspec:\n#     name: python3\n# ---\n\n" + "\n\n".join(texts) + "\n"


def as_exported():
    """Return what `jupyter nbconvert --to script` makes, and the menu of Jupyter."""
    nbconvert, nbformat = pytest.importorskip("nbconvert"), pytest.importorskip("nbformat")
    notebook = solved(lambda text: "%matplotlib inline\n" + text if text.startswith("import numpy") else text)
    return nbconvert.PythonExporter().from_notebook_node(nbformat.from_dict(notebook))[0]


def zipped(**files):
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", zipfile.ZIP_DEFLATED) as archive:
        for name, content in files.items():
            archive.writestr(name, content)
    return stream.getvalue()


def by_colab():
    notebook = solved()
    mount = "!pip install d2lhybrid\nfrom google.colab import drive\ndrive.mount('/content/drive')"
    notebook["cells"].insert(0, {"cell_type": "code", "metadata": {"id": "a"}, "source": mount, "outputs": []})
    for i, cell in enumerate(notebook["cells"]):
        cell.pop("id", None)
        cell |= {"metadata": {"id": f"aBc{i}", "executionInfo": {}}, "source": cell["source"].splitlines(True)}
    return notebook | {"metadata": {"colab": {"provenance": []}}, "nbformat_minor": 0}


def by_vs_code():
    notebook = solved()
    for cell in notebook["cells"]:
        cell |= {"source": cell["source"].splitlines(True), "metadata": {"vscode": {"languageId": "python"}}}
        cell.pop("id", None)
    return notebook


def of_format_3():
    cells = []
    for cell in solved()["cells"]:
        source = cell["source"].splitlines(True)
        kind = cell["cell_type"]
        cells.append(
            {"cell_type": kind, "metadata": {}} | ({"input": source} if kind == "code" else {"source": source})
        )
    return {"nbformat": 3, "nbformat_minor": 0, "metadata": {"name": ""}, "worksheets": [{"cells": cells}]}


def in_one_cell():
    source = "\n\n".join(cell["source"] for cell in solved()["cells"] if cell["cell_type"] == "code")
    return {"cells": [{"cell_type": "code", "source": source, "metadata": {}}]}


def in_russian():
    return solved(lambda text: text.replace("numbers", "числа").replace("## ", "## Упражнение "))


def reordered(key):
    notebook = solved()
    return notebook | {"cells": key(notebook["cells"])}


def texts_first():
    return reordered(lambda cells: sorted(cells, key=lambda cell: cell["cell_type"], reverse=True))


#: Form -> the file's name, and what is in it.
FORMS = {
    "as it is meant": ("a.ipynb", solved),
    "VS Code": ("a.ipynb", by_vs_code),
    "Colab": ("Copy of a.ipynb", by_colab),
    "another language": ("语言.ipynb", in_russian),
    "format 3": ("a.ipynb", of_format_3),
    "reversed": ("a.ipynb", lambda: reordered(lambda cells: cells[::-1])),
    "all texts first": ("a.ipynb", texts_first),
    "one cell": ("a.ipynb", in_one_cell),
    "tabs": ("a.ipynb", lambda: solved(lambda text: text.replace("    ", "\t"))),
    "a script of Jupytext": ("a.py", lambda: as_script(solved())),
    "a script of VS Code on Windows": ("a.py", lambda: "\ufeff" + as_script(solved()).replace("\n", "\r\n")),
    "a script with texts in quotes": ("a.py", lambda: as_script(solved()).replace(
        "# %% [markdown]\n# ## 01.4", '# %% [markdown]\n"""\n## 01.4').replace(" matrices", ' matrices\n"""')),
    "a script that Jupyter exports": ("a.py", as_exported),
    "a script that Jupyter exports, on Windows": ("a.py", lambda: as_exported().replace("\n", "\r\n")),
    "as a browser saves it": ("a.ipynb.txt", solved),
    "a zip": ("a.zip", lambda: zipped(**{"in/01.ipynb": json.dumps(solved()), "__MACOSX/in/._01.ipynb": b"\0\5"})),
    "a zip with another ending": ("a.ipynb", lambda: zipped(**{"01.ipynb": json.dumps(solved())})),
}  # fmt: skip


def write(path, content):
    path.parent.mkdir(parents=True, exist_ok=True)
    data = content if isinstance(content, bytes | str) else json.dumps(content)
    path.write_bytes(data.encode() if isinstance(data, str) else data)
    return path


@pytest.mark.parametrize("form", FORMS)
def test_all_answers_are_found_in_every_form(form, tmp_path):
    name, make = FORMS[form]
    submission = read_submission(write(tmp_path / name, make()))
    assert not submission.problem and not submission.unclear
    for number, solution in ANSWERS.items():
        code = submission.code()[number].replace("\r\n", "\n").replace("\t", "    ").replace("числа", "numbers")
        assert solution in code, number


TEXT = json.dumps(solved(), indent=1)
ZIP = zipped(**{"a.ipynb": TEXT})
#: What a file is -> its content, and what is said of it.
NO_NOTEBOOKS = {
    "empty": (b"", "the file is empty"),
    "blank": (b"\xef\xbb\xbf \n", "the file is empty"),
    "braces": (b"{}", "this is not a notebook"),
    "cut off": (TEXT[:-300], "truncated in line"),
    "cut off in a text": (json.dumps(solved())[:3000], "truncated in line 1"),
    "a conflict": (TEXT.replace('\n "cells"', '\n<<<<<<< HEAD\n "cells"', 1), "a Git conflict marker in line "),
    "a page": ("<!DOCTYPE html>\n<html></html>", "a web page"),
    "a PDF": (b"%PDF-1.7\n", "a PDF"),
    "Python": ("x = 1\n", "this is not a notebook"),
    "an empty zip": (zipped(**{"a.txt": "x"}), "the zip archive contains no notebook"),
    "a damaged zip": (ZIP[:-30], "the zip archive is damaged"),
    "a zip in a zip": (zipped(**{"a.ipynb": zipped(**{"a.ipynb": b"{}"})}), "contains another zip archive"),
    "two of a kind": (zipped(**dict.fromkeys(("a.ipynb", "b.ipynb"), TEXT)),
                      "two notebooks with exercise 01.1: a.ipynb and b.ipynb. Unpack the archive"),
    "a bomb": (zipped(**{"a.ipynb": b" " * 2**26}), "the notebooks in the zip archive are larger than"),
    "many": (zipped(**{f"{i}.ipynb": b"{}" for i in range(1001)}), "the zip archive contains more than 1000 notebooks"),
}  # fmt: skip


def test_a_long_script_is_read_in_little_time(tmp_path):
    script = write(tmp_path / "a.py", "# In[1]:\n" + "# x\n\n" * 200_000 + "x = 1\n" + "# In[2]:\n" * 50_000)
    with taken() as measured:
        read_submission(script)
    assert measured.seconds < 10


@pytest.mark.parametrize("kind", NO_NOTEBOOKS)
def test_what_is_no_notebook_is_named(kind, tmp_path):
    content, said = NO_NOTEBOOKS[kind]
    submission = read_submission(write(tmp_path / "a.ipynb", content))
    assert said in submission.problem and not submission.answers


def test_a_zip_may_hold_a_notebook_for_each_chapter(tmp_path):
    second = {"cells": [{"cell_type": "code", "source": f"{ex('02.1').solution_code}\nex('02.1').check(make_net)"}]}
    content = zipped(**{"01.ipynb": json.dumps(solved()), "sub/02.ipynb": json.dumps(second)})
    assert {*ANSWERS, "02.1"} <= read_submission(write(tmp_path / "ada.zip", content)).answers.keys()


class Cheap:
    """In the place of a checker: everything is right."""

    def judge(self, number, cells, seed, limits):
        return Result(number, State.RIGHT, "good")

    def stop(self):
        pass

    def close(self, kill=False):
        pass


def test_nothing_in_a_folder_is_passed_over_in_silence(tmp_path, monkeypatch, capsys):
    monkeypatch.setattr(marking, "CheckerProcess", Cheap)
    folder = tmp_path / "in"
    for name in ("Mary Müller/Abgabe/mine.ipynb", "Ngô/01.ipynb", "Ngô/.ipynb_checkpoints/01-checkpoint.ipynb",
                 "Ngô/__MACOSX/._01.ipynb", "smith.ipynb", "smith (1).ipynb", "Copy of smith.ipynb",
                 "lee.ipynb.json"):  # fmt: skip
        write(folder / name, solved())
    write(folder / "roe.zip", zipped(**{"01.ipynb": json.dumps(solved())}))
    write(folder / "poe.py", as_script(solved()))
    write(folder / "smith.py", as_script(solved()))  # beside its notebook
    others = ["Ngô/helpers.py", "data.zip", "doe.html", "essay.pdf"]
    for name in (*others, ".DS_Store"):
        write(folder / name, zipped(a=b"1") if name == "data.zip" else "x")
    words = ["grade", str(folder), "-o", str(folder / "marks.csv"), "-e", "01.1"]
    for again in ([], ["--resume"], []):  # what the first run writes is none of what was handed in
        assert main([*words, *again]) == 0
        said = capsys.readouterr().err
        assert f"not notebooks: {', '.join(str(folder / name) for name in others)}." in said
        assert "by the same person, but all of them are marked: Copy of smith, smith (1), smith." in said
        with open(folder / "marks.csv", encoding="utf-8") as stream:
            found = {row["submission"] for row in csv.DictReader(stream)}
        assert found == {
            "Mary Müller/Abgabe/mine",
            "Ngô/01",
            "smith",
            "smith (1)",
            "Copy of smith",
            "lee",
            "roe",
            "poe",
        }


def test_a_folder_of_one_names_its_student():
    assert names_of([Path("in/ada/mine.ipynb"), Path("in/bob/x/hw.ipynb")]) == ["ada/mine", "bob/x/hw"]
    sections = [Path("in/A/ada.ipynb"), Path("in/A/bob.ipynb"), Path("in/B/eve.ipynb"), Path("in/B/roe.ipynb")]
    assert names_of(sections) == ["ada", "bob", "eve", "roe"]
    assert names_of([Path("in/late/ada.ipynb"), Path("in/bob.ipynb")]) == ["ada", "bob"]


CHAPTER_3 = chapters()[2]


def of_chapter(chapter, right=True):
    """Return the notebook of a chapter, with solutions or as it came."""
    solutions = {e.starter.strip(): e.solution_code for e in exercises(chapter)} if right else {}
    notebook = json.loads(json.dumps(notebook_of(chapter)))
    for cell in notebook["cells"]:
        cell["source"] = solutions.get(cell["source"].strip(), cell["source"])
    return notebook


def graded(folder, monkeypatch, *options):
    monkeypatch.setattr(marking, "CheckerProcess", Cheap)
    status = main(["grade", str(folder), "-o", str(folder.parent / "marks.csv"), *options])
    if status:
        return {}
    with open(folder.parent / "marks.csv", encoding="utf-8") as stream:
        return {row["submission"]: row for row in csv.DictReader(stream)}


OUT_OF_BOTH = sum(e.points for e in [*exercises(CHAPTER), *exercises(CHAPTER_3)])


@pytest.mark.parametrize("names", ["{student}/{chapter}.ipynb", "{chapter}/{student}.ipynb"])
def test_several_chapters_of_a_student_make_one_row(names, tmp_path, monkeypatch, capsys):
    for student in ("ann", "bob", "cleo"):
        for number, chapter in (("01", CHAPTER), ("03", CHAPTER_3)):
            write(tmp_path / "in" / names.format(student=student, chapter=number), of_chapter(chapter))
    rows = graded(tmp_path / "in", monkeypatch)
    assert list(rows) == ["ann", "bob", "cleo"]
    assert {(int(row["points"]), int(row["out of"])) for row in rows.values()} == {(OUT_OF_BOTH, OUT_OF_BOTH)}
    assert "Reading 6 files as the submissions of 3 students." in capsys.readouterr().err


@pytest.mark.parametrize("right", [True, False])
def test_sections_of_a_class_are_no_students(right, tmp_path, monkeypatch):
    for name in ("A/ada", "A/bob", "B/eve", "B/roe"):
        write(tmp_path / "in" / f"{name}.ipynb", of_chapter(CHAPTER, right))
    assert list(graded(tmp_path / "in", monkeypatch)) == ["ada", "bob", "eve", "roe"]


def test_a_chapter_that_few_have_handed_in_is_named(tmp_path, monkeypatch, capsys):
    for student in ("ann", "bob", "cleo"):
        write(tmp_path / "in" / student / "01.ipynb", of_chapter(CHAPTER))
    write(tmp_path / "in" / "ann" / "03.ipynb", of_chapter(CHAPTER_3))
    rows = graded(tmp_path / "in", monkeypatch)
    said = capsys.readouterr().err
    assert "03.1" not in rows["ann"] and "chapter 03 is in 1. To mark them, use --exercises 01 03" in said
    rows = graded(tmp_path / "in", monkeypatch, "-e", "01", "03")
    assert {name: row["points"] for name, row in rows.items()} == {
        "ann": str(OUT_OF_BOTH),
        "bob": str(sum(e.points for e in exercises(CHAPTER))),
        "cleo": str(sum(e.points for e in exercises(CHAPTER))),
    }


def test_what_was_found_and_what_to_type_is_said_where_rows_cannot_be_told(tmp_path, monkeypatch, capsys):
    for i, chapter in enumerate(chapters(installed=False)[:4]):
        write(tmp_path / "in" / f"ann_{i}.ipynb", of_chapter(chapter))
        write(tmp_path / "in" / f"bob_{i}.ipynb", of_chapter(chapter))
    assert graded(tmp_path / "in", monkeypatch) == {}
    said = capsys.readouterr().err
    assert "No exercise is" in said and "contain no exercises" not in said
    assert "(chapter 01 is in 2, chapter 02 is in 2, chapter 03 is in 2, chapter 04 is in 2)" in said
    assert "d2lhybrid grade ... -e 01 02 03 04 -o " in said and "d2lhybrid gather " in said


def test_one_exercise_in_two_files_of_a_student(tmp_path, monkeypatch):
    monkeypatch.setattr(Cheap, "judge", lambda self, number, *rest: Result(number, State.WRONG, "no"))
    half = of_chapter(CHAPTER)
    for cell in half["cells"]:
        cell["source"] = cell["source"].replace("def describe_sum(numbers):", "def describe_sum(numbers, sign='+'):")
    for student in ("ann", "bob", "cleo"):
        write(tmp_path / "in" / student / "01.ipynb", of_chapter(CHAPTER))
        write(tmp_path / "in" / student / "03.ipynb", of_chapter(CHAPTER_3))
    write(tmp_path / "in" / "ann" / "01 (1).ipynb", half)
    write(tmp_path / "in" / "bob" / "01 (1).ipynb", of_chapter(CHAPTER, right=False))
    write(tmp_path / "in" / "cleo" / "03.ipynb", json.dumps(of_chapter(CHAPTER_3))[:1000])
    rows = graded(tmp_path / "in", monkeypatch)
    assert {name: (row["needs a look"], row["01.1"], row["01.2"], row["03.1"]) for name, row in rows.items()} == {
        "ann": ("1", "?", "0", "0"),
        "bob": ("0", "0", "0", "0"),
        "cleo": ("6", "0", "0", "?"),
    }


def test_a_zip_of_the_whole_course_is_read(tmp_path):
    files = {path.relative_to(original()).as_posix(): path.read_bytes() for path in original().rglob("*.ipynb")}
    files["exercises/01_imperative_and_symbolic.ipynb"] = json.dumps(solved())
    submission = read_submission(write(tmp_path / "ada.zip", zipped(**files)))
    assert not submission.problem and not submission.unclear and submission.written == list(ANSWERS)


def test_lessons_beside_exercises_are_no_error_for_students(tmp_path, capsys):
    write(tmp_path / "01_imperative_and_symbolic.ipynb", (original() / "00_start_here.ipynb").read_bytes())
    write(tmp_path / "exercises" / "01.ipynb", solved())
    assert main(["check", str(tmp_path)]) == 0
    assert "5 of 5 points: 4 right." in capsys.readouterr().out
