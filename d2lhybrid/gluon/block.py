"""The block: a layer or a network, with parameters, children, and a ``forward``.

The module also contains the scope that names blocks and parameters, and the functions that flatten nested arguments
and restore the nesting of results.
"""

from __future__ import annotations

import re
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from .. import name as naming
from ..internals.support.clock import Arrays
from ..internals.support.commit import all_or_nothing
from ..internals.support.mxnet_compatibility import OldPrograms
from ..internals.support.notes import with_note
from ..internals.support.places import made_here
from ..internals.support.plugins import service
from ..internals.support.remedies import with_remedy
from ..internals.support.scopes import Scope, Switches
from ..ndarray.ndarray import NDArray
from ..symbol.symbol import Group, Symbol
from ..util import is_np_array, names_of_the_package, np_arrays
from .containers import warn_of_containers
from .parameter import Parameter
from .parameter_dict import ParameterDict
from .utils import HookHandle, _indent

if TYPE_CHECKING:
    from ..typing import Tensor
    from .calls import A, Forward, R, Unsaid

__all__ = ["Block", "BlockScope", "flatten", "group_outputs", "overridable", "regroup"]


def overridable(method: Callable[..., R]) -> Callable[..., R]:
    """Return a method unchanged, with a type that lets subclasses choose their own parameters.

    A block passes its arguments to ``forward`` unchanged, so a subclass may define ``def forward(self, x, mask)`` or
    any other signature. The result type ``Tensor | Any`` lets subclasses choose their results, too.

    Parameters
    ----------
    method : callable
        The method of the base class.

    Returns
    -------
    callable
        The same method.
    """
    return method


class BlockScope(Scope):
    """The scope that ``with self.name_scope():`` opens.

    The name of a block that is created in this scope consists of the enclosing block's prefix, the class name in lower
    case, and a consecutive number. The names of operators that are applied to symbols in this scope also begin with
    the enclosing block's prefix.
    """

    switches: Switches = naming.switches

    def __init__(self, block: Any) -> None:
        self._block = block
        self._counter: dict[str, int] = {}

    @staticmethod
    def create(prefix: str | None, params: ParameterDict | None, hint: str) -> tuple[str, ParameterDict]:
        """Return the full prefix and the parameter dictionary of a new block.

        Parameters
        ----------
        prefix : str or None
            The block's own prefix. None creates a prefix from ``hint`` and a consecutive number.
        params : ParameterDict or None
            Parameters shared with another block.
        hint : str
            The class name in lower case.

        Returns
        -------
        tuple of str and ParameterDict
            The prefix and the dictionary. If another block's ``name_scope`` is open, the prefix begins with the prefix
            of that block.
        """
        scope = naming.switches.scope
        if scope is None:
            if prefix is None:
                prefix = naming.current_manager().get(None, hint) + "_"
            shared = ParameterDict(prefix) if params is None else ParameterDict(params.prefix, params)
            return prefix, shared
        if prefix is None:
            count = scope._counter.get(hint, 0)
            scope._counter[hint] = count + 1
            prefix = f"{hint}{count}_"
        if params is None:
            parent = scope._block.params
            params = ParameterDict(parent.prefix + prefix, parent._shared)
        else:
            params = ParameterDict(params.prefix, params)
        return scope._block.prefix + prefix, params

    def inside(self) -> dict[str, Any]:
        """Return the thread-local settings that the scope changes, or an empty dictionary if the prefix is empty."""
        return {} if self._block._empty_prefix else {"scope": self, "manager": naming.Prefix(self._block.prefix)}


_BlockScope = BlockScope  # MXNet's name of the class

#: Attributes that ``Block.__init__`` creates and that registering a child requires.
_MADE_BY_INIT = {"_children", "_forward_hooks", "_forward_pre_hooks", "_params", "_prefix", "_reg_params", "_scope"}


class Block:
    """The base class of all layers and networks.

    Subclasses create their children and parameters in ``__init__`` and compute the output in ``forward``.

    Parameters
    ----------
    prefix : str, optional
        Prefix of the names of parameters and children; ``<lower-case class name><number>_`` by default.
    params : ParameterDict, optional
        Parameters shared with another block.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> class Twice(nn.Block):
    ...     def forward(self, x):
    ...         return x * 2
    >>> Twice()(nd.array([1, 2]))
    <BLANKLINE>
    [2. 4.]
    <NDArray 2 @cpu(0)>
    """

    #: The program of the last hybridized call: ``fast(x, generation)`` returns None if it does not fit.
    _fast_call: Any = None

    def __init__(self, prefix: str | None = None, params: ParameterDict | None = None) -> None:
        self._made_at = made_here()
        self._empty_prefix = prefix == ""
        self._prefix, self._params = BlockScope.create(prefix, params, self._alias())
        self._name = self._prefix[:-1] if self._prefix.endswith("_") else self._prefix
        self._scope = BlockScope(self)
        self._children: OrderedDict[str, Any] = OrderedDict()
        self._reg_params: dict[str, Parameter] = {}
        self._forward_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()
        self._forward_pre_hooks: OrderedDict[int, Callable[..., Any]] = OrderedDict()

    # --- names and parts ---------------------------------------------------------------------------

    def _alias(self) -> str:
        return type(self).__name__.lower()

    @property
    def prefix(self) -> str:
        """The prefix of all names in this block."""
        return self._prefix

    @property
    def name(self) -> str:
        """The prefix without its trailing underscore."""
        return self._name

    def name_scope(self) -> BlockScope:
        """Return the scope in which the names of new blocks begin with this block's prefix."""
        return self._scope

    @property
    def params(self) -> ParameterDict:
        """The block's own parameters, without those of its children."""
        return self._params

    def __setattr__(self, name: str, value: Any) -> None:
        if hasattr(self, name):
            existing = getattr(self, name)
            if isinstance(existing, Parameter | Block) and not isinstance(value, type(existing)):
                raise TypeError(
                    f"Changing attribute type for {name} from {type(existing)} to {type(value)}is not allowed."
                )
        if isinstance(value, Block):
            self.register_child(value, name)
        elif isinstance(value, Parameter):
            if name in self._reg_params:
                raise AssertionError(
                    f"Overriding Parameter attribute {name} is not allowed. If you want to share parameters between "
                    "blocks, please set 'params' at Block construction instead."
                )
            self._reg_params[name] = value
        super().__setattr__(name, value)

    def __getattr__(self, name: str) -> Any:
        error = AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)
        if name in _MADE_BY_INIT:
            error.add_note(f"Call super().__init__() at the beginning of {type(self).__name__}.__init__.")
        raise error

    def __repr__(self) -> str:
        children = {key: child for key, child in self.__dict__.items() if isinstance(child, Block)}
        # Not repr(child), which goes through C: that would count as one more level of a net within nets.
        lines = "\n".join(f"  ({key}): {_indent(child.__repr__(), 2)}" for key, child in children.items())
        return f"{type(self).__name__}(\n{lines}\n)"

    def _repr_html_(self) -> str:
        return service("net_html")(self)

    def register_child(self, block: Any, name: str | None = None) -> None:
        """Register a block as a child. Blocks that are assigned to attributes are registered automatically.

        Parameters
        ----------
        block : Block
            The child.
        name : str, optional
            Name of the child in this block; the child's index by default.
        """
        self._children[str(len(self._children)) if name is None else name] = block

    def apply(self, fn: Callable[[Any], Any]) -> Any:
        """Call a function with this block and with each of its descendants, children first.

        Parameters
        ----------
        fn : callable
            The function, which receives a block.

        Returns
        -------
        Block
            This block.
        """
        for child in self._children.values():
            child.apply(fn)
        fn(self)
        return self

    # --- parameters --------------------------------------------------------------------------------

    def collect_params(self, select: str | None = None) -> ParameterDict:
        """Return the parameters of this block and all its descendants.

        Parameters
        ----------
        select : str, optional
            A regular expression that must match the beginning of each name.

        Returns
        -------
        ParameterDict
            The parameters, by full name.
        """
        if OldPrograms.served:
            warn_of_containers(self)
        params = ParameterDict(self._params.prefix)
        if select is None:
            params.update(self.params)
        else:
            pattern = re.compile(select)
            params.update({n: p for n, p in self.params.items() if pattern.match(n)})
        for child in self._children.values():
            params.update(child.collect_params(select=select))
        return params

    def _parameters_by_name(self) -> dict[str, Parameter]:
        """Return the parameters of :meth:`collect_params` by name."""
        by_name = {**self._params._params}
        for child in self._children.values():
            for name, parameter in child._parameters_by_name().items():
                if by_name.setdefault(name, parameter) is not parameter:
                    self.collect_params()  # raises the error that names the duplicate parameter
        return by_name

    def _parts(self) -> list[Any]:
        """Return this block, all its descendants, and all their parameters."""
        parts = {id(self): self, **{id(p): p for p in self.params.values()}}
        for child in self._children.values():
            parts.update((id(part), part) for part in child._parts())
        return list(parts.values())

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Return the parameters by structural name: ``0.weight``, ``hidden.bias``."""
        if prefix:
            prefix += "."
        params = {prefix + key: value for key, value in self._reg_params.items()}
        for name, child in self._children.items():
            params.update(child._collect_params_with_prefix(prefix + name))
        return params

    def initialize(self, init: Any = None, ctx: Any = None, verbose: bool = False, force_reinit: bool = False) -> None:
        """Initialize all parameters. A parameter of unknown shape is initialized in the first call of the block.

        Parameters
        ----------
        init : Initializer or str, optional
            Initializer of the parameters that specify no ``init``; ``Uniform()`` by default.
        ctx : Context or list of Context, optional
            The devices of the parameters; the current device by default.
        verbose : bool
            Whether to print the name of each parameter's initializer.
        force_reinit : bool
            Whether to reinitialize parameters that already have values.
        """
        from .. import initializer

        self.collect_params().initialize(initializer.Uniform() if init is None else init, ctx, verbose, force_reinit)

    from .model_files import load, load_parameters, load_params, save, save_parameters, save_params

    def cast(self, dtype: Any) -> None:
        """Convert all parameters of this block and its descendants to another element type.

        Parameters
        ----------
        dtype : str or type
            The new element type.
        """
        with all_or_nothing(*self._parts()):
            for child in self._children.values():
                child.cast(dtype)
            for parameter in self.params.values():
                parameter.cast(dtype)

    def zero_grad(self) -> None:
        """Set the gradients of all parameters to zero."""
        self.collect_params().zero_grad()

    # --- running -----------------------------------------------------------------------------------

    def hybridize(self, active: bool = True, **kwargs: Any) -> None:
        """Hybridize the children. A child that is not a HybridBlock hybridizes its own children.

        Parameters
        ----------
        active : bool
            Whether to compile the hybrid blocks. If False, they run eagerly again.
        **kwargs : bool or str
            Options of :meth:`HybridBlock.hybridize`.
        """
        for child in self._children.values():
            child.hybridize(active, **kwargs)

    if TYPE_CHECKING:

        @overload
        def __call__(self: Forward[Unsaid], x: A, /, *args: Any, **kwargs: Any) -> A | Any: ...
        @overload
        def __call__(self: Forward[Tensor], x: A, /, *args: Any, **kwargs: Any) -> A: ...
        @overload
        def __call__(self: Forward[tuple[Tensor, Tensor]], x: A, /, *args: Any, **kwargs: Any) -> tuple[A, A]: ...
        @overload
        def __call__(  # pyright: ignore[reportOverlappingOverload]
            self: Forward[tuple[Tensor, list[Tensor]]], x: A, /, *args: Any, **kwargs: Any
        ) -> tuple[A, list[A]]: ...
        @overload
        def __call__(self: Forward[tuple[Tensor, ...]], x: A, /, *args: Any, **kwargs: Any) -> tuple[A, ...]: ...
        @overload
        def __call__(self: Forward[Unsaid], *args: Any, **kwargs: Any) -> Any: ...
        @overload
        def __call__(self: Forward[R], *args: Any, **kwargs: Any) -> R: ...

    def __call__(self, *args: Any) -> Any:
        """Run the hooks and ``forward``, or run the compiled program directly.

        Errors get a note that names the layer. The body is not split into functions, because each function would add a
        level of recursion for each level of nested blocks.
        """
        fast = self._fast_call
        if fast is not None and len(args) == 1 and not self._forward_hooks and not self._forward_pre_hooks:
            out = fast(args[0], Arrays.generation)
            if out is not None:
                return out
        if self._forward_pre_hooks:
            for hook in list(self._forward_pre_hooks.values()):
                hook(self, args)
        try:
            out = self.forward(*args)
        except Exception as error:
            note_layer(error, self)
            raise
        if self._forward_hooks:
            for hook in list(self._forward_hooks.values()):
                hook(self, args, out)
        if np_arrays.np:
            _check_flavour(out)
        return out

    @overridable
    def forward(self, *args: Any) -> Any:
        """Compute the output. Subclasses override this method.

        Parameters
        ----------
        *args : object
            The arguments of the call.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise with_note(NotImplementedError(), f"Define the method forward in {type(self).__name__}.")

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Register a function that is called before each forward call.

        Parameters
        ----------
        hook : callable
            The function ``hook(block, inputs)``, where ``inputs`` is the tuple of arguments.

        Returns
        -------
        HookHandle
            A handle whose ``detach()`` removes the hook.
        """
        handle = HookHandle()
        handle.attach(self._forward_pre_hooks, hook)
        return handle

    def register_forward_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Register a function that is called after each forward call.

        Parameters
        ----------
        hook : callable
            The function ``hook(block, inputs, outputs)``, where ``inputs`` is the tuple of arguments.

        Returns
        -------
        HookHandle
            A handle whose ``detach()`` removes the hook.
        """
        handle = HookHandle()
        handle.attach(self._forward_hooks, hook)
        return handle

    def register_op_hook(self, callback: Callable[..., Any] | None, monitor_all: bool = False) -> None:
        """Register a callback for the outputs of all operators in hybridized child blocks.

        A hybridized block with a callback runs its graph operator by operator, not as a compiled program. To observe a
        single value, use :meth:`HybridBlock.peek`, which is faster. A block that is not hybridized does not call the
        callback.

        Parameters
        ----------
        callback : callable or None
            The callback. It receives the name of the value and the name of the operator, both as bytes, and the array.
            None removes the callback. If autograd records the call, the backward pass also reports the gradients of
            inputs: ``<name>_backward_0`` is the gradient of the first input.
        monitor_all : bool
            Whether to also report the inputs of an operator before the operator runs.
        """
        for child in self._children.values():
            child.register_op_hook(callback, monitor_all)

    def summary(self, *inputs: Any) -> None:
        """Print a table of the layers that run for these inputs, with shapes and parameter counts.

        Parameters
        ----------
        *inputs : NDArray
            The arguments of the call.
        """
        from .summary import print_summary

        print_summary(self, inputs)


def flatten(args: Any, what: str) -> tuple[list[Any], Any]:
    """Flatten nested lists of arrays or symbols, and describe the nesting.

    Parameters
    ----------
    args : NDArray, Symbol, None, or a nested list of these
        The values.
    what : str
        ``"input"`` or ``"output"``, for the error message.

    Returns
    -------
    tuple
        The values as a flat list, and the structure of the nesting: 0 for an array or a symbol with one output, the
        number of outputs for a symbol with several outputs, -1 for None, and a list of structures for a list.

    Raises
    ------
    ValueError
        If an element is neither an array, a symbol, None, nor a list of these.
    """
    if isinstance(args, NDArray):
        return [args], 0
    if isinstance(args, Symbol):
        count = len(args._entries)
        return [args], count if count > 1 else 0
    if args is None:
        return [None], -1
    if not isinstance(args, list | tuple):
        error = ValueError(
            f"When hybridized, the input of HybridBlock {what} must be (nested) list of Symbol or NDArray, "
            f"but got {args} of type {type(args)}"
        )
        raise with_remedy(error, what, not is_np_array())
    flat, structure = [], []
    for arg in args:
        part, form = flatten(arg, what)
        flat += part
        structure.append(form)
    return flat, structure


def group_outputs(out: Any) -> tuple[Symbol, Any]:
    """Return the result of ``hybrid_forward`` as one symbol, and the structure of its nesting.

    Parameters
    ----------
    out : Symbol or nested list of Symbol
        The result.

    Returns
    -------
    tuple
        A symbol with all outputs, and the structure as from :func:`flatten`.

    Raises
    ------
    ValueError, TypeError
        If the result contains a value that is not a symbol.
    """
    outputs, structure = flatten(out, "output")
    try:
        return Group(outputs), structure
    except TypeError as error:
        missing = any(output is None for output in outputs)
        raise with_remedy(error, "no output" if missing else "array", not is_np_array())  # noqa: B904  the same error


def regroup(flat: list[Any], structure: Any) -> Any:
    """Restore the nesting that :func:`flatten` removed. Tuples become lists.

    Parameters
    ----------
    flat : list
        The values.
    structure : int or list
        The structure as from :func:`flatten`.

    Returns
    -------
    NDArray, Symbol, None, or nested list of these
        The nested values.

    Raises
    ------
    ValueError
        If there are more values than the structure describes.
    """
    result, rest = _regroup(flat, structure)
    if rest:
        raise ValueError(f"the output structure describes only {len(flat) - len(rest)} of {len(flat)} outputs")
    return result


def _regroup(flat: list[Any], structure: Any) -> tuple[Any, list[Any]]:
    if isinstance(structure, int):
        if structure == 0:
            return flat[0], flat[1:]
        if structure == -1:
            return None, flat[1:]
        return flat[:structure], flat[structure:]
    result = []
    for form in structure:
        value, flat = _regroup(flat, form)
        result.append(value)
    return result, flat


#: MXNet's name of the function, which other libraries import.
_flatten = flatten


def note_layer(error: BaseException, block: Block) -> None:
    """Name the layer in a note on an error, or extend an existing note to a path from the outermost layer inward.

    Parameters
    ----------
    error : BaseException
        The error that a call of the block raised.
    block : Block
        The layer.
    """
    notes = getattr(error, "__notes__", [])
    label = f"{type(block).__name__} {block.name!r}"
    for i, note in enumerate(notes):
        if note.startswith("in layer "):
            notes[i] = f"in layer {label} > {note[len('in layer ') :]}"
            return
    error.add_note(f"in layer {label}")


if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__)


def _check_flavour(out: Any) -> None:
    """Raise a TypeError if nested lists contain a classic array or symbol where NumPy's arrays are required."""
    if isinstance(out, list | tuple):
        for part in out:
            _check_flavour(part)
    elif getattr(out, "_legacy", False):
        raise TypeError(
            "Block's output ndarrays/symbols must be of type `mxnet.numpy.ndarray` or `mxnet.symbol.numpy._Symbol`, "
            f"while got output type {type(out)}"
        )
