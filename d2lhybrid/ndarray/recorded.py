"""The function space for arrays on the tape, which creates and combines NDArrays for ``autograd``.

Gradient rules run with this space when the backward pass must be differentiable
(``autograd.grad(create_graph=True)``).
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..context import Context
from ..internals.core import tape
from ..internals.core.invoke import OperatorCall, invoke, wrap
from ..internals.core.operator import get_operator
from ..internals.device import array_modules
from ..internals.support.plugins import service
from .ndarray import NDArray, _share
from .sparse_arrays import give_storage

__all__ = ["RecordedSpace", "install"]


class RecordedSpace:
    """All operators as functions of NDArrays, without the checks of the public functions."""

    #: The class of the operators' results.
    array_class: type[NDArray] = NDArray
    module_of: Callable[[Any], Any] = staticmethod(array_modules.module_of)

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        op = get_operator(name)

        def call(*arrays: Any, **attributes: Any) -> Any:
            return invoke(op, arrays, attributes, NDArray)

        self.__dict__[name] = call
        return call

    def _reduce_like(self, data: NDArray, like: NDArray) -> NDArray:
        """Sum an array to the shape of ``like``, which isn't recorded because only its shape matters.

        If ``like`` were recorded, broadcasting operators would depend on inputs that other operators don't depend on.
        """
        return invoke(get_operator("_reduce_like"), (data, self.box(like._data, like._ctx, None)), {}, NDArray)

    def ones_like(self, array: Any) -> NDArray:
        """Return an unrecorded array of ones with the shape of another array.

        Parameters
        ----------
        array : NDArray
            The other array.

        Returns
        -------
        NDArray
            An array with the element type and device of ``array``.
        """
        return wrap(NDArray, array_modules.module_of(array._data).ones_like(array._data), array._ctx)

    def zeros_like(self, array: Any) -> NDArray:
        """Return an unrecorded array of zeros with the shape of another array.

        If the zeros were recorded, gradients would depend on arrays whose values they don't use.

        Parameters
        ----------
        array : NDArray
            The other array.

        Returns
        -------
        NDArray
            An array with the element type and device of ``array``.
        """
        return wrap(NDArray, array_modules.module_of(array._data).zeros_like(array._data), array._ctx)

    def recorded_zeros_like(self, array: Any) -> NDArray:
        """Return a recorded array of zeros with the shape of another array. The gradient of the other array is zero.

        Parameters
        ----------
        array : NDArray
            The other array.

        Returns
        -------
        NDArray
            An array with the element type and device of ``array``.
        """
        return invoke(get_operator("zeros_like"), (array,), {}, NDArray)

    def box(self, raw: Any, ctx: Context, ref: Any) -> NDArray:
        """Wrap raw values as an array with a position on the tape.

        Parameters
        ----------
        raw : numpy.ndarray or cupy.ndarray
            The values.
        ctx : Context
            The device of the values.
        ref : tuple or None
            The tape node and the index of its output, or None for an unrecorded array.

        Returns
        -------
        NDArray
            The array.
        """
        result = wrap(NDArray, raw, ctx)
        result._tape = ref
        return result

    def box_like(self, raws: list[Any], likes: list[Any]) -> list[Any]:
        """Wrap raw arrays as NDArrays with the classes and devices of other arrays.

        Parameters
        ----------
        raws : list of (numpy.ndarray, cupy.ndarray, NDArray, or None)
            The values. None stands for zeros.
        likes : list of NDArray
            For each element of ``raws``, the array whose class and device the result has.

        Returns
        -------
        list of NDArray
            The arrays.
        """
        boxes = []
        for raw, like in zip(raws, likes, strict=True):
            if isinstance(raw, NDArray):
                boxes.append(raw if type(raw) is type(like) else _share(type(like), raw))
                continue
            if raw is None:
                raw = array_modules.module_of(like._data).zeros_like(like._data)
            boxes.append(wrap(type(like), raw, like._ctx))
        return boxes

    def as_legacy(self, array: Any) -> NDArray:
        """Return a plain NDArray that shares memory and tape entry with an array.

        Parameters
        ----------
        array : NDArray
            The array.

        Returns
        -------
        NDArray
            The plain array.
        """
        return array.as_nd_ndarray()

    def as_gradient(self, value: Any, variable: Any, rows: Any = None) -> Any:
        """Return a gradient as an array of the same class as the variable.

        Parameters
        ----------
        value : NDArray, numpy.ndarray, cupy.ndarray or None
            The gradient. None stands for zeros.
        variable : NDArray
            The variable.
        rows : array, optional
            The indices of the stored rows. With this argument, the gradient becomes row-sparse, unless the variable is
            an ``np`` array.

        Returns
        -------
        NDArray
            The gradient.
        """
        if value is None:
            value = array_modules.module_of(variable._data).zeros_like(variable._data)
        if not isinstance(value, NDArray):
            value = wrap(type(variable), array_modules.module_of(value).array(value), variable._ctx)
        elif not variable._legacy:
            value = value.as_np_ndarray()
        if rows is not None and variable._legacy:
            give_storage(value, "row_sparse", rows)
        return value

    def symbol_of(self, array: Any) -> Any:
        """Return the recorded computation of an array as a Symbol.

        Parameters
        ----------
        array : NDArray
            The array.

        Returns
        -------
        Symbol
            The graph.
        """
        return service("symbol_of")(array, OperatorCall)


def install() -> None:
    """Install the function space of the tape."""
    tape.install_recorded_space(RecordedSpace())
