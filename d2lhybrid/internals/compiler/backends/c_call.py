"""Calls of C functions on arrays with the least possible overhead.

Reading the data address of an array in Python takes a fifth of a microsecond, and a call takes four or more arrays.
However, an array object is a struct in memory, and its first field after the object header is the data address
(``PyArrayObject_fields`` in NumPy's C API). Therefore, a C function gets pointers to the array objects, which ``id``
returns, and reads the data addresses itself.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...core.graph import TensorType

__all__ = ["of_arrays", "short_call", "takes_arrays"]

#: The offset of the data address in an array object, which depends on the build: free-threaded builds have a longer
#: header.
_OFFSET = object.__basicsize__


@functools.cache
def takes_arrays() -> bool:
    """Return whether a NumPy array object stores its data address right after the object header, as in CPython."""
    array = numpy.zeros(1)
    try:
        found = ctypes.c_void_p.from_address(id(array) + _OFFSET).value
    except ValueError:  # pragma: no cover - `id` is not an address
        return False
    return found == array.ctypes.data


def first_of_last(count: int) -> str:
    """Return the C expression for the first element of the last array that a function from :func:`of_arrays` takes.

    The last array contains int64 numbers.

    Parameters
    ----------
    count : int
        Number of arrays.

    Returns
    -------
    str
        The expression.
    """
    return f"(*(const long long**) (a{count - 1} + {_OFFSET}))[0]"


def of_arrays(count: int, length: str, shared: bool = False) -> str:
    """Return the C code of a function that takes array objects and calls the function NAME with their data.

    Parameters
    ----------
    count : int
        The number of arrays that NAME takes.
    length : str
        The number of iterations of the outermost loop of NAME, as a C expression.
    shared : bool
        Whether to divide the loop among threads. The function then takes the results of :func:`.c_crew.ask_for_help`,
        too, and calls NAME_part, which takes the data addresses in a list (:func:`.c_crew.part_of_arrays`).

    Returns
    -------
    str
        The C code.

    Examples
    --------
    >>> print(of_arrays(2, "10").replace(str(object.__basicsize__), "16"))
    void NAME_of_arrays(char* a0, char* a1) {
        NAME(0, 10, *(void**) (a0 + 16), *(void**) (a1 + 16));
    }
    <BLANKLINE>
    >>> print(of_arrays(2, "10", shared=True).replace(str(object.__basicsize__), "16"))
    void NAME_of_arrays(void (*share)(void*, void*, long, int), int workers, char* a0, char* a1) {
        void* places[] = {*(void**) (a0 + 16), *(void**) (a1 + 16)};
        if (workers > 1)
            share(NAME_part, places, 10, workers);
        else
            NAME_part(0, 10, places);
    }
    <BLANKLINE>
    """
    parameters = ", ".join(f"char* a{i}" for i in range(count))
    places = [f"*(void**) (a{i} + {_OFFSET})" for i in range(count)]
    if not shared:
        return f"void NAME_of_arrays({parameters}) {{\n    NAME({', '.join(['0', length, *places])});\n}}\n"
    return f"""\
void NAME_of_arrays(void (*share)(void*, void*, long, int), int workers, {parameters}) {{
    void* places[] = {{{", ".join(places)}}};
    if (workers > 1)
        share(NAME_part, places, {length}, workers);
    else
        NAME_part(0, {length}, places);
}}
"""


def short_call(
    function: Any,
    num_inputs: int,
    results: Sequence[TensorType],
    ask_for_help: Callable[[], Any] | None = None,
    constants: Sequence[numpy.ndarray] = (),
) -> Callable[..., Any]:
    """Return a Python function that calls a C function from :func:`of_arrays`.

    The Python function takes arrays of the right types in any memory layout. The keywords ``out0_given=``,
    ``out1_given=``, and so on are destinations of the results.

    Parameters
    ----------
    function : ctypes function
        The C function.
    num_inputs : int
        The number of arrays that the C function reads.
    results : sequence of TensorType
        The types of the results.
    ask_for_help : callable, optional
        If the C function is divided among threads, a function that calls :func:`.c_crew.ask_for_help` with the length
        of the divided loop.
    constants : sequence of numpy.ndarray
        The arrays that the C function takes after the results. Each call passes the same arrays.

    Returns
    -------
    callable
        The Python function.
    """
    function.restype, function.argtypes = None, [ctypes.c_void_p] * (num_inputs + len(results) + len(constants))
    if ask_for_help is not None:
        function.argtypes = [ctypes.c_void_p, ctypes.c_int, *function.argtypes]
    inputs, outs = [f"in{i}" for i in range(num_inputs)], [f"out{i}_given" for i in range(len(results))]
    lines = [f"def run({', '.join([*inputs, *(f'{out}=None' for out in outs)])}):"]
    lines += [f"    {name} = contiguous({name})" for name in inputs]
    for i, out in enumerate(outs):
        lines += [f"    if {out} is None:", f"        {out} = empty(*type{i})"]
    given = [*(f"id({name})" for name in (*inputs, *outs)), *(str(id(array)) for array in constants)]
    if ask_for_help is not None:
        given = ["*ask_for_help()", *given]
    lines += [f"    function({', '.join(given)})", f"    return {', '.join(outs)}"]
    known: dict[str, Any] = {f"type{i}": (kind.shape, kind.dtype) for i, kind in enumerate(results)}
    known |= {"contiguous": numpy.ascontiguousarray, "empty": numpy.empty, "function": function}
    known |= {"ask_for_help": ask_for_help, "constants": constants}  # the namespace keeps the constants alive
    exec("\n".join(lines), known)
    return known["run"]
