"""``mx.nd._internal``: operators whose names start with an underscore. Python's operators, such as ``+``, call them."""

from __future__ import annotations

from typing import Any

from ._functions import operators as _operators

_public = _operators("_internal", __name__, globals())


def __getattr__(name: str) -> Any:
    return _public.get(name)


def __dir__() -> list[str]:
    return _public.dir()
