"""``mx.operator``: operators that are written in Python, with a forward and a backward pass of your own.

:class:`CustomOp` computes, :class:`CustomOpProp` says what it takes and gives, :func:`register` makes it known under a
name; ``nd.Custom``, ``sym.Custom`` and ``F.Custom`` call it. In a graph it is a node like any other, and programs call
back into Python there (:mod:`.node`). :mod:`.function` does the same for ``autograd.Function``.
"""

from .custom import CustomOp, CustomOpProp, register
from .old import NDArrayOp, NumpyOp, PythonOp
from .questions import OperatorArguments, get_all_registered_operators, get_operator_arguments

__all__ = [
    "CustomOp", "CustomOpProp", "NDArrayOp", "NumpyOp", "OperatorArguments", "PythonOp", "get_all_registered_operators",
    "get_operator_arguments", "register",
]  # fmt: skip
