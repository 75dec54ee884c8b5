"""The events of a training, and the handlers that make it run: stop, measure, validate, update."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from d2lhybrid.internals.support.display import Shown
from d2lhybrid.metric import Loss as LossMetric

from .utils import as_metrics

__all__ = [
    "BatchBegin", "BatchEnd", "EpochBegin", "EpochEnd", "EventHandler", "GradientUpdateHandler", "MetricHandler",
    "StoppingHandler", "TrainBegin", "TrainEnd", "ValidationHandler", "as_handlers",
]  # fmt: skip


class EventHandler(Shown):
    """The base of all handlers; a handler derives from the events that it is called at."""


def as_handlers(handlers: Any) -> list[Any]:
    """Return a list of handlers, of one or several.

    Raises
    ------
    ValueError
        For anything else.
    """
    found = [handlers] if isinstance(handlers, EventHandler) else list(handlers or [])
    if not all(isinstance(handler, EventHandler) for handler in found):
        raise ValueError(f"handlers must be an EventHandler or a list of EventHandler, got: {handlers}")
    return found


class TrainBegin(EventHandler):
    """Called before training."""

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Do something.

        Parameters
        ----------
        estimator : Estimator
            The estimator.
        *args, **kwargs : object
            Nothing today; room for what may come.
        """


class TrainEnd(EventHandler):
    """Called after training."""

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Do something.

        Parameters
        ----------
        estimator : Estimator
            The estimator.
        *args, **kwargs : object
            Nothing today; room for what may come.
        """


class EpochBegin(EventHandler):
    """Called before an epoch."""

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Do something.

        Parameters
        ----------
        estimator : Estimator
            The estimator.
        *args, **kwargs : object
            Nothing today; room for what may come.
        """


class EpochEnd(EventHandler):
    """Called after an epoch."""

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool | None:
        """Do something; True ends the training.

        Parameters
        ----------
        estimator : Estimator
            The estimator.
        *args, **kwargs : object
            Nothing today; room for what may come.
        """
        return False


class BatchBegin(EventHandler):
    """Called before a batch, ``batch``."""

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Do something.

        Parameters
        ----------
        estimator : Estimator
            The estimator.
        *args : object
            Nothing today; room for what may come.
        **kwargs : object
            ``batch``, as the data loader gives it.
        """


class BatchEnd(EventHandler):
    """Called after a batch, with ``batch``, ``pred``, ``label`` and ``loss``."""

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool | None:
        """Do something; True ends the epoch.

        Parameters
        ----------
        estimator : Estimator
            The estimator.
        *args : object
            Nothing today; room for what may come.
        **kwargs : object
            ``batch``, and for every device a part of ``pred``, ``label`` and ``loss``.
        """
        return False


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """Ends a training after so many epochs or batches.

    Parameters
    ----------
    max_epoch, max_batch : int, optional
        How many; the estimator says it again when it begins.
    """

    max_epoch: Any
    max_batch: Any
    current_batch: int
    current_epoch: int

    def __init__(self, max_epoch: int | None = None, max_batch: int | None = None) -> None:
        self.max_epoch, self.max_batch = max_epoch, max_batch
        self.current_batch = self.current_epoch = 0
        self.stop_training: bool = False

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Begin to count."""
        self.max_epoch, self.max_batch = estimator.max_epoch, estimator.max_batch
        self.current_batch = self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Count a batch."""
        self.current_batch += 1
        self.stop_training = self.stop_training or self.current_batch == self.max_batch
        return self.stop_training

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Count an epoch."""
        self.current_epoch += 1
        self.stop_training = self.stop_training or self.current_epoch == self.max_epoch
        return self.stop_training


class MetricHandler(EpochBegin, BatchEnd):
    """Updates metrics, and resets them in every epoch.

    Parameters
    ----------
    metrics : EvalMetric or list of EvalMetric
        The metrics.
    priority : int
        Handlers with a lower one come first.
    """

    metrics: list[Any]
    priority: float

    def __init__(self, metrics: Any, priority: float = -1000) -> None:
        self.metrics, self.priority = as_metrics(metrics), priority

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the metrics."""
        for metric in self.metrics:
            metric.reset()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Update with a batch."""
        for metric in self.metrics:
            if isinstance(metric, LossMetric):
                metric.update(0, kwargs["loss"])
            else:
                metric.update(kwargs["label"], kwargs["pred"])


class ValidationHandler(TrainBegin, BatchEnd, EpochEnd):
    """Validates every so many epochs or batches.

    Parameters
    ----------
    val_data : DataLoader
        The validation data.
    eval_fn : callable
        Does it: ``estimator.evaluate``.
    epoch_period, batch_period : int or None
        The interval; None for never.
    priority : int
        Handlers with a lower one come first.
    event_handlers : list of EventHandler, optional
        For the validation.
    """

    val_data: Any
    event_handlers: Any
    epoch_period: int | None
    batch_period: int | None
    priority: float
    current_batch: int
    current_epoch: int

    def __init__(
        self,
        val_data: Any,
        eval_fn: Callable[..., Any],
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        priority: float = -1000,
        event_handlers: Any = None,
    ) -> None:
        self.val_data, self.eval_fn, self.event_handlers = val_data, eval_fn, event_handlers
        self.epoch_period, self.batch_period, self.priority = epoch_period, batch_period, priority
        self.current_batch = self.current_epoch = 0

    def _validate(self, estimator: Any) -> None:
        self.eval_fn(val_data=self.val_data, batch_axis=estimator.batch_axis, event_handlers=self.event_handlers)

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Begin to count."""
        self.current_batch = self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count a batch, and validate."""
        self.current_batch += 1
        if self.batch_period and self.current_batch % self.batch_period == 0:
            self._validate(estimator)

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count an epoch, and validate."""
        self.current_epoch += 1
        if self.epoch_period and self.current_epoch % self.epoch_period == 0:
            self._validate(estimator)


class GradientUpdateHandler(BatchEnd):
    """Updates the weights after each batch.

    Parameters
    ----------
    priority : int
        Handlers with a lower one come first.
    """

    def __init__(self, priority: float = -2000) -> None:
        self.priority = priority

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Run a step of the trainer."""
        losses = kwargs["loss"]
        losses = losses if isinstance(losses, list) else [losses]
        estimator.trainer.step(sum(loss.shape[0] for loss in losses))
