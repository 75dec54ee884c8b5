"""The functions of ``mx.random``: the function that seeds the generators, and all functions of ``mx.nd.random``."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from .context import Context
from .internals.device import array_modules
from .ndarray import random as _random

if TYPE_CHECKING:
    from .ndarray.random import *  # noqa: F403

__all__ = ["seed"]


def seed(seed_state: int, ctx: Context | str = "all") -> None:
    """Seed the random number generators of one device or of all devices.

    The generators are NumPy's and CuPy's. The same seed reproduces the same numbers, but not MXNet's numbers.

    Parameters
    ----------
    seed_state : int
        The seed.
    ctx : Context or "all"
        The device, or ``"all"`` for all devices.

    Raises
    ------
    ValueError
        If the seed is not an integer.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> seed(1)
    >>> a = nd.random.normal(shape=(3,))
    >>> seed(1)
    >>> bool((a == nd.random.normal(shape=(3,))).asnumpy().all())
    True
    """
    if isinstance(seed_state, bool) or not isinstance(seed_state, int):
        try:
            seed_state = int(seed_state.__index__())
        except AttributeError:
            raise ValueError("seed_state must be int") from None
    array_modules.seed(seed_state & (2**63 - 1), None if isinstance(ctx, str) else ctx)


def __getattr__(name: str) -> Any:
    return getattr(_random, name)


def __dir__() -> list[str]:
    return sorted({*globals(), *_random.__all__})
