"""A handler that logs the progress of training."""

from __future__ import annotations

import math
import time
from typing import Any

from .events import BatchBegin, BatchEnd, EpochBegin, EpochEnd, TrainBegin, TrainEnd
from .utils import as_metrics

__all__ = ["LoggingHandler"]


class LoggingHandler(TrainBegin, TrainEnd, EpochBegin, EpochEnd, BatchBegin, BatchEnd):
    """A handler that logs the start and end of training, epochs, and batches, and the values of metrics.

    Parameters
    ----------
    log_interval : int or "epoch"
        Number of batches between two log entries, or ``"epoch"`` to log only epochs, not batches.
    metrics : EvalMetric or list of EvalMetric, optional
        Metrics to log.
    priority : int
        Position among the handlers of an event: handlers with lower values run first. By default, this handler runs
        last.

    Raises
    ------
    ValueError
        If ``log_interval`` is neither an integer nor ``"epoch"``.
    """

    metrics: list[Any]
    priority: float
    batch_index: int
    current_epoch: int
    processed_samples: int
    train_start: float
    epoch_start: float
    batch_start: float

    def __init__(self, log_interval: Any = "epoch", metrics: Any = None, priority: float = math.inf) -> None:
        super().__init__()
        if not isinstance(log_interval, int) and log_interval != "epoch":
            raise ValueError("log_interval must be either an integer or string 'epoch'")
        self.metrics, self.priority, self.log_interval = as_metrics(metrics), priority, log_interval
        self.batch_index = self.current_epoch = self.processed_samples = 0
        self.log_interval_time: float = 0.0
        self.train_start = self.epoch_start = self.batch_start = time.time()

    def _values(self) -> str:
        return ", ".join("{}: {:.4f}".format(*metric.get()) for metric in self.metrics)

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the optimizer, its learning rate, and the number of epochs or batches to train.

        The parameters are those of :meth:`TrainBegin.train_begin`.
        """
        self.train_start = time.time()
        trainer, log = estimator.trainer, estimator.logger.info
        name = type(trainer.optimizer).__name__
        log("Training begin: using optimizer %s with current learning rate %.4f ", name, trainer.learning_rate)
        if estimator.max_epoch:
            log("Train for %d epochs.", estimator.max_epoch)
        else:
            log("Train for %d batches.", estimator.max_batch)
        self.batch_index = self.current_epoch = self.processed_samples = 0
        self.log_interval_time = 0.0

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the duration of training, the number of epochs, and the metrics.

        The parameters are those of :meth:`TrainEnd.train_end`.
        """
        seconds = time.time() - self.train_start
        message = f"Train finished using total {int(seconds)}s with {self.current_epoch} epochs. {self._values()}"
        estimator.logger.info(message.rstrip(", "))

    def batch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Record the start time of a batch.

        The parameters are those of :meth:`BatchBegin.batch_begin`.
        """
        self.batch_start = time.time()

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the elapsed time and the metrics for the first batch of an epoch and every ``log_interval`` batches.

        The parameters are those of :meth:`BatchEnd.batch_end`.
        """
        if isinstance(self.log_interval, int):
            self.processed_samples += kwargs["batch"][0].shape[0]
            self.log_interval_time += time.time() - self.batch_start
            if self.batch_index % self.log_interval == 0:
                message = (
                    f"[Epoch {self.current_epoch}][Batch {self.batch_index}][Samples {self.processed_samples}] "
                    f"time/interval: {self.log_interval_time:.3f}s {self._values()}"
                )
                self.log_interval_time = 0.0
                estimator.logger.info(message.rstrip(", "))
        self.batch_index += 1

    def epoch_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the start of an epoch or a validation run.

        The parameters are those of :meth:`EpochBegin.epoch_begin`.
        """
        self.epoch_start = time.time()
        if any("training" in metric.name for metric in self.metrics):
            rate = estimator.trainer.learning_rate
            estimator.logger.info("[Epoch %d] Begin, current learning rate: %.4f", self.current_epoch, rate)
        else:
            estimator.logger.info("Validation Begin")

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the duration of the epoch and the metrics.

        The parameters are those of :meth:`EpochEnd.epoch_end`.
        """
        seconds = time.time() - self.epoch_start
        message = f"[Epoch {self.current_epoch}] Finished in {seconds:.3f}s, {self._values()}"
        estimator.logger.info(message.rstrip(", "))
        self.current_epoch += 1
        self.batch_index = 0
