"""``mx.sym.contrib``: operators of MXNet's ``contrib`` namespace, and control flow."""

from __future__ import annotations

from typing import Any

from ._functions import operators as _operators
from .candidates import rand_zipfian
from .control_flow import cond, foreach, while_loop
from .updates import adamw_update, mp_adamw_update

__all__ = ["adamw_update", "cond", "foreach", "mp_adamw_update", "rand_zipfian", "while_loop"]

_public = _operators("contrib", __name__, globals())


def __getattr__(name: str) -> Any:
    return _public.get(name)


def __dir__() -> list[str]:
    return _public.dir()
