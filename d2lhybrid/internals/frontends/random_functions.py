"""The distributions of ``mx.nd.random`` and ``mx.sym.random``, with one definition for arrays and symbols.

If the parameters of a distribution are numbers, a function draws one sample, whose shape is ``shape``. If the
parameters are arrays, the function draws a sample for each element.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..support.dtypes import as_dtype
from .frontend import Null, define

__all__ = ["make_random_functions"]

#: Distribution -> its parameters, the operators for numbers and for arrays, the operators' attributes, and a
#: description.
_DISTRIBUTIONS = {
    "uniform": (
        "low=0, high=1", "_random_uniform", "_sample_uniform", "low=low, high=high",
        "Draw from the uniform distribution on ``[low, high)``.",
    ),
    "normal": (
        "loc=0, scale=1", "_random_normal", "_sample_normal", "loc=loc, scale=scale",
        "Draw from the normal distribution with mean ``loc`` and standard deviation ``scale``.",
    ),
    "gamma": (
        "alpha=1, beta=1", "_random_gamma", "_sample_gamma", "alpha=alpha, beta=beta",
        "Draw from the gamma distribution with shape ``alpha`` and scale ``beta``.",
    ),
    "exponential": (
        "scale=1", "_random_exponential", "_sample_exponential", "lam=1.0 / scale",
        "Draw from the exponential distribution with mean ``scale``.",
    ),
    "poisson": (
        "lam=1", "_random_poisson", "_sample_poisson", "lam=lam",
        "Draw from the Poisson distribution with mean ``lam``.",
    ),
    "negative_binomial": (
        "k=1, p=1", "_random_negative_binomial", "_sample_negative_binomial", "k=k, p=p",
        "Draw the number of failures before ``k`` successes of probability ``p``.",
    ),
    "generalized_negative_binomial": (
        "mu=1, alpha=1", "_random_generalized_negative_binomial", "_sample_generalized_negative_binomial",
        "mu=mu, alpha=alpha", "Draw from the negative binomial distribution with mean ``mu`` and dispersion ``alpha``.",
    ),
    "randint": (
        "low, high", "_random_randint", "", "low=low, high=high",
        "Draw integers from ``low`` (inclusive) to ``high`` (exclusive).",
    ),
}  # fmt: skip

#: Functions of arrays accept the device and ``out`` by position; functions of symbols accept them only by name.
_TEMPLATE = """\
def {name}({own}, shape=_Null, dtype=_Null, {place}**kwargs):
    return draw({number_op!r}, {array_op!r}, dict({given}), shape, dtype, {values}, kwargs)
"""
_OF_ARRAYS = {"place": "ctx=None, out=None, ", "values": "ctx, out"}
_OF_SYMBOLS = {"place": "", "values": "kwargs.pop('ctx', None), kwargs.pop('out', None)"}
_CHOOSING = """\
def multinomial(data, shape=_Null, get_prob={probability}, {place}dtype="int32", **kwargs):
    return choose(data, shape, get_prob, {values}, dtype, kwargs)
"""
_CHOICE = """Draw the indices of categories, whose probabilities are along the last axis of ``data``.

With ``get_prob``, which is True by default for symbols, the function also returns the log-probabilities.
"""


def make_random_functions(array_class: type, run: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions of a ``random`` module.

    Parameters
    ----------
    array_class : type
        NDArray or Symbol.
    run : callable
        The function ``run(operator_name, arrays, attributes, ctx, out, kwargs)``, which calls an operator.

    Returns
    -------
    dict of str to callable
        The functions by name.
    """
    eager = array_class.__name__ == "NDArray"
    module = f"{array_class.__module__}.random"

    def draw(
        number_op: str, array_op: str, params: dict[str, Any], shape: Any, dtype: Any, ctx: Any, out: Any,
        kwargs: dict[str, Any],
    ) -> Any:  # fmt: skip
        kinds = {isinstance(v, array_class) for v in params.values()}
        if len(kinds) > 1:
            types = [type(v) for v in params.values()]
            first = next(t for t in types if issubclass(t, array_class))
            other = next(t for t in types if not issubclass(t, array_class))
            raise AssertionError(
                f"Distribution parameters must all have the same type, but got both {first} and {other}."
            )
        attributes: dict[str, Any] = {}
        shape = None if shape is Null else shape
        if dtype is not Null:  # None means float64, as in NumPy
            attributes["dtype"] = dtype if isinstance(dtype, str) else as_dtype(dtype or "float64").name
        if kinds == {True}:
            if shape is not None:
                attributes["shape"] = shape
            return run(array_op, list(params.values()), attributes, ctx, out, kwargs)
        if shape is None and out is None and eager:  # a symbol without a shape gets the shape from its users
            shape = 1
        if shape is not None:
            attributes["shape"] = shape
        elif out is not None:
            attributes["shape"] = out.shape
        return run(number_op, [], {**attributes, **params}, ctx, out, kwargs)

    def choose(data: Any, shape: Any, get_prob: bool, out: Any, dtype: Any, kwargs: dict[str, Any]) -> Any:
        attributes: dict[str, Any] = {"get_prob": get_prob, "dtype": as_dtype(dtype).name}
        if shape is not Null and shape is not None:
            attributes["shape"] = shape
        return run("_sample_multinomial", [data], attributes, None, out, kwargs)

    def randn(*shape: int, **kwargs: Any) -> Any:
        """Draw from the normal distribution; each size of the shape is a separate argument."""
        loc, scale = kwargs.pop("loc", 0), kwargs.pop("scale", 1)
        return functions["normal"](loc, scale, (shape or None) if eager else shape, **kwargs)

    def shuffle(data: Any, **kwargs: Any) -> Any:
        """Return the rows of an array in random order."""
        return run("_shuffle", [data], {}, None, kwargs.pop("out", None), kwargs)

    names = {"draw": draw, "choose": choose, "_Null": Null}
    functions = {}
    for name, (own, number_op, array_op, given, doc) in _DISTRIBUTIONS.items():
        text = _TEMPLATE.format(
            name=name,
            own=own,
            number_op=number_op,
            array_op=array_op,
            given=given,
            **(_OF_ARRAYS if eager else _OF_SYMBOLS),
        )
        functions[name] = define(text, module, name, dict(names))
        functions[name].__doc__ = doc
    choosing = {"probability": False, "place": "out=None, ", "values": "out"}
    if not eager:
        choosing = {"probability": True, "place": "", "values": "kwargs.pop('out', None)"}
    multinomial = define(_CHOOSING.format(**choosing), module, "multinomial", dict(names))
    multinomial.__doc__ = _CHOICE
    functions |= {"randn": randn, "multinomial": multinomial, "shuffle": shuffle}
    for function in functions.values():
        function.__annotations__.clear()  # all annotations are ``Any``, and a signature without them is easier to read
        if function is not multinomial:  # multinomial may return two arrays
            function.returns = array_class.__name__  # for the stubs
    return functions
