"""Metrics (``mx.metric``), which measure the quality of predictions as running averages.

>>> import d2lhybrid as mx
>>> metric = mx.metric.Accuracy()
>>> metric.update([mx.nd.array([1, 0])], [mx.nd.array([[0.2, 0.8], [0.3, 0.7]])])
>>> metric.get()
('accuracy', 0.5)
"""

from __future__ import annotations

from .. import ndarray as ndarray  # libraries import this name from this module
from .base import (
    Caffe,
    CompositeEvalMetric,
    CustomMetric,
    EvalMetric,
    Loss,
    Torch,
    alias,
    check_label_shapes,
    create,
    np,
    register,
)
from .classification import (
    F1,
    MCC,
    PCC,
    Accuracy,
    CrossEntropy,
    NegativeLogLikelihood,
    Perplexity,
    TopKAccuracy,
)
from .regression import MAE, MSE, RMSE, PearsonCorrelation

__all__ = [
    "F1",
    "MAE",
    "MCC",
    "MSE",
    "PCC",
    "RMSE",
    "Accuracy",
    "Caffe",
    "CompositeEvalMetric",
    "CrossEntropy",
    "CustomMetric",
    "EvalMetric",
    "Loss",
    "NegativeLogLikelihood",
    "PearsonCorrelation",
    "Perplexity",
    "TopKAccuracy",
    "Torch",
    "alias",
    "check_label_shapes",
    "create",
    "np",
    "register",
]
