"""``mx.contrib.amp``: mixed precision: losses that are scaled, and models that are converted.

Gradients in half precision become zero where they are small, and infinite where they are large. So the loss is
multiplied by a large number before :func:`~d2lhybrid.autograd.backward`, and the gradients are divided by it in
``trainer.step``. A step whose gradients are not finite is left out, and the number halved; after two thousand good
steps it doubles.

:func:`convert_hybrid_block`, :func:`convert_model` and :func:`convert_symbol` put casts into a graph: products in half
precision, exponentials, sums and losses in single, everything else as its inputs. On a CPU that is no gain: NumPy
computes half precision several times more slowly than single. Convert here to look at a graph, to check how much
accuracy is lost, and to halve the files of parameters.

Nothing is cast on its own after ``init()``: ``net.cast("float16")``, with ``multi_precision=True`` for the optimizer,
says what is to be trained in half precision.

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
