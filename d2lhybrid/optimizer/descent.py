"""Gradient descent with one learning rate for all elements: plain, with momentum, by sign, or with noise."""

from __future__ import annotations

import math
from typing import Any

from ..error import MXNetError
from ..internals.device import array_modules
from ..internals.ops import optimizer as operators
from ..ndarray import random
from .optimizer import Optimizer, register, zeros_for

__all__ = ["DCASGD", "NAG", "SGD", "SGLD", "Signum", "Test", "ccSGD"]


class _WithMomentum(Optimizer):
    """The base class of optimizers whose state contains a momentum unless ``momentum`` is 0."""

    momentum: float

    def _states_in_use(self, state: Any) -> tuple[Any, ...]:
        """Return the momentum if there is one.

        Raises
        ------
        MXNetError
            If ``momentum`` was 0 when the state was created and is positive now.
        """
        if state is None and self.momentum > 0:
            raise _begun_without(MXNetError("Cannot find argument 'momentum', Possible Arguments:"))
        return super()._states_in_use(state)


def _begun_without(error: Exception) -> Exception:
    error.add_note(
        "The optimizer state contains no momentum, because momentum was 0 when the state was created. Create a new "
        "optimizer."
    )
    return error


class _WithMomentumFirst(_WithMomentum):
    """The base class of optimizers that store the momentum of a float16 weight before the weight's master copy."""

    master_position = 1
    lazy_in_half = False

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial momentum, or None if ``momentum`` is 0."""
        return zeros_for(weight, sparse=getattr(self, "lazy_update", False)) if self.momentum else None


def descend(weight: Any, scaled_step: Any, states: tuple[Any, ...], momentum: float, decay: float) -> None:
    """Update a weight in place with one step of SGD. The layer-wise optimizers also call this function.

    Parameters
    ----------
    weight, scaled_step : array
        The weight, and the product of learning rate and gradient.
    states : tuple of array
        The momentum, or an empty tuple.
    momentum : float
        Fraction of the momentum to keep.
    decay : float
        Product of learning rate and weight decay.
    """
    mom = states[0] if states else None
    if mom is None:
        if decay:
            weight *= 1.0 - decay
        weight -= scaled_step
        return
    mom *= momentum
    mom -= scaled_step
    if decay:
        mom -= decay * weight
    weight += mom


@register
class SGD(_WithMomentumFirst):
    """Stochastic gradient descent with optional momentum.

    ``step = momentum * step - lr * (grad + wd * weight); weight += step``

    Parameters
    ----------
    momentum : float
        Fraction of the previous step to keep.
    lazy_update : bool
        Whether a row-sparse gradient updates only the weight rows that the gradient stores.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    _name_in_warning = "SGD "
    _counts_together = True

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(momentum, **kwargs)
        self.lazy_update = lazy_update
        self.aggregate_num = 4

    def _states_in_use(self, state: Any) -> tuple[Any, ...]:
        """Return the momentum if ``momentum`` is positive.

        Otherwise, as in MXNet, an existing array is kept but not used.
        """
        if self.momentum > 0 and state is None:
            raise _begun_without(AssertionError("Positional arguments must have NDArray type, but got None"))
        return super()._states_in_use(state) if self.momentum > 0 else ()

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the momentum in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        descend(weight, self.scaled(xp, grad, lr), states, self.momentum, lr * wd)


@register
class ccSGD(SGD):  # noqa: N801  MXNet's name
    """:class:`SGD` under the name that older versions of MXNet used."""


@register
class NAG(_WithMomentumFirst):
    """Nesterov's accelerated gradient, which applies the momentum before the gradient.

    Parameters
    ----------
    momentum : float
        Fraction of the previous step to keep. With 0, the optimizer behaves like :class:`SGD`.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    _name_in_warning = "NAG "

    def _is_lazy(self, weight: Any, state: Any) -> bool:
        return state is None  # without momentum, the step equals SGD's step

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the momentum in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        step = self.scaled(xp, grad, lr)
        if not states:
            descend(weight, step, (), 0.0, lr * wd)
            return
        (mom,) = states
        mom *= self.momentum
        mom -= step
        step -= self.momentum * mom
        if wd:
            weight *= 1.0 - (1.0 + self.momentum) * lr * wd
            weight -= step
            # As in MXNet, the decay in the momentum uses the weight after the step.
            mom -= (lr * wd) * weight
        else:
            weight -= step


@register
class Signum(_WithMomentum):
    """Descent along the sign of the momentum, or along the sign of the gradient if ``momentum`` is 0.

    Parameters
    ----------
    learning_rate, momentum : float
        Step size of each element, and fraction of the previous momentum to keep.
    wd_lh : float
        Decoupled weight decay (``wd`` is an L2 penalty in the gradient).
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    momentum: float
    wd_lh: float

    def __init__(self, learning_rate: float = 0.01, momentum: float = 0.9, wd_lh: float = 0.0, **kwargs: Any) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.momentum, self.wd_lh = momentum, wd_lh

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial momentum, or None if ``momentum`` is 0.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        NDArray or None
            Zeros of the shape of the weight, or None.
        """
        return zeros_for(weight, sparse=True) if self.momentum else None

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the momentum in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        settings = self.operator_settings()
        if not states:
            weight[...] = operators.signsgd_update.kernel(xp, weight, grad, lr=lr, wd=wd, **settings)
            return
        weight[...], states[0][...] = operators.signum_update.kernel(
            xp, weight, grad, states[0], lr=lr, momentum=self.momentum, wd=wd, wd_lh=self.wd_lh, **settings
        )


@register
class SGLD(Optimizer):
    """Stochastic gradient Langevin dynamics: descent with Gaussian noise, which samples from a posterior distribution.

    The parameters are those of :class:`Optimizer`.
    """

    def _apply(self, weight: Any, grad: Any, state: Any, lr: float, wd: float, t: int) -> None:
        raw, xp = weight._data, array_modules.array_module(weight._ctx)
        # the noise comes from the random stream that mx.random.seed seeds
        noise = random.normal(0.0, math.sqrt(lr), weight.shape, weight.dtype, weight._ctx)
        raw -= self.scaled(xp, grad._data, lr / 2.0) + (lr / 2.0 * wd) * raw
        raw += noise._data


@register
class DCASGD(Optimizer):
    """Delay-compensated asynchronous SGD, which corrects a gradient for the change of the weight since the last step.

    Parameters
    ----------
    momentum : float
        Fraction of the previous step to keep.
    lamda : float
        Strength of the compensation.
    **kwargs
        Arguments of :class:`Optimizer`.
    """

    _clips_at_any_number = True

    _clips_at_any_number = True

    momentum: float
    lamda: float

    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum, self.lamda = momentum, lamda

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial momentum, or None if ``momentum`` is 0, and a copy of the weight.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        tuple of (NDArray or None, NDArray)
            The momentum and the copy.
        """
        return (zeros_for(weight) if self.momentum else None, weight.copy())

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        mom, previous = states
        grad = self.scaled(xp, grad)
        step = grad * grad
        step *= weight - previous
        step *= self.lamda
        step += grad
        if wd:
            step += wd * weight
        step *= -lr
        previous[...] = weight
        if mom is not None:
            mom *= self.momentum
            mom += step
            step = mom
        weight += step


@register
class Test(Optimizer):
    """An optimizer that adds the gradient to the weight, for tests of code that calls optimizers."""

    __test__ = False  # pytest collects classes with names that begin with Test

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return zeros as the initial state. Each update replaces the state with the weight.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        NDArray
            Zeros of the shape of the weight.
        """
        return zeros_for(weight)

    def _update_count(self, index: Any) -> None:
        """Do nothing, because MXNet's method counts nothing."""

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the state in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        weight += grad * self.rescale_grad
        states[0][...] = weight
