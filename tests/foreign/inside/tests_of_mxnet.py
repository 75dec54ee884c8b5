"""What MXNet's own tests need besides: NumPy's results of their days, and MXNet's helpers of tests."""

from __future__ import annotations

import importlib
import sys
import types
from pathlib import Path
from typing import Any

import numpy

from .missing import Missing

__all__ = ["old_results", "own_helpers"]


def old_results() -> None:
    """Let NumPy answer the tests as it did in their days, where a newer one gives other shapes, types or errors."""
    unique, quantile, arange, clip = numpy.unique, numpy.quantile, numpy.arange, numpy.clip
    solve = numpy.linalg.solve

    def flat_unique(ar: Any, return_index: bool = False, return_inverse: bool = False, *rest: Any, **named: Any) -> Any:
        found = unique(ar, return_index, return_inverse, *rest, **named)
        if not return_inverse:
            return found
        place = 1 + bool(return_index)
        return (*found[:place], found[place].reshape(-1), *found[place + 1 :])

    def exact_quantile(a: Any, q: Any, *rest: Any, **named: Any) -> Any:
        if type(a) is numpy.ndarray:
            q = numpy.asarray(q, numpy.float64)  # a float16 rounded no positions
        return quantile(a, q, *rest, **named)

    def wrapping_arange(*limits: Any, dtype: Any = None, **named: Any) -> Any:
        if dtype is None or numpy.dtype(dtype).kind != "u" or min(limits) >= 0:
            return arange(*limits, dtype=dtype, **named)
        return arange(*limits, **named).astype(numpy.int64).astype(dtype)

    def widening_clip(a: Any, *limits: Any, **named: Any) -> Any:
        try:
            return clip(a, *limits, **named)
        except OverflowError:  # a limit is no number of the array's type
            return clip(numpy.asarray(a, numpy.int64), *limits, **named)

    def solving_vectors(a: Any, b: Any) -> Any:
        if 1 < b.ndim == a.ndim - 1:  # vectors, one for each matrix
            return solve(a, b[..., None])[..., 0]
        return solve(a, b)

    def giving(kind: type, function: Any) -> Any:
        def run(*arguments: Any, **named: Any) -> Any:
            found = function(*arguments, **named)
            return kind(found) if isinstance(found, tuple) else found

        return run

    numpy.unique, numpy.quantile, numpy.arange = flat_unique, exact_quantile, wrapping_arange
    numpy.clip, numpy.linalg.solve = widening_clip, solving_vectors
    for name in ("atleast_1d", "atleast_2d", "atleast_3d", "broadcast_arrays", "meshgrid"):
        setattr(numpy, name, giving(list, getattr(numpy, name)))
    for name in ("eig", "eigh", "qr", "slogdet", "svd"):  # tuples with names
        setattr(numpy.linalg, name, giving(tuple, getattr(numpy.linalg, name)))


def own_helpers() -> None:
    """Put MXNet's own helpers of tests on top of this package. A helper that cannot be made there is this package's."""
    import d2lhybrid

    mxnet = importlib.import_module("mxnet")
    own = importlib.import_module("d2lhybrid.test_utils")
    theirs = types.ModuleType("mxnet.test_utils")
    theirs.__package__ = "mxnet"
    sys.modules["mxnet.test_utils"] = theirs
    file = Path("mxnet_test_utils.py").resolve()
    exec(compile(file.read_text("utf-8"), str(file), "exec"), vars(theirs))
    numbers_of_c = {"undefined": -1, "default": 0, "row_sparse": 1, "csr": 2}
    vars(theirs)["_STORAGE_TYPE_STR_TO_ID"] = numbers_of_c
    for name, value in list(vars(theirs).items()):
        if isinstance(value, Missing) and hasattr(own, name):
            setattr(theirs, name, getattr(own, name))
    protocols = importlib.import_module("mxnet.numpy_dispatch_protocol")
    exec(Path("mxnet_protocols.py").read_text("utf-8"), vars(protocols))
    mxnet.test_utils = theirs  # type: ignore[attr-defined]
    d2lhybrid.test_utils = theirs  # type: ignore[attr-defined]
