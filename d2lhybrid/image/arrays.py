"""Functions that convert results to the class of the caller's images."""

from __future__ import annotations

from typing import Any

import numpy

from ..context import cpu
from ..internals.core.invoke import invoke, wrap
from ..internals.core.operator import get_operator
from ..ndarray import NDArray
from ..util import is_np_array

__all__ = ["array_class", "new_array", "of_the_kind", "require_array", "run"]


def array_class() -> type[NDArray]:
    """Return the class of new arrays: ``mx.np.ndarray`` in NumPy mode, and NDArray otherwise.

    Returns
    -------
    type
        The class.
    """
    if is_np_array():
        from ..numpy import ndarray

        return ndarray
    return NDArray


def new_array(values: numpy.ndarray) -> Any:
    """Wrap a NumPy array as an array of the class from :func:`array_class`.

    Parameters
    ----------
    values : numpy.ndarray
        The values, whose memory the result shares.

    Returns
    -------
    NDArray or mx.np.ndarray
        The array on the CPU.
    """
    return wrap(array_class(), values, cpu())


def of_the_kind(image: Any, values: Any) -> Any:
    """Convert values to an array with the class and on the device of an image.

    Parameters
    ----------
    image : NDArray
        The image.
    values : NDArray or array-like
        The values. Values that are not an NDArray become float32.

    Returns
    -------
    NDArray or mx.np.ndarray
        The array.
    """
    if isinstance(values, NDArray):
        if type(values) is type(image) and values.context == image.context:
            return values
        values = values.asnumpy()
    else:
        values = numpy.asarray(values, numpy.float32)
    return wrap(type(image), numpy.array(values), cpu()).as_in_context(image.context)


def run(name: str, image: Any, *others: Any, **attributes: Any) -> Any:
    """Run an operator on an image. The result has the image's class.

    Parameters
    ----------
    name : str
        The operator.
    image, *others : NDArray
        The image, and the operator's other inputs.
    **attributes
        The operator's attributes.

    Returns
    -------
    NDArray or mx.np.ndarray
        The output of the operator.
    """
    op = get_operator(name)
    return invoke(op, (image, *others), op.parse(attributes), type(image))


def require_array(src: Any) -> None:
    """Raise MXNet's error if an argument is not an array.

    Parameters
    ----------
    src : object
        The argument.

    Raises
    ------
    AssertionError
        If the argument is not an array.
    """
    if not isinstance(src, NDArray):
        raise AssertionError(f"Argument src must have NDArray type, but got {src}")
