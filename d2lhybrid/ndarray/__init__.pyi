# Written by `make stubs` (d2lhybrid/internals/commands/stubs): changes made here are lost.

from typing import Any

from . import _internal as _internal
from . import contrib as contrib
from . import image as image
from . import linalg as linalg
from . import numpy as numpy
from . import numpy_extension as numpy_extension
from . import op as op
from . import random as random
from . import sparse as sparse
from ._functions import Custom as Custom
from ._functions import arange as arange
from ._functions import concatenate as concatenate
from ._functions import eye as eye
from ._functions import full as full
from ._functions import histogram as histogram
from ._functions import imdecode as imdecode
from ._functions import linspace as linspace
from ._functions import load as load
from ._functions import load_frombuffer as load_frombuffer
from ._functions import moveaxis as moveaxis
from ._functions import onehot_encode as onehot_encode
from ._functions import power as power
from ._functions import save as save
from ._functions import split_v2 as split_v2
from .cached_op import CachedOp as CachedOp
from .ndarray import NDArray as NDArray
from .ndarray import from_dlpack as from_dlpack
from .ndarray import from_numpy as from_numpy
from .ndarray import ones as ones
from .ndarray import to_dlpack_for_read as to_dlpack_for_read
from .ndarray import to_dlpack_for_write as to_dlpack_for_write
from .ndarray import waitall as waitall
from .op import *  # noqa: F403
from .utils import array as array
from .utils import empty as empty
from .utils import zeros as zeros

np = numpy
npx = numpy_extension

def add(lhs: Any, rhs: Any) -> NDArray:
    """Return ``lhs + rhs``."""

def divide(lhs: Any, rhs: Any) -> NDArray:
    """Return ``lhs / rhs``."""

def equal(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where ``lhs == rhs``, else 0."""

def greater(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where ``lhs > rhs``, else 0."""

def greater_equal(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where ``lhs >= rhs``, else 0."""

def lesser(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where ``lhs < rhs``, else 0."""

def lesser_equal(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where ``lhs <= rhs``, else 0."""

def logical_and(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where both are not zero, else 0."""

def logical_or(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where at least one is not zero, else 0."""

def logical_xor(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where exactly one is not zero, else 0."""

def maximum(lhs: Any, rhs: Any) -> NDArray:
    """Return the larger of two values."""

def minimum(lhs: Any, rhs: Any) -> NDArray:
    """Return the smaller of two values."""

def modulo(lhs: Any, rhs: Any) -> NDArray:
    """Return ``lhs % rhs``."""

def multiply(lhs: Any, rhs: Any) -> NDArray:
    """Return ``lhs * rhs``."""

def not_equal(lhs: Any, rhs: Any) -> NDArray:
    """Return 1 where ``lhs != rhs``, else 0."""

def subtract(lhs: Any, rhs: Any) -> NDArray:
    """Return ``lhs - rhs``."""

def true_divide(lhs: Any, rhs: Any) -> NDArray:
    """Return ``lhs / rhs``."""
