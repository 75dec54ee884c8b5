"""``mx.sym.image``: operators on images."""

from __future__ import annotations

from typing import Any

from ._functions import operators as _operators

_public = _operators("image", __name__, globals())


def __getattr__(name: str) -> Any:
    return _public.get(name)


def __dir__() -> list[str]:
    return _public.dir()
