"""What the compiler adds to the machine: passes, backends, and a quicker way for gradients into their arrays."""

from __future__ import annotations

from ..core import promotion, tape
from ..core.pipeline import FORWARD_PASSES, INFERENCE_PASSES, PASSES
from .backends import register_backends
from .early_calls import promote_when_called_often
from .gradient_stores import store
from .passes.assign_layout import assign_layout
from .passes.drop_unit_batch import drop_unit_batch
from .passes.fold_batch_norm import fold_batch_norm
from .passes.fuse_elementwise import fuse_elementwise
from .passes.run_rnn_once import run_rnn_once

__all__ = ["plug_in"]


def plug_in() -> None:
    """Register everything with the core. A new pass is one file and one line here."""
    INFERENCE_PASSES.append(("fold batch norm", fold_batch_norm))
    FORWARD_PASSES.extend([("assign layout", assign_layout), ("drop unit batch", drop_unit_batch)])
    PASSES.extend([("fuse element-wise", fuse_elementwise), ("run RNN once", run_rnn_once)])
    register_backends()
    tape.install_store(store)
    promotion.install_promoter(promote_when_called_often)
