"""The notebooks of the exercises: in step with the definitions, and working in a real kernel."""

import copy
import re

import pytest

nbformat = pytest.importorskip("nbformat", reason="the notebooks are made with nbformat")
jupytext = pytest.importorskip("jupytext", reason="the notebooks' two forms are made with jupytext")
nbclient = pytest.importorskip("nbclient", reason="the notebooks are run with nbclient")

from pathlib import Path  # noqa: E402

from d2lhybrid.exercises import chapters, exercises  # noqa: E402
from d2lhybrid.school import lesson  # noqa: E402
from d2lhybrid.school.exercises.notebooks import forms_of, notebook_of, write_all  # noqa: E402

FOLDER = Path(__file__).resolve().parent.parent / "notebooks" / "exercises"
each_chapter = pytest.mark.parametrize("chapter", chapters(), ids=lambda c: c.number)


def test_the_files_are_in_step_with_the_definitions(tmp_path):
    written = write_all(tmp_path)
    names = {path.relative_to(tmp_path) for path in written}
    assert names == {path.relative_to(FOLDER) for path in FOLDER.rglob("*") if path.suffix in (".md", ".ipynb")}
    for name in names:
        assert (tmp_path / name).read_text("utf-8") == (FOLDER / name).read_text("utf-8"), "make exercises"


@each_chapter
def test_both_forms_hold_the_same(chapter):
    read = [jupytext.read(FOLDER / name) for name in forms_of(chapter)]
    cells = [[(c.cell_type, c.source, c.metadata) for c in notebook.cells] for notebook in read]
    assert cells[0] == cells[1]


@each_chapter
def test_starters_and_solutions_in_a_kernel(chapter, tmp_path, monkeypatch):
    """Each check sees the starter first, then the solution."""
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)
    notebook = notebook_of(chapter)
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
        assert shown[name]["text/plain"].startswith(f"{exercise.number} not attempted."), shown[name]["text/plain"]
        assert shown[f"again-{name}"]["text/plain"].startswith(f"{exercise.number} right."), shown[f"again-{name}"]
        assert "✓" in shown[f"again-{name}"]["text/html"]
    (table,) = notebook.cells[-1].outputs
    assert re.match(rf"{len(exercises(chapter))} of \d+ exercises solved", table["data"]["text/plain"])
