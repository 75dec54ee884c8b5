"""``mx.misc``: learning rate schedules that predate ``mx.lr_scheduler`` and that old programs still use."""

from __future__ import annotations

import logging
import math

from .internals.support.display import Shown
from .internals.support.notes import with_note

__all__ = ["FactorScheduler", "LearningRateScheduler"]


class LearningRateScheduler(Shown):
    """The base class of the schedules in this module. ``base_lr`` is the initial learning rate."""

    def __init__(self) -> None:
        self.base_lr = 0.01

    def __call__(self, iteration: int) -> float:
        """Return the learning rate of an iteration. Subclasses override this method."""
        raise NotImplementedError("must override this")


class FactorScheduler(LearningRateScheduler):
    """A schedule that multiplies the learning rate by a factor after every ``step`` iterations.

    Parameters
    ----------
    step : int
        Number of iterations between two changes.
    factor : float
        Factor by which the learning rate is multiplied, less than 1.

    Raises
    ------
    ValueError
        If ``step`` is below 1, or if ``factor`` is at least 1.

    Examples
    --------
    >>> schedule = FactorScheduler(step=10, factor=0.5)
    >>> schedule.base_lr = 1.0
    >>> schedule(25)
    0.25
    """

    def __init__(self, step: int, factor: float = 0.1) -> None:
        super().__init__()
        if step < 1:
            error = ValueError("Schedule step must be greater or equal than 1 round")
            raise with_note(error, f"step is {step}. Pass the number of iterations between two reductions.")
        if factor >= 1.0:
            error = ValueError("Factor must be less than 1 to make lr reduce")
            raise with_note(error, f"factor is {factor}. Pass a factor less than 1, such as 0.1.")
        self.step, self.factor = step, factor
        self.old_lr, self.init = self.base_lr, False

    def __call__(self, iteration: int) -> float:
        """Return the learning rate of an iteration."""
        if not self.init:
            self.init, self.old_lr = True, self.base_lr
        lr = self.base_lr * math.pow(self.factor, int(iteration / self.step))
        if lr != self.old_lr:
            self.old_lr = lr
            logging.info("At Iteration [%d]: Swith to new learning rate %.5f", iteration, lr)
        return lr
