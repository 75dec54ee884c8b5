"""``mx.sym.random``: symbols for random numbers, which each run of the graph draws again."""

from __future__ import annotations

from typing import Any

from ..internals.core.operator import get_operator
from ..internals.frontends.random_functions import make_random_functions
from ..util import warn_user
from ._functions import operators as _operators
from .compose import compose
from .symbol import Symbol


def _run(name: str, arrays: list[Any], attributes: dict[str, Any], ctx: Any, out: Any, kwargs: dict[str, Any]) -> Any:
    node_name, attr = kwargs.pop("name", None), kwargs.pop("attr", None)
    if ctx is not None:
        attributes["ctx"] = ctx
    unused = [key for key, value in kwargs.items() if isinstance(value, Symbol)] if not arrays else []
    if unused:  # MXNet ignores these without a warning
        warn_user(f"`{name}` takes no Symbols, and ignores {', '.join(f'`{key}`' for key in unused)}")
        kwargs = {key: value for key, value in kwargs.items() if key not in unused}
    return compose(get_operator(name), name, arrays, {**attributes, **kwargs}, Symbol, node_name, attr)


_functions = make_random_functions(Symbol, _run)
for _function in _functions.values():
    _function.__module__ = __name__
globals().update(_functions)
__all__ = list(_functions)  # pyright: ignore[reportUnsupportedDunderAll]
_public = _operators("random", __name__, globals())


def __getattr__(name: str) -> Any:
    return _public.get(name)
