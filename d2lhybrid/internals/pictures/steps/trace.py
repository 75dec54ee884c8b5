"""The chapter of the trace, in which ``hybrid_forward`` runs once with Symbols, and the graph grows."""

from __future__ import annotations

from collections.abc import Iterator

from d2lhybrid.util import is_user_file

from ...core.node import Node
from ...support.words import listed, translate
from .model import Chapter, Step
from .recorded_call import TraceEvent
from .registry import Registry, operators

__all__ = ["trace_chapter"]

_MARK = "__subgraph_name__"


def trace_chapter(registry: Registry) -> Chapter:
    """Return the steps of the trace: a step for each line of user code, and for each new node."""
    return Chapter("trace", translate("Trace"), list(_Trace(registry).steps()))


class _Trace:
    def __init__(self, registry: Registry) -> None:
        self.registry, self.call = registry, registry.call
        #: Nodes that an output depends on; None after a failed trace, which has no output.
        self.used = None if self.call.symbol is None else {self.call.order_of(n) for n in operators(self.call.symbol)}
        made = [e.node for e in self.call.traced if e.node is not None and _MARK not in e.node.attrs]
        results = [] if self.call.symbol is None else [node for node, _ in self.call.symbol._entries]
        made = made or operators(self.call.symbol)
        self.drawing = registry.draw_nodes(made, results) if made or self.used is not None else -1
        self.order = registry.drawings[self.drawing].nodes if self.drawing >= 0 else []
        self.dead: tuple[int, ...] = ()
        # The Symbol of the data is created before hybrid_forward begins.
        self.visible = int(bool(self.order) and registry.nodes[self.order[0]].kind == "data")

    def steps(self) -> Iterator[Step]:
        if not self.call.traced and self.call.symbol is not None:
            text = translate("Nothing is traced: this net was made from a graph, so there is no Python code to run.")
            yield Step(text, drawing=self.drawing)
            return
        events = self.call.traced
        lines = [i for i, e in enumerate(events) if e.kind == "line"]
        failed = lines[-1] if lines and self.used is None else -1  # another chapter shows the failure
        for i, event in enumerate(events):
            following = events[i + 1] if i + 1 < len(events) else None
            printed = following.printed if following else ""
            if event.kind == "enter":
                yield self.entered(event)
            elif event.kind == "node" and event.node is not None:
                yield self.made(event, event.node)
            elif event.kind == "line" and i != failed and self.says_something(event, following):
                yield self.ran(event, printed)
        if self.call.symbol is not None:
            yield self.finished()

    def step(self, text: str, why: str, event: TraceEvent, **more: object) -> Step:
        lines = self.registry.stack(event.stack)
        marks = {"dead": self.dead} if self.dead else {}
        made = self.registry.made(event.made)
        return Step(text, why, self.drawing, self.visible, marks=marks, lines=lines, made=made, **more)  # type: ignore[arg-type]

    def entered(self, event: TraceEvent) -> Step:
        if not event.path:
            why = translate("A function is not in the graph: only the operators that it calls are.")
            return self.step(translate("The function {name} is called.", name=event.block), why, event)
        if event.path == "self":
            text = translate("The net is called for the first time after hybridize(): its hybrid_forward begins.")
            why = translate("It runs once, with Symbols in place of arrays: they have no numbers, only names.")
        else:
            text = translate("{path} ({kind}) is called: its hybrid_forward begins.", path=event.path, kind=event.block)
            why = translate("Blocks inside the net are called like functions: all become one graph.")
        return self.step(text, why, event)

    def says_something(self, event: TraceEvent, following: TraceEvent | None) -> bool:
        """Return whether a line gets a separate step, as user code without a node or a call does."""
        if following is not None and following.kind in ("node", "enter"):
            return False
        return is_user_file(event.stack[-1][0].co_filename)

    def ran(self, event: TraceEvent, printed: str) -> Step:
        if printed:
            text = translate("This line prints. It creates no node.")
            why = translate("Code that creates no node is not in the graph: the compiled program will not print.")
            return self.step(text, why, event, printed=printed)
        text = translate("Python runs this line. It creates no node.")
        why = translate("The graph contains only operators of F; what Python decides here is frozen.")
        return self.step(text, why, event)

    def made(self, event: TraceEvent, node: Node) -> Step:
        assert node.op is not None
        inputs = listed(dict.fromkeys(n.name for n, _ in node.inputs)) or translate("nothing")
        values = {"op": node.op.name, "name": node.name, "inputs": inputs}
        if _MARK in node.attrs:
            text = translate("{op} of {inputs} makes {name}, inside the body of a loop or a branch.", **values)
            why = translate("A body is a separate graph, stored in the node of the loop.")
            return self.step(text, why, event)
        number = self.registry.number(node)
        if number in self.order:
            self.visible = max(self.visible, self.order.index(number) + 1)
        text = translate("{op} of {inputs}: nothing is computed, and the node {name} is created.", **values)
        why = translate("A Symbol records which operator to apply, and to what.")
        if self.used is not None and self.call.order_of(node) not in self.used:
            why = translate("No result needs it: it will not be in the program.")
            self.dead = (*self.dead, number)
        return self.step(text, why, event, focus=(number,))

    def finished(self) -> Step:
        count = len([n for n in operators(self.call.symbol) if n.op is not None])
        return Step(
            translate("hybrid_forward returns. The graph has {count} operators.", count=count),
            translate("From now on, the graph replaces hybrid_forward, which will not run again."),
            self.drawing,
            focus=self.registry.numbers(n for n, _ in self.call.symbol._entries),
            marks={"dead": self.dead} if self.dead else {},
        )
