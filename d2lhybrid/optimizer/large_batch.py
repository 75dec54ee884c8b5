"""Optimizers for large batches, which scale the step of each layer by the norms of the layer's arrays."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from typing import Any

from ..internals.core import parallel
from ..internals.device import array_modules
from ..internals.ops.optimizer_multi import trust_ratio
from ..ndarray import NDArray
from .descent import SGD, descend
from .optimizer import Optimizer, register, zeros_for

__all__ = ["LAMB", "LARS", "LBSGD"]


def _norm(xp: Any, raw: Any) -> Any:
    """Return the Euclidean norm as a float32 scalar, without waiting for a GPU."""
    flat = raw.reshape(-1).astype("float32", copy=False)
    return xp.sqrt(parallel.threads.run(xp.dot, flat, flat))


@register
class LAMB(Optimizer):
    """LAMB, which is Adam with steps that are scaled to the norm of each layer's weight.

    Parameters
    ----------
    learning_rate, beta1, beta2, epsilon : float
        Arguments of :class:`~d2lhybrid.optimizer.Adam`.
    lower_bound, upper_bound : float, optional
        Bounds to which the norm of a weight is clipped.
    bias_correction : bool
        Whether to correct the bias of the running means, which start at 0.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    beta1: float
    beta2: float
    epsilon: float
    lower_bound: float | None
    upper_bound: float | None

    elementwise = False

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-6,
        lower_bound: float | None = None,
        upper_bound: float | None = None,
        bias_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.lower_bound, self.upper_bound = lower_bound, upper_bound
        self.bias_correction = bias_correction
        self.aggregate_num = 45

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial mean and mean square.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of (NDArray, NDArray)
            Zeros of the shape of the weight.
        """
        return zeros_for(weight, sparse=True), zeros_for(weight, sparse=True)

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        mean, var = states
        grad = self.scaled(xp, grad)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        xp.multiply(grad, grad, out=grad)
        grad *= 1.0 - self.beta2
        var *= self.beta2
        var += grad
        first, second = (1.0 - self.beta1**t, 1.0 - self.beta2**t) if self.bias_correction else (1.0, 1.0)
        step = xp.multiply(var, 1.0 / second, out=grad)  # the gradient's memory holds the step
        xp.sqrt(step, out=step)
        step += self.epsilon
        xp.divide(mean, step, out=step)
        step *= 1.0 / first
        if wd:
            step += wd * weight
        bounds = [-1.0 if bound is None else bound for bound in (self.lower_bound, self.upper_bound)]
        ratio = trust_ratio(xp, _norm(xp, weight), _norm(xp, step), *bounds)
        step *= (lr * ratio).astype(step.dtype)
        weight -= step


@register
class LARS(SGD):
    """LARS, which is SGD with learning rates proportional to each layer's weight norm divided by its gradient norm.

    Weights with names that end in ``gamma``, ``beta``, or ``bias`` are updated by plain SGD.

    Parameters
    ----------
    momentum : float
        Fraction of the previous step to keep.
    lazy_update : bool
        Ignored; accepted because MXNet's class has this argument.
    eta : float
        The trust coefficient.
    eps : float
        Constant added to the denominator.
    momentum_correction : bool
        Whether to scale the momentum when the learning rate changes.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    eta: float
    eps: float

    elementwise = False

    def __init__(
        self,
        momentum: float = 0.0,
        lazy_update: bool = True,
        eta: float = 0.001,
        eps: float = 0,
        momentum_correction: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(momentum, lazy_update, **kwargs)
        self.eta, self.eps = eta, eps
        self.momentum_correction = momentum_correction
        self.last_lr: float | None = None
        self.cur_lr: float | None = None

    def set_wd_mult(self, args_wd_mult: Mapping[Any, float]) -> None:
        """Set multipliers for the weight decay. The default is 0 for weights whose names do not end in ``_weight``.

        Parameters
        ----------
        args_wd_mult : dict of (int or str) to float
            The multipliers, by index or name of the weight.
        """
        undecayed = {n: 0.0 for n in self.idx2name.values() if not n.endswith("_weight")}
        self.wd_mult: dict[Any, float] = {**undecayed, **self._factors_in_graph("__wd_mult__"), **args_wd_mult}

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update a weight, or a list of weights, in place.

        The parameters are those of :meth:`Optimizer.update`.
        """
        if not isinstance(index, list | tuple):
            name = self.idx2name.get(index, str(index))
            self._layerwise = not name.endswith(("gamma", "beta", "bias"))
        super().update(index, weight, grad, state)

    def _apply(self, weight: Any, grad: Any, state: Any, lr: float, wd: float, t: int) -> None:
        if self._layerwise:  # computed from the whole arrays, even if only some rows change
            xp = array_modules.array_module(weight._ctx)
            weight_norm, grad_norm = _norm(xp, weight._data), _norm(xp, grad._data) * self.rescale_grad
            usable = (weight_norm > 0.0) & (grad_norm > 0.0)
            ratio = self.eta * weight_norm / (grad_norm + wd * weight_norm + self.eps + ~usable)
            self._ratio: Any = xp.where(usable, ratio, xp.ones_like(ratio))
        super()._apply(weight, grad, state, lr, wd, t)
        self._ratio = None  # saved states must not contain raw arrays

    def _rates_of(self, group: Sequence[Any]) -> dict[Any, tuple[float, ...]]:
        """Count updates of weights, and return the learning rate, weight decay, and momentum of each weight."""
        rates = super()._rates_of(group)
        rate = float(self.learning_rate)
        self.last_lr, self.cur_lr = (rate if self.cur_lr is None else self.cur_lr), rate
        momentum = self.momentum
        if self.momentum_correction and self.last_lr:
            momentum *= self.cur_lr / self.last_lr
        return {index: (*two, momentum) for index, two in rates.items()}

    def _counted(self, index: Any) -> tuple[float, float]:
        lr, wd, self._corrected = self._rates_for(index)
        return lr, wd

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the momentum in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        if self._layerwise:
            lr = lr * self._ratio.astype(weight.dtype)
        descend(weight, self.scaled(xp, grad) * lr, states, self._corrected, lr * wd if wd else 0.0)


@register
class LBSGD(SGD):
    """SGD that accumulates gradients over several batches and has a warm-up of the learning rate.

    Parameters
    ----------
    momentum : float
        Fraction of the previous step to keep.
    multi_precision : bool
        Whether to keep a float32 master copy of each float16 weight.
    warmup_strategy : str
        Curve along which the multiplier of the learning rate grows from 1 to ``batch_scale``: ``"linear"``,
        ``"power2"``, or ``"sqrt"``. With ``"lars"``, the multiplier is a ratio of norms. With any other value, the
        multiplier is 1 during the warm-up.
    warmup_epochs, updates_per_epoch : int
        Number of epochs of the warm-up, and number of batches in an epoch.
    batch_scale : int
        Number of batches for each update.
    begin_epoch, num_epochs : int
        First epoch of training, and total number of epochs.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    warmup_strategy: str
    warmup_epochs: int
    batch_scale: int
    updates_per_epoch: int
    lbmult: float
    admult: float

    master_position = 0
    lazy_update = True
    _counts_together = False

    def __init__(
        self,
        momentum: float = 0.0,
        multi_precision: bool = False,
        warmup_strategy: str = "linear",
        warmup_epochs: int = 5,
        batch_scale: int = 1,
        updates_per_epoch: int = 32,
        begin_epoch: int = 0,
        num_epochs: int = 60,
        **kwargs: Any,
    ) -> None:
        super(SGD, self).__init__(momentum, multi_precision=multi_precision, **kwargs)  # saved files lack lazy_update
        self.aggregate_num = 0
        self.warmup_strategy, self.warmup_epochs = warmup_strategy, warmup_epochs
        self.batch_scale, self.updates_per_epoch = batch_scale, updates_per_epoch
        self.init_updates: int = begin_epoch * updates_per_epoch
        self.num_epochs = num_epochs
        self.adaptive = False
        self.lbmult = self.admult = 1.0
        self.cumgrads: dict[Any, Any] = {}

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Accumulate the gradient, and update the weight in every ``batch_scale``-th call.

        The parameters are those of :meth:`Optimizer.update`.
        """
        if isinstance(index, list | tuple) or self.batch_scale == 1:
            super().update(index, weight, grad, state)
            return
        count, total = self._accumulated(index)
        if isinstance(total, NDArray):
            total += grad
        else:
            total = grad.copy()
        count += 1
        due = count % self.batch_scale == 0
        self.cumgrads[index] = {"cum_grad": 0 if due else total, "num_cums": count}
        if not due:
            self._update_count(index)
            return
        self.lbmult = self._warmed_up(count)
        total /= self.batch_scale
        super().update(index, weight, total, state)

    def _counted(self, index: Any) -> tuple[float, float]:
        """Count an update. Return the learning rate for the previous count, as MXNet does, and the weight decay."""
        lr = float(self._get_lr(index))
        self._update_count(index)
        return lr, float(self._get_wd(index))

    def _accumulated(self, index: Any) -> tuple[int, Any]:
        """Return the number of accumulated gradients, and the sum of the unused gradients, or 0 if there are none."""
        kept = self.cumgrads.get(index, (self.init_updates, 0))
        return kept if isinstance(kept, tuple) else (kept["num_cums"], kept["cum_grad"])

    def _apply(self, weight: Any, grad: Any, state: Any, lr: float, wd: float, t: int) -> None:
        if self.warmup_strategy == "lars":
            factor = self.admult = self._ratio_of_norms(weight.asnumpy(), grad.asnumpy(), wd)
        else:
            factor = self.lbmult
        super()._apply(weight, grad, state, lr * factor, wd, t)

    def _warmed_up(self, batches: int) -> float:
        """Return the factor of the learning rate after a number of batches."""
        length = self.warmup_epochs * self.updates_per_epoch
        if batches >= length:
            return float(self.batch_scale)
        if self.warmup_strategy not in ("linear", "power2", "sqrt"):
            return 1.0
        share = batches / length
        grown = {"linear": share, "power2": share * share, "sqrt": math.sqrt(share)}[self.warmup_strategy]
        return 1.0 + (self.batch_scale - 1) * grown

    @staticmethod
    def _ratio_of_norms(weight: Any, grad: Any, wd: float) -> float:
        """Return the weight norm over the gradient norm, clipped to between 0.01 and 100."""
        weight_square, grad_square = (float((a.astype("float64") ** 2).sum()) for a in (weight, grad))
        ratio = math.sqrt(weight_square / (grad_square + wd * weight_square + 1e-18))
        return min(max(ratio, 0.01), 100.0)
