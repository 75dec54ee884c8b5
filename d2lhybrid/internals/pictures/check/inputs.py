"""The inputs of a check, and their variations."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import numpy

from d2lhybrid.error import MXNetError
from d2lhybrid.ndarray.ndarray import NDArray

from ...core.invoke import wrap
from ...device import array_modules
from ...support.words import translate

__all__ = ["arrays_in", "batch_of", "copied", "variations"]


def copied(args: Any) -> Any:
    """Return nested lists or tuples in which copies replace the arrays; other objects are unchanged."""
    if isinstance(args, NDArray):
        return wrap(type(args), args._data.copy(), args._ctx)
    if isinstance(args, list | tuple):
        return type(args)(map(copied, args))
    return args


def arrays_in(args: Any) -> list[Any]:
    """Return the arrays in nested lists, in order."""
    if isinstance(args, NDArray):
        return [args]
    return [a for part in args for a in arrays_in(part)] if isinstance(args, list | tuple) else []


def batch_of(args: Any) -> int:
    """Return the batch size, which is the first size of the first array with axes, or 0 if there is no such array."""
    return next((a.shape[0] for a in arrays_in(args) if a.ndim), 0)


def _changed(args: Any, change: Any) -> Any:
    """Return arguments in which ``change(values)`` replaces the values of each array."""
    if isinstance(args, NDArray):
        raw = numpy.asarray(change(array_modules.asnumpy(args._data)), order="C")
        return wrap(type(args), array_modules.to_context(raw.astype(args.dtype, copy=False), args._ctx), args._ctx)
    if isinstance(args, list | tuple):
        return type(args)([_changed(a, change) for a in args])
    return args


def variations(inputs: Any, shapes: Any) -> Iterator[tuple[str, Any]]:
    """Yield the original inputs and their variations, each with a description.

    Parameters
    ----------
    inputs : tuple
        Arguments of the net.
    shapes : sequence
        Further shapes of the inputs.

    Yields
    ------
    tuple of (str, tuple)
        A description, and the arguments.

    Raises
    ------
    MXNetError
        If one of ``shapes`` is neither a shape nor a list with a shape for each input.
    """
    rng = numpy.random.default_rng(0)
    yield translate("your inputs"), inputs
    arrays = arrays_in(inputs)
    if not arrays:
        return

    def other_values(raw: numpy.ndarray) -> numpy.ndarray:
        mixed = rng.permutation(raw.ravel()).reshape(raw.shape)
        return -mixed if raw.dtype.kind == "f" else mixed

    yield translate("other values"), _changed(inputs, other_values)
    batch = batch_of(inputs)
    for count in sorted({batch + 1, 2 * batch}) if batch else ():

        def other_batch(raw: numpy.ndarray, count: int = count) -> numpy.ndarray:
            return raw[numpy.arange(count) % batch] if raw.ndim and raw.shape[0] == batch else raw

        yield translate("batch size {n}", n=count), _changed(inputs, other_batch)
    for shape in shapes or ():
        try:
            several = bool(shape) and not isinstance(shape[0], int)
            wanted = iter(shape if several else [shape] * len(arrays))

            def of_shape(raw: numpy.ndarray, wanted: Iterator[Any] = wanted) -> numpy.ndarray:
                size = tuple(next(wanted, raw.shape))
                if raw.dtype.kind == "f" or not raw.size:
                    return rng.standard_normal(size)
                return rng.choice(raw.ravel(), size)

            changed = _changed(inputs, of_shape)
        except TypeError:
            error = MXNetError(f"{shape!r} in shapes is neither a shape nor a list with one shape for each input")
            error.add_note("Pass a list of shapes, such as shapes=[(4, 3)].")
            raise error from None
        yield translate("shape {shape}", shape=shape), changed
