"""Functions that combine a list of items into a batch, for a loader's ``batchify_fn``.

``DataLoader(data, 8, batchify_fn=Tuple(Pad(), Stack()))`` pads sequences of different lengths.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...internals.core.invoke import wrap
from ...internals.device import array_modules
from ...internals.support.display import Shown
from ...internals.support.notes import with_note
from ...internals.support.plural import counted
from ...ndarray import NDArray, array
from ...util import is_np_array

__all__ = ["Group", "Pad", "Stack", "Tuple", "default_batchify_fn", "new_array"]


def default_batchify_fn(data: Sequence[Any]) -> Any:
    """Stack a list of items into a batch. If the items are tuples, stack each element of the tuples separately.

    Numbers and NumPy arrays keep NumPy's element type, so Python integers become int64.

    Parameters
    ----------
    data : list
        The items of one batch.

    Returns
    -------
    NDArray or list of NDArray
        The batch, or a list with a batch for each element of the tuples.

    Raises
    ------
    ValueError
        If the items have different shapes. A note contains the shapes.
    KeyError
        If the items are strings or other objects that cannot be elements of arrays.
    """
    first = data[0]
    if isinstance(first, tuple):
        return [default_batchify_fn(part) for part in zip(*data, strict=True)]
    try:
        if isinstance(first, NDArray):
            return wrap(type(first), _stacked([item._data for item in data]), first._ctx)
        return new_array(numpy.asarray(data))
    except ValueError as error:
        with contextlib.suppress(ValueError):  # nested lists of unequal lengths
            shapes = sorted({numpy.shape(getattr(item, "_data", item)) for item in data})
            if len(shapes) > 1:
                error.add_note(
                    f"The items of this batch have different shapes, such as {shapes[0]} and {shapes[1]}. "
                    "Transform the items to the same shape, or pass a batchify_fn such as gluon.data.batchify.Pad()."
                )
        raise
    except KeyError as error:  # the element type of strings or objects
        kind = type(first).__name__
        error.add_note(
            f"Items of type {kind} cannot be converted to an array. Transform the items to numbers, or pass "
            "batchify_fn=list to keep them unchanged."
        )
        raise


def _stacked(raws: list[Any]) -> Any:
    """Return raw arrays stacked as the rows of one array."""
    xp, shape = array_modules.module_of(raws[0]), raws[0].shape
    if not shape or [raw.shape for raw in raws].count(shape) < len(raws):
        return xp.stack(raws)
    # The same as numpy.stack, but without a view of each array, which dominates the time for small arrays.
    return xp.concatenate(raws).reshape(len(raws), *shape)


def new_array(values: numpy.ndarray) -> Any:
    """Convert a NumPy array to an array of the current dialect, with the same element type.

    Parameters
    ----------
    values : numpy.ndarray
        The values.

    Returns
    -------
    NDArray or np.ndarray
        The array.
    """
    if is_np_array():
        from ...numpy import array as np_array

        return np_array(values, dtype=values.dtype)
    return array(values, dtype=values.dtype)


class Stack(Shown):
    """A batchify function that stacks items of equal shape."""

    def __call__(self, data: Sequence[Any]) -> Any:
        """Stack a list of items into a batch.

        Parameters
        ----------
        data : list
            The items of one batch.
        """
        if isinstance(data[0], NDArray):
            return default_batchify_fn(data)
        return new_array(numpy.stack([numpy.asarray(item) for item in data]))


class Pad(Shown):
    """A batchify function that pads items to the largest size along each axis and stacks them.

    Parameters
    ----------
    axis : int or tuple of int, optional
        Axes along which sizes may differ; all axes by default.
    val : float
        Value to pad with.
    ret_length : bool
        Whether to return a tuple of the batch and the original lengths along the first padded axis.
    dtype : str, optional
        Element type of the batch; the element type of the first item by default.

    Examples
    --------
    >>> Pad(val=-1)([[1, 2, 3], [4]]).asnumpy()
    array([[ 1,  2,  3],
           [ 4, -1, -1]])
    """

    def __init__(self, axis: Any = None, val: float = 0, ret_length: bool = False, dtype: Any = None) -> None:
        self._axis, self._value, self._return_length, self._dtype = axis, val, ret_length, dtype

    def __call__(self, data: Sequence[Any]) -> Any:
        """Pad the items in a list, and stack them into a batch.

        Parameters
        ----------
        data : list
            The items of one batch.
        """
        items = [item.asnumpy() if isinstance(item, NDArray) else numpy.asarray(item) for item in data]
        axes = range(items[0].ndim) if self._axis is None else numpy.atleast_1d(self._axis).tolist()
        shape = list(items[0].shape)
        for axis in axes:
            shape[axis] = max(item.shape[axis] for item in items)
        batch = numpy.full((len(items), *shape), self._value, dtype=self._dtype or items[0].dtype)
        for row, item in zip(batch, items, strict=True):
            row[tuple(slice(n) for n in item.shape)] = item
        if not self._return_length:
            return new_array(batch)
        lengths = numpy.array([item.shape[next(iter(axes))] for item in items], dtype=numpy.int32)
        return new_array(batch), new_array(lengths)


class Group(Shown):
    """A batchify function for items that are tuples. It applies a separate batchify function to each element.

    Parameters
    ----------
    fn : callable or sequence of callable
        A sequence with one batchify function for each element of the tuples, or the function for the first element.
    *args : callable
        The batchify functions for the remaining elements, if the first argument is a function.
    """

    def __init__(self, fn: Any, *args: Callable[[Any], Any]) -> None:
        self._functions = list(fn) if isinstance(fn, list | tuple) else [fn, *args]

    def __call__(self, data: Sequence[Any]) -> tuple[Any, ...]:
        """Return a tuple with a batch for each element of the items.

        Parameters
        ----------
        data : list of tuple
            The items of one batch.

        Raises
        ------
        AssertionError
            If the number of elements differs from the number of functions.
        """
        if len(data[0]) != len(self._functions):
            error = AssertionError(
                f"The number of attributes in each data sample should contains {len(self._functions)} elements"
            )
            raise with_note(
                error,
                f"The first item of the batch has {counted(len(data[0]), 'element')}, but Group was created with "
                f"{counted(len(self._functions), 'function')}.",
            )
        parts = zip(*data, strict=True)
        return tuple(fn(list(part)) for fn, part in zip(self._functions, parts, strict=True))


Tuple = Group
