"""Smaller programs that show the same: lines are left out, values replaced, until nothing can go."""

from __future__ import annotations

import dataclasses
import time
from collections.abc import Iterator
from typing import Any

from .program import Array, Block, Input, Program
from .running import Finding, Reference, check, types_of, with_sharing

__all__ = ["shrink"]


def _with_net(program: Program, net: Block) -> Program | None:
    """Return the program with another net, without what that does not need; None if nothing would be left."""
    net = net.needed()
    used = {n for s in net.statements for n in s.uses} | set(net.outputs)
    inputs = tuple(i for i in program.inputs if i.name in used)
    if not inputs or not net.outputs:
        return None
    kept = [i for i, given in enumerate(program.inputs) if given in inputs]
    steps = tuple(
        dataclasses.replace(s, arrays=tuple(s.arrays[i] for i in kept)) if s.arrays else s for s in program.steps
    )
    net = dataclasses.replace(net, parameters=tuple(i.name for i in inputs))
    blocks = list(program.blocks[:-1])
    texts = "\n".join(["\n".join(b.lines()) for b in blocks] + ["\n".join(net.lines())])
    blocks = [b for b in blocks if f"{b.name}()" in texts.replace(f"class {b.name}(", "")]
    return dataclasses.replace(program, blocks=(*blocks, net), inputs=inputs, steps=steps)


def _fewer_steps(program: Program) -> Iterator[Program]:
    for i in range(len(program.steps)):
        if len(program.steps) > 1:
            yield dataclasses.replace(program, steps=program.steps[:i] + program.steps[i + 1 :])
    for i, step in enumerate(program.steps):
        simpler = []
        if step.arrays:
            simpler.append(dataclasses.replace(step, arrays=()))
        if step.kind not in ("predict", "record"):
            simpler += [dataclasses.replace(step, kind="predict"), dataclasses.replace(step, kind="record")]
        if step.kind == "record":
            simpler.append(dataclasses.replace(step, kind="predict"))
        for other in simpler:
            yield dataclasses.replace(program, steps=(*program.steps[:i], other, *program.steps[i + 1 :]))


def _fewer_outputs(program: Program) -> Iterator[Program | None]:
    net = program.net
    if net.nested:
        yield _with_net(program, dataclasses.replace(net, nested=False))
    for i in range(len(net.outputs)):
        if len(net.outputs) > 1:
            outputs = net.outputs[:i] + net.outputs[i + 1 :]
            yield _with_net(program, dataclasses.replace(net, outputs=outputs, nested=net.nested and len(outputs) > 1))


def _earlier_outputs(program: Program) -> Iterator[Program | None]:
    """Return what a result is made of in its place."""
    net = program.net
    made = {t: s for s in net.statements for t in s.targets}
    for i, output in enumerate(net.outputs):
        for name in made[output].arguments if output in made else ():
            yield _with_net(program, dataclasses.replace(net, outputs=(*net.outputs[:i], name, *net.outputs[i + 1 :])))


def _fewer_statements(program: Program, types: dict[str, tuple[tuple[int, ...], str]]) -> Iterator[Program | None]:
    """Leave a statement out: who used its values uses another one, or an argument, of the same type."""
    net = program.net
    order = [i.name for i in program.inputs]
    for at, statement in enumerate(net.statements):
        for target_choice in ("before", "argument"):
            names: dict[str, str] = {}
            inputs: list[Input] = []
            for target in statement.targets:
                if target not in types:
                    continue
                same = [n for n in order if types.get(n) == types[target]]
                if target_choice == "before" and same:
                    names[target] = same[-1]
                elif target_choice == "argument":
                    shape, dtype = types[target]
                    maker = "normal" if dtype.startswith("float") else "whole"
                    inputs.append(Input(f"x{target[1:]}", Array(maker, shape, dtype, at)))
                    names[target] = inputs[-1].name
            if len(names) < len(statement.targets):
                continue
            if target_choice == "argument" and any(s.arrays for s in program.steps):
                continue
            yield _replaced(program, at, names, tuple(inputs))
        order += statement.targets


def _replaced(program: Program, at: int, names: dict[str, str], inputs: tuple[Input, ...]) -> Program | None:
    net = program.net
    statements = tuple(s.renamed(names) for i, s in enumerate(net.statements) if i != at)
    outputs = tuple(names.get(n, n) for n in net.outputs)
    grown = dataclasses.replace(program, inputs=program.inputs + inputs)
    return _with_net(grown, dataclasses.replace(net, statements=statements, outputs=outputs))


def _inlined(program: Program) -> Iterator[Program | None]:
    """Put the lines of a child in the place of its call."""
    children = {b.name: b for b in program.blocks[:-1]}
    net = program.net
    for at, statement in enumerate(net.statements):
        if len(statement.declares) != 1:
            continue
        line = statement.declares[0]
        child = children.get(line.partition(" = ")[2].removesuffix("()"))
        if child is None or sum(line in s.declares for s in net.statements) > 1 or child.weights:
            continue
        names = dict(zip(child.parameters, statement.arguments, strict=True))
        body = [s.renamed(names) for s in child.statements]
        results = dict(zip(statement.targets, [names.get(o, o) for o in child.outputs], strict=False))
        rest = [s.renamed(results) for s in net.statements[at + 1 :]]
        outputs = tuple(results.get(o, o) for o in net.outputs)
        yield _with_net(
            program, dataclasses.replace(net, statements=(*net.statements[:at], *body, *rest), outputs=outputs)
        )


def _smaller_children(program: Program) -> Iterator[Program]:
    for k, block in enumerate(program.blocks[:-1]):
        for at, statement in enumerate(block.statements):
            for name in statement.arguments:
                names = dict.fromkeys(statement.targets, name)
                statements = tuple(s.renamed(names) for j, s in enumerate(block.statements) if j != at)
                outputs = tuple(names.get(o, o) for o in block.outputs)
                smaller = dataclasses.replace(block, statements=statements, outputs=outputs)
                yield dataclasses.replace(program, blocks=(*program.blocks[:k], smaller, *program.blocks[k + 1 :]))


def _merged_arguments(program: Program) -> Iterator[Program | None]:
    """Use one argument where two of the same type are used; plain numbers; plain requests for gradients."""
    net = program.net
    for i, given in enumerate(program.inputs):
        for other in program.inputs[:i]:
            if (other.array.shape, other.array.dtype) == (given.array.shape, given.array.dtype):
                names = {given.name: other.name}
                statements = tuple(s.renamed(names) for s in net.statements)
                outputs = tuple(names.get(o, o) for o in net.outputs)
                yield _with_net(program, dataclasses.replace(net, statements=statements, outputs=outputs))
        if given.grad_req != "write":
            yield _with_input(program, i, dataclasses.replace(given, grad_req="write"))


def _with_input(program: Program, i: int, given: Input) -> Program:
    return dataclasses.replace(program, inputs=(*program.inputs[:i], given, *program.inputs[i + 1 :]))


def _candidates(program: Program, types: dict[str, Any]) -> Iterator[Program | None]:
    yield from _fewer_steps(program)
    yield from _fewer_outputs(program)
    yield from _earlier_outputs(program)
    yield from _fewer_statements(program, types)
    yield from _inlined(program)
    yield from _merged_arguments(program)
    yield from _smaller_children(program)


def _fewer_thresholds(finding: Finding) -> Iterator[dict[tuple[str, str], int]]:
    yield {}
    for key in finding.thresholds:
        yield {k: v for k, v in finding.thresholds.items() if k != key}


def shrink(finding: Finding, seconds: float = 60.0) -> Finding:
    """Return a finding of the same kind, in the same mode, of a program that is as small as possible.

    Parameters
    ----------
    finding : Finding
        What to make smaller.
    seconds : float
        When to stop.
    """
    until = time.monotonic() + seconds

    def again(program: Program, lowered: dict[tuple[str, str], int]) -> Finding | None:
        try:
            found = check(Reference(with_sharing(program)), finding.mode, lowered)
        except Exception:
            return None
        return found if found is not None and found.kind == finding.kind else None

    progress = True
    while progress and time.monotonic() < until:
        progress = False
        for lowered in _fewer_thresholds(finding):
            if len(lowered) < len(finding.thresholds) and (found := again(finding.program, lowered)) is not None:
                finding, progress = found, True
                break
        types = types_of(finding.program)
        for candidate in _candidates(finding.program, types):
            if time.monotonic() > until:
                break
            if candidate is None or candidate.size >= finding.program.size:
                continue
            found = again(candidate, finding.thresholds)
            if found is not None:
                finding, progress = found, True
                break
    return finding
