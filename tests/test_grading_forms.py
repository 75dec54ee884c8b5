"""What students hand in, in whatever form: it is read, or named with the reason; no file is lost in silence."""

import csv
import io
import json
import os
import time
import zipfile
from pathlib import Path

import pytest

if os.name != "posix":
    pytest.skip("marking needs the process limits of Linux or macOS", allow_module_level=True)

pytest.importorskip("nbformat")

from d2lhybrid.exercises import chapters, ex, exercises
from d2lhybrid.school.exercises.notebooks import notebook_of
from d2lhybrid.school.exercises.results import Result, State
from d2lhybrid.school.grading import marking, read_submission
from d2lhybrid.school.grading.names import names_of
from d2lhybrid.tools.cli import main

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
    "cut off": (TEXT[:-300], "breaks off in line"),
    "cut off in a text": (json.dumps(solved())[:3000], "breaks off in line 1"),
    "a conflict": (TEXT.replace('\n "cells"', '\n<<<<<<< HEAD\n "cells"', 1), "marks of a conflict"),
    "a page": ("<!DOCTYPE html>\n<html></html>", "a web page"),
    "a PDF": (b"%PDF-1.7\n", "a PDF"),
    "Python": ("x = 1\n", "this is not a notebook"),
    "an empty zip": (zipped(**{"a.txt": "x"}), "a zip without a notebook"),
    "a damaged zip": (ZIP[:-30], "a zip that is damaged"),
    "a zip in a zip": (zipped(**{"a.ipynb": zipped(**{"a.ipynb": b"{}"})}), "another one in it"),
    "two of a kind": (zipped(**dict.fromkeys(("a.ipynb", "b.ipynb"), TEXT)),
                      "two notebooks for 01.1, a.ipynb and b.ipynb: unpack it"),
    "a bomb": (zipped(**{"a.ipynb": b" " * 2**26}), "larger than"),
}  # fmt: skip


def test_a_long_script_is_read_in_little_time(tmp_path):
    begin = time.process_time()
    read_submission(write(tmp_path / "a.py", "# In[1]:\n" + "# x\n\n" * 200_000 + "x = 1\n" + "# In[2]:\n" * 50_000))
    assert time.process_time() - begin < 10


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
        assert f"no notebooks: {', '.join(str(folder / name) for name in others)}." in said
        assert "Perhaps of one person, and all marked: Copy of smith, smith (1), smith." in said
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
