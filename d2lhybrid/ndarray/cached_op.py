"""``nd.CachedOp``: a symbol as a function of arrays, without a block."""

from __future__ import annotations

import copy
from collections.abc import Iterable
from typing import Any

from ..context import current_context
from ..error import MXNetError
from ..internals.core.attributes import make_attribute, read_attributes
from ..internals.core.invoke import prepare_write
from ..internals.support import clock
from ..internals.support.display import Shown
from .ndarray import NDArray

__all__ = ["CachedOp"]

#: MXNet's options, in which those that a block passes come first.
_FLAGS = {
    name: make_attribute(name, kind, default)
    for name, kind, default in (
        ("static_alloc", "bool", False),
        ("static_shape", "bool", False),
        ("inline_limit", "int", 2),
        ("forward_bulk_size", "int", 15),
        ("backward_bulk_size", "int", 15),
        ("data_indices", "Shape", ()),
        ("param_indices", "Shape", ()),
        ("subgraph", "str", ""),
        ("is_dynamic", "bool", False),
    )
}


class CachedOp(Shown):
    """A function of arrays that runs the program compiled from a symbol. A hybridized block has a ``CachedOp``.

    The object keeps a compiled program for each combination of shapes and element types.

    Parameters
    ----------
    sym : Symbol
        The graph to compute.
    flags : iterable of (str, object)
        Names and values of options of ``hybridize``. ``static_alloc`` and ``static_shape`` have an effect. MXNet's
        other options are ignored.

    Raises
    ------
    MXNetError
        If an option is unknown.

    Examples
    --------
    >>> from d2lhybrid import nd, sym
    >>> x, y = sym.var("x"), sym.var("y")
    >>> hypotenuse = nd.CachedOp(sym.sqrt(x * x + y * y))
    >>> hypotenuse(nd.array([3, 5]), nd.array([4, 12]))
    <BLANKLINE>
    [ 5. 13.]
    <NDArray 2 @cpu(0)>
    """

    def __init__(self, sym: Any, flags: Iterable[tuple[str, Any]] = ()) -> None:
        from ..internals.core.cached_op import CachedOp as Programs

        options = read_attributes(_FLAGS, None, dict(flags), "CachedOp", "")
        names = sym.list_inputs()
        # Copy the nodes, because the caller may still assign attributes to the symbol's nodes.
        self._programs = Programs(copy.copy(sym), names, len(names), options)

    @property
    def is_np_sym(self) -> bool:
        """Whether results are ``np`` arrays."""
        return not self._programs.symbol._legacy

    @property
    def handle(self) -> Any:
        """A number that identifies the object, as a ``ctypes.c_void_p``. In MXNet, it is the handle of a C object."""
        import ctypes

        return ctypes.c_void_p(id(self._programs))

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Run the symbol.

        Parameters
        ----------
        *args : NDArray
            An array for each variable, in the order of ``list_inputs()``.
        out : NDArray or list of NDArray, optional
            The destinations of the results.

        Returns
        -------
        NDArray or list of NDArray
            The result, or a list if there are several.

        Raises
        ------
        MXNetError
            If the number of arrays differs from the number of variables, or if the arrays are on several devices.
        TypeError
            If an argument is not an array, or if a keyword is unknown.
        """
        out = kwargs.pop("out", None)
        if kwargs:
            raise TypeError(f"CachedOp.__call__ got unexpected keyword argument(s): {', '.join(kwargs)}")
        self._check(args)
        from .numpy._array import ndarray

        cls = ndarray if self.is_np_sym else NDArray
        results = self._programs(args, cls, args[0]._ctx if args else current_context())
        if out is None:
            return results[0] if len(results) == 1 else results
        targets = list(out) if isinstance(out, list | tuple) else [out]
        if len(targets) != len(results):
            raise MXNetError(
                f"Check failed: *num_outputs == op->num_outputs() ({len(targets)} vs. {len(results)}) : "
                f"CachedOp expects {len(results)} outputs, but {len(targets)} was given."
            )
        for target, result in zip(targets, results, strict=True):
            _write(target, result)
        return out

    def _check(self, args: tuple[Any, ...]) -> None:
        names = self._programs.names
        if len(args) != len(names):
            raise MXNetError(
                f"Check failed: inputs.size() == num_inputs() ({len(args)} vs. {len(names)}) : "
                f"CachedOp requires {len(names)} inputs but got {len(args)}"
            )
        for name, array in zip(names, args, strict=True):
            if not isinstance(array, NDArray):
                raise TypeError(f"Argument {name} must have NDArray type, but got {array}")
            if array._ctx != args[0]._ctx:
                raise MXNetError(
                    f"CachedOp requires all inputs to live on the same context. But {names[0]} is on {args[0]._ctx} "
                    f"while {name} is on {array._ctx}"
                )


def _write(target: Any, result: Any) -> None:
    """Write a result into an existing array, and record the array as the result on the tape."""
    if not isinstance(target, NDArray):
        raise TypeError(f"out must be an NDArray or a list of NDArrays, but {target!r} is not an NDArray")
    if target.shape != result.shape or target._data.dtype != result._data.dtype or target._ctx != result._ctx:
        raise MXNetError(
            f"an output of CachedOp has shape {result.shape} and element type {result._data.dtype} on {result._ctx}, "
            f"but the array in out has shape {target.shape} and element type {target._data.dtype} on {target._ctx}"
        )
    prepare_write(target)
    target._data[...] = result._data
    clock.note_write([target._data])
    if result._tape is not None:
        target._tape = result._tape
