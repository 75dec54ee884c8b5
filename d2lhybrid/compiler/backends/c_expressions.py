"""What element-wise operators are in C: one expression each, for ``float`` and ``double``.

An expression may use ``{0}``, ``{1}`` for its inputs, ``{s}`` for the number of a scalar operator, and ``{low}`` and
``{high}`` for the ends of an interval.
A test compares every one of them with the kernel of its operator.
"""

from __future__ import annotations

from typing import Any

from ...core.node import Node

__all__ = ["ACTIVATIONS", "EXPRESSIONS", "PRELUDE", "expression_of", "literal"]

_ADD, _SUBTRACT, _MULTIPLY, _DIVIDE = "{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / {1}"
_MAXIMUM, _MINIMUM = "larger({0}, {1})", "smaller({0}, {1})"


def _family(expression: str, *names: str) -> dict[str, str]:
    return dict.fromkeys(names, expression)


#: Operator -> expression.
EXPRESSIONS: dict[str, str] = {
    **_family(_ADD, "elemwise_add", "broadcast_add", "_npi_add", "_grad_add", "_bias_batch_last"),
    **_family(_SUBTRACT, "elemwise_sub", "broadcast_sub", "_npi_subtract"),
    **_family(_MULTIPLY, "elemwise_mul", "broadcast_mul", "_npi_multiply"),
    **_family(_DIVIDE, "elemwise_div", "broadcast_div", "_npi_true_divide"),
    **_family(_MAXIMUM, "_maximum", "broadcast_maximum", "_npi_maximum"),
    **_family(_MINIMUM, "_minimum", "broadcast_minimum", "_npi_minimum"),
    **_family("{0} + {s}", "_plus_scalar", "_npi_add_scalar"),
    **_family("{0} - {s}", "_minus_scalar", "_npi_subtract_scalar"),
    **_family("{s} - {0}", "_rminus_scalar", "_npi_rsubtract_scalar"),
    **_family("{0} * {s}", "_mul_scalar", "_npi_multiply_scalar"),
    **_family("{0} / {s}", "_div_scalar", "_npi_true_divide_scalar"),
    **_family("{s} / {0}", "_rdiv_scalar", "_npi_rtrue_divide_scalar"),
    **_family("larger({0}, {s})", "_maximum_scalar", "_npi_maximum_scalar"),
    **_family("smaller({0}, {s})", "_minimum_scalar", "_npi_minimum_scalar"),
    **_family("larger({0}, zero)", "relu", "_npx_relu"),
    **_family("{0} * ({1} > zero ? one : zero)", "_backward_relu"),
    **_family("sigmoid({0})", "sigmoid", "_npx_sigmoid"),
    **_family("tanh_of({0})", "tanh", "_npi_tanh"),
    **_family("exp_of({0})", "exp", "_npi_exp"),
    **_family("log_of({0})", "log", "_npi_log"),
    **_family("root({0})", "sqrt", "_npi_sqrt"),
    **_family("{0} * {0}", "square", "_npi_square"),
    **_family("-{0}", "negative", "_npi_negative"),
    **_family("magnitude({0})", "abs", "_npi_absolute"),
    **_family("one / {0}", "reciprocal", "_npi_reciprocal"),
    **_family("one / root({0})", "rsqrt"),
    **_family("smaller(larger({0}, {low}), {high})", "clip"),
    **_family("{0} * ({1} < {low} || {1} > {high} ? zero : one)", "_backward_clip"),
}

#: Attributes that are numbers in an expression, under the names that they have there.
_NUMBERS = {"scalar": "s", "a_min": "low", "a_max": "high"}

#: The kinds of ``Activation`` that have an expression.
ACTIVATIONS: dict[str, str] = {"relu": "larger({0}, zero)", "sigmoid": "sigmoid({0})", "tanh": "tanh_of({0})"}

#: The functions of the expressions, for one type. ``larger`` and ``smaller`` hand NaN on, as NumPy does.
#:
#: ``exp`` and ``tanh`` of single precision are written without branches, so that the compiler makes vector
#: instructions of them. With x = k ln 2 + r and abs(r) <= ln 2 / 2, exp(x) is 2^k exp(r), and Taylor's polynomial of
#: degree 7 is exact to half a unit in the last place there. The rational function of tanh was fitted to the
#: smallest relative error (5e-11) by weighted least squares; in single precision it is 6 units off at most.
PRELUDE = r"""
#include <math.h>
#include <stdint.h>
#include <string.h>

static inline float power_of_two_float(int32_t k) {
    int32_t bits = (k + 127) << 23;
    float value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

/* exp(r) - 1 for |r| <= ln 2 / 2 */
static inline float small_expm1_float(float r) {
    float p = 1.0f / 5040;
    p = p * r + 1.0f / 720;
    p = p * r + 1.0f / 120;
    p = p * r + 1.0f / 24;
    p = p * r + 1.0f / 6;
    p = p * r + 0.5f;
    return p * r * r + r;
}

/* r = x - k ln 2, with ln 2 in two parts, the first of which has few bits */
static inline float reduced_float(float x, float k) {
    return (x - k * 0.693359375f) + k * 2.12194440e-4f;
}

static inline float exp_of_float(float x) {
    float limited = x > 89.0f ? 89.0f : x;
    limited = limited < -105.0f ? -105.0f : limited;
    float k = rintf(limited * 1.44269504f);
    int32_t whole = (int32_t) k, half = whole >> 1;
    float p = small_expm1_float(reduced_float(limited, k)) + 1.0f;
    return p * power_of_two_float(half) * power_of_two_float(whole - half);
}

/* x P(x^2) / Q(x^2); from 8.6 on tanh is 1 in single precision, to half a unit in the last place */
static inline float tanh_of_float(float x) {
    float y = x > 8.6f ? 8.6f : x;
    y = y < -8.6f ? -8.6f : y;
    float t = y * y;
    float p = 2.81087155e-14f;
    p = p * t - 3.33873137e-11f;
    p = p * t + 4.69437218e-08f;
    p = p * t + 3.33893113e-05f;
    p = p * t + 0.00411145436f;
    p = p * t + 0.138692424f;
    p = p * t + 1.0f;
    float q = 1.69991995e-06f;
    q = q * t + 0.000438221992f;
    q = q * t + 0.028120039f;
    q = q * t + 0.472025752f;
    q = q * t + 1.0f;
    return y * p / q;
}

static inline float sigmoid_float(float x) { return 1.0f / (1.0f + exp_of_float(-x)); }
static inline float log_of_float(float x) { return logf(x); }
static inline float root_float(float x) { return sqrtf(x); }
static inline float magnitude_float(float x) { return fabsf(x); }
static inline float larger_float(float x, float y) { float z = x <= y ? y : x; return y != y ? y : z; }
static inline float smaller_float(float x, float y) { float z = x >= y ? y : x; return y != y ? y : z; }

static inline double exp_of_double(double x) { return exp(x); }
static inline double tanh_of_double(double x) { return tanh(x); }
static inline double sigmoid_double(double x) { return 1.0 / (1.0 + exp(-x)); }
static inline double log_of_double(double x) { return log(x); }
static inline double root_double(double x) { return sqrt(x); }
static inline double magnitude_double(double x) { return fabs(x); }
static inline double larger_double(double x, double y) { double z = x <= y ? y : x; return y != y ? y : z; }
static inline double smaller_double(double x, double y) { double z = x >= y ? y : x; return y != y ? y : z; }
"""

_FUNCTIONS = ("exp_of", "tanh_of", "sigmoid", "log_of", "root", "magnitude", "larger", "smaller")


def literal(value: float, ctype: str) -> str:
    """Return a number in C, exactly.

    Examples
    --------
    >>> literal(0.5, "float")
    '(float) 0x1.0000000000000p-1'
    """
    if value != value:
        return f"({ctype}) NAN"
    if value in (float("inf"), float("-inf")):
        return f"({ctype}) ({'-' if value < 0 else ''}INFINITY)"
    return f"({ctype}) {float(value).hex()}"


def expression_of(node: Node, arguments: list[str], ctype: str) -> str | None:
    """Return an operator on values with names as an expression, None if there is none."""
    assert node.op is not None
    if node.op.name == "Activation":
        template: Any = ACTIVATIONS.get(node.params.get("act_type", ""))
    else:
        template = EXPRESSIONS.get(node.op.name)
    if template is None:
        return None
    for name in _FUNCTIONS:
        template = template.replace(f"{name}(", f"{name}_{ctype}(")
    template = template.replace("zero", f"({ctype}) 0").replace("one", f"({ctype}) 1")
    given = {"scalar": 1.0, **node.params}
    numbers = {name: literal(given[key], ctype) for key, name in _NUMBERS.items() if f"{{{name}}}" in template}
    return template.format(*arguments, **numbers)
