"""The operators that map zeros to zeros, so that a sparse array remains sparse, as in MXNet.

This file also declares the operators through which a row-sparse gradient remains row-sparse. Operators with special
rules, such as products, are in :mod:`d2lhybrid.ndarray.storage`.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..core.operator import Operator, get_operator
from . import binary, comparison, elementwise, nonlinearity, pass_through, unary  # noqa: F401  they register what follows

#: Operators that always map zeros to zeros: sums, and functions of one array.
_ALWAYS = """
elemwise_add elemwise_sub
abs arcsin arcsinh arctan arctanh cbrt ceil degrees expm1 fix floor log1p negative radians relu rint round sign sin sinh
sqrt square tan tanh trunc zeros_like _copy BlockGrad make_loss _mul_scalar _div_scalar
"""
#: Operators that map zeros to zeros for some values of their attributes.
_SOMETIMES = """
_plus_scalar _minus_scalar _equal_scalar _not_equal_scalar _greater_scalar _greater_equal_scalar _lesser_scalar
_lesser_equal_scalar clip _contrib_quadratic
"""


def _of_zero(op: Operator) -> Any:
    """Return the rule that runs the kernel on zero to find out whether the result is zero."""
    return lambda **settings: not op.kernel(numpy, numpy.zeros(1), **settings)


#: The operators through which a row-sparse gradient remains row-sparse, because they copy or multiply it.
_HANDING_ON = """
_copy _copyto Cast amp_cast cast_storage _plus_scalar _minus_scalar _rminus_scalar _mul_scalar _div_scalar negative exp
_square_sum
"""

for _name in _ALWAYS.split():
    get_operator(_name).zero_stays = lambda **_: True
for _name in _SOMETIMES.split():
    get_operator(_name).zero_stays = _of_zero(get_operator(_name))
for _name in _HANDING_ON.split():
    get_operator(_name).hands_rows_on = frozenset([0])
for _name in ("elemwise_add", "elemwise_sub"):
    get_operator(_name).hands_rows_on = frozenset([0, 1])
