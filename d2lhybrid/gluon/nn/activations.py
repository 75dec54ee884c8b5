"""Activation functions as layers."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from ... import initializer
from ...util import np_arrays
from ..hybrid_block import HybridBlock, operators
from ..parameter import Parameter
from .basic_layers import Activation

if TYPE_CHECKING:
    from ...typing import Tensor

__all__ = ["ELU", "GELU", "SELU", "Activation", "LeakyReLU", "PReLU", "Swish"]


class LeakyReLU(HybridBlock):
    """An activation that keeps positive elements and multiplies negative elements by a small slope.

    Parameters
    ----------
    alpha : float
        The slope, at least 0.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.

    Raises
    ------
    AssertionError
        If the slope is negative.
    """

    def __init__(self, alpha: float, **kwargs: Any) -> None:
        if not alpha >= 0:
            raise AssertionError("Slope coefficient for LeakyReLU must be no less than 0.")
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Apply the leaky ReLU to each element. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).LeakyReLU(x, act_type="leaky", slope=self._alpha, name="fwd")

    def __repr__(self) -> str:
        return f"{type(self).__name__}({self._alpha})"


class PReLU(HybridBlock):
    """A leaky ReLU whose slope is a parameter.

    Parameters
    ----------
    alpha_initializer : Initializer, optional
        Initializer of the slope; ``Constant(0.25)`` by default.
    in_channels : int
        Number of slopes: 1 for a slope that all channels share, or the number of channels.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(self, alpha_initializer: Any = None, in_channels: int = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        if alpha_initializer is None:
            alpha_initializer = initializer.Constant(0.25)
        with self.name_scope():
            self.alpha: Parameter = self.params.get("alpha", shape=(in_channels,), init=alpha_initializer)

    def hybrid_forward(self, F: Any, x: Any, alpha: Any) -> Tensor:
        """Apply the leaky ReLU with the slope ``alpha``. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).LeakyReLU(x, alpha, act_type="prelu", name="fwd")


class ELU(HybridBlock):
    """Exponential linear unit: ``x`` if ``x`` is positive, and ``alpha (exp(x) - 1)`` otherwise.

    Parameters
    ----------
    alpha : float
        Absolute value of the limit for large negative inputs.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(self, alpha: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._alpha = alpha

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Apply the exponential linear unit to each element. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).LeakyReLU(x, act_type="elu", slope=self._alpha)


class SELU(HybridBlock):
    """Scaled exponential linear unit (SELU).

    The constants of SELU keep the mean near 0 and the variance near 1 from layer to layer.
    """

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Apply the scaled exponential linear unit to each element. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).LeakyReLU(x, act_type="selu", name="fwd")


class GELU(HybridBlock):
    """Gaussian error linear unit: ``x`` times the standard normal distribution function at ``x``."""

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Apply the Gaussian error linear unit to each element. ``F`` is ``mx.nd`` or ``mx.sym``."""
        return operators(F).LeakyReLU(x, act_type="gelu", name="fwd")


class Swish(HybridBlock):
    """Swish activation: ``x · sigmoid(beta x)``.

    Parameters
    ----------
    beta : float
        Factor by which ``x`` is multiplied inside the sigmoid.
    **kwargs
        ``prefix`` and ``params`` of :class:`~d2lhybrid.gluon.Block`.
    """

    def __init__(self, beta: float = 1.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self._beta = beta

    def hybrid_forward(self, F: Any, x: Any) -> Tensor:
        """Apply the Swish function to each element. ``F`` is ``mx.nd`` or ``mx.sym``."""
        if np_arrays.np:
            return x * F.npx.sigmoid(self._beta * x)
        return x * F.sigmoid(self._beta * x, name="fwd")
