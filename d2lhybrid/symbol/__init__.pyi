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
from ._functions import eye as eye
from ._functions import full as full
from ._functions import histogram as histogram
from ._functions import linspace as linspace
from ._functions import ones as ones
from ._functions import pow as pow
from ._functions import split_v2 as split_v2
from ._functions import zeros as zeros
from .file import load as load
from .file import load_json as load_json
from .op import *  # noqa: F403
from .symbol import Group as Group
from .symbol import Symbol as Symbol
from .symbol import Variable as Variable
from .symbol import var as var

np = numpy
npx = numpy_extension
power = pow

def hypot(left: Any, right: Any) -> Symbol:
    """Return ``sqrt(left**2 + right**2)``."""

def maximum(left: Any, right: Any) -> Symbol:
    """Return the larger of two values."""

def minimum(left: Any, right: Any) -> Symbol:
    """Return the smaller of two values."""
