"""The updater, which updates weights for a Trainer, and creates, keeps, and saves the optimizer's states."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any

from ..internals.support.display import Shown
from ..ndarray import NDArray
from .fitting import check_optimizer, check_state, complete_optimizer
from .fused import FusedUpdates
from .mxnet_state_writer import write_states
from .optimizer import Optimizer
from .saved_states import read_states

__all__ = ["Updater", "get_updater"]


class Updater(Shown):
    """A callable that updates weights with an optimizer and keeps the optimizer's states.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer.

    Attributes
    ----------
    states : dict
        The state of each weight, by the weight's index.
    in_c : bool
        Whether a C function updates the weights on a CPU, if the package has a rule for the optimizer.
    """

    def __init__(self, optimizer: Optimizer) -> None:
        self.optimizer: Any = optimizer
        self.states: dict[Any, Any] = {}
        self.states_synced: dict[Any, bool] = {}
        self.aggregate_updates: Any = optimizer.aggregate_num > 0
        self.in_c = False
        self._fused: dict[bool, FusedUpdates] = {}

    def __call__(self, index: Any, grad: Any, weight: Any) -> None:
        """Update a weight, or a list of weights.

        Parameters
        ----------
        index : hashable or list
            The index of the weight.
        grad, weight : NDArray or list of NDArray
            The gradient, and the weight to update.
        """
        if not isinstance(index, list | tuple):
            index, grad, weight = [index], [grad], [weight]
        if weight:
            self.optimizer._set_current_context(weight[0]._ctx.device_id)
        with self.optimizer._counted_together(*self._groups(index, weight)):
            self._update_all(index, grad, weight)

    def _groups(self, indices: Sequence[Any], weights: Sequence[Any]) -> Iterator[list[Any]]:
        """Yield groups of indices of weights that MXNet updates in one call: of the same type, and of limited size."""
        most = max(1, self.optimizer.aggregate_num) if self.aggregate_updates else 1
        of_type: dict[Any, list[Any]] = {}
        for index, weight in zip(indices, weights, strict=True):
            of_type.setdefault(weight.dtype, []).append(index)
        for those in of_type.values():
            for start in range(0, len(those), most):
                yield those[start : start + most]

    def _update_all(self, index: Sequence[Any], grad: Sequence[Any], weight: Sequence[Any]) -> None:
        if weight:
            on_gpu = weight[0]._ctx.device_typeid == 2
            dense = any(one.stype == "default" for one in grad)
            if (on_gpu or self.in_c) and dense and self._update_together(index, grad, weight, on_gpu):
                return
        for i, g, w in zip(index, grad, weight, strict=True):
            self.optimizer.update_multi_precision(i, w, g, self._state_of(i, w))

    def _update_together(self, indices: Any, grads: Any, weights: Any, on_gpu: bool) -> bool:
        """Update weights on a device with one function, and return True. Return False if that is impossible."""
        context = weights[0]._ctx
        if any(w._ctx != context for w in weights):
            return False
        states = [self._state_of(i, w) for i, w in zip(indices, weights, strict=True)]
        fused = self._fused.get(on_gpu)
        if fused is None:
            fused = self._fused[on_gpu] = FusedUpdates() if on_gpu else _updates_in_c()
        return fused(self.optimizer, indices, weights, grads, states)

    def _state_of(self, index: Any, weight: Any) -> Any:
        """Return the state of a weight on the weight's device. The first call for a weight creates the state."""
        if index not in self.states:
            state = self.optimizer.create_state_multi_precision(index, weight)
            self.states_synced[index] = True  # set first, because all readers of a state check it
            self.states[index] = state
        elif not self.states_synced[index]:  # the state comes from a file, or from another updater
            check_state(self.optimizer, index, weight, self.states[index])
            self.states[index] = self.sync_state_context(self.states[index], weight._ctx)
            self.states_synced[index] = True
        return self.states[index]

    def sync_state_context(self, state: Any, context: Any) -> Any:
        """Return a state with all arrays on a device. Arrays that are already on the device are not copied.

        Parameters
        ----------
        state : NDArray, tuple or list
            The state.
        context : Context
            The device.

        Returns
        -------
        NDArray, tuple or list
            The state.
        """
        if isinstance(state, NDArray):
            return state.as_in_context(context)
        if isinstance(state, tuple | list):
            return type(state)(self.sync_state_context(s, context) for s in state)
        return state

    def get_states(self, dump_optimizer: bool = False) -> bytes:
        """Return the states as bytes.

        Parameters
        ----------
        dump_optimizer : bool
            Whether to include the optimizer.

        Returns
        -------
        bytes
            The contents of a file of states.
        """
        return write_states((self.states, self.optimizer) if dump_optimizer else self.states)

    def set_states(self, states: bytes) -> None:
        """Restore the states, and the optimizer if it was saved, from a result of :meth:`get_states`.

        Parameters
        ----------
        states : bytes
            The states.

        Raises
        ------
        MXNetError
            If the bytes are damaged, contain objects other than states and an optimizer, or contain an optimizer with
            invalid settings.
        """
        loaded = read_states(states)
        if not isinstance(loaded, dict):
            complete_optimizer(loaded[1])
            check_optimizer(loaded[1])
            loaded, self.optimizer = loaded
            self.aggregate_updates = self.optimizer.aggregate_num > 0
        self.states = loaded
        self.states_synced = dict.fromkeys(self.states, False)


def _updates_in_c() -> FusedUpdates:
    from .in_c import UpdatesInC  # imported only when used

    return UpdatesInC()


def get_updater(optimizer: Optimizer) -> Updater:
    """Return a new updater for an optimizer.

    Parameters
    ----------
    optimizer : Optimizer
        The optimizer.

    Returns
    -------
    Updater
        The updater.
    """
    return Updater(optimizer)
