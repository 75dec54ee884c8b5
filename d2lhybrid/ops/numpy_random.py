"""Random numbers, operators of ``np.random`` and ``npx.random``.

Parameters are numbers or arrays: an attribute that is None is read from the next input. The
continuous families whose samples depend smoothly on their parameters have a second, hidden output
that carries the derivative, so that gradients flow to the parameters (reparameterization).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from typing import Any, NamedTuple

import numpy

from ..dtypes import DEFAULT_DTYPE
from ..errors import MXNetError
from .random import FLOAT16, INT64, generated_signature, permutation, work_dtype
from .random_choice import categories
from .registry import REQUIRED, Array, DType, Floats, Generator, Operator, Shape, operator
from .rules import PartialShape, broadcast_shape, broadcast_to_partial

# --- parameters ------------------------------------------------------------------------------------
