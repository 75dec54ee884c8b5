"""Gradient descent with one learning rate for all elements: plain, with momentum, by sign, with noise."""

from __future__ import annotations

import math
from typing import Any

from ..error import MXNetError
from ..internals.device import backend
from ..internals.ops import optimizer as operators
from ..ndarray import random
from .optimizer import Optimizer, register, zeros_for

__all__ = ["DCASGD", "NAG", "SGD", "SGLD", "Signum", "Test", "ccSGD"]


class _WithMomentum(Optimizer):
    """Optimizers that keep a momentum unless it is 0."""

    momentum: float

    def _states_in_use(self, state: Any) -> tuple[Any, ...]:
        """Return the momentum, if there is one.

        Raises
        ------
        MXNetError
            If ``momentum`` was 0 when training began, and is not any more.
        """
        if state is None and self.momentum > 0:
            raise _begun_without(MXNetError("Cannot find argument 'momentum', Possible Arguments:"))
        return super()._states_in_use(state)


def _begun_without(error: Exception) -> Exception:
    error.add_note(
        "The momentum was 0 when the states were created, so there is no previous step. Create a new optimizer."
    )
    return error


class _WithMomentumFirst(_WithMomentum):
    """Those whose master copy of half-precision weights comes after the momentum."""

    master_position = 1
    lazy_in_half = False

    def __init__(self, momentum: float = 0.0, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum = momentum

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the momentum, or None."""
        return zeros_for(weight, sparse=getattr(self, "lazy_update", False)) if self.momentum else None


def descend(weight: Any, scaled_step: Any, states: tuple[Any, ...], momentum: float, decay: float) -> None:
    """Step down, in place: what SGD and the layer-wise methods share.

    Parameters
    ----------
    weight, scaled_step : array
        The weight, and learning rate times gradient.
    states : tuple
        The momentum, if there is one.
    momentum : float
        How much of it stays.
    decay : float
        Learning rate times weight decay.
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

    ``momentum = momentum * old - lr * (grad + wd * weight); weight += momentum``

    Parameters
    ----------
    momentum : float
        The share of the previous step to keep.
    lazy_update : bool
        Whether a gradient in row-sparse storage changes its rows alone.
    **kwargs
        See :class:`Optimizer`.
    """

    _name_in_warning = "SGD "
    _counts_together = True

    def __init__(self, momentum: float = 0.0, lazy_update: bool = True, **kwargs: Any) -> None:
        super().__init__(momentum, **kwargs)
        self.lazy_update = lazy_update
        self.aggregate_num = 4

    def _states_in_use(self, state: Any) -> tuple[Any, ...]:
        """Return the momentum while it is above 0: else it waits, as in MXNet, until it is used again."""
        if self.momentum > 0 and state is None:
            raise _begun_without(AssertionError("Positional arguments must have NDArray type, but got None"))
        return super()._states_in_use(state) if self.momentum > 0 else ()

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Change weight and momentum in place."""
        descend(weight, self.scaled(xp, grad, lr), states, self.momentum, lr * wd)


@register
class ccSGD(SGD):  # noqa: N801  MXNet's name
    """:class:`SGD` under an old name."""


@register
class NAG(_WithMomentumFirst):
    """Nesterov's accelerated gradient: the gradient is followed from where the momentum leads.

    Parameters
    ----------
    momentum : float
        How much of the last step the next one keeps; 0 gives :class:`SGD`.
    **kwargs
        See :class:`Optimizer`.
    """

    _name_in_warning = "NAG "

    def _is_lazy(self, weight: Any, state: Any) -> bool:
        return state is None  # for without momentum it is SGD

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Change weight and momentum in place."""
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
            # As in MXNet, the decay in the momentum sees the weight after the step.
            mom -= (lr * wd) * weight
        else:
            weight -= step


@register
class Signum(_WithMomentum):
    """Descent along the sign of the momentum; without momentum, of the gradient.

    Parameters
    ----------
    learning_rate, momentum : float
        Length of a step in each element, and how much of the old momentum stays.
    wd_lh : float
        Decoupled weight decay (``wd`` is an L2 penalty in the gradient).
    **kwargs
        See :class:`Optimizer`.
    """

    momentum: float
    wd_lh: float

    def __init__(self, learning_rate: float = 0.01, momentum: float = 0.9, wd_lh: float = 0.0, **kwargs: Any) -> None:
        super().__init__(learning_rate=learning_rate, **kwargs)
        self.momentum, self.wd_lh = momentum, wd_lh

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the momentum, or None."""
        return zeros_for(weight, sparse=True) if self.momentum else None

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Change weight and momentum in place."""
        settings = self.operator_settings()
        if not states:
            weight[...] = operators.signsgd_update.kernel(xp, weight, grad, lr=lr, wd=wd, **settings)
            return
        weight[...], states[0][...] = operators.signum_update.kernel(
            xp, weight, grad, states[0], lr=lr, momentum=self.momentum, wd=wd, wd_lh=self.wd_lh, **settings
        )


@register
class SGLD(Optimizer):
    """Stochastic gradient Langevin dynamics: descent with noise, which samples from a posterior."""

    def _apply(self, weight: Any, grad: Any, state: Any, lr: float, wd: float, t: int) -> None:
        raw, xp = weight._data, backend.array_module(weight._ctx)
        noise = random.normal(0.0, math.sqrt(lr), weight.shape, weight.dtype, weight._ctx)  # as a program would draw it
        raw -= self.scaled(xp, grad._data, lr / 2.0) + (lr / 2.0 * wd) * raw
        raw += noise._data


@register
class DCASGD(Optimizer):
    """Delay-compensated asynchronous SGD: corrects a gradient for later changes of the weight.

    Parameters
    ----------
    momentum : float
        The share of the previous step to keep.
    lamda : float
        Strength of the compensation.
    **kwargs
        See :class:`Optimizer`.
    """

    _clips_at_any_number = True

    _clips_at_any_number = True

    momentum: float
    lamda: float

    def __init__(self, momentum: float = 0.0, lamda: float = 0.04, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.momentum, self.lamda = momentum, lamda

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return (momentum or None, previous weight)."""
        return (zeros_for(weight) if self.momentum else None, weight.copy())

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Change weight and states in place."""
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
    """Adds the gradient to the weight: for tests of what surrounds an optimizer."""

    __test__ = False  # pytest collects what is called Test

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return zeros, which every update replaces by the weight."""
        return zeros_for(weight)

    def _update_count(self, index: Any) -> None:
        """Count nothing: MXNet's does not."""

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Change weight and state in place."""
        weight += grad * self.rescale_grad
        states[0][...] = weight
