"""Metrics of predicted classes and of predicted probabilities."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy

from .base import EvalMetric, Names, alias, as_numpy, check_label_shapes, register

__all__ = [
    "F1",
    "MCC",
    "PCC",
    "Accuracy",
    "CrossEntropy",
    "NegativeLogLikelihood",
    "Perplexity",
    "TopKAccuracy",
]


@register
@alias("acc")
class Accuracy(EvalMetric):
    """The fraction of correctly predicted classes.

    Parameters
    ----------
    axis : int
        Axis of the classes if the predictions are scores. Predictions with the shape of the labels are class indices.
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    def __init__(
        self, axis: int = 1, name: str = "accuracy", output_names: Names = None, label_names: Names = None
    ) -> None:
        super().__init__(name, output_names, label_names, axis=axis, has_global_stats=True)
        self.axis = axis

    def update(self, labels: Any, preds: Any) -> None:
        """Count correct predictions.

        The parameters are those of :meth:`EvalMetric.update`.
        """
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            label, pred = as_numpy(label), as_numpy(pred)
            if pred.shape != label.shape:
                pred = pred.argmax(axis=self.axis)
            truth, guess = label.astype(numpy.int32).ravel(), pred.astype(numpy.int32).ravel()
            check_label_shapes(truth, guess)
            self.accumulate(float((truth == guess).sum()), truth.size)


@register
@alias("top_k_accuracy", "top_k_acc")
class TopKAccuracy(EvalMetric):
    """The fraction of examples whose true class is among the ``top_k`` classes with the highest scores.

    Parameters
    ----------
    top_k : int
        Number of classes, at least 2.
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.

    Raises
    ------
    AssertionError
        If ``top_k`` is less than 2.
    """

    def __init__(
        self,
        top_k: int = 1,
        name: str = "top_k_accuracy",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        if top_k <= 1:
            raise AssertionError("Please use Accuracy if top_k is no more than 1")
        super().__init__(name, output_names, label_names, top_k=top_k, has_global_stats=True)
        self.top_k = top_k
        self.name += f"_{top_k}"

    def update(self, labels: Any, preds: Any) -> None:
        """Count the examples whose true class has one of the highest scores.

        The parameters are those of :meth:`EvalMetric.update`.

        Raises
        ------
        AssertionError
            If the predictions have more than two axes.
        """
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            truth, scores = as_numpy(label).astype(numpy.int32), as_numpy(pred)
            if scores.ndim > 2:
                raise AssertionError("Predictions should be no more than 2 dims")
            if scores.ndim == 2:
                best = numpy.argpartition(scores.astype(numpy.float32), -min(self.top_k, scores.shape[1]))
                hits = best[:, -self.top_k :] == truth.reshape(-1, 1)
            else:
                hits = scores.astype(numpy.int32).ravel() == truth.ravel()
            check_label_shapes(truth, scores)
            self.accumulate(float(hits.sum()), len(scores))


class _Counts:
    """The numbers of true and false positives and negatives of a binary classifier."""

    def __init__(self) -> None:
        self.true_positives = self.false_positives = self.false_negatives = self.true_negatives = 0

    def add(self, label: Any, pred: Any) -> None:
        truth = as_numpy(label).astype(numpy.int32)
        guess = as_numpy(pred).argmax(axis=1)
        check_label_shapes(truth, guess)
        if len(numpy.unique(truth)) > 2:
            raise ValueError("_BinaryClassificationMetrics currently only supports binary classification.")
        truth, guess = truth.ravel() == 1, guess.ravel() == 1
        self.true_positives += int((guess & truth).sum())
        self.false_positives += int((guess & ~truth).sum())
        self.false_negatives += int((~guess & truth).sum())
        self.true_negatives += int((~guess & ~truth).sum())

    @property
    def total(self) -> int:
        return self.true_positives + self.false_positives + self.false_negatives + self.true_negatives

    def f_score(self) -> float:
        """Return the harmonic mean of precision and recall."""
        wrong = self.false_positives + self.false_negatives
        both = 2 * self.true_positives
        return both / (both + wrong) if both else 0.0

    def matthews(self) -> float:
        """Return the Matthews correlation of labels and predictions.

        A sum of a row or a column that is 0 counts as 1.
        """
        if not self.total:
            return 0.0
        tp, fp = float(self.true_positives), float(self.false_positives)
        fn, tn = float(self.false_negatives), float(self.true_negatives)
        sums = (tp + fp, tp + fn, tn + fp, tn + fn)
        return (tp * tn - fp * fn) / math.sqrt(math.prod(s for s in sums if s))


class _BinaryScore(EvalMetric):
    """The base class of scores that are computed for all examples (micro) or averaged over batches (macro)."""

    num_inst: Any
    global_num_inst: Any

    score: Callable[[_Counts], float]

    def __init__(self, name: str, output_names: Names, label_names: Names, average: str) -> None:
        self.average = average
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, labels: Any, preds: Any) -> None:
        """Count correct and incorrect predictions."""
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            self._local.add(label, pred)
            self._global.add(label, pred)
        score = type(self).score
        if self.average == "macro":
            self.accumulate(score(self._local), 1)
            self._local, self._global = _Counts(), _Counts()
        else:
            self.num_inst, self.global_num_inst = self._local.total, self._global.total
            self.sum_metric: Any = score(self._local) * self.num_inst
            self.global_sum_metric: Any = score(self._global) * self.global_num_inst

    def reset(self) -> None:
        """Reset all counts."""
        super().reset()
        self._local, self._global = _Counts(), _Counts()

    def reset_local(self) -> None:
        """Reset the values of :meth:`get`."""
        super().reset_local()
        self._local = _Counts()


@register
class F1(_BinaryScore):
    """The F1 score of class 1 in binary classification.

    Parameters
    ----------
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    average : {"macro", "micro"}
        ``"macro"`` for the mean of the batches' scores, or ``"micro"`` for the score of all examples.
    """

    score = _Counts.f_score

    def __init__(
        self, name: str = "f1", output_names: Names = None, label_names: Names = None, average: str = "macro"
    ) -> None:
        super().__init__(name, output_names, label_names, average)


@register
class MCC(_BinaryScore):
    """The Matthews correlation coefficient of binary classification.

    Parameters
    ----------
    name, output_names, label_names, average
        Arguments of :class:`F1`.
    """

    score = _Counts.matthews

    def __init__(
        self, name: str = "mcc", output_names: Names = None, label_names: Names = None, average: str = "macro"
    ) -> None:
        super().__init__(name, output_names, label_names, average)


@register
class PCC(EvalMetric):
    """The multi-class generalization of the Matthews correlation coefficient, computed over all examples.

    Parameters
    ----------
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    has_global_stats : bool
        Whether :meth:`get_global` uses its own confusion matrix.
    """

    def __init__(
        self,
        name: str = "pcc",
        output_names: Names = None,
        label_names: Names = None,
        has_global_stats: bool = True,
    ) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=has_global_stats)

    def update(self, labels: Any, preds: Any) -> None:
        """Count the pairs of true and predicted classes.

        The parameters are those of :meth:`EvalMetric.update`.
        """
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            truth, guess = as_numpy(label).astype(numpy.int64), as_numpy(pred)
            if guess.shape != truth.shape:
                guess = guess.argmax(axis=1)
            guess = guess.astype(numpy.int64)
            size = int(max(truth.max(), guess.max())) + 1
            counts = numpy.bincount(guess.ravel() * size + truth.ravel(), minlength=size * size)
            counts = counts.reshape(size, size)
            self._local = _sum_of(self._local, counts)
            self._global = _sum_of(self._global, counts)
        self.num_inst += 1.0
        self.global_num_inst += 1.0

    @property
    def sum_metric(self) -> float:
        """The product of the coefficient and the number of updates. :meth:`get` divides the product by this number."""
        return _correlation(self._local) * self.num_inst

    @sum_metric.setter
    def sum_metric(self, value: float) -> None:
        """Ignore assignments by the base class, because the confusion matrix is the state."""

    @property
    def global_sum_metric(self) -> float:
        """The coefficient times the number of updates, both since the last :meth:`reset`."""
        return _correlation(self._global) * self.global_num_inst

    @global_sum_metric.setter
    def global_sum_metric(self, value: float) -> None:
        """Ignore assignments by the base class."""

    def reset(self) -> None:
        """Reset all counts."""
        super().reset()
        self._local = self._global = numpy.zeros((2, 2), numpy.int64)

    def reset_local(self) -> None:
        """Reset the values of :meth:`get`."""
        super().reset_local()
        self._local = numpy.zeros((2, 2), numpy.int64)


def _sum_of(a: numpy.ndarray, b: numpy.ndarray) -> numpy.ndarray:
    """Return the sum of two confusion matrices, which may have different numbers of classes."""
    size = max(len(a), len(b))
    total = numpy.zeros((size, size), numpy.int64)
    total[: len(a), : len(a)] += a
    total[: len(b), : len(b)] += b
    return total


def _correlation(confusion: numpy.ndarray) -> float:
    counts = confusion.astype(numpy.float64)
    n = counts.sum()
    guessed, true = counts.sum(axis=1), counts.sum(axis=0)
    spread = (guessed * (n - guessed)).sum() * (true * (n - true)).sum()
    if spread == 0.0:
        return float("nan")
    return float((counts.diagonal() * n - guessed * true).sum() / math.sqrt(spread))


@register
@alias("ce")
class CrossEntropy(EvalMetric):
    """The mean negative logarithm of the predicted probability of the true class.

    Parameters
    ----------
    eps : float
        Small constant added to each probability.
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "cross-entropy",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(name, output_names, label_names, eps=eps, has_global_stats=True)
        self.eps = eps

    def update(self, labels: Any, preds: Any) -> None:
        """Add the negative logarithms of the probabilities of the true classes.

        The parameters are those of :meth:`EvalMetric.update`.

        Raises
        ------
        IndexError
            If a label is out of range. As in MXNet, negative labels count from the last class.
        """
        labels, preds = check_label_shapes(labels, preds, wrap=True)
        for label, pred in zip(labels, preds, strict=True):
            with numpy.errstate(invalid="ignore"):
                truth, probabilities = as_numpy(label).ravel().astype(numpy.int64), as_numpy(pred)
            assert len(truth) == len(probabilities)
            chosen = probabilities[numpy.arange(len(truth)), truth]  # as in MXNet, -1 is the last class
            self.accumulate(float(-numpy.log(chosen + self.eps).sum()), len(truth))


@register
@alias("nll_loss")
class NegativeLogLikelihood(CrossEntropy):
    """:class:`CrossEntropy` with the default name ``"nll-loss"``.

    Parameters
    ----------
    eps, name, output_names, label_names
        Arguments of :class:`CrossEntropy`.
    """

    def __init__(
        self,
        eps: float = 1e-12,
        name: str = "nll-loss",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(eps, name, output_names, label_names)


@register
class Perplexity(EvalMetric):
    """The exponential of the mean negative log-probability of the true class.

    Parameters
    ----------
    ignore_label : int or None
        Label to ignore, such as padding.
    axis : int
        Axis of the classes.
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    ignore_label: int | None
    axis: int

    def __init__(
        self,
        ignore_label: int | None,
        axis: int = -1,
        name: str = "perplexity",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        super().__init__(name, output_names, label_names, ignore_label=ignore_label, has_global_stats=True)
        self.ignore_label, self.axis = ignore_label, axis

    def update(self, labels: Any, preds: Any) -> None:
        """Add the negative logarithms of the probabilities of the true classes.

        The parameters are those of :meth:`EvalMetric.update`.

        Raises
        ------
        AssertionError
            If the numbers of labels and predictions differ.
        """
        if len(labels) != len(preds):
            raise AssertionError(
                f"the number of label arrays ({len(labels)}) differs from the number of prediction "
                f"arrays ({len(preds)})"
            )
        for label, pred in zip(labels, preds, strict=True):
            raw_labels = as_numpy(label).ravel()
            truth = raw_labels.astype(numpy.int64)
            probabilities = numpy.moveaxis(as_numpy(pred), self.axis, -1)
            probabilities = probabilities.reshape(-1, probabilities.shape[-1])
            if len(truth) != len(probabilities):
                raise AssertionError(f"shape mismatch: {label.shape} vs. {pred.shape}")
            within = numpy.clip(truth, 0, probabilities.shape[1] - 1)  # as in MXNet's pick operator
            chosen = probabilities[numpy.arange(len(truth)), within]
            if self.ignore_label is not None:
                chosen = chosen[raw_labels != self.ignore_label]  # before truncation: 0.5 is not the label 0
            logarithms = numpy.log(numpy.maximum(chosen, 1e-10))
            self.accumulate(float(-logarithms.sum()), len(chosen))

    def value(self, total: Any, count: Any) -> Any:
        """Return the perplexity for a sum of negative logarithms and a count, or NaN if the count is 0.

        Parameters
        ----------
        total : float
            Sum of the negative logarithms.
        count : float
            Number of examples.

        Returns
        -------
        float
            The perplexity.
        """
        return math.exp(total / count) if count else float("nan")
