"""Remedies: alternatives to code that arrays support and symbols don't.

The first line of an error is MXNet's, and the remedy is a note of the error. The keys of the tables are code of a
program: the name of an attribute or method, or a Python operator.
"""

from __future__ import annotations

import linecache
import os
import re
import sys
from typing import Any, TypeVar

from .places import NUMPY, Place

__all__ = [
    "broadcasting",
    "explain",
    "file_label",
    "location",
    "mark",
    "missing_function",
    "place_of",
    "remedy",
    "remember_place",
    "row_of",
    "silent_difference",
    "source_line",
    "with_remedy",
]

E = TypeVar("E", bound=BaseException)

_NO_VALUE = "A Symbol has no values while the block is traced. Use operators of F, or do this outside the block."
_NO_DEVICE = "A Symbol is on no device: pass the context to the constructor of the block."
_INDEX = (
    "A Symbol has no elements yet: x[...] selects one of its outputs. For elements of the array, write "
    "F.slice_axis(x, axis=0, begin=0, end=1), F.slice, F.take, F.pick, or F.reshape; for a new axis, "
    "F.expand_dims."
)
_NP_INDEX = (
    "A Symbol is indexed by integers and slices only. Write F.np.expand_dims(x, 0) for x[None], "
    "F.np.take(x, indices, axis=0) for an array of indices, F.np.where(mask, x, 0) for a mask."
)

#: Code in the program -> the remedy for legacy symbols, and the remedy for symbols of ``F.np`` if that differs.
REMEDIES: dict[str, str | tuple[str, str]] = {
    "[]": (_INDEX, _NP_INDEX),
    "[-1]": (_INDEX, "Write x[-1:] and F.np.squeeze(..., axis=0), or F.np.split(x, n)[n - 1]."),
    "['name']": (
        "Only outputs have names: x.list_outputs() lists them. For elements, write F.slice.",
        "Only integers and slices can index a Symbol: rows have no names in F.np and F.npx.",
    ),
    "[]=": (
        "Values in a graph cannot change: write x = x + x, not x[:] = x + x; to change some of the elements, "
        "write "
        "x = F.where(mask, value, x).",
        "Values in a graph cannot change: write x = x + x, not x[:] = x + x; to change some of the elements, "
        "write "
        "x = F.np.where(mask, value, x).",
    ),
    "bool": (
        "A Symbol has no value yet, so Python cannot branch on it: the branch would be chosen once, "
        "while tracing. "
        "Use F.where(condition, x, y), or F.contrib.cond and F.contrib.while_loop.",
        "A Symbol has no value yet, so Python cannot branch on it: the branch would be chosen once, "
        "while tracing. "
        "Use F.np.where(condition, x, y); loops and branches are in F.contrib: cond, while_loop.",
    ),
    "iter": (
        "Write F.split(x, num_outputs=n, axis=0, squeeze_axis=True), or F.contrib.foreach.",
        "Write F.np.split(x, n), where n is a constant of the block, or F.contrib.foreach.",
    ),
    "len": "A Symbol has no length: pass the length to the constructor of the block.",
    "number": _NO_VALUE,
    "//": ("Write F.floor(x / y).", "Write F.np.floor(x / y)."),
    "@": ("Write F.dot(x, y), or F.batch_dot.", "Write F.np.dot(x, y) or F.np.matmul(x, y)."),
    "operand": (
        "The other operand must be a Symbol or a number.",
        "The other operand must be a Symbol or a number.",
    ),
    "array": (
        "An array cannot be part of a graph: make it a gluon.Constant or a Parameter of the block, or "
        "use F.ones, "
        "F.zeros, F.full.",
        "An array cannot be part of a graph: make it a gluon.Constant or a Parameter of the block, or use "
        "F.np.ones, F.np.zeros, F.np.full.",
    ),
    "not a symbol": (
        "This operator takes Symbols: F.full(shape, value) creates a Symbol from a number.",
        "This operator takes Symbols: F.np.full(shape, value) creates a Symbol from a number.",
    ),
    "function of arrays": (
        "This function takes arrays, not Symbols: call the function of F.",
        "This function takes arrays, not Symbols: call the function of F.np or F.npx.",
    ),
    "numpy": (
        "NumPy and math need values, and a Symbol has none: use the function of the same name in F, such as F.exp(x) "
        "in place of numpy.exp(x).",
        "NumPy and math need values, and a Symbol has none: use the function of the same name in F.np, such as "
        "F.np.exp(x) in place of numpy.exp(x).",
    ),
    "no such argument": "The operator has no argument of this name: the message lists its arguments.",
    "parameter": (
        "hybrid_forward gets every Parameter of the block by name: add its name to the arguments, such as weight "
        "after x."
    ),
    "reshape": (
        "Write F.reshape(x, (0, -1)): 0 keeps a size.",
        "Write F.npx.reshape(x, (-2, -1)): -2 keeps a size; 0 does so in legacy operators only.",
    ),
    "F.array": (
        "A Symbol cannot be made from values: use F.ones, F.zeros, F.full, F.arange, or a gluon.Constant.",
        "A Symbol cannot be made from values: use F.np.ones, F.np.zeros, F.np.full, F.np.arange, or a "
        "gluon.Constant.",
    ),
    "output": (
        "hybrid_forward must return Symbols, or lists and tuples of them. F.full(shape, value) creates a Symbol from "
        "a number; convert a dictionary to a list.",
        "hybrid_forward must return Symbols, or lists and tuples of them. F.np.full(shape, value) creates a Symbol "
        "from a number; convert a dictionary to a list.",
    ),
    "no output": "hybrid_forward returned None: end it with a `return` statement.",
    # Attributes
    "shape": (
        "Symbols have no shape: it is known only when data arrives. Use special sizes, F.reshape(x, (0, "
        "-1)), or "
        "operators such as F.reshape_like, F.slice_like, F.broadcast_like, F.shape_array.",
        "Symbols have no shape: it is known only when data arrives. Use special sizes, F.npx.reshape(x, "
        "(-2, -1)), "
        "or operators such as F.npx.reshape_like, F.np.ones_like, F.npx.shape_array.",
    ),
    "dtype": "Symbols have no dtype: pass the dtype to the constructor of the block.",
    "context": _NO_DEVICE,
    "ctx": _NO_DEVICE,
    "size": (
        "Symbols have no size: use F.size_array(x), or F.mean instead of dividing a sum by the size.",
        "Symbols have no size: use F.np.mean instead of dividing a sum by the size, or F.npx.shape_array(x).",
    ),
    "ndim": (
        "Symbols have no number of axes: count axes from the end (axis=-1), or pass the number to the "
        "constructor."
    ),
    "T": "Write F.transpose(x).",
    "stype": "Symbols have no storage type: all arrays in a compiled block are dense.",
    "copyto": ("Symbols have no memory: write F.identity(x).", "Symbols have no memory: write F.np.copy(x)."),
    "attach_grad": "Gradients belong to arrays: call attach_grad() on the input, outside hybrid_forward.",
    "grad": "Gradients belong to arrays: read them from the input or the parameter, outside hybrid_forward.",
    # Methods
    "asnumpy": _NO_VALUE,
    "asscalar": _NO_VALUE,
    "item": _NO_VALUE,
    "tolist": _NO_VALUE,
    "wait_to_read": (
        "There is nothing to wait for while the block is traced. Wait for the block's output "
        "instead."
    ),
    "copy": (
        "Write F.identity(x): results of operators never share memory.",
        "Write F.np.copy(x): results of operators never share memory.",
    ),
    "detach": (
        "Write F.BlockGrad(x), which stops the gradient in both modes.",
        "Write F.BlockGrad(x.as_nd_ndarray()).as_np_ndarray(), which stops the gradient in both modes.",
    ),
    "backward": "Call backward() on the loss, outside hybrid_forward.",
    "as_in_context": "Move the input before the call; the whole block runs where its input is.",
    "as_in_ctx": "Move the input before the call; the whole block runs where its input is.",
}  # fmt: skip

#: Legacy code that runs on symbols and arrays -> its effect on a symbol with one output, its effect on an array, the
#: remedy.
SILENT = {
    "x[0]": (
        "is the first output of the Symbol, which is the whole x", "is the first row of the array",
        "Write F.slice_axis(x, axis=0, begin=0, end=1), or F.take.",
    ),
    "x[0:1]": (
        "is a slice of the outputs of the Symbol: the whole x", "is a slice of the rows of the array",
        "Write F.slice_axis(x, axis=0, begin=0, end=1).",
    ),
    "for v in x": (
        "runs over the outputs of the Symbol: once, with the whole x", "runs over the rows of the array",
        "Write F.split(x, num_outputs=n, axis=0, squeeze_axis=True), or F.contrib.foreach.",
    ),
    "len(x)": (
        "counts the outputs of the Symbol: 1", "counts the rows of the array",
        "Pass the number to the constructor of the block.",
    ),
}  # fmt: skip

#: The in-place operators, by the names of Python's methods.
IN_PLACE = {"__iadd__": "+", "__isub__": "-", "__imul__": "*", "__itruediv__": "/", "__idiv__": "/"}

#: The first lines of errors that Python or an operator raises without a remedy
#: -> the key of the remedy, and whether the remedy is that for legacy symbols.
_BY_MESSAGE = [
    # NumPy 1.23 and newer, on an object that looks like an infinitely nested list.
    (r"would exceed the maximum number of dimension", "numpy", True),
    (r"^\w+: too many dimensions in result", "numpy", True),
    (r"^must be real number, not Symbol", "numpy", True),
    (r"^must be real number, not _Symbol", "numpy", False),
    (r"^Cannot find argument '\w+', Possible Arguments", "no such argument", True),
    (r"(?:float|int|complex)\(\) argument must be .* not '_?Symbol'", "number", True),
    (r"unsupported operand type\(s\) for //=?: .*'Symbol'", "//", True),
    (r"unsupported operand type\(s\) for //=?: .*'_Symbol'", "//", False),
    (r"unsupported operand type\(s\) for @=?: .*'Symbol'", "@", True),
    (r"unsupported operand type\(s\) for @=?: .*'_Symbol'", "@", False),
    (r"as_in_context\(\) takes 1 positional argument", "as_in_context", True),
    (r"not a list and does not support len\(\)", "len", False),
    (r"^type <class '.*ndarray.*'> not supported", "array", False),
    (r"^type <class '.*'> not supported", "operand", False),
    (r"must have NDArray type, but got <_Symbol", "function of arrays", False),
    (r"symbol\.numpy' has no attribute 'array'", "F.array", False),
    (r"-3 index should only be used to skip dimension size 1", "[-1]", False),
    (r"Cannot reshape array of size \d+ into shape \[(?:.*,)?0\b", "reshape", False),
]

_COMPARISONS = (
    *("equal", "not_equal", "greater", "greater_equal", "lesser", "lesser_equal"),
    *("logical_and", "logical_or", "logical_xor"),
)

#: Functions that exist only for arrays -> the alternative for symbols.
ONLY_FOR_ARRAYS = {
    "array": REMEDIES["F.array"][0],
    "concatenate": "Write F.concat(*arrays, dim=axis).",
    "empty": "Write F.zeros(shape).",
    "moveaxis": "Write F.transpose(x, axes).",
    "waitall": "There is nothing to wait for while the block is traced. Wait for the block's output instead.",
} | {
    name: f"Write F.broadcast_{operator}(x, y)."
    for name, operator in {
        **{"add": "add", "subtract": "sub", "multiply": "mul", "divide": "div", "true_divide": "div"},
        **{"modulo": "mod", **{comparison: comparison for comparison in _COMPARISONS}},
    }.items()
}

#: An operator of legacy symbols that requires equal shapes -> the operator that broadcasts.
BROADCASTING = {
    **{f"elemwise_{name}": f"broadcast_{name}" for name in ("add", "sub", "mul", "div")},
    **{f"_{name}": f"broadcast_{name}" for name in ("mod", "power", "maximum", "minimum", "hypot", *_COMPARISONS)},
}


def remedy(what: str, legacy: bool = True) -> str | None:
    """Return the remedy for code that symbols don't support, or None if there is no remedy.

    Parameters
    ----------
    what : str
        The code in the program.
    legacy : bool
        Whether the symbols are legacy symbols instead of symbols of ``F.np``.

    Examples
    --------
    >>> remedy("T")
    'Write F.transpose(x).'
    >>> remedy("@", legacy=False)
    'Write F.np.dot(x, y) or F.np.matmul(x, y).'
    >>> remedy("__iadd__")
    'Values in a graph cannot change: write x = x + y instead of x += y.'
    """
    operator = IN_PLACE.get(what)
    if operator is not None:
        return f"Values in a graph cannot change: write x = x {operator} y instead of x {operator}= y."
    found = REMEDIES.get(what)
    if found is None:
        return None
    return found if isinstance(found, str) else found[0 if legacy else 1]


def mark(error: E, what: str) -> E:
    """Store the key of a remedy in an error, so that tools don't have to parse the message, and return the error.

    Parameters
    ----------
    error : Exception
        The error.
    what : str
        The key of the remedy.

    Returns
    -------
    Exception
        The error.
    """
    error.__dict__["_row_of_remedies"] = what
    return error


def row_of(error: BaseException) -> str | None:
    """Return the key of a remedy that `mark` stored in an error, or None if the error has no key.

    Examples
    --------
    >>> row_of(with_remedy(TypeError("no"), "[]"))
    '[]'
    """
    return error.__dict__.get("_row_of_remedies")


def remember_place(error: BaseException, place: Place) -> None:
    """Store a line of user code in an error that is raised after this line has run."""
    error.__dict__["_place_of_user"] = place


def place_of(error: BaseException) -> Place | None:
    """Return the line of user code that `remember_place` stored in an error, or None if it stored no line."""
    return error.__dict__.get("_place_of_user")


def with_remedy(error: E, what: str, legacy: bool = True) -> E:
    """Add the remedy for code that symbols don't support to an error, as a note, and return the error.

    If there is no remedy, the error gets no note.

    Parameters
    ----------
    error : Exception
        The error.
    what : str
        The code in the program, a key of the tables of remedies.
    legacy : bool
        Whether the symbols are legacy symbols instead of symbols of ``F.np``.

    Returns
    -------
    Exception
        The error.
    """
    text = remedy(what, legacy)
    mark(error, what)
    if text is not None:
        error.add_note(text)
    return error


def explain(error: BaseException) -> None:
    """Add a remedy to an error without a remedy, if NumPy raised the error or the message matches a known pattern.

    Examples
    --------
    >>> error = TypeError("float() argument must be a string or a real number, not 'Symbol'")
    >>> explain(error)
    >>> len(error.__notes__)
    1
    """
    if any(not note.startswith(("Did you mean", "in layer")) for note in getattr(error, "__notes__", [])):
        return
    message = str(error)
    if _in_numpy(error):
        with_remedy(error, "numpy")
        return
    for pattern, what, legacy in _BY_MESSAGE:
        if re.search(pattern, message):
            with_remedy(error, what, legacy)
            return


def _in_numpy(error: BaseException) -> bool:
    """Return whether an error was raised inside a NumPy function, such as ``numpy.mean``, which calls ``x.mean``."""
    trace = error.__traceback__
    while trace is not None:
        if trace.tb_frame.f_code.co_filename.startswith(NUMPY):
            return True
        trace = trace.tb_next
    return False


def missing_function(name: str) -> str | None:
    """Return the remedy for a function that ``mx.nd`` has and ``mx.sym`` lacks, or None if there is no remedy."""
    return ONLY_FOR_ARRAYS.get(name)


def broadcasting(operator: str, shapes: list[Any]) -> str | None:
    """Return the remedy for an operator of legacy symbols whose shapes would broadcast, or None if there is none.

    Parameters
    ----------
    operator : str
        The name of the operator.
    shapes : list
        The shapes of the operator's inputs, or their element types.

    Returns
    -------
    str or None
        The remedy.

    Examples
    --------
    >>> broadcasting("elemwise_add", [(2, 3), (1, 3)])
    'Arrays broadcast here, legacy Symbols do not: write F.broadcast_add(x, y).'
    """
    instead = BROADCASTING.get(operator)
    if instead is None or not all(isinstance(shape, tuple) for shape in shapes):  # `shapes` may be element types
        return None
    longest = max(map(len, shapes), default=0)
    for sizes in zip(*[(1,) * (longest - len(shape)) + tuple(shape) for shape in shapes], strict=True):
        if len({n for n in sizes if n != 1}) > 1:
            return None
    return f"Arrays broadcast here, legacy Symbols do not: write F.{instead}(x, y)."


def silent_difference(code: str) -> str:
    """Return an explanation of code in :data:`SILENT`, which behaves differently with a symbol and with an array.

    Examples
    --------
    >>> print(silent_difference("len(x)"))
    In a hybridized block, len(x) counts the outputs of the Symbol: 1. Run eagerly, it counts the rows
    of the array. Pass the number to the constructor of the block.
    """
    hybridized, eager, instead = SILENT[code]
    return f"In a hybridized block, {code} {hybridized}. Run eagerly, it {eager}. {instead}"


def location(filename: str, line: int) -> str:
    """Return the location of a line as in a traceback: the file, or the cell of a notebook, and the line.

    Parameters
    ----------
    filename : str
        The name of the file, or IPython's name of a cell's temporary file.
    line : int
        The line number, starting at 1.

    Returns
    -------
    str
        The location.

    Examples
    --------
    >>> location("net.py", 3)
    'File "net.py", line 3'
    """
    cell = _cell(filename)
    return f"{' '.join(cell)}, line {line}" if cell else f'File "{filename}", line {line}'


def file_label(filename: str) -> str:
    """Return a short name of a file: its name without the folder, or the prompt of a notebook's cell.

    Parameters
    ----------
    filename : str
        The name of the file, or IPython's name of a cell's temporary file.

    Examples
    --------
    >>> file_label("models/net.py")
    'net.py'
    """
    cell = _cell(filename)
    return cell[1] if cell else os.path.basename(filename)


def _cell(filename: str) -> tuple[str, str] | None:
    """Return a cell's name as IPython's tracebacks show it, such as ``("Cell", "In[3]")``, or None for other files."""
    ipython = sys.modules.get("IPython")
    shell = None if ipython is None else ipython.get_ipython()
    return None if shell is None else shell.compile.format_code_name(filename)


def source_line(filename: str, line: int) -> str:
    """Return the location of a line as in a traceback, followed by the code of the line if it is available."""
    text = linecache.getline(filename, line).strip()
    return f"{location(filename, line)}: {text}" if text else location(filename, line)
