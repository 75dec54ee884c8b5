"""d2lhybrid: Gluon's hybrid programming on NumPy and CuPy, made to be looked into."""

from __future__ import annotations

from . import autograd
from . import ndarray
from . import ndarray as nd
from .context import Context, cpu, cpu_pinned, current_context, gpu
from .errors import MXNetError
from .util import config

__version__ = "0.1.0"
