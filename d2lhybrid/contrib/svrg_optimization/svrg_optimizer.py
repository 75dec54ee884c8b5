"""The optimizer of :class:`~d2lhybrid.contrib.svrg_optimization.svrg_module.SVRGModule`."""

from __future__ import annotations

from typing import Any

from ...optimizer import Optimizer, create, register

__all__: list[str] = []

_OF_EVERY_OPTIMIZER = {
    "rescale_grad", "param_idx2name", "wd", "clip_gradient", "learning_rate", "lr_scheduler", "sym", "begin_num_update",
    "multi_precision", "param_dict",
}  # fmt: skip


@register
class _AssignmentOptimizer(Optimizer):
    """An optimizer that copies gradients into parameters, so that a key-value store distributes full gradients."""

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Copy a gradient into a parameter."""
        weight[:] = grad

    def create_state(self, index: Any, weight: Any) -> None:
        """Return None, because there is no state."""


@register
class _SVRGOptimizer(Optimizer):
    """An optimizer that delegates to another optimizer, but copies gradients for keys that end in ``_full``.

    Parameters
    ----------
    default_optimizer : str or Optimizer
        The optimizer of the parameters.
    **kwargs
        Arguments of both optimizers.
    """

    def __init__(self, default_optimizer: Any, **kwargs: Any) -> None:
        super().__init__(**{name: value for name, value in kwargs.items() if name in _OF_EVERY_OPTIMIZER})
        by_name = isinstance(default_optimizer, str)
        self.default_opt = create(default_optimizer, **kwargs) if by_name else default_optimizer
        self.aux_opt = create(_AssignmentOptimizer.__name__)

    def _for(self, index: Any) -> Optimizer:
        name = index if index in self.idx2name.values() else self.idx2name[index]
        return self.aux_opt if name.endswith("_full") else self.default_opt

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update a parameter, or copy a full gradient."""
        self._for(index).update(index, weight, grad, state)

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the state of a parameter."""
        return self._for(index).create_state(index, weight)
