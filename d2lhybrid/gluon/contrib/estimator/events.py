"""The events of the training loop, and handlers that stop training, update metrics, validate, and update weights."""

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
    """The base class of all handlers. A handler derives from the classes of the events that it handles."""


def as_handlers(handlers: Any) -> list[Any]:
    """Return a handler, or a list of handlers, as a list.

    Parameters
    ----------
    handlers : EventHandler, iterable of EventHandler, or None
        The handler, or the handlers.

    Returns
    -------
    list of EventHandler
        The handlers.

    Raises
    ------
    ValueError
        If an element is not an EventHandler.
    """
    as_list = [handlers] if isinstance(handlers, EventHandler) else list(handlers or [])
    if not all(isinstance(handler, EventHandler) for handler in as_list):
        raise ValueError(f"handlers must be an EventHandler or a list of EventHandler, got: {handlers}")
    return as_list


class TrainBegin(EventHandler):
    """The base class of handlers that run at the start of training."""

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Handle the start of training.

        Parameters
        ----------
        estimator : Estimator
            The estimator that runs the loop.
        *args, **kwargs : object
            Unused; reserved for future arguments.
        """


class TrainEnd(EventHandler):
    """The base class of handlers that run at the end of training."""

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Handle the end of training.

        Parameters
        ----------
        estimator : Estimator
            The estimator that runs the loop.
        *args, **kwargs : object
            Unused; reserved for future arguments.
        """


class EpochBegin(EventHandler):
    """The base class of handlers that run at the start of each epoch."""

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Handle the start of an epoch.

        Parameters
        ----------
        estimator : Estimator
            The estimator that runs the loop.
        *args, **kwargs : object
            Unused; reserved for future arguments.
        """


class EpochEnd(EventHandler):
    """The base class of handlers that run at the end of each epoch."""

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool | None:
        """Handle the end of an epoch.

        Parameters
        ----------
        estimator : Estimator
            The estimator that runs the loop.
        *args, **kwargs : object
            Unused; reserved for future arguments.

        Returns
        -------
        bool or None
            True to end training.
        """
        return False


class BatchBegin(EventHandler):
    """The base class of handlers that run at the start of each batch."""

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Handle the start of a batch.

        Parameters
        ----------
        estimator : Estimator
            The estimator that runs the loop.
        *args : object
            Unused; reserved for future arguments.
        **kwargs : object
            ``batch`` from the data loader.
        """


class BatchEnd(EventHandler):
    """The base class of handlers that run at the end of each batch."""

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool | None:
        """Handle the end of a batch.

        Parameters
        ----------
        estimator : Estimator
            The estimator that runs the loop.
        *args : object
            Unused; reserved for future arguments.
        **kwargs : object
            ``batch``, and ``pred``, ``label``, and ``loss`` as lists with an element for each device.

        Returns
        -------
        bool or None
            True to end the epoch.
        """
        return False


class StoppingHandler(TrainBegin, BatchEnd, EpochEnd):
    """A handler that ends training after a number of epochs or batches.

    Parameters
    ----------
    max_epoch, max_batch : int, optional
        Maximum number of epochs and of batches. When training starts, the estimator's limits replace these values.
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
        """Reset the counters, and adopt the limits of the estimator.

        The parameters are those of :meth:`TrainBegin.train_begin`.
        """
        self.max_epoch, self.max_batch = estimator.max_epoch, estimator.max_batch
        self.current_batch = self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Count a batch, and check whether a limit is reached.

        The parameters are those of :meth:`BatchEnd.batch_end`.

        Returns
        -------
        bool
            Whether the maximum number of batches or epochs is reached.
        """
        self.current_batch += 1
        self.stop_training = self.stop_training or self.current_batch == self.max_batch
        return self.stop_training

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Count an epoch, and check whether a limit is reached.

        The parameters are those of :meth:`EpochEnd.epoch_end`.

        Returns
        -------
        bool
            Whether the maximum number of batches or epochs is reached.
        """
        self.current_epoch += 1
        self.stop_training = self.stop_training or self.current_epoch == self.max_epoch
        return self.stop_training


class MetricHandler(EpochBegin, BatchEnd):
    """A handler that updates metrics after each batch and resets them at the start of each epoch.

    Parameters
    ----------
    metrics : EvalMetric or list of EvalMetric
        The metrics.
    priority : int
        Position among the handlers of an event: handlers with lower values run first.
    """

    metrics: list[Any]
    priority: float

    def __init__(self, metrics: Any, priority: float = -1000) -> None:
        self.metrics, self.priority = as_metrics(metrics), priority

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the metrics.

        The parameters are those of :meth:`EpochBegin.epoch_begin`.
        """
        for metric in self.metrics:
            metric.reset()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Update the metrics with a batch.

        The parameters are those of :meth:`BatchEnd.batch_end`.
        """
        for metric in self.metrics:
            if isinstance(metric, LossMetric):
                metric.update(0, kwargs["loss"])
            else:
                metric.update(kwargs["label"], kwargs["pred"])


class ValidationHandler(TrainBegin, BatchEnd, EpochEnd):
    """A handler that validates the net at a fixed interval of epochs or batches.

    Parameters
    ----------
    val_data : DataLoader
        The validation data.
    eval_fn : callable
        Function that validates the net, such as ``estimator.evaluate``.
    epoch_period, batch_period : int or None
        Number of epochs and of batches between validations; None for no validation at this interval.
    priority : int
        Position among the handlers of an event: handlers with lower values run first.
    event_handlers : list of EventHandler, optional
        Handlers of validation events.
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
        """Reset the counters.

        The parameters are those of :meth:`TrainBegin.train_begin`.
        """
        self.current_batch = self.current_epoch = 0

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count a batch, and validate the net every ``batch_period`` batches.

        The parameters are those of :meth:`BatchEnd.batch_end`.
        """
        self.current_batch += 1
        if self.batch_period and self.current_batch % self.batch_period == 0:
            self._validate(estimator)

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Count an epoch, and validate the net every ``epoch_period`` epochs.

        The parameters are those of :meth:`EpochEnd.epoch_end`.
        """
        self.current_epoch += 1
        if self.epoch_period and self.current_epoch % self.epoch_period == 0:
            self._validate(estimator)


class GradientUpdateHandler(BatchEnd):
    """A handler that updates the weights after each batch.

    Parameters
    ----------
    priority : int
        Position among the handlers of an event: handlers with lower values run first.
    """

    def __init__(self, priority: float = -2000) -> None:
        self.priority = priority

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Update the weights, with gradients divided by the number of examples in the batch.

        The parameters are those of :meth:`BatchEnd.batch_end`.
        """
        losses = kwargs["loss"]
        losses = losses if isinstance(losses, list) else [losses]
        estimator.trainer.step(sum(loss.shape[0] for loss in losses))
