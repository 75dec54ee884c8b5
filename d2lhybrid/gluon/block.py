"""The block: a part of a network, with parameters, children and a ``forward``."""

from __future__ import annotations

import re
import warnings
from collections import OrderedDict
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, overload

from .. import ndarray as nd
from ..errors import MismatchError, UnexpectedNameError
from ..support.clock import Arrays
from ..support.commit import all_or_nothing, commit
from ..symbol.sources import made_here
from ..util import names_of_the_package, np_arrays
from .parameter import Parameter
from .parameter_dict import ParameterDict
from .scope import BlockScope
from .scope import BlockScope as _BlockScope  # noqa: F401  MXNet's name for it
from .utils import HookHandle

if TYPE_CHECKING:
    from ..typing import Tensor
    from .calls import A, Forward, R, Unsaid

__all__ = ["Block", "overridable"]


def overridable(method: Callable[..., R]) -> Callable[..., R]:
    """Tell type checkers that a subclass may choose the parameters of a method, as every net does.

    What is given to a net goes to its ``forward`` as it is: so ``def forward(self, x, mask)`` is as good as any. A
    method that gives ``Tensor | Any`` lets subclasses choose their results, too.
    """
    return method


#: Attributes without which a block cannot even be given a child: ``Block.__init__`` makes them.
_MADE_BY_INIT = {"_children", "_forward_hooks", "_forward_pre_hooks", "_params", "_prefix", "_reg_params", "_scope"}


class Block:
    """Base class of all layers and networks.

    Subclasses make their children and parameters in ``__init__`` and compute in ``forward``.

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
        """Prefix of all names in this block."""
        return self._prefix

    @property
    def name(self) -> str:
        """The prefix without its last underscore."""
        return self._name

    def name_scope(self) -> BlockScope:
        """Return the scope in which children are named after this block."""
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
                    f"Overriding Parameter attribute {name} is not allowed. If you want to share parameters by setting "
                    "`params` at Block construction time instead."
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
        lines = "\n".join(f"  ({key}): {_indent(child.__repr__())}" for key, child in children.items())
        return f"{type(self).__name__}(\n{lines}\n)"

    def _repr_html_(self) -> str:
        from ..seeing.glance import net_html

        return net_html(self)

    def register_child(self, block: Any, name: str | None = None) -> None:
        """Make a block a child; attributes that are blocks become children by themselves."""
        self._children[str(len(self._children)) if name is None else name] = block

    def apply(self, fn: Callable[[Any], Any]) -> Any:
        """Call a function on all descendants and on this block; return this block."""
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
            A regular expression that the names must match.
        """
        found = ParameterDict(self._params.prefix)
        if select is None:
            found.update(self.params)
        else:
            pattern = re.compile(select)
            found.update({n: p for n, p in self.params.items() if pattern.match(n)})
        for child in self._children.values():
            found.update(child.collect_params(select=select))
        return found

    def _parts(self) -> list[Any]:
        """Return this block, all its descendants, and the parameters of them all."""
        parts = {id(self): self, **{id(p): p for p in self.params.values()}}
        for child in self._children.values():
            parts.update((id(part), part) for part in child._parts())
        return list(parts.values())

    def _collect_params_with_prefix(self, prefix: str = "") -> dict[str, Parameter]:
        """Return the parameters by structural name: ``0.weight``, ``hidden.bias``."""
        if prefix:
            prefix += "."
        found = {prefix + key: value for key, value in self._reg_params.items()}
        for name, child in self._children.items():
            found.update(child._collect_params_with_prefix(prefix + name))
        return found

    def initialize(self, init: Any = None, ctx: Any = None, verbose: bool = False, force_reinit: bool = False) -> None:
        """Give all parameters their first values (as soon as their shapes are known).

        Parameters
        ----------
        init : Initializer or str, optional
            For parameters without one of their own; ``Uniform()`` by default.
        ctx : Context or list of Context, optional
            Where to put them.
        verbose : bool
            Print what is initialised.
        force_reinit : bool
            Also those that have values already.
        """
        from .. import initializer

        self.collect_params().initialize(initializer.Uniform() if init is None else init, ctx, verbose, force_reinit)

    def save_parameters(self, filename: str, deduplicate: bool = False) -> None:
        """Save the values of all parameters by structural name.

        Parameters
        ----------
        filename : str
            The file.
        deduplicate : bool
            Save a shared parameter once.
        """
        params = self._collect_params_with_prefix()
        if deduplicate:
            params = {n: p for p, n in {p: n for n, p in params.items()}.items()}
        nd.save(filename, {name: p._reduce() for name, p in params.items()})

    from .model_files import load, save

    def save_params(self, filename: str) -> None:
        """Save the values of all parameters (the name before MXNet 1.3)."""
        warnings.warn(
            "save_params is deprecated. Please use save_parameters. Note that if you want load from SymbolBlock later, "
            "please use export instead. For details, see https://mxnet.apache.org/tutorials/gluon/save_load_params.html",
            stacklevel=2,
        )
        self.collect_params().save(filename, strip_prefix=self.prefix)

    def load_parameters(
        self,
        filename: str,
        ctx: Any = None,
        allow_missing: bool = False,
        ignore_extra: bool = False,
        cast_dtype: bool = False,
        dtype_source: str = "current",
    ) -> None:
        """Load the values of all parameters.

        Parameters
        ----------
        filename : str
            A file of :meth:`save_parameters` (or of ``export`` and older versions, by full names).
        ctx : Context or list of Context, optional
            Where to put them.
        allow_missing, ignore_extra : bool
            Accept parameters that only the net, or only the file, has.
        cast_dtype : bool
            Accept other element types, and convert to the ``"current"`` or the ``"saved"`` one.
        dtype_source : str
            ``"current"`` or ``"saved"``.

        Raises
        ------
        MXNetError
            If the file is damaged. If a parameter is missing in it, or has another shape or element type, the
            error is an AssertionError, too; if it has a parameter that the net has not, a ValueError.
        """
        loaded = nd.load(filename)
        params = self._collect_params_with_prefix()
        if not loaded and not params:
            return
        if not isinstance(loaded, dict):
            raise UnexpectedNameError(f"{filename} holds arrays without names: it was not written by save_parameters")
        if not any("." in name for name in loaded):
            del loaded
            self.collect_params().load(
                filename, ctx, allow_missing, ignore_extra, self.prefix, cast_dtype=cast_dtype,
                dtype_source=dtype_source,
            )  # fmt: skip
            return
        if not allow_missing:
            by_parameter: dict[Any, set[str]] = {}
            for name, parameter in params.items():
                by_parameter.setdefault(parameter, set()).add(name)
            for name, parameter in params.items():
                if not any(other in loaded for other in by_parameter[parameter]):
                    raise MismatchError(
                        f"Parameter '{name}' is missing in file '{filename}', which contains parameters: "
                        f"{_brief(loaded)}. Set allow_missing=True to ignore missing parameters."
                    )
        if not ignore_extra:
            for name in loaded:
                if name not in params:
                    raise UnexpectedNameError(
                        f"Parameter '{name}' loaded from file '{filename}' is not present in ParameterDict, which "
                        f"contains parameters {_brief(self._params.keys())}. Set ignore_extra=True to ignore. "
                    )
        changes = []
        for name, value in loaded.items():
            if name in params:
                changes += params[name]._with_loaded(value, ctx, cast_dtype, dtype_source)
        commit(changes)

    def load_params(
        self, filename: str, ctx: Any = None, allow_missing: bool = False, ignore_extra: bool = False
    ) -> None:
        """Load the values of all parameters (the name before MXNet 1.3)."""
        warnings.warn("load_params is deprecated. Please use load_parameters.", stacklevel=2)
        self.load_parameters(filename, ctx, allow_missing, ignore_extra)

    def cast(self, dtype: Any) -> None:
        """Convert all parameters to another element type."""
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
        """Hybridize all children that can be."""
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
        """Run the hooks and ``forward``, or straight a program; an error says in which layer it happened.

        Not divided further, for every function here is one more for each level of a net within nets.
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
        """Compute the output. Subclasses override this.

        Raises
        ------
        NotImplementedError
            If they do not.
        """
        raise NotImplementedError

    def register_forward_pre_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Have ``hook(block, inputs)`` called before each forward; the handle's ``detach()`` ends it."""
        handle = HookHandle()
        handle.attach(self._forward_pre_hooks, hook)
        return handle

    def register_forward_hook(self, hook: Callable[..., Any]) -> HookHandle:
        """Have ``hook(block, inputs, outputs)`` called after each forward; ``detach()`` ends it."""
        handle = HookHandle()
        handle.attach(self._forward_hooks, hook)
        return handle

    def register_op_hook(self, callback: Callable[..., Any] | None, monitor_all: bool = False) -> None:
        """Have a function called with what every operator of the hybridized blocks in here computes.

        A hybridized block then runs its graph operator by operator, not as a program: to look at one value,
        :meth:`HybridBlock.peek` is quicker. A block that is not hybridized tells nothing.

        Parameters
        ----------
        callback : callable or None
            Given the name of the value and that of the operator, both as bytes, and the array. None takes the function
            away. While gradients are recorded, the backward pass tells of the gradients of inputs, too:
            ``<name>_backward_0`` is that of the first.
        monitor_all : bool
            Whether inputs are told of, too, before the operator that takes them.
        """
        for child in self._children.values():
            child.register_op_hook(callback, monitor_all)

    def summary(self, *inputs: Any) -> None:
        """Print a table of the layers that a call on these inputs passes, with shapes and sizes."""
        from .summary import print_summary

        print_summary(self, inputs)


def note_layer(error: BaseException, block: Block) -> None:
    """Keep one note on an error that says in which layer it happened, as a path from the outside in."""
    notes = getattr(error, "__notes__", [])
    label = f"{type(block).__name__} {block.name!r}"
    for i, note in enumerate(notes):
        if note.startswith("in layer "):
            notes[i] = f"in layer {label} > {note[len('in layer ') :]}"
            return
    error.add_note(f"in layer {label}")


def _indent(text: str, count: int = 2) -> str:
    first, *rest = text.split("\n")
    return "\n".join([first, *(" " * count + line for line in rest)])


def _brief(names: Any, limit: int = 7) -> str:
    names = list(names)
    if len(names) > limit:
        return f"{_brief(names[: limit // 2], limit)}, ..., {_brief(names[-limit // 2 :], limit)}"
    return ", ".join(f"'{n}'" for n in names)


if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__)


def _check_flavour(out: Any) -> None:
    """Raise if there is a classic array or symbol in nested lists, where all should be those of ``np``."""
    if isinstance(out, list | tuple):
        for part in out:
            _check_flavour(part)
    elif getattr(out, "_legacy", False):
        raise TypeError(
            "Block's output ndarrays/symbols must be of type `mxnet.numpy.ndarray` or `mxnet.symbol.numpy._Symbol`, "
            f"while got output type {type(out)}"
        )
