"""``mx.nd.random``: arrays of random numbers."""

from __future__ import annotations

from typing import Any

from ..context import context_of
from ..internals.core.invoke import invoke
from ..internals.core.operator import get_operator
from ..internals.frontends.random_functions import make_random_functions
from ._functions import operators as _operators
from .ndarray import NDArray


def _run(name: str, arrays: list[Any], attributes: dict[str, Any], ctx: Any, out: Any, kwargs: dict[str, Any]) -> Any:
    op = get_operator(name)
    kwargs.pop("name", None)
    where = arrays[0]._ctx if arrays else out._ctx if ctx is None and out is not None else context_of(ctx)
    return invoke(op, arrays, op.parse({**attributes, **kwargs}), NDArray, out, where)


_functions = make_random_functions(NDArray, _run)
for _function in _functions.values():
    _function.__module__ = __name__
globals().update(_functions)
__all__ = list(_functions)  # pyright: ignore[reportUnsupportedDunderAll]
_public = _operators("random", __name__, globals())


def __getattr__(name: str) -> Any:
    return _public.get(name)
