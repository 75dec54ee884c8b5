"""``mx.kvstore.kvstore_server``: servers for several machines, which are not supported."""

from __future__ import annotations

from typing import Any, NoReturn

from ..error import MXNetError
from ..internals.support.display import Shown

__all__ = ["KVStoreServer"]


class KVStoreServer(Shown):
    """A network key-value server, which is not supported. The constructor raises an error.

    Examples
    --------
    >>> try:
    ...     KVStoreServer(None)
    ... except MXNetError as error:
    ...     print(error)
    KVStoreServer is for training on several machines, which d2lhybrid does not support
    """

    def __init__(self, kvstore: Any) -> None:
        error = MXNetError("KVStoreServer is for training on several machines, which d2lhybrid does not support")
        error.add_note('To train on several devices of this machine, call mx.kv.create("device").')
        raise error

    def run(self) -> NoReturn:
        """Raise an error, because there is no server.

        Raises
        ------
        AssertionError
            Always.
        """
        raise AssertionError
