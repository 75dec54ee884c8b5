"""The registration of the compiler with the core: passes, backends, faster convolutions, and gradient stores."""

from __future__ import annotations

from typing import Any

from ..core import promotion, tape
from ..core.pipeline import FORWARD_PASSES, INFERENCE_PASSES, PASSES
from ..ops import conv
from ..ops.unfold import Windows
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
    """Register the compiler's passes, backends, and hooks with the core."""
    INFERENCE_PASSES.append(("fold batch norm", fold_batch_norm))
    FORWARD_PASSES.extend([("assign layout", assign_layout), ("drop unit batch", drop_unit_batch)])
    PASSES.extend([("fuse element-wise", fuse_elementwise), ("run RNN once", run_rnn_once)])
    register_backends()
    tape.install_store(store)
    conv.install_library(_OneDnn())
    promotion.install_promoter(promote_when_called_often)


class _OneDnn:
    """A proxy that imports oneDNN's convolutions at the first convolution."""

    name = "oneDNN"

    def compute(self, function: Any, a: Any, b: Any, w: Windows, groups: int, last: bool) -> Any:
        """Compute one of the three maps for two arrays; return None if NumPy should compute it."""
        library = self._load()
        return None if library is None else library.compute(function, a, b, w, groups, last)

    def computes(self, name: str, shapes: Any, result: Any, dtype: Any, **attributes: Any) -> bool:
        """Return whether the library can compute a call to an operator."""
        library = self._load()
        return library is not None and library.computes(name, shapes, result, dtype, **attributes)

    def _load(self) -> conv.Library | None:
        try:
            from .onednn.single_calls import SingleCalls
        except ImportError:  # a Python without ctypes
            conv.install_library(None)
        else:
            conv.install_library(SingleCalls())
        return conv.library()
