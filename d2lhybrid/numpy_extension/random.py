"""``mx.npx.random``: functions that draw random numbers and are not in ``mx.np.random``, and ``seed``."""

from __future__ import annotations

from typing import Any

from ..internals.frontends.numpy_dialect import EXTENSION_RANDOM as _FUNCTIONS
from ..internals.frontends.numpy_dialect import NumpyNames as _NumpyNames
from ..ndarray.numpy._space import space as _space
from ..random import seed as _seed

__all__ = ["seed"]


def seed(seed: int, ctx: Any = "all") -> None:
    """Seed the random number generators of one device or of all devices, like ``mx.random.seed``.

    Parameters
    ----------
    seed : int
        The seed.
    ctx : Context or "all"
        The device, or ``"all"`` for all devices.
    """
    _seed(seed, ctx)


_names = _NumpyNames(_FUNCTIONS, _space, __name__, globals())


def __getattr__(name: str) -> Any:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.dir()
