"""The symbol, which represents a computation without values."""

from __future__ import annotations

import sys
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, Self, TypeVar

import numpy

from .. import attribute
from ..error import MXNetError, NotImplementedForSymbol
from ..internals.core.node import Entry, Node, entry_name, input_names, topological_order
from ..internals.core.operator import Operator, get_operator
from ..internals.support.dtypes import dtype_code
from ..internals.support.plugins import service
from ..internals.support.remedies import remedy, silent_difference, with_remedy
from ..internals.support.suggestions import did_you_mean
from ..util import is_user_file, names_of_the_package, settings
from . import inference
from .arithmetic import add_arithmetic
from .compose import compose, compose_call
from .methods import FluentMethods

if TYPE_CHECKING:
    from .numpy import _Symbol

__all__ = ["Group", "Symbol", "Variable", "call_symbolic", "var"]

_S = TypeVar("_S", bound="Symbol")


class Symbol(FluentMethods):
    """One or several outputs of a graph of operators.

    Calls of :func:`var` and calls of operators with symbols create symbols. A symbol represents operations, not data:
    it has no ``shape``, no ``dtype``, and no values.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> a, b = sym.var("a"), sym.var("b")
    >>> sym.relu(a * b, name="positive")
    <Symbol positive>
    """

    __slots__ = ("__weakref__", "_entries", "_order")
    __array_priority__: float = 1000.0
    __hash__ = None  # type: ignore[assignment]
    _legacy: bool = True

    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries: tuple[Entry, ...] = tuple(entries)
        self._order: tuple[Node, ...] | None = None

    # --- properties ----------------------------------------------------------------------------

    @property
    def name(self) -> str | None:
        """The name of the node whose outputs the symbol contains, or None for a group of outputs of several nodes."""
        nodes = {n for n, _ in self._entries}
        return self._entries[0][0].name if len(nodes) == 1 else None

    @property
    def handle(self) -> Any:
        """A ctypes pointer that identifies the symbol's outputs. In MXNet, this is the handle of a C object."""
        import ctypes

        return ctypes.c_void_p(id(self._entries))

    def __repr__(self) -> str:
        name = self.name
        if name is None:
            return f"<{type(self).__name__} group [{', '.join(str(s.name) for s in self._separate())}]>"
        return f"<{type(self).__name__} {name}>"

    def _separate(self) -> list[Self]:
        return [type(self)([e]) for e in self._entries]

    def __iter__(self) -> Iterator[Self]:
        self._warn_silent("for v in x")
        return iter(self._separate())

    def __len__(self) -> int:
        self._warn_silent("len(x)")
        return len(self._entries)

    def _warn_silent(self, code: str) -> None:
        """Warn of code that silently behaves differently on an array, if this warning is enabled."""
        if settings.warn_silent_differences and len(self._entries) == 1:
            caller = sys._getframe(2)
            if is_user_file(caller.f_code.co_filename):
                warnings.warn(silent_difference(code), stacklevel=3)

    def __getitem__(self, index: Any) -> Self:
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

    def __deepcopy__(self, memo: Any) -> Self:
        from .transform import duplicate

        return type(self)(duplicate(self._entries, memo.setdefault("nodes of symbols", {})))

    def __copy__(self) -> Self:
        return self.__deepcopy__({})

    def __reduce__(self) -> tuple[Any, ...]:
        return _from_json, (type(self), self.tojson())

    # --- parts ---------------------------------------------------------------------------------

    def _nodes(self) -> tuple[Node, ...]:
        """Return all nodes in topological order. The result is cached, because a graph does not change."""
        if self._order is None:
            self._order = tuple(topological_order(self._entries))
        return self._order

    def _aux_nodes(self) -> set[Node]:
        aux = set()
        for node in self._nodes():
            if node.op is not None and node.op.aux:
                for declared, (child, _) in zip(input_names(node), node.inputs, strict=False):
                    if declared in node.op.aux and child.op is None:
                        aux.add(child)
        return aux

    def list_inputs(self) -> list[str]:
        """Return the names of all variables, in topological order."""
        return [n.name for n in self._nodes() if n.op is None]

    def list_arguments(self) -> list[str]:
        """Return the names of the variables that are not auxiliary states."""
        aux = self._aux_nodes()
        return [n.name for n in self._nodes() if n.op is None and n not in aux]

    def list_auxiliary_states(self) -> list[str]:
        """Return the names of the auxiliary states: variables that operators update, such as a running mean."""
        aux = self._aux_nodes()
        return [n.name for n in self._nodes() if n.op is None and n in aux]

    def list_outputs(self) -> list[str]:
        """Return the names of the outputs."""
        return [entry_name(e) for e in self._entries]

    def get_internals(self) -> Self:
        """Return a group of the visible outputs of all nodes, in topological order."""
        return type(self)([(n, i) for n in self._nodes() for i in range(n.num_visible_outputs)])

    def get_children(self) -> Self | None:
        """Return a group of the inputs of the nodes that compute this symbol's outputs, or None without inputs."""
        nodes = dict.fromkeys(node for node, _ in self._entries)
        inputs = tuple(entry for node in nodes for entry in node.inputs)
        return type(self)(inputs) if inputs else None

    def attr(self, key: str) -> str | None:
        """Return an attribute of the symbol's node as a string, or None if the node lacks the attribute.

        A group of outputs of several nodes has no attributes.

        Parameters
        ----------
        key : str
            Name of the attribute.

        Returns
        -------
        str or None
            The attribute.
        """
        first = self._entries[0][0]
        if any(node is not first for node, _ in self._entries):
            return None
        return first.attrs.get(key, first.attrs.get(f"__{key}__") if key in attribute.HIDDEN_KEYS else None)

    def list_attr(self, recursive: bool = False) -> dict[str, str]:
        """Return all attributes of the first output's node as strings.

        Parameters
        ----------
        recursive : bool
            Must be False. Call :meth:`attr_dict` for the attributes of all nodes.

        Returns
        -------
        dict of str to str
            The attributes, by name.

        Raises
        ------
        DeprecationWarning
            If ``recursive`` is True.
        """
        if recursive:
            raise DeprecationWarning(
                "Symbol.list_attr with recursive=True has been deprecated. Please use attr_dict instead."
            )
        return _listed(self._entries[0][0].attrs)

    def attr_dict(self) -> dict[str, dict[str, str]]:
        """Return the attributes of all nodes that have any, by node name. Nodes with the same name share an entry."""
        listed: dict[str, dict[str, str]] = {}
        for node in self._nodes():
            if node.attrs:
                listed.setdefault(node.name, {}).update(_listed(node.attrs))
        return listed

    def _set_attr(self, **attributes: str) -> None:
        """Set attributes of the nodes of all outputs. Other symbols that contain these nodes change, too."""
        from .transform import set_attributes

        if not all(isinstance(value, str) for value in attributes.values()):
            raise ValueError("Set Attr only accepts string values")
        set_attributes(self._entries, attributes)

    def as_nd_ndarray(self) -> Symbol:
        """Return the legacy symbol of the same graph."""
        return self if type(self) is Symbol else Symbol(self._entries)

    def as_np_ndarray(self) -> _Symbol:
        """Return the ``np`` symbol of the same graph."""
        from .numpy import _Symbol

        return self if isinstance(self, _Symbol) else _Symbol(self._entries)

    def astype(
        self, dtype: Any, name: str | None = None, attr: dict[str, str] | None = None, out: Any = None, **kwargs: Any
    ) -> Self:
        """Return a symbol for the same values with another element type.

        Parameters
        ----------
        dtype : str or type
            Element type of the result.
        name : str, optional
            Name of the node.
        attr : dict of str to str, optional
            Attributes of the node.
        out : object
            Ignored; accepted because MXNet's method has this parameter.
        **kwargs
            Other arguments of ``sym.cast``.

        Returns
        -------
        Symbol
            The converted values.
        """
        return compose(get_operator("Cast"), "cast", [self], {"dtype": dtype, **kwargs}, type(self), name, attr)

    def debug_str(self) -> str:
        """Return a listing of the graph, with its outputs, its variables, and each operator's inputs and attributes."""
        from .file import debug_str

        return debug_str(self._entries)

    # --- composition -----------------------------------------------------------------------------

    def __call__(self, *args: Any, **kwargs: Any) -> Self:
        """Return the graph with some of its variables replaced by other symbols."""
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
        """Infer the shapes of arguments, outputs, and auxiliary states.

        Parameters
        ----------
        *args, **kwargs : tuple of int
            Known shapes of arguments, by position or by name. An unknown size is 0 (-1 with NumPy's shapes).

        Returns
        -------
        tuple of three lists
            The shapes. If a shape cannot be inferred, the method warns and returns (None, None, None).

        Raises
        ------
        MXNetError
            If shapes contradict each other.
        TypeError
            If a known shape is not a tuple or a list.
        """
        return inference.infer_shape(self, args, kwargs)

    def infer_shape_partial(self, *args: Any, **kwargs: Any) -> Any:
        """Infer the shapes of arguments, outputs, and auxiliary states as far as possible.

        Parameters
        ----------
        *args, **kwargs : tuple of int
            Known shapes of arguments, by position or by name. An unknown size is 0 (-1 with NumPy's shapes).

        Returns
        -------
        tuple of three lists
            The shapes. An unknown size is 0 (-1 with NumPy's shapes), and an unknown shape is () (None with NumPy's
            shapes).
        """
        return inference.infer_shape_partial(self, args, kwargs)

    def infer_type(self, *args: Any, **kwargs: Any) -> Any:
        """Infer the element types of arguments, outputs, and auxiliary states.

        Parameters
        ----------
        *args, **kwargs : str or type
            Known element types of arguments, by position or by name.

        Returns
        -------
        tuple of three lists
            The types, as NumPy scalar classes. If a type cannot be inferred, the method warns and returns (None, None,
            None).
        """
        return inference.infer_type(self, args, kwargs)

    def infer_type_partial(self, *args: Any, **kwargs: Any) -> Any:
        """Infer the element types of arguments, outputs, and auxiliary states as far as possible.

        Parameters
        ----------
        *args, **kwargs : str or type
            Known element types of arguments, by position or by name.

        Returns
        -------
        tuple of three lists
            The types, as NumPy scalar classes, with None for an unknown type.
        """
        return inference.infer_type_partial(self, args, kwargs)

    # --- files and evaluation ----------------------------------------------------------------------

    def tojson(self, remove_amp_cast: bool = True) -> str:
        """Return the graph in MXNet's JSON format.

        Parameters
        ----------
        remove_amp_cast : bool
            Ignored; accepted because MXNet's method has this parameter.

        Returns
        -------
        str
            The JSON text.
        """
        from .file import dump_json

        return dump_json(self._entries)

    def save(self, fname: str, remove_amp_cast: bool = True) -> None:
        """Write the graph to a file in MXNet's JSON format.

        Parameters
        ----------
        fname : str
            Path of the file.
        remove_amp_cast : bool
            Ignored; accepted because MXNet's method has this parameter.
        """
        from .file import save

        save(self, fname)

    def eval(self, ctx: Any = None, **kwargs: Any) -> list[Any]:
        """Compute the values of the outputs from values of the variables.

        Parameters
        ----------
        ctx : Context, optional
            The device; the current device by default.
        **kwargs : NDArray
            Values of the variables, by name.

        Returns
        -------
        list of NDArray
            The values of the outputs.
        """
        return service("bind")(self, ctx, kwargs).forward()

    def bind(self, ctx: Any, args: Any, args_grad: Any = None, grad_req: Any = "write", aux_states: Any = None,
             group2ctx: Any = None, shared_exec: Any = None) -> Any:  # fmt: skip
        """Return an executor of the graph on existing arrays.

        Parameters
        ----------
        ctx, args, args_grad, grad_req, aux_states, group2ctx, shared_exec
            Arguments of :func:`d2lhybrid.executor.bind`.

        Returns
        -------
        Executor
            The executor, whose arrays are those of ``args``, ``args_grad``, and ``aux_states``.
        """
        return service("bind")(self, ctx, args, args_grad, grad_req, aux_states, group2ctx, shared_exec)

    def simple_bind(self, ctx: Any, grad_req: Any = "write", type_dict: Any = None, stype_dict: Any = None,
                    group2ctx: Any = None, shared_arg_names: Any = None, shared_exec: Any = None,
                    shared_buffer: Any = None, **kwargs: Any) -> Any:  # fmt: skip
        """Return an executor of the graph on new arrays or on arrays that are shared with another executor.

        Parameters
        ----------
        ctx, grad_req, type_dict, stype_dict, group2ctx, shared_arg_names, shared_exec, shared_buffer
            Arguments of :func:`d2lhybrid.executor.simple_bind`.
        **kwargs : tuple of int
            Shapes of arguments, by name.

        Returns
        -------
        Executor
            The executor.
        """
        return service("simple_bind")(
            self, ctx, grad_req, type_dict, kwargs, group2ctx, shared_arg_names, shared_exec, shared_buffer, stype_dict
        )

    def optimize_for(
        self, backend: str, args: Any = None, aux: Any = None, ctx: Any = None, shape_dict: Any = None,
        type_dict: Any = None, stype_dict: Any = None, skip_infer: bool = False, **kwargs: Any,
    ) -> Self:  # fmt: skip
        """Return the same graph, because all backends of this package run the unchanged graph.

        Parameters
        ----------
        backend, args, aux, ctx, shape_dict, type_dict, stype_dict, skip_infer, **kwargs
            Ignored; accepted because MXNet's method has these parameters.

        Returns
        -------
        Symbol
            A symbol of the same graph.
        """
        return type(self)(self._entries)

    def get_backend_symbol(self, backend: str) -> Self:
        """Return the same graph, because all backends of this package run the unchanged graph.

        Parameters
        ----------
        backend : str
            Ignored; accepted because MXNet's method has this parameter.

        Returns
        -------
        Symbol
            A symbol of the same graph.
        """
        return type(self)(self._entries)

    def gradient(self, wrt: list[str]) -> Self:
        """Return a symbol for the gradients of the outputs with respect to variables.

        The ``__shape__`` attributes of the variables must determine all shapes.

        Parameters
        ----------
        wrt : list of str
            Names of the variables.

        Returns
        -------
        Symbol
            A symbol with a gradient for each name in ``wrt``.
        """
        from .gradient import gradient_symbol

        return gradient_symbol(self, wrt)

    # --- methods of arrays that raise an error ------------------------------------------------------

    def wait_to_read(self, *args: Any, **kwargs: Any) -> Any:
        """Raise an error, because a symbol has no value.

        Parameters
        ----------
        *args, **kwargs
            Ignored.

        Raises
        ------
        NotImplementedForSymbol
            Always. A note names an alternative.
        """
        raise with_remedy(NotImplementedForSymbol("wait_to_read"), "wait_to_read", self._legacy)

    def asnumpy(self, *args: Any, **kwargs: Any) -> Any:
        """Raise an error, because a symbol has no value.

        Parameters
        ----------
        *args, **kwargs
            Ignored.

        Raises
        ------
        NotImplementedForSymbol
            Always. A note names an alternative.
        """
        raise with_remedy(NotImplementedForSymbol("asnumpy"), "asnumpy", self._legacy)

    def asscalar(self, *args: Any, **kwargs: Any) -> Any:
        """Raise an error, because a symbol has no value.

        Parameters
        ----------
        *args, **kwargs
            Ignored.

        Raises
        ------
        NotImplementedForSymbol
            Always. A note names an alternative.
        """
        raise with_remedy(NotImplementedForSymbol("asscalar"), "asscalar", self._legacy)

    def copy(self, *args: Any, **kwargs: Any) -> Any:
        """Raise an error, because a symbol has no value.

        Parameters
        ----------
        *args, **kwargs
            Ignored.

        Raises
        ------
        NotImplementedForSymbol
            Always. A note names an alternative.
        """
        raise with_remedy(NotImplementedForSymbol("copy"), "copy", self._legacy)

    def as_in_context(self) -> Any:
        """Raise an error, because a symbol has no device.

        Raises
        ------
        NotImplementedForSymbol
            Always. A note names an alternative.
        """
        raise with_remedy(NotImplementedForSymbol("as_in_context"), "as_in_context", self._legacy)

    def detach(self, *args: Any, **kwargs: Any) -> Any:
        """Raise an error, because a symbol has no value.

        Parameters
        ----------
        *args, **kwargs
            Ignored.

        Raises
        ------
        NotImplementedForSymbol
            Always. A note names an alternative.
        """
        raise with_remedy(NotImplementedForSymbol("detach"), "detach", self._legacy)

    def backward(self, *args: Any, **kwargs: Any) -> Any:
        """Raise an error, because a symbol has no value.

        Parameters
        ----------
        *args, **kwargs
            Ignored.

        Raises
        ------
        NotImplementedForSymbol
            Always. A note names an alternative.
        """
        raise with_remedy(NotImplementedForSymbol("backward"), "backward", self._legacy)

    def __getattr__(self, name: str) -> Any:
        error = AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        if not name.startswith("_") and remedy(name, self._legacy) is None:
            meant = did_you_mean(name, dir(type(self)))
            error.add_note(
                meant.strip() or "In hybrid_forward, use the operators of F, which accept both arrays and Symbols."
            )
        raise with_remedy(error, name, self._legacy)

    # --- arithmetic ------------------------------------------------------------------------------------

    def __neg__(self) -> Self:
        return self.__mul__(-1.0)

    def __abs__(self) -> Self:
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
    for key in attribute.HIDDEN_KEYS:
        if f"__{key}__" in attrs:
            listed[key] = attrs[f"__{key}__"]
    return listed


def _from_json(cls: type[Symbol], text: str) -> Symbol:
    """Restore a pickled symbol of a class."""
    from .file import load_json

    return cls(load_json(text)._entries)


def Group(symbols: Sequence[_S], create_fn: Any = None) -> _S:  # noqa: N802  MXNet's name
    """Return a symbol with all outputs of several symbols.

    Parameters
    ----------
    symbols : sequence of Symbol
        The symbols.
    create_fn : type, optional
        The class of the result; the class of the first symbol by default.

    Returns
    -------
    Symbol
        A symbol with all outputs, in order.

    Raises
    ------
    TypeError
        If the sequence is empty or contains an object that is not a symbol.
    """
    if not symbols or any(not isinstance(s, Symbol) for s in symbols):
        raise TypeError("Expected a list of symbols as input")
    entries = [e for s in symbols for e in s._entries]
    return (create_fn or type(symbols[0]))(entries)


def _plain(shape: Any) -> Any:
    """Return a shape with Python integers, because the representation ``np.int64(3)`` is not allowed in files."""
    if not isinstance(shape, tuple | list):
        return shape
    return type(shape)(int(size) if isinstance(size, numpy.integer) else size for size in shape)


def var(
    name: str,
    attr: dict[str, str] | None = None,
    shape: Any = None,
    lr_mult: float | None = None,
    wd_mult: float | None = None,
    dtype: Any = None,
    init: Any = None,
    stype: str | None = None,
    *,
    profiler_scope: str | None = None,
    **kwargs: Any,
) -> Symbol:
    """Return a variable: a symbol for an input of a graph.

    Parameters
    ----------
    name : str
        Name of the variable.
    attr : dict of str to str, optional
        Attributes, by name.
    shape, dtype, init, lr_mult, wd_mult, stype : optional
        Shape, element type, initializer, multipliers of the learning rate and of the weight decay, and storage type of
        the variable's array. These values are stored as attributes.
    profiler_scope : str, optional
        Ignored; accepted because MXNet 2 has this parameter.
    **kwargs
        Additional attributes. Their names must start and end with double underscores. Their values are converted to
        strings.

    Returns
    -------
    Symbol
        The variable.

    Raises
    ------
    TypeError
        If the name is not a string.
    ValueError
        If the name of an additional attribute doesn't start and end with double underscores, or if a value in ``attr``
        is not a string.

    Examples
    --------
    >>> var("data", shape=(2, 3)).list_attr()
    {'__shape__': '(2, 3)'}
    """
    if not isinstance(name, str):
        raise TypeError("Expect a string for variable `name`")
    if attr and not all(isinstance(value, str) for value in attr.values()):
        raise ValueError("Set Attr only accepts string values")
    attrs: dict[str, str] = {}
    if attr or attribute.AttrScope.switches.attributes:
        attrs = attribute.of_variable({**attribute.AttrScope.switches.attributes, **(attr or {})})
    if shape is not None:
        attrs["__shape__"] = str(_plain(shape))
    if lr_mult is not None:
        attrs["__lr_mult__"] = str(lr_mult)
    if wd_mult is not None:
        attrs["__wd_mult__"] = str(wd_mult)
    if dtype is not None:
        attrs["__dtype__"] = str(dtype_code(dtype))
    if init is not None:
        initializer = init if isinstance(init, str) else init.dumps()
        if not isinstance(initializer, str):  # NumPy numbers have a method of that name
            raise ValueError("Set Attr only accepts string values")
        attrs["__init__"] = initializer
    if stype is not None:
        attrs["__storage_type__"] = str({"default": 0, "row_sparse": 1, "csr": 2}[stype])
    for key, value in kwargs.items():
        if not (key.startswith("__") and key.endswith("__")):
            raise ValueError(
                f"Attribute name={key} is not supported. Additional attributes must start and end with double "
                "underscores, e.g, __yourattr__"
            )
        attrs[key] = str(value)
    return Symbol([(Node(None, name, attrs=attrs), 0)])


Variable = var


def call_symbolic(
    op: Operator, function: str, arrays: list[Any], params: dict[str, Any], name: Any, attr: Any, out: Any
) -> Any:
    """Create the node for a call of a generated function.

    Parameters
    ----------
    op : Operator
        The operator.
    function : str
        The name of the function.
    arrays : list of Symbol or None
        The inputs; None for an absent input.
    params : dict
        The operator's attributes.
    name, attr : str, dict, optional
        The name of the node, and its additional attributes.
    out : object
        Ignored.

    Returns
    -------
    Symbol
        The outputs of the node.
    """
    return compose_call(op, function, arrays, params, Symbol, name, attr)


add_arithmetic(Symbol)

if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__)
