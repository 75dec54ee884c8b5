"""Losses for real numbers and counts."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

from ..hybrid_block import operators
from .base import Loss, weigh

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = ["HuberLoss", "L1Loss", "L2Loss", "PoissonNLLLoss"]


class L2Loss(Loss):
    """Half the squared error, ``(label - pred)² / 2``, averaged over the outputs of an example.

    Parameters
    ----------
    weight : float
        Factor by which the loss is multiplied.
    batch_axis : int
        The axis of the examples.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> L2Loss()(nd.array([[1, 2], [3, 4]]), nd.array([[1, 4], [3, 4]]))
    <BLANKLINE>
    [1. 0.]
    <NDArray 2 @cpu(0)>
    """

    def __init__(self, weight: float = 1.0, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the labels.
        sample_weight : NDArray or Symbol, optional
            Factors by which the losses of the examples are multiplied.
        """
        op = operators(F)
        label = op.reshape_like(label, pred)
        half = self._weight / 2  # type: ignore[operator]
        return self._mean(F, op.square(label - pred), sample_weight, half)


class L1Loss(Loss):
    """Absolute error, ``|label - pred|``, averaged over the outputs of an example.

    The parameters are those of :class:`L2Loss`.
    """

    def __init__(self, weight: float | None = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the labels.
        sample_weight : NDArray or Symbol, optional
            Factors by which the losses of the examples are multiplied.
        """
        op = operators(F)
        label = op.reshape_like(label, pred)
        return self._mean(F, op.abs(label - pred), sample_weight)


class HuberLoss(Loss):
    """A loss that is quadratic for small errors and linear for large errors.

    Parameters
    ----------
    rho : float
        The error above which the loss is linear.
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.
    """

    def __init__(self, rho: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the labels.
        sample_weight : NDArray or Symbol, optional
            Factors by which the losses of the examples are multiplied.
        """
        op = operators(F)
        label = op.reshape_like(label, pred)
        distance = op.abs(label - pred)
        far, near = distance - 0.5 * self._rho, (0.5 / self._rho) * op.square(distance)
        return self._mean(F, op.where(distance > self._rho, far, near), sample_weight)


class PoissonNLLLoss(Loss):
    """Negative log-likelihood of counts under a Poisson distribution, averaged over all elements.

    Parameters
    ----------
    weight : float, optional
        Factor by which the loss is multiplied.
    from_logits : bool
        Whether predictions are logarithms of the rate. If False, predictions are rates.
    batch_axis : int
        Ignored, because the loss is a single value.
    compute_full : bool
        Whether to add Stirling's approximation of the terms that depend only on the target.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(
        self,
        weight: float | None = None,
        from_logits: bool = True,
        batch_axis: int = 0,
        compute_full: bool = False,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits, self._compute_full = from_logits, compute_full

    def hybrid_forward(
        self, F: Any, pred: Any, target: Any, sample_weight: Any = None, epsilon: float = 1e-08
    ) -> Tensor:
        """Compute the mean loss.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, target : NDArray or Symbol
            The predictions and the counts.
        sample_weight : NDArray or Symbol, optional
            Factors by which the losses of the examples are multiplied.
        epsilon : float
            Value that is added to a predicted rate, so that the logarithm of the sum is finite. Ignored if
            ``from_logits`` is True.
        """
        op = operators(F)
        target = op.reshape_like(target, pred)
        if self._from_logits:
            loss = op.exp(pred) - target * pred
        else:
            loss = pred - target * op.log(pred + epsilon)
        if self._compute_full:
            stirling = target * op.log(target) - target + 0.5 * op.log(2 * target * math.pi)
            loss = loss + stirling * (target > 1)
        return op.mean(weigh(F, loss, self._weight, sample_weight))
