"""``mx.contrib.amp``: mixed precision, of which the scaling of losses is here.

Gradients in half precision become zero where they are small, and infinite where they are large. So the loss is
multiplied by a large number before :func:`~d2lhybrid.autograd.backward`, and the gradients are divided by it in
``trainer.step``. A step whose gradients are not finite is left out, and the number halved; after two thousand good
steps it doubles.

Nothing is cast on its own, as MXNet does it after ``init()``: ``net.cast("float16")``, with ``multi_precision=True``
for the optimizer, says what is to be in half precision. On a CPU that is no gain: NumPy computes it several times more
slowly than single precision.

>>> from d2lhybrid import autograd, gluon, nd
>>> from d2lhybrid.contrib import amp
>>> amp.init()
>>> net = gluon.nn.Dense(1, in_units=2)
>>> net.initialize()
>>> trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
>>> amp.init_trainer(trainer)
>>> with autograd.record():
...     loss = net(nd.ones((1, 2))).sum()
...     with amp.scale_loss(loss, trainer) as scaled:
...         autograd.backward(scaled)
>>> trainer.step(1)
"""

from __future__ import annotations

from ...support.absent import refusing
from .amp import init, init_trainer, scale_loss, unscale
from .loss_scaler import LossScaler

__all__ = ["LossScaler", "init", "init_trainer", "scale_loss", "unscale"]

globals()["__getattr__"] = refusing(__name__)
