"""The operators, grouped as a textbook would: kernels, shape rules and gradients side by side."""

from __future__ import annotations

import importlib
import pkgutil

_INFRASTRUCTURE = {"registry", "rules", "kernel_space"}

for _module in pkgutil.iter_modules(__path__):
    if _module.name not in _INFRASTRUCTURE:
        importlib.import_module(f"{__name__}.{_module.name}")
