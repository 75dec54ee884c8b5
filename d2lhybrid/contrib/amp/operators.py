"""MXNet's lists of operators by precision, made from the attribute ``precision`` of each operator."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy

from ...error import MXNetError
from ...internals.core.operator import Operator, all_operators, get_operator

__all__ = [
    "check_target", "list_conditional_fp32_ops", "list_fp32_ops", "list_loss_output_functions", "list_lp16_fp32_ops",
    "list_lp16_ops", "list_lp16_use_fp32_params", "list_widest_type_cast",
]  # fmt: skip


def check_target(target_dtype: Any) -> None:
    """Raise an error for element types other than float16.

    Parameters
    ----------
    target_dtype : str
        The half-precision element type.

    Raises
    ------
    MXNetError
        If the type is ``"bfloat16"``, which NumPy doesn't have.
    AssertionError
        If the type is neither float16 nor ``"bfloat16"``.
    """
    if str(target_dtype) == "bfloat16":
        error = MXNetError("bfloat16 is not a supported element type")
        error.add_note('Pass target_dtype="float16".')
        raise error
    assert target_dtype in ("float16", numpy.float16, numpy.dtype("float16")), (
        f"AMP supports only float16 as a target_dtype, not {target_dtype!r}"
    )


def _names(target_dtype: Any, wanted: Callable[[Operator], bool]) -> list[str]:
    """Return the names and aliases of operators, without gradients and functions of ``np``."""
    check_target(target_dtype)
    found = [name for op in all_operators() if wanted(op) for name in op.names]
    return [name for name in found if not name.startswith(("_np", "_backward"))]


def list_lp16_ops(target_dtype: Any) -> list[str]:
    """Return the operators that run in half precision.

    Parameters
    ----------
    target_dtype : str
        The half-precision element type, ``"float16"``.

    Returns
    -------
    list of str
        Names of the operators.

    Examples
    --------
    >>> sorted(list_lp16_ops("float16"))
    ['Convolution', 'Deconvolution', 'FullyConnected', 'RNN']
    """
    return _names(target_dtype, lambda op: op.precision == "half")


def list_fp32_ops(target_dtype: Any) -> list[str]:
    """Return the operators that run in single precision: exponentials, sums, norms, losses, and linear algebra.

    Parameters
    ----------
    target_dtype : str
        The half-precision element type, ``"float16"``.

    Returns
    -------
    list of str
        Names of the operators.
    """
    return _names(target_dtype, lambda op: op.precision == "single")


def list_lp16_fp32_ops(target_dtype: Any) -> list[str]:
    """Return the operators that run in the precision of their inputs.

    Parameters
    ----------
    target_dtype : str
        The half-precision element type, ``"float16"``.

    Returns
    -------
    list of str
        Names of the operators.
    """
    return _names(target_dtype, lambda op: not op.precision)


def list_conditional_fp32_ops(target_dtype: Any) -> list[tuple[str, str, list[str]]]:
    """Return the operators that run in single precision for some values of an attribute.

    Parameters
    ----------
    target_dtype : str
        The half-precision element type, ``"float16"``.

    Returns
    -------
    list of (str, str, list of str)
        Operator, attribute, and the values of the attribute for which the operator runs in single precision.

    Examples
    --------
    >>> list_conditional_fp32_ops("float16")
    [('Activation', 'act_type', ['softrelu']), ('LeakyReLU', 'act_type', ['elu', 'selu'])]
    """
    found = []
    for name in _names(target_dtype, lambda op: isinstance(op.precision, tuple)):
        attribute, values = get_operator(name).precision
        found.append((name, attribute, list(values)))
    return found


def list_widest_type_cast(target_dtype: Any) -> list[str]:
    """Return the operators with several inputs that run in the widest precision of their inputs.

    Parameters
    ----------
    target_dtype : str
        The half-precision element type, ``"float16"``.

    Returns
    -------
    list of str
        Names of the operators.
    """
    return _names(target_dtype, lambda op: op.precision == "widest")


def list_loss_output_functions(target_dtype: Any) -> list[str]:
    """Return the loss operators that have a label input and an attribute ``grad_scale``, a factor of their gradient.

    Parameters
    ----------
    target_dtype : str
        The half-precision element type, ``"float16"``.

    Returns
    -------
    list of str
        Names of the operators.

    Examples
    --------
    >>> sorted(list_loss_output_functions("float16"))[:2]
    ['LinearRegressionOutput', 'LogisticRegressionOutput']
    """
    return _names(
        target_dtype,
        lambda op: op.is_loss and "grad_scale" in op.attributes and any(i.name == "label" for i in op.inputs),
    )


def list_lp16_use_fp32_params(target_dtype: Any) -> None:
    """Return None, because all inputs of half-precision operators are in half precision.

    Parameters
    ----------
    target_dtype : str
        The half-precision element type, ``"float16"``.
    """
    check_target(target_dtype)
