"""Optimizers that compute a separate step size for each element from its past gradients."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any

import numpy

from ..internals.ops import optimizer as operators
from ..ndarray.sparse import RowSparseNDArray
from .optimizer import Optimizer, register, zeros_for

__all__ = ["FTML", "AdaDelta", "AdaGrad", "Adam", "Adamax", "Ftrl", "Nadam", "RMSProp"]


@register
class Adam(Optimizer):
    """Adam, with bias-corrected running means of the gradient and of its square.

    Parameters
    ----------
    learning_rate : float
        Approximate step size of each element.
    beta1, beta2 : float
        Decay rates of the mean and of the mean square.
    epsilon : float
        Small constant that is added to keep the denominator away from 0.
    lazy_update : bool
        Whether a row-sparse gradient updates only the weight rows that the gradient stores.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    beta1: float
    beta2: float
    epsilon: float

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        lazy_update: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.lazy_update = lazy_update

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial mean and mean square.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of (NDArray, NDArray)
            Zeros of the shape of the weight.
        """
        return tuple(zeros_for(weight, sparse=self.lazy_update) for _ in range(2))

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        mean, var = states
        grad = self.decayed(xp, grad, weight, wd)
        lr *= math.sqrt(1.0 - self.beta2**t) / (1.0 - self.beta1**t)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        xp.multiply(grad, grad, out=grad)
        grad *= 1.0 - self.beta2
        var *= self.beta2
        var += grad
        xp.sqrt(var, out=grad)  # from this line on, the gradient's memory contains the step
        grad += self.epsilon
        xp.divide(mean, grad, out=grad)
        grad *= lr
        weight -= grad


@register
class Adamax(Optimizer):
    """Adam with a running maximum of absolute gradients in place of the root mean square.

    Parameters
    ----------
    learning_rate, beta1, beta2 : float
        Arguments of :class:`Adam`.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    _clips_at_any_number = True

    beta1: float
    beta2: float

    def __init__(self, learning_rate: float = 0.002, beta1: float = 0.9, beta2: float = 0.999, **kwargs: Any) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1, self.beta2 = beta1, beta2

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial mean and maximum.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of (NDArray, NDArray)
            Zeros of the shape of the weight.
        """
        return zeros_for(weight), zeros_for(weight)

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        mean, largest = states
        grad = self.decayed(xp, grad, weight, wd)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        largest *= self.beta2
        xp.maximum(largest, xp.abs(grad), out=largest)
        # The bound keeps an element without gradients unchanged. Otherwise, it would become 0 / 0.
        weight -= (lr / (1.0 - self.beta1**t)) * mean / xp.maximum(largest, numpy.finfo(largest.dtype).tiny)


@register
class Nadam(Optimizer):
    """Adam with Nesterov momentum, and with a schedule for the decay of the momentum.

    Parameters
    ----------
    learning_rate, beta1, beta2, epsilon : float
        Arguments of :class:`Adam`.
    schedule_decay : float
        Rate at which the momentum approaches ``beta1``.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    _clips_at_any_number = True

    beta1: float
    beta2: float
    epsilon: float

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        schedule_decay: float = 0.004,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon
        self.schedule_decay = schedule_decay
        self.m_schedule: float = 1.0

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial mean and mean square.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of (NDArray, NDArray)
            Zeros of the shape of the weight.
        """
        return zeros_for(weight), zeros_for(weight)

    def _momentum(self, t: int) -> float:
        return self.beta1 * (1.0 - 0.5 * 0.96 ** (t * self.schedule_decay))

    def _apply(self, weight: Any, grad: Any, state: Any, lr: float, wd: float, t: int) -> None:
        # As in MXNet, all weights share the product of all momenta.
        self.m_schedule *= self._momentum(t)
        super()._apply(weight, grad, state, lr, wd, t)

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        mean, var = states
        grad = self.decayed(xp, grad, weight, wd)
        now, following = self._momentum(t), self._momentum(t + 1)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        var *= self.beta2
        var += (1.0 - self.beta2) * (grad * grad)
        grad *= (1.0 - now) / (1.0 - self.m_schedule)
        grad += (following / (1.0 - self.m_schedule * following)) * mean
        root = xp.sqrt(var * (1.0 / (1.0 - self.beta2**t)))
        root += self.epsilon
        grad /= root
        grad *= lr
        weight -= grad


@register
class AdaGrad(Optimizer):
    """AdaGrad, which divides the gradient by the square root of the sum of all squared gradients so far.

    Parameters
    ----------
    eps : float
        Small constant that is added to keep the denominator away from 0.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    _clips_at_any_number = True

    def __init__(self, eps: float = 1e-7, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial sum of squares.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        NDArray
            Zeros of the shape of the weight.
        """
        return zeros_for(weight, sparse=True)

    def _is_lazy(self, weight: Any, state: Any) -> bool:
        return True

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the state in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        (history,) = states
        grad = self.scaled(xp, grad)
        history += grad * grad
        root = history + self.float_stable_eps
        xp.sqrt(root, out=root)
        grad /= root
        if wd:
            grad += wd * weight
        grad *= lr
        weight -= grad


@register
class AdaDelta(Optimizer):
    """AdaDelta, which scales gradients by running mean squares of gradients and previous steps.

    The optimizer ignores the learning rate.

    Parameters
    ----------
    rho : float
        Decay rate of both running mean squares: of the gradients and of the steps.
    epsilon : float
        Constant added to both mean squares.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    _clips_at_any_number = True

    rho: float
    epsilon: float

    def __init__(self, rho: float = 0.90, epsilon: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.rho, self.epsilon = rho, epsilon

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial mean square of the gradients and mean square of the steps.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of (NDArray, NDArray)
            Zeros of the shape of the weight.
        """
        return zeros_for(weight), zeros_for(weight)

    def _rates_of(self, group: Sequence[Any]) -> dict[Any, tuple[float, ...]]:
        self._update_count(group)
        return {i: (0.0, float(self._get_wd(i))) for i in group}  # a schedule is not asked, and keeps its rate

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        squared_grads, squared_steps = states
        step = self.scaled(xp, grad)
        squared_grads *= self.rho
        squared_grads += (1.0 - self.rho) * (step * step)
        step *= xp.sqrt((squared_steps + self.epsilon) / (squared_grads + self.epsilon))
        squared_steps *= self.rho
        squared_steps += (1.0 - self.rho) * (step * step)
        if wd:
            weight *= 1.0 - wd
        weight -= step


@register
class RMSProp(Optimizer):
    """RMSProp, which divides the gradient by its running root mean square.

    Parameters
    ----------
    learning_rate : float
        Approximate step size of each element.
    gamma1 : float
        Decay rate of the mean square.
    gamma2 : float
        Momentum of the centered variant.
    epsilon : float
        Small constant that is added to keep the denominator away from 0.
    centered : bool
        Whether to use Graves's variant, which divides by the standard deviation.
    clip_weights : float, optional
        Bound to which weights are clipped: ``[-clip_weights, clip_weights]``.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    gamma1: float
    gamma2: float
    epsilon: float
    centered: bool
    clip_weights: float | None

    def __init__(
        self,
        learning_rate: float = 0.001,
        gamma1: float = 0.9,
        gamma2: float = 0.9,
        epsilon: float = 1e-8,
        centered: bool = False,
        clip_weights: float | None = None,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.gamma1, self.gamma2, self.epsilon = gamma1, gamma2, epsilon
        self.centered, self.clip_weights = centered, clip_weights

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial mean square and, in the centered variant, the mean and the momentum.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of NDArray
            Zeros of the shape of the weight.
        """
        return tuple(zeros_for(weight, sparse=True) for _ in range(3 if self.centered else 1))

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        settings = self.operator_settings()
        settings["clip_weights"] = -1.0 if self.clip_weights is None else self.clip_weights
        op = operators.rmspropalex_update if self.centered else operators.rmsprop_update
        if self.centered:
            settings["gamma2"] = self.gamma2
        results = op.kernel(
            xp, weight, grad, *states, lr=lr, wd=wd, gamma1=self.gamma1, epsilon=self.epsilon, **settings
        )
        write_back((weight, *states), results)


@register
class Ftrl(Optimizer):
    """FTRL (follow the regularized leader), with L1 and L2 regularization, for sparse linear models.

    Parameters
    ----------
    lamda1 : float
        Strength of the L1 regularization.
    learning_rate : float
        Initial step size.
    beta : float
        Constant added to the denominator of each element's step size.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    lamda1: float
    beta: float

    def __init__(self, lamda1: float = 0.01, learning_rate: float = 0.1, beta: float = 1, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.lr = learning_rate  # as in MXNet, a schedule keeps its own learning rate
        self.lamda1, self.beta = lamda1, beta

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial states ``z`` and ``n``.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of (NDArray, NDArray)
            Zeros of the shape of the weight.
        """
        return zeros_for(weight, sparse=True), zeros_for(weight, sparse=True)

    def _is_lazy(self, weight: Any, state: Any) -> bool:
        return isinstance(weight, RowSparseNDArray)

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        results = operators.ftrl_update.kernel(
            xp, weight, grad, *states, lr=lr, wd=wd, lamda1=self.lamda1, beta=self.beta,
            **self.operator_settings(),
        )  # fmt: skip
        write_back((weight, *states), results)


@register
class FTML(Optimizer):
    """FTML (follow the moving leader), an optimizer similar to Adam for objectives that change.

    Parameters
    ----------
    beta1, beta2, epsilon : float
        Arguments of :class:`Adam`.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    beta1: float
    beta2: float
    epsilon: float

    def __init__(self, beta1: float = 0.6, beta2: float = 0.999, epsilon: float = 1e-8, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.beta1, self.beta2, self.epsilon = beta1, beta2, epsilon

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial states ``d``, ``v``, and ``z``.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of (NDArray, NDArray, NDArray)
            Zeros of the shape of the weight.
        """
        # raises an error if a setting is out of bounds
        operators.ftml_update.parse({"lr": 1.0, "t": 1, "beta1": self.beta1, "beta2": self.beta2})
        return zeros_for(weight), zeros_for(weight), zeros_for(weight)

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        clip = self._clipping
        results = operators.ftml_update.kernel(
            xp, weight, grad, *states, lr=lr, beta1=self.beta1, beta2=self.beta2, epsilon=self.epsilon,
            t=t, wd=wd, rescale_grad=self.rescale_grad, clip_grad=-1.0 if clip is None else clip,
        )  # fmt: skip
        write_back((weight, *states), results)


def write_back(targets: tuple[Any, ...], results: tuple[Any, ...]) -> None:
    """Copy the results of an update operator into the target arrays.

    Parameters
    ----------
    targets, results : tuple of array
        The arrays to write to, and the results in the same order.
    """
    for target, result in zip(targets, results, strict=True):
        target[...] = result
