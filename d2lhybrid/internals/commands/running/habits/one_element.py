"""Conversion of one-element arrays to numbers: ``float(x)``, ``'%f' % x``, ``math.exp(x)``, ``a[0] = x``.

NumPy 2.4 only converts arrays without axes. Python calls a C function of the class for ``float(x)``, which Python code
cannot replace. A class written in Python has another C function in the same slot, which calls the class's method
``__float__``. This module copies the second function into the slot of NumPy's class, and adds the method to the class.
Two classes that differ only in this method reveal the position of the slot. If an interpreter has a different memory
layout, the module changes nothing.
"""

from __future__ import annotations

import ctypes
import gc
import sys
import sysconfig
from typing import Any

from .relied import asked_by_a_library_of_today, note

__all__ = ["numbers_of_one_element"]

_POINTER = ctypes.sizeof(ctypes.c_void_p)
#: Positions in the struct of a class, in pointers: its name, and its table of number functions.
_NAME, _NUMBERS = 3, 12
#: The number of functions in that table.
_COUNT = 36


def _word(address: int, place: int) -> Any:
    return ctypes.c_void_p.from_address(address + place * _POINTER)


def _layout_is_known(kind: type) -> bool:
    if sys.implementation.name != "cpython" or sysconfig.get_config_var("Py_GIL_DISABLED") or _POINTER != 8:
        return False
    name = ctypes.string_at(_word(id(kind), _NAME).value or 0, len("numpy.ndarray") + 1)
    return name == b"numpy.ndarray\0"


def _place_of(kind: Any, method: str) -> tuple[int, int] | None:
    """Return a method's slot in the table, and the function in that slot of Python classes; None if uncertain."""
    plain: Any = type("Plain", (kind,), {})
    other: Any = type("Other", (kind,), {method: lambda self: None})
    tables = [_word(id(one), _NUMBERS).value for one in (plain, other, kind)]
    if not all(tables):
        return None
    first, second, own = ([_word(table, i).value for i in range(_COUNT)] for table in tables if table)
    differ = [i for i in range(_COUNT) if first[i] != second[i]]
    if len(differ) != 1 or first[differ[0]] != own[differ[0]] or not second[differ[0]]:
        return None
    return differ[0], second[differ[0]]


def numbers_of_one_element(np: Any) -> None:
    """Allow the conversion of one-element arrays of any shape to Python numbers.

    If the memory layout of NumPy's array class is not the expected one, nothing changes.

    Parameters
    ----------
    np : module
        NumPy.
    """
    kind = np.ndarray
    try:
        float(np.ones(1))
        return
    except TypeError:
        pass
    held = [found for found in gc.get_referents(vars(kind)) if type(found) is dict]
    if len(held) != 1 or not _layout_is_known(kind):
        return
    places = {method: _place_of(kind, method) for method in ("__float__", "__int__")}
    if not all(places.values()):
        return
    for method, python in (("__float__", float), ("__int__", int), ("__complex__", complex)):
        held[0][method] = _converting(getattr(kind, method), python)
    ctypes.pythonapi.PyType_Modified(ctypes.py_object(kind))
    table = _word(id(kind), _NUMBERS).value
    for found in places.values():
        assert found is not None and table is not None
        _word(table, found[0]).value = found[1]


def _converting(plain: Any, python: Any) -> Any:
    what = f"{python.__name__}() of an array of one element that has axes"

    def convert(self: Any) -> Any:
        if self.ndim and self.size == 1 and not asked_by_a_library_of_today():
            note(what, "x.item()")
            return python(self.item())
        return plain(self)

    convert.__name__ = f"__{python.__name__}__"
    return convert
