"""``mx.contrib.tensorboard``: a callback that logs metrics for TensorBoard with the package mxboard."""

from __future__ import annotations

import logging
from typing import Any

from ..internals.support.display import Shown

__all__ = ["LogMetricsCallback"]


class LogMetricsCallback(Shown):
    """A callback of ``fit`` and ``score`` that writes the values of the metric to a TensorBoard log.

    If mxboard is not installed, the constructor logs an error, and calls of the callback fail.

    Parameters
    ----------
    logging_dir : str
        Folder of the log.
    prefix : str, optional
        Prefix of the names of metrics.
    """

    def __init__(self, logging_dir: str, prefix: str | None = None) -> None:
        self.prefix = prefix
        try:
            from mxboard import SummaryWriter  # pyright: ignore[reportMissingImports]

            self.summary_writer: Any = SummaryWriter(logging_dir)
        except ImportError:
            logging.error("You can install mxboard via `pip install mxboard`.")

    def __call__(self, param: Any) -> None:
        """Write the values of the metric ``param.eval_metric``. Without a metric, write nothing."""
        if param.eval_metric is None:
            return
        for name, value in param.eval_metric.get_name_value():
            shown = name if self.prefix is None else f"{self.prefix}-{name}"
            self.summary_writer.add_scalar(shown, value, global_step=param.epoch)
