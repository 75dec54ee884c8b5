"""The chapter of inference, which finds shapes and element types node by node."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from ...support.words import listed, sentences, translate
from .layout import short_type
from .model import Chapter, Step
from .recorded_call import Found
from .registry import Registry, few, operators

__all__ = ["inference_chapter", "unfinished_inference"]


def inference_chapter(registry: Registry) -> Chapter:
    """Return the steps of shape and element type inference, starting with the known types."""
    return Chapter("infer", translate("Infer"), list(_Inference(registry).steps()))


def unfinished_inference(registry: Registry) -> Chapter:
    """Return the steps of a failed inference, up to the failure."""
    call = registry.call
    nodes = operators(call.symbol)
    drawing = registry.draw_nodes(nodes, [node for node, _ in call.symbol._entries])
    inference = _Nodes(registry, drawing)
    given = {n: _shape(call.given[n.name]) for n in nodes if n.op is None and n.name in call.given}
    types = {registry.number(n): shape for n, shape in given.items()}
    inference.known.update(types)
    text = translate("Known at first: {names}.", names=few(f"{n.name} {shape}" for n, shape in given.items()))
    why = translate("Inference goes from node to node until it finds no new shape.")
    found = [f for f in call.found if not isinstance(f.value, numpy.dtype) and _is_first(f)]
    first = Step(text, why, drawing, focus=tuple(types), types=types)
    return Chapter("infer", translate("Infer"), [first, *inference.nodes(found)])


class _Nodes:
    def __init__(self, registry: Registry, drawing: int) -> None:
        self.registry, self.drawing = registry, drawing
        #: Known types by index of the node.
        self.known: dict[int, str] = {}

    def nodes(self, found: list[Found]) -> Iterator[Step]:
        """Yield a step for each inference of a node's rule."""
        for group in _groups(found):
            node = group[0].node
            assert node.op is not None
            types: dict[int, str] = {}
            own, others = [], []
            for f in group:
                text = _shape(f.value)
                number = self.registry.number(f.entry[0])
                if f.entry[0] is node:
                    types[number] = text
                    own.append(text)
                elif self.known.get(number) != text:
                    types[number] = text
                    others.append(f"{f.entry[0].name} {text}")
            self.known.update(types)
            text = translate("The rule of {op} finds {name}: {shape}.", op=node.op.name, name=node.name,
                             shape=listed(own) or "?")  # fmt: skip
            why = translate("Each operator has a rule that finds the shapes of its outputs from those of its inputs.")
            if others:
                text = sentences(
                    text, translate("The rule also infers input shapes, backwards: {inputs}.", inputs=listed(others))
                )
                if group[0].deferred:
                    why = translate("This is how a layer without in_units gets the shape of its weight from the data.")
            number = self.registry.number(node)
            yield Step(text, why, self.drawing, focus=(number,), types=types, lines=self.registry.nodes[number].lines)


class _Inference(_Nodes):
    def __init__(self, registry: Registry) -> None:
        self.call = registry.call
        self.graph = self.call.stages[0].graph
        super().__init__(registry, registry.draw(self.graph))
        registry.add_types(self.graph)

    def steps(self) -> Iterator[Step]:
        registry = self.registry
        shapes = [f for f in self.call.found if not isinstance(f.value, numpy.dtype) and _is_first(f)]
        first = [f for f in shapes if f.deferred] or shapes
        found_later = {f.entry[0] for f in first}
        given = [n for n in self.graph.nodes if n.op is None and n not in found_later]
        types = {registry.number(n): _shape(self.graph.types[n, 0].shape) for n in given}
        self.known.update(types)
        yield Step(
            translate("Known at first: {names}.", names=few(f"{n.name} {types[registry.number(n)]}" for n in given)),
            translate("Inference goes from node to node until it finds no new shape."),
            self.drawing, focus=tuple(types), types=types,
        )  # fmt: skip
        yield from self.nodes(first)
        if first is not shapes:
            yield self.again([f for f in shapes if not f.deferred])
        yield self.dtypes()
        yield from self.states()

    def again(self, later: list[Found]) -> Step:
        same = all(self.known.get(self.registry.number(f.entry[0]), _shape(f.value)) == _shape(f.value) for f in later)
        what = translate("The result is the same.") if same else translate("Some shapes have changed.")
        return Step(
            translate(
                "The parameters get their values. Then inference runs again, for the compiler. {what}", what=what
            ),
            translate("The parameters were deferred, because their initializers need shapes."),
            self.drawing,
        )

    def dtypes(self) -> Step:
        types = self.graph.types
        named = {self.registry.number(n): short_type(str(types[n, 0])) for n in self.graph.nodes}
        kinds = sorted({types[n, 0].dtype.name for n in self.graph.nodes})
        if len(kinds) == 1:
            text = translate("Dtypes are inferred in the same way: {dtype} everywhere.", dtype=kinds[0])
        else:
            text = translate("Dtypes are inferred in the same way: {dtypes}.", dtypes=listed(kinds))
        why = translate("Now every size is known, and the compiler can plan: a program is made for these shapes only.")
        return Step(text, why, self.drawing, types=named)

    def states(self) -> Iterator[Step]:
        updates = [u for u in self.graph.updates if u.stage == "forward"]
        if updates:
            names = listed(u.variable.name for u in updates)
            yield Step(
                translate("The program will write back states: {names}.", names=names),
                translate("Operators change nothing; their new state is an ordinary output."),
                self.drawing, focus=self.registry.numbers(u.value[0] for u in updates),
            )  # fmt: skip


def _is_first(found: Found) -> bool:
    """Return whether a shape is complete and belongs to a visible output."""
    node, index = found.entry
    return index == 0 and found.value is not None and None not in found.value and "__subgraph_name__" not in node.attrs


def _groups(found: list[Found]) -> Iterator[list[Found]]:
    group: list[Found] = []
    for f in found:
        if group and f.node is not group[0].node:
            yield group
            group = []
        group.append(f)
    if group:
        yield group


def _shape(value: Any) -> str:
    return "?" if value is None else "×".join("?" if n is None else str(n) for n in value) or "()"
