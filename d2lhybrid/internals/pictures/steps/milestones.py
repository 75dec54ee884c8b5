"""The roughly ten milestones of a compilation, with detailed steps that the view shows on request."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from ...support.display import Shown
from ...support.words import sentences, translate
from .model import Chapter, Failure, Step
from .program import size

if TYPE_CHECKING:
    from ..compile_steps import CompileStepper

__all__ = ["Milestone", "Moves", "milestones_of", "moves_of", "savings_of"]

#: The maximum number of changes for which a milestone has a sentence each.
_FEW = 2
Moves = dict[int, int]


@dataclass(repr=False)
class Milestone(Shown):
    """A milestone of a compilation.

    Attributes
    ----------
    title : str
        Title of one or two words.
    text, why : str
        Sentences about what happens, and why.
    panel : str
        Panel next to the graph: ``"source"``, ``"program"``, or ``"end"`` for the graph before and after.
    drawing, before : int
        Index of the graph, and of the previous graph; -1 for none.
    marks, gone : dict
        Marked nodes in the graph, and marked nodes in the previous graph.
    steps : list of Step
        Detailed steps.
    half : str
        ``"forward"``, ``"backward"``, or ``""`` before the graph is split.
    bars : bool
        Whether the panel shows the memory next to the program.
    failure : Failure or None
        Error that ended the compilation, if any.
    """

    title: str
    text: str
    why: str
    panel: str
    drawing: int = -1
    before: int = -1
    marks: dict[str, tuple[int, ...]] = field(default_factory=dict)
    gone: dict[str, tuple[int, ...]] = field(default_factory=dict)
    steps: list[Step] = field(default_factory=list)
    half: str = ""
    bars: bool = False
    failure: Failure | None = None


def milestones_of(data: CompileStepper) -> list[Milestone]:
    """Return the milestones of a compilation."""
    return [m for m in _of_net(data) if m.steps or m.panel == "end"]


# --- milestones ------------------------------------------------------------------------------------------------


def _of_net(data: CompileStepper) -> Iterator[Milestone]:
    idle: list[Step] = []
    passes = [c for c in data.chapters if c.kind == "pass"]
    order = {"code": 0, "memory": 1, "run": 2}
    halves = sorted((c for c in data.chapters if c.kind in order), key=lambda c: (c.half != "forward", order[c.kind]))
    for chapter in data.chapters:
        if chapter.kind == "trace":
            yield _trace(data, chapter)
        elif chapter.kind == "infer":
            yield _infer(data, chapter)
        elif chapter.kind == "unchanged":
            idle += chapter.steps
        elif chapter.kind == "pass":
            yield _pass(chapter, idle)
            idle = []
    if data.error is not None:
        idle = []
    if not passes and idle:
        text = translate("The compiler finds nothing to improve in this graph.")
        yield Milestone(translate("passes"), text, idle[0].text, "source", idle[0].drawing, steps=idle)
    for chapter in halves:
        yield _of_program(data, chapter)
    yield _end(data) if data.error is None else _failed(data)


def _trace(data: CompileStepper, chapter: Chapter) -> Milestone:
    last = chapter.steps[-1]
    nodes = sum(e.node is not None for e in data.call.traced)
    if len(chapter.steps) == 1:
        return Milestone(chapter.title, last.text, last.why, "source", last.drawing, steps=chapter.steps)
    text = translate(
        "Your code runs once, with symbols instead of numbers. Every operator that it calls becomes a node."
    )
    why = translate("{count} operators are recorded; nothing is computed.", count=nodes)
    printed = "".join(e.printed for e in data.call.traced).count("\n")
    if printed:
        why = sentences(why, translate("It prints {count} lines now, and never again.", count=printed))
    return Milestone(chapter.title, text, why, "source", last.drawing, marks=last.marks, steps=chapter.steps)


def _infer(data: CompileStepper, chapter: Chapter) -> Milestone:
    text = translate("The shape of the input determines all other shapes: each operator has a rule.")
    weights = {*data.call.parameters}
    learnt = {f.entry[0].name for f in data.call.found if f.deferred and f.entry[0].name in weights}
    why = chapter.steps[-1].why
    if learnt:
        why = translate("{count} weights had no shape yet; they infer it from the data.", count=len(learnt))
    return Milestone(chapter.title, text, why, "source", chapter.steps[-1].drawing, steps=chapter.steps)


def _pass(chapter: Chapter, idle: list[Step]) -> Milestone:
    last, changes = chapter.steps[-1], [s for s in chapter.steps if s.marks or s.focus]
    told = [s for s in chapter.steps[:-1] if s.focus]
    gone: dict[str, tuple[int, ...]] = {}
    before = last.drawing
    for step in told:
        if step.drawing != last.drawing:
            before = step.drawing
            for mark, nodes in step.marks.items():
                gone[mark] = (*gone.get(mark, ()), *nodes)
    why = sentences(*(s.text for s in told)) if 0 < len(told) <= _FEW else last.text
    text = changes[0].why if changes else last.text
    return Milestone(
        chapter.title, text, why, "source", last.drawing, before, last.marks, gone, [*idle, *chapter.steps]
    )


def _of_program(data: CompileStepper, chapter: Chapter) -> Milestone:
    program, first, last = data.programs[chapter.half], chapter.steps[0], chapter.steps[-1]
    lines = sum(bool(line.strip()) for line in program.lines)
    steps = chapter.steps
    if chapter.kind == "code":  # further lines of a node add no information
        told = {s.focus: s for s in reversed(steps)}
        steps = [s for s in steps if not s.focus or told[s.focus] is s]
    title = chapter.title + (" ∂" if chapter.half == "backward" else "")
    if chapter.kind == "code":
        text = translate("The nodes become lines: the program is a Python function of {count} lines.", count=lines)
        if chapter.half == "backward":
            text = translate("A second program computes the gradients (∂), in {count} lines.", count=lines)
        why = translate("It has no Symbol, NDArray, or block, only lines on plain arrays.")
    elif chapter.kind == "memory":
        text, why = first.text, sentences(last.text, first.why)
    else:
        text = translate("The program runs. The memory of each value is next to its line.")
        why = last.text
    bars = chapter.kind != "code"
    return Milestone(title, text, why, "program", last.drawing, steps=steps, half=chapter.half, bars=bars)


def _failed(data: CompileStepper) -> Milestone:
    step = data.chapters[-1].steps[-1]
    assert step.failure is not None  # its message is shown at its line
    page = step.failure.problem.page
    return Milestone(data.chapters[-1].title, step.text, page, "source", step.drawing, marks=step.marks, steps=[step],
                     failure=step.failure)  # fmt: skip


def _end(data: CompileStepper) -> Milestone:
    program = data.call.program
    assert program is not None
    first = data.chapters[0].steps[-1].drawing
    half = data.chapters[-1].half if data.record else "forward"
    last = next(c for c in reversed(data.chapters) if c.kind == "code" and c.half == "forward").steps[-1].drawing
    text = translate("Before and after: the graph of your code, and the graph that runs in every call.")
    why = translate("The next call with these shapes runs the program directly, without the earlier steps.")
    return Milestone(translate("Before and after"), text, why, "end", last, first, half=half)


# --- moves and savings --------------------------------------------------------------------------------------


def moves_of(data: CompileStepper) -> dict[tuple[int, int], Moves]:
    """Return the replacements of removed boxes and the origins of new boxes, by pair of successive drawings."""
    return data.moves


def savings_of(data: CompileStepper) -> list[tuple[str, str, str, bool]]:
    """Return the name of each quantity, its values before and after compilation, and whether it decreased.

    The result is empty if the call failed or created no program.
    """
    call = data.call
    if call.program is None or call.error is not None:
        return []
    printed = "".join(e.printed for e in call.traced).count("\n")
    counted = [
        (translate("Python functions that run"), sum(e.kind == "enter" for e in call.traced), 1),
        *([(translate("printed lines"), printed, 0)] if printed else []),
        (translate("operators in every call"), call.program.stages[0].graph.num_operators, _count(data)),
    ]
    buffers = data.buffers.get("forward", [])
    values, there = sum(bar.nbytes for b in buffers for bar in b.bars), sum(b.nbytes for b in buffers)
    memory = translate("memory for intermediate values"), size(values), size(there), there < values
    return [*((name, str(a), str(b), b < a) for name, a, b in counted), memory]


def _count(data: CompileStepper) -> int:
    return len({n for n in data.programs["forward"].nodes if n >= 0})
