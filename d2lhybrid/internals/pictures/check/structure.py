"""Checks of a net's structure, without a call, for blocks that would be missing from the graph."""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence
from typing import Any

from d2lhybrid.gluon import HybridBlock, SymbolBlock
from d2lhybrid.util import is_user_file

from ...support.places import Place
from ...support.words import translate
from .findings import Finding
from .source_reading import Function, all_blocks, unregistered

__all__ = ["line_of_return", "look_at_blocks"]

#: File and number of a line, if there is one.
Line = Place | tuple[None, int]


def look_at_blocks(net: Any, functions: Sequence[Function]) -> Iterator[tuple[Finding, bool]]:
    """Yield findings about the structure of a net, each with a flag that is true for :attr:`Findings.notes`."""
    for path, block in all_blocks(net):
        cls = type(block).__name__
        forward = _line_of(type(block).forward)
        for name, container, _ in unregistered(block):
            kind = type(container).__name__
            filename, line = _line_that_reads(functions, block, name)
            yield Finding(
                "unregistered",
                translate("The blocks in {path} are not children of the net: they are in a {kind}.",
                          path=f"{path}.{name}", kind=kind),
                translate("collect_params() and initialize() do not find their parameters, "
                          "and they are not in the graph."),
                translate("Use nn.HybridSequential, or register_child(block) for each."), filename, line,
            ), False  # fmt: skip
        if not isinstance(block, HybridBlock):
            if path != "self" or not block._children:
                yield Finding(
                    "not compiled",
                    translate("{path} is a {kind}, a Block and not a HybridBlock.", path=path, kind=cls),
                    translate("Its forward is Python, and runs in every call, hybridized or not."),
                    translate("Derive it from HybridBlock, and write hybrid_forward(self, F, x)."), *forward,
                ), True  # fmt: skip
        elif type(block).forward is not HybridBlock.forward and not isinstance(block, SymbolBlock) and forward[0]:
            yield Finding(
                "not compiled",
                translate("{path} is a HybridBlock, but {kind} overrides forward.", path=path, kind=cls),
                translate("hybridize() only affects HybridBlock.forward. "
                          "This forward is Python, and runs in every call."),
                translate("Write hybrid_forward(self, F, x) instead of forward(self, x)."), *forward,
            ), True  # fmt: skip
        hooks = [*block._forward_hooks.values(), *block._forward_pre_hooks.values()]
        if path != "self" and hooks and isinstance(block, HybridBlock):
            yield Finding(
                "hook",
                translate("The hook on {path} is called in eager calls and during the trace, and then never.",
                          path=path),
                translate("A compiled program calls no blocks: the layers are operators of one graph."),
                translate("Call net.hybridize(False) while you need the hook, or return the value as another output."),
                *_line_of(hooks[0]),
            ), False  # fmt: skip


def _line_of(function: Any) -> Line:
    code = getattr(function, "__code__", None)
    if code is None or not is_user_file(code.co_filename):
        return None, 0
    return Place(code.co_filename, code.co_firstlineno, code.co_qualname)


def _line_that_reads(functions: Sequence[Function], block: Any, name: str) -> Line:
    for function in functions:
        for node in ast.walk(function.node) if function.block is block and function.node is not None else ():
            if isinstance(node, ast.Attribute) and node.attr == name:
                return Place(function.filename, node.lineno)
    return None, 0


def line_of_return(block: Any, functions: Sequence[Function]) -> Place | None:
    """Return the line of the first ``return`` of a block, or None if there is none."""
    for function in functions:
        for node in ast.walk(function.node) if function.block is block and function.node is not None else ():
            if isinstance(node, ast.Return):
                return Place(function.filename, node.lineno)
    return None
