"""Notebook 10: the small compiler that students write fits together, whoever has written which piece."""

import ast
import contextlib
import io
import re
from pathlib import Path

import pytest

nbformat = pytest.importorskip("nbformat", reason="the notebook is read with nbformat")

from judged import mistakes, right_answers  # noqa: E402

import d2lhybrid as mx  # noqa: E402
from d2lhybrid.exercises import State, chapters, ex, exercises  # noqa: E402
from d2lhybrid.internals.course.grading.submission import read_submission  # noqa: E402

FOLDER = Path(__file__).resolve().parent.parent / "notebooks"
NOTEBOOK = FOLDER / "10_build_it_yourself.ipynb"
CHINESE = FOLDER / "zh" / "10_build_it_yourself.ipynb"
STEPS = exercises(next(chapter for chapter in chapters() if chapter.number == "10"))

#: Answers that define what is of another step: they stand alone, where the notebook has these already.
ALONE = {"with_isinstance_of_symbol", "with_mini_and_a_symbol_of_all_kinds", "asks_isinstance"}
RIGHT = {e.number: [code for name, code in right_answers(e).items() if name not in ALONE] for e in STEPS}
WRONG = {e.number: [m.code for m in mistakes(e)] for e in STEPS}
each_step = pytest.mark.parametrize("step", STEPS, ids=lambda e: e.answer)


@pytest.fixture(autouse=True)
def no_records(tmp_path, monkeypatch):
    monkeypatch.setenv("D2LHYBRID_DATA", str(tmp_path))
    monkeypatch.delenv("NBGRADER_EXECUTION", raising=False)


def cells(notebook=NOTEBOOK):
    return nbformat.read(notebook, as_version=4).cells


def run(answers):
    """Run the notebook with some answers in the place of the starters; its names, what was printed, the verdicts."""
    starters = {e.starter.strip(): e.number for e in STEPS}
    space = {"__name__": "__main__"}
    verdicts = []
    with contextlib.redirect_stdout(io.StringIO()) as printed:
        for cell in cells():
            if cell.cell_type != "code":
                continue
            tree = ast.parse(answers.get(starters.get(cell.source), cell.source))
            last = tree.body.pop() if isinstance(tree.body[-1], ast.Expr) else None
            exec(compile(tree, "<cell>", "exec"), space)
            if last is not None:
                shown = eval(compile(ast.Expression(last.value), "<cell>", "eval"), space)
                verdicts += [shown] if ".check(" in cell.source else []
    return space, printed.getvalue(), verdicts


def is_like_the_real_net(space):
    return abs(space["real"] - space["yours"]).max() < 1e-5 and abs(space["real"]).max() > 1e-3


@pytest.mark.parametrize(("notebook", "lang"), [(NOTEBOOK, "en"), (CHINESE, "zh")], ids=["en", "zh"])
@each_step
def test_task_starter_and_check_are_those_of_the_exercise(step, notebook, lang):
    texts = [cell.source for cell in cells(notebook)]
    with mx.config(lang=lang):
        asked, title = step.task, step.title
    (task,) = [i for i, text in enumerate(texts) if asked in text]
    assert texts[task + 1] == step.starter.strip()
    assert texts[task + 2] == f'ex("{step.number}").check({step.answer})'
    taken = f'mini.{step.answer} = ex("{step.number}").yours_or_ours({step.answer})\n'
    assert [text for text in texts[task + 3 : task + 5] if text.startswith(taken)]
    assert [
        text
        for text in texts
        if re.match(rf"## {re.escape(f'{step.number} {title}')}( \(\d+ min\)|（\d+ 分钟）)\n", text)
    ]


def test_who_writes_nothing_sees_the_whole_machine_run():
    space, printed, verdicts = run({})
    assert [v.state for v in verdicts] == [State.NOT_ATTEMPTED] * 6
    assert printed.count("continuing with our") == 6 and is_like_the_real_net(space)


def test_who_writes_everything_has_built_it():
    space, printed, verdicts = run({e.number: e.solution_code for e in STEPS})
    assert [v.state for v in verdicts] == [State.RIGHT] * 6
    assert "continuing with our" not in printed and is_like_the_real_net(space)
    assert space["all_texts"][0].count("numpy.maximum(") == 2 and space["all_texts"][0].count("=") == 6
    assert printed.count("mlp runs") == 4, "with arrays, with symbols twice, and by the compiler once"
    plain, fused = map(float, re.findall(r"([\d.]+) MB", printed))
    assert plain > 27 and fused < 13


@pytest.mark.parametrize("which", range(max(map(len, RIGHT.values()))))
def test_right_pieces_of_different_people_fit(which):
    """Each check lets nothing pass that the next step cannot work with."""
    answers = {e.number: RIGHT[e.number][(which + i) % len(RIGHT[e.number])] for i, e in enumerate(STEPS)}
    space, printed, verdicts = run(answers)
    assert [str(v) for v in verdicts if not v] == []
    assert "continuing with our" not in printed and is_like_the_real_net(space)


@each_step
def test_a_wrong_piece_stops_nobody(step):
    others = {e.number: e.solution_code for e in STEPS if e is not step}
    space, printed, verdicts = run({**others, step.number: WRONG[step.number][0]})
    assert [v.number for v in verdicts if not v] == [step.number]
    assert printed.count("continuing with our") == 1 and is_like_the_real_net(space)


def test_ours_is_not_yours(capsys):
    step = ex("10.3")
    ours = step.yours_or_ours(None)
    assert capsys.readouterr().out.startswith("10.3: continuing with our trace.")
    assert step.yours_or_ours(len) is ours, "always the same"
    result = step.check(ours)
    assert result.state is State.NOT_ATTEMPTED and "is ours" in result.message
    mine = {}
    exec(step.solution_code, mine)
    capsys.readouterr()
    assert step.yours_or_ours(mine["trace"]) is mine["trace"] and not capsys.readouterr().out
    with mx.config(lang="zh"):
        step.yours_or_ours(None)
    assert "先用我们的 trace 往下走" in capsys.readouterr().out


def test_the_notebook_can_be_handed_in(tmp_path):
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    solutions = {e.starter.strip(): e.solution_code for e in STEPS}
    for cell in notebook.cells:
        cell.source = solutions.get(cell.source, cell.source)
    nbformat.write(notebook, tmp_path / "ada.ipynb")
    found = read_submission(tmp_path / "ada.ipynb")
    assert not found.problem and not found.unclear and not found.guessed
    assert set(found.answers) == {e.number for e in STEPS}
    for step in STEPS:
        (answer,) = [source for source, is_answer in found.answers[step.number] if is_answer]
        assert answer.strip() == step.solution_code.strip()


#: Step, what of our solution a student has otherwise, and what the check says then: each names the mistake.
TYPICAL = [
    ("10.1", ("self.value = numpy.asarray(numbers)", "self.value = numbers"), "is not a NumPy array"),
    ("10.1", ('getattr(other, "value", other)', "other.value"), "a + b with the number 2 for b"),
    ("10.2", ('"add"', '"+"'), "has the `op` '+' instead of 'add'"),
    ("10.2", ("[self, other]", "[other, self]"), "another symbol is in the position of `a`"),
    ("10.2", ('Symbol(None, "add"', 'Symbol("sum", "add"'), "Only variables have names."),
    ("10.3", ("if value not in names:", "if True:"), "the graph has 4 lines, but 3 lines are enough"),
    ("10.3", ("return graph", "return graph[::-1]"), "which is neither a variable nor an earlier line"),
    ("10.3", ("return value.name", "return value"), "is neither a name nor a number"),
    ("10.4", ("used_by[0] in elementwise", "True"), "a matrix product, which needs whole arrays"),
    ("10.4", ("len(used_by) == 1", "used_by"), "computes a value twice"),
    ("10.5", ('f"({text_of(*i)})"', "text_of(*i)"), "a nested expression needs parentheses"),
    ("10.5", ("join(variables)", "join(sorted(variables))"), "not in the order of the variables"),
    ("10.5", ("numpy.maximum", "np.maximum"), "name 'np' is not defined"),
    ("10.6", ("if signature not in programs:", "if True:"), "the compiler was called again"),
    ("10.6", ("(a.value.shape, a.value.dtype)", "a.value.shape"), "In a call with another type"),
    ("10.6", ("for a in arrays", "for a in arrays[:1]"), "another shape of the second array"),
]


@pytest.mark.parametrize(("number", "change", "said"), TYPICAL)
def test_a_typical_mistake_is_named(number, change, said):
    solution = ex(number).solution_code
    assert change[0] in solution
    space = {}
    exec("import numpy\n" + solution.replace(*change), space)
    found = ex(number).check(space[ex(number).answer])
    assert found.state in (State.WRONG, State.ERROR) and said in str(found)
