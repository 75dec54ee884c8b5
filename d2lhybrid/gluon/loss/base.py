"""The base class of all losses, and functions that weight examples and reduce a loss to the batch axis."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy

from ...util import is_np_array
from ..block import overridable
from ..hybrid_block import HybridBlock, operators

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = ["Loss", "reduce_to_batch", "reshape_like", "softplus_of_minus_abs", "weigh"]


class Loss(HybridBlock):
    """The base class of all losses.

    Parameters
    ----------
    weight : float or None
        Factor by which the loss is multiplied.
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

    @overridable
    def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Tensor | Any:
        """Compute the loss. Subclasses override this method.

        Parameters
        ----------
        F : module
            ``mx.nd`` or ``mx.sym``.
        x : NDArray or Symbol
            The prediction.
        *args, **kwargs : NDArray or Symbol
            The label, weights of the examples, and other inputs of the loss.

        Returns
        -------
        NDArray or Symbol
            The loss of each example.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def _mean(self, F: Any, loss: Any, sample_weight: Any = None, weight: float | None = None) -> Any:
        """Multiply the loss by its weights, and average it over all axes except the batch axis."""
        loss = weigh(F, loss, self._weight if weight is None else weight, sample_weight)
        return reduce_to_batch(F, "mean", loss, self._batch_axis)


def weigh(F: Any, loss: Any, weight: float | None = None, sample_weight: Any = None) -> Any:
    """Return a loss multiplied by ``sample_weight`` and by ``weight``.

    Parameters
    ----------
    F : module
        ``mx.nd`` or ``mx.sym``.
    loss : NDArray or Symbol
        The loss.
    weight : float, optional
        Factor by which the loss of every example is multiplied.
    sample_weight : NDArray or Symbol, optional
        Factors by which the losses of the examples are multiplied. The factors are broadcast to the shape of the loss.

    Returns
    -------
    NDArray or Symbol
        The weighted loss.

    Raises
    ------
    AssertionError
        If ``weight`` is not a number.
    """
    if sample_weight is not None:
        loss = operators(F).broadcast_mul(loss, sample_weight)
    if weight is not None:
        if not isinstance(weight, float | int | numpy.generic):
            raise AssertionError("weight must be a number")
        loss = loss * weight
    return loss


def reshape_like(F: Any, x: Any, y: Any) -> Any:
    """Reshape an array or a symbol to the shape of another array or symbol.

    Parameters
    ----------
    F : module
        ``mx.nd`` or ``mx.sym``.
    x, y : NDArray or Symbol
        The values to reshape, and the values with the shape of the result.

    Returns
    -------
    NDArray or Symbol
        ``x`` in the shape of ``y``.
    """
    return operators(F).reshape_like(x, y)


def reduce_to_batch(F: Any, name: str, loss: Any, batch_axis: int) -> Any:
    """Return the mean or the sum of a loss over all axes except the batch axis.

    Parameters
    ----------
    F : module
        ``mx.nd`` or ``mx.sym``.
    name : {"mean", "sum"}
        The reduction.
    loss : NDArray or Symbol
        The loss.
    batch_axis : int
        The axis of the examples.

    Returns
    -------
    NDArray or Symbol
        One value for each example.
    """
    op = operators(F)
    if not is_np_array():
        return getattr(op, name)(loss, axis=batch_axis, exclude=True)
    if batch_axis != 0:
        loss = op.swapaxes(loss, 0, batch_axis)
    return getattr(op, name)(op.Flatten(loss), axis=1)


def softplus_of_minus_abs(op: Any, x: Any) -> Any:
    """Return ``log(1 + exp(-|x|))``, the part of a logistic loss that never overflows.

    Parameters
    ----------
    op : module
        The result of :func:`~d2lhybrid.gluon.hybrid_block.operators`.
    x : NDArray or Symbol
        The values.

    Returns
    -------
    NDArray or Symbol
        The results, element by element.
    """
    return op.Activation(-op.abs(x), act_type="softrelu")
