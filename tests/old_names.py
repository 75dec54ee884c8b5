"""What NumPy, Python and test runners have dropped, and programs of MXNet's days use.

Runs on Python 3.8, too, and imports nothing of this package: real MXNet's tests are run with it as well.
"""

from __future__ import annotations

import collections
import collections.abc
import functools
import inspect
import json
import re
import sys
import types
import unittest
import warnings
from typing import Any

import numpy


def old_numpy() -> None:
    """Give NumPy the names that the tests expect and that newer ones dropped."""
    names = {
        "bool": bool, "int": int, "float": float, "object": object, "NaN": numpy.nan, "Inf": numpy.inf,
        "product": numpy.prod, "round_": numpy.round, "float_": numpy.float64, "alltrue": numpy.all,
        "sometrue": numpy.any,
    }  # fmt: skip
    for name, value in names.items():
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            if not hasattr(numpy, name):
                setattr(numpy, name, value)
    if numpy.lib.NumpyVersion(numpy.__version__) >= "2.0.0":
        numpy.lib.arraysetops = numpy  # type: ignore[attr-defined]


def ragged_arrays() -> None:
    """Let NumPy make arrays of objects of rows that differ in length, as it did before 1.24, with a warning."""

    def willing(function: Any) -> Any:
        @functools.wraps(function)
        def run(values: Any, dtype: Any = None, *rest: Any, **named: Any) -> Any:
            try:
                return function(values, dtype, *rest, **named)
            except ValueError as error:
                if dtype is not None or "inhomogeneous" not in str(error):
                    raise
                return function(values, object, *rest, **named)

        return run

    if "inhomogeneous" in _refusal():
        for name in ("array", "asarray", "asanyarray"):
            setattr(numpy, name, willing(getattr(numpy, name)))


def _refusal() -> str:
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            numpy.array([[1], [1, 2]])
    except ValueError as error:
        return str(error)
    return ""


def old_python() -> None:
    """Give Python's own modules the names that they have dropped."""
    for name in ("Mapping", "MutableMapping", "Sequence", "Iterable", "Callable", "Hashable", "Sized"):
        if not hasattr(collections, name):
            setattr(collections, name, getattr(collections.abc, name))
    loads = json.loads

    def loading(text: Any, *, encoding: Any = None, **named: Any) -> Any:  # which Python 3.9 has dropped
        return loads(text, **named)

    json.loads = loading
    if not hasattr(inspect, "getargspec"):
        inspect.getargspec = lambda function: inspect.getfullargspec(function)[:4]  # type: ignore[attr-defined]


#: Prefixes of the names of pandas' frequencies -> what they were before pandas 2.2.
_FREQUENCIES = {
    "BME": "BM", "BQE": "BQ", "BYE": "BA", "CBME": "CBM", "ME": "M", "QE": "Q", "SME": "SM", "YE": "A",
    "bh": "BH", "cbh": "CBH", "h": "H", "min": "T", "ms": "L", "ns": "N", "s": "S", "us": "U",
}  # fmt: skip


def old_pandas() -> None:
    """Let pandas' frequencies be called as before 2.2, the first that runs with NumPy 2: "H", not "h".

    They are equal to those with the new names.
    """
    try:
        from pandas.tseries import frequencies
    except ImportError:
        return
    plain = frequencies.to_offset
    if plain("1D12h").name == "H":
        return

    @functools.lru_cache
    def with_the_old_name(kind: Any) -> Any:
        def name(self: Any) -> str:
            prefix, dash, rest = kind.name.__get__(self).partition("-")
            return _FREQUENCIES.get(prefix, prefix) + dash + rest

        def parameters(self: Any) -> Any:  # by which offsets are compared
            return plain_of(self)._params

        def plain_of(self: Any) -> Any:
            return kind(self.n, self.normalize, **self.kwds)

        members = {"name": property(name), "_params": property(parameters), "__hash__": kind.__hash__}
        members["__reduce__"] = lambda self: (to_offset, (self.freqstr,))
        return type(kind.__name__, (kind,), members)

    def to_offset(freq: Any, *rest: Any, **named: Any) -> Any:
        offset = plain(freq, *rest, **named)
        if offset is None or offset.name.partition("-")[0] not in _FREQUENCIES:
            return offset
        return with_the_old_name(type(offset))(offset.n, offset.normalize, **offset.kwds)

    to_offset.__module__, to_offset.__qualname__ = frequencies.__name__, "to_offset"  # by which it is pickled
    frequencies.to_offset = to_offset


def nose() -> None:
    """Stand in for nose, the test runner of those days, which does not run on any Python of today."""
    nose, tools = types.ModuleType("nose"), types.ModuleType("nose.tools")
    case = unittest.TestCase()
    case.maxDiff = None
    for name in dir(case):
        if name.startswith("assert") and "_" not in name:
            setattr(tools, re.sub("([A-Z])", lambda match: "_" + match[1].lower(), name), getattr(case, name))
    old_names = {"assert_equals": "assert_equal", "assert_almost_equals": "assert_almost_equal"}
    for old, new in old_names.items():
        setattr(tools, old, getattr(tools, new))

    def ok_(value: Any, message: str | None = None) -> None:
        assert value, message

    def eq_(first: Any, second: Any, message: str | None = None) -> None:
        assert first == second, message

    def make_decorator(original: Any) -> Any:
        def decorate(function: Any) -> Any:
            vars(function).update(vars(original))
            function.__name__, function.__doc__ = original.__name__, original.__doc__
            return function

        return decorate

    def raises(*errors: type[BaseException]) -> Any:
        def decorate(function: Any) -> Any:
            def expecting(*arguments: Any, **named: Any) -> None:
                with case.assertRaises(errors):
                    function(*arguments, **named)

            return make_decorator(function)(expecting)

        return decorate

    def nottest(function: Any) -> Any:
        function.__test__ = False
        return function

    for function in (ok_, eq_, make_decorator, raises, nottest):
        setattr(tools, function.__name__, function)
    tools.__all__ = [name for name in vars(tools) if not name.startswith("__")]  # type: ignore[attr-defined]
    nose.tools, nose.runmodule = tools, lambda *_, **__: None  # type: ignore[attr-defined]
    sys.modules.update({"nose": nose, "nose.tools": tools})
