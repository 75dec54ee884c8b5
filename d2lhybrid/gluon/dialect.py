"""The object that lets the code of a layer work with both dialects: legacy arrays and ``np`` arrays.

A layer calls ``op = operators(F)`` and then ``op.FullyConnected(...)``. In legacy mode, ``operators(F)`` is ``F``
itself. With NumPy semantics, the result is an object whose attribute ``FullyConnected`` is ``F.npx.fully_connected``.
Operators without a NumPy variant stay legacy operators, which reject ``np`` arrays.
"""

from __future__ import annotations

import functools
from typing import Any

__all__ = ["numpy_dialect"]

_NUMPY_NAMES = {
    "Activation": "npx.activation",
    "BatchNorm": "npx.batch_norm",
    "Convolution": "npx.convolution",
    "Deconvolution": "npx.deconvolution",
    "Dropout": "npx.dropout",
    "Embedding": "npx.embedding",
    "Flatten": "npx.batch_flatten",
    "FullyConnected": "npx.fully_connected",
    "LayerNorm": "npx.layer_norm",
    "LeakyReLU": "npx.leaky_relu",
    "Pooling": "npx.pooling",
    "RNN": "npx.rnn",
    "abs": "np.abs",
    "broadcast_maximum": "np.maximum",
    "broadcast_mul": "np.multiply",
    "elemwise_add": "np.add",
    "exp": "np.exp",
    "identity": "np.copy",
    "log": "np.log",
    "log_softmax": "npx.log_softmax",
    "mean": "np.mean",
    "pick": "npx.pick",
    "relu": "npx.relu",
    "reshape": "np.reshape",
    "reshape_like": "npx.reshape_like",
    "sigmoid": "npx.sigmoid",
    "square": "np.square",
    "sum": "np.sum",
    "swapaxes": "np.swapaxes",
    "tanh": "np.tanh",
    "where": "np.where",
    "zeros": "np.zeros",
}


class _NumpyDialect:
    """The operators of ``F.np`` and ``F.npx`` under their legacy names."""

    def __init__(self, F: Any) -> None:
        self._space = F

    def __getattr__(self, name: str) -> Any:
        function = self._space
        for part in _NUMPY_NAMES.get(name, name).split("."):
            function = getattr(function, part)
        self.__dict__[name] = function
        return function


#: Return the object with the operators of ``F`` under NumPy semantics, cached for each ``F``.
numpy_dialect = functools.cache(_NumpyDialect)
