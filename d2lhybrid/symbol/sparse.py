"""``mx.sym.sparse``: the operators of ``mx.sym``; storage types make no difference in a graph here."""

from __future__ import annotations

import sys
from typing import Any


def __getattr__(name: str) -> Any:
    return getattr(sys.modules[__name__.rpartition(".")[0]], name)
