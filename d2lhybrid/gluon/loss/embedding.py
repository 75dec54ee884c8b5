"""Losses that train a network to map similar examples to close vectors and dissimilar examples to distant vectors."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ...util import is_np_array
from ..hybrid_block import operators
from .base import Loss, reduce_to_batch, weigh
from .classification import KLDivLoss

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = ["CosineEmbeddingLoss", "SDMLLoss", "TripletLoss"]


class TripletLoss(Loss):
    """Triplet loss: a prediction should be closer, in squared distance, to a positive than to a negative example.

    Parameters
    ----------
    margin : float
        The required difference between the two squared distances.
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.
    """

    def __init__(self, margin: float = 1, weight: float | None = None, batch_axis: int = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, pred: Any, positive: Any, negative: Any) -> Tensor:
        """Compute the loss of each example.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        pred, positive, negative : NDArray or Symbol
            The predictions, and the positive and the negative examples.
        """
        op = operators(F)
        positive, negative = op.reshape_like(positive, pred), op.reshape_like(negative, pred)
        difference = op.square(positive - pred) - op.square(negative - pred)
        loss = op.relu(reduce_to_batch(F, "sum", difference, self._batch_axis) + self._margin)
        return weigh(F, loss, self._weight)


class CosineEmbeddingLoss(Loss):
    """Cosine embedding loss: ``1 - cosine`` for label 1, and ``max(0, cosine - margin)`` for label -1.

    Parameters
    ----------
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.
    margin : float
        The largest cosine of dissimilar vectors for which the loss is 0.
    """

    def __init__(self, weight: float | None = None, batch_axis: int = 0, margin: float = 0, **kwargs: Any) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._margin = margin

    def hybrid_forward(self, F: Any, input1: Any, input2: Any, label: Any, sample_weight: Any = None) -> Tensor:
        """Compute the loss of each pair.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        input1, input2 : NDArray or Symbol
            The vectors. Row ``i`` of ``input1`` and row ``i`` of ``input2`` are a pair.
        label : NDArray or Symbol
            1 for each pair of similar vectors, and -1 for each pair of dissimilar vectors.
        sample_weight : NDArray or Symbol, optional
            Factors by which the losses of the pairs are multiplied.
        """
        op = operators(F)
        input1 = op.reshape_like(input1, input2)
        label = op.reshape(label, (-1, 1))
        cosine = self._cosine_similarity(F, input1, input2)
        similar = (1 - cosine) * (label == 1)
        nothing = op.zeros((1, 1))
        dissimilar = op.broadcast_maximum(nothing, (label == -1) * (cosine - self._margin))
        return weigh(F, similar + dissimilar, self._weight, sample_weight)

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
    """Smoothed deep metric learning loss: in a batch of pairs, each example should be closest to its partner.

    Parameters
    ----------
    smoothing_parameter : float
        Probability that is distributed over all examples of the batch except the partner.
    weight, batch_axis, **kwargs
        Arguments of :class:`L2Loss`.
    """

    kl_loss: KLDivLoss

    def __init__(
        self, smoothing_parameter: float = 0.3, weight: float = 1.0, batch_axis: int = 0, **kwargs: Any
    ) -> None:
        super().__init__(weight, batch_axis, **kwargs)
        self._smoothing = smoothing_parameter
        self.kl_loss = KLDivLoss(from_logits=True)

    def hybrid_forward(self, F: Any, x1: Any, x2: Any) -> Tensor:
        """Compute the loss of each pair.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        x1, x2 : NDArray or Symbol
            The vectors. Row ``i`` of ``x1`` and row ``i`` of ``x2`` are a pair.
        """
        differences = F.broadcast_sub(F.expand_dims(x1, axis=1), F.expand_dims(x2, axis=0))
        distances = F.sum(F.square(differences), axis=2)
        # Create the identity matrix of the batch without its size, which symbols lack.
        numbers = F.contrib.arange_like(x1, axis=0)
        same = F.broadcast_equal(F.expand_dims(numbers, axis=1), F.expand_dims(numbers, axis=0))
        other = 1 - same
        share = F.broadcast_div(self._smoothing * other, F.sum(other, axis=1, keepdims=True))
        labels = (1 - self._smoothing) * same + share
        return weigh(F, self.kl_loss(F.log_softmax(-distances, axis=1), labels), self._weight)
