"""``mx.sym.np._internal``: the registered operators ``_npi_...``, without this prefix."""

from __future__ import annotations

from typing import Any

from ._space import operators as _operators

_public = _operators("npi", __name__, globals())


def __getattr__(name: str) -> Any:
    return _public.get(name)


def __dir__() -> list[str]:
    return _public.dir()
