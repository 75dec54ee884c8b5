"""Metrics of real-valued predictions: errors, which are averaged over batches, and Pearson's correlation."""

from __future__ import annotations

import math
from typing import Any

import numpy

from .base import EvalMetric, Names, alias, as_numpy, check_label_shapes, register

__all__ = ["MAE", "MSE", "RMSE", "PearsonCorrelation"]


class _Error(EvalMetric):
    """The base class of metrics that compute an error of each batch and average it over batches."""

    def __init__(self, name: str, output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def error(self, difference: numpy.ndarray) -> float:
        """Return the error of a batch.

        Parameters
        ----------
        difference : numpy.ndarray
            The true values minus the predictions.
        """
        raise NotImplementedError

    def update(self, labels: Any, preds: Any) -> None:
        """Add the error of each pair of label and prediction."""
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            label, pred = as_numpy(label), as_numpy(pred)
            columns = [a.reshape(-1, 1) if a.ndim == 1 else a for a in (label, pred)]
            self.accumulate(self.error(columns[0] - columns[1]), 1)


@register
class MAE(_Error):
    """The mean absolute error, averaged over batches.

    Parameters
    ----------
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    def __init__(self, name: str = "mae", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names)

    def error(self, difference: numpy.ndarray) -> float:
        """Return the mean absolute value of the difference.

        Parameters
        ----------
        difference : numpy.ndarray
            Differences between labels and predictions.

        Returns
        -------
        float
            The mean absolute error.
        """
        return float(numpy.abs(difference).mean())


@register
class MSE(_Error):
    """The mean squared error, averaged over batches.

    Parameters
    ----------
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    def __init__(self, name: str = "mse", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names)

    def error(self, difference: numpy.ndarray) -> float:
        """Return the mean square of the difference.

        Parameters
        ----------
        difference : numpy.ndarray
            Differences between labels and predictions.

        Returns
        -------
        float
            The mean squared error.
        """
        return float((difference**2.0).mean())


@register
class RMSE(_Error):
    """The root mean squared error of each batch, averaged over batches.

    Parameters
    ----------
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    def __init__(self, name: str = "rmse", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names)

    def error(self, difference: numpy.ndarray) -> float:
        """Return the root mean square of the difference.

        Parameters
        ----------
        difference : numpy.ndarray
            Differences between labels and predictions.

        Returns
        -------
        float
            The root mean squared error.
        """
        return float(numpy.sqrt((difference**2.0).mean()))


@register
@alias("pearsonr")
class PearsonCorrelation(EvalMetric):
    """Pearson's correlation of labels and predictions.

    Parameters
    ----------
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    average : {"macro", "micro"}
        ``"macro"`` for the mean of the batches' correlations, or ``"micro"`` for the correlation over all examples.
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
        """Add the correlation of each label and prediction (macro), or add their elements to the running sums (micro).

        The parameters are those of :meth:`EvalMetric.update`.
        """
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            check_label_shapes(label, pred, shape=True)
            x, y = as_numpy(label).ravel(), as_numpy(pred).ravel()
            if self.average == "macro":
                self.accumulate(float(numpy.corrcoef(x, y)[0, 1]), 1)
            else:
                x, y = x.astype(numpy.float64), y.astype(numpy.float64)
                self._take(x, y)
                self._global.take(x, y)
                self.num_inst += 1
                self.global_num_inst += 1
                self.sum_metric: Any = self._local.correlation() * self.num_inst
                self.global_sum_metric: Any = self._global.correlation() * self.global_num_inst

    def _take(self, label: numpy.ndarray, pred: numpy.ndarray) -> None:
        local = self._local
        local.labels = self.update_variance(label, *local.labels)
        self.update_cov(label, pred)
        local.predictions = self.update_variance(pred, *local.predictions)

    def update_variance(self, new_values: numpy.ndarray, *aggregate: Any) -> tuple[int, float, float]:
        """Return the count, the mean, and the sum of squared deviations after adding values.

        Parameters
        ----------
        new_values : numpy.ndarray
            The values to add.
        *aggregate : int, float, float
            The result of this method for all previous values.

        Returns
        -------
        tuple of int, float and float
            The count, the mean, and the sum of squared deviations.

        Examples
        --------
        >>> import numpy
        >>> from d2lhybrid import metric
        >>> metric.PearsonCorrelation(average="micro").update_variance(numpy.array([1.0, 3.0]), 0, 0.0, 0.0)
        (2, 2.0, 2.0)
        """
        return _with_values(new_values, *aggregate)

    def update_cov(self, label: numpy.ndarray, pred: numpy.ndarray) -> None:
        """Add the products of the deviations of labels and predictions from their means to a running sum.

        Call this method after the sums of the labels are updated and before the sums of the predictions are updated.

        Parameters
        ----------
        label, pred : numpy.ndarray
            The labels and the predictions.
        """
        self._local.covary(label, pred)

    def reset_micro(self) -> None:
        """Reset the sums of :meth:`get` for ``average="micro"``."""
        self._local = _Together()
        if self.average == "micro":
            self.sum_metric = self._local.correlation() if self.num_inst else 0.0

    def reset(self) -> None:
        """Reset all sums."""
        super().reset()
        self._global = _Together()
        self.reset_micro()

    def reset_local(self) -> None:
        """Reset the values of :meth:`get`."""
        super().reset_local()
        self.reset_micro()


def _with_values(values: numpy.ndarray, count: int, mean: float, squares: float) -> tuple[int, float, float]:
    """Return the count, the mean, and the sum of squared deviations after more values, without loss of precision."""
    count += len(values)
    before = values - mean
    mean += float(before.sum()) / count
    return count, mean, squares + float((before * (values - mean)).sum())


class _Together:
    """Counts, means, and sums of squared deviations of labels and predictions, and the sum of their products."""

    def __init__(self) -> None:
        self.labels = self.predictions = (0, 0.0, 0.0)
        self.products = 0.0

    def take(self, label: numpy.ndarray, pred: numpy.ndarray) -> None:
        """Update the sums with more pairs."""
        self.labels = _with_values(label, *self.labels)
        self.covary(label, pred)
        self.predictions = _with_values(pred, *self.predictions)

    def covary(self, label: numpy.ndarray, pred: numpy.ndarray) -> None:
        """Add products of deviations. Only the labels' mean already includes the new pairs."""
        self.products += float(((label - self.labels[1]) * (pred - self.predictions[1])).sum())

    def correlation(self) -> float:
        """Return the correlation of all pairs."""
        spread = self.labels[2] * self.predictions[2]
        return self.products / math.sqrt(spread) if spread > 0.0 else float("nan")
