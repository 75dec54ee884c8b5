"""Types for programs: the type of ``F`` in ``hybrid_forward``, and the types of a block's inputs and outputs.

Editors infer these types in ``def hybrid_forward(self, F, x)``. If an input has a name other than ``x``, or the block
has parameters, the method requires annotations.

Examples
--------
>>> from d2lhybrid import nd
>>> from d2lhybrid.gluon import nn
>>> from d2lhybrid.typing import FunctionSpace, Tensor
>>> class Scale(nn.HybridBlock):
...     def hybrid_forward(self, F: FunctionSpace, x: Tensor, scale: Tensor) -> Tensor:
...         return F.broadcast_mul(x, scale)
>>> Scale()(nd.array([[1, 2]]), nd.array([[3]]))
<BLANKLINE>
[[3. 6.]]
<NDArray 1x2 @cpu(0)>
"""

from __future__ import annotations

from typing import Protocol, TypeAlias

from .ndarray import NDArray
from .ndarray.numpy._array import ndarray
from .symbol import Symbol
from .symbol.numpy._symbol import _Symbol

__all__ = ["FunctionSpace", "NumpyTensor", "Tensor"]

#: The values that a block computes with: arrays when it runs eagerly, symbols when it is traced.
Tensor: TypeAlias = NDArray | Symbol

#: The values that a block computes with in the ``np`` dialect.
NumpyTensor: TypeAlias = ndarray | _Symbol


class FunctionSpace(Protocol):
    """The type of ``F``: the functions that ``mx.nd`` and ``mx.sym`` both have.

    Type checkers and editors read the functions from the generated file ``typing.pyi``. At run time, the class has no
    members and no instances.

    Examples
    --------
    >>> from d2lhybrid import nd, sym
    >>> from d2lhybrid.typing import FunctionSpace, Tensor
    >>> def gelu(F: FunctionSpace, x: Tensor) -> Tensor:
    ...     return x * F.sigmoid(x * 1.702)
    >>> gelu(nd, nd.array([0])).shape, type(gelu(sym, sym.var("x"))).__name__
    ((1,), 'Symbol')
    """
