"""MXNet's experimental blocks, and the estimator, an object that runs the training loop."""

from __future__ import annotations

from ...internals.support.absent import refusing
from . import cnn, data, estimator, nn, rnn

__all__ = ["cnn", "data", "estimator", "nn", "rnn"]

globals()["__getattr__"] = refusing(__name__)
