"""``mx.sym.sparse``: the operators of ``mx.sym``. All values in a graph are dense."""

from __future__ import annotations

import sys
from typing import Any

from ._functions import operators as _operators

_own = _operators("sparse", __name__, globals())


def __getattr__(name: str) -> Any:
    if name in ("retain", "adagrad_update"):  # operators that ``mx.sym`` lacks
        return _own.get(name)
    return getattr(sys.modules[__name__.rpartition(".")[0]], name)
