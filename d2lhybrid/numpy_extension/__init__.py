"""``mx.npx``: functions that NumPy lacks, such as operators of neural networks, contexts, files, and the mode switch.

The functions of operators (``npx.relu``, ``npx.softmax``) are generated from the registry on first access.
"""

from __future__ import annotations

from typing import Any

from ..context import Context, cpu, cpu_pinned, current_context, gpu, gpu_memory_info, num_gpus
from ..ndarray import waitall
from ..ndarray.numpy._space import operators as _operators
from ..util import is_np_array, is_np_shape, reset_np, set_np
from .files import load, save

_names = _operators("npx", __name__, globals())

from . import image, random  # noqa: E402  they need what is defined above

__all__ = [
    "Context", "cpu", "cpu_pinned", "current_context", "gpu", "gpu_memory_info", "image",
    "is_np_array", "is_np_shape", "load", "num_gpus", "random", "reset_np", "save", "set_np",
    "waitall",
]  # fmt: skip


def __getattr__(name: str) -> Any:
    return _names.get(name)


def __dir__() -> list[str]:
    return _names.dir()
