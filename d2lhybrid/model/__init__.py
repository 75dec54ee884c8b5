"""``mx.model``: checkpoints (:mod:`.checkpoint`) and MXNet's oldest training interface (:mod:`.feedforward`)."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

from .checkpoint import load_checkpoint, load_params, save_checkpoint

if TYPE_CHECKING:
    from ..callback import BatchEndParam
    from .feedforward import FeedForward

__all__ = ["BatchEndParam", "FeedForward", "load_checkpoint", "load_params", "save_checkpoint"]

#: Names that require modules and iterators, and are imported on first access.
_HOMES = {"BatchEndParam": "..callback", "FeedForward": ".feedforward"}

#: MXNet's names of functions that user-defined modules call.
_FOR_MODULES = {
    "_create_kvstore": "choose_store", "_initialize_kvstore": "fill_store", "_update_params": "update",
    "_update_params_on_kvstore": "update_on_store",
}  # fmt: skip


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(_HOMES[name], __name__), name)
    if name in _FOR_MODULES:
        return getattr(importlib.import_module("..module.updating", __name__), _FOR_MODULES[name])
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}", name=name)


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
