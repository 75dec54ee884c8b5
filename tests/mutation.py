"""Right answers with one thing changed: how many of them does a check still call right?

    python -m tests.mutation                     # the solutions
    python -m tests.mutation --others 03 04.5    # and the right answers in other styles, of a chapter and an exercise

Each answer is changed in one place at a time: an operator, a constant, an axis, a comparison, the name of a function, a
line that is left out. What is still right for all seeds has survived. Some survivors are right, for they compute the
same: these were judged by hand, and stand with a reason in ``equivalent_mutants.toml``, those of other answers than
solutions in ``equivalent_mutants_of_others.toml``.
"""

from __future__ import annotations

import argparse
import ast
import copy
import difflib
import functools
import multiprocessing
import os
import signal
import sys
import tempfile
import time
import tomllib
import warnings
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import NamedTuple

sys.path.insert(0, str(Path(__file__).resolve().parent))

from judged import right_answers, verdict
from own_operators import own_operators

from d2lhybrid.exercises import Exercise, ex, exercises

#: For each seed: of the clock; and of the processor, at least, and as many times what the unchanged answer takes.
_SECONDS, _LEAST_SECONDS, _TIMES = 20, 0.5, 20
_OPERATORS = [(ast.Add, ast.Sub), (ast.Sub, ast.Add), (ast.Mult, ast.Div), (ast.Div, ast.Mult), (ast.Pow, ast.Mult),
              (ast.FloorDiv, ast.Mult), (ast.Mod, ast.Mult), (ast.BitOr, ast.BitAnd)]  # fmt: skip
_COMPARISONS = {
    ast.Lt: (ast.LtE, ast.Gt), ast.LtE: (ast.Lt, ast.GtE), ast.Gt: (ast.GtE, ast.Lt), ast.GtE: (ast.Gt, ast.LtE),
    ast.Eq: (ast.NotEq,), ast.NotEq: (ast.Eq,), ast.Is: (ast.IsNot,), ast.IsNot: (ast.Is,), ast.In: (ast.NotIn,),
    ast.NotIn: (ast.In,),
}  # fmt: skip
_WORDS = [
    ("max", "min"), ("sum", "mean"), ("abs", "identity"), ("square", "abs"), ("sqrt", "square"), ("exp", "square"),
    ("broadcast_add", "broadcast_sub"), ("broadcast_mul", "broadcast_div"), ("broadcast_sub", "broadcast_mul"),
    ("relu", "sigmoid"), ("sigmoid", "tanh"), ("zeros_like", "ones_like"), ("ones", "zeros"), ("maximum", "minimum"),
    ("MaxPool2D", "AvgPool2D"), ("where", "broadcast_add"), ("normal_like", "uniform_like"), ("train", "predict"),
    ("HybridSequential", "Sequential"), ("HybridBlock", "Block"), ("arg:", "aux:"), ("asscalar", "asnumpy"),
]  # fmt: skip
_SWAPS = {a: b for pair in _WORDS for a, b in (pair, pair[::-1])} | dict(_WORDS)


class Mutant(NamedTuple):
    """An answer with one change.

    Attributes
    ----------
    number : str
        The exercise.
    answer : str
        Which answer it was.
    change : str
        The line before and after.
    code : str
        The answer cell.
    """

    number: str
    answer: str
    change: str
    code: str


def _other_constants(value: object) -> list[object]:
    if isinstance(value, bool):
        return [not value]
    if isinstance(value, int | float):
        return [v for v in (value + 1, value - 1, -value, 2 * value, 0) if v != value]
    if isinstance(value, str):
        return [_SWAPS.get(value, value + "x")]
    return []


def _changes(node: ast.AST) -> Iterator[ast.AST]:
    """Yield a node with one change, in all ways."""
    if isinstance(node, ast.BinOp):
        for kind, other in _OPERATORS:
            if isinstance(node.op, kind):
                yield ast.BinOp(node.left, other(), node.right)
        yield node.left
        yield node.right
    if isinstance(node, ast.AugAssign):
        for kind, other in _OPERATORS[:4]:
            if isinstance(node.op, kind):
                yield ast.AugAssign(node.target, other(), node.value)
    if isinstance(node, ast.Compare) and len(node.ops) == 1:
        for other in _COMPARISONS[type(node.ops[0])]:
            yield ast.Compare(node.left, [other()], node.comparators)
    if isinstance(node, ast.BoolOp):
        yield ast.BoolOp(ast.Or() if isinstance(node.op, ast.And) else ast.And(), node.values)
        yield from node.values
    if isinstance(node, ast.UnaryOp):
        yield node.operand
    if isinstance(node, ast.Constant):
        for value in _other_constants(node.value):
            yield ast.Constant(value)
    if isinstance(node, ast.Attribute) and node.attr in _SWAPS:
        yield ast.Attribute(node.value, _SWAPS[node.attr], node.ctx)
    if isinstance(node, ast.Call):
        for i in range(len(node.keywords)):
            yield ast.Call(node.func, node.args, node.keywords[:i] + node.keywords[i + 1 :])
        if len(node.args) > 1 and not any(isinstance(a, ast.Starred) for a in node.args[:2]):
            yield ast.Call(node.func, [node.args[1], node.args[0], *node.args[2:]], node.keywords)
        if node.args and not isinstance(node.args[0], ast.Starred):
            yield node.args[0]
    if isinstance(node, ast.Tuple) and isinstance(node.ctx, ast.Load) and len(node.elts) == 2:
        yield ast.Tuple(node.elts[::-1], node.ctx)
    if isinstance(node, ast.If | ast.While | ast.IfExp):
        for value in (True, False) if not isinstance(node, ast.While) else (False,):
            changed = copy.copy(node)
            changed.test = ast.Constant(value)
            yield changed
    if isinstance(node, ast.Break | ast.Continue):
        yield ast.Continue() if isinstance(node, ast.Break) else ast.Break()
    if isinstance(node, ast.Assign | ast.AugAssign | ast.Expr | ast.With | ast.For):
        yield ast.Pass()


def _other_names(tree: ast.Module) -> dict[ast.AST, list[str]]:
    """Return node -> what else could stand there, for each use of a function's own name."""
    found: dict[ast.AST, list[str]] = {}
    for function in ast.walk(tree):
        if isinstance(function, ast.FunctionDef | ast.Lambda):
            arguments = [a.arg for a in function.args.args if a.arg not in ("self", "F", "nd", "xp")]
            inside = [node for node in ast.walk(function) if isinstance(node, ast.Name)]
            stored = [node.id for node in inside if isinstance(node.ctx, ast.Store)]
            names = list(dict.fromkeys([*arguments, *stored]))
            for node in inside:
                if isinstance(node.ctx, ast.Load) and node.id in names:
                    found[node] = [name for name in names if name != node.id]
    return found


def _places(tree: ast.Module) -> Iterator[tuple[ast.AST, Callable[[ast.AST], None]]]:
    """Yield each node below a tree, as in a walk, with what puts another one in its place."""
    for owner in ast.walk(tree):
        for field, value in ast.iter_fields(owner):
            if isinstance(value, ast.AST):
                yield value, functools.partial(setattr, owner, field)
            elif isinstance(value, list):
                yield from ((node, functools.partial(value.__setitem__, i)) for i, node in enumerate(value))


def mutants_of(number: str, answer: str, code: str) -> list[Mutant]:
    """Return all answers that differ from one in one place."""
    tree = ast.parse(code)
    before = ast.unparse(tree)
    lines_before = before.split("\n")
    found: dict[str, Mutant] = {}
    names = _other_names(tree)
    for node, put in [place for place in _places(tree) if isinstance(place[0], ast.AST)]:
        renamed = [ast.Name(name, ast.Load()) for name in names.get(node, ())]
        for new in (*_changes(node), *renamed):
            put(new)
            try:
                text = ast.unparse(tree)
                compile(text, "<mutant>", "exec")
            except (SyntaxError, ValueError, TypeError, AttributeError):
                continue
            finally:
                put(node)
            if text != before and text not in found:
                lines = [line for line in difflib.ndiff(lines_before, text.split("\n")) if line[0] in "+-"]
                change = " ".join(f"{line[0]} {line[1:].strip()}" for line in lines)
                found[text] = Mutant(number, answer, change, text)
    return list(found.values())


class _TooLongError(BaseException):
    pass


def time_for(number: str, code: str) -> float:
    """Return how many seconds of the processor a mutant of an answer may take: many times what the answer takes."""
    survives(Mutant(number, "", "", code), 1)  # the first time, whatever it needs is loaded
    begin = time.process_time()
    survives(Mutant(number, "", "", code), 1)
    return max(_LEAST_SECONDS, _TIMES * (time.process_time() - begin))


def _alarm(*_: object) -> None:
    raise _TooLongError


def survives(mutant: Mutant, seeds: int, seconds: float = _SECONDS) -> bool:
    """Return whether a mutant is called right for all seeds, each within so many seconds of the processor."""
    before_here = os.getcwd()
    folder = tempfile.TemporaryDirectory()  # some write files where they are
    os.chdir(folder.name)
    signal.signal(signal.SIGALRM, _alarm)
    signal.signal(signal.SIGPROF, _alarm)
    try:
        with own_operators(), warnings.catch_warnings(), open(os.devnull, "w") as nowhere:
            warnings.simplefilter("ignore")
            sys.stdout, before = nowhere, sys.stdout
            try:
                for seed in range(seeds):
                    signal.alarm(_SECONDS)
                    signal.setitimer(signal.ITIMER_PROF, seconds)
                    if not verdict(ex(mutant.number), mutant.code, seed).right:
                        return False
                return True
            finally:
                signal.alarm(0)
                signal.setitimer(signal.ITIMER_PROF, 0)
                sys.stdout = before
    except (Exception, _TooLongError, SystemExit, KeyboardInterrupt):
        return False  # it did not even run
    finally:
        os.chdir(before_here)
        folder.cleanup()


def _judged(task: tuple[Mutant, int, float]) -> tuple[Mutant, bool]:
    return task[0], survives(*task)


def answers_to(exercise: Exercise, others: bool) -> dict[str, str]:
    """Return right answers to an exercise by their names."""
    found = {"solution": exercise.solution_code}
    return {**found, **right_answers(exercise)} if others else found


def equivalent() -> dict[tuple[str, str, str], str]:
    """Return (exercise, answer, change) -> why it computes the same; no answer is named where any may be changed so."""
    found = {}
    for name in ("equivalent_mutants", "equivalent_mutants_of_others"):
        data = tomllib.loads(Path(__file__).with_name(f"{name}.toml").read_text("utf-8"))
        for number, groups in data.items():
            for group in groups:
                found |= {(number, group.get("answer", ""), change): group["why"] for change in group["changes"]}
    return found


def main() -> int:
    """Print a line for each exercise, and every survivor; the exit status tells whether too many survive."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("numbers", nargs="*", help="chapters and exercises; all by default")
    parser.add_argument("--others", action="store_true", help="the right answers in other styles, too")
    parser.add_argument("--seeds", type=int, default=3, help="for how many seeds a survivor is right (3)")
    parser.add_argument("--workers", type=int, default=os.cpu_count(), help="processes at once")
    options = parser.parse_args()
    chosen = [e for e in exercises() if not e.constant
              and (not options.numbers or any(e.number.startswith(n) for n in options.numbers))]  # fmt: skip
    known, total, alive, same = equivalent(), 0, 0, 0
    with multiprocessing.get_context("forkserver").Pool(options.workers) as pool:
        for exercise in chosen:
            answers = answers_to(exercise, options.others)
            seconds = dict(
                zip(answers, pool.starmap(time_for, [(exercise.number, c) for c in answers.values()]), strict=True)
            )
            mutants = [m for name, code in answers.items() for m in mutants_of(exercise.number, name, code)]
            judged = pool.imap_unordered(_judged, [(m, options.seeds, seconds[m.answer]) for m in mutants])
            survivors = [mutant for mutant, survived in judged if survived]
            unexplained = [m for m in survivors if not {(m.number, a, m.change) for a in ("", m.answer)} & known.keys()]
            total, alive, same = total + len(mutants), alive + len(survivors), same + len(survivors) - len(unexplained)
            print(f"{exercise.number}  {len(mutants):5} mutants  {len(survivors):4} survive  "
                  f"{len(survivors) - len(unexplained):4} of them compute the same", flush=True)  # fmt: skip
            for mutant in sorted(unexplained):
                print(f"       {mutant.answer}: {mutant.change}", flush=True)
    different = total - same
    share = (alive - same) / max(different, 1)
    print(f"{total} mutants, {alive} survive, {same} of them compute the same.")
    print(f"{alive - same} of the {different} others, {share:.2%}, are called right.")
    return int(alive - same > 0.01 * different)


if __name__ == "__main__":
    sys.exit(main())
