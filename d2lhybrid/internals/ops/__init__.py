"""The operators, grouped as in a textbook, with their kernels, shape rules, and gradients side by side."""

from __future__ import annotations

import importlib
import pkgutil
import warnings

# As in MXNet, log(0) is -inf and 0/0 is NaN without a warning. Only warnings from this package are ignored.
warnings.filterwarnings("ignore", category=RuntimeWarning, module=r"d2lhybrid\.")

for _module in pkgutil.iter_modules(__path__):
    importlib.import_module(f"{__name__}.{_module.name}")
