"""``mx.kvstore.kvstore_server``: servers that several machines share, which are not here."""

from __future__ import annotations

from typing import Any, NoReturn

from ..error import MXNetError
from ..internals.support.display import Shown

__all__ = ["KVStoreServer"]


class KVStoreServer(Shown):
    """A network key-value server, which is not supported: creating one raises an error.

    Examples
    --------
    >>> KVStoreServer(None)
    Traceback (most recent call last):
        ...
    d2lhybrid.error.MXNetError: KVStoreServer serves several machines; here there is mx.kv.create("device") alone
    """

    def __init__(self, kvstore: Any) -> None:
        raise MXNetError('KVStoreServer serves several machines; here there is mx.kv.create("device") alone')

    def run(self) -> NoReturn:
        """Raise an error: there is no server."""
        raise AssertionError
