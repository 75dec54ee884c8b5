"""``mxnet._numpy_op_doc``: functions without effect that document the arguments of functions of ``np`` and ``npx``.

Examples
--------
>>> _np_cumsum.__doc__.splitlines()[0]
'Return ...'
>>> _np_cumsum([1, 2])
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

_OF_NP = [
    "all", "amax", "amin", "any", "atleast_1d", "atleast_2d", "atleast_3d", "copy", "cumsum", "diag", "diagflat",
    "diagonal", "dot", "max", "min", "moveaxis", "prod", "product", "repeat", "reshape", "roll", "sometrue",
    "squeeze", "sum", "trace", "transpose",
]  # fmt: skip
_OF_NPX = ["constraint_check", "nonzero", "reshape"]

__all__: list[str] = []


def _telling(function: Callable[..., Any], name: str) -> Callable[..., None]:
    def tell(*args: Any, **kwargs: Any) -> None:
        pass

    tell.__name__ = tell.__qualname__ = name
    tell.__doc__ = (inspect.getdoc(function) or "").partition("\n\nExamples")[0]
    tell.__signature__ = inspect.signature(function)  # type: ignore[attr-defined]
    return tell


def __getattr__(name: str) -> Any:
    from . import numpy, numpy_extension

    for prefix, module, names in (("_np_", numpy, _OF_NP), ("_npx_", numpy_extension, _OF_NPX)):
        if name.startswith(prefix) and name.removeprefix(prefix) in names:
            return globals().setdefault(name, _telling(getattr(module, name.removeprefix(prefix)), name))
    if name == "_np__random_shuffle":
        return globals().setdefault(name, _telling(numpy.random.shuffle, name))
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return [*(f"_np_{name}" for name in _OF_NP), *(f"_npx_{name}" for name in _OF_NPX), "_np__random_shuffle"]
