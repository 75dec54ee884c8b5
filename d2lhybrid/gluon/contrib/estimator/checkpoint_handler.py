"""Handlers that monitor a metric: one saves checkpoints, and one stops training early."""

from __future__ import annotations

import math
import os
import re
import warnings
from collections.abc import Callable
from typing import Any

from d2lhybrid.internals.support.filesystem import files_together
from d2lhybrid.metric import CompositeEvalMetric, EvalMetric

from .events import BatchEnd, EpochEnd, TrainBegin, TrainEnd

__all__ = ["CheckpointHandler", "EarlyStoppingHandler"]

_OTHER_PERIOD = (
    "To use resume from checkpoint, you must only specify the same type of period you used for training.For example, "
    "if you are training based on number of epochs,you must save only based on epochs, and set batch_period to None."
)


def _comparison(monitor: Any, mode: str, who: str) -> tuple[Callable[[float, float], bool], float]:
    """Return the function that compares two values of the metric, and the worst possible value."""
    if mode not in ("auto", "min", "max"):
        warnings.warn(
            f"{who} mode {mode} is unknown, fallback to auto mode. CheckpointHandler will usemax mode for f1 and "
            "accuracy metric comparison and use min mode other wise",
            RuntimeWarning,
            stacklevel=3,
        )
        mode = "auto"
    if mode == "auto":
        name = str(monitor.get()[0])
        greater = "acc" in name.lower() or "f1" in name.lower()
        word, other, own = ("greater", "less", "max") if greater else ("less", "greater", "min")
        warnings.warn(
            f"`{word}` operator will be used to determine if {name} has improved. Please specify "
            f"`mode='{'min' if greater else 'max'}'` to use the `{other}` operator. Specify `mode='{own}' to disable "
            "this warning.`",
            stacklevel=3,
        )
        mode = own
    return (float.__lt__, math.inf) if mode == "min" else (float.__gt__, -math.inf)


class CheckpointHandler(TrainBegin, BatchEnd, EpochEnd):
    """A handler that saves the net and the trainer at a fixed interval of epochs or batches.

    Parameters
    ----------
    model_dir, model_prefix : str
        Folder of the checkpoints, which is created if it does not exist, and prefix of the file names.
    monitor : EvalMetric, optional
        Metric that determines the best net.
    verbose : int
        Verbosity. The handler logs each save if ``verbose`` is positive.
    save_best : bool
        Whether to also save the best net, with ``-best`` in the file name.
    mode : {"auto", "min", "max"}
        Whether smaller (``"min"``) or larger (``"max"``) values of the metric are better; ``"auto"`` decides by the
        name of the metric.
    epoch_period, batch_period : int or None
        Number of epochs and of batches between checkpoints; None for no checkpoints at this interval.
    max_checkpoints : int
        Maximum number of checkpoints. The oldest checkpoints are deleted first.
    resume_from_checkpoint : bool
        Whether to resume from the last checkpoint in the folder.

    Raises
    ------
    ValueError
        If ``save_best`` is True and there is no metric.
    """

    model_dir: str
    model_prefix: str
    verbose: int
    monitor: Any | EvalMetric
    save_best: bool
    epoch_period: int | None
    batch_period: int | None
    max_checkpoints: int
    resume_from_checkpoint: bool
    current_batch: int
    current_epoch: int
    trained_epoch: int
    trained_batch: int

    def __init__(
        self,
        model_dir: str,
        model_prefix: str = "model",
        monitor: Any = None,
        verbose: int = 0,
        save_best: bool = False,
        mode: str = "auto",
        epoch_period: int | None = 1,
        batch_period: int | None = None,
        max_checkpoints: int = 5,
        resume_from_checkpoint: bool = False,
    ) -> None:
        if save_best and not isinstance(monitor, EvalMetric):
            raise ValueError(
                "To save best model only, please provide one of the metric objects from estimator.train_metrics and "
                "estimator.val_metrics as monitor."
            )
        os.makedirs(model_dir, exist_ok=True)
        self.model_dir, self.model_prefix, self.verbose = model_dir, model_prefix, verbose
        self.monitor, self.save_best = monitor, save_best
        self.epoch_period, self.batch_period = epoch_period, batch_period
        self.max_checkpoints, self.resume_from_checkpoint = max_checkpoints, resume_from_checkpoint
        self.current_batch = self.current_epoch = 0
        self.trained_epoch = self.trained_batch = -1
        self.saved_checkpoints: list[str] = []
        if save_best:
            self.monitor_op, self._worst = _comparison(monitor, mode, "ModelCheckpoint")
            self.best: Any = self._worst

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the counters, and resume from a checkpoint if requested.

        The parameters are those of :meth:`TrainBegin.train_begin`.

        Raises
        ------
        AssertionError
            If the handler resumes training that is limited by epochs (or by batches), and ``epoch_period`` (or
            ``batch_period``) is not its only interval, or if the ``.states`` file of the checkpoint is missing.
        ValueError
            If the last checkpoint is from the last epoch or batch of training.
        """
        self.current_epoch = self.current_batch = 0
        if self.save_best:
            self.best = self._worst
        if self.resume_from_checkpoint:
            fits = self.batch_period and not self.epoch_period
            if estimator.max_epoch:
                fits = self.epoch_period and not self.batch_period
            if not fits:
                raise AssertionError(_OTHER_PERIOD)
            self._resume(estimator)

    def batch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Save a checkpoint every ``batch_period`` batches, and the graph after the first batch.

        The parameters are those of :meth:`BatchEnd.batch_end`.
        """
        if self.current_batch == 0:
            self._save_symbol(estimator)
        if self.batch_period and (self.current_batch + 1) % self.batch_period == 0:
            self._save_checkpoint(estimator)
        self.current_batch += 1

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Save a checkpoint every ``epoch_period`` epochs.

        The parameters are those of :meth:`EpochEnd.epoch_end`.
        """
        if self.epoch_period and (self.current_epoch + 1) % self.epoch_period == 0:
            self._save_checkpoint(estimator)
        self.current_epoch += 1

    def _log(self, estimator: Any, message: str, *values: Any) -> None:
        if self.verbose > 0:
            estimator.logger.info(message, *values)

    def _save_checkpoint(self, estimator: Any) -> None:
        epoch, batch = self.current_epoch, self.current_batch
        if self.resume_from_checkpoint:
            epoch += self.trained_epoch + 1
            batch += self.trained_batch + (0 if estimator.max_epoch else 1)
        prefix = f"{self.model_prefix}-epoch{epoch}batch{batch}"
        self._save(estimator, prefix)
        self.saved_checkpoints.append(prefix)
        while len(self.saved_checkpoints) > self.max_checkpoints:
            oldest = self.saved_checkpoints.pop(0)
            for kind in (".params", ".states"):
                path = os.path.join(self.model_dir, oldest + kind)
                if os.path.exists(path):
                    os.remove(path)
        self._log(estimator, "[Epoch %d] CheckpointHandler: trained total %d batches, saving model at %s with "
                  "prefix: %s", self.current_epoch, self.current_batch + 1, self.model_dir, prefix)  # fmt: skip
        if self.save_best:
            self._save_if_best(estimator)

    def _save_if_best(self, estimator: Any) -> None:
        name, value = self.monitor.get()
        if math.isnan(value):
            warnings.warn(
                f"Skipping save best because {name} is not updated, make sure you pass one of the metric objects "
                "estimator.train_metrics and estimator.val_metrics as monitor.",
                RuntimeWarning,
                stacklevel=2,
            )
        elif self.monitor_op(float(value), float(self.best)):
            self._save(estimator, f"{self.model_prefix}-best")
            self._log(estimator, "[Epoch %d] CheckpointHandler: %s improved from %0.5f to %0.5f, updating best model",
                      self.current_epoch, name, self.best, value)  # fmt: skip
            self.best = value

    def _save(self, estimator: Any, prefix: str) -> None:
        with files_together():
            estimator.net.save_parameters(os.path.join(self.model_dir, f"{prefix}.params"))
            estimator.trainer.save_states(os.path.join(self.model_dir, f"{prefix}.states"))

    def _save_symbol(self, estimator: Any) -> None:
        path = os.path.join(self.model_dir, f"{self.model_prefix}-symbol.json")
        graph = getattr(estimator.net, "_cached_graph", None)
        if graph:
            graph[1].save(path)
        else:
            estimator.logger.info(
                "Model architecture(symbol file) is not saved, please use HybridBlock to construct your model, and "
                "call net.hybridize() before passing to Estimator in order to save model architecture as %s.", path
            )  # fmt: skip

    def _resume(self, estimator: Any) -> None:
        self.trained_epoch, self.trained_batch = self._last()
        if self.trained_epoch == -1:
            amount = f"{estimator.max_batch} batches" if estimator.max_batch else f"{estimator.max_epoch} epochs"
            estimator.logger.info("CheckpointHandler: No checkpoint found, training from scratch for %s", amount)
            return
        for what, most, done in (
            ("epoch", estimator.max_epoch, self.trained_epoch), ("batch", estimator.max_batch, self.trained_batch),
        ):  # fmt: skip
            if most and done >= most - 1:
                raise ValueError(
                    f"Found checkpoint with maximum number of {what} {most} reached, please specify "
                    "resume_from_checkpoint=False (default value) if you wan to train from scratch."
                )
        if estimator.max_epoch:
            estimator.max_epoch -= self.trained_epoch + 1
        if estimator.max_batch:
            estimator.max_batch -= self.trained_batch + 1
        name = f"{self.model_prefix}-epoch{self.trained_epoch}batch{self.trained_batch}"
        path = os.path.join(self.model_dir, name)
        if not os.path.exists(f"{path}.states"):
            raise AssertionError(f"Failed to load checkpoint, {path}.states does not exist")
        estimator.net.load_parameters(f"{path}.params", ctx=estimator.context)
        estimator.trainer.load_states(f"{path}.states")
        estimator.logger.warning(
            "CheckpointHandler: Checkpoint resumed from epoch %d batch %d, continue to train for %s",
            self.trained_epoch, self.trained_batch,
            f"{estimator.max_epoch} epochs" if estimator.max_epoch else f"{estimator.max_batch} batches",
        )  # fmt: skip

    def _last(self) -> tuple[int, int]:
        """Record the checkpoints in the folder, and return the epoch and batch of the last one."""
        pattern = re.compile(re.escape(self.model_prefix) + r"-epoch(\d+)batch(\d+)\.params")
        names = [m for m in map(pattern.fullmatch, os.listdir(self.model_dir)) if m]
        names.sort(key=lambda m: (int(m[1]), int(m[2])))
        self.saved_checkpoints = [m[0].removesuffix(".params") for m in names]
        return (int(names[-1][1]), int(names[-1][2])) if names else (-1, -1)


class EarlyStoppingHandler(TrainBegin, EpochEnd, TrainEnd):
    """A handler that stops training when a metric stops improving.

    Parameters
    ----------
    monitor : EvalMetric
        Metric to monitor.
    min_delta : float
        Smallest change that counts as an improvement.
    patience : int
        Number of epochs without improvement before training stops.
    mode : {"auto", "min", "max"}
        Whether smaller (``"min"``) or larger (``"max"``) values of the metric are better; ``"auto"`` decides by the
        name of the metric.
    baseline : float, optional
        Value that the metric must improve on.

    Raises
    ------
    ValueError
        If there is no metric, or if the metric is a composite metric.
    """

    monitor: EvalMetric
    baseline: float | None
    patience: int
    wait: int
    stopped_epoch: int
    current_epoch: int

    def __init__(
        self,
        monitor: Any,
        min_delta: float = 0,
        patience: int = 0,
        mode: str = "auto",
        baseline: float | None = None,
    ) -> None:
        super().__init__()
        if not isinstance(monitor, EvalMetric):
            raise ValueError(
                "Please provide one of the metric objects from estimator.train_metrics and estimator.val_metrics as "
                "monitor."
            )
        if isinstance(monitor, CompositeEvalMetric):
            raise ValueError(
                "CompositeEvalMetric is not supported for EarlyStoppingHandler, please specify a simple metric instead."
            )
        self.monitor, self.baseline, self.patience = monitor, baseline, patience
        self.monitor_op, self._worst = _comparison(monitor, mode, "EarlyStopping")
        self.min_delta: float = min_delta if self._worst < 0 else -min_delta
        self.wait = self.stopped_epoch = self.current_epoch = 0
        self.stop_training: bool = False
        self.best: Any = self._worst

    def train_begin(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Reset the counters and the best value.

        The parameters are those of :meth:`TrainBegin.train_begin`.
        """
        self.wait = self.stopped_epoch = self.current_epoch = 0
        self.stop_training = False
        self.best = self._worst if self.baseline is None else self.baseline

    def epoch_end(self, estimator: Any, *args: Any, **kwargs: Any) -> bool:
        """Stop training if the metric has not improved for ``patience`` epochs.

        The parameters are those of :meth:`EpochEnd.epoch_end`.

        Returns
        -------
        bool
            Whether to stop training.
        """
        name, value = self.monitor.get()
        if math.isnan(value):
            warnings.warn(
                f"{name} is not updated, make sure you pass one of the metric objects fromestimator.train_metrics and "
                "estimator.val_metrics as monitor.",
                RuntimeWarning,
                stacklevel=2,
            )
        elif self.monitor_op(float(value - self.min_delta), float(self.best)):
            self.best, self.wait = value, 0
        else:
            self.wait += 1
            if self.wait >= self.patience:
                self.stopped_epoch, self.stop_training = self.current_epoch, True
        self.current_epoch += 1
        return self.stop_training

    def train_end(self, estimator: Any, *args: Any, **kwargs: Any) -> None:
        """Log the reason for an early stop.

        The parameters are those of :meth:`TrainEnd.train_end`.
        """
        if self.stopped_epoch > 0:
            estimator.logger.info(
                "[Epoch %d] EarlyStoppingHanlder: early stopping due to %s not improving", self.stopped_epoch,
                self.monitor.get()[0],
            )  # fmt: skip
