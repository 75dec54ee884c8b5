"""Callbacks for training loops, which log speed, metrics, and progress, or save checkpoints.

A batch callback takes an object with ``epoch``, ``nbatch``, and ``eval_metric`` (:class:`BatchEndParam`). An epoch
callback takes the index of the epoch, the symbol, the arguments, and the auxiliary states.
"""

from __future__ import annotations

import logging
import math
import time
from collections.abc import Callable
from typing import Any, NamedTuple

from .internals.support.display import Shown
from .internals.support.number_arguments import number
from .model.checkpoint import save_checkpoint

__all__ = [
    "BatchEndParam",
    "LogValidationMetricsCallback",
    "ProgressBar",
    "Speedometer",
    "do_checkpoint",
    "log_train_metric",
    "module_checkpoint",
]


class BatchEndParam(NamedTuple):
    """The argument of a batch callback.

    Attributes
    ----------
    epoch, nbatch : int
        Index of the epoch, and index of the batch in the epoch.
    eval_metric : EvalMetric, optional
        The metric of the training loop.
    locals : dict, optional
        The local variables of the training loop.
    """

    epoch: int
    nbatch: int
    eval_metric: Any = None
    locals: Any = None


def do_checkpoint(prefix: str, period: int = 1) -> Callable[..., None]:
    """Return an epoch callback that saves the graph and the parameters.

    Parameters
    ----------
    prefix : str
        Prefix of the file names: ``prefix-symbol.json`` and ``prefix-0001.params``.
    period : int
        Number of epochs from one checkpoint to the next.

    Returns
    -------
    callable
        The callback.
    """
    period = max(1, int(period))

    def callback(epoch: int, sym: Any, arg: dict[str, Any], aux: dict[str, Any]) -> None:
        if (epoch + 1) % period == 0:
            save_checkpoint(prefix, epoch + 1, sym, arg, aux)

    return callback


def module_checkpoint(
    mod: Any, prefix: str, period: int = 1, save_optimizer_states: bool = False
) -> Callable[..., None]:
    """Return an epoch callback that saves a module's checkpoint.

    Parameters
    ----------
    mod : Module
        The module.
    prefix, period
        Arguments of :func:`do_checkpoint`.
    save_optimizer_states : bool
        Whether to also save the optimizer states.

    Returns
    -------
    callable
        The callback.
    """
    period = max(1, int(period))

    def callback(epoch: int, sym: Any = None, arg: Any = None, aux: Any = None) -> None:
        if (epoch + 1) % period == 0:
            mod.save_checkpoint(prefix, epoch + 1, save_optimizer_states)

    return callback


def log_train_metric(period: int, auto_reset: bool = False) -> Callable[[Any], None]:
    """Return a batch callback that logs the metric every ``period`` batches.

    Parameters
    ----------
    period : int
        Number of batches from one log line to the next.
    auto_reset : bool
        Whether to reset the metric after each log line.

    Returns
    -------
    callable
        The callback.
    """

    def callback(param: Any) -> None:
        if param.nbatch % period == 0 and param.eval_metric is not None:
            for name, value in param.eval_metric.get_name_value():
                logging.info("Iter[%d] Batch[%d] Train-%s=%f", param.epoch, param.nbatch, name, number(value))
            if auto_reset:
                param.eval_metric.reset_local()

    return callback


class Speedometer(Shown):
    """A batch callback that logs the metric and the number of examples per second.

    Parameters
    ----------
    batch_size : int
        Number of examples in a batch.
    frequent : int
        Number of batches from one log line to the next.
    auto_reset : bool
        Whether to reset the metric after each log line.
    """

    batch_size: int
    frequent: int
    auto_reset: bool

    def __init__(self, batch_size: int, frequent: int = 50, auto_reset: bool = True) -> None:
        self.batch_size, self.frequent, self.auto_reset = batch_size, frequent, auto_reset
        self.last_count: Any = 0
        self._start: float | None = None

    def __call__(self, param: Any) -> None:
        """Log a line if the batch index is a multiple of ``frequent``, except in the first call of an epoch.

        Parameters
        ----------
        param : BatchEndParam
            The epoch, the batch, and the metric.
        """
        count = param.nbatch
        if self.last_count > count:
            self._start = None  # a new epoch
        self.last_count = count
        if self._start is None:
            self._start = time.perf_counter()
            return
        if count % self.frequent:
            return
        seconds = time.perf_counter() - self._start
        speed = self.frequent * self.batch_size / seconds if seconds else float("inf")
        if param.eval_metric is None:
            logging.info("Iter[%d] Batch [%d]\tSpeed: %.2f samples/sec", param.epoch, count, speed)
        else:
            pairs = param.eval_metric.get_name_value()
            place = f"{count - self.frequent}-{count}" if self.auto_reset else f"0-{count}"
            if self.auto_reset:
                param.eval_metric.reset_local()
            # Let the logger format the line: it reports formatting errors without ending the training.
            line = "Epoch[%d] Batch [%s]\tSpeed: %.2f samples/sec" + "\t%s=%f" * len(pairs)
            values = [part for name, value in pairs for part in (name, number(value))]
            logging.info(line, param.epoch, place, speed, *values)
        self._start = time.perf_counter()


class ProgressBar(Shown):
    """A batch callback that logs a progress bar.

    Parameters
    ----------
    total : int
        Number of batches in an epoch.
    length : int
        Number of characters in the full bar.
    """

    total: int
    bar_len: int

    def __init__(self, total: int, length: int = 80) -> None:
        self.total, self.bar_len = total, length

    def __call__(self, param: Any) -> None:
        """Log the progress bar.

        Parameters
        ----------
        param : BatchEndParam
            The epoch and the batch.
        """
        filled = round(self.bar_len * param.nbatch / self.total)
        percent = math.ceil(100.0 * param.nbatch / self.total)
        logging.info("[%s%s] %s%%\r", "=" * filled, "-" * (self.bar_len - filled), percent)


class LogValidationMetricsCallback(Shown):
    """A callback that logs the metric at the end of an evaluation."""

    def __call__(self, param: Any) -> None:
        """Log each name and value of the metric.

        Parameters
        ----------
        param : BatchEndParam
            The epoch and the metric.
        """
        if param.eval_metric:
            for name, value in param.eval_metric.get_name_value():
                logging.info("Epoch[%d] Validation-%s=%f", param.epoch, name, number(value))
