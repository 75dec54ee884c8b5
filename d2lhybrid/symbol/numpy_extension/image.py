"""``F.npx.image`` for symbols: operators that transform images."""

from __future__ import annotations

from typing import Any

from ..numpy._space import operators as _operators

_names = _operators("npx_image", __name__, globals())


def __getattr__(name: str) -> Any:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.dir()
