"""The frozen values of a net: decisions that Python makes in the trace, and that later calls do not repeat."""

from __future__ import annotations

import ast
import builtins
import reprlib
from collections.abc import Collection, Iterator, Sequence
from typing import Any

from d2lhybrid.gluon import Block, HybridBlock, Parameter

from ...support.places import Place
from ...support.words import sentences, translate, translated_pattern
from .findings import Finding, add
from .observing import Run, Variable
from .python_state import read_by, talk_of
from .source_reading import MISSING, Choice, Function, choices_of, hits, is_plain, origin, ran, resolve, times_run

__all__ = ["frozen_in", "frozen_variables", "traced_functions", "way_in_words"]

_ONCE = "hybrid_forward runs once, while the net is traced; what Python decides or computes then is frozen."
_DECIDED = (
    "The branch on `{code}` is decided: in the graph, it is always {way}.",
    "Use F.where(condition, x, y) or F.contrib.cond if values decide; pass fixed values to __init__.",
)
_MODE = (
    "The mode is not frozen in operators that read it, such as F.Dropout and F.BatchNorm. Otherwise "
    "call net.hybridize() again when the mode changes, or do this outside the net."
)
_UNROLLED = (
    "The loop over `{code}` is unrolled: in the graph, it is always {way}.",
    "Use F.contrib.foreach or F.contrib.while_loop if the number of iterations depends on the data.",
)
_CONSTANT = "The value of `{code}` is a constant of the graph: the one it had while the net was traced."
_INSTEAD = {
    "random": "Draw in the graph: F.random.uniform, F.random.normal, and F.Dropout draw new numbers in every call.",
    "time": "Read the clock outside the net, and pass the value as an input.",
}
_FILE = "The file {name} is read while the net is traced, and never again."
_WRITTEN = "The file {name} is written while the net is traced, and never again."
_COMPUTED = "`{name}` is frozen at {value}: Python computed it while the net was traced."
_COUNTED = "`{name}` goes from {before} to {now} in one call; hybridized, only the call that is traced does that."
_CHANGED = "`{name}` changes in one call; hybridized, only the call that is traced does that."


def traced_functions(functions: Sequence[Function]) -> list[Function]:
    """Return the functions of HybridBlocks; those of plain Blocks run in every call, so they freeze no value."""
    return [function for function in functions if isinstance(function.block, HybridBlock)]


def frozen_in(functions: Sequence[Function], trace: Run, eager: Sequence[tuple[str, Run]]) -> list[Finding]:
    """Return all frozen values in the user's functions.

    Parameters
    ----------
    functions : sequence of Function
        The user's functions that a call of the net may run.
    trace : Run
        The run with symbols.
    eager : sequence of (str, Run)
        The description and the record of each run with arrays.

    Returns
    -------
    list of Finding
        A finding for each frozen value.
    """
    found: list[Finding] = []
    done: set[int] = set()
    for function in traced_functions(functions):
        if function.node is None:
            continue
        for attribute in _attributes(function, trace):
            add(found, attribute)
        for new in read_by(function, trace):
            add(found, new)
        code = id(function.function.__code__)
        if code in done:
            continue
        done.add(code)
        for new in (
            *_choices(function, trace, eager),
            *_calls(function, trace, eager),
            *_computed(function, trace),
            *_defaults(function),
            *talk_of(function, trace),
        ):
            add(found, new)
    for path, place, writes in trace.opened:
        what = translate(_WRITTEN if writes else _FILE, name=repr(path))
        remedy = "Write it outside the net." if writes else "Read it outside the net, and pass the value as an input."
        add(found, Finding("file", what, translate(_ONCE), translate(remedy), *place, differs=False, name=path))
    return found


def _attributes(function: Function, trace: Run) -> Iterator[Finding]:
    assert function.node is not None
    for node in ast.walk(function.node):
        if not isinstance(node, ast.Attribute) or not isinstance(node.ctx, ast.Load):
            continue
        if not isinstance(node.value, ast.Name) or node.value.id != function.self_name:
            continue
        value = vars(function.block).get(node.attr)
        if value is None or not is_plain(value) or not ran(trace, function, node):
            continue
        name, text = f"{function.path}.{node.attr}", reprlib.repr(value)
        yield Finding(
            "attribute",
            translate("{name} is frozen at {value}, whatever it is set to later.", name=name, value=text),
            translate(_ONCE),
            translate("Call net.hybridize() again after changing it, or make it an input, a Parameter, or a Constant."),
            function.filename, node.lineno, text, name=name,
        )  # fmt: skip


def _computed(function: Function, trace: Run) -> Iterator[Finding]:
    """Return findings about local variables that Python computed from other values, and that operators use."""
    assert function.node is not None
    code = function.function.__code__
    values = {
        name: next(iter(found)) for (where, name), found in trace.plain.items() if where is code and len(found) == 1
    }
    for node in ast.walk(function.node):
        if (
            not isinstance(node, ast.Assign | ast.AnnAssign)
            or node.value is None
            or not ran(trace, function, node.value)
        ):
            continue
        targets = node.targets if isinstance(node, ast.Assign) else [node.target]
        depends = any(isinstance(part, ast.Name | ast.Attribute) for part in ast.walk(node.value))
        for target in targets if depends else ():
            if isinstance(target, ast.Name) and target.id in values and _is_used(target.id, function.node, values):
                value = values[target.id]
                yield Finding(
                    "computed", translate(_COMPUTED, name=target.id, value=value), translate(_ONCE),
                    translate(
                        "Call net.hybridize() again after changing what it depends on, or compute it from inputs or "
                        "Parameters with operators."
                    ),
                    function.filename, node.lineno, value, name=target.id,
                )  # fmt: skip


#: Kind of statement -> its part that only decides what runs; findings about branches and loops tell about it.
_DECIDES: dict[type[ast.AST], str] = {
    **dict.fromkeys([ast.If, ast.IfExp, ast.While, ast.Assert], "test"),
    ast.For: "iter",
}


def _is_used(name: str, function: ast.AST, plain: Collection[str]) -> bool:
    """Return whether operators use a variable: not only ``print``, branches, loops, and other numbers depend on it."""
    parts: list[ast.AST] = [*ast.iter_child_nodes(function)]
    while parts:
        part = parts.pop()
        if isinstance(part, ast.Name) and part.id == name and isinstance(part.ctx, ast.Load):
            return True
        if isinstance(part, ast.Assign) and all(isinstance(t, ast.Name) and t.id in plain for t in part.targets):
            continue
        if isinstance(part, ast.Call) and isinstance(part.func, ast.Name) and part.func.id == "print":
            continue
        skipped = {ast.If: "test", ast.IfExp: "test", ast.While: "test", ast.For: "iter", ast.Assert: "test"}.get(
            type(part)
        )
        parts += [child for field, child in _fields(part) if field != skipped]
    return False


def _fields(node: ast.AST) -> Iterator[tuple[str, ast.AST]]:
    for field, value in ast.iter_fields(node):
        for child in value if isinstance(value, list) else [value]:
            if isinstance(child, ast.AST):
                yield field, child


def _ways(run: Run, function: Function, choice: Choice) -> Any:
    """Return the branches taken, or a loop's numbers of iterations and runs; None if the statement was not reached."""
    if not hits(run, function.filename, [choice.test]):
        return None
    reached = times_run(run, function.filename, [choice.test])
    first = times_run(run, function.filename, choice.ways[0])
    if choice.kind == "branch":
        return bool(first), first < reached
    return first, reached


def _choices(function: Function, trace: Run, eager: Sequence[tuple[str, Run]]) -> Iterator[Finding]:
    for choice in choices_of(function):
        frozen = _ways(trace, function, choice)
        others = [(name, way) for name, run in eager if (way := _ways(run, function, choice)) is not None]
        if frozen is None:
            if not trace.hits and others and len({way for _, way in others}) > 1:
                frozen = others[0][1]
            else:
                continue
        other = next(((name, way) for name, way in others if way != frozen), None)
        if other is None and _is_structure(function, choice):
            continue
        what, remedy = _UNROLLED if choice.kind == "loop" else _DECIDED
        if choice.kind == "branch" and ("is_training" in choice.text or "is_recording" in choice.text):
            remedy = _MODE
        why = translate(_ONCE)
        if other is not None:
            way = way_in_words(_way_text(choice, other[1]))
            why = sentences(why, translate("Eagerly, {calls}, it is {way}.", calls=other[0], way=way))
        value = _way_text(choice, frozen)
        what = translate(what, code=choice.text, way=way_in_words(value))
        yield Finding(
            choice.kind, what, why, translate(remedy), function.filename, choice.line, value, other is not None,
            name=choice.text,
        )  # fmt: skip


def _way_text(choice: Choice, way: Any) -> str:
    if choice.kind == "loop":
        rounds, runs = way
        in_all = " in all" if runs > 1 and rounds else ""  # an inner loop runs several times
        return (f"run {rounds} times" if rounds != 1 else "run once") + in_all
    if all(way):
        return "both ways, by turns"
    return "taken" if way[0] else "not taken"


def way_in_words(value: str) -> str:
    """Return the outcome of a branch or a loop, such as ``"taken"``, in the current language.

    Examples
    --------
    >>> way_in_words("run 3 times")
    'run 3 times'
    """
    return translated_pattern(value, ["run {n} times in all", "run {n} times"])


def _is_structure(function: Function, choice: Choice) -> bool:
    """Return whether a choice depends only on the block's children, such as ``if self.shortcut``."""
    for node in ast.walk(choice.test):
        if isinstance(node, ast.Name):
            if node.id == function.self_name or getattr(builtins, node.id, None) in (isinstance, len, enumerate, zip):
                continue
            return False
        if isinstance(node, ast.Attribute):
            value = resolve(node, function)
            parts = [value]
            if isinstance(value, list | tuple | dict):
                parts = list(value.values() if isinstance(value, dict) else value)
            if not all(part is None or isinstance(part, Block | Parameter) or callable(part) for part in parts):
                return False
    return True


def _calls(function: Function, trace: Run, eager: Sequence[tuple[str, Run]]) -> Iterator[Finding]:
    assert function.node is not None
    for node in ast.walk(function.node):
        if not isinstance(node, ast.Call) or not ran(trace, function, node):
            continue
        called = resolve(node.func, function)
        if called is MISSING:
            continue
        text = ast.unparse(node)
        if called is print and any(run.printed for _, run in eager):
            yield Finding(
                "print", translate("`{code}` prints while the net is traced, and never again.", code=text),
                sentences(translate(_ONCE), translate("Compiled calls do not run it.")),
                translate("Print outside the net, return the value as another output, or call net.hybridize(False)."),
                function.filename, node.lineno, differs=True, name=text,
            )  # fmt: skip
            continue
        kind = origin(called)
        if kind is not None:
            yield Finding(
                kind, translate(_CONSTANT, code=text), translate(_ONCE), translate(_INSTEAD[kind]),
                function.filename, node.lineno, differs=True, name=text,
            )  # fmt: skip


def _defaults(function: Function) -> Iterator[Finding]:
    """Return findings about optional inputs, whose presence is also frozen."""
    node = function.node
    if function.function.__name__ != "hybrid_forward" or not isinstance(node, ast.FunctionDef):
        return
    arguments = node.args.args
    for argument in arguments[len(arguments) - len(node.args.defaults) :]:
        if argument.arg not in function.block._reg_params:
            yield Finding(
                "arguments", translate("The first call decides whether `{name}` is passed.", name=argument.arg),
                translate("The graph has the inputs of the call that was traced; "
                          "a call with more or fewer inputs raises an error."),
                translate("Always pass the argument, or call net.hybridize() before you call the net the other way."),
                function.filename, argument.lineno, name=argument.arg,
            )  # fmt: skip


def frozen_variables(functions: Sequence[Function], variables: Sequence[Variable]) -> Iterator[Finding]:
    """Yield findings about variables that every eager call changes, but a hybridized net changes only in its trace."""
    for variable in variables:
        if not variable.changed:
            continue
        place = next(_writes(traced_functions(functions), variable), None)
        if place is None:
            continue  # layers of the package may store values that do not affect results
        shown = is_plain(variable.value) and is_plain(variable.read())
        before, now = (reprlib.repr(v) for v in (variable.state, variable.read()))
        what = translate(_COUNTED if shown else _CHANGED, name=variable.name, before=before, now=now)
        yield Finding(
            "counter", what, sentences(translate(_ONCE), translate("All later calls use the value from the trace.")),
            translate(
                "Change it outside the net and pass it as an input; state of the net should be a Parameter with "
                "grad_req='null' that you set outside."
            ),
            *place, value=now, differs=True, name=variable.name,
        )  # fmt: skip


def _writes(functions: Sequence[Function], variable: Variable) -> Iterator[Place]:
    """Return the lines that may change a variable: assignments, then calls of its methods, then all other lines."""
    name = variable.name.removeprefix("self.")
    mentions: list[tuple[int, str, int]] = []
    for function in functions:
        if variable.owner is not None and function.block is not variable.owner:
            continue
        for node in ast.walk(function.node) if function.node is not None else ():
            targets: list[Any] = []
            rank = 0
            if isinstance(node, ast.Assign):
                targets = list(node.targets)
            elif isinstance(node, ast.AugAssign | ast.AnnAssign):
                targets = [node.target]
            elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
                targets, rank = [node.func.value], 1
            elif isinstance(node, ast.Attribute | ast.Name):
                targets, rank = [node], 2
            for target in targets:
                for part in ast.walk(target):
                    own = part.attr if isinstance(part, ast.Attribute) else getattr(part, "id", None)
                    if own == name:
                        mentions.append((rank, function.filename, node.lineno))  # type: ignore[attr-defined]
    for _, filename, line in sorted(mentions):
        yield Place(filename, line)
