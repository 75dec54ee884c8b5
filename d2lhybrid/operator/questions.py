"""Functions that list all operators and the arguments of an operator."""

from __future__ import annotations

from typing import NamedTuple

from ..internals import ops as _ops  # noqa: F401  registers every operator
from ..internals.core.operator import REQUIRED, get_operator, registered_names

__all__ = ["OperatorArguments", "get_all_registered_operators", "get_operator_arguments"]


class OperatorArguments(NamedTuple):
    """The arguments of an operator.

    Attributes
    ----------
    narg : int
        The number of arguments.
    names, types : list of str
        The name and a description of the type of each argument.
    """

    narg: int
    names: list[str]
    types: list[str]


def get_all_registered_operators() -> list[str]:
    """Return the names of all operators."""
    return [*registered_names(), "Custom"]


def get_operator_arguments(op_name: str) -> OperatorArguments:
    """Return the names and types of the inputs and attributes of an operator.

    Parameters
    ----------
    op_name : str
        The name of the operator.

    Returns
    -------
    OperatorArguments
        The arguments.

    Raises
    ------
    MXNetError
        If there is no operator of that name.

    Examples
    --------
    >>> get_operator_arguments("Activation")
    OperatorArguments(narg=2, names=['data', 'act_type'], types=['NDArray-or-Symbol', "{'relu', 'sigmoid', 'softrelu', \
'softsign', 'tanh'}, required"])
    """
    op = get_operator(op_name)
    names = [op.variadic] if op.variadic is not None else [i.name for i in op.inputs]
    types = ["NDArray-or-Symbol[]" if op.variadic is not None else "NDArray-or-Symbol"] * len(names)
    for attribute in op.attributes.values():
        default = "required" if attribute.default is REQUIRED else f"optional, default={attribute.default}"
        names.append(attribute.name)
        types.append(f"{attribute.choices or attribute.what}, {default}")
    return OperatorArguments(len(names), names, types)
