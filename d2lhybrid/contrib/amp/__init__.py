"""``mx.contrib.amp``: mixed precision, with loss scaling for training and conversion of models.

In half precision, small gradients become zero and large gradients become infinite. Therefore, the loss is multiplied by
a large number, the loss scale, before :func:`~d2lhybrid.autograd.backward`, and ``trainer.step`` divides the gradients
by the scale. A step whose gradients are not finite is skipped, and the scale is halved. After 2,000 successful steps
in a row, the scale is doubled.

:func:`convert_hybrid_block`, :func:`convert_model`, and :func:`convert_symbol` insert casts into a graph: products run
in half precision; exponentials, sums, and losses in single precision; and all other operators in the precision of their
inputs. A converted model is not faster on a CPU, because NumPy computes several times more slowly in half precision
than in single precision. Use conversion to inspect a graph, to measure the loss of accuracy, and to halve the size of
parameter files.

Unlike in MXNet, ``init()`` doesn't make operators cast their inputs. To train in half precision, call
``net.cast("float16")``, and pass ``multi_precision=True`` to the optimizer.

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

from ...internals.support.absent import refusing
from .amp import init, init_trainer, scale_loss, unscale
from .convert import convert_symbol
from .loss_scaler import LossScaler
from .models import convert_hybrid_block, convert_model
from .operators import (
    list_conditional_fp32_ops,
    list_fp32_ops,
    list_loss_output_functions,
    list_lp16_fp32_ops,
    list_lp16_ops,
    list_lp16_use_fp32_params,
    list_widest_type_cast,
)

__all__ = [
    "LossScaler", "convert_hybrid_block", "convert_model", "convert_symbol", "init", "init_trainer",
    "list_conditional_fp32_ops", "list_fp32_ops", "list_loss_output_functions", "list_lp16_fp32_ops", "list_lp16_ops",
    "list_lp16_use_fp32_params", "list_widest_type_cast", "scale_loss", "unscale",
]  # fmt: skip

globals()["__getattr__"] = refusing(__name__)
