# Written by `make stubs` (d2lhybrid/tools/stubs.py): changes made here are lost.

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
from ._functions import add as add
from ._functions import arange as arange
from ._functions import concatenate as concatenate
from ._functions import divide as divide
from ._functions import equal as equal
from ._functions import eye as eye
from ._functions import full as full
from ._functions import greater as greater
from ._functions import greater_equal as greater_equal
from ._functions import histogram as histogram
from ._functions import imdecode as imdecode
from ._functions import lesser as lesser
from ._functions import lesser_equal as lesser_equal
from ._functions import linspace as linspace
from ._functions import load as load
from ._functions import load_frombuffer as load_frombuffer
from ._functions import logical_and as logical_and
from ._functions import logical_or as logical_or
from ._functions import logical_xor as logical_xor
from ._functions import maximum as maximum
from ._functions import minimum as minimum
from ._functions import modulo as modulo
from ._functions import moveaxis as moveaxis
from ._functions import multiply as multiply
from ._functions import not_equal as not_equal
from ._functions import onehot_encode as onehot_encode
from ._functions import power as power
from ._functions import save as save
from ._functions import split_v2 as split_v2
from ._functions import subtract as subtract
from .ndarray import NDArray as NDArray
from .ndarray import array as array
from .ndarray import empty as empty
from .ndarray import from_dlpack as from_dlpack
from .ndarray import from_numpy as from_numpy
from .ndarray import ones as ones
from .ndarray import to_dlpack_for_read as to_dlpack_for_read
from .ndarray import to_dlpack_for_write as to_dlpack_for_write
from .ndarray import waitall as waitall
from .ndarray import zeros as zeros
from .op import *  # noqa: F403
from .sparse import cast_storage as cast_storage

np = numpy
npx = numpy_extension
true_divide = divide
