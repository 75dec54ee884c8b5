"""Functions that choose and check the metrics of an estimator."""

from __future__ import annotations

from typing import Any

from d2lhybrid.metric import Accuracy, CompositeEvalMetric, EvalMetric

from ...loss import SoftmaxCrossEntropyLoss

__all__ = ["as_metrics", "check_handler_metrics", "suggest_metric"]


def as_metrics(metrics: Any) -> list[Any]:
    """Return metrics as a list. A composite metric is split into the metrics that it contains.

    Parameters
    ----------
    metrics : EvalMetric, list of EvalMetric, or None
        The metric, or the metrics.

    Returns
    -------
    list of EvalMetric
        The metrics.

    Raises
    ------
    ValueError
        If an element is not a metric.
    """
    if isinstance(metrics, CompositeEvalMetric):
        return [m for metric in metrics.metrics for m in as_metrics(metric)]
    as_list = [metrics] if isinstance(metrics, EvalMetric) else metrics or []
    if not isinstance(as_list, list | tuple) or not all(isinstance(m, EvalMetric) for m in as_list):
        raise ValueError(f"metrics must be a Metric or a list of Metric, refer to mxnet.metric.EvalMetric: {metrics}")
    return as_list if isinstance(as_list, list) else list(as_list)


def check_handler_metrics(handler: Any, known: set[Any]) -> None:
    """Check that the estimator uses all metrics of a handler.

    Parameters
    ----------
    handler : EventHandler
        The handler.
    known : set of EvalMetric
        The metrics that the estimator uses.

    Raises
    ------
    ValueError
        If the estimator does not use one of the handler's metrics, so that this metric would never be updated.
    """
    for name in dir(handler):
        reference = getattr(handler, name) if "metric" in name else None
        for metric in reference if isinstance(reference, list) else [reference]:
            if metric and metric not in known:
                raise ValueError(
                    f"Event handler {type(handler).__name__} refers to a metric instance {metric} outside of the known "
                    "training and validation metrics. Please use the metrics from estimator.train_metrics and "
                    "estimator.val_metrics instead."
                )


def suggest_metric(loss: Any) -> Any:
    """Return the default metric for a loss: ``Accuracy`` for a softmax cross-entropy loss, and None for all others.

    Parameters
    ----------
    loss : Loss
        The loss.

    Returns
    -------
    EvalMetric or None
        The metric.
    """
    return Accuracy() if isinstance(loss, SoftmaxCrossEntropyLoss) else None
