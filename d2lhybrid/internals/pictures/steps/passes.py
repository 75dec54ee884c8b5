"""The chapters of the passes, with the changes that a comparison of the graphs before and after a pass finds."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from types import ModuleType
from typing import Any

import numpy

from ...core import pipeline
from ...core.backends import used_backends
from ...core.codegen import split
from ...core.graph import Graph
from ...core.node import Node
from ...support.settings import settings
from ...support.words import listed, sentences, translate
from . import chinese  # noqa: F401  it adds words
from .comparing import Change, compare
from .model import Chapter, Step
from .registry import Registry, few, prepared_in

__all__ = ["name_of", "pass_chapters", "purpose_of"]

#: Stages with separate chapters.
_ELSEWHERE = {"infer", "split", "generate code"}

#: Kind of a change -> sentence about the change, for one node or several nodes.
_SENTENCES = {
    "removed": "{before} is removed: {after} is used in its place.",
    "merged": "{before} computes the same as {after}, and is merged into it.",
    "folded": "{before} depends on no input: it is computed now, once, and becomes a constant.",
    "fused": "{before} are fused into one node, {after}.",
    "absorbed": "{before} goes into {after}, which now does the work of both.",
    "replaced": "{before} is replaced by {after}.",
    "moved": "{first} moves behind {second}.",
    "dead": "Dropped, because unused: {before}.",
    "added": "Added: {after}.",
}
_GRADIENT = "The gradient of {before}: {after}."
_SPLIT = "Split: cut the graph into programs: forward, backward, and the part that depends only on parameters."


def name_of(name: str) -> str:
    """Return the name of a stage in the current language. ``CHINESE`` in a pass's module contains the Chinese name.

    Examples
    --------
    >>> from d2lhybrid.util import config
    >>> with config(lang="zh"):
    ...     name_of("simplify"), name_of("simplify again")
    ('化简', '再次化简')
    """
    first = name.removesuffix(" again")
    if first != name and _file_of(name) is not None:
        return translate("{name} again", name=name_of(first))
    return _in_chinese(name)[0] or translate(name)


def purpose_of(name: str) -> str:
    """Return the first sentence of a pass's documentation in the current language.

    Examples
    --------
    >>> purpose_of("merge equal")
    'Common-subexpression elimination: merges nodes that compute the same value from the same inputs.'
    """
    if name == "split":
        return translate(_SPLIT)
    text = getattr(_file_of(name), "__doc__", None) or ""
    return (_in_chinese(name)[1] or " ".join(text.split("\n\n")[0].split())).replace("``", "")


def _file_of(name: str) -> ModuleType | None:
    """Return the module of a pass, or None if a stage is not a pass."""
    functions = _passes_of_backends() | {"differentiate": pipeline.differentiate}
    return sys.modules.get(getattr(functions.get(name), "__module__", ""))


def _passes_of_backends() -> dict[str, Any]:
    """Return all passes by name: the passes of the pipeline, and of backends that have been used."""
    theirs = [pipeline.INFERENCE_PASSES, pipeline.FORWARD_PASSES, pipeline.PASSES]
    found = {name: run for passes in theirs for name, run in passes}
    for backend in used_backends():
        settings = pipeline.Settings(numpy, False, False, backend)
        for passes in theirs:
            for name, run in backend.passes(passes, settings):
                found.setdefault(name, getattr(run, "func", run))  # a pass may be a partial
    return found


def _in_chinese(name: str) -> tuple[str, str]:
    """Return a pass's name and purpose in Chinese, if Chinese is the current language and the module has them."""
    return getattr(_file_of(name), "CHINESE", ("", "")) if settings.lang == "zh" else ("", "")


def pass_chapters(registry: Registry) -> Iterator[Chapter]:
    """Yield a chapter for each pass that changed the graph, each sequence of other passes, and the split, if any."""
    program, stages = registry.call.program, registry.call.stages
    idle: list[str] = []
    before = stages[0].graph
    for stage in stages[1:]:
        if stage.name in _ELSEWHERE:
            continue
        after = stage.graph
        comparison = compare(before, after)
        registry.alias(comparison)
        if not comparison.changes:
            idle.append(stage.name)
            before = after
            continue
        if idle:
            yield _idle_chapter(registry, idle, before)
            idle = []
        registry.add_types(after)
        steps = list(_steps(registry, stage.name, before, after, comparison.changes))
        yield Chapter("pass", name_of(stage.name), steps)
        before = after
    if idle:
        yield _idle_chapter(registry, idle, before)
    if program is not None and program.backward is not None:
        yield _split_chapter(registry, program.graph)


def _idle_chapter(registry: Registry, names: list[str], graph: Graph) -> Chapter:
    text = translate("{names}: nothing to change here.", names=listed(map(name_of, names)))
    step = Step(text, "\n".join(dict.fromkeys(filter(None, map(purpose_of, names)))), registry.draw(graph))
    title = name_of(names[0]) if len(names) == 1 else translate("{count} unchanged", count=len(names))
    return Chapter("unchanged", title, [step])


def _steps(registry: Registry, name: str, before: Graph, after: Graph, changes: list[Change]) -> Iterator[Step]:
    why, once = purpose_of(name), prepared_in(after)
    gradient = bool(after.gradients) and not before.gradients
    older, newer = registry.draw(before), registry.draw(after)
    if gradient:  # drawn in the order of creation, so that the graph grows
        made = [n for c in changes for n in c.after]
        newer = registry.draw_nodes([*before.nodes, *made, *after.nodes], [node for node, _ in after.outputs])
    registry.moves[older, newer] = _moves(registry, changes)
    so_far: list[int] = []
    position = {n: i for i, n in enumerate(registry.drawings[newer].nodes)}
    there = 0
    for change in changes:
        text = _turned(change, before, after) or _once(change, once) or _sentence(change, gradient)
        old, new = registry.numbers(change.before), registry.numbers(change.after)
        lines = tuple(dict.fromkeys(line for n in old for line in registry.nodes[n].lines))
        if change.kind == "added":
            so_far += new
            there = max([there, *(position.get(n, -1) + 1 for n in new)])
            yield Step(text, why, newer, there if gradient else -1, new, {"added": tuple(so_far)}, lines=lines)
        else:
            yield Step(text, why, older, focus=old, marks={change.kind: old}, lines=lines)
    drawn = {*registry.drawings[older].nodes}
    added = tuple(n for c in changes for n in registry.numbers(c.after) if n not in drawn)
    text = translate(
        "After {name}: {after} operators, {before} before.", name=name_of(name),
        before=before.num_operators - len(prepared_in(before)), after=after.num_operators - len(once),
    )  # fmt: skip
    if once:
        text = sentences(
            text, translate("{count} operators depend only on weights, so they run once, not in every call.",
                            count=len(once)),
        )  # fmt: skip
    yield Step(text, why, newer, marks={"added": added} if added else {})


def _moves(registry: Registry, changes: list[Change]) -> dict[int, int]:
    """Return the index of each removed node's target, and the index of each new node's origin."""
    moves: dict[int, int] = {}
    for change in changes:
        old, new = registry.numbers(change.before), registry.numbers(change.after)
        if change.kind == "moved" or not old or not new:
            continue
        if change.kind != "added":
            moves |= {n: new[0] for n in old if n not in new}
        moves |= {n: old[0] for n in new if n not in old and n not in moves}
    return moves


def _names(nodes: tuple[Node, ...], most: int = 4) -> str:
    texts = [f"{n.name} ({n.op.name})" if n.op is not None else n.name for n in nodes[:most]]
    if len(nodes) > most:
        texts.append(translate("{count} more", count=len(nodes) - most))
    return listed(texts)


def _turned(change: Change, before: Graph, after: Graph) -> str:
    """Return the sentence about a node if only its layout changed; empty for other changes."""
    if change.kind != "replaced" or change.after[0].op is not change.before[0].op:
        return ""
    old, new = before.types[change.before[0], 0], after.types[change.after[0], 0]
    return translate(
        "{name} now returns {new}; before, it returned {old}.", name=_names(change.before[:1]), new=new, old=old
    )


def _once(change: Change, prepared: list[Node]) -> str:
    """Return the sentence about new operators that depend only on weights; empty for other changes."""
    if change.kind != "added" or not {*change.after} <= {*prepared}:
        return ""
    return translate("New: {n} operators that are computed once, from the weights.", n=len(change.after))


def _sentence(change: Change, gradient: bool) -> str:
    before, after = _names(change.before), _names(change.after)
    if change.kind == "moved":
        return translate(_SENTENCES["moved"], first=_names(change.before[:1]), second=_names(change.before[1:]))
    if change.kind == "added" and gradient and change.before:
        return translate(_GRADIENT, before=before, after=after)
    return translate(_SENTENCES[change.kind], before=before, after=after)


def _split_chapter(registry: Registry, graph: Graph) -> Chapter:
    program = registry.call.program
    assert program is not None and program.backward is not None
    halves = split(graph)
    forward = registry.numbers(program.forward.line_nodes.values())
    backward = registry.numbers(program.backward.line_nodes.values())
    kept = registry.numbers(n for n, _ in halves.residuals)
    names = few(registry.nodes[n].name for n in kept)
    nbytes = sum(graph.types[e].nbytes for e in halves.residuals)
    drawing = registry.draw(graph)
    steps = [
        Step(
            translate("The graph is cut in two: {f} operators forward, {b} backward.", f=len(forward), b=len(backward)),
            purpose_of("split"), drawing, marks={"forward": forward, "backward": backward},
        ),
        Step(
            translate("Kept for the backward program: {names} ({nbytes} bytes).", names=names, nbytes=nbytes),
            translate("The backward program needs these values from the forward program; all others are freed."),
            drawing, focus=kept, marks={"forward": forward, "backward": backward, "kept": kept},
        ),
    ]  # fmt: skip
    states = listed(u.variable.name for u in graph.updates if u.stage == "backward")
    if states:
        text = translate("The backward program will write back states: {names}.", names=states)
        why = translate("Operators change nothing; their new state is an ordinary output.")
        steps.append(Step(text, why, drawing, focus=registry.numbers(u.value[0] for u in graph.updates)))
    return Chapter("pass", translate("split"), steps)
