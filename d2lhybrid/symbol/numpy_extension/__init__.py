"""``F.npx`` for symbols: the operators of neural networks, which NumPy lacks."""

from __future__ import annotations

from typing import Any

from ..numpy._space import operators as _operators

_names = _operators("npx", __name__, globals())

from . import image, random  # noqa: E402  they need what is defined above

__all__ = ["image", "random"]


def __getattr__(name: str) -> Any:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.dir()
