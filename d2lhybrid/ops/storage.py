"""Which operators give back zeros where they get them, so that a sparse array stays sparse, as in MXNet.

What has rules of its own, as products have, stands in :mod:`d2lhybrid.ndarray.storage`.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..core.operator import Operator, get_operator
from . import binary, comparison, elementwise, nonlinearity, passing, unary  # noqa: F401  they register what follows

#: Sums, and functions of one array.
_ALWAYS = """
elemwise_add elemwise_sub
abs arcsin arcsinh arctan arctanh cbrt ceil degrees expm1 fix floor log1p negative radians relu rint round sign sin sinh
sqrt square tan tanh trunc zeros_like _copy BlockGrad make_loss _mul_scalar _div_scalar
"""
#: With some numbers.
_SOMETIMES = """
_equal_scalar _not_equal_scalar _greater_scalar _greater_equal_scalar _lesser_scalar _lesser_equal_scalar clip
"""


def _of_zero(op: Operator) -> Any:
    """Return the rule that asks the kernel itself."""
    return lambda **settings: not op.kernel(numpy, numpy.zeros(1), **settings)


for _name in _ALWAYS.split():
    get_operator(_name).zero_stays = lambda **_: True
for _name in _SOMETIMES.split():
    get_operator(_name).zero_stays = _of_zero(get_operator(_name))
