"""Arrays with one element that convert to Python numbers, as in NumPy before 2.4."""

from __future__ import annotations

from typing import Any

import numpy

__all__ = ["OneElementArray"]


class OneElementArray(numpy.ndarray):
    """A NumPy array with one element that ``float``, ``int``, ``complex``, and ``'%f' %`` accept.

    MXNet's reductions return arrays of shape ``(1,)``, and Gluon programs often contain lines such as
    ``print('loss %f' % loss.mean().asnumpy())``. NumPy 2.4 converts only arrays without axes. In all other respects,
    the array behaves like a plain NumPy array: in its repr, in pickles and files, and in results with several elements.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> loss = nd.array([1, 2]).mean().asnumpy()
    >>> loss
    array([1.5], dtype=float32)
    >>> 'loss %f' % (loss / 2)
    'loss 0.750000'
    >>> type(loss + numpy.ones(3)).__name__
    'ndarray'
    """

    def __float__(self) -> float:
        return float(self.item()) if self.size == 1 else super().__float__()

    def __int__(self) -> int:
        return int(self.item()) if self.size == 1 else super().__int__()

    def __complex__(self) -> complex:
        return complex(self.item()) if self.size == 1 else super().__complex__()

    def __array_wrap__(self, array: Any, context: Any = None, return_scalar: bool = False) -> Any:
        if return_scalar:
            return array[()]
        plain = numpy.asarray(array)
        return plain.view(OneElementArray) if plain.size == 1 and plain.ndim else plain

    def __repr__(self) -> str:
        return repr(numpy.asarray(self))

    def __reduce__(self) -> Any:
        return numpy.asarray(self).__reduce__()

    def __reduce_ex__(self, protocol: Any) -> Any:
        return numpy.asarray(self).__reduce_ex__(protocol)
