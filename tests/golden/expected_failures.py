"""Where this package differs from what real MXNet 1.9.1 returned, and why."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from .runner import Case, cases_of

__all__ = ["ARRAYS", "SYMBOLS", "each_case"]

_NOT_THE_DERIVATIVE = "MXNet's gradient is not the derivative (finite differences agree with ours)"
_PREDICT_MODE = "recorded in predict mode, MXNet goes backward with a formula of training mode: not the derivative"
_NO_GRADIENT = "MXNet has no gradient here and returns zeros"

#: (family, case) -> reason why the call on arrays gives something else.
ARRAYS: dict[tuple[str, str], str] = {
    ("activation", "LeakyReLU_4"): _NOT_THE_DERIVATIVE,
    ("activation", "SoftmaxActivation_2"): _NOT_THE_DERIVATIVE,
    (
        "activation",
        "SoftmaxOutput_7",
    ): "with out_grad, MXNet multiplies by something else than the head gradient",
    (
        "index",
        "gather_nd_3",
    ): "MXNet's gradient keeps one of several equal indices; the derivative adds them up",
    ("numpy_ops", "np_arctan2_2"): _NOT_THE_DERIVATIVE,
    ("numpy_ops", "np_matmul_2"): _NOT_THE_DERIVATIVE,
    ("numpy_ops", "np_rot90_0"): _NOT_THE_DERIVATIVE,
    ("numpy_ops", "np_where_1"): _NOT_THE_DERIVATIVE,
    ("numpy_ops", "np_atleast_2d_0"): _NO_GRADIENT,
    ("numpy_ops", "npx_batch_norm_0"): _PREDICT_MODE,
    ("numpy_ops", "expr_57"): "a boolean array and 2: MXNet makes a boolean of the number first",
    ("unary", "relu_4"): "the gradient at NaN: 0 here, NaN in MXNet",
}
ARRAYS |= {("norm", f"BatchNorm_{i}"): _PREDICT_MODE for i in (0, 1, 2, 4, 5, 6, 8, 9, 10, 12, 13, 14, 16, 17, 18)}
ARRAYS |= {
    ("numpy_ops", case): _NO_GRADIENT
    for case in (
        "np_std_0", "np_std_1", "np_std_2", "np_std_3", "np_std_4", "np_std_6", "np_var_0", "np_var_1", "np_var_2",
        "np_var_3", "np_var_4", "np_var_6", "expr_80", "expr_81",
    )
}  # fmt: skip

#: (family, case) -> reason why the call on symbols gives something else.
SYMBOLS: dict[tuple[str, str], str] = {
    ("index", "fill_element_0index_0"): "MXNet cannot call this operator on symbols at all",
    ("unary", "contrib_isnan_0"): "here symbols have this operator, too",
    ("unary", "contrib_isinf_0"): "here symbols have this operator, too",
    ("unary", "contrib_isfinite_0"): "here symbols have this operator, too",
}


def each_case(
    families: list[str],
    expected_failures: dict[tuple[str, str], str],
    condition: Callable[[Case], bool] = lambda case: True,
) -> Any:
    """Parametrize a test by the cases of families; those that must fail, fail for a reason."""
    chosen = []
    for case in [case for name in families for case in cases_of(name) if condition(case)]:
        reason = expected_failures.get((case.family, case.id))
        marks = [] if reason is None else [pytest.mark.xfail(strict=True, reason=reason)]
        chosen.append(pytest.param(case, id=f"{case.family}-{case.id}", marks=marks))
    return pytest.mark.parametrize("case", chosen)
