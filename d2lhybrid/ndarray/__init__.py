"""``mx.nd``: eager arrays and their operators, with MXNet's names.

The functions of operators (``nd.relu``, ``nd.FullyConnected``) are generated from the registry on first access.
"""

from __future__ import annotations

from typing import Any

from ..internals import ops as _ops  # noqa: F401  registers every operator
from ..internals.device.heap import keep_freed_memory as _keep_freed_memory
from ..internals.support.plugins import plug_in as _plug_in
from . import _functions as _f
from ._functions import *  # noqa: F403
from ._functions import operators as _operators
from .cached_op import CachedOp
from .ndarray import (
    NDArray,
    from_dlpack,
    from_numpy,
    ones,
    to_dlpack_for_read,
    to_dlpack_for_write,
    waitall,
)
from .numbers_of_c import _DTYPE_MX_TO_NP, _DTYPE_NP_TO_MX, _GRAD_REQ_MAP  # noqa: F401  programs import them from here
from .recorded import install as _install
from .sparse import cast_storage
from .utils import array, empty, zeros

_plug_in()
_install()
_keep_freed_memory()
__all__ = [
    "CachedOp", "NDArray", "array", "cast_storage", "empty", "from_dlpack", "from_numpy", "ones", "to_dlpack_for_read",
    "to_dlpack_for_write", "waitall", "zeros",
]  # fmt: skip
__all__ += _f.__all__
_public = _operators("", __name__, globals())

from . import _internal, contrib, image, linalg, numpy, numpy_extension, op, random, sparse  # noqa: E402, F401  they need what is defined above

np, npx = numpy, numpy_extension


def __getattr__(name: str) -> Any:
    return _public.get(name)


def __dir__() -> list[str]:
    return _public.dir()
