"""The codes of element types, storage types, and gradient requests in MXNet's C library.

This package doesn't use these codes, but programs and libraries import them.
"""

from __future__ import annotations

from typing import Any

import numpy

from ..internals.support.dtypes import CODES

_STORAGE_TYPE_UNDEFINED, _STORAGE_TYPE_DEFAULT, _STORAGE_TYPE_ROW_SPARSE, _STORAGE_TYPE_CSR = -1, 0, 1, 2
_STORAGE_TYPE_STR_TO_ID = {"undefined": -1, "default": 0, "row_sparse": 1, "csr": 2}
_STORAGE_TYPE_ID_TO_STR = {number: name for name, number in _STORAGE_TYPE_STR_TO_ID.items()}
#: The element types of the index arrays of each storage type.
_STORAGE_AUX_TYPES = {"row_sparse": [numpy.int64], "csr": [numpy.int64, numpy.int64]}

_DTYPE_NP_TO_MX: dict[Any, int] = {None: -1, **{dtype.type: code for dtype, code in CODES.items()}}
_DTYPE_MX_TO_NP: dict[int, Any] = {code: kind for kind, code in _DTYPE_NP_TO_MX.items()}

_GRAD_REQ_MAP = {"null": 0, "write": 1, "add": 3}

__all__ = [
    "_DTYPE_MX_TO_NP", "_DTYPE_NP_TO_MX", "_GRAD_REQ_MAP", "_STORAGE_AUX_TYPES", "_STORAGE_TYPE_CSR",
    "_STORAGE_TYPE_DEFAULT", "_STORAGE_TYPE_ID_TO_STR", "_STORAGE_TYPE_ROW_SPARSE", "_STORAGE_TYPE_STR_TO_ID",
    "_STORAGE_TYPE_UNDEFINED",
]  # fmt: skip
