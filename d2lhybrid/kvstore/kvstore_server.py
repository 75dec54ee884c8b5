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
    >>> KVStoreServer(None)
    Traceback (most recent call last):
        ...
    d2lhybrid.error.MXNetError: KVStoreServer is for training on several machines, which is not supported; use ...
    """

    def __init__(self, kvstore: Any) -> None:
        raise MXNetError(
            'KVStoreServer is for training on several machines, which is not supported; use mx.kv.create("device")'
        )

    def run(self) -> NoReturn:
        """Raise an error, because there is no server.

        Raises
        ------
        AssertionError
            Always.
        """
        raise AssertionError
