"""The symbol: a description of a computation that has no values yet."""

from __future__ import annotations

import numbers
import sys
import warnings
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .. import attribute
from .. import name as naming
from ..core import events, infer
from ..core.node import Entry, Node, entry_name, topological_order
from ..core.operator import Operator, get_operator
from ..core.sources import new_source
from ..errors import MXNetError, NotImplementedForSymbol, did_you_mean
from ..support.dtypes import dtype_code
from ..support.remedies import remedy, silent_difference, with_remedy
from ..util import is_np_shape, is_user_file, names_of_the_package, settings

__all__ = ["Group", "Symbol", "Variable", "compose", "var"]

# Attributes that MXNet lists with and without their underscores.
_HIDDEN_KEYS = ("ctx_group", "lr_mult", "wd_mult", "force_mirroring", "mirror_stage", "profiler_scope")


class Symbol:
    """One or several outputs of a graph of operators.

    Symbols are made by :func:`var` and by calling operators on symbols. They describe operations,
    not data: there is no ``shape``, no ``dtype`` and no value.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> a, b = sym.var("a"), sym.var("b")
    >>> sym.relu(a * b, name="positive")
    <Symbol positive>
    """

    __slots__ = ("__weakref__", "_entries")
    __array_priority__ = 1000.0
    __hash__ = None  # type: ignore[assignment]
    _legacy = True

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries: tuple[Entry, ...] = tuple(entries)

    # --- what it is ----------------------------------------------------------------------------

    @property
    def name(self) -> str | None:
        """Name of the node; None for a group of several nodes."""
        nodes = {n for n, _ in self._entries}
        return self._entries[0][0].name if len(nodes) == 1 else None

    @property
    def handle(self) -> Any:
        """A number that identifies the graph (MXNet's C handle)."""
        import ctypes

        return ctypes.c_void_p(id(self._entries))

    def __repr__(self) -> str:
        name = self.name
        if name is None:
            return f"<{type(self).__name__} group [{', '.join(str(s.name) for s in self._separate())}]>"
        return f"<{type(self).__name__} {name}>"

    def _separate(self) -> list[Symbol]:
        return [type(self)([e]) for e in self._entries]

    def __iter__(self) -> Iterator[Any]:
        self._warn_silent("for v in x")
        return iter(self._separate())

    def __len__(self) -> int:
        self._warn_silent("len(x)")
        return len(self._entries)

    def _warn_silent(self, code: str) -> None:
        """Warn where the same code does something else on an array, if that is wanted."""
        if settings.warn_silent_differences and len(self._entries) == 1:
            caller = sys._getframe(2)
            if is_user_file(caller.f_code.co_filename):
                warnings.warn(silent_difference(code), stacklevel=3)

    def __getitem__(self, index: Any) -> Any:
        if isinstance(index, str):
            for entry in self._entries:
                if entry_name(entry) == index or entry[0].name == index:
                    return type(self)([entry])
            raise with_remedy(ValueError(f'Cannot find output that matches name "{index}"'), "['name']", self._legacy)
        if isinstance(index, slice):
            self._warn_silent("x[0:1]")
            return Group([type(self)([e]) for e in self._entries[index]])
        if not isinstance(index, int | numpy.integer):
            raise with_remedy(TypeError("Symbol only support integer index to fetch i-th output"), "[]")
        if index < 0:
            count = f"({index % 2**32} vs. {len(self)})"
            error = MXNetError(f"Check failed: index < nreturn {count} : Symbol only accept nonnegative index")
            raise with_remedy(error, "[-1]")
        if index >= len(self):
            raise with_remedy(IndexError(""), "[]")
        self._warn_silent("x[0]")
        return type(self)([self._entries[index]])

    def __setitem__(self, index: Any, value: Any) -> None:
        error = TypeError(f"{type(self).__name__!r} object does not support item assignment")
        raise with_remedy(error, "[]=", self._legacy)

    def __bool__(self) -> bool:
        raise with_remedy(NotImplementedForSymbol("__bool__", "bool"), "bool", self._legacy)

    def __deepcopy__(self, memo: Any) -> Any:
        return type(self)(self._entries)

    def __copy__(self) -> Any:
        return type(self)(self._entries)

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (type(self), self.tojson())

    # --- parts ---------------------------------------------------------------------------------

    def _nodes(self) -> list[Node]:
        return topological_order(self._entries)

    def _aux_nodes(self) -> set[Node]:
        found = set()
        for node in self._nodes():
            if node.op is not None and node.op.aux:
                for declared, (child, _) in zip(_declared_inputs(node), node.inputs, strict=False):
                    if declared in node.op.aux and child.op is None:
                        found.add(child)
        return found

    def list_inputs(self) -> list[str]:
        """Return the names of all variables, in the order of the graph."""
        return [n.name for n in self._nodes() if n.op is None]

    def list_arguments(self) -> list[str]:
        """Return the names of the variables that are not auxiliary states."""
        aux = self._aux_nodes()
        return [n.name for n in self._nodes() if n.op is None and n not in aux]

    def list_auxiliary_states(self) -> list[str]:
        """Return the names of the variables that operators update by themselves."""
        aux = self._aux_nodes()
        return [n.name for n in self._nodes() if n.op is None and n in aux]

    def list_outputs(self) -> list[str]:
        """Return the names of the outputs."""
        return [entry_name(e) for e in self._entries]

    def get_internals(self) -> Any:
        """Return a group of all outputs of all nodes."""
        return type(self)([(n, i) for n in self._nodes() for i in range(n.num_visible_outputs)])

    def get_children(self) -> Any:
        """Return a group of the inputs of the last node; None for a variable."""
        inputs = self._entries[0][0].inputs
        return type(self)(inputs) if inputs else None

    def attr(self, key: str) -> str | None:
        """Return an attribute of the node as text, None if it has none of that name."""
        attrs = self._entries[0][0].attrs
        return attrs.get(key, attrs.get(f"__{key}__"))

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """Return all attributes of the node as text."""
        if recursive:
            raise DeprecationWarning(
                "Symbol.list_attr with recursive=True has been deprecated. Please use attr_dict instead."
            )
        return _listed(self._entries[0][0].attrs)

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """Return the attributes of all nodes that have some, by node name."""
        return {n.name: _listed(n.attrs) for n in self._nodes() if n.attrs}

    def _set_attr(self, **attributes: str) -> None:
        for key, value in attributes.items():
            if not isinstance(value, str):
                raise ValueError("Set Attr only accepts string values")
            self._entries[0][0].attrs[key] = value

    def as_nd_ndarray(self) -> Symbol:
        """Return the legacy symbol of the same graph."""
        return self if type(self) is Symbol else Symbol(self._entries)

    def as_np_ndarray(self) -> Any:
        """Return the ``np`` symbol of the same graph."""
        from .numpy import _Symbol

        return self if isinstance(self, _Symbol) else _Symbol(self._entries)

    def astype(self, dtype: Any, **kwargs: Any) -> Any:
        """Return a symbol of the same values with another element type."""
        return compose(get_operator("Cast"), "cast", [self], {"dtype": dtype, **kwargs}, type(self))

    def debug_str(self) -> str:
        """Return a listing of the graph."""
        from .file import debug_str

        return debug_str(self._entries)

    # --- composition -----------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        """Return the graph with some variables replaced by other symbols."""
        name = kwargs.pop("name", None)
        for value in (*args, *kwargs.values()):
            if not isinstance(value, Symbol):
                raise TypeError("Compose expect `Symbol` as arguments")
        if args and kwargs:
            raise TypeError("compose only accept input Symbols either as positional or keyword arguments, not both")
        if args:
            raise MXNetError(
                f"Check failed: args.size() == 0U ({len(args)} vs. 0) : General composition only support kwargs for now"
            )
        from .transform import substitute

        return substitute(self, kwargs, name)

    # --- inference -------------------------------------------------------------------------------

    def infer_shape(self, *args: Any, **kwargs: Any) -> Any:
        """Return the shapes of arguments, outputs and auxiliary states.

        Parameters
        ----------
        *args, **kwargs : tuple of int
            Known shapes, by position or by name; 0 (with NumPy's shapes: -1) means unknown.

        Returns
        -------
        tuple of three lists
            (None, None, None) with a warning if the shapes cannot all be found.

        Raises
        ------
        MXNetError
            If shapes contradict each other.
        """
        try:
            result = self._infer_shape(args, kwargs)
        except MXNetError:
            print("infer_shape error. Arguments:")
            for i, shape in enumerate(args):
                print(f"  #{i}: {shape}")
            for key, shape in kwargs.items():
                print(f"  {key}: {shape}")
            raise
        if any(not _known(s) for part in result for s in part):
            unknown = [f"{n}: {s}" for n, s in zip(self.list_arguments(), result[0], strict=True) if not _known(s)]
            warnings.warn(
                "Cannot decide shape for the following arguments (0s in shape means unknown dimensions). "
                "Consider providing them as input:\n\t" + "\n\t".join(unknown),
                stacklevel=2,
            )
            return None, None, None
        return result

    def infer_shape_partial(self, *args: Any, **kwargs: Any) -> Any:
        """Return the shapes as far as they are known; 0 is an unknown size (-1 with NumPy's shapes)."""
        return self._infer_shape(args, kwargs)

    def _infer_shape(self, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
        known = {}
        for key, shape in self._by_name(args, kwargs, "InferShapeKeyword").items():
            if not isinstance(shape, tuple | list):
                raise TypeError(f"Arguments need to be shapes (tuple), but '{key}' is {type(shape)}.")
            known[key] = _read_shape(shape)
        found = infer.infer_shapes(self._entries, {k: v for k, v in known.items() if v is not None})
        return self._split_result(found, _write_shape)

    def infer_type(self, *args: Any, **kwargs: Any) -> Any:
        """Return the element types of arguments, outputs and auxiliary states, as NumPy classes."""
        known = {k: numpy.dtype(v) for k, v in self._by_name(args, kwargs, "InferTypeKeyword").items()}
        found = infer.infer_types(self._entries, known)
        result = self._split_result(found, lambda d: None if d is None else d.type)
        if any(d is None for part in result for d in part):
            unknown = [f"{n}: {d}" for n, d in zip(self.list_arguments(), result[0], strict=True) if d is None]
            warnings.warn(
                "Cannot decide type for the following arguments. Consider providing them as input:\n\t"
                + "\n\t".join(unknown),
                stacklevel=2,
            )
            return None, None, None
        return result

    def infer_type_partial(self, *args: Any, **kwargs: Any) -> Any:
        """Return the element types as far as they are known."""
        known = {k: numpy.dtype(v) for k, v in self._by_name(args, kwargs, "InferTypeKeyword").items()}
        return self._split_result(infer.infer_types(self._entries, known), lambda d: None if d is None else d.type)

    def _by_name(self, args: tuple[Any, ...], kwargs: dict[str, Any], what: str) -> dict[str, Any]:
        arguments = self.list_arguments()
        given = {n: a for n, a in zip(arguments, args, strict=False) if a is not None}
        names = set(self.list_inputs())
        for key, value in kwargs.items():
            if key not in names:
                candidates = "".join(f"\n\t[{i}]{n}" for i, n in enumerate(arguments))
                raise MXNetError(f"{what} argument name {key} not found.\nCandidate arguments:{candidates}")
            given[key] = value
        return given

    def _split_result(self, found: infer.Inference, convert: Callable[[Any], Any]) -> tuple[Any, Any, Any]:
        aux = self._aux_nodes()
        variables = [n for n in found.order if n.op is None]
        return (
            [convert(found[n, 0]) for n in variables if n not in aux],
            [convert(found[e]) for e in self._entries],
            [convert(found[n, 0]) for n in variables if n in aux],
        )

    # --- files, evaluation -------------------------------------------------------------------------

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """Return the graph in MXNet's JSON format."""
        from .file import dump_json

        return dump_json(self._entries)

    def save(self, fname: str, remove_amp_cast: bool = True) -> None:
        """Write the graph to a file in MXNet's JSON format."""
        from .file import save

        save(self, fname)

    def eval(self, ctx: Any = None, **kwargs: Any) -> list[Any]:
        """Return the values of the outputs for given values of the variables."""
        from ..executor import bind

        return bind(self, ctx, kwargs).forward()

    def bind(self, ctx: Any, args: Any, args_grad: Any = None, grad_req: Any = "write", aux_states: Any = None,
             group2ctx: Any = None, shared_exec: Any = None) -> Any:  # fmt: skip
        """Return an executor of the graph on given arrays."""
        from ..executor import bind

        return bind(self, ctx, args, args_grad, grad_req, aux_states, group2ctx, shared_exec)

    def simple_bind(self, ctx: Any, grad_req: Any = "write", type_dict: Any = None, stype_dict: Any = None,
                    group2ctx: Any = None, shared_arg_names: Any = None, shared_exec: Any = None,
                    shared_buffer: Any = None, **kwargs: Any) -> Any:  # fmt: skip
        """Return an executor whose arrays are made here, from the shapes of the data, or shared with another one's."""
        from ..executor import simple_bind

        return simple_bind(
            self, ctx, grad_req, type_dict, kwargs, group2ctx, shared_arg_names, shared_exec, shared_buffer
        )

    def optimize_for(self, backend: str, args: Any = None, aux: Any = None, ctx: Any = None, **kwargs: Any) -> Any:
        """Return the graph prepared for a backend; every backend runs the graph as it is."""
        return type(self)(self._entries)

    def get_backend_symbol(self, backend: str) -> Any:
        """Return the graph as a backend wants it; every backend runs the graph as it is."""
        return type(self)(self._entries)

    def gradient(self, wrt: list[str]) -> Any:
        """Return the symbol of the gradients with respect to variables."""
        from ..core.passes.differentiate import gradient_symbol

        return gradient_symbol(self, wrt)

    def _call_function(self, function: Any, inputs: Sequence[Any]) -> Any:
        """Return the node of an ``autograd.Function`` of symbols."""
        from ..operator.function import call_with_symbols

        return call_with_symbols(function, inputs)

    # --- what only arrays can do --------------------------------------------------------------------

    def wait_to_read(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: a symbol has no value."""
        raise with_remedy(NotImplementedForSymbol("wait_to_read"), "wait_to_read", self._legacy)

    def asnumpy(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: a symbol has no value."""
        raise with_remedy(NotImplementedForSymbol("asnumpy"), "asnumpy", self._legacy)

    def asscalar(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: a symbol has no value."""
        raise with_remedy(NotImplementedForSymbol("asscalar"), "asscalar", self._legacy)

    def copy(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: a symbol has no value."""
        raise with_remedy(NotImplementedForSymbol("copy"), "copy", self._legacy)

    def as_in_context(self) -> Any:
        """Refuse: a symbol has no device."""
        raise with_remedy(NotImplementedForSymbol("as_in_context"), "as_in_context", self._legacy)

    def detach(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: use ``F.BlockGrad``."""
        raise with_remedy(NotImplementedForSymbol("detach"), "detach", self._legacy)

    def backward(self, *args: Any, **kwargs: Any) -> Any:
        """Refuse: a symbol has no value."""
        raise with_remedy(NotImplementedForSymbol("backward"), "backward", self._legacy)

    def __getattr__(self, name: str) -> Any:
        error = AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        if not name.startswith("_") and remedy(name, self._legacy) is None:
            meant = did_you_mean(name, dir(type(self)))
            error.add_note(
                meant.strip() or "In hybrid_forward, use the operators of F: arrays and Symbols both have them."
            )
        raise with_remedy(error, name, self._legacy)

    # --- arithmetic ------------------------------------------------------------------------------------

    def __neg__(self) -> Any:
        return self.__mul__(-1.0)

    def __abs__(self) -> Any:
        return compose(get_operator("abs"), "abs", [self], {}, Symbol)

    def __iadd__(self, other: Any) -> Any:
        raise with_remedy(NotImplementedForSymbol("__iadd__", "+=", [other, 1]), "__iadd__")

    def __isub__(self, other: Any) -> Any:
        raise with_remedy(NotImplementedForSymbol("__isub__", "-=", [other]), "__isub__")

    def __imul__(self, other: Any) -> Any:
        raise with_remedy(NotImplementedForSymbol("__imul__", "*=", [other]), "__imul__")

    def __itruediv__(self, other: Any) -> Any:
        raise with_remedy(NotImplementedForSymbol("__itruediv__", "/=", [other]), "__itruediv__")

    __idiv__ = __itruediv__


def _listed(attrs: dict[str, str]) -> dict[str, str]:
    listed = dict(attrs)
    for key in _HIDDEN_KEYS:
        if f"__{key}__" in attrs:
            listed[key] = attrs[f"__{key}__"]
    return listed


# What is unknown: a size of 0 and the shape () with legacy shapes; with NumPy's, where both are
# possible shapes, a size of -1 and None.


def _read_shape(shape: Any) -> Any:
    """Return a shape with None for unknown sizes, None for an unknown shape."""
    if is_np_shape():
        return tuple(None if n is None or n < 0 else int(n) for n in shape)
    return tuple(None if n is None or n <= 0 else int(n) for n in shape) or None


def _write_shape(shape: Any) -> Any:
    """Return a shape as MXNet shows it."""
    if is_np_shape():
        return None if shape is None else tuple(-1 if n is None else n for n in shape)
    return () if shape is None else tuple(n or 0 for n in shape)


def _known(shape: Any) -> bool:
    if is_np_shape():
        return shape is not None and -1 not in shape
    return bool(shape) and 0 not in shape


def _declared_inputs(node: Node) -> list[str]:
    op = node.op
    assert op is not None
    if op.variadic is not None:
        return [f"arg{i}" for i in range(len(node.inputs))]
    names = op.list_inputs(node.params)
    if len(names) != len(node.inputs):
        names = [i.name for i in op.inputs][: len(node.inputs)]
    return names


# --- making symbols ------------------------------------------------------------------------------------


def compose(
    op: Operator,
    hint: str,
    inputs: Sequence[Any],
    attributes: dict[str, Any],
    cls: Any = Symbol,
    name: str | None = None,
    attr: dict[str, str] | None = None,
) -> Any:
    """Make a node: an operator applied to symbols.

    Parameters
    ----------
    op : Operator
        What is applied.
    hint : str
        The automatic name without its number.
    inputs : sequence of Symbol or None
        The inputs in order; missing ones become variables, ``<name>_<input>``.
    attributes : dict
        The operator's attributes as the caller gave them.
    cls : type
        Class of the result.
    name : str, optional
        The node's name.
    attr : dict, optional
        Further attributes (``__lr_mult__`` ...).
    """
    # Even if the attributes are bad the number is used up.
    full_name: str = naming.switches.manager.get(name, hint)
    params = op.parse(attributes)
    params.pop("num_args", None)
    texts = {k: op.attributes[k].format(v) for k, v in attributes.items() if k in op.attributes}
    given = [s for s in inputs if s is not None]
    if op.variadic is not None:
        if _COUNTS.isdisjoint(op.attributes):
            texts["num_args"] = str(len(given))
        if "num_args" in op.attributes:
            params["num_args"] = len(given)
    extra = dict(attribute.AttrScope.switches.attributes)
    if attr:
        extra.update(attr)
    entries = _input_entries(op, full_name, inputs, params, texts, extra)
    node = Node(op, full_name, tuple(entries), {**extra, **texts}, params, source=new_source())
    if events.node_made:
        events.node_made.tell(node)
    visible = node.num_visible_outputs
    return cls([(node, i) for i in range(visible)])


#: Attributes by which some operators count their inputs, instead of ``num_args``.
_COUNTS = frozenset({"num_arrays", "num_outputs", "num_tensors", "num_weights"})


def _input_entries(
    op: Operator, name: str, inputs: Sequence[Any], params: dict[str, Any], texts: dict[str, str], extra: dict[str, str]
) -> list[Entry]:
    entries: list[Entry] = []
    if op.variadic is not None:
        for symbol in inputs:
            entries.extend(symbol._entries)
        return entries
    wanted = op.list_inputs(params)
    slots = dict(zip([i.name for i in op.inputs], inputs, strict=False))
    for i in op.inputs:
        symbol = slots.get(i.name)
        if symbol is not None:
            if len(symbol._entries) != 1:
                raise MXNetError(
                    f"Check failed: kv.second->outputs.size() == 1U ({len(symbol._entries)} vs. 1) : "
                    f"Keyword Argument {i.name} is a tuple, single value is required"
                )
            entries.append(symbol._entries[0])
        elif i.name in wanted:
            attrs = {**extra, **texts}
            initial = _AUX_INITIAL.get(i.name) if i.name in op.aux else None
            if initial is not None:
                attrs["__init__"] = initial
            entries.append((Node(None, f"{name}_{i.name}", attrs=attrs), 0))
    return entries


_AUX_INITIAL = {"moving_mean": '["zero", {}]', "moving_var": '["one", {}]'}


def var(
    name: str,
    attr: dict[str, str] | None = None,
    shape: Any = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: Any = None,
    init: Any = None,
    stype: str | None = None,
    profiler_scope: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Return a variable: an input of a graph.

    Parameters
    ----------
    name : str
        Its name.
    attr : dict, optional
        Attributes, text to text.
    shape, dtype, init, lr_mult, wd_mult, stype : optional
        What is known of the array; stored as attributes.
    **kwargs : str
        Further attributes; their names must look like ``__this__``.

    Raises
    ------
    TypeError
        If the name is not a string.
    ValueError
        For a further attribute without underscores.

    Examples
    --------
    >>> var("data", shape=(2, 3)).list_attr()
    {'__shape__': '(2, 3)'}
    """
    if not isinstance(name, str):
        raise TypeError("Expect a string for variable `name`")
    attrs = {**attribute.AttrScope.switches.attributes, **(attr or {})}
    if shape is not None:
        attrs["__shape__"] = str(shape)
    if lr_mult is not None:
        attrs["__lr_mult__"] = str(lr_mult)
    if wd_mult is not None:
        attrs["__wd_mult__"] = str(wd_mult)
    if dtype is not None:
        attrs["__dtype__"] = str(dtype_code(dtype))
    if init is not None:
        attrs["__init__"] = init if isinstance(init, str) else init.dumps()
    if stype is not None:
        attrs["__storage_type__"] = str({"default": 0, "row_sparse": 1, "csr": 2}[stype])
    for key, value in kwargs.items():
        if not (key.startswith("__") and key.endswith("__")):
            raise ValueError(
                f"Attribute name={key} is not supported. Additional attributes must start and end with double "
                "underscores, e.g, __yourattr__"
            )
        attrs[key] = value
    return Symbol([(Node(None, name, attrs=attrs), 0)])


Variable = var


def _from_json(cls: type[Symbol], text: str) -> Symbol:
    """Return the symbol that was pickled, in its flavour."""
    from .file import load_json

    return cls(load_json(text)._entries)


def Group(symbols: Any, create_fn: Any = None) -> Any:  # noqa: N802  MXNet's name
    """Return one symbol with the outputs of several.

    Raises
    ------
    TypeError
        If the argument is not a list of symbols.
    """
    if not symbols or any(not isinstance(s, Symbol) for s in symbols):
        raise TypeError("Expected a list of symbols as input")
    entries = [e for s in symbols for e in s._entries]
    return (create_fn or type(symbols[0]))(entries)


# --- arithmetic methods: Python's operators do not broadcast on legacy symbols -------------------------------


def _binary(array_op: str, hint: str, scalar_op: str, scalar_hint: str, reverse: bool = False) -> Callable[..., Any]:
    def method(self: Symbol, other: Any) -> Any:
        if isinstance(other, Symbol):
            inputs = [other, self] if reverse else [self, other]
            return compose(get_operator(array_op), hint, inputs, {}, Symbol)
        if isinstance(other, numbers.Number) and not isinstance(other, complex):
            return compose(get_operator(scalar_op), scalar_hint, [self], {"scalar": _number(other)}, Symbol)
        error = TypeError(f"type {type(other)} not supported")
        raise with_remedy(error, "array" if hasattr(other, "_data") else "operand", self._legacy)

    return method


def _number(value: Any) -> Any:
    if isinstance(value, bool):
        raise MXNetError(
            f"Invalid Parameter format for scalar expect double but value='{value}', in operator "
            f'_plus_scalar(name="", scalar="{value}")'
        )
    return value


_ARITHMETIC = {
    "add": ("elemwise_add", "_plus", "_plus_scalar", "_plusscalar"),
    "radd": ("elemwise_add", "_plus", "_plus_scalar", "_plusscalar"),
    "sub": ("elemwise_sub", "_minus", "_minus_scalar", "_minusscalar"),
    "rsub": ("elemwise_sub", "_minus", "_rminus_scalar", "_rminusscalar"),
    "mul": ("elemwise_mul", "_mul", "_mul_scalar", "_mulscalar"),
    "rmul": ("elemwise_mul", "_mul", "_mul_scalar", "_mulscalar"),
    "truediv": ("elemwise_div", "_div", "_div_scalar", "_divscalar"),
    "rtruediv": ("elemwise_div", "_div", "_rdiv_scalar", "_rdivscalar"),
    "mod": ("_mod", "_mod", "_mod_scalar", "_modscalar"),
    "rmod": ("_mod", "_mod", "_rmod_scalar", "_rmodscalar"),
    "pow": ("_power", "_power", "_power_scalar", "_powerscalar"),
    "rpow": ("_power", "_power", "_rpower_scalar", "_rpower_scalar"),
    "eq": ("_equal", "_equal", "_equal_scalar", "_equal_scalar"),
    "ne": ("_not_equal", "_not_equal", "_not_equal_scalar", "_not_equal_scalar"),
    "gt": ("_greater", "_greater", "_greater_scalar", "_greater_scalar"),
    "ge": ("_greater_equal", "_greater_equal", "_greater_equal_scalar", "_greater_equal_scalar"),
    "lt": ("_lesser", "_lesser", "_lesser_scalar", "_lesser_scalar"),
    "le": ("_lesser_equal", "_lesser_equal", "_lesser_equal_scalar", "_lesser_equal_scalar"),
}
for _name, _row in _ARITHMETIC.items():
    setattr(Symbol, f"__{_name}__", _binary(*_row, reverse=_name.startswith("r")))
Symbol.__hash__ = None  # type: ignore[assignment]  # setting __eq__ afterwards would bring it back


if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__)
