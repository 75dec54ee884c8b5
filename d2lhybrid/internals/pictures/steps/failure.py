"""The chapter of a failed compilation: the last completed step, and an explanation of the error at its line."""

from __future__ import annotations

import re

from d2lhybrid.util import is_own_file

from ...support.places import Place
from ...support.remedies import place_of
from ...support.words import translate
from ..problem import Problem, problem_of
from .model import Chapter, Failure, Step
from .registry import Registry

__all__ = ["failed_node", "failure_chapter", "problem_lines"]

#: A pattern for the note of an inference error, which names the node and its inputs.
_NODE = re.compile(r"in \w+ '([^']*)' with inputs (.*)")
#: Stage -> sentence about a failure in it.
_WHEN = {
    "trace": "The code fails while it is traced, with Symbols in place of arrays.",
    "infer": "The trace succeeded, because a Symbol has no shape that could be wrong. Shape inference fails.",
    "compile": "The graph is complete, with all its types. The compiler fails.",
    "run": "The program is ready. It fails while it runs.",
    "backward": "The program ran. The backward pass fails.",
}


def failure_chapter(registry: Registry, drawing: int) -> Chapter:
    """Return the last chapter of a failed call.

    Parameters
    ----------
    registry : Registry
        Registry of the call.
    drawing : int
        Index of the last drawn graph; -1 if no graph was drawn.
    """
    call = registry.call
    assert call.error is not None
    place = _place(call.error)
    when = translate(_WHEN[call.came_to])
    problem = problem_of(call.error, place.file if place else "", when)
    if place is not None and problem.line != place.line:  # the trace does not contain this line
        problem.corrected = ""
    if not problem.values:
        noted = [_NODE.match(note) for note in getattr(call.error, "__notes__", [])]
        problem.values = [[translate("its inputs"), match[2]] for match in noted if match]
    node = failed_node(registry)
    lines: tuple[tuple[int, int], ...] = ()
    if place is not None:
        found = registry.made(place) or registry.line_at(place)
        lines = () if found is None else (found,)
    elif node:
        lines = registry.nodes[node[0]].lines
    shown = drawing >= 0 and all(n in registry.drawings[drawing].nodes for n in node)
    step = Step(
        when, problem.message, drawing, focus=node if shown else (), marks={"failed": node} if shown and node else {},
        lines=lines, failure=Failure(lines[-1] if lines else None, problem),
    )  # fmt: skip
    return Chapter("failed", translate("Fails"), [step])


def failed_node(registry: Registry) -> tuple[int, ...]:
    """Return a tuple with the index of the node whose rule or line failed, or an empty tuple if the node is unknown."""
    call = registry.call
    for note in getattr(call.error, "__notes__", []):
        named = _NODE.match(note)
        for event in call.traced if named else ():
            if event.node is not None and named is not None and event.node.name == named[1]:
                return (registry.number(event.node),)
    source = None
    if call.program is not None and call.came_to in ("run", "backward"):
        source = call.program.forward if call.came_to == "run" else call.program.backward
    line = call.failed_lines.get("forward" if call.came_to == "run" else "backward", 0)
    node = source.line_nodes.get(line) if source is not None else None
    return () if node is None else (registry.number(node),)


def _place(error: BaseException) -> Place | None:
    """Return the user's line for an error: the line that created a layer, or the line that ran last."""
    remembered = place_of(error)
    if remembered is not None:
        return remembered.written
    found, step = None, error.__traceback__
    while step is not None:
        code = step.tb_frame.f_code
        if is_own_file(code.co_filename) and not code.co_filename.startswith("<string"):
            found = Place(code.co_filename, step.tb_lineno, code.co_qualname)
        step = step.tb_next
    return found if found is not None or error.__cause__ is None else _place(error.__cause__)


def problem_lines(problem: Problem) -> list[str]:
    """Return the lines of an error's explanation, without the error's message."""
    found = [*(f"→ {text}" for text in problem.instead)]
    if problem.corrected:
        found.append(f"+ {problem.corrected}")
    if problem.why:
        found.append(f"{problem.page}. {problem.why}" if problem.page else problem.why)
    return [*found, *(f"{name} = {what}" for name, what in problem.values)]
