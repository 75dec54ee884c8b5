"""The trainer, which applies an optimizer to the parameters of a network after each backward pass."""

from __future__ import annotations

import itertools
import os
from collections.abc import Mapping
from typing import Any

import numpy

from .. import optimizer as opt
from ..context import Context
from ..error import MXNetError
from ..internals.device import collective
from ..internals.support import clock
from ..internals.support.display import Shown
from ..internals.support.filesystem import write_bytes
from ..internals.support.natural_order import natural_key
from ..internals.support.plural import counted
from ..kvstore import KVStore, KVStoreBase, check_kind, create
from ..optimizer.fitting import check_optimizer, check_state, complete_optimizer, is_before_1_6, renumber
from ..optimizer.mxnet_state_writer import write_states
from ..optimizer.saved_states import read_states
from .parameter import Parameter
from .parameter_dict import ParameterDict

__all__ = ["Trainer"]


class Trainer(Shown):
    """An object that updates parameters with their gradients.

    With several devices, the trainer first sums each parameter's gradients over the devices, in the current process.

    Parameters
    ----------
    params : ParameterDict, dict or list of Parameter
        The parameters to train. The parameters of a dictionary are sorted by name.
    optimizer : str or Optimizer
        The optimizer, or its name.
    optimizer_params : dict, optional
        Arguments of an optimizer that is specified by name.
    kvstore : str, KVStore or None
        ``"device"`` or ``"local"`` sums gradients over devices, with NCCL for GPUs if it is installed. ``"nccl"``
        requires NCCL. With None, each device trains separately. For a user-defined store
        (:class:`~d2lhybrid.kvstore.KVStoreBase`), the trainer calls ``broadcast`` with the parameters before the first
        step, and ``pushpull`` with the gradients in each step.
    compression_params : dict, optional
        Settings of gradient compression, which rounds gradients before they are summed; see
        :meth:`~d2lhybrid.kvstore.KVStore.set_gradient_compression`.
    update_on_kvstore : bool, optional
        With several devices, whether to update the weights on one device and copy them to all other devices. If False,
        every device updates its own weights with the summed gradients. The default is True, or False if a dense weight
        has a row-sparse gradient. A user-defined store can update the weights only if its ``is_capable("optimizer")``
        is True.

    Raises
    ------
    ValueError
        If ``params`` is neither a dictionary nor a list of parameters, or if there is no optimizer of that name.
    AssertionError
        If the parameters are on different devices, or if ``optimizer_params`` is passed with an Optimizer object.

    Examples
    --------
    >>> from d2lhybrid import gluon, nd
    >>> weight = gluon.Parameter("weight", shape=(1,), init="ones")
    >>> weight.initialize()
    >>> trainer = Trainer([weight], "sgd", {"learning_rate": 0.5})
    >>> from d2lhybrid import autograd
    >>> with autograd.record():
    ...     loss = weight.data() * 2
    >>> loss.backward()
    >>> trainer.step(batch_size=1)
    >>> weight.data().asscalar().item()
    0.0
    """

    def __init__(
        self,
        params: Any,
        optimizer: Any,
        optimizer_params: Mapping[str, Any] | None = None,
        kvstore: Any = "device",
        compression_params: Mapping[str, Any] | None = None,
        update_on_kvstore: bool | None = None,
    ) -> None:
        self._params = _list_parameters(params)
        #: The parameters in their original order, which defines their indices in versions of MXNet before 1.6.
        self._as_given = list(params.values()) if isinstance(params, dict | ParameterDict) else self._params
        self._param2idx = {parameter.name: i for i, parameter in enumerate(self._params)}
        for parameter in self._params:
            parameter._set_trainer(self)
        self._compression_params = compression_params
        self._contexts = self._check_contexts()
        self._init_optimizer(optimizer, dict(optimizer_params or {}))
        self._scale = self._optimizer.rescale_grad
        self._amp_loss_scaler: Any = None  # created by contrib.amp
        self._amp_original_scale = self._scale
        self._kvstore = self._choose_kvstore(kvstore)
        self._update_on_kvstore = self._choose_update(update_on_kvstore)
        if self._update_on_kvstore and isinstance(self._kvstore, KVStore):
            self._kvstore._updater = self._updaters[0]
        # Devices may start from different values. Before the first step, all devices get the first device's values.
        self._to_hand_out = list(enumerate(self._params)) if self._kvstore is not None else []
        if self._kvstore is not None and compression_params:
            self._kvstore.set_gradient_compression(compression_params)

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state of a copy, and pass the parameters to the copied optimizer, whose own state lacks them."""
        self.__dict__.update(state)
        self._optimizer.param_dict = dict(enumerate(self._params))
        for parameter in self._params:
            parameter._set_trainer(self)

    #: The store is chosen in the constructor and not in the first step. Programs check this attribute and call
    #: `_init_kvstore`.
    _kv_initialized = True

    def _init_kvstore(self) -> None:
        """Do nothing. The constructor has already created the store."""

    def _choose_kvstore(self, kvstore: Any) -> Any:
        """Return the store that exchanges the gradients, or None if no store is needed."""
        if isinstance(kvstore, KVStoreBase) and not isinstance(kvstore, KVStore):
            return kvstore
        kind = kvstore.type if isinstance(kvstore, KVStore) else kvstore
        if kind and kind not in KVStoreBase.kv_registry:
            check_kind(kind)
        if not kvstore or len(self._contexts) < 2:  # a single device needs no exchange
            return None
        return kvstore if isinstance(kvstore, KVStore) else create(kvstore)

    def _choose_update(self, wanted: bool | None) -> bool | None:
        """Return whether only one copy of the weights is updated, or None if there is no store."""
        if self._kvstore is None:
            return None
        if not isinstance(self._kvstore, KVStore) and not self._kvstore.is_capable(KVStoreBase.OPTIMIZER):
            if wanted:
                raise ValueError(f"Please set update_on_kvstore=False when training with {type(self._kvstore)}")
            return False
        if wanted is None:  # MXNet sums a dense weight's row-sparse gradient on each device
            return not any(p._grad_stype != "default" and p._stype == "default" for p in self._params)
        return wanted is not False

    @property
    def _store_updates(self) -> bool:
        """Return whether a user-defined store updates the weights itself."""
        return bool(self._update_on_kvstore) and not isinstance(self._kvstore, KVStore)

    def _hand_out(self) -> None:
        """Copy the values of each initialized parameter from the first device to all others."""
        if not self._to_hand_out:
            return
        ready = [(i, parameter) for i, parameter in self._to_hand_out if not parameter._deferred_init]
        if isinstance(self._kvstore, KVStore):
            self._copy_from_first([parameter._present("_data") for _, parameter in ready])
        else:
            if self._update_on_kvstore and len(self._to_hand_out) == len(self._params):
                self._kvstore.set_optimizer(self._optimizer)
            for i, parameter in ready:
                copies = parameter._present("_data")
                self._kvstore.broadcast(i, copies[0], list(copies))
        self._to_hand_out = [(i, parameter) for i, parameter in self._to_hand_out if parameter._deferred_init]

    def _check_contexts(self) -> list[Context]:
        contexts: list[Context] | None = None
        for parameter in self._params:
            own = parameter.list_ctx()
            if contexts is not None and contexts != own:
                raise AssertionError(
                    "All Parameters must be initialized on the same set of contexts, but Parameter "
                    f"{parameter.name} is initialized on {own} while previous Parameters are initialized on "
                    f"{contexts}."
                )
            contexts = own
        return contexts or []

    def _init_optimizer(self, optimizer: Any, optimizer_params: dict[str, Any]) -> None:
        indexed = dict(enumerate(self._params))
        if isinstance(optimizer, opt.Optimizer):
            if optimizer_params:
                raise AssertionError(
                    "optimizer_params must be None if optimizer is an instance of Optimizer instead of str"
                )
            self._optimizer = optimizer
            self._optimizer.param_dict = indexed
        else:
            self._optimizer = opt.create(optimizer, param_dict=indexed, **optimizer_params)
        self._updaters = [opt.get_updater(self._optimizer) for _ in self._contexts]

    # --- learning rate -------------------------------------------------------------------------

    @property
    def learning_rate(self) -> float:
        """The current learning rate."""
        return self._optimizer.learning_rate

    @property
    def optimizer(self) -> opt.Optimizer:
        """The optimizer that updates the parameters."""
        return self._optimizer

    def set_learning_rate(self, lr: float) -> None:
        """Set the learning rate.

        Parameters
        ----------
        lr : float
            New learning rate.

        Raises
        ------
        UserWarning
            If the optimizer has a learning rate schedule.
        """
        self._optimizer.set_learning_rate(lr)

    # --- updates -------------------------------------------------------------------------------

    def step(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Sum the gradients over devices, and update all parameters.

        Parameters
        ----------
        batch_size : int
            Divisor of the gradients. An array with one element, such as a token count, is also allowed.
        ignore_stale_grad : bool
            Whether to skip parameters whose gradients no backward pass has written since the last step.

        Raises
        ------
        MXNetError
            If ``batch_size`` is an array with several elements.
        UserWarning
            If a gradient is stale and ``ignore_stale_grad`` is False.
        """
        self._rescale(batch_size)
        self._hand_out()
        if not self._update_on_kvstore or self._store_updates:
            self._allreduce_grads()
        self._update(ignore_stale_grad)

    def allreduce_grads(self) -> None:
        """Sum the gradients over devices. You can change the sums before you call :meth:`update`.

        Raises
        ------
        AssertionError
            If the trainer updates only one copy of the weights (``update_on_kvstore=True``).
        """
        self._check_updates_here("allreduce_grads")
        self._hand_out()
        self._allreduce_grads()

    def update(self, batch_size: float, ignore_stale_grad: bool = False) -> None:
        """Update all parameters with the current gradients.

        :meth:`step` does the work of :meth:`allreduce_grads` and of this method.

        Parameters
        ----------
        batch_size, ignore_stale_grad
            Arguments of :meth:`step`.

        Raises
        ------
        AssertionError
            If the trainer updates only one copy of the weights (``update_on_kvstore=True``).
        """
        self._check_updates_here("update")
        self._rescale(batch_size)
        self._hand_out()
        self._update(ignore_stale_grad)

    def _rescale(self, batch_size: Any) -> None:
        factor: Any = numpy.asarray(self._scale / batch_size)
        if factor.size != 1:
            error = MXNetError(f"Invalid Parameter format for rescale_grad expect float but value='{factor}'")
            error.add_note(f"Pass a number as `batch_size`, not an array of shape {factor.shape}.")
            raise error
        # Use a Python number, because a NumPy scalar would convert every gradient to float64.
        self._optimizer.rescale_grad = factor.item()

    def _check_updates_here(self, what: str) -> None:
        if self._update_on_kvstore:
            raise AssertionError(
                f"{what}() when parameters are updated on kvstore is not supported. "
                "Try setting `update_on_kvstore` to False when creating trainer."
            )

    def _allreduce_grads(self) -> None:
        if self._kvstore is None:
            return
        trained = [(i, p.list_grad()) for i, p in enumerate(self._params) if p.grad_req != "null"]
        if isinstance(self._kvstore, KVStore):
            if trained:
                self._kvstore.all_reduce([i for i, _ in trained], [grads for _, grads in trained])
            return
        for i, grads in trained:
            updated = {"out": self._params[i].list_data()} if self._update_on_kvstore else {}
            self._kvstore.pushpull(i, grads, priority=-i, **updated)

    @property
    def _params_to_init(self) -> list[Parameter]:
        """Return the parameters without values, whose shapes are unknown."""
        return [parameter for parameter in self._params if parameter._deferred_init]

    def _update(self, ignore_stale_grad: bool = False) -> None:
        """Call the updater of each device once, with all weights on that device."""
        calls: list[tuple[list[int], list[Any], list[Any]]] = [([], [], []) for _ in self._updaters]
        used, in_c = [], False
        for i, parameter in enumerate(self._params):
            if parameter._grad_req == "null":
                continue
            in_c = in_c or parameter._in_c
            weights = parameter._present("_data")
            assert parameter._grad is not None
            for call, weight, grad in zip(calls, weights, parameter._grad, strict=True):
                variable = weight._tape[0]
                if not variable.fresh:
                    if ignore_stale_grad:
                        continue
                    self._raise_stale(parameter, weight.context)
                used.append(variable)
                indices, grads, targets = call
                indices.append(i)
                grads.append(grad)
                targets.append(weight)
        if self._amp_loss_scaler is not None and self._amp_loss_scaler.has_overflow(self._params):
            return  # the scaled gradients overflowed, so skip this step
        if self._update_on_kvstore and not self._store_updates:
            self._update_one_copy()
            return
        for variable in used:
            variable.fresh = False
        if self._store_updates:
            return
        for updater, (indices, grads, targets) in zip(self._updaters, calls, strict=True):
            if indices:
                updater.in_c = in_c
                updater(indices, grads, targets)

    def _raise_stale(self, stale: Parameter, ctx: Context) -> None:
        for parameter in self._params:
            parameter._present("_data")  # raises an error if the parameter is not initialized
        raise UserWarning(
            f"Gradient of Parameter `{stale.name}` on context {ctx} has not been updated by backward since "
            "last `step`. This could mean a bug in your model that made it only use a subset of the "
            "Parameters (Blocks) for this iteration. If you are intentionally only using a subset, call step "
            "with ignore_stale_grad=True to suppress this warning and skip updating of Parameters with stale "
            "gradient"
        )

    def _update_one_copy(self) -> None:
        """Update the weights on the first device with the summed gradients, and copy them to all other devices."""
        trained = [(i, p) for i, p in enumerate(self._params) if p.grad_req != "null"]
        if not trained:
            return
        indices, weights = [i for i, _ in trained], [p._present("_data") for _, p in trained]
        sums = self._kvstore.reduce(indices, [p.list_grad() for _, p in trained])
        self._updaters[0](indices, sums, [copies[0] for copies in weights])
        self._copy_from_first(weights)

    def _copy_from_first(self, weights: list[Any]) -> None:
        raws = [[w._data for w in copies] for copies in weights]
        clock.note_write(itertools.chain(*raws))
        collective.copy_from_first(raws, self._contexts)
        clock.note_write(itertools.chain(*raws))

    # --- files ---------------------------------------------------------------------------------

    def save_states(self, fname: str) -> None:
        """Save the optimizer and its states, such as the momentum, to a file.

        Parameters
        ----------
        fname : str
            Path of the file.
        """
        self._hand_out()
        if self._store_updates:
            self._kvstore.save_optimizer_states(fname, dump_optimizer=True)
            return
        write_bytes(fname, self._updaters[0].get_states(dump_optimizer=True))

    def load_states(self, fname: str) -> None:
        """Load an optimizer and its states from a file that :meth:`save_states` wrote.

        Parameters
        ----------
        fname : str
            Path of the file.

        Raises
        ------
        MXNetError
            If the file is damaged, or does not match the parameters. In this case, the states are unchanged.
        """
        self._hand_out()
        if self._store_updates:
            self._kvstore.load_optimizer_states(fname)
            return
        with open(os.fspath(fname), "rb") as stream:  # os.fspath refuses numbers, which are file descriptors
            states = self._renumbered(stream.read())
        self._check_states(states)
        for updater in self._updaters:
            updater.set_states(states)
            updater.optimizer = self._updaters[0].optimizer
        self._optimizer = self._updaters[0].optimizer
        self._optimizer.param_dict = dict(enumerate(self._params))

    def _renumbered(self, states: bytes) -> bytes:
        """Return states with the current parameter indices. MXNet before 1.6 ordered the parameters by name."""
        loaded = read_states(states)
        if not isinstance(loaded, tuple) or not is_before_1_6(loaded[1]):
            return states
        saved, optimizer = loaded
        complete_optimizer(optimizer)
        positions = {id(parameter): i for i, parameter in enumerate(self._params)}
        return write_states(renumber(saved, optimizer, [positions[id(parameter)] for parameter in self._as_given]))

    def _check_states(self, states: bytes) -> None:
        """Raise an error if states from a file do not belong to these parameters."""
        loaded = read_states(states)
        saved, optimizer = loaded if isinstance(loaded, tuple) else (loaded, self._optimizer)
        check_optimizer(optimizer)
        for index, state in saved.items():
            if type(index) is not int or index < 0:
                raise MXNetError(
                    f"the states do not match this trainer: they contain {index!r:.80}, which is not a parameter index"
                )
            if index >= len(self._params):
                raise MXNetError(
                    f"the states do not match this trainer: they contain the parameter index {index!r:.80}, but the "
                    f"trainer has only {counted(len(self._params), 'parameter')}"
                )
            if self._params[index]._data is None:
                continue
            try:
                check_state(optimizer, index, self._params[index].list_data()[0], state)
            except MXNetError as reason:
                raise MXNetError(f"{reason}{self._hint_of_order()}") from None

    def _hint_of_order(self) -> str:
        """Return what to do if the order by name is not the one by number: ``dense10_`` comes before ``dense9_``."""
        if self._as_given is self._params:  # a list, which keeps its order
            return ""
        by_number = sorted(self._params, key=lambda parameter: natural_key(parameter.name))
        for ours, expected in zip(self._params, by_number, strict=True):
            if ours is not expected:
                return (
                    f". A trainer sorts parameters by name, so {ours.name} comes before {expected.name}. If the "
                    "parameter names of the saved net contain other numbers, create this net before all other nets in "
                    "a new process, or give the blocks of both nets a prefix"
                )
        return ""


def _list_parameters(params: Any) -> list[Parameter]:
    if isinstance(params, dict | ParameterDict):
        params = [params[name] for name in sorted(params.keys())]
    if not isinstance(params, list | tuple):
        raise ValueError(f"First argument must be a list or dict of Parameters, got {type(params)}.")
    for parameter in params:
        if not isinstance(parameter, Parameter):
            raise ValueError(f"First argument must be a list or dict of Parameters, got list of {type(parameter)}.")
    return list(params)
