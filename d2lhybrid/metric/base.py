"""The base class of all metrics, metrics of losses and functions, and combinations of metrics."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

import numpy

from .. import registry
from ..internals.support.display import Property, Shown, properties

__all__ = [
    "Caffe",
    "CompositeEvalMetric",
    "CustomMetric",
    "EvalMetric",
    "Loss",
    "Torch",
    "alias",
    "as_numpy",
    "check_label_shapes",
    "create",
    "np",
    "register",
]

Names = Sequence[str] | None


def as_numpy(values: Any) -> numpy.ndarray:
    """Convert an NDArray, a NumPy array, or a list to a NumPy array.

    Parameters
    ----------
    values : NDArray or array-like
        The values.

    Returns
    -------
    numpy.ndarray
        The values.
    """
    return values.asnumpy() if hasattr(values, "asnumpy") else numpy.asarray(values)


def check_label_shapes(labels: Any, preds: Any, wrap: bool = False, shape: bool = False) -> tuple[Any, Any]:
    """Check that labels and predictions have equal lengths or shapes.

    Parameters
    ----------
    labels, preds : array or list of array
        The labels and the predictions.
    wrap : bool
        Whether to convert single arrays to lists.
    shape : bool
        Whether to compare shapes instead of lengths.

    Returns
    -------
    tuple of (labels, preds)
        The arguments, as lists if ``wrap`` is True.

    Raises
    ------
    ValueError
        If the lengths or shapes differ.
    """
    sizes = (labels.shape, preds.shape) if shape else (len(labels), len(preds))
    if sizes[0] != sizes[1]:
        raise ValueError(f"Shape of labels {sizes[0]} does not match shape of predictions {sizes[1]}")
    if wrap:
        labels = labels if isinstance(labels, list | tuple) else [labels]
        preds = preds if isinstance(preds, list | tuple) else [preds]
    return labels, preds


class EvalMetric(Shown):
    """The base class of metrics, which keep local and global sums and counts.

    :meth:`reset_local` resets the local sum and count, and :meth:`reset` also resets the global sum and count.
    A subclass overrides :meth:`update`, which adds to ``sum_metric`` and ``num_inst`` or calls :meth:`accumulate`.

    Parameters
    ----------
    name : str
        Name of the metric in the result of :meth:`get`.
    output_names, label_names : list of str, optional
        Names of the outputs and labels that :meth:`update_dict` uses; all names by default.
    **kwargs
        ``has_global_stats`` (whether :meth:`get_global` has its own sum and count), and additional settings for
        :meth:`get_config`.
    """

    def __init__(self, name: str, output_names: Names = None, label_names: Names = None, **kwargs: Any) -> None:
        self.name: str = str(name)
        self.output_names: Sequence[str] | None = output_names
        self.label_names: Sequence[str] | None = label_names
        self._has_global_stats = kwargs.pop("has_global_stats", False)
        self._kwargs = kwargs
        self.reset()

    def _shown(self) -> Iterator[Property]:
        yield from properties(self)
        total, count = vars(self).get("sum_metric"), vars(self).get("num_inst")
        if isinstance(total, int | float) and isinstance(count, int | float) and count:
            yield Property("value", total / count)
            yield Property("examples", count)

    def __str__(self) -> str:
        return f"EvalMetric: {dict(self.get_name_value())}"

    def get_config(self) -> dict[str, Any]:
        """Return the settings as a dictionary that :func:`create` accepts: ``create(**config)``.

        Returns
        -------
        dict of str to object
            The class name, under the key ``"metric"``, and the settings.
        """
        return {
            **self._kwargs,
            "metric": self.__class__.__name__,
            "name": self.name,
            "output_names": self.output_names,
            "label_names": self.label_names,
        }

    def update_dict(self, label: Mapping[str, Any], pred: Mapping[str, Any]) -> None:
        """Call :meth:`update` with labels and predictions from dictionaries.

        Parameters
        ----------
        label, pred : dict of str to NDArray
            Labels and predictions by name.
        """
        preds = list(pred.values()) if self.output_names is None else [pred[n] for n in self.output_names]
        labels = list(label.values()) if self.label_names is None else [label[n] for n in self.label_names]
        self.update(labels, preds)

    def update(self, labels: Any, preds: Any) -> None:
        """Update the metric with a batch. Subclasses override this method.

        Parameters
        ----------
        labels, preds : NDArray or list of NDArray
            The labels and the predictions.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def accumulate(self, total: float, count: float) -> None:
        """Add to the sums and counts of :meth:`get` and of :meth:`get_global`.

        Parameters
        ----------
        total : float
            Number to add to the two sums.
        count : float
            Number to add to the two counts.
        """
        self.sum_metric += total
        self.global_sum_metric += total
        self.num_inst += count
        self.global_num_inst += count

    def reset(self) -> None:
        """Reset all sums and counts."""
        self.num_inst: Any = 0
        self.sum_metric: Any = 0.0
        self.global_num_inst: Any = 0
        self.global_sum_metric: Any = 0.0

    def reset_local(self) -> None:
        """Reset the values of :meth:`get`, but not the values of :meth:`get_global`."""
        self.num_inst = 0
        self.sum_metric = 0.0

    def value(self, total: Any, count: Any) -> Any:
        """Return the value of the metric for a sum and a count, or NaN if the count is 0.

        Parameters
        ----------
        total : float
            The sum.
        count : float
            The count.

        Returns
        -------
        float
            The value of the metric.
        """
        return total / count if count else float("nan")

    def get(self) -> tuple[Any, Any]:
        """Return the name of the metric and its value since the last :meth:`reset` or :meth:`reset_local`.

        Before the first update, the value is NaN.

        Returns
        -------
        tuple of (str, float)
            The name and the value.
        """
        return self.name, self.value(self.sum_metric, self.num_inst)

    def get_global(self) -> tuple[Any, Any]:
        """Return the name of the metric and its value since the last :meth:`reset`.

        Without ``has_global_stats``, return the result of :meth:`get`.

        Returns
        -------
        tuple of (str, float)
            The name and the value.
        """
        if not self._has_global_stats:
            return self.get()
        return self.name, self.value(self.global_sum_metric, self.global_num_inst)

    def get_name_value(self) -> list[tuple[str, Any]]:
        """Return the result of :meth:`get` as a list of pairs.

        Returns
        -------
        list of (str, float)
            The names and values.
        """
        return _pairs(*self.get())

    def get_global_name_value(self) -> list[tuple[str, Any]]:
        """Return the result of :meth:`get_global` as a list of pairs.

        Returns
        -------
        list of (str, float)
            The names and values.
        """
        return _pairs(*self.get_global())


def _pairs(name: Any, value: Any) -> list[tuple[str, Any]]:
    names = name if isinstance(name, list) else [name]
    values = value if isinstance(value, list) else [value]
    return list(zip(names, values, strict=True))


register: registry.Register = registry.get_register_func(EvalMetric, "metric")
alias: registry.Alias = registry.get_alias_func(EvalMetric, "metric")
_create = registry.get_create_func(EvalMetric, "metric")


def create(metric: Any = None, *args: Any, **kwargs: Any) -> EvalMetric:
    """Create a metric.

    Parameters
    ----------
    metric : str, callable, EvalMetric, dict or list
        A registered name, a function of label and prediction, a metric, the settings of a metric, or a list of these. A
        metric is returned unchanged.
    *args, **kwargs
        Arguments of the metric.

    Returns
    -------
    EvalMetric
        The metric; for a list, a :class:`CompositeEvalMetric`.

    Raises
    ------
    AssertionError
        If the name is not registered.

    Examples
    --------
    >>> create("acc").get()
    ('accuracy', nan)
    >>> create(["acc", "mse"]).get()
    (['accuracy', 'mse'], [nan, nan])
    """
    if metric is None:
        metric = kwargs.pop("metric")
    if callable(metric) and not isinstance(metric, EvalMetric):
        return CustomMetric(metric, *args, **kwargs)
    if isinstance(metric, list):
        composite = CompositeEvalMetric()
        for child in metric:
            composite.add(create(child, *args, **kwargs))
        return composite
    return _create(metric, *args, **kwargs)


@register
@alias("composite")
class CompositeEvalMetric(EvalMetric):
    """A combination of metrics, whose :meth:`get` returns lists of names and values.

    Parameters
    ----------
    metrics : list, optional
        The metrics, or arguments of :func:`create`.
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    def __init__(
        self,
        metrics: Sequence[Any] | None = None,
        name: str = "composite",
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        self.metrics: list[EvalMetric] = [create(m) for m in metrics or ()]
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def add(self, metric: Any) -> None:
        """Append a metric.

        Parameters
        ----------
        metric : EvalMetric, str or callable
            The metric, or an argument of :func:`create`.
        """
        self.metrics.append(create(metric))

    def get_metric(self, index: int) -> Any:
        """Return one of the metrics. If the index is out of range, return a ValueError object, as MXNet does.

        Parameters
        ----------
        index : int
            Index of the metric, from 0.

        Returns
        -------
        EvalMetric or ValueError
            The metric, or the error object.
        """
        try:
            return self.metrics[index]
        except IndexError:
            return ValueError(f"Metric index {index} is out of range 0 and {len(self.metrics)}")

    def update_dict(  # type: ignore[override]
        self, labels: Mapping[str, Any], preds: Mapping[str, Any]
    ) -> None:
        """Update all metrics with the labels and outputs that have the selected names.

        Parameters
        ----------
        labels, preds : dict of str to NDArray
            Labels and predictions by name.
        """
        if self.label_names is not None:
            labels = {n: v for n, v in labels.items() if n in self.label_names}
        if self.output_names is not None:
            preds = {n: v for n, v in preds.items() if n in self.output_names}
        for metric in self.metrics:
            metric.update_dict(labels, preds)

    def update(self, labels: Any, preds: Any) -> None:
        """Update all metrics.

        The parameters are those of :meth:`EvalMetric.update`.
        """
        for metric in self.metrics:
            metric.update(labels, preds)

    def reset(self) -> None:
        """Reset all metrics."""
        for metric in self.metrics:
            metric.reset()

    def reset_local(self) -> None:
        """Reset the local sums and counts of all metrics."""
        for metric in self.metrics:
            metric.reset_local()

    def get(self) -> tuple[list[str], list[Any]]:
        """Return the names and the values of all metrics.

        Returns
        -------
        tuple of (list of str, list of float)
            The names and the values.
        """
        return self._collect([m.get_name_value() for m in self.metrics])

    def get_global(self) -> tuple[list[str], list[Any]]:
        """Return the names and the values of all metrics since the last :meth:`reset`.

        Returns
        -------
        tuple of (list of str, list of float)
            The names and the values.
        """
        return self._collect([m.get_global_name_value() for m in self.metrics])

    @staticmethod
    def _collect(results: list[list[tuple[str, Any]]]) -> tuple[list[str], list[Any]]:
        pairs = [pair for pairs in results for pair in pairs]
        return [name for name, _ in pairs], [value for _, value in pairs]

    def get_config(self) -> dict[str, Any]:
        """Return the settings of all metrics.

        Returns
        -------
        dict of str to object
            The settings, with a list of the settings of each metric.
        """
        return {**super().get_config(), "metrics": [m.get_config() for m in self.metrics]}


@register
class Loss(EvalMetric):
    """The mean of a loss, without labels.

    Parameters
    ----------
    name, output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    def __init__(self, name: str = "loss", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names, has_global_stats=True)

    def update(self, labels: Any, preds: Any) -> None:
        """Add the values of ``preds`` to the sum.

        Parameters
        ----------
        labels : object
            Ignored.
        preds : NDArray or list of NDArray
            Values of the loss.
        """
        for pred in preds if isinstance(preds, list | tuple) else [preds]:
            values = as_numpy(pred)
            self.accumulate(float(values.sum()), values.size)


@register
class Torch(Loss):
    """:class:`Loss` with the default name ``"torch"``, for losses that the framework Torch computes."""

    def __init__(self, name: str = "torch", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names)


@register
class Caffe(Loss):
    """:class:`Loss` with the default name ``"caffe"``, for losses that the framework Caffe computes."""

    def __init__(self, name: str = "caffe", output_names: Names = None, label_names: Names = None) -> None:
        super().__init__(name, output_names, label_names)


@register
class CustomMetric(EvalMetric):
    """The mean of a function of label and prediction.

    Parameters
    ----------
    feval : callable
        Function of two NumPy arrays: ``feval(label, pred)`` returns a value, or a tuple of a sum and a count.
    name : str, optional
        Name of the metric; the function's name by default.
    allow_extra_outputs : bool
        Whether to accept more predictions than labels.
    output_names, label_names
        Arguments of :class:`EvalMetric`.
    """

    def __init__(
        self,
        feval: Callable[[Any, Any], Any],
        name: str | None = None,
        allow_extra_outputs: bool = False,
        output_names: Names = None,
        label_names: Names = None,
    ) -> None:
        if name is None:
            name = str(getattr(feval, "__name__", type(feval).__name__))
            if "<" in name:
                name = f"custom({name})"
        super().__init__(name, output_names, label_names, has_global_stats=True)
        self._feval = feval
        self._allow_extra_outputs = allow_extra_outputs

    def update(self, labels: Any, preds: Any) -> None:
        """Call the function with each pair of label and prediction, and add the results to the sum and the count.

        The parameters are those of :meth:`EvalMetric.update`.
        """
        if self._allow_extra_outputs:
            labels = labels if isinstance(labels, list | tuple) else [labels]
            preds = preds if isinstance(preds, list | tuple) else [preds]
        else:
            labels, preds = check_label_shapes(labels, preds, wrap=True)
        for pred, label in zip(preds, labels, strict=False):
            result = self._feval(as_numpy(label), as_numpy(pred))
            total, count = result if isinstance(result, tuple) else (result, 1)
            self.accumulate(total, count)

    def get_config(self) -> dict[str, Any]:
        """Raise an error, because settings cannot represent a function.

        Raises
        ------
        NotImplementedError
            Always.
        """
        raise NotImplementedError("CustomMetric cannot be serialized")


def np(
    numpy_feval: Callable[[Any, Any], Any], name: str | None = None, allow_extra_outputs: bool = False
) -> CustomMetric:
    """Create a metric from a function of two NumPy arrays, label and prediction.

    Parameters
    ----------
    numpy_feval : callable
        The function: ``numpy_feval(label, pred)`` returns a value, or a tuple of a sum and a count.
    name : str, optional
        Name of the metric; the function's name by default.
    allow_extra_outputs : bool
        Whether to accept more predictions than labels.

    Returns
    -------
    CustomMetric
        The metric.
    """

    def feval(label: Any, pred: Any) -> Any:
        return numpy_feval(label, pred)

    feval.__name__ = numpy_feval.__name__
    return CustomMetric(feval, name, allow_extra_outputs)
