"""Every program that is compiled is run line by line, to see that nothing reads or writes what it may not."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from typing import Any

import numpy

from d2lhybrid.internals.compiler.verify import verify
from d2lhybrid.internals.core.cached_op import CachedOp
from d2lhybrid.internals.device import array_modules

__all__ = ["verified_programs"]


@contextlib.contextmanager
def verified_programs() -> Iterator[None]:
    """Verify each program for the CPU that is compiled inside the scope."""
    compile_program = CachedOp._compile

    def compile_and_verify(self: CachedOp, key: Any, raws: list[Any], ctx: Any, *modes: Any) -> Any:
        program = compile_program(self, key, raws, ctx, *modes)
        nodes = [node for function in program.functions for node in function.line_nodes.values()]
        if any(node.op is not None and node.op.calls_python for node in nodes):
            return program  # what a user has written cannot be run again without a trace
        if program.backend in ("numpy", "c") and all(type(raw) is numpy.ndarray for raw in raws):
            verify(program, raws, array_modules.generator(ctx))
        return program

    CachedOp._compile = compile_and_verify
    try:
        yield
    finally:
        CachedOp._compile = compile_program
