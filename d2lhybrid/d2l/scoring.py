"""Functions that evaluate a net: sums over batches, accuracy, and loss."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Any

from ..internals.support.display import Property, Shown
from ..internals.support.notes import with_note
from .values import as_values

__all__ = [
    "Accumulator",
    "accuracy",
    "evaluate_accuracy",
    "evaluate_accuracy_gpu",
    "evaluate_accuracy_gpus",
    "evaluate_loss",
]


class Accumulator(Shown):
    """A list of ``n`` running sums.

    Parameters
    ----------
    n : int
        Number of sums.

    Examples
    --------
    >>> correct_and_total = Accumulator(2)
    >>> correct_and_total.add(3, 4)
    >>> correct_and_total.add(1, 4)
    >>> correct_and_total[0] / correct_and_total[1]
    0.5
    """

    def __init__(self, n: int) -> None:
        self.data = [0.0] * n

    def _shown(self) -> Iterator[Property]:
        yield Property("data", self.data)

    def add(self, *values: Any) -> None:
        """Add a value to each sum.

        Parameters
        ----------
        *values : number or array
            A value for each sum.
        """
        self.data = [total + as_values(value).item() for total, value in zip(self.data, values, strict=True)]

    def reset(self) -> None:
        """Set all sums to zero."""
        self.data: list[Any] = [0.0] * len(self.data)

    def __getitem__(self, index: int) -> float:
        return self.data[index]


def accuracy(y_hat: Any, y: Any) -> float:
    """Return the number of correct predictions.

    Parameters
    ----------
    y_hat : array
        Scores of shape (batch, classes), or predicted classes of shape (batch,).
    y : array
        The true classes, of shape (batch,).

    Returns
    -------
    float
        The number of correctly predicted examples, not a fraction.

    Examples
    --------
    >>> import numpy
    >>> scores = numpy.array([[0.1, 0.3, 0.6], [0.3, 0.2, 0.5]])
    >>> accuracy(scores, numpy.array([0, 2]))
    1.0
    """
    if len(y_hat.shape) > 1 and y_hat.shape[1] > 1:
        y_hat = y_hat.argmax(axis=1)
    # Legacy arrays with different element types cannot be compared.
    hits = y_hat.astype("float32") == y.astype("float32")
    return float(as_values(hits).sum())


def evaluate_accuracy(net: Any, data_iter: Iterable[Any], ctx: Any = None) -> float:
    """Return the fraction of examples in a data set that a net classifies correctly.

    Parameters
    ----------
    net : callable
        A Gluon block, or any function that returns the scores of a batch.
    data_iter : iterable of (X, y)
        Batches of inputs and labels.
    ctx : Context, optional
        The device; by default, the device of the net's parameters.

    Returns
    -------
    float
        The fraction, between 0 and 1.

    Raises
    ------
    ValueError
        If there are no examples.
    """
    if ctx is None and hasattr(net, "collect_params"):
        parameters = list(net.collect_params().values())
        ctx = parameters[0].list_ctx()[0] if parameters else None
    correct_and_total = Accumulator(2)
    for X, y in data_iter:
        if ctx is not None:
            X, y = X.as_in_context(ctx), y.as_in_context(ctx)
        correct_and_total.add(accuracy(net(X), y), len(y))
    if not correct_and_total[1]:
        note = "Pass at least one batch. A generator that was already read to its end yields no batches."
        raise with_note(ValueError("data_iter yielded no examples"), note)
    return correct_and_total[0] / correct_and_total[1]


def evaluate_accuracy_gpu(net: Any, data_iter: Iterable[Any], device: Any = None) -> float:
    """Return the fraction of examples that a net classifies correctly, computed on a device.

    Parameters
    ----------
    net : callable
        A Gluon block, or any function that returns the scores of a batch.
    data_iter : iterable of (X, y)
        Batches of inputs and labels.
    device : Context, optional
        The device; by default, the device of the net's parameters.

    Returns
    -------
    float
        The fraction, between 0 and 1.
    """
    return evaluate_accuracy(net, data_iter, device)


def evaluate_accuracy_gpus(
    net: Any, data_iter: Iterable[Any], split_f: Callable[[Any, Any, list[Any]], tuple[Any, Any]] | None = None
) -> float:
    """Return the fraction of examples that a net classifies correctly, with batches split over the net's devices.

    Parameters
    ----------
    net : gluon.Block
        A net with parameters on one or several devices.
    data_iter : iterable of (X, y)
        Batches of inputs and labels.
    split_f : callable, optional
        Function that splits a batch and its labels over the devices; :func:`split_batch` by default.

    Returns
    -------
    float
        The fraction, between 0 and 1.
    """
    from .training import split_batch

    devices = next(iter(net.collect_params().values())).list_ctx()
    correct_and_total = Accumulator(2)
    for features, labels in data_iter:
        shards, y_shards = (split_f or split_batch)(features, labels, devices)
        scores = [net(X) for X in shards]  # start all devices before waiting for the first result
        hits = sum(accuracy(y_hat, y) for y_hat, y in zip(scores, y_shards, strict=True))
        correct_and_total.add(hits, labels.size)
    return correct_and_total[0] / correct_and_total[1]


def evaluate_loss(net: Callable[[Any], Any], data_iter: Iterable[Any], loss: Callable[[Any, Any], Any]) -> float:
    """Return the mean loss of a model over a data set.

    Parameters
    ----------
    net : callable
        Function that returns the predictions of a batch.
    data_iter : iterable of (X, y)
        Batches of inputs and labels.
    loss : callable
        Function that returns a loss for each example from predictions and labels.

    Returns
    -------
    float
        The mean of all values of the loss.

    Examples
    --------
    >>> import numpy
    >>> batches = [(numpy.array([1.0, 2.0]), numpy.array([0.0, 0.0]))]
    >>> evaluate_loss(lambda X: X, batches, lambda y_hat, y: (y_hat - y) ** 2)
    2.5
    """
    sum_and_count = Accumulator(2)
    for X, y in data_iter:
        values = as_values(loss(net(X), y))
        sum_and_count.add(values.sum(), values.size)
    return sum_and_count[0] / sum_and_count[1]
