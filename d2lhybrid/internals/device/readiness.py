"""The preparation of a call on a GPU, and the retry after GPU memory was exhausted."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from ...context import Context
from ...error import MXNetError
from . import array_modules

__all__ = ["device_error", "kernel_again", "ready", "run_again"]


def ready(raws: Sequence[Any], ctx: Context) -> list[Any]:
    """Make the GPU of a context current, and return raw arrays as contiguous arrays, as kernels require.

    Parameters
    ----------
    raws : sequence of array
        The raw arrays.
    ctx : Context
        The context of the arrays, a GPU.

    Returns
    -------
    list of array
        The contiguous arrays.
    """
    xp = array_modules.array_module(ctx)
    return [raw if raw.flags.c_contiguous else xp.ascontiguousarray(raw) for raw in raws]


def run_again(source: Any, given: Sequence[Any], ctx: Context, error: MemoryError) -> tuple[Any, Any]:
    """Run a program again after GPU memory was exhausted, and return the function that ran and its results.

    Parameters
    ----------
    source : PythonSource
        The generated function.
    given : sequence of array
        The arguments of the function.
    ctx : Context
        The context of the call.
    error : MemoryError
        The error of the first run.

    Returns
    -------
    tuple of (callable, tuple of array)
        The function, and its results.

    Raises
    ------
    MXNetError
        If GPU memory is still exhausted; an error that is not about memory is raised unchanged.
    """
    if not array_modules.is_out_of_memory(error):
        raise error
    error.__traceback__ = None  # the traceback keeps partial results alive

    def start() -> tuple[Any, Any]:
        run = source.function if source.workspaces is None else source.workspaces.take()
        return run, run(*given)

    try:
        return array_modules.with_memory(start, ctx, error)
    except MXNetError as second:
        second.add_note(f"in the compiled program {source.name}")
        raise


def device_error(name: str, arrays: Sequence[Any]) -> MXNetError | None:
    """Return the error for arrays on different devices, or None for arrays on one device or on several CPU contexts.

    CuPy raises no error if a GPU can read the memory of another GPU.

    Parameters
    ----------
    name : str
        The name of the operator.
    arrays : sequence of NDArray
        The inputs of the operator.

    Returns
    -------
    MXNetError or None
        MXNet's error about the contexts.
    """
    first: Any = next((a._ctx for a in arrays if a is not None), None)
    for i, array in enumerate(arrays):
        if array is None or array._ctx == first:
            continue
        masks = [2 if c.device_typeid == 2 else 1 for c in (array._ctx, first)]
        if 2 in masks:
            error = MXNetError(
                f"Check failed: inputs[i]->ctx().dev_mask() == ctx.dev_mask() ({masks[0]} vs. {masks[1]}) : "
                f"Operator {name} require all inputs live on the same context. "
                f"But the first argument is on {first} while the {i + 1}-th argument is on {array._ctx}"
            )
            error.add_note(f"Copy the array to the device of the first argument: x.as_in_context(mx.{first}).")
            return error
    return None


def kernel_again(what: str, run: Callable[[], Any], ctx: Context | None, error: Exception) -> Any:
    """Run a kernel again if it failed because GPU memory was exhausted; otherwise, raise the error.

    Parameters
    ----------
    what : str
        The origin of the error, for a note; empty if the caller adds a note.
    run : callable
        The call that failed.
    ctx : Context or None
        The context of the call.
    error : Exception
        The exception that the first call raised.

    Returns
    -------
    object
        The result of the call.

    Raises
    ------
    MXNetError
        If GPU memory is still exhausted; an error that is not about memory is raised unchanged.
    """
    if ctx is None or ctx.device_typeid != 2 or not array_modules.is_out_of_memory(error):
        raise error
    error.__traceback__ = None  # the traceback keeps partial results alive
    try:
        return array_modules.with_memory(run, ctx, error)
    except MXNetError as second:
        if what:
            second.add_note(f"in {what}")
        raise
