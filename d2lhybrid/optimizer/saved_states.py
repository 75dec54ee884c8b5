"""A reader of optimizer states from untrusted files.

MXNet and this package save the states of a trainer as a pickle. A pickle is a program, which can call any
function of any module. This reader therefore interprets pickles itself. It accepts only data, arrays, optimizers, and
learning rate schedules. It calls no function that a file names, and imports no module.
"""

from __future__ import annotations

import io
import pickle
import pickletools
import sys
from collections import OrderedDict
from collections.abc import Callable, Iterable
from types import ModuleType
from typing import Any

import numpy

from ..context import Context, cpu
from ..error import MXNetError
from ..internals.core.invoke import wrap
from ..internals.device import array_modules
from ..internals.formats.serialization import limits
from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray
from ..ndarray.sparse import CSRNDArray, RowSparseNDArray
from .optimizer import Optimizer

__all__ = ["read_states"]

_NUMBERS = frozenset("biuf")
#: NumPy's element types, which parameters refer to by name.
_SCALARS = frozenset(f"{kind}{bits}" for kind in ("float", "int", "uint") for bits in (8, 16, 32, 64)) | {"bool_"}
#: The allowed types of dictionary keys. Hashing deeply nested tuples could take forever.
_KEYS = (str, int, float, bytes, type(None))


class _Dtype:
    """The placeholder of a dtype while a pickle is read. NumPy's dtype would accept any state from a file."""

    def __init__(self, text: Any, align: Any = False, copy: Any = False) -> None:
        dtype = numpy.dtype(text) if isinstance(text, str) and len(text) <= 3 else None
        if dtype is None or dtype.kind not in _NUMBERS:
            raise ValueError(f"it contains an array of the invalid type {text!r}")
        self.dtype = dtype

    def __setstate__(self, state: Any) -> None:
        if isinstance(state, tuple) and len(state) > 1 and state[1] in ("<", ">"):
            self.dtype = self.dtype.newbyteorder(state[1])


class _Array:
    """The placeholder of a NumPy array while a pickle is read."""

    def __init__(self, *ignored: Any) -> None:
        self.value: numpy.ndarray | None = None

    def __setstate__(self, state: Any) -> None:
        _, shape, dtype, column_major, raw = state
        self.value = _array_of(raw, dtype, shape, "F" if column_major else "C")


def _array_of(raw: Any, dtype: Any, shape: Any, order: str) -> numpy.ndarray:
    if not isinstance(raw, bytes | bytearray) or not isinstance(dtype, _Dtype) or not isinstance(shape, tuple):
        raise ValueError("it contains an array whose values, type, or shape are invalid")
    if len(shape) > 64 or not all(type(n) is int and n >= 0 for n in shape):
        raise ValueError(f"it contains an array of the invalid shape {shape!r}")
    flat = numpy.frombuffer(raw, dtype.dtype)
    return flat.reshape(shape, order="F" if order == "F" else "C").astype(dtype.dtype.newbyteorder("="))


def _from_buffer(raw: Any, dtype: Any, shape: Any, order: Any, *ignored: Any) -> _Array:
    array = _Array()
    array.value = _array_of(raw, dtype, shape, order)
    return array


def _scalar(dtype: Any, raw: Any) -> Any:
    return _array_of(raw, dtype, (1,), "C")[0]


def _nd_array(cls: Any, array: Any, ctx: Any) -> Any:
    if not (isinstance(cls, type) and issubclass(cls, NDArray)) or not isinstance(array, _Array):
        raise ValueError("it contains an array without values")
    if array.value is None or not isinstance(ctx, Context):
        raise ValueError("it contains an array without values or without a context")
    if ctx.device_typeid == 2 and ctx.device_id >= array_modules.num_gpus():
        ctx = cpu()
    return wrap(cls, array_modules.to_context(array.value, ctx), ctx)


def _context(device_type: Any = "cpu", device_id: Any = 0) -> Context:
    if not isinstance(device_type, str) or type(device_id) is not int or not 0 <= device_id < 1024:
        raise ValueError("it contains an invalid context")
    return Context(device_type, device_id)


class _Saved:
    """The placeholder of a pickled MXNet array, which contains the bytes of a file of arrays."""

    kind: Any = NDArray

    def __init__(self, handle: Any = None) -> None:
        self.value: Any = None

    def __setstate__(self, state: Any) -> None:
        if not isinstance(state, dict) or not isinstance(state.get("handle"), bytes | bytearray):
            raise ValueError("it contains an array without values")
        array = self.kind.__new__(self.kind)
        array.__setstate__(state)
        if array._data is None:
            raise ValueError("it contains an array without values")
        self.value = array


class _SavedRows(_Saved):
    """The placeholder of a pickled row-sparse array."""

    kind = RowSparseNDArray


class _SavedCSR(_Saved):
    """The placeholder of a pickled matrix in compressed sparse row form."""

    kind = CSRNDArray


class _SavedOfNumpy(_Saved):
    """The placeholder of a pickled ``mx.np`` array."""

    def __setstate__(self, state: Any) -> None:
        super().__setstate__(state)
        self.value = self.value.as_np_ndarray()


class _Ignored:
    """The placeholder of unneeded objects. Before version 1.3, states also contained the parameters of a net."""

    def __call__(self, *ignored: Any) -> _Ignored:
        return self

    def __setstate__(self, state: Any) -> None:
        """Ignore the state."""


def _bytes(content: Any = b"") -> bytes:
    """Return the bytes of a ``bytearray``."""
    if not isinstance(content, bytes):
        raise ValueError("it contains an invalid byte string")
    return content


def _encode(text: Any, encoding: Any = "latin1") -> bytes:
    """Return bytes that an old protocol represents as text."""
    if not isinstance(text, str) or encoding != "latin1":
        raise ValueError("it contains an invalid byte string")
    return text.encode("latin1")


def _set(values: Any = ()) -> set[Any]:
    return set(_keys(values))


def _frozen_set(values: Any = ()) -> frozenset[Any]:
    return frozenset(_keys(values))


#: The names that are allowed in a file, and their replacements.
_KNOWN: dict[tuple[str, str], Callable[..., Any]] = {
    ("numpy", "ndarray"): _Array,
    ("numpy", "dtype"): _Dtype,
    ("d2lhybrid.ndarray.ndarray", "_rebuild"): _nd_array,
    ("d2lhybrid.context", "Context"): _context,
    **{(builtins, "set"): _set for builtins in ("builtins", "__builtin__")},
    **{(builtins, "frozenset"): _frozen_set for builtins in ("builtins", "__builtin__")},
    ("_codecs", "encode"): _encode,
    **{(builtins, "bytearray"): _bytes for builtins in ("builtins", "__builtin__")},
    ("mxnet.ndarray.ndarray", "NDArray"): _Saved,
    ("mxnet.ndarray", "NDArray"): _Saved,  # before version 0.12
    ("mxnet.ndarray.sparse", "CSRNDArray"): _SavedCSR,
    ("mxnet.ndarray.sparse", "RowSparseNDArray"): _SavedRows,
    ("mxnet.numpy.multiarray", "ndarray"): _SavedOfNumpy,
    ("mxnet.context", "Context"): _context,
    ("collections", "OrderedDict"): lambda: OrderedDict(),
}
for _core in ("numpy.core", "numpy._core"):
    _KNOWN[f"{_core}.multiarray", "_reconstruct"] = _Array
    _KNOWN[f"{_core}.multiarray", "scalar"] = _scalar
    _KNOWN[f"{_core}.numeric", "_frombuffer"] = _from_buffer


#: Modules whose objects are ignored.
_PASSED_OVER = frozenset(("mxnet.gluon.parameter", "mxnet.initializer", "mxnet.symbol.symbol", "mxnet.symbol"))
_ignored = _Ignored()


def _loaded(module: str, name: str) -> Any:
    """Return the replacement of an MXNet class, or the loaded object of a name, or None."""
    if module == "mxnet.optimizer" or module.startswith("mxnet.optimizer."):
        return Optimizer.opt_registry.get(name.lower())
    if module == "mxnet.lr_scheduler":
        return vars(sys.modules[LRScheduler.__module__]).get(name)
    found_object: Any = sys.modules.get(module)
    for part in name.split("."):
        found_object = vars(found_object).get(part) if isinstance(found_object, type | ModuleType) else None
    return found_object


class _Machine:
    """An interpreter of the pickle instructions that create data.

    The stack and the memo are ordinary containers, because Python's unpickler allocates as much memory as a number in
    the file demands.
    """

    def __init__(self) -> None:
        self.stack: list[Any] = []
        self.marked: list[list[Any]] = []
        self.memory: dict[int, Any] = {}

    def run(self, data: bytes) -> Any:
        """Return the value that a pickle creates."""
        for opcode, argument, _ in pickletools.genops(data):  # compares each length with the available bytes
            name = opcode.name
            if name == "STOP":
                break
            if name in _CONTENTS:
                if isinstance(argument, int) and argument.bit_length() > 128:
                    raise ValueError("it contains an integer of more than 128 bits")
                self.stack.append(argument)
            elif name in _MAKERS:
                self.stack.append(_MAKERS[name]())
            elif name in _TUPLES:
                size = _TUPLES[name]
                self.stack[-size:] = [tuple(self.stack[-size:])]
            elif name in _INSTRUCTIONS:
                _INSTRUCTIONS[name](self, argument)
            else:
                raise ValueError(f"it contains the pickle instruction {name}, which is not supported")
        return self.stack.pop()

    def mark(self, _: Any) -> None:
        """Start a list of values."""
        self.marked.append(self.stack)
        self.stack = []

    def since_mark(self) -> list[Any]:
        """End the list, and return its values."""
        values, self.stack = self.stack, self.marked.pop()
        return values

    def collect(self, make: Callable[[list[Any]], Any]) -> None:
        """End the list, and push the result of ``make`` for its values."""
        values = self.since_mark()
        self.stack.append(make(values))

    def remember(self, place: int | None) -> None:
        """Store the top value under a number."""
        self.memory[len(self.memory) if place is None else place] = self.stack[-1]

    def recall(self, place: int) -> None:
        """Push a stored value."""
        self.stack.append(self.memory[place])

    def find(self, text: str | None) -> None:
        """Push the object of a name: one of our replacements, or a class that the program has loaded."""
        name = self.stack.pop() if text is None else text.partition(" ")[2]
        module = self.stack.pop() if text is None else text.partition(" ")[0]
        replacement = _KNOWN.get((module, name))
        if module in _PASSED_OVER or (module == "numpy" and name in _SCALARS):
            replacement = _ignored
        if replacement is None:
            replacement = _loaded(module, name)
            if not (isinstance(replacement, type) and issubclass(replacement, NDArray | Optimizer | LRScheduler)):
                raise ValueError(
                    f"it names {module}.{name}, which is not the class of an array, an optimizer, or a schedule"
                )
        self.stack.append(replacement)

    def call(self, _: Any) -> None:
        """Call a replacement."""
        arguments, function = self.stack.pop(), self.stack.pop()
        if function is not _ignored and not any(function is known for known in _KNOWN.values()):
            raise ValueError("it calls a function that a file of optimizer states must not call")
        self.stack.append(function(*arguments))

    def make_object(self, _: Any) -> None:
        """Create an optimizer or a schedule without calling its constructor."""
        arguments, cls = self.stack.pop(), self.stack.pop()
        if cls is _ignored or cls is _context:  # the device of an ignored parameter
            self.stack.append(_ignored)
            return
        if not (isinstance(cls, type) and issubclass(cls, Optimizer | LRScheduler)) or arguments != ():
            raise ValueError(
                "it creates an object that is neither an optimizer nor a schedule, or passes arguments to the class"
            )
        self.stack.append(object.__new__(cls))

    def build(self, _: Any) -> None:
        """Set the state of the top object."""
        state, target = self.stack.pop(), self.stack[-1]
        if isinstance(target, Optimizer | LRScheduler):
            if not isinstance(state, dict) or not all(isinstance(key, str) for key in state):
                raise ValueError("the attributes of an optimizer or a schedule must be a dictionary with string keys")
            vars(target).update(state)
            if isinstance(target, Optimizer):
                target.param_dict = {}
        elif isinstance(target, _Array | _Dtype | _Saved | _Ignored):
            target.__setstate__(state)
        else:
            raise ValueError("it sets the attributes of a value that is not an object with attributes")

    def extend(self, values: list[Any]) -> None:
        """Add values to the list, the set, or the dictionary on top."""
        target = self.stack[-1]
        if type(target) is list:
            target.extend(values)
        elif type(target) is set:
            target.update(_keys(values))
        elif type(target) in (dict, OrderedDict):
            target.update(zip(_keys(values[::2]), values[1::2], strict=True))
        else:
            raise ValueError("it adds elements to a value that is not a container")

    def extend_by(self, count: int) -> None:
        """Add the values above the container on the stack to the container."""
        values = self.stack[-count:]
        del self.stack[-count:]
        self.extend(values)


def _keys(keys: Iterable[Any]) -> list[Any]:
    keys = list(keys)
    for key in keys:
        if not isinstance(key, _KEYS):
            raise ValueError(f"it contains a dictionary key of type {type(key).__name__}, which is not supported")
    return keys


def _dictionary(values: list[Any]) -> dict[Any, Any]:
    return dict(zip(_keys(values[::2]), values[1::2], strict=True))


#: Instructions that push their arguments.
_CONTENTS = frozenset((
    "INT", "BININT", "BININT1", "BININT2", "LONG", "LONG1", "LONG4", "FLOAT", "BINFLOAT", "STRING", "BINSTRING",
    "SHORT_BINSTRING", "BINBYTES", "SHORT_BINBYTES", "BINBYTES8", "BYTEARRAY8", "UNICODE", "BINUNICODE",
    "SHORT_BINUNICODE", "BINUNICODE8",
))  # fmt: skip
#: Instructions that push a new object.
_MAKERS: dict[str, Callable[[], Any]] = {
    "EMPTY_LIST": list, "EMPTY_TUPLE": tuple, "EMPTY_DICT": dict, "EMPTY_SET": set, "NONE": lambda: None,
    "NEWTRUE": lambda: True, "NEWFALSE": lambda: False,
}  # fmt: skip
_TUPLES = {"TUPLE1": 1, "TUPLE2": 2, "TUPLE3": 3}
_INSTRUCTIONS: dict[str, Callable[[_Machine, Any], Any]] = {
    "PROTO": lambda machine, _: None,
    "FRAME": lambda machine, _: None,
    "MARK": _Machine.mark,
    "POP": lambda machine, _: machine.stack.pop(),
    "DUP": lambda machine, _: machine.stack.append(machine.stack[-1]),
    "LIST": lambda machine, _: machine.collect(list),
    "TUPLE": lambda machine, _: machine.collect(tuple),
    "DICT": lambda machine, _: machine.collect(_dictionary),
    "FROZENSET": lambda machine, _: machine.collect(_frozen_set),
    "APPEND": lambda machine, _: machine.extend_by(1),
    "SETITEM": lambda machine, _: machine.extend_by(2),
    "APPENDS": lambda machine, _: machine.extend(machine.since_mark()),
    "SETITEMS": lambda machine, _: machine.extend(machine.since_mark()),
    "ADDITEMS": lambda machine, _: machine.extend(machine.since_mark()),
    **dict.fromkeys(("PUT", "BINPUT", "LONG_BINPUT", "MEMOIZE"), _Machine.remember),
    **dict.fromkeys(("GET", "BINGET", "LONG_BINGET"), _Machine.recall),
    "GLOBAL": _Machine.find,
    "STACK_GLOBAL": _Machine.find,
    "REDUCE": _Machine.call,
    "NEWOBJ": _Machine.make_object,
    "BUILD": _Machine.build,
}


def _without_stand_ins(value: Any, seen: dict[int, tuple[Any, Any]]) -> Any:
    """Return a value with arrays in place of all placeholders.

    Parameters
    ----------
    value : object
        The value. Mutable containers are changed in place.
    seen : dict
        The container and its replacement by the container's id. The reference keeps the container alive.
    """
    if isinstance(value, _Ignored):
        return None
    if isinstance(value, _Array | _Dtype | _Saved):
        return value.dtype if isinstance(value, _Dtype) else value.value
    if any(value is known for known in _KNOWN.values()):
        raise ValueError("it contains a function instead of a value")
    if id(value) in seen:
        return seen[id(value)][1]
    result = value
    if isinstance(value, Optimizer | LRScheduler):
        seen[id(value)] = value, value
        _without_stand_ins(vars(value), seen)
    elif isinstance(value, dict):
        seen[id(value)] = value, value
        for key in value:
            value[key] = _without_stand_ins(value[key], seen)
    elif isinstance(value, list):
        seen[id(value)] = value, value
        value[:] = [_without_stand_ins(part, seen) for part in value]
    elif type(value) is tuple:
        result = tuple(_without_stand_ins(part, seen) for part in value)
        seen[id(value)] = value, result
    return result


def read_states(data: bytes) -> Any:
    r"""Return the contents of a file of states: the states by the weight's index, and the optimizer if it was saved.

    Parameters
    ----------
    data : bytes
        The contents of the file.

    Returns
    -------
    dict or (dict, Optimizer)
        The states, and the optimizer if the file contains an optimizer.

    Raises
    ------
    MXNetError
        If the file is damaged, or contains objects other than data, optimizers, and schedules.

    Examples
    --------
    >>> read_states(pickle.dumps({0: None}))
    {0: None}
    >>> try:
    ...     read_states(b"cos\nsystem\n(S'ls'\ntR.")
    ... except MXNetError as error:
    ...     print(error)
    the data is not a file of optimizer states: it names os.system, which is not the class of an array, ...
    """
    if limits.trusted_pickles:
        loaded = _Unpickler(io.BytesIO(data)).load()
    else:
        loaded = _read(data)
    states = loaded[0] if isinstance(loaded, tuple) and len(loaded) == 2 else loaded
    if not isinstance(states, dict) or (states is not loaded and not isinstance(loaded[1], Optimizer)):
        raise MXNetError("the data is not a file of optimizer states: it contains no dictionary of states")
    return loaded


class _Unpickler(pickle.Unpickler):
    """An unpickler that accepts any pickle and replaces MXNet's objects with those of this package."""

    def find_class(self, module: str, name: str) -> Any:
        """Return the object of a name."""
        top, _, rest = module.partition(".")
        if top != "mxnet":
            return super().find_class(module, name)
        if rest == "numpy.multiarray":
            rest = "numpy"
        return _loaded(module, name) or super().find_class(f"{__name__.partition('.')[0]}.{rest}", name)


def _read(data: bytes) -> Any:
    try:
        return _without_stand_ins(_Machine().run(data), {})
    except Exception as reason:  # a damaged pickle may raise anything
        reason_text = str(reason) or type(reason).__name__
        error = MXNetError(f"the data is not a file of optimizer states: {reason_text[:300]}")
        error.add_note(
            "If the file contains your own optimizer or schedule classes, import these classes first. If you trust the "
            "file, load it in a `with d2lhybrid.limits(trusted_pickles=True):` block, in which a file can run any code."
        )
        raise error from None
