"""Blocks that MXNet keeps apart from the stable ones, and the training loop as an object."""

from __future__ import annotations

from . import data, estimator, nn, rnn

__all__ = ["data", "estimator", "nn", "rnn"]
