"""The functions of ``mx.np``, with one definition for arrays and symbols.

A function of the dialect resembles a block's ``hybrid_forward``: its first parameter is ``F``, the *space* that runs
operators. ``F.call("_npi_mean", a, axis=0)`` calls an operator in the space of arrays and creates a graph node in the
space of symbols, so that ``np.outer`` and ``F.np.outer`` share their source code. :class:`~.space.Space` is the
interface of ``F``.

``FUNCTIONS``, ``RANDOM``, ``EXTENSION_RANDOM``, and ``LINALG`` contain the functions of ``F.np``, ``F.np.random``,
``F.npx.random``, and ``F.np.linalg`` that aren't generated from the registry. ``REGISTERED`` contains functions that
``F.np`` generates from the registry (``_np_sum`` -> ``sum``), but that ``mx.np`` and the methods of arrays and symbols
need with NumPy's signatures.
"""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

from . import creation, elementwise, joining, linalg, order, products, random, reduction, registered, selection, shapes
from .space import NumpyNames, Space, bind, numpy_operator_error

__all__ = [
    "EXTENSION_RANDOM", "FUNCTIONS", "LINALG", "RANDOM", "REGISTERED", "NumpyNames", "Space", "bind",
    "numpy_operator_error",
]  # fmt: skip


def _public(*modules: ModuleType) -> dict[str, Callable[..., Any]]:
    return {name: getattr(module, name) for module in modules for name in module.__all__}


FUNCTIONS = {
    **elementwise.FUNCTIONS,
    **_public(creation, joining, order, products, reduction, selection, shapes),
}
REGISTERED = _public(registered)
LINALG = _public(linalg)
RANDOM = _public(random)
EXTENSION_RANDOM = {name: getattr(random, name) for name in random.EXTENSION}
