"""Additional optimizers. As in MXNet 1.9, ``adamw`` is not available by name."""

from __future__ import annotations

import math
from typing import Any

from ..internals.ops import optimizer as operators
from .adaptive import Adam, write_back
from .optimizer import Optimizer, register, zeros_for

__all__ = ["AdamW", "GroupAdaGrad"]


class AdamW(Adam):
    """Adam with decoupled weight decay. ``wd`` shrinks the weight and is not part of the gradient.

    MXNet 1.9 has the operator (``nd.contrib.adamw_update``) but not the optimizer. Pass an instance of this class to a
    Trainer.

    Parameters
    ----------
    learning_rate, beta1, beta2, epsilon : float
        Arguments of :class:`~d2lhybrid.optimizer.Adam`.
    correct_bias : bool
        Whether to correct the bias of the running means, which start at 0.
    **kwargs
        Arguments of :class:`~d2lhybrid.optimizer.Optimizer`.

    Examples
    --------
    >>> import d2lhybrid as mx
    >>> mx.optimizer.contrib.AdamW(learning_rate=0.01, wd=0.1).learning_rate
    0.01
    """

    def __init__(
        self,
        learning_rate: float = 0.001,
        beta1: float = 0.9,
        beta2: float = 0.999,
        epsilon: float = 1e-8,
        correct_bias: bool = True,
        **kwargs: Any,
    ) -> None:
        super().__init__(learning_rate, beta1, beta2, epsilon, **kwargs)
        self.correct_bias = correct_bias

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the states in place.

        The parameters are those of :meth:`Optimizer.step`.
        """
        mean, var = states
        grad = self.scaled(xp, grad)
        mean *= self.beta1
        mean += (1.0 - self.beta1) * grad
        var *= self.beta2
        var += (1.0 - self.beta2) * (grad * grad)
        if wd:
            weight *= 1.0 - lr * wd
        if self.correct_bias:
            lr *= math.sqrt(1.0 - self.beta2**t) / (1.0 - self.beta1**t)
        step = xp.sqrt(var)
        step += self.epsilon
        xp.divide(mean, step, out=step)
        step *= lr
        weight -= step


@register
class GroupAdaGrad(Optimizer):
    """AdaGrad with a separate step size for each row of a matrix, for embeddings. Weight decay is not supported.

    Parameters
    ----------
    eps : float
        Small constant that is added to keep the denominator away from 0.
    **kwargs
        Arguments of :class:`~d2lhybrid.optimizer.Optimizer`.
    """

    elementwise = False

    def __init__(self, eps: float = 1e-5, **kwargs: Any) -> None:
        super().__init__(**kwargs)
        self.float_stable_eps = eps

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial state, with one element for each row.

        The parameters are those of :meth:`Optimizer.create_state`.

        Returns
        -------
        NDArray
            Zeros of shape (rows, 1).
        """
        assert len(weight.shape) == 2
        return zeros_for(weight, (weight.shape[0], 1), sparse=True)

    def _is_lazy(self, weight: Any, state: Any) -> bool:
        return True

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update the weight and the state in place.

        The parameters are those of :meth:`Optimizer.step`.

        Raises
        ------
        AssertionError
            If the weight decay is not 0.
        """
        if wd:
            raise AssertionError("Weight decay is not supported for GroupAdaGrad")
        results = operators.group_adagrad_update.kernel(
            xp, weight, grad, *states, lr=lr, epsilon=self.float_stable_eps, **self.operator_settings()
        )
        write_back((weight, *states), results)
