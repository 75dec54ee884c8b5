"""The optimizer of a module: its creation, its states, and the updates."""

from __future__ import annotations

import logging
import warnings
from typing import Any

from .. import optimizer as optimizers
from ..context import Context
from ..internals.support.filesystem import read_bytes, write_bytes
from .base_module import BaseModule
from .inputs import require, require_ready
from .updating import choose_store, fill_store, update, update_on_store

__all__ = ["Optimized"]


class Optimized(BaseModule):
    """The base class of modules with executors, and with an optimizer that updates the parameters.

    Parameters
    ----------
    logger : logging.Logger
        Logger for progress messages.
    """

    _context: list[Context]
    _param_names: list[str]
    _compression_params: Any
    _exec_group: Any
    _arg_params: Any
    _params_dirty: bool
    _sync_params_from_devices: Any

    def __init__(self, logger: Any = logging) -> None:
        super().__init__(logger=logger)
        self._optimizer: Any = None
        self._kvstore: Any = None
        self._updater: Any = None
        self._update_on_kvstore: bool | None = None
        self._preload_opt_states: str | None = None

    def init_optimizer(
        self,
        kvstore: Any = "local",
        optimizer: Any = "sgd",
        optimizer_params: Any = (("learning_rate", 0.01),),
        force_init: bool = False,
    ) -> None:
        """Create the optimizer.

        Parameters
        ----------
        kvstore : KVStore, str or None
            Store that sums the gradients of several devices.
        optimizer : Optimizer or str
            The optimizer, or its name. An optimizer that is created by name divides gradients by the batch size unless
            ``rescale_grad`` is set.
        optimizer_params : dict or sequence of pairs
            Arguments of an optimizer that is specified by name.
        force_init : bool
            Whether to create the optimizer again.
        """
        require_ready(self, "init_optimizer()")
        if self.optimizer_initialized and not force_init:
            self.logger.warning("optimizer already initialized, ignoring...")
            return
        if self._params_dirty:
            self._sync_params_from_devices()
        store, on_store = choose_store(kvstore, len(self._context), self._arg_params)
        group, count = self._exec_group, 1 if on_store else len(self._context)
        batch_size = group.batch_size * (store.num_workers if store is not None and "_sync" in store.type else 1)
        names = {i * count + k: name for i, name in enumerate(group.param_names) for k in range(count)}
        rescale = 1.0 / batch_size
        if isinstance(optimizer, str):
            settings = {"rescale_grad": rescale, **dict(optimizer_params)}
            optimizer = optimizers.create(optimizer, sym=self.symbol, param_idx2name=names, **settings)
        else:
            require(
                isinstance(optimizer, optimizers.Optimizer),
                f"optimizer must be a name or an Optimizer, not {optimizer!r}",
            )
            if optimizer.rescale_grad != rescale:
                warnings.warn(
                    "Optimizer created manually outside Module but rescale_grad is not normalized to "
                    f"1.0/batch_size/num_workers ({optimizer.rescale_grad} vs. {rescale}). Is this intended?",
                    stacklevel=2,
                )
            if not optimizer.idx2name:
                optimizer.idx2name = dict(names)
        self._optimizer, self._kvstore, self._update_on_kvstore, self._updater = optimizer, store, on_store, None
        if store is not None:
            if self._compression_params:
                store.set_gradient_compression(self._compression_params)
            if on_store:
                store.set_optimizer(optimizer)
            fill_store(store, group.param_arrays, self._arg_params, self._param_names, on_store)
        if not on_store:
            self._updater = optimizers.get_updater(optimizer)
        self.optimizer_initialized = True
        if self._preload_opt_states is not None:
            self.load_optimizer_states(self._preload_opt_states)
            self._preload_opt_states = None

    def borrow_optimizer(self, shared_module: Any) -> None:
        """Use the optimizer of another module, including the optimizer's states.

        Parameters
        ----------
        shared_module : Module
            The other module.
        """
        require(shared_module.optimizer_initialized, "shared_module has no optimizer: call its init_optimizer() first")
        self._optimizer, self._kvstore = shared_module._optimizer, shared_module._kvstore
        self._update_on_kvstore, self._updater = shared_module._update_on_kvstore, shared_module._updater
        self.optimizer_initialized: bool = True

    def save_optimizer_states(self, fname: str) -> None:
        """Save the states of the optimizer to a file.

        Parameters
        ----------
        fname : str
            Path of the file.
        """
        require(self.optimizer_initialized, "call init_optimizer() before save_optimizer_states()")
        if self._update_on_kvstore:
            self._kvstore.save_optimizer_states(fname)
        else:
            write_bytes(fname, self._updater.get_states())

    def load_optimizer_states(self, fname: str) -> None:
        """Load the states of the optimizer from a file that :meth:`save_optimizer_states` wrote.

        Parameters
        ----------
        fname : str
            Path of the file.
        """
        require(self.optimizer_initialized, "call init_optimizer() before load_optimizer_states()")
        if self._update_on_kvstore:
            self._kvstore.load_optimizer_states(fname)
        else:
            self._updater.set_states(read_bytes(fname))

    def update(self) -> None:
        """Update the parameters with the optimizer."""
        ready = self.binded and self.params_initialized and self.optimizer_initialized
        require(ready, "call bind(), init_params(), and init_optimizer() before update()")
        self._params_dirty = True
        group = self._exec_group
        if self._update_on_kvstore:
            update_on_store(group.param_arrays, group.grad_arrays, self._kvstore, group.param_names)
        else:
            update(
                group.param_arrays, group.grad_arrays, self._updater, len(self._context), self._kvstore,
                group.param_names,
            )  # fmt: skip
