"""The distributions of ``mx.nd.random`` and ``mx.sym.random``, written once for arrays and symbols.

Each takes numbers, and draws one sample of the given shape, or arrays, and draws a sample for each
of their elements.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ..support.dtypes import as_dtype
from .frontend import Null

__all__ = ["make_random_functions"]


def make_random_functions(array_class: type, run: Callable[..., Any]) -> dict[str, Callable[..., Any]]:
    """Return the functions of a ``random`` module.

    Parameters
    ----------
    array_class : type
        NDArray or Symbol.
    run : callable
        ``run(operator name, arrays, attributes, ctx, out, kwargs)``.
    """

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
        dtype, shape = (None if given is Null else given for given in (dtype, shape))
        if dtype is not None:
            attributes["dtype"] = dtype if isinstance(dtype, str) else as_dtype(dtype).name
        if kinds == {True}:
            if shape is not None:
                attributes["shape"] = shape
            return run(array_op, list(params.values()), attributes, ctx, out, kwargs)
        if shape is None and out is None:
            shape = 1
        if shape is not None:
            attributes["shape"] = shape
        elif out is not None:
            attributes["shape"] = out.shape
        return run(number_op, [], {**attributes, **params}, ctx, out, kwargs)

    def uniform(low: Any = 0, high: Any = 1, shape: Any = Null, dtype: Any = Null, ctx: Any = None, out: Any = None,
                **kwargs: Any) -> Any:  # fmt: skip
        """Draw from the uniform distribution on ``[low, high)``."""
        return draw("_random_uniform", "_sample_uniform", {"low": low, "high": high}, shape, dtype, ctx, out, kwargs)

    def normal(loc: Any = 0, scale: Any = 1, shape: Any = Null, dtype: Any = Null, ctx: Any = None, out: Any = None,
               **kwargs: Any) -> Any:  # fmt: skip
        """Draw from the normal distribution with mean ``loc`` and standard deviation ``scale``."""
        return draw("_random_normal", "_sample_normal", {"loc": loc, "scale": scale}, shape, dtype, ctx, out, kwargs)

    def randn(*shape: int, **kwargs: Any) -> Any:
        """Draw from the normal distribution, the shape given as separate numbers."""
        loc, scale = kwargs.pop("loc", 0), kwargs.pop("scale", 1)
        return normal(loc, scale, shape or None, **kwargs)

    def gamma(alpha: Any = 1, beta: Any = 1, shape: Any = Null, dtype: Any = Null, ctx: Any = None, out: Any = None,
              **kwargs: Any) -> Any:  # fmt: skip
        """Draw from the gamma distribution with shape ``alpha`` and scale ``beta``."""
        return draw("_random_gamma", "_sample_gamma", {"alpha": alpha, "beta": beta}, shape, dtype, ctx, out, kwargs)

    def exponential(scale: Any = 1, shape: Any = Null, dtype: Any = Null, ctx: Any = None, out: Any = None,
                    **kwargs: Any) -> Any:  # fmt: skip
        """Draw from the exponential distribution with mean ``scale``."""
        return draw("_random_exponential", "_sample_exponential", {"lam": 1.0 / scale}, shape, dtype, ctx, out, kwargs)

    def poisson(lam: Any = 1, shape: Any = Null, dtype: Any = Null, ctx: Any = None, out: Any = None,
                **kwargs: Any) -> Any:  # fmt: skip
        """Draw from the Poisson distribution with mean ``lam``."""
        return draw("_random_poisson", "_sample_poisson", {"lam": lam}, shape, dtype, ctx, out, kwargs)

    def negative_binomial(k: Any = 1, p: Any = 1, shape: Any = Null, dtype: Any = Null, ctx: Any = None,
                          out: Any = None, **kwargs: Any) -> Any:  # fmt: skip
        """Draw the number of failures before ``k`` successes of probability ``p``."""
        return draw("_random_negative_binomial", "_sample_negative_binomial", {"k": k, "p": p}, shape, dtype, ctx,
                    out, kwargs)  # fmt: skip

    def generalized_negative_binomial(mu: Any = 1, alpha: Any = 1, shape: Any = Null, dtype: Any = Null,
                                      ctx: Any = None, out: Any = None, **kwargs: Any) -> Any:  # fmt: skip
        """Draw from the negative binomial distribution with mean ``mu`` and dispersion ``alpha``."""
        return draw("_random_generalized_negative_binomial", "_sample_generalized_negative_binomial",
                    {"mu": mu, "alpha": alpha}, shape, dtype, ctx, out, kwargs)  # fmt: skip

    def randint(low: int, high: int, shape: Any = Null, dtype: Any = Null, ctx: Any = None, out: Any = None,
                **kwargs: Any) -> Any:  # fmt: skip
        """Draw integers from ``low`` (inclusive) to ``high`` (exclusive)."""
        return draw("_random_randint", "", {"low": low, "high": high}, shape, dtype, ctx, out, kwargs)

    def multinomial(data: Any, shape: Any = None, get_prob: bool = False, dtype: Any = "int32", **kwargs: Any) -> Any:
        """Draw category numbers with the probabilities in the last axis of ``data``.

        With ``get_prob`` the logarithms of their probabilities, too.
        """
        attributes: dict[str, Any] = {"get_prob": get_prob, "dtype": as_dtype(dtype).name}
        if shape is not None:
            attributes["shape"] = shape
        return run("_sample_multinomial", [data], attributes, None, kwargs.pop("out", None), kwargs)

    def shuffle(data: Any, **kwargs: Any) -> Any:
        """Return the rows in random order."""
        return run("_shuffle", [data], {}, None, kwargs.pop("out", None), kwargs)

    functions = (
        uniform, normal, randn, gamma, exponential, poisson, negative_binomial, generalized_negative_binomial, randint,
        multinomial, shuffle,
    )  # fmt: skip
    for function in functions:
        function.__annotations__.clear()  # they say nothing, and a signature without them is easier to read
        if function is not multinomial:  # which may return two
            function.returns = array_class.__name__  # type: ignore[attr-defined]  # for stubs: MXNet's signatures have none
    return {f.__name__: f for f in functions}
