"""Metrics of real-valued predictions. Errors are means over batches of the batch's mean."""

from __future__ import annotations

import math
from typing import Any

import numpy

from .base import EvalMetric, Names, alias, as_numpy, check_label_shapes, register

__all__ = ["MAE", "MSE", "RMSE", "PearsonCorrelation"]


class _Error(EvalMetric):
    """A mean over batches of some error of the batch."""

    def __init__(self, name: str, output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def error(self, difference: numpy.ndarray) -> float:
        """Return the error of a batch.

        Parameters
        ----------
        difference : numpy.ndarray
            What is true less what was predicted.
        """
        raise NotImplementedError

    def update(self, labels: Any, preds: Any) -> None:
        """Add the error of each pair."""
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            label, pred = as_numpy(label), as_numpy(pred)
            columns = [a.reshape(-1, 1) if a.ndim == 1 else a for a in (label, pred)]
            self.accumulate(self.error(columns[0] - columns[1]), 1)


@register
class MAE(_Error):
    """Mean absolute error.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    """

    def __init__(self, name: str = "mae", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names)

    def error(self, difference: numpy.ndarray) -> float:
        """Return the mean absolute value."""
        return float(numpy.abs(difference).mean())


@register
class MSE(_Error):
    """Mean squared error.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    """

    def __init__(self, name: str = "mse", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names)

    def error(self, difference: numpy.ndarray) -> float:
        """Return the mean square."""
        return float((difference**2.0).mean())


@register
class RMSE(_Error):
    """Root of the mean squared error of each batch.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    """

    def __init__(self, name: str = "rmse", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names)

    def error(self, difference: numpy.ndarray) -> float:
        """Return the root of the mean square."""
        return float(numpy.sqrt((difference**2.0).mean()))


@register
@alias("pearsonr")
class PearsonCorrelation(EvalMetric):
    """Pearson's correlation of label and prediction.

    Parameters
    ----------
    name, output_names, label_names
        See :class:`EvalMetric`.
    average : {"macro", "micro"}
        Mean of the batches' correlations, or correlation over all examples.
    """

    def __init__(
        self,
        name: str = "pearsonr",
        output_names: Names = None,
        label_names: Names = None,
        average: str = "macro",
    ) -> None:
        self.average = average
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, labels: Any, preds: Any) -> None:
        """Take the pairs into account."""
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            check_label_shapes(label, pred, shape=True)
            x, y = as_numpy(label).ravel(), as_numpy(pred).ravel()
            if self.average == "macro":
                self.accumulate(float(numpy.corrcoef(x, y)[0, 1]), 1)
            else:
                moments = _moments(x.astype(numpy.float64), y.astype(numpy.float64))
                self._local, self._global = self._local + moments, self._global + moments
                self.num_inst += 1
                self.global_num_inst += 1
                self.sum_metric: Any = _correlation(self._local) * self.num_inst
                self.global_sum_metric: Any = _correlation(self._global) * self.global_num_inst

    def reset(self) -> None:
        """Forget everything."""
        super().reset()
        self._local = self._global = numpy.zeros(6)

    def reset_local(self) -> None:
        """Forget what :meth:`get` tells."""
        super().reset_local()
        self._local = numpy.zeros(6)


def _moments(x: numpy.ndarray, y: numpy.ndarray) -> numpy.ndarray:
    """Return the count and the sums of x, y, x², y² and xy."""
    return numpy.array([x.size, x.sum(), y.sum(), (x * x).sum(), (y * y).sum(), (x * y).sum()])


def _correlation(moments: numpy.ndarray) -> float:
    n, x, y, xx, yy, xy = moments
    spread = (xx - x * x / n) * (yy - y * y / n)
    return float((xy - x * y / n) / math.sqrt(spread)) if spread > 0.0 else float("nan")
