"""The notebooks run from top to bottom, and show what their texts say."""

import io
import re
from functools import cache
from pathlib import Path

import pytest

jupytext = pytest.importorskip("jupytext", reason="the notebooks' two forms are compared with jupytext")
pytest.importorskip("nbclient", reason="the notebooks are run with nbclient")

from d2lhybrid import lesson  # noqa: E402  it needs what is asked for above

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOKS = sorted(FOLDER.glob("*.ipynb"))

each_notebook = pytest.mark.parametrize("path", NOTEBOOKS, ids=lambda path: path.stem)


@cache
def run(path):
    """Run a notebook once; return what went wrong, and what its cells printed."""
    printed = io.StringIO()
    problem = lesson.run(path, timeout=300, file=printed)
    return problem, printed.getvalue()


@each_notebook
def test_every_cell_runs(path):
    problem, printed = run(path)
    assert problem is None, f"{problem}\n{printed}"


@each_notebook
def test_both_forms_have_the_same_cells(path):
    pair = path.with_suffix(".md")
    assert pair.exists(), "jupytext --set-formats ipynb,md:myst"
    cells = [[(c.cell_type, c.source) for c in jupytext.read(file).cells] for file in (path, pair)]
    assert cells[0] == cells[1], f"jupytext --sync {path.relative_to(FOLDER.parent)}"


def test_there_are_no_texts_without_a_notebook():
    assert NOTEBOOKS
    assert {path.stem for path in FOLDER.glob("*.md")} == {path.stem for path in NOTEBOOKS}


# The lesson -----------------------------------------------------------------------------------------


@pytest.fixture(scope="module")
def the_lesson():
    return run(FOLDER / "01_the_lesson.ipynb")[1]


def cell(printed, first_line):
    """Return what the cell that begins with a line printed."""
    cells = re.split(r"^\[\d+\] ", printed, flags=re.MULTILINE)
    (found,) = [c.removeprefix(first_line) for c in cells if c.startswith(first_line)]
    return found


def test_the_prints_vanish(the_lesson):
    cells = re.split(r"^\[\d+\] ", the_lesson, flags=re.MULTILINE)
    start = next(i for i, c in enumerate(cells) if c.startswith("class HybridNet"))
    eager, again, traced, silent = cells[start : start + 4]
    assert "F is d2lhybrid.ndarray" in eager and "F is d2lhybrid.ndarray" in again
    assert "F is d2lhybrid.symbol" in traced and "x is <Symbol data>" in traced
    assert "is" not in silent.removeprefix("net(x)")
    results = {re.findall(r"\[\[.*?\]\]", c, re.DOTALL)[-1] for c in (eager, again, traced, silent)}
    assert len(results) == 1


def test_the_limits_are_explained(the_lesson):
    for name, first_line in {
        "number_of_rows": "AttributeError: 'Symbol' object has no attribute 'shape'",
        "double_if_positive": 'NotImplementedForSymbol: Function __bool__ (namely operator "bool")',
        "add_one_in_place": 'NotImplementedForSymbol: Function __iadd__ (namely operator "+=")',
        "add_a_row": "Incompatible attr in node attempt3__plus0 at 1-th input: expected [2,3], got [1,3]",
    }.items():
        text = cell(the_lesson, f"def {name}(self, F, x):")
        imperative, hybridized = text.split("hybridized:")
        assert "NDArray 2x3" in imperative
        assert first_line in hybridized and "  - " in hybridized
        assert "Cell In[" in hybridized
    assert "UserWarning: In a hybridized block, x[0] is" in cell(the_lesson, "def first_row(self, F, x):")


def test_both_ways_learn_the_same(the_lesson):
    text = cell(the_lesson, 'print("step   imperative   hybridized")')
    assert float(re.findall(r"largest difference in \d+ steps: (\S+)", text)[0]) < 1e-9
    eager, hybridized = map(float, re.findall(r"test accuracy: (\S+)% imperative, (\S+)% hybridized", text)[0])
    assert eager == hybridized > 90


def test_both_ways_are_timed(the_lesson):
    labels = re.findall(r"(Without|With   ) hybridization: \d+\.\d+ sec", the_lesson)
    assert labels == ["Without", "With   "] * 2
