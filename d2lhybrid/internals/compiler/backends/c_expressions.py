"""C expressions of element-wise operators, for ``float`` and ``double``.

The expressions of NumPy functions are in this file. Other operators declare expressions below their kernels. A test
compares every expression with the kernel of its operator.
"""

from __future__ import annotations

from ...core.node import Node

__all__ = ["PRELUDE", "expression_of", "is_dear", "literal", "template_of"]

#: The expressions of NumPy functions.
UFUNCS: dict[str, str] = {
    "add": "{0} + {1}",
    "subtract": "{0} - {1}",
    "multiply": "{0} * {1}",
    "divide": "{0} / {1}",
    "maximum": "larger({0}, {1})",
    "minimum": "smaller({0}, {1})",
    "negative": "-{0}",
    "absolute": "magnitude({0})",
    "reciprocal": "one / {0}",
    "square": "{0} * {0}",
    "sqrt": "root({0})",
    "exp": "exp_of({0})",
    "log": "log_of({0})",
    "tanh": "tanh_of({0})",
}

#: Numeric attributes in expressions, under their placeholder names.
_NUMBERS = {"scalar": "s", "a_min": "low", "a_max": "high"}

#: The functions in the expressions, for one type. ``larger`` and ``smaller`` propagate NaN, as NumPy does;
#: ``largest`` ignores NaN, as max pooling does.
#:
#: ``exp`` and ``tanh`` of single precision have no branches, so that the compiler vectorizes
#: them. With x = k ln 2 + r and abs(r) <= ln 2 / 2, exp(x) is 2^k exp(r), and Taylor's polynomial of
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

/* x P(x^2) / Q(x^2); above 8.6, tanh is 1 in single precision, to half a unit in the last place. The comparison comes
   last so that the quotient does not wait for it. NaN is not above 8.6. */
static inline float tanh_of_float(float x) {
    float t = x * x;
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
    float quotient = x * p / q;
    return fabsf(x) > 8.6f ? copysignf(1.0f, x) : quotient;
}

static inline float sigmoid_float(float x) { return 1.0f / (1.0f + exp_of_float(-x)); }
static inline float log_of_float(float x) { return logf(x); }
static inline float root_float(float x) { return sqrtf(x); }
static inline float magnitude_float(float x) { return fabsf(x); }
static inline float larger_float(float x, float y) { float z = x <= y ? y : x; return y != y ? y : z; }
static inline float largest_float(float x, float y) { float z = x < y ? y : x; return x != x ? y : z; }
static inline float smaller_float(float x, float y) { float z = x >= y ? y : x; return y != y ? y : z; }

static inline double exp_of_double(double x) { return exp(x); }
static inline double tanh_of_double(double x) { return tanh(x); }
static inline double sigmoid_double(double x) { return 1.0 / (1.0 + exp(-x)); }
static inline double log_of_double(double x) { return log(x); }
static inline double root_double(double x) { return sqrt(x); }
static inline double magnitude_double(double x) { return fabs(x); }
static inline double larger_double(double x, double y) { double z = x <= y ? y : x; return y != y ? y : z; }
static inline double largest_double(double x, double y) { double z = x < y ? y : x; return x != x ? y : z; }
static inline double smaller_double(double x, double y) { double z = x >= y ? y : x; return y != y ? y : z; }
"""

_FUNCTIONS = ("exp_of", "tanh_of", "sigmoid", "log_of", "root", "magnitude", "larger", "largest", "smaller")


def literal(value: float, ctype: str) -> str:
    """Return a number as an exact C literal.

    Parameters
    ----------
    value : float
        The number.
    ctype : {"float", "double"}
        The C type.

    Returns
    -------
    str
        The literal.

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


def template_of(node: Node) -> str | None:
    """Return the C expression of a node's operator, with placeholders for inputs and attributes.

    Parameters
    ----------
    node : Node
        The node.

    Returns
    -------
    str or None
        The expression; None if the operator has none.
    """
    op = node.op
    if op is None:
        return None
    rule = op.expression_rule
    if rule is not None:
        return rule if isinstance(rule, str) else rule(**op.complete(node.params))
    if op.ufunc_name not in UFUNCS:
        return None
    operands = ["{0}", "{s}"] if "scalar" in op.attributes else ["{0}", "{1}"]
    return UFUNCS[op.ufunc_name].format(*(reversed(operands) if op.ufunc_reversed else operands))


def is_dear(node: Node) -> bool:
    """Return whether an operator's expression contains a function that is several times slower in NumPy than in C.

    Parameters
    ----------
    node : Node
        The node.

    Returns
    -------
    bool
        Whether the expression contains such a function.
    """
    template = template_of(node) or ""
    return any(f"{name}(" in template for name in ("exp_of", "tanh_of", "sigmoid"))


def expression_of(node: Node, arguments: list[str], ctype: str) -> str | None:
    """Return the C expression that computes a node's operator from named inputs.

    Parameters
    ----------
    node : Node
        The node.
    arguments : list of str
        Names of the inputs.
    ctype : {"float", "double"}
        The C type.

    Returns
    -------
    str or None
        The expression; None if the operator has none.
    """
    template = template_of(node)
    if template is None:
        return None
    for name in _FUNCTIONS:
        template = template.replace(f"{name}(", f"{name}_{ctype}(")
    template = template.replace("zero", f"({ctype}) 0").replace("one", f"({ctype}) 1")
    given = {"scalar": 1.0, **node.params}
    numbers = {name: literal(given[key], ctype) for key, name in _NUMBERS.items() if f"{{{name}}}" in template}
    return template.format(*arguments, **numbers)
