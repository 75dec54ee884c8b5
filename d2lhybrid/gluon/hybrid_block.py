"""The block that runs eagerly, or is traced once and compiled.

The effect of a call ``net(x)`` depends on whether the net is hybridized:

* Before ``hybridize()``, every call runs ``hybrid_forward`` with ``F`` = :mod:`d2lhybrid.ndarray`.
* After ``hybridize()``, the first call runs ``hybrid_forward`` once with ``F`` = :mod:`d2lhybrid.symbol`, and compiles
  the traced graph. The first call and all later calls run the compiled program.
"""

from __future__ import annotations

import functools
import time
import warnings
from collections.abc import Iterator, Sequence
from typing import TYPE_CHECKING, Any, overload

from .. import ndarray as nd
from .. import symbol as sym
from ..context import Context
from ..error import DeferredInitializationError
from ..executor.output_storage import OutputStorage
from ..internals.core import tape
from ..internals.core.backends import get_backend
from ..internals.core.cached_op import CachedOp, CallForm
from ..internals.core.history import Event
from ..internals.support import events
from ..internals.support.clock import Arrays
from ..internals.support.commit import all_or_nothing
from ..internals.support.locks import building
from ..internals.support.notes import with_note
from ..internals.support.places import calling, note_call, remember_lines
from ..internals.support.scopes import collecting_later
from ..ndarray.ndarray import NDArray
from ..ndarray.numpy._array import ndarray as np_ndarray
from ..ndarray.sparse_arrays import give_storage
from ..symbol.symbol import Symbol
from ..util import np_arrays, warn_user
from .block import Block, flatten, group_outputs, overridable, regroup
from .dialect import numpy_dialect
from .failed_trace import explain_failure, explain_shapes
from .parameter import Parameter
from .parameter_dict import ParameterDict
from .peek import Peek, TracedCall

if TYPE_CHECKING:
    from ..typing import FunctionSpace, Tensor
    from .calls import A, HybridForward, Unsaid

__all__ = ["HybridBlock", "operators"]


def operators(F: Any) -> Any:
    """Return the object on which a layer calls operators, for the ``F`` of its ``hybrid_forward``.

    Parameters
    ----------
    F : module
        ``mx.nd`` or ``mx.sym``.

    Returns
    -------
    module or object
        ``F`` itself, or, with ``mx.np`` arrays, an object that maps the operators of ``F`` to functions for these
        arrays.
    """
    return numpy_dialect(F) if np_arrays.np else F


class HybridBlock(Block):
    """The base class of layers and networks that can be hybridized.

    Subclasses override ``hybrid_forward(self, F, x, ..., **parameters)``. The same code runs with arrays and with
    symbols.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> from d2lhybrid.gluon import nn
    >>> class Twice(nn.HybridBlock):
    ...     def hybrid_forward(self, F, x):
    ...         print("x is", type(x).__name__)
    ...         return x * 2
    >>> net = Twice()
    >>> y = net(nd.ones((2,)))
    x is NDArray
    >>> net.hybridize()
    >>> y = net(nd.ones((2,)))
    x is Symbol
    """

    #: The observer of intermediate values within ``with net.peek()``.
    _peek: Peek | None = None
    #: The hook that receives the results of operators.
    _op_hook: Any = None
    #: The blocks that the trace went through.
    _block_calls: Sequence[TracedCall] = ()
    #: The reasons why the graph was dropped since the last trace.
    _dropped_for: tuple[str, ...] = ()

    if not TYPE_CHECKING:  # type checkers use the method of Block
        from .op_hook import register_op_hook
    from .views import explain, export, graph, peek, programs

    def __init__(self, prefix: str | None = None, params: Any = None) -> None:
        super().__init__(prefix=prefix, params=params)
        self._cached_graph: tuple[list[Any], Any] | None = None
        self._cached_op: CachedOp | None = None
        self._in_format: Any = None
        self._out_format: Any = None
        self._in_legacy: bool | None = None
        self._active = False
        self._flags: dict[str, Any] = {}
        self._history: list[Event] = []  # traces and compilations, not calls

    def __setattr__(self, name: str, value: Any) -> None:
        super().__setattr__(name, value)
        if isinstance(value, HybridBlock):
            self._clear_cached_op()

    def register_child(self, block: Any, name: str | None = None) -> None:
        """Register a block as a child.

        Parameters
        ----------
        block : HybridBlock
            The child.
        name : str, optional
            Name of the child in this block; the child's index by default.

        Raises
        ------
        ValueError
            If the child is not a HybridBlock and therefore cannot be part of a graph.
        """
        if not isinstance(block, HybridBlock):
            raise ValueError(
                f"Children of HybridBlock must also be HybridBlock, but {block!s} has type {type(block)}. If you are "
                "using Sequential, please try HybridSequential instead."
            )
        change = "changed" if name in self._children else "added"
        super().register_child(block, name)
        self._drop_graph(f"the child {next(reversed(self._children)) if name is None else name} was {change}")

    def hybridize(
        self,
        active: bool = True,
        backend: Any = None,
        clear: bool = True,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Choose whether each call runs ``hybrid_forward`` or a compiled program.

        This method drops the traced graph and the programs but traces nothing. The next call traces the block.

        Parameters
        ----------
        active : bool
            Whether calls run a compiled program. If False, calls run ``hybrid_forward``.
        backend : str, optional
            The compiler backend: ``"numpy"``, ``"c"``, ``"onednn"``, or ``"onnxruntime"``; see
            :mod:`d2lhybrid.internals.compiler.backends`. By default, the NumPy backend compiles the first program.
            If the net is called often, the best installed backend replaces the NumPy backend
            (:mod:`d2lhybrid.internals.compiler.tiers`). A backend that is named here is never replaced.
        static_alloc : bool
            Whether to keep the program's memory between calls, in an arena that is allocated once. Outputs are new
            arrays in each call.
        static_shape : bool
            Whether to also keep the views of the arena; requires ``static_alloc``.
        clear, inline_limit, forward_bulk_size, backward_bulk_size, **kwargs
            Options of MXNet's engine, which have no effect here.

        Raises
        ------
        MXNetError
            If there is no backend of that name, or if the backend cannot run on this machine.
        """
        # Check the backend first, so that an error leaves the block unchanged.
        in_c = backend is not None and get_backend(backend).updates_in_c
        flags = {"static_alloc": static_alloc, "static_shape": static_shape, "backend": backend, **kwargs}
        self._drop_graph("hybridize() was called", _active=active, _flags=flags)
        for parameter in self._reg_params.values():
            parameter._in_c = active and in_c
        if active and (self._forward_hooks or self._forward_pre_hooks):
            warnings.warn(
                f'"{self}" is being hybridized while still having forward hook/pre-hook. If "{self}" is a child of '
                "HybridBlock, the hooks will not take effect.",
                stacklevel=2,
            )
        super().hybridize(
            active, backend=backend, static_alloc=static_alloc, static_shape=static_shape, inline_limit=inline_limit,
            forward_bulk_size=forward_bulk_size, backward_bulk_size=backward_bulk_size, **kwargs,
        )  # fmt: skip

    def optimize_for(
        self,
        x: Any,
        *args: Any,
        backend: Any = None,
        clear: bool = False,
        static_alloc: bool = False,
        static_shape: bool = False,
        inline_limit: int = 2,
        forward_bulk_size: int | None = None,
        backward_bulk_size: int | None = None,
        **kwargs: Any,
    ) -> None:
        """Hybridize the block, and call it once to compile the program.

        Parameters
        ----------
        x, *args : NDArray
            Inputs with the shapes and element types to compile for.
        backend : str
            The compiler backend. The block drops existing programs, because they may have been compiled with other
            options.
        clear, static_alloc, static_shape, inline_limit, forward_bulk_size, backward_bulk_size, **kwargs
            Options of :meth:`hybridize`.

        Raises
        ------
        ValueError
            If no backend is named.
        """
        if not backend:
            raise ValueError('Must specify "backend" to optimize_for')
        self.hybridize(
            True,
            backend,
            clear,
            static_alloc,
            static_shape,
            inline_limit,
            forward_bulk_size,
            backward_bulk_size,
            **kwargs,
        )
        self(x, *args)

    def cast(self, dtype: Any) -> None:
        """Convert all parameters to another element type. The next call of a hybridized block traces the block again.

        Parameters
        ----------
        dtype : str or type
            The new element type.
        """
        self._drop_graph(f"cast({getattr(dtype, '__name__', dtype)!s}) was called")
        super().cast(dtype)

    def _drop_graph(self, reason: str, **values: Any) -> None:
        """Discard the graph and the programs, set attributes, and record why the next call retraces."""
        with building:
            if self.__dict__.get("_cached_graph") is not None and reason not in self._dropped_for:
                values["_dropped_for"] = (*self._dropped_for, reason)
            self._clear_cached_op(**values)

    def _clear_cached_op(self, **values: Any) -> None:
        with building:  # a trace in another thread must not store its graph afterwards
            own = vars(self)
            replaced = own.copy()  # freed last: finalizers see no half-made change
            own.update({"_cached_graph": None, "_cached_op": None, "_fast_call": None, **values})  # in one step
            del replaced

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy or a pickle, without the graph and the programs."""
        state = {**self.__dict__, "_cached_graph": None, "_cached_op": None, "_history": []}
        for name in ("_fast_call", "_peek", "_block_calls", "_dropped_for"):
            state.pop(name, None)
        return state

    # --- running ---------------------------------------------------------------------------------

    if TYPE_CHECKING:

        @overload
        def __call__(self: HybridForward[Unsaid], x: A, /, *args: Any, **kwargs: Any) -> A | Any: ...
        @overload
        def __call__(self: HybridForward[Tensor], x: A, /, *args: Any, **kwargs: Any) -> A: ...
        @overload
        def __call__(self: HybridForward[tuple[Tensor, Tensor]], x: A, /, *args: Any, **kwargs: Any) -> tuple[A, A]: ...
        @overload
        def __call__(  # pyright: ignore[reportOverlappingOverload]
            self: HybridForward[tuple[Tensor, list[Tensor]]], x: A, /, *args: Any, **kwargs: Any
        ) -> tuple[A, list[A]]: ...
        @overload
        def __call__(self: HybridForward[tuple[Tensor, ...]], x: A, /, *args: Any, **kwargs: Any) -> tuple[A, ...]: ...
        @overload
        def __call__(self: HybridForward[Sequence[Tensor]], x: A, /, *args: Any, **kwargs: Any) -> Sequence[A]: ...
        @overload
        def __call__(self, *args: Any, **kwargs: Any) -> Any: ...
        def __call__(self, *args: Any, **kwargs: Any) -> Any:  # pyright: ignore[reportIncompatibleMethodOverride]
            """Run ``forward``, or run the compiled program directly."""

    @overridable
    def forward(self, x: Any, *args: Any) -> Any:
        """Run ``hybrid_forward``, or the program that was compiled from it.

        Parameters
        ----------
        x, *args : NDArray, Symbol, None, or nested list of these
            The inputs. Arrays run ``hybrid_forward`` eagerly, or the program if the block is hybridized. Symbols add
            the block's operators to a graph.

        Returns
        -------
        NDArray, Symbol, or nested list of these
            The outputs.

        Raises
        ------
        ValueError
            If the input contains neither an array nor a symbol, or contains both.
        """
        if args or not isinstance(x, NDArray | Symbol):
            _refuse_mixture((x, *args))
        if isinstance(x, NDArray):
            if self._active:
                return self._call_cached_op(x, *args)
            return self._run_eagerly(x._ctx, x, *args)
        if isinstance(x, Symbol):
            return self._run_symbolically(x, *args)
        first = _first_value((x, *args))
        if first is None:
            raise ValueError(
                "In HybridBlock, there must be one NDArray or one Symbol in the input. Please check the type of the "
                "args.\n"
            )
        if isinstance(first, Symbol):
            return self._run_symbolically(x, *args)
        return self._call_cached_op(x, *args) if self._active else self._run_eagerly(first._ctx, x, *args)

    if TYPE_CHECKING:
        # For type checkers, which use this signature for a block's own method with these parameters.
        @overridable
        def hybrid_forward(self, F: FunctionSpace, x: Tensor) -> Any:
            """Compute the output with the functions of ``F``. Subclasses override this method."""

    else:

        def hybrid_forward(self, F: Any, x: Any, *args: Any, **kwargs: Any) -> Any:
            """Compute the output with the functions of ``F``. Subclasses override this method.

            Parameters
            ----------
            F : module
                ``mx.nd`` or ``mx.sym``.
            x, *args : NDArray or Symbol
                The inputs.
            **kwargs : NDArray or Symbol
                The block's own parameters, by attribute name.

            Raises
            ------
            NotImplementedError
                If the subclass does not override this method.
            """
            raise NotImplementedError

    def _run_eagerly(self, ctx: Any, *args: Any) -> Any:
        try:
            params = {name: p.data(ctx) for name, p in self._reg_params.items()}
        except DeferredInitializationError:
            self._finish_deferred(self.params, *args)
            params = {name: p.data(ctx) for name, p in self._reg_params.items()}
        if ctx is Context.switches.context:
            return self.hybrid_forward(nd, *args, **params)
        with ctx:
            return self.hybrid_forward(nd, *args, **params)

    def _run_symbolically(self, *args: Any) -> Any:
        params = {name: p.var() for name, p in self._reg_params.items()}
        with self.name_scope(), calling(self):
            out = self.hybrid_forward(sym, *args, **params)
        note_call(self, args, out)
        if events.block_called:
            events.block_called.tell(self, args, out)
        return out

    # --- tracing ---------------------------------------------------------------------------------

    def _get_graph(self, *args: Any) -> tuple[list[Any], Any]:
        """Return the data variables and the output of the traced graph. Trace the block if there is no graph yet."""
        graph = self._cached_graph
        if graph is not None:
            return graph
        with building:
            graph = self._cached_graph  # another thread may have traced in the meantime
            return self._trace(*args) if graph is None else graph

    def _trace(self, *args: Any) -> tuple[list[Any], Any]:
        flat, structure = flatten(args, "input")
        real = [i for i, a in enumerate(flat) if a is not None]
        names = ["data"] if len(real) == 1 else [f"data{i}" for i in range(len(real))]
        variables: list[Any] = [None] * len(flat)
        for i, name in zip(real, names, strict=True):
            variable = sym.var(name)
            variables[i] = (
                variable if getattr(flat[i], "_legacy", True) and not np_arrays.np else variable.as_np_ndarray()
            )
        params = {name: p.var() for name, p in self._reg_params.items()}
        calls: list[TracedCall] = []
        start = time.perf_counter()
        try:
            with self.name_scope(), remember_lines(calls), calling(self):
                out = self.hybrid_forward(sym, *regroup(variables, structure), **params)
            grouped, out_format = group_outputs(out)
        except Exception as error:
            explain_failure(error, type(self).hybrid_forward)
            raise
        event = self._trace_event(time.perf_counter() - start)
        graph = (variables, grouped)
        vars(self).update(  # atomically
            _in_format=structure, _out_format=out_format, _in_legacy=variables[real[0]]._legacy, _cached_graph=graph,
            _block_calls=calls, _dropped_for=(),
        )  # fmt: skip
        self._history.append(event)
        return graph

    def _trace_event(self, seconds: float) -> Event:
        again = any(event.kind in ("trace", "retrace") for event in self._history)
        reasons = self._dropped_for or ("the graph was dropped" if again else "first call",)
        if not self._active:
            reasons = (*reasons, "shapes of parameters had to be inferred")
        return Event("retrace" if again else "trace", reasons, seconds)

    def _build_cache(self, *args: Any) -> CachedOp:
        with building:
            cached = self._cached_op  # another thread may have built it in the meantime
            return collecting_later(self._make_cached_op, *args) if cached is None else cached

    def _make_cached_op(self, *args: Any) -> CachedOp:
        variables, out = self._get_graph(*args)
        by_name = self._parameters_by_name()
        data_names = {v.name: i for i, v in enumerate(variables) if v is not None}
        used = dict.fromkeys(out.list_inputs())  # a dict, because lookups in a list would take quadratic time
        ignored = ", ".join(f"{i}-th" for name, i in data_names.items() if name not in used)
        if ignored:
            warn_user(f"The {ignored} input to HybridBlock is not used by any computation. Is this intended?")
        unused = [name for name in by_name if name not in used]
        if unused:
            warn_user(f"Parameter {', '.join(unused)} is not used by any computation. Is this intended?")
        data = [n for n in used if n in data_names]
        own = [n for n in used if n not in data_names]
        for name in own:
            if name not in by_name:
                raise RuntimeError(f"Unknown input to HybridBlock: {name}")
        positions, structure = [data_names[n] for n in data], self._in_format
        single, casts = (
            structure == [0] and positions == [0],
            any(n.op and n.op.name == "cast_storage" for n in out._nodes()),
        )
        storage = casts, functools.cache(functools.partial(OutputStorage, out._entries, data + own))
        form = CallForm(structure, self._out_format, positions, [by_name[n] for n in own], single, storage)
        cached = CachedOp(out, data + own, len(data), self._flags, self._history, form)
        self._cached_op = cached
        return cached

    def _call_cached_op(self, *args: Any) -> Any:
        cached = self._cached_op
        if cached is None:
            cached = self._build_cache(*args)
        form, generation = cached.form, Arrays.generation  # read before the arrays; see FastCall
        if form.single_input and len(args) == 1 and isinstance(args[0], NDArray):
            data = [args[0]]
        else:
            flat, structure = flatten(args, "input")
            if structure != form.inputs and _without_end(structure) != _without_end(form.inputs):
                error = ValueError(  # MXNet swaps the two formats
                    "The argument structure of HybridBlock does not match the cached version. "
                    f"Stored format = {structure}, input format = {form.inputs}"
                )
                raise with_note(
                    error,
                    "MXNet's message swaps the two formats: the arguments of this call have the structure "
                    f"{structure}, but those of the traced call had {form.inputs}, where 0 is an array, and -1 is "
                    "None. Pass the same arguments as in the traced call, or call hybridize() before this call to "
                    "retrace the block.",
                )
            _check_contexts(flat)
            data = [flat[i] for i in form.data]
        first = args[0] if isinstance(args[0], NDArray) else _first_value(args)
        ctx = first._ctx
        kind = type(first)
        if cached._legacy is not first._legacy:
            if self._in_legacy is not first._legacy:
                self._refuse_flavour(cached)
            kind = NDArray if cached._legacy else np_ndarray
        try:
            arrays = data + [p.data(ctx) for p in form.parameters]
        except DeferredInitializationError:
            self._finish_deferred(self.collect_params(), *args)
            generation = Arrays.generation
            arrays = data + [p.data(ctx) for p in form.parameters]
        casts, storage = form.storage
        sparse = cached._legacy and (casts or any(type(a) is not NDArray for a in data)) and storage().matters(data)
        if sparse:
            kind = NDArray
        if self._peek is not None:
            outputs = self._peek.run(cached, arrays, kind, ctx)
        elif self._op_hook is not None:
            outputs = self._op_hook.run(cached, arrays, kind, ctx)
        else:
            outputs = cached(arrays, kind, ctx)
        if sparse:
            for output, stored in zip(outputs, storage().of(arrays), strict=True):
                give_storage(output, *stored)
        elif (
            kind is type(first)
            and self._peek is self._op_hook is None
            and form.single_input
            and form.outputs == 0
            and not tape.state.recording
        ):
            self._remember_call(cached, arrays, ctx, generation)
        return outputs[0] if form.outputs == 0 else regroup(outputs, form.outputs)

    def _remember_call(self, cached: CachedOp, arrays: list[Any], ctx: Any, generation: object) -> None:
        if any(type(p).data is not Parameter.data for p in cached.form.parameters):
            return  # a user-defined parameter may return another array in every call
        raws = [a._data for a in arrays]
        program = cached.program_for(raws, ctx)
        if program is not None:
            cached.fast_call.prime(arrays[0], raws[1:], program, tape.state.training, generation)
            if self._fast_call is None:
                with building:  # another thread may have dropped the graph since the call began
                    if self._cached_op is cached:
                        self._fast_call = cached.fast_call

    def _signature_of(self, *args: Any) -> tuple[Any, list[Any], Any]:
        """Return the cache key of ``_call_cached_op`` for these arguments, with the arrays and the context."""
        cached = self._cached_op
        assert cached is not None
        flat, _ = flatten(args, "input")
        ctx = _first_value(args)._ctx
        arrays = [flat[i] for i in cached.form.data] + [p.data(ctx) for p in cached.form.parameters]
        return cached.signature(arrays, ctx), arrays, ctx

    def _refuse_flavour(self, cached: CachedOp) -> None:
        """Raise the error of the graph's first operator, if it has one, for an array of the wrong dialect."""
        node = next((n for n in cached.symbol._nodes() if n.op is not None), None)
        if node is None:
            return
        name = next((n for n in node.op.names if n.startswith("_np") is not cached._legacy), node.op.name)
        if cached._legacy:
            from ..internals.frontends.legacy_operators import legacy_operator_error

            raise legacy_operator_error(node.op, name)
        from ..internals.frontends.numpy_dialect import numpy_operator_error

        raise numpy_operator_error(name)

    def _finish_deferred(self, params: ParameterDict, *args: Any) -> None:
        """Infer the shapes of deferred parameters, and initialize either all parameters of a dictionary or none."""
        with building:
            if not any(p._deferred_init for p in params.values()):
                return  # another thread has initialized them
            with all_or_nothing(*self.collect_params().values()):
                self._deferred_infer_shape(*args)
                for parameter in params.values():
                    parameter._finish_deferred_init()

    def _deferred_infer_shape(self, *args: Any) -> None:
        try:
            self.infer_shape(*args)
        except Exception as error:
            failure = ValueError(f"Deferred initialization failed because shape cannot be inferred. {error}")
            for note in getattr(error, "__notes__", []):
                failure.add_note(note)
            if self._cached_graph is not None:  # without a graph, tracing failed; don't trace again
                _, out = self._cached_graph
                explain_shapes(failure, [node.op for node in out._nodes() if node.op is not None])
            raise failure from error

    def _infer_attrs(self, infer: str, attribute: str, *args: Any) -> None:
        variables, out = self._get_graph(*args)
        flat, _ = flatten(args, "input")
        known_values = {v.name: getattr(a, attribute) for v, a in zip(variables, flat, strict=True) if a is not None}
        used = set(out.list_inputs())
        known_values = {n: value for n, value in known_values.items() if n in used}
        with warnings.catch_warnings(record=True) as caught:
            warnings.simplefilter("always")
            inferred = getattr(out, infer)(**known_values)
        if inferred[0] is None:
            raise ValueError(
                str(caught[0].message) if caught else f"the {attribute}s of the parameters cannot be inferred"
            )
        by_name = dict(zip(out.list_arguments(), inferred[0], strict=True))
        by_name.update(zip(out.list_auxiliary_states(), inferred[2], strict=True))
        for parameter in self.collect_params().values():
            setattr(parameter, attribute, by_name[parameter.name])

    def infer_shape(self, *args: Any) -> None:
        """Infer the shapes of all parameters from the shapes of the inputs.

        Parameters
        ----------
        *args : NDArray or nested list of NDArray
            The inputs.
        """
        self._infer_attrs("infer_shape", "shape", *args)

    def infer_type(self, *args: Any) -> None:
        """Infer the element types of all parameters from the element types of the inputs.

        Parameters
        ----------
        *args : NDArray or nested list of NDArray
            The inputs.
        """
        self._infer_attrs("infer_type", "dtype", *args)


def _first_value(args: Any) -> Any:
    """Return the first array or symbol in nested lists, or None if there is none."""
    for arg in args:
        if isinstance(arg, NDArray | Symbol):
            return arg
        if isinstance(arg, list | tuple):
            value = _first_value(arg)
            if value is not None:
                return value
    return None


def _refuse_mixture(args: Sequence[Any]) -> None:
    """Raise a ValueError if nested lists contain both arrays and symbols."""
    kinds = set(_kinds(args))
    if len(kinds) > 1:
        raise ValueError(
            "In HybridBlock, we do not support mixed NDArrays and Symbols types for the input. Please check the type "
            "of the args.\n"
        )


def _kinds(args: Sequence[Any]) -> Iterator[type]:
    for arg in args:
        if isinstance(arg, NDArray | Symbol):
            yield NDArray if isinstance(arg, NDArray) else Symbol
        elif isinstance(arg, list | tuple):
            yield from _kinds(arg)


def _without_end(structure: list[Any]) -> list[Any]:
    """Return the structure of arguments without trailing None entries, which a call may omit."""
    count = len(structure)
    while count and structure[count - 1] == -1:
        count -= 1
    return structure[:count]


def _check_contexts(flat: list[Any]) -> None:
    contexts = {a._ctx for a in flat if a is not None}
    if len(contexts) > 1:
        raise ValueError(
            "Find multiple contexts in the input, After hybridized, the HybridBlock only supports one input context. "
            "You can print the ele.ctx in the input arguments to inspect their contexts. "
            f"Find all contexts = {contexts}"
        )
