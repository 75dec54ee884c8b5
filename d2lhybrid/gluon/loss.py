"""Losses: blocks that compare predictions with labels and return one number an example."""

from __future__ import annotations

from typing import Any

import numpy

from ..util import is_np_array
from .dialect import operators
from .hybrid_block import HybridBlock

__all__ = [
    "CTCLoss",
    "CosineEmbeddingLoss",
    "HingeLoss",
    "HuberLoss",
    "KLDivLoss",
    "L1Loss",
    "L2Loss",
    "LogisticLoss",
    "Loss",
    "PoissonNLLLoss",
    "SDMLLoss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
    "SquaredHingeLoss",
    "TripletLoss",
]


class Loss(HybridBlock):
    """Base of all losses.

    Parameters
    ----------
    weight : float or None
        Factor of the loss.
    batch_axis : int
        The axis of the examples.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(self, weight: float | None, batch_axis: int, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._weight, self._batch_axis = weight, batch_axis

    def __repr__(self) -> str:
        return f"{type(self).__name__}(batch_axis={self._batch_axis}, w={self._weight})"

    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
        """Compute the loss. Subclasses override this."""
        raise NotImplementedError

    def _mean(self, F: Any, loss: Any, sample_weight: Any = None, weight: float | None = None) -> Any:
        """Weigh the loss, and average over all axes but the batch's."""
        loss = _weigh(F, loss, self._weight if weight is None else weight, sample_weight)
        return _reduce(F, "mean", loss, self._batch_axis)


def _weigh(F: Any, loss: Any, weight: float | None = None, sample_weight: Any = None) -> Any:
    """Multiply a loss by weights of the examples and by a number, each if given."""
    if sample_weight is not None:
        loss = operators(F).broadcast_mul(loss, sample_weight)
    if weight is not None:
        if not isinstance(weight, float | int | numpy.generic):
            raise AssertionError("weight must be a number")
        loss = loss * weight
    return loss


def _reduce(F: Any, name: str, loss: Any, batch_axis: int) -> Any:
    """Return the mean or the sum over all axes but the batch's."""
    op = operators(F)
    if not is_np_array():
        return getattr(op, name)(loss, axis=batch_axis, exclude=True)
    if batch_axis != 0:
        loss = op.swapaxes(loss, 0, batch_axis)
    return getattr(op, name)(op.Flatten(loss), axis=1)


def _softplus_of_minus_abs(op: Any, x: Any) -> Any:
    """Return ``log(1 + exp(-|x|))``, the part of a logistic loss that never overflows."""
    return op.Activation(-op.abs(x), act_type="softrelu")


class L2Loss(Loss):
    """Half the squared difference: ``(label - pred)² / 2``.

    Parameters
    ----------
    weight : float
        Factor of the loss.
    batch_axis : int
        The axis of the examples.
    **kwargs
        ``prefix`` and ``params``.

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

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        label = op.reshape_like(label, pred)
        half = self._weight / 2  # type: ignore[operator]
        return self._mean(F, op.square(label - pred), sample_weight, half)


class L1Loss(Loss):
    """Absolute difference: ``|label - pred|``; the parameters are those of :class:`L2Loss`."""

    def __init__(self, weight: float | None = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        label = op.reshape_like(label, pred)
        return self._mean(F, op.abs(label - pred), sample_weight)


class SigmoidBinaryCrossEntropyLoss(Loss):
    """Cross-entropy of two classes.

    Parameters
    ----------
    from_sigmoid : bool
        Whether predictions are probabilities already; else a sigmoid is applied.
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.
    """

    def __init__(
        self, from_sigmoid: bool = False, weight: float | None = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_sigmoid = from_sigmoid

    def hybrid_forward(
        self, F: Any, pred: Any, label: Any, sample_weight: Any = None, pos_weight: Any = None
    ) -> Any:
        """Compute the loss; ``pos_weight`` is a factor for the positive examples of each class."""
        op = operators(F)
        label = op.reshape_like(label, pred)
        if self._from_sigmoid:
            positive = op.log(pred + 1e-12) * label
            if pos_weight is not None:
                positive = op.broadcast_mul(positive, pos_weight)
            loss = -(positive + op.log(1.0 - pred + 1e-12) * (1.0 - label))
        elif pos_weight is None:
            loss = op.relu(pred) - pred * label + _softplus_of_minus_abs(op, pred)
        else:
            log_weight = 1 + op.broadcast_mul(pos_weight - 1, label)
            loss = pred - pred * label + log_weight * (_softplus_of_minus_abs(op, pred) + op.relu(-pred))
        return self._mean(F, loss, sample_weight)


SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss


class SoftmaxCrossEntropyLoss(Loss):
    """Cross-entropy of several classes: minus the logarithm of the right class's probability.

    Parameters
    ----------
    axis : int
        The axis of the classes.
    sparse_label : bool
        Whether labels are class numbers; else they are probabilities of all classes.
    from_logits : bool
        Whether predictions are log-probabilities already; else log-softmax is applied.
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> SoftmaxCrossEntropyLoss()(nd.array([[1, 2, 3]]), nd.array([2]))
    <BLANKLINE>
    [0.40760595]
    <NDArray 1 @cpu(0)>
    """

    def __init__(
        self,
        axis: int = -1,
        sparse_label: bool = True,
        from_logits: bool = False,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._axis, self._sparse_label, self._from_logits = axis, sparse_label, from_logits

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        if not self._from_logits:
            pred = op.log_softmax(pred, axis=self._axis)
        if self._sparse_label:
            loss = -op.pick(pred, label, axis=self._axis, keepdims=True)
        else:
            label = op.reshape_like(label, pred)
            loss = -op.sum(pred * label, axis=self._axis, keepdims=True)
        return self._mean(F, loss, sample_weight)


SoftmaxCELoss = SoftmaxCrossEntropyLoss


class KLDivLoss(Loss):
    """Kullback-Leibler divergence of the prediction from the label, both distributions.

    Parameters
    ----------
    from_logits : bool
        Whether predictions are log-probabilities already; else log-softmax is applied.
    axis : int
        The axis of the classes.
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.
    """

    def __init__(
        self,
        from_logits: bool = True,
        axis: int = -1,
        weight: float | None = None,
        batch_axis: int = 0,
        **kwargs: Any,
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_logits, self._axis = from_logits, axis

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        if not self._from_logits:
            pred = op.log_softmax(pred, axis=self._axis)
        loss = label * (op.log(label + 1e-12) - pred)
        return _reduce(F, "sum", _weigh(F, loss, self._weight, sample_weight), self._batch_axis)


class CTCLoss(Loss):
    """Connectionist temporal classification: labels of a sequence whose alignment is not known.

    Parameters
    ----------
    layout : str
        ``"NTC"`` or ``"TNC"``, for predictions.
    label_layout : str
        ``"NT"`` or ``"TN"``.
    weight : float, optional
        Factor of the loss.
    **kwargs
        ``prefix`` and ``params``.

    Raises
    ------
    AssertionError
        For another layout.
    """

    def __init__(
        self, layout: str = "NTC", label_layout: str = "NT", weight: float | None = None, **kwargs: Any
    ) -> None:
        if layout not in ("NTC", "TNC"):
            raise AssertionError(f"Only 'NTC' and 'TNC' layouts for pred are supported. Got: {layout}")
        if label_layout not in ("NT", "TN"):
            raise AssertionError(f"Only 'NT' and 'TN' layouts for label are supported. Got: {label_layout}")
        super().__init__(weight, label_layout.index("N"), **kwargs)
        self._layout, self._label_layout = layout, label_layout

    def hybrid_forward(
        self,
        F: Any,
        pred: Any,
        label: Any,
        pred_lengths: Any = None,
        label_lengths: Any = None,
        sample_weight: Any = None,
    ) -> Any:
        """Compute the loss; the lengths say how much of each padded sequence counts."""
        if self._layout == "NTC":
            pred = F.swapaxes(pred, 0, 1)
        if self._batch_axis == 1:
            label = F.swapaxes(label, 0, 1)
        loss = F.CTCLoss(
            pred, label, pred_lengths, label_lengths, use_data_lengths=pred_lengths is not None,
            use_label_lengths=label_lengths is not None, blank_label="last",
        )  # fmt: skip
        return _weigh(F, loss, self._weight, sample_weight)


class HuberLoss(Loss):
    """L1 loss for large differences, L2 loss for small ones.

    Parameters
    ----------
    rho : float
        Where one goes over into the other.
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.
    """

    def __init__(
        self, rho: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._rho = rho

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        label = op.reshape_like(label, pred)
        distance = op.abs(label - pred)
        far, near = distance - 0.5 * self._rho, (0.5 / self._rho) * op.square(distance)
        return self._mean(F, op.where(distance > self._rho, far, near), sample_weight)


class HingeLoss(Loss):
    """``max(0, margin - pred · label)`` for labels -1 and 1.

    Parameters
    ----------
    margin : float
        From where on a right prediction costs nothing.
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.
    """

    def __init__(
        self, margin: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        label = op.reshape_like(label, pred)
        return self._mean(F, op.relu(self._margin - pred * label), sample_weight)


class SquaredHingeLoss(HingeLoss):
    """The square of :class:`HingeLoss`."""

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        label = op.reshape_like(label, pred)
        return self._mean(F, op.square(op.relu(self._margin - pred * label)), sample_weight)


class LogisticLoss(Loss):
    """Logistic regression: ``log(1 + exp(-pred · label))`` for labels -1 and 1.

    Parameters
    ----------
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.
    label_format : str
        ``"signed"`` for labels -1 and 1, ``"binary"`` for 0 and 1.

    Raises
    ------
    ValueError
        For another format.
    """

    def __init__(
        self, weight: float | None = None, batch_axis: int = 0, label_format: str = "signed", **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        if label_format not in ("signed", "binary"):
            raise ValueError(f"label_format can only be signed or binary, recieved {label_format}.")
        self._label_format = label_format

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        label = op.reshape_like(label, pred)
        if self._label_format == "signed":
            label = (label + 1.0) / 2.0
        loss = op.relu(pred) - pred * label + _softplus_of_minus_abs(op, pred)
        return self._mean(F, loss, sample_weight)


class TripletLoss(Loss):
    """How much nearer (in squared distance) a prediction is to a positive than to a negative example.

    Parameters
    ----------
    margin : float
        How much nearer it should be.
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.
    """

    def __init__(
        self, margin: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, positive: Any, negative: Any) -> Any:
        """Compute the loss."""
        op = operators(F)
        positive, negative = op.reshape_like(positive, pred), op.reshape_like(negative, pred)
        difference = op.square(positive - pred) - op.square(negative - pred)
        loss = op.relu(_reduce(F, "sum", difference, self._batch_axis) + self._margin)
        return _weigh(F, loss, self._weight)


class PoissonNLLLoss(Loss):
    """Negative log-likelihood of counts under a Poisson distribution; the mean over all elements.

    Parameters
    ----------
    weight : float, optional
        Factor of the loss.
    from_logits : bool
        Whether predictions are logarithms of the rate; else they are the rate.
    batch_axis : int
        The axis of the examples.
    compute_full : bool
        Add Stirling's approximation of the part that depends on the target only.
    **kwargs
        ``prefix`` and ``params``.
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
    ) -> Any:
        """Compute the loss; ``epsilon`` keeps the logarithm of the rate finite."""
        op = operators(F)
        target = op.reshape_like(target, pred)
        if self._from_logits:
            loss = op.exp(pred) - target * pred
        else:
            loss = pred - target * op.log(pred + epsilon)
        if self._compute_full:
            stirling = target * op.log(target) - target + 0.5 * op.log(2 * target * numpy.pi)
            loss = loss + stirling * (target > 1)
        return op.mean(_weigh(F, loss, self._weight, sample_weight))


class CosineEmbeddingLoss(Loss):
    """One minus the cosine of two vectors for label 1, the cosine above a margin for label -1.

    Parameters
    ----------
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.
    margin : float
        Up to which cosine dissimilar vectors cost nothing.
    """

    def __init__(
        self, weight: float | None = None, batch_axis: int = 0, margin: float = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, input1: Any, input2: Any, label: Any, sample_weight: Any = None) -> Any:
        """Compute the loss."""
        op = operators(F)
        input1 = op.reshape_like(input1, input2)
        label = op.reshape(label, (-1, 1))
        cosine = self._cosine_similarity(F, input1, input2)
        similar = (1 - cosine) * (label == 1)
        nothing = op.zeros((1, 1))
        dissimilar = op.broadcast_maximum(nothing, (label == -1) * (cosine - self._margin))
        return _weigh(F, similar + dissimilar, self._weight, sample_weight)

    @staticmethod
    def _cosine_similarity(F: Any, x: Any, y: Any) -> Any:
        op = operators(F)
        norm = F.np.linalg.norm if is_np_array() else F.norm
        full = F.np.full if is_np_array() else F.full
        x_norm = op.reshape(norm(x, axis=-1), (-1, 1))
        y_norm = op.reshape(norm(y, axis=-1), (-1, 1))
        product = op.reshape(op.sum(x * y, axis=-1), (-1, 1))
        return product / op.broadcast_maximum(x_norm * y_norm, full((1, 1), 1e-12))


class SDMLLoss(Loss):
    """Smoothed deep metric learning: in a batch of pairs, each should be nearest to its own partner.

    Parameters
    ----------
    smoothing_parameter : float
        Probability that is given to the other examples of the batch.
    weight, batch_axis, **kwargs
        As for :class:`L2Loss`.
    """

    def __init__(
        self, smoothing_parameter: float = 0.3, weight: float = 1.0, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._smoothing = smoothing_parameter
        self.kl_loss = KLDivLoss(from_logits=True)

    def hybrid_forward(self, F: Any, x1: Any, x2: Any) -> Any:
        """Compute the loss; row i of ``x1`` belongs to row i of ``x2``."""
        differences = F.broadcast_sub(F.expand_dims(x1, axis=1), F.expand_dims(x2, axis=0))
        distances = F.sum(F.square(differences), axis=2)
        # The identity matrix of the batch, without asking for its size.
        numbers = F.contrib.arange_like(x1, axis=0)
        same = F.broadcast_equal(F.expand_dims(numbers, axis=1), F.expand_dims(numbers, axis=0))
        other = 1 - same
        share = F.broadcast_div(self._smoothing * other, F.sum(other, axis=1, keepdims=True))
        labels = (1 - self._smoothing) * same + share
        return _weigh(F, self.kl_loss(F.log_softmax(-distances, axis=1), labels), self._weight)
