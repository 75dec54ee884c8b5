"""``mx.model``: checkpoints (:mod:`.checkpoint`), and the oldest way to train (:mod:`.feedforward`)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .checkpoint import load_checkpoint, load_params, save_checkpoint

if TYPE_CHECKING:
    from ..callback import BatchEndParam
    from .feedforward import FeedForward

__all__ = ["BatchEndParam", "FeedForward", "load_checkpoint", "load_params", "save_checkpoint"]

#: What needs modules and iterators, and is loaded when it is used first.
_HOMES = {"BatchEndParam": "..callback", "FeedForward": ".feedforward"}


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name], __name__), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
