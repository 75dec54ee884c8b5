"""The notebooks of the exercises: in step with the definitions, and working in a real kernel."""

import copy
import re

import pytest

nbformat = pytest.importorskip("nbformat", reason="the notebooks are made with nbformat")
jupytext = pytest.importorskip("jupytext", reason="the notebooks' two forms are made with jupytext")
nbclient = pytest.importorskip("nbclient", reason="the notebooks are run with nbclient")

from pathlib import Path  # noqa: E402

from d2lhybrid.exercises import chapters, exercises  # noqa: E402
from d2lhybrid.internals.course import lesson  # noqa: E402
from d2lhybrid.internals.course.exercises.notebooks import LANGUAGES, forms_of, notebook_of, write_all  # noqa: E402

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
each_language = pytest.mark.parametrize("lang", LANGUAGES)
each_chapter = pytest.mark.parametrize("chapter", chapters(), ids=lambda c: c.number)


def test_the_files_are_in_step_with_the_definitions(tmp_path):
    written = write_all(tmp_path)
    names = {path.relative_to(tmp_path) for path in written}
    there = [path for folder in LANGUAGES.values() for path in (FOLDER / folder).rglob("*")]
    assert names == {path.relative_to(FOLDER) for path in there if path.suffix in (".md", ".ipynb")}
    for name in names:
        assert (tmp_path / name).read_text("utf-8") == (FOLDER / name).read_text("utf-8"), "make exercises"


@each_language
@each_chapter
def test_both_forms_hold_the_same(chapter, lang):
    read = [jupytext.read(FOLDER / LANGUAGES[lang] / name) for name in forms_of(chapter)]
    cells = [[(c.cell_type, c.source, c.metadata) for c in notebook.cells] for notebook in read]
    assert cells[0] == cells[1]


@each_chapter
def test_a_translation_has_the_cells_of_the_original(chapter):
    """But for the one that sets the language: so whatever reads the one reads the other."""
    original, cells = notebook_of(chapter).cells, notebook_of(chapter, "zh").cells
    assert cells.pop(1).source == 'import d2lhybrid as mx\n\nmx.config(lang="zh")'
    assert [(c.cell_type, c.id, c.metadata) for c in cells] == [(c.cell_type, c.id, c.metadata) for c in original]
    for ours, theirs in zip(cells, original, strict=True):
        if ours.cell_type == "code":
            assert ours.source == theirs.source
        else:
            assert re.search("[\u4e00-\u9fff]", ours.source)
            numbers = [re.match(r"##? (?:Exercises |练习 )?([\d.]+)", c.source) for c in (ours, theirs)]
            assert numbers[0][1] == numbers[1][1]


#: What each check says of a starter, of a solution, and what the table at the end says.
SAID = {
    "en": ("{} not attempted.", "{} right.", r"{} of \d+ exercises solved"),
    "zh": ("{} 未作答。", "{} 正确。", r"\d+ 道练习，已做对 {} 道"),
}


#: By turns in English and in Chinese, which have the same cells of code; the first chapter in both.
IN_A_KERNEL = [(chapters()[0], "zh"), *((chapter, ("en", "zh")[i % 2]) for i, chapter in enumerate(chapters()))]


@pytest.mark.parametrize(("chapter", "lang"), IN_A_KERNEL, ids=[f"{c.number}-{lang}" for c, lang in IN_A_KERNEL])
def test_starters_and_solutions_in_a_kernel(chapter, lang, tmp_path, monkeypatch):
    """Each check sees the starter first, then the solution."""
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    notebook = notebook_of(chapter, lang)
    solutions = {f"check-{e.number.replace('.', '-')}": e.solution_code for e in exercises(chapter)}
    cells = []
    for cell in notebook.cells:
        cells.append(cell)
        if cell.id in solutions:
            again = copy.deepcopy(cell)
            again.id = f"again-{cell.id}"
            cells += [nbformat.v4.new_code_cell(solutions[cell.id]), again]
    notebook.cells = cells
    nbclient.NotebookClient(
        notebook, timeout=120, kernel_name="python3", resources={"metadata": {"path": str(tmp_path)}}
    ).execute(env=lesson._environment())
    shown = {c.id: c.outputs[0]["data"] for c in notebook.cells if "check-" in c.id}
    for exercise in exercises(chapter):
        name = f"check-{exercise.number.replace('.', '-')}"
        for key, said in zip((name, f"again-{name}"), SAID[lang], strict=False):
            assert shown[key]["text/plain"].startswith(said.format(exercise.number)), shown[key]["text/plain"]
        assert "✓" in shown[f"again-{name}"]["text/html"]
    (table,) = notebook.cells[-1].outputs
    assert re.match(SAID[lang][2].format(len(exercises(chapter))), table["data"]["text/plain"])
