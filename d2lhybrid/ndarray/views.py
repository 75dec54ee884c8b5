"""``expand_dims``, ``squeeze``, and ``flatten``, which return views with ``inplace=True``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, TypeVar

from ..internals.core.invoke import invoke
from ..internals.core.operator import get_operator

__all__ = ["expand_dims", "flatten", "squeeze"]

if TYPE_CHECKING:
    from .ndarray import NDArray

_Array = TypeVar("_Array", bound="NDArray")


def _shaped(self: Any, name: str, inplace: bool, **attributes: Any) -> Any:
    op = get_operator(name)
    params = op.parse(attributes)
    if not inplace:
        return invoke(op, (self,), params, type(self))
    assert op.shape_rule is not None
    _, (shape,) = op.shape_rule(self.shape, **op.complete(params))
    return self._view_as(op, params, shape)


def expand_dims(self: _Array, axis: int, inplace: bool = False, **kwargs: Any) -> _Array:
    """Return the array with a new axis of size 1.

    Parameters
    ----------
    axis : int
        Position of the new axis.
    inplace : bool
        Whether the result shares the memory of the array.
    **kwargs
        Other arguments of ``nd.expand_dims``.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> x = nd.zeros((2,))
    >>> x.expand_dims(0, inplace=True)[:] = 7
    >>> x.asnumpy()
    array([7., 7.], dtype=float32)
    """
    return _shaped(self, "expand_dims", inplace, axis=axis, **kwargs)


def squeeze(self: _Array, axis: Any = None, inplace: bool = False, **kwargs: Any) -> _Array:
    """Return the array without axes of size 1.

    Parameters
    ----------
    axis : int or tuple of int, optional
        The axes to remove; by default, all axes of size 1.
    inplace : bool
        Whether the result shares the memory of the array.
    **kwargs
        Other arguments of ``nd.squeeze``.
    """
    return _shaped(self, "squeeze", inplace, axis=axis, **kwargs)


def flatten(self: _Array, inplace: bool = False, **kwargs: Any) -> _Array:
    """Return the array with two axes: the first axis, and one axis that merges all other axes.

    Parameters
    ----------
    inplace : bool
        Whether the result shares the memory of the array.
    **kwargs
        Other arguments of ``nd.flatten``.
    """
    return _shaped(self, "Flatten", inplace, **kwargs)
