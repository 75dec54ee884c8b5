"""Losses for classification."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ..hybrid_block import operators
from .base import Loss, reduce_to_batch, softplus_of_minus_abs, weigh

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = [
    "CTCLoss",
    "HingeLoss",
    "KLDivLoss",
    "LogisticLoss",
    "SigmoidBCELoss",
    "SigmoidBinaryCrossEntropyLoss",
    "SoftmaxCELoss",
    "SoftmaxCrossEntropyLoss",
    "SquaredHingeLoss",
]


class SigmoidBinaryCrossEntropyLoss(Loss):
    """Binary cross-entropy of each output with a label between 0 and 1, averaged over the outputs of an example.

    Parameters
    ----------
    from_sigmoid : bool
        Whether predictions are probabilities. If False, the loss applies a sigmoid.
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.
    """

    def __init__(
        self, from_sigmoid: bool = False, weight: float | None = None, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._from_sigmoid = from_sigmoid

    def hybrid_forward(
        self, F: Any, pred: Any, label: Any, sample_weight: Any = None, pos_weight: Any = None
    ) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions, and labels between 0 and 1.
        sample_weight : NDArray or Symbol, optional
            The weights of the examples.
        pos_weight : NDArray or Symbol, optional
            The weight of the loss term of positive labels, for each class.
        """
        op = operators(F)
        label = op.reshape_like(label, pred)
        if self._from_sigmoid:
            positive = op.log(pred + 1e-12) * label
            if pos_weight is not None:
                positive = op.broadcast_mul(positive, pos_weight)
            loss = -(positive + op.log(1.0 - pred + 1e-12) * (1.0 - label))
        elif pos_weight is None:
            loss = op.relu(pred) - pred * label + softplus_of_minus_abs(op, pred)
        else:
            log_weight = 1 + op.broadcast_mul(pos_weight - 1, label)
            loss = pred - pred * label + log_weight * (softplus_of_minus_abs(op, pred) + op.relu(-pred))
        return self._mean(F, loss, sample_weight)


SigmoidBCELoss = SigmoidBinaryCrossEntropyLoss


class SoftmaxCrossEntropyLoss(Loss):
    """Cross-entropy of several classes: the negative logarithm of the correct class's probability.

    Parameters
    ----------
    axis : int
        The axis of the classes.
    sparse_label : bool
        Whether a label is a class index. If False, a label contains the probabilities of all classes.
    from_logits : bool
        Whether predictions are log-probabilities. If False, the loss applies log-softmax.
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> loss = SoftmaxCrossEntropyLoss()(nd.array([[1, 2, 3]]), nd.array([2]))
    >>> round(float(loss.asscalar()), 4)
    0.4076
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

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the labels.
        sample_weight : NDArray or Symbol, optional
            The weights of the examples.
        """
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
    """Kullback-Leibler divergence: ``label · (log(label) - pred)``, where ``pred`` contains log-probabilities.

    The divergence is summed over all axes except the batch axis, not averaged.

    Parameters
    ----------
    from_logits : bool
        Whether predictions are log-probabilities. If False, the loss applies log-softmax.
    axis : int
        The axis of the classes.
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.
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

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the labels.
        sample_weight : NDArray or Symbol, optional
            The weights of the examples.
        """
        op = operators(F)
        if not self._from_logits:
            pred = op.log_softmax(pred, axis=self._axis)
        loss = label * (op.log(label + 1e-12) - pred)
        return reduce_to_batch(F, "sum", weigh(F, loss, self._weight, sample_weight), self._batch_axis)


class HingeLoss(Loss):
    """Hinge loss: ``max(0, margin - pred · label)`` for labels -1 and 1.

    Parameters
    ----------
    margin : float
        The smallest value of ``pred · label`` for which the loss is 0.
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.
    """

    def __init__(self, margin: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the labels.
        sample_weight : NDArray or Symbol, optional
            The weights of the examples.
        """
        op = operators(F)
        label = op.reshape_like(label, pred)
        return self._mean(F, op.relu(self._margin - pred * label), sample_weight)


class SquaredHingeLoss(HingeLoss):
    """The squared hinge loss: ``max(0, margin - pred · label)²`` for labels -1 and 1.

    The parameters are those of :class:`HingeLoss`.
    """

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the labels.
        sample_weight : NDArray or Symbol, optional
            The weights of the examples.
        """
        op = operators(F)
        label = op.reshape_like(label, pred)
        return self._mean(F, op.square(op.relu(self._margin - pred * label)), sample_weight)


class LogisticLoss(Loss):
    """Logistic loss: ``log(1 + exp(-pred · label))`` for labels -1 and 1.

    Parameters
    ----------
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.
    label_format : str
        ``"signed"`` for labels -1 and 1, or ``"binary"`` for labels 0 and 1.

    Raises
    ------
    ValueError
        If the format is unknown.
    """

    def __init__(
        self, weight: float | None = None, batch_axis: int = 0, label_format: str = "signed", **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        if label_format not in ("signed", "binary"):
            raise ValueError(f"label_format can only be signed or binary, recieved {label_format}.")
        self._label_format = label_format

    def hybrid_forward(self, F: Any, pred: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the labels.
        sample_weight : NDArray or Symbol, optional
            The weights of the examples.
        """
        op = operators(F)
        label = op.reshape_like(label, pred)
        if self._label_format == "signed":
            label = (label + 1.0) / 2.0
        loss = op.relu(pred) - pred * label + softplus_of_minus_abs(op, pred)
        return self._mean(F, loss, sample_weight)


class CTCLoss(Loss):
    """Connectionist temporal classification (CTC) loss, for label sequences that are not aligned with the predictions.

    The last class is the blank class.

    Parameters
    ----------
    layout : str
        Layout of predictions: ``"NTC"`` or ``"TNC"``.
    label_layout : str
        Layout of labels: ``"NT"`` or ``"TN"``.
    weight : float, optional
        Factor by which the loss is multiplied.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If a layout is unknown.
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
    ) -> Tensor:
        """Compute the loss of each sequence.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, label : NDArray or Symbol
            The predictions and the label sequences, in the layouts of the loss.
        pred_lengths, label_lengths : NDArray or Symbol, optional
            Number of valid steps of each padded sequence, in the predictions and in the labels.
        sample_weight : NDArray or Symbol, optional
            Factors by which the losses of the sequences are multiplied.
        """
        if self._layout == "NTC":
            pred = F.swapaxes(pred, 0, 1)
        if self._batch_axis == 1:
            label = F.swapaxes(label, 0, 1)
        loss = F.CTCLoss(
            pred, label, pred_lengths, label_lengths, use_data_lengths=pred_lengths is not None,
            use_label_lengths=label_lengths is not None, blank_label="last",
        )  # fmt: skip
        return weigh(F, loss, self._weight, sample_weight)
