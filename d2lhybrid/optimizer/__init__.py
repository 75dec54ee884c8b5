"""Optimizers, which update weights with their gradients.

``mx.optimizer.create("adam", learning_rate=0.01)`` creates an optimizer by name. :class:`Updater` keeps the states of
all weights. A new optimizer is a subclass of :class:`Optimizer` with the method ``step``. An optimizer with states also
has the method ``create_state``:

>>> import d2lhybrid as mx
>>> @mx.optimizer.register
... class Plain(mx.optimizer.Optimizer):
...     def step(self, xp, weight, grad, states, lr, wd, t):
...         weight -= lr * self.rescale_grad * grad
>>> w = mx.nd.ones((2,))
>>> mx.optimizer.create("plain", learning_rate=0.5).update(0, w, mx.nd.ones((2,)), None)
>>> w.asnumpy()
array([0.5, 0.5], dtype=float32)
"""

from __future__ import annotations

from . import contrib
from .adaptive import FTML, AdaDelta, AdaGrad, Adam, Adamax, Ftrl, Nadam, RMSProp
from .descent import DCASGD, NAG, SGD, SGLD, Signum, Test, ccSGD
from .large_batch import LAMB, LARS, LBSGD
from .optimizer import Optimizer, create, register
from .updater import Updater, get_updater

__all__ = [
    "DCASGD",
    "FTML",
    "LAMB",
    "LARS",
    "LBSGD",
    "NAG",
    "SGD",
    "SGLD",
    "AdaDelta",
    "AdaGrad",
    "Adam",
    "Adamax",
    "Ftrl",
    "Nadam",
    "Optimizer",
    "RMSProp",
    "Signum",
    "Test",
    "Updater",
    "ccSGD",
    "contrib",
    "create",
    "get_updater",
    "register",
]
