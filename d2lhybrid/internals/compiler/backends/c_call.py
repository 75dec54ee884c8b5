"""Calls of C functions with arrays, as short as a call from Python can be.

To ask an array where its elements lie takes a fifth of a microsecond, and a call has four arrays or more. But an array
is itself something in memory, and its first word, behind what every object of Python has, says where its elements begin
(``PyArrayObject_fields`` in NumPy's C interface). So a function is handed the arrays themselves, by their ``id``, and
looks there.
"""

from __future__ import annotations

import ctypes
import functools
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...core.graph import TensorType

__all__ = ["of_arrays", "short_call", "takes_arrays"]

#: Where in an array the address of its elements stands. (It is no constant: with free threads objects have more.)
_OFFSET = object.__basicsize__


@functools.cache
def takes_arrays() -> bool:
    """Return whether arrays lie in memory as they do in CPython."""
    array = numpy.zeros(1)
    try:
        found = ctypes.c_void_p.from_address(id(array) + _OFFSET).value
    except ValueError:  # pragma: no cover - an `id` that is no address
        return False
    return found == array.ctypes.data


def first_of_last(count: int) -> str:
    """Return the C of the first element of the last array of a function of :func:`of_arrays`: of int64."""
    return f"(*(const long long**) (a{count - 1} + {_OFFSET}))[0]"


def of_arrays(count: int, length: str, shared: bool = False) -> str:
    """Return the C of a function that calls the function NAME, over all of its length, with the elements of arrays.

    Parameters
    ----------
    count : int
        How many arrays NAME takes.
    length : str
        How often its outermost loop runs, in C.
    shared : bool
        Have it divided among threads: the function takes what :func:`.c_crew.ask_for_help` returns, too, and calls
        NAME_part, which is given the addresses of the elements in a list (:func:`.c_crew.part_of_arrays`).

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
    """Return the Python that calls a function of :func:`of_arrays`.

    It takes arrays of the right types, in any order in memory, and ``out0_given=`` etc., where results go.

    Parameters
    ----------
    function : ctypes function
        What it calls.
    num_inputs : int
        How many arrays it reads.
    results : sequence of TensorType
        What it writes.
    ask_for_help : callable, optional
        Returns the function that shares work among threads, and their number, if the function is a shared one.
    constants : sequence of numpy.ndarray
        Arrays that it takes behind these, the same at each call.
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
    known |= {"ask_for_help": ask_for_help, "constants": constants}  # which keeps them alive
    exec("\n".join(lines), known)
    return known["run"]
