"""Learning rate schedules, which compute the learning rate from the update count.

Schedules with steps (:class:`FactorScheduler`, :class:`MultiFactorScheduler`) keep a state and expect increasing
update counts. All other schedules evaluate a formula.
"""

from __future__ import annotations

import logging
import math
from collections.abc import Sequence
from itertools import pairwise

from .internals.support.display import Shown
from .internals.support.notes import with_note

__all__ = ["CosineScheduler", "FactorScheduler", "LRScheduler", "MultiFactorScheduler", "PolyScheduler"]


class LRScheduler(Shown):
    """The base class of all schedules, which computes the learning rate during the warm-up.

    Subclasses compute the learning rate after the warm-up.

    Parameters
    ----------
    base_lr : float
        The learning rate after the warm-up.
    warmup_steps : int
        Number of updates in the warm-up.
    warmup_begin_lr : float
        Learning rate at the start of the warm-up.
    warmup_mode : {"linear", "constant"}
        Whether the learning rate increases linearly to ``base_lr`` during the warm-up, or stays at
        ``warmup_begin_lr``.

    Raises
    ------
    ValueError
        If ``warmup_begin_lr`` is above ``base_lr``, if ``warmup_steps`` is negative, or if the mode is unknown.
    """

    def __init__(
        self,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        assert isinstance(warmup_steps, int)
        self.base_lr = base_lr
        self.warmup_steps = warmup_steps
        self.warmup_begin_lr = warmup_begin_lr
        self.warmup_final_lr = base_lr
        self.warmup_mode = warmup_mode
        if warmup_begin_lr > base_lr:
            error = ValueError("Base lr has to be higher than warmup_begin_lr")
            raise with_note(error, f"base_lr is {base_lr}, but warmup_begin_lr is {warmup_begin_lr}.")
        if warmup_steps < 0:
            error = ValueError("Warmup steps has to be positive or 0")
            raise with_note(error, f"warmup_steps is {warmup_steps}. For no warm-up, pass warmup_steps=0.")
        if warmup_mode not in ("linear", "constant"):
            error = ValueError("Supports only linear and constant modes of warmup")
            raise with_note(error, f"Pass 'linear' or 'constant' as warmup_mode, not {warmup_mode!r}.")

    def get_warmup_lr(self, num_update: int) -> float:
        """Return the learning rate of an update during the warm-up.

        Parameters
        ----------
        num_update : int
            Update count, which must be less than ``warmup_steps``.

        Returns
        -------
        float
            The learning rate.
        """
        assert num_update < self.warmup_steps
        if self.warmup_mode == "constant":
            return self.warmup_begin_lr
        growth = (self.warmup_final_lr - self.warmup_begin_lr) * num_update / self.warmup_steps
        return self.warmup_begin_lr + growth

    def __call__(self, num_update: int) -> float:
        """Return the learning rate after a number of updates. Subclasses override this method.

        Parameters
        ----------
        num_update : int
            Number of updates.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError("must override this")


def _refuse_growth(factor: float) -> None:
    """Raise MXNet's error if a factor would increase the learning rate."""
    if factor > 1.0:
        error = ValueError("Factor must be no more than 1 to make lr reduce")
        raise with_note(error, f"factor is {factor}. Pass a factor of at most 1, such as 0.1.")


class FactorScheduler(LRScheduler):
    """A schedule that multiplies the learning rate by a factor after every ``step`` updates.

    Parameters
    ----------
    step : int
        Number of updates between two changes.
    factor : float
        Factor by which the learning rate is multiplied, at most 1.
    stop_factor_lr : float
        Lower bound of the learning rate.
    base_lr, warmup_steps, warmup_begin_lr, warmup_mode
        Arguments of :class:`LRScheduler`.

    Raises
    ------
    ValueError
        If ``step`` is below 1 or ``factor`` above 1.

    Examples
    --------
    >>> schedule = FactorScheduler(2, 0.5, base_lr=1.0)
    >>> [schedule(i) for i in range(6)]
    [1.0, 1.0, 1.0, 0.5, 0.5, 0.25]
    """

    step: int
    factor: float
    stop_factor_lr: float

    def __init__(
        self,
        step: int,
        factor: float = 1,
        stop_factor_lr: float = 1e-8,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        if step < 1:
            error = ValueError("Schedule step must be greater or equal than 1 round")
            raise with_note(error, f"step is {step}. Pass the number of updates between two reductions.")
        _refuse_growth(factor)
        self.step, self.factor, self.stop_factor_lr = step, factor, stop_factor_lr
        self.count: int = 0

    def __call__(self, num_update: int) -> float:
        """Return the learning rate after a number of updates.

        Parameters
        ----------
        num_update : int
            Number of updates.
        """
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        while num_update > self.count + self.step:
            before = self.base_lr
            self.count += self.step
            self.base_lr *= self.factor
            if self.base_lr < self.stop_factor_lr:
                self.base_lr: float = self.stop_factor_lr
                logging.info(
                    "Update[%d]: now learning rate arrived at %0.5e, will not change in the future",
                    num_update,
                    self.base_lr,
                )
            else:
                logging.info("Update[%d]: Change learning rate to %0.5e", num_update, self.base_lr)
            if self.base_lr == before or self.base_lr != self.base_lr:  # no further step changes the rate
                self.count += (num_update - self.count - 1) // self.step * self.step
        return self.base_lr


class MultiFactorScheduler(LRScheduler):
    """A schedule that multiplies the learning rate by a factor after each update count in a list.

    Parameters
    ----------
    step : list of int
        The update counts, in increasing order.
    factor : float
        Factor by which the learning rate is multiplied, at most 1.
    base_lr, warmup_steps, warmup_begin_lr, warmup_mode
        Arguments of :class:`LRScheduler`.

    Raises
    ------
    ValueError
        If the steps do not increase, if a step is below 1, or if the factor is above 1.
    """

    step: list[int]
    factor: float

    def __init__(
        self,
        step: Sequence[int],
        factor: float = 1,
        base_lr: float = 0.01,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        assert isinstance(step, list)
        assert len(step) >= 1
        if any(after <= before for before, after in pairwise(step)):
            error = ValueError("Schedule step must be an increasing integer list")
            raise with_note(error, f"step is {step}. Sort the update counts, and remove duplicates.")
        if step[0] < 1:
            error = ValueError("Schedule step must be greater or equal than 1 round")
            raise with_note(error, f"step begins with {step[0]}. Begin the list with a number of at least 1.")
        _refuse_growth(factor)
        self.step, self.factor = step, factor
        self.cur_step_ind: int = 0
        self.count: int = 0

    def __call__(self, num_update: int) -> float:
        """Return the learning rate after a number of updates.

        Parameters
        ----------
        num_update : int
            Number of updates.
        """
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        while self.cur_step_ind < len(self.step) and num_update > self.step[self.cur_step_ind]:
            self.count = self.step[self.cur_step_ind]
            self.cur_step_ind += 1
            self.base_lr *= self.factor
            logging.info("Update[%d]: Change learning rate to %0.5e", num_update, self.base_lr)
        return self.base_lr


class _Decay(LRScheduler):
    """The base class of schedules that lower the learning rate from ``base_lr`` to ``final_lr`` along a curve."""

    max_update: int
    final_lr: float

    def __init__(
        self,
        max_update: int,
        base_lr: float,
        final_lr: float,
        warmup_steps: int,
        warmup_begin_lr: float,
        warmup_mode: str,
    ) -> None:
        super().__init__(base_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        assert isinstance(max_update, int)
        if max_update < 1:
            error = ValueError("maximum number of updates must be strictly positive")
            raise with_note(error, f"max_update is {max_update}. Pass 1 or more updates.")
        self.base_lr_orig: float = self.base_lr
        self.max_update, self.final_lr = max_update, final_lr
        self.max_steps: int = max_update - warmup_steps

    def curve(self, progress: float) -> float:
        """Return the remaining fraction of the decrease from ``base_lr`` to ``final_lr``.

        Subclasses override this method.

        Parameters
        ----------
        progress : float
            Fraction of the updates after the warm-up that are completed, from 0 to 1.

        Returns
        -------
        float
            The remaining fraction: 1 at progress 0, and 0 at progress 1.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def __call__(self, num_update: int) -> float:
        """Return the learning rate after a number of updates.

        Parameters
        ----------
        num_update : int
            Number of updates.
        """
        if num_update < self.warmup_steps:
            return self.get_warmup_lr(num_update)
        if num_update <= self.max_update:
            left = self.curve((num_update - self.warmup_steps) / self.max_steps)
            self.base_lr: float = self.final_lr + (self.base_lr_orig - self.final_lr) * left
        return self.base_lr


class PolyScheduler(_Decay):
    """A schedule in which the learning rate decays with a power of the remaining fraction of updates.

    Parameters
    ----------
    max_update : int
        Update count at which ``final_lr`` is reached.
    base_lr, final_lr : float
        Learning rates at the start and at the end.
    pwr : int
        Exponent of the remaining fraction.
    warmup_steps, warmup_begin_lr, warmup_mode
        Arguments of :class:`LRScheduler`.

    Examples
    --------
    >>> schedule = PolyScheduler(4, base_lr=1.0, pwr=2)
    >>> [schedule(i) for i in range(6)]
    [1.0, 0.5625, 0.25, 0.0625, 0.0, 0.0]
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        pwr: int = 2,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)
        self.power = pwr

    def curve(self, progress: float) -> float:
        """Return the remaining fraction of the decrease from ``base_lr`` to ``final_lr``.

        Parameters
        ----------
        progress : float
            Fraction of the updates after the warm-up, from 0 to 1.

        Returns
        -------
        float
            The fraction, from 1 to 0.
        """
        return (1.0 - progress) ** self.power


class CosineScheduler(_Decay):
    """A schedule in which the learning rate falls along half a cosine wave.

    Parameters
    ----------
    max_update : int
        Update count at which ``final_lr`` is reached.
    base_lr, final_lr : float
        Learning rates at the start and at the end.
    warmup_steps, warmup_begin_lr, warmup_mode
        Arguments of :class:`LRScheduler`.

    Examples
    --------
    >>> schedule = CosineScheduler(4, base_lr=1.0)
    >>> [round(schedule(i), 4) for i in range(6)]
    [1.0, 0.8536, 0.5, 0.1464, 0.0, 0.0]
    """

    def __init__(
        self,
        max_update: int,
        base_lr: float = 0.01,
        final_lr: float = 0,
        warmup_steps: int = 0,
        warmup_begin_lr: float = 0,
        warmup_mode: str = "linear",
    ) -> None:
        super().__init__(max_update, base_lr, final_lr, warmup_steps, warmup_begin_lr, warmup_mode)

    def curve(self, progress: float) -> float:
        """Return the remaining fraction of the decrease from ``base_lr`` to ``final_lr``.

        Parameters
        ----------
        progress : float
            Fraction of the updates after the warm-up, from 0 to 1.

        Returns
        -------
        float
            The fraction, from 1 to 0.
        """
        return (1.0 + math.cos(math.pi * progress)) / 2.0
