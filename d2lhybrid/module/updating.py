"""Parameter updates of a module, by a store or by an updater on each device.

User-defined modules call these functions by MXNet's names, such as ``mx.model._create_kvstore``. The parameters have
MXNet's names, too.
"""

from __future__ import annotations

import math
import os
from collections.abc import Sequence
from typing import Any

from .. import kvstore as stores

__all__ = ["choose_store", "fill_store", "update", "update_on_store"]

#: Minimum size, in elements, of the largest parameter with which the devices update the parameters by default.
_LARGE = 1024 * 1024 * 16


def choose_store(kvstore: Any, num_device: int, arg_params: dict[str, Any]) -> tuple[Any, bool]:
    """Return the store for a module's gradients, and whether the store updates the parameters.

    Parameters
    ----------
    kvstore : KVStore, str or None
        The store, or its type.
    num_device : int
        Number of devices.
    arg_params : dict
        The parameters.

    Returns
    -------
    tuple of KVStoreBase or None, and bool
        The store, or None if no store is needed, and whether the store updates the parameters.

    Raises
    ------
    TypeError
        If ``kvstore`` has another type.
    """
    on_store = bool(int(os.getenv("MXNET_UPDATE_ON_KVSTORE", "1")))
    if kvstore is None or (isinstance(kvstore, str) and num_device == 1 and "dist" not in kvstore):
        return None, False
    if isinstance(kvstore, stores.KVStoreBase):
        store = kvstore
    elif isinstance(kvstore, str):
        store = stores.create(kvstore)
        if kvstore == "local" and max((math.prod(p.shape) for p in arg_params.values()), default=0) > _LARGE:
            on_store = False
    else:
        raise TypeError("kvstore must be KVStore, str or None")
    return store, on_store and store.is_capable(stores.KVStoreBase.OPTIMIZER)


def fill_store(
    kvstore: Any,
    param_arrays: Sequence[Any],
    arg_params: dict[str, Any],
    param_names: Sequence[str],
    update_on_kvstore: bool,
) -> None:
    """Store the initial values of all parameters. If the store updates the parameters, copy the values to all devices.

    Parameters
    ----------
    kvstore : KVStoreBase
        The store.
    param_arrays : sequence of list of NDArray
        The arrays of each parameter on all devices.
    arg_params : dict of str to NDArray
        The initial values, by name.
    param_names : sequence of str
        The names of the parameters.
    update_on_kvstore : bool
        Whether the store updates the parameters.
    """
    for i, arrays in enumerate(param_arrays):
        name = param_names[i]
        if update_on_kvstore:
            kvstore.broadcast(name, arg_params[name], out=arrays)
        else:
            kvstore.init(name, arg_params[name])


def update_on_store(
    param_arrays: Sequence[Any], grad_arrays: Sequence[Any], kvstore: Any, param_names: Sequence[str]
) -> None:
    """Push all gradients to the store, which updates the parameters, and pull the new values.

    Parameters
    ----------
    param_arrays, grad_arrays : sequence of list of NDArray
        The arrays of each parameter and of its gradient on all devices. A gradient may be a list of None.
    kvstore : KVStoreBase
        The store.
    param_names : sequence of str
        The names of the parameters.
    """
    for i, (weights, grads) in enumerate(zip(param_arrays, grad_arrays, strict=False)):
        if grads[0] is not None:
            kvstore.pushpull(param_names[i], grads, out=weights, priority=-i)
            if weights[0].stype != "default" and hasattr(kvstore, "pull"):  # pushpull above skips sparse weights
                kvstore.pull(param_names[i], weights, ignore_sparse=False)


def update(
    param_arrays: Sequence[Any],
    grad_arrays: Sequence[Any],
    updater: Any,
    num_device: int,
    kvstore: Any = None,
    param_names: Sequence[str] = (),
) -> None:
    """Update all parameters that have gradients, on each device.

    Parameters
    ----------
    param_arrays, grad_arrays : sequence of list of NDArray
        The arrays of each parameter and of its gradient on all devices. A gradient may be a list of None.
    updater : callable
        The updater: ``updater(indices, gradients, weights)``.
    num_device : int
        Number of devices.
    kvstore : KVStoreBase, optional
        The store that first sums the gradients over the devices.
    param_names : sequence of str
        The names of the parameters, which are the keys in the store.
    """
    of_each: list[list[tuple[int, Any, Any]]] = [[] for _ in range(num_device)]
    for i, (weights, grads) in enumerate(zip(param_arrays, grad_arrays, strict=False)):
        if grads[0] is None:
            continue
        if kvstore:
            kvstore.pushpull(param_names[i], grads, priority=-i)
        for k, (weight, grad) in enumerate(zip(weights, grads, strict=True)):
            of_each[k].append((i * num_device + k, grad, weight))
    for updates in of_each:
        if updates:
            indices, grads, weights = zip(*updates, strict=True)
            updater(list(indices), list(grads), list(weights))
