"""The function space ``F`` for raw arrays, with every registered operator as a function of NumPy or CuPy arrays.

Gradient rules call operators of a function space ``F``. The tape runs gradient rules in this space. The compiler runs
them in a space that creates nodes, and ``autograd.grad(create_graph=True)`` in a space that records calls on NDArrays.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from .operator import get_operator

__all__ = ["KernelSpace", "kernel_space"]


class KernelSpace:
    """A function space with the kernels of all operators, bound to one array module.

    Examples
    --------
    >>> import numpy
    >>> F = kernel_space(numpy)
    >>> F.broadcast_add(numpy.ones((2, 1)), numpy.ones((1, 2)))
    array([[2., 2.],
           [2., 2.]])
    """

    def __init__(self, xp: Any) -> None:
        self._xp = xp

    def __getattr__(self, name: str) -> Callable[..., Any]:
        if name.startswith("__"):
            raise AttributeError(name)
        kernel, xp = get_operator(name).kernel, self._xp

        def call(*arrays: Any, **attributes: Any) -> Any:
            return kernel(xp, *arrays, **attributes)

        self.__dict__[name] = call  # later lookups of this name don't call __getattr__
        return call


_spaces: dict[int, KernelSpace] = {}


def kernel_space(xp: Any) -> KernelSpace:
    """Return the function space of an array module.

    Parameters
    ----------
    xp : module
        NumPy or CuPy.

    Returns
    -------
    KernelSpace
        The function space, which is created once for each module.
    """
    space = _spaces.get(id(xp))
    if space is None:
        space = _spaces[id(xp)] = KernelSpace(xp)
    return space
