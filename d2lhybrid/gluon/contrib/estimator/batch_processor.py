"""The object that processes batches for an estimator."""

from __future__ import annotations

from typing import Any

from d2lhybrid import autograd
from d2lhybrid.internals.support.display import Shown

from ...utils import split_and_load

__all__ = ["BatchProcessor"]


class BatchProcessor(Shown):
    """The object that runs an estimator's forward and backward passes. Subclasses may override its methods."""

    def _get_data_and_label(self, batch: Any, ctx: Any, batch_axis: int = 0) -> tuple[Any, Any]:
        data = split_and_load(batch[0], ctx_list=ctx, batch_axis=batch_axis)
        label = split_and_load(batch[1], ctx_list=ctx, batch_axis=batch_axis)
        return data, label

    def evaluate_batch(self, estimator: Any, val_batch: Any, batch_axis: int = 0) -> tuple[Any, Any, Any, Any]:
        """Return the data, labels, predictions, and losses of a batch.

        Each of these four values is a list with an element for each device.

        Parameters
        ----------
        estimator : Estimator
            The estimator with the nets, losses, and devices.
        val_batch : sequence
            Data and labels from the data loader.
        batch_axis : int
            The axis along which the batch is split.

        Returns
        -------
        tuple of four lists of NDArray
            Data, labels, predictions, and losses.
        """
        data, label = self._get_data_and_label(val_batch, estimator.context, batch_axis)
        pred = [estimator.val_net(x) for x in data]
        loss = [estimator.val_loss(y_hat, y) for y_hat, y in zip(pred, label, strict=True)]
        return data, label, pred, loss

    def fit_batch(self, estimator: Any, train_batch: Any, batch_axis: int = 0) -> tuple[Any, Any, Any, Any]:
        """Run the forward and backward passes in training mode, and return the same values as :meth:`evaluate_batch`.

        This method doesn't update the weights. :class:`GradientUpdateHandler` updates them.

        Parameters
        ----------
        estimator : Estimator
            The estimator with the nets, losses, and devices.
        train_batch : sequence
            Data and labels from the data loader.
        batch_axis : int
            The axis along which the batch is split.

        Returns
        -------
        tuple of four lists of NDArray
            Data, labels, predictions, and losses.
        """
        data, label = self._get_data_and_label(train_batch, estimator.context, batch_axis)
        with autograd.record():
            pred = [estimator.net(x) for x in data]
            loss = [estimator.loss(y_hat, y) for y_hat, y in zip(pred, label, strict=True)]
        for one in loss:
            one.backward()
        return data, label, pred, loss
