"""``mx.operator``: user-defined operators, whose forward and backward passes are written in Python.

:class:`CustomOp` computes, :class:`CustomOpProp` describes inputs and outputs, and :func:`register` registers an
operator under a name. ``nd.Custom``, ``sym.Custom``, and ``F.Custom`` call the operator. In a graph, the operator is an
ordinary node, whose kernel calls back into Python (:mod:`.node`). :mod:`.function` creates such nodes for
``autograd.Function``.
"""

from .custom import CustomOp, CustomOpProp, register
from .old import NDArrayOp, NumpyOp, PythonOp
from .questions import OperatorArguments, get_all_registered_operators, get_operator_arguments

__all__ = [
    "CustomOp", "CustomOpProp", "NDArrayOp", "NumpyOp", "OperatorArguments", "PythonOp", "get_all_registered_operators",
    "get_operator_arguments", "register",
]  # fmt: skip
