"""Key-value stores, which sum the arrays of several devices and store a value for each key.

A store sums the arrays that devices push. Then an updater updates the stored value with the sum. Without an updater,
the sum replaces the stored value. A :class:`~d2lhybrid.gluon.Trainer` uses a store to sum gradients without storing
them.

>>> import d2lhybrid as mx
>>> kv = mx.kv.create("device")
>>> kv.init(3, mx.nd.zeros((2,)))
>>> kv.push(3, [mx.nd.ones((2,), ctx=mx.cpu(i)) for i in range(2)])
>>> total = mx.nd.zeros((2,))
>>> kv.pull(3, out=total)
>>> total.asnumpy()
array([2., 2.], dtype=float32)
"""

from __future__ import annotations

from .base import KVStoreBase, TestStore
from .kvstore import KVStore, check_kind, create
from .kvstore_server import KVStoreServer

__all__ = ["KVStore", "KVStoreBase", "KVStoreServer", "TestStore", "check_kind", "create"]
