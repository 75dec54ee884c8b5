"""Update steps of AdamW for ``sym.contrib``: functions that create nodes."""

from __future__ import annotations

from typing import Any

from . import _internal
from ._functions import full
from .symbol import Symbol

__all__ = ["adamw_update", "mp_adamw_update"]


def _scale(rescale_grad: Any, weight: Any) -> Any:
    """Return the scale as a symbol."""
    return rescale_grad if isinstance(rescale_grad, Symbol) else full((1,), rescale_grad)


def adamw_update(
    weight: Any,
    grad: Any,
    mean: Any,
    var: Any,
    rescale_grad: Any,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0,
    clip_gradient: float = -1,
    out: Any = None,
    name: str | None = None,
    **kwargs: Any,
) -> Any:
    """Create a node that runs one step of Adam with decoupled weight decay.

    Parameters
    ----------
    weight, grad : Symbol
        The weight and its gradient.
    mean, var : Symbol
        Running means of the gradient and of its square, which are updated in place.
    rescale_grad : Symbol or float
        Factor by which the gradient is multiplied. If the factor is zero, infinite, or NaN, nothing changes.
    lr, eta : float
        Learning rate and its multiplier. The step is
        ``eta * (lr * mean / (sqrt(var) + epsilon) + wd * weight)``.
    beta1, beta2 : float
        Decay rates of the running means.
    epsilon : float
        Constant added to the denominator.
    wd : float
        Weight decay.
    clip_gradient : float
        Bound to which the gradient's elements are clipped. With a negative value, the gradient is not clipped.
    out : None
        Unused.
    name : str, optional
        Name of the node.

    Returns
    -------
    Symbol
        The new weight.
    """
    return _internal._adamw_update(
        weight, grad, mean, var, _scale(rescale_grad, weight), lr=lr, eta=eta, beta1=beta1, beta2=beta2,
        epsilon=epsilon, wd=wd, clip_gradient=clip_gradient, name=name, **kwargs,
    )  # fmt: skip


def mp_adamw_update(
    weight: Any,
    grad: Any,
    mean: Any,
    var: Any,
    weight32: Any,
    rescale_grad: Any,
    lr: float,
    eta: float,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-08,
    wd: float = 0,
    clip_gradient: float = -1,
    out: Any = None,
    name: str | None = None,
    **kwargs: Any,
) -> Any:
    """Create a node that runs one step of :func:`adamw_update` for a half-precision weight.

    Parameters
    ----------
    weight, grad, mean, var, rescale_grad, lr, eta, beta1, beta2, epsilon, wd, clip_gradient
        Arguments of :func:`adamw_update`.
    weight32 : Symbol
        The single-precision copy of the weight, which is updated in place.
    out : None
        Unused.
    name : str, optional
        Name of the node.

    Returns
    -------
    Symbol
        The new weight.
    """
    return _internal._mp_adamw_update(
        weight, grad, mean, var, weight32, _scale(rescale_grad, weight), lr=lr, eta=eta, beta1=beta1, beta2=beta2,
        epsilon=epsilon, wd=wd, clip_gradient=clip_gradient, name=name, **kwargs,
    )  # fmt: skip
