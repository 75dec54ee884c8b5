"""``mx.misc``: the schedules of learning rates from before ``mx.lr_scheduler``, which old programs still name."""

from __future__ import annotations

import logging
import math

from .internals.support.display import Shown

__all__ = ["FactorScheduler", "LearningRateScheduler"]


class LearningRateScheduler(Shown):
    """The base class of these schedules: ``base_lr`` is where they begin."""

    def __init__(self) -> None:
        self.base_lr = 0.01

    def __call__(self, iteration: int) -> float:
        """Return the learning rate of an iteration."""
        raise NotImplementedError("must override this")


class FactorScheduler(LearningRateScheduler):
    """Multiply the learning rate by a factor every so many iterations.

    Parameters
    ----------
    step : int
        The number of iterations.
    factor : float
        Less than 1.

    Raises
    ------
    ValueError
        For a step below 1, or a factor that is no less than 1.

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
            raise ValueError("Schedule step must be greater or equal than 1 round")
        if factor >= 1.0:
            raise ValueError("Factor must be less than 1 to make lr reduce")
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
