"""What a compiled program needs of a GPU before it runs, and what is tried when its memory is short."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from ..context import Context
from ..errors import MXNetError
from . import backend

__all__ = ["ready", "run_again"]


def ready(raws: Sequence[Any], ctx: Context) -> list[Any]:
    """Make a GPU current, and return arrays whose elements lie in the order of the axes, as kernels expect."""
    xp = backend.array_module(ctx)
    return [raw if raw.flags.c_contiguous else xp.ascontiguousarray(raw) for raw in raws]


def run_again(source: Any, given: Sequence[Any], ctx: Context, error: MemoryError) -> tuple[Any, Any]:
    """Run a program a second time, for the memory of a GPU was short; return the function that ran, and its results."""
    if not backend.is_out_of_memory(error):
        raise error
    error.__traceback__ = None  # it holds what the program had made so far

    def start() -> tuple[Any, Any]:
        run = source.function if source.workspaces is None else source.workspaces.take()
        return run, run(*given)

    try:
        return backend.with_memory(start, ctx, error)
    except MXNetError as second:
        second.add_note(f"in the compiled program {source.name}")
        raise
