"""Update steps of AdamW and LAMB for ``nd.contrib``: functions that call operators on one weight or several weights."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from . import _internal
from ._functions import full
from .ndarray import NDArray

__all__ = [
    "adamw_update", "mp_adamw_update", "multi_adamw_update", "multi_lamb_update", "multi_mp_adamw_update",
    "multi_mp_lamb_update",
]  # fmt: skip


def _scale(rescale_grad: Any, weight: Any) -> Any:
    """Return the scale as an array on a weight's device."""
    if isinstance(rescale_grad, NDArray):
        return rescale_grad.as_in_context(weight.context)
    return full((1,), rescale_grad, ctx=weight.context)


def _woven(*lists: Sequence[Any]) -> list[Any]:
    """Return the weight, the gradient, and the states of each weight, in the order of the weights."""
    return [array for group in zip(*lists, strict=True) for array in group]


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
    """Run one step of Adam with decoupled weight decay.

    Parameters
    ----------
    weight, grad : NDArray
        The weight and its gradient.
    mean, var : NDArray
        Running means of the gradient and of its square, which are updated in place.
    rescale_grad : NDArray or float
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
    out : NDArray, optional
        The array to write the new weight to, usually the weight itself.
    name : str, optional
        Unused.
    """
    return _internal._adamw_update(
        weight, grad, mean, var, _scale(rescale_grad, weight), lr=lr, eta=eta, beta1=beta1, beta2=beta2,
        epsilon=epsilon, wd=wd, clip_gradient=clip_gradient, out=out, name=name, **kwargs,
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
    """Run one step of :func:`adamw_update` for a half-precision weight.

    Parameters
    ----------
    weight, grad, mean, var, rescale_grad, lr, eta, beta1, beta2, epsilon, wd, clip_gradient
        Arguments of :func:`adamw_update`.
    weight32 : NDArray
        The single-precision copy of the weight, which is updated in place.
    out : NDArray, optional
        The array to write the new weight to, usually the weight itself.
    name : str, optional
        Unused.
    """
    return _internal._mp_adamw_update(
        weight, grad, mean, var, weight32, _scale(rescale_grad, weight), lr=lr, eta=eta, beta1=beta1, beta2=beta2,
        epsilon=epsilon, wd=wd, clip_gradient=clip_gradient, out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_adamw_update(
    weights: Sequence[Any],
    grads: Sequence[Any],
    mean: Sequence[Any],
    var: Sequence[Any],
    rescale_grad: Any,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    out: Any = None,
    name: str | None = None,
    size: int = 0,
    **kwargs: Any,
) -> Any:
    """Run one step of :func:`adamw_update` for each of several weights.

    Parameters
    ----------
    weights, grads, mean, var : list of NDArray
        The weights, their gradients, and their running means. The means are updated in place.
    rescale_grad : NDArray or float
        Factor by which all gradients are multiplied.
    lrs, wds, etas : list of float
        Learning rate, weight decay, and multiplier of each weight.
    out : list of NDArray, optional
        The arrays to write the new weights to.
    name : str, optional
        Unused.
    size : int
        Number of weights. With 0, the function counts the weights.
    **kwargs
        Other arguments of :func:`adamw_update`.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> w, g, m, v = ([nd.ones(2)] for _ in range(4))
    >>> multi_adamw_update(w, g, m, v, 1.0, [0.5], [0.0], [1.0], out=w)[0].asnumpy()
    array([0.5, 0.5], dtype=float32)
    """
    return _internal._multi_adamw_update(
        *_woven(weights, grads, mean, var), _scale(rescale_grad, weights[0]), num_weights=size or len(weights),
        lrs=lrs, wds=wds, etas=etas, out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_mp_adamw_update(
    weights: Sequence[Any],
    grads: Sequence[Any],
    mean: Sequence[Any],
    var: Sequence[Any],
    weights32: Sequence[Any],
    rescale_grad: Any,
    lrs: Sequence[float],
    wds: Sequence[float],
    etas: Sequence[float],
    out: Any = None,
    name: str | None = None,
    size: int = 0,
    **kwargs: Any,
) -> Any:
    """Run one step of :func:`adamw_update` for each of several half-precision weights.

    Parameters
    ----------
    weights, grads, mean, var, rescale_grad, lrs, wds, etas, out, name, size, **kwargs
        Arguments of :func:`multi_adamw_update`.
    weights32 : list of NDArray
        The single-precision copies of the weights, which are updated in place.
    """
    return _internal._multi_mp_adamw_update(
        *_woven(weights, grads, mean, var, weights32), _scale(rescale_grad, weights[0]),
        num_weights=size or len(weights), lrs=lrs, wds=wds, etas=etas, out=out, name=name, **kwargs,
    )  # fmt: skip


def multi_lamb_update(
    weights: Sequence[Any],
    grads: Sequence[Any],
    mean: Sequence[Any],
    var: Sequence[Any],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    out: Any = None,
    num_tensors: int = 0,
    **kwargs: Any,
) -> Any:
    """Run one step of LAMB for each of several weights.

    Parameters
    ----------
    weights, grads, mean, var : list of NDArray
        The weights, their gradients, and their running means. The means are updated in place.
    step_count : list of int
        The step count of each weight. The first step has the count 1.
    lrs, wds : list of float
        Learning rate and weight decay of each weight.
    out : list of NDArray, optional
        The arrays to write the new weights to.
    num_tensors : int
        Number of weights. With 0, the function counts the weights.
    **kwargs
        Other arguments of ``_multi_lamb_update``.
    """
    return _internal._multi_lamb_update(
        *_woven(weights, grads, mean, var), num_tensors=num_tensors or len(weights), step_count=step_count,
        learning_rates=lrs, wds=wds, out=out, **kwargs,
    )  # fmt: skip


def multi_mp_lamb_update(
    weights: Sequence[Any],
    grads: Sequence[Any],
    mean: Sequence[Any],
    var: Sequence[Any],
    weights32: Sequence[Any],
    step_count: Sequence[int],
    lrs: Sequence[float],
    wds: Sequence[float],
    out: Any = None,
    num_tensors: int = 0,
    **kwargs: Any,
) -> Any:
    """Run one step of LAMB for each of several half-precision weights.

    Parameters
    ----------
    weights, grads, mean, var, step_count, lrs, wds, out, num_tensors, **kwargs
        Arguments of :func:`multi_lamb_update`.
    weights32 : list of NDArray
        The single-precision copies of the weights, which are updated in place.
    """
    return _internal._multi_mp_lamb_update(
        *_woven(weights, grads, mean, var, weights32), num_tensors=num_tensors or len(weights),
        step_count=step_count, learning_rates=lrs, wds=wds, out=out, **kwargs,
    )  # fmt: skip
