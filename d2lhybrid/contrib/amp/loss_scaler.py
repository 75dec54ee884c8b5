"""The dynamic loss scale, which adapts to overflows of the gradients."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from typing import Any

from ...internals.device import array_modules
from ...internals.support.display import Shown

__all__ = ["LossScaler"]

_FIRST, _MOST = 2.0**16, 2.0**24
_GOOD_STEPS = 2000


class LossScaler(Shown):
    """A loss scale that is halved after an overflow, and doubled after 2,000 steps without an overflow.

    Examples
    --------
    >>> LossScaler().loss_scale
    65536.0
    """

    def __init__(self) -> None:
        self._loss_scale = self._next_loss_scale = _FIRST
        self._max_loss_scale = _MOST
        self._scale_seq_len = _GOOD_STEPS
        self._unskipped = 0

    @property
    def loss_scale(self) -> float:
        """The current loss scale."""
        return self._loss_scale

    def has_overflow(self, params: Iterable[Any]) -> bool:
        """Return whether a gradient is not finite, and adjust the loss scale with a delay of one call, as in MXNet.

        Parameters
        ----------
        params : iterable of Parameter
            Parameters whose gradients are checked on all devices.

        Returns
        -------
        bool
            Whether a gradient is infinite or NaN.
        """
        overflow = not all(_finite(gradient) for p in params if p._grad is not None for gradient in p._grad)
        self._loss_scale = self._next_loss_scale
        if overflow:
            self._next_loss_scale = self._loss_scale / 2
            self._unskipped = 0
            logging.info("AMP: decreasing loss scale to %f", self._next_loss_scale)
        else:
            self._unskipped += 1
        if self._unskipped == self._scale_seq_len:
            self._unskipped = 0
            self._next_loss_scale = min(self._max_loss_scale, self._loss_scale * 2)
            logging.info("AMP: increasing loss scale to %f", self._next_loss_scale)
        return overflow


def _finite(gradient: Any) -> bool:
    xp = array_modules.array_module(gradient.context)
    return bool(xp.isfinite(gradient._data).all())
