"""``mx.nd.op``: all operators that belong to no other module."""

from __future__ import annotations

import sys
from typing import Any

from ._functions import Custom  # noqa: F401
from ._functions import operators as _operators
from .cached_op import CachedOp  # noqa: F401

_public = _operators("", __name__, globals())


def __getattr__(name: str) -> Any:
    # Return the function of ``nd`` only if it is generated, because its other functions have other arguments.
    function = getattr(sys.modules[__name__.rpartition(".")[0]], name, None)
    return function if hasattr(function, "operator") else _public.get(name)


def __dir__() -> list[str]:
    return _public.dir()
