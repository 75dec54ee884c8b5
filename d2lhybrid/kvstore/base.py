"""The interface of key-value stores, and a minimal store."""

from __future__ import annotations

import warnings
from typing import Any, ClassVar

from ..internals.core.invoke import wrap
from ..internals.device import collective
from ..internals.support import clock
from ..internals.support.display import Shown
from ..ndarray import NDArray
from ..optimizer import Optimizer

__all__ = ["KVStoreBase", "TestStore", "create"]


class KVStoreBase(Shown):
    """The interface of a store. :func:`create` finds a registered subclass by its class name in lower case.

    Examples
    --------
    >>> import d2lhybrid as mx
    >>> @mx.kvstore.KVStoreBase.register
    ... class Doubling(mx.kvstore.KVStoreBase): ...
    >>> type(mx.kv.create("doubling")).__name__
    'Doubling'
    """

    OPTIMIZER: ClassVar[str] = "optimizer"
    kv_registry: ClassVar[dict[str, type[KVStoreBase]]] = {}

    @staticmethod
    def register(klass: Any) -> Any:
        """Register a class for :func:`create`.

        Parameters
        ----------
        klass : type
            The class. If a class with the same name is registered, the function warns and replaces it.

        Returns
        -------
        type
            The class.
        """
        assert isinstance(klass, type)
        name = klass.__name__.lower()
        existing = KVStoreBase.kv_registry.get(name)
        if existing is not None:
            warnings.warn(
                f"WARNING: New kvstore {klass.__module__}.{name} is overriding existing kvstore "
                f"{existing.__module__}.{existing.__name__}",
                stacklevel=2,
            )
        KVStoreBase.kv_registry[name] = klass
        return klass

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copy a value into arrays. Subclasses override this method.

        Parameters
        ----------
        key : int, str, or sequence of these
            Keys of the values.
        value : NDArray or list of NDArray
            The value for each key.
        out : NDArray, list of NDArray, or list of such lists
            The arrays to write to, for each key.
        priority : int
            Priority of the operation over other operations. The stores of this package ignore priorities, because they
            run operations in order.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Sum the values of all devices, and write the sum into arrays. Subclasses override this method.

        Parameters
        ----------
        key : int, str, or sequence of these
            Keys of the values.
        value : NDArray, list of NDArray, or list of such lists
            The arrays of all devices, for each key.
        out : NDArray, list of NDArray, or list of such lists, optional
            The arrays to write to, for each key; ``value`` by default.
        priority : int
            Priority of the operation over other operations. The stores of this package ignore priorities, because they
            run operations in order.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def set_optimizer(self, optimizer: Optimizer) -> None:
        """Set the optimizer that updates the stored values in each push. Subclasses override this method.

        Parameters
        ----------
        optimizer : Optimizer
            The optimizer.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def is_capable(self, capability: str) -> bool:
        """Return whether the store has a capability. Subclasses override this method.

        Parameters
        ----------
        capability : str
            Name of the capability, such as ``"optimizer"``.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def save_optimizer_states(self, fname: str, dump_optimizer: bool = False) -> None:
        """Save the states of the optimizer to a file. Subclasses override this method.

        Parameters
        ----------
        fname : str
            Path of the file.
        dump_optimizer : bool
            Whether to also save the optimizer itself.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    def load_optimizer_states(self, fname: str) -> None:
        """Load states from a file that :meth:`save_optimizer_states` wrote. Subclasses override this method.

        Parameters
        ----------
        fname : str
            Path of the file.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    @property
    def type(self) -> str:
        """The type of the store. Subclasses override this property."""
        raise NotImplementedError

    @property
    def rank(self) -> int:
        """The index of this process among the processes that share the store. Subclasses override this property."""
        raise NotImplementedError

    @property
    def num_workers(self) -> int:
        """The number of processes that share the store. Subclasses override this property."""
        raise NotImplementedError


@KVStoreBase.register
class TestStore(KVStoreBase):
    """A minimal store, which sums and copies arrays but stores nothing."""

    __test__ = False  # pytest collects classes with names that begin with Test

    def broadcast(self, key: Any, value: Any, out: Any, priority: int = 0) -> None:
        """Copy a value into ``out``.

        The parameters are those of :meth:`KVStoreBase.broadcast`.
        """
        for one in out if isinstance(out, list) else [out]:
            if one is not value:
                value.copyto(one)

    def pushpull(self, key: Any, value: Any, out: Any = None, priority: int = 0) -> None:
        """Sum ``value`` over devices, and write the result into ``out``, or into ``value`` if ``out`` is None.

        The parameters are those of :meth:`KVStoreBase.pushpull`.
        """
        values = [value] if isinstance(value, NDArray) else list(value)
        targets = values if out is None else out if isinstance(out, list) else [out]
        (total,) = collective.sum_on_first([[v._data for v in values]], [v._ctx for v in values])
        total_array = wrap(type(values[0]), total, values[0]._ctx)
        for target in targets:
            total_array.copyto(target)
        clock.note_write(target._data for target in targets)

    @staticmethod
    def is_capable(capability: str) -> bool:  # type: ignore[override]
        """Return False, because this store lacks the only capability, ``"optimizer"``.

        Parameters
        ----------
        capability : str
            Name of the capability.

        Returns
        -------
        bool
            False.

        Raises
        ------
        ValueError
            If there is no capability of that name.
        """
        if capability.lower() == KVStoreBase.OPTIMIZER:
            return False
        raise ValueError(f"Unknown capability: {capability}")

    @property
    def type(self) -> str:
        """The type of the store, ``"teststore"``."""
        return "teststore"

    @property
    def rank(self) -> int:
        """The index of this process, which is always 0."""
        return 0

    @property
    def num_workers(self) -> int:
        """The number of processes, which is always 1."""
        return 1


def create(name: str = "local") -> Any:
    """Create a store; see :func:`d2lhybrid.kvstore.create`.

    Parameters
    ----------
    name : str
        Type of the store.

    Returns
    -------
    KVStoreBase
        The store.
    """
    from .kvstore import create as make

    return make(name)
