"""``mx.sym``: graphs of operators, and the operators as functions of symbols.

The functions of operators (``sym.relu``, ``sym.FullyConnected``) are generated from the registry on first access.
"""

from __future__ import annotations

from typing import Any

from ..internals import ops as _ops  # noqa: F401  registers every operator
from ..internals.support.remedies import mark as _mark
from ..internals.support.remedies import missing_function as _missing_function
from . import _functions as _f
from ._functions import *  # noqa: F403
from ._functions import operators as _operators
from .file import load, load_json
from .symbol import Group, Symbol, Variable, var

__all__ = ["Group", "Symbol", "Variable", "load", "load_json", "var"]
__all__ += _f.__all__
_public = _operators("", __name__, globals())

from . import _internal, contrib, image, linalg, numpy, numpy_extension, op, random, sparse  # noqa: E402, F401  they need what is defined above

np, npx = numpy, numpy_extension


def __getattr__(name: str) -> Any:
    instead = _missing_function(name)
    if instead is not None:
        error = AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)
        error.add_note(instead)
        raise _mark(error, "only of arrays")
    return _public.get(name)


def __dir__() -> list[str]:
    return _public.dir()
