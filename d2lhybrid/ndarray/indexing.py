"""Access to parts of an array: ``x[key]`` and ``x[key] = value``.

As in MXNet, a basic index with a contiguous result returns a view, and any other index returns a copy. In legacy mode,
there are no scalars: ``x[0, 1]`` has shape ``(1,)``.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy

from ..context import Context
from ..error import MXNetError
from ..internals.core import tape
from ..internals.core.invoke import prepare_write, wrap
from ..internals.device import array_modules
from ..internals.ops.elementwise import in_integers
from ..internals.ops.index import integer_indices
from ..internals.ops.portable import add_at
from ..internals.support import clock
from ..internals.support.notes import with_note
from ..util import np_shapes

__all__ = ["get_item", "set_item"]

_NUMBERS = (int, float, numpy.integer, numpy.floating, numpy.bool_)
_BASIC = (int, slice, type(None), type(Ellipsis), numpy.integer)


def _clean(key: Any, array: Any, legacy: bool) -> tuple[Any, bool]:
    """Return the key with raw integer arrays (in np mode, also boolean arrays), and whether the key is basic."""
    if isinstance(key, tuple):
        parts = [_clean_one(k, array, legacy) for k in key]
        return tuple(k for k, _ in parts), all(basic for _, basic in parts)
    return _clean_one(key, array, legacy)


def _clean_one(key: Any, array: Any, legacy: bool) -> tuple[Any, bool]:
    if isinstance(key, bool):
        return key, False
    if isinstance(key, _BASIC):
        return key, True
    raw = getattr(key, "_data", None)
    if legacy and (raw is not None and raw.dtype.kind == "b"):
        error = ValueError(
            "Cannot perform boolean indexing in legacy mode. Please activate numpy semantics by calling "
            "`npx.set_np()` in the global scope before calling this function."
        )
        raise with_note(error, "To select slices of x along one axis, call nd.contrib.boolean_mask(x, index).")
    if raw is None:
        if legacy and isinstance(key, numpy.bool_):
            raise _bad_key(key)
        if not isinstance(key, list | numpy.ndarray | range | tuple | bool | numpy.bool_):
            raise _bad_key(key)
        raw = numpy.asarray([_on_host(k) for k in key] if isinstance(key, list) else key)
        if raw.size == 0:
            raw = raw.astype(numpy.int64)
    if raw.dtype.kind == "b" and not legacy:
        return raw, False
    if raw.dtype.kind not in "iufb":
        raise _bad_key(key)
    if not isinstance(raw, numpy.ndarray):
        array_modules.module_of(raw)
    return integer_indices(raw), False


def _truth_value(part: Any) -> bool | None:
    """Return a part of a key that is True, False, or a boolean array without axes; None for other parts."""
    if isinstance(part, bool):
        return part
    raw = getattr(part, "_data", None)
    return bool(raw) if raw is not None and not raw.ndim and raw.dtype.kind == "b" else None


def _without_truth_values(key: Any) -> tuple[Any, bool | None]:
    """Return a key without truth values, and the last of these values, because MXNet ignores all others."""
    parts = key if type(key) is tuple else (key,)
    truths = [_truth_value(part) for part in parts]
    last = next((truth for truth in reversed(truths) if truth is not None), None)
    if last is None:
        return key, None
    rest = tuple(part for part, truth in zip(parts, truths, strict=True) if truth is None and part is not Ellipsis)
    for place, part in enumerate(parts):
        if part is Ellipsis:  # MXNet counts the position of a truth value without the other truth values
            return (*rest[:place], Ellipsis, *rest[place:]), last
    return rest, last


def _of_truth_values(array: Any, key: tuple[Any, ...], legacy: bool) -> Any:
    """Return ``array[key]`` for a key with truth values. In np mode, these add a first axis of size 1 or 0."""
    if len(key) == array.ndim and all(isinstance(part, int | numpy.integer) for part in key):
        for part in key:  # as in MXNet, x[1, True] is x[1][True]
            array = get_item(array, part, legacy)
        return array
    rest, last = _without_truth_values(key)
    if legacy or last:
        return get_item(array, rest or (Ellipsis,) if legacy else (None, *rest), legacy)
    return get_item(get_item(array, rest or (Ellipsis,), legacy), False, legacy)


def _on_device(key: Any, ctx: Context) -> Any:
    """Return a cleaned key with its arrays on the device ``ctx``, and make ``ctx`` the current device."""
    if isinstance(key, tuple):
        return tuple([_on_device(k, ctx) for k in key])
    if isinstance(key, _BASIC):
        return key
    return array_modules.to_context(key, ctx) if ctx.device_typeid == 2 else array_modules.asnumpy(key)


def _on_host(value: Any) -> Any:
    raw = getattr(value, "_data", None)
    return value if raw is None else array_modules.asnumpy(raw)


def _bad_key(key: Any) -> ValueError:
    return ValueError(f"NDArray does not support slicing with key {key} of type {type(key)}.")


def _check(key: Any, shape: tuple[int, ...], legacy: bool) -> None:
    """Raise MXNet's errors for too many indices and for integers that are out of range."""
    parts = key if isinstance(key, tuple) else (key,)
    used = sum(_axes_used(k) for k in parts if k is not None and k is not Ellipsis)
    if used and not shape:
        raise IndexError(f"scalar tensor can only accept `()`{' and `:`' * legacy} as index")
    if used > len(shape):
        raise IndexError(f"too many indices ({used}) for array with {len(shape)} dimensions")
    if any(k is Ellipsis for k in parts):
        return
    axis = 0
    for k in parts:
        if k is None:
            continue
        if isinstance(k, int | numpy.integer) and not isinstance(k, bool) and not -shape[axis] <= k < shape[axis]:
            raise IndexError(f"index {k} is out of bounds for axis {axis} with size {shape[axis]}")
        axis += _axes_used(k)


def _of_scalar(key: Any, raw: Any, legacy: bool) -> Any:
    """Return ``()`` for ``:`` if the array is a scalar. Except for ``np`` arrays, both select the scalar."""
    return () if legacy and not raw.ndim and type(key) is slice and key == slice(None) else key


def _has_array_of_numpy(key: Any) -> bool:
    return any(isinstance(k, numpy.ndarray) for k in (key if isinstance(key, tuple) else (key,)))


def _is_everything(key: Any, shape: tuple[int, ...]) -> bool:
    """Return whether a cleaned key selects all elements in order."""
    parts = [k for k in (key if isinstance(key, tuple) else (key,)) if k is not None and k is not Ellipsis]
    return all(isinstance(k, slice) and k.indices(n) == (0, n, 1) for k, n in zip(parts, shape, strict=False))


def _axes_used(key: Any) -> int:
    """Return the number of axes that an element of a key indexes: ``ndim`` for a mask, and 0 for a truth value."""
    if isinstance(key, bool):
        return 0
    return key.ndim if getattr(getattr(key, "dtype", None), "kind", "") == "b" else 1


def _check_range(key: slice, shape: tuple[int, ...]) -> None:
    """Raise MXNet's error for a slice of rows that ends before it begins (empty slices are allowed)."""
    if shape and key.step in (None, 1):
        begin, end, _ = key.indices(shape[0])
        if begin > end:
            raise MXNetError(f"Check failed: begin <= end ({begin} vs. {end}) : Invalid slicing range [{begin}, {end})")


def get_item(array: Any, key: Any, legacy: bool) -> Any:
    """Return ``array[key]``.

    Parameters
    ----------
    array : NDArray
        The array.
    key : int, slice, None, Ellipsis, array, list or tuple of these
        The index.
    legacy : bool
        True for NDArray (no scalars, no masks), False for np arrays.

    Returns
    -------
    NDArray
        The selected elements.

    Notes
    -----
    On the CPU, an index array with a value out of range raises an error. On a GPU, the function uses such values modulo
    the size of the axis, because a check would make the host wait for the GPU.

    Raises
    ------
    IndexError
        If an index is out of range, or if there are too many indices.
    ValueError
        If the type of the key is not supported (legacy mode only).
    """
    raw = array._data
    if array._ctx.device_typeid == 2:
        array_modules.use(array._ctx)
    if type(key) is int and raw.ndim > 1 and -len(raw) <= key < len(raw):
        selected, basic, clean = raw[key], True, key  # the common case, rows of a matrix
    else:
        if type(key) is tuple and any(_truth_value(part) is not None for part in key):
            return _of_truth_values(array, key, legacy)
        if legacy and type(key) is slice:
            _check_range(key, raw.shape)
        elif legacy and type(key) is bool:
            key = int(key)
        clean, basic = _clean(_of_scalar(key, raw, legacy), array, legacy)
        _check(clean, raw.shape, legacy)
        if not basic:
            clean = _on_device(clean, array._ctx)
        try:
            selected = raw[clean]
        except IndexError as error:
            raise IndexError(str(error)) from None
        if type(selected) is not type(raw):
            selected = raw[(*(clean if isinstance(clean, tuple) else (clean,)), None)].reshape(())
    if basic and not selected.flags.c_contiguous:
        selected = selected.copy()
    if selected.ndim == 0 < raw.ndim and not np_shapes.np and (basic or legacy or _has_array_of_numpy(key)):
        selected = selected.reshape(1)  # only NumPy's shapes have scalars, and np arrays at np arrays without axes
    result = wrap(type(array), selected, array._ctx)
    if tape.state.recording and tape.is_tracked(array):
        result._tape = (IndexCall(array, clean), 0)
    return result


def set_item(array: Any, key: Any, value: Any, legacy: bool) -> None:
    """Assign ``array[key] = value``. The value is broadcast to the shape of the selected elements.

    Parameters
    ----------
    array, key, legacy
        Arguments of :func:`get_item`.
    value : array-like
        The new values.

    Raises
    ------
    TypeError
        If the value is not array-like.
    ValueError
        If the value cannot be broadcast to the selected elements.
    MXNetError
        While recording, if the array is already in the graph, or if a recorded value is assigned to only some elements.
    """
    prepare_write(array)
    raw = array._data
    if raw.ndim:
        key, truth = _without_truth_values(key)
        if not legacy and truth is False:
            return
    clean, basic = _clean(_of_scalar(key, raw, legacy), array, legacy)
    _check(clean, raw.shape, legacy)
    source = _source(value, raw.dtype, array._ctx)
    recorded = tape.state.recording and getattr(value, "_tape", None) is not None and tape.is_tracked(value)
    if recorded and not _is_everything(clean, raw.shape):
        raise MXNetError(  # the history of the other elements would be lost
            "Check failed: AGInfo::IsNone(*output): Inplace operations (+=, -=, x[:]=, etc) are not supported when "
            "recording with autograd."
        )
    if not basic:
        clean = _on_device(clean, array._ctx)
    if not isinstance(source, int | float | bool | numpy.generic) and not hasattr(source, "shape"):
        raise TypeError(
            f"{type(array)} does not support assignment with non-array-like object {value} of type {type(value)}"
        )
    try:
        raw[clean] = source
    except ValueError as error:
        if "read-only" in str(error):
            raise
        target = raw[clean].shape
        xp = array_modules.module_of(raw)
        source = xp.asarray(source)
        source_shape = source.shape
        while source.ndim > len(target) and source.shape[0] == 1:
            source = source[0]
        try:
            raw[clean] = xp.broadcast_to(source, target)
        except ValueError:
            raise ValueError(
                "operands could not be broadcast together with remapped shapes[original->remapped]: "
                f"{source_shape} and requested shape {target or (1,) if legacy else target}"
            ) from None
    clock.note_write([raw])
    if recorded:
        array._tape = (AssignCall(value, clean, array), 0)


def _source(value: Any, dtype: Any, ctx: Context) -> Any:
    """Return the value to write into an array, on the array's device."""
    source = getattr(value, "_data", None)
    if source is not None:
        return array_modules.to_context(source, ctx) if ctx.device_typeid == 2 else array_modules.asnumpy(source)
    source = value
    if isinstance(value, list | tuple):
        try:
            source = numpy.asarray(value, dtype=dtype)
        except OverflowError:
            source = numpy.asarray(value).astype(dtype)
    elif dtype.kind in "iu" and isinstance(value, _NUMBERS):
        source = in_integers(value, dtype)
    if ctx.device_typeid == 2 and hasattr(source, "shape") and not isinstance(source, numpy.generic):
        return array_modules.to_context(source, ctx)
    return source


class IndexCall(tape.TapeNode):
    """The tape node of ``x[key]``, whose adjoint adds the gradient to zeros at the selected positions."""

    array: Any
    key: Any

    __slots__ = ("array", "key")

    def __init__(self, array: Any, key: Any) -> None:
        super().__init__([array._tape], 1)
        self.array, self.key = array, key

    def context(self) -> Context:
        """Return the device of the array."""
        return self.array._ctx

    def _scatter(self, gradient: Any) -> Any:
        raw = self.array._data
        xp = array_modules.module_of(raw)
        result = xp.zeros_like(raw)
        parts = self.key if isinstance(self.key, tuple) else (self.key,)
        if any(isinstance(k, numpy.ndarray) or hasattr(k, "dtype") for k in parts):
            add_at(xp, result, self.key, gradient.reshape(raw[self.key].shape))
        else:
            result[self.key] = gradient.reshape(result[self.key].shape)
        return result

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the gradient of the array, with a tape node for second derivatives."""
        [gradient] = output_grads
        result = F.box(self._scatter(gradient._data), gradient._ctx, None)
        if tape.state.recording and tape.is_tracked(gradient):
            result._tape = (ScatterCall(gradient, self.key), 0)
        return [result]


class ScatterCall(tape.TapeNode):
    """The tape node of an :class:`IndexCall`'s adjoint. The adjoint of this node is an :class:`IndexCall`."""

    gradient: Any
    key: Any

    __slots__ = ("gradient", "key")

    def __init__(self, gradient: Any, key: Any) -> None:
        super().__init__([gradient._tape], 1)
        self.gradient, self.key = gradient, key

    def context(self) -> Context:
        """Return the device of the gradient."""
        return self.gradient._ctx

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the gradient of the scattered values: the elements at the index."""
        return [get_item(output_grads[0], self.key, legacy=False).reshape(self.gradient.shape)]


class AssignCall(tape.TapeNode):
    """The tape node of ``x[key] = value``, for a recorded value that is assigned to all of an unrecorded array."""

    array_ctx: Any
    key: Any
    value_dtype: Any
    value_shape: Any

    __slots__ = ("array_ctx", "key", "value_dtype", "value_shape")

    def __init__(self, value: Any, key: Any, array: Any) -> None:
        super().__init__([value._tape], 1)
        self.key, self.array_ctx = key, array._ctx
        self.value_shape, self.value_dtype = value.shape, value.dtype

    def context(self) -> Context:
        """Return the device of the array."""
        return self.array_ctx

    def vjp(self, F: Any, output_grads: list[Any], needs: tuple[bool, ...]) -> Sequence[Any]:
        """Return the gradient of the assigned elements, summed to the shape of the value."""
        part = get_item(output_grads[0], self.key, legacy=False)
        like = F.box(F.module_of(part._data).zeros(self.value_shape, part._data.dtype), part._ctx, None)
        return [F._reduce_like(part, like).astype(self.value_dtype, copy=False)]
