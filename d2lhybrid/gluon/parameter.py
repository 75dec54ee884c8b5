"""Parameters: arrays of a network, which training changes.

A :class:`Parameter` has a name, a shape (perhaps with unknown sizes), and an initializer, and holds one array on each
device. If the shape is unknown, the first forward pass initializes the parameter.
"""

from __future__ import annotations

import warnings
from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy

from .. import autograd, initializer, symbol
from ..context import Context, cpu, current_context
from ..error import DeferredInitializationError, MismatchError
from ..internals.core import tape
from ..internals.core.invoke import prepare_write, wrap
from ..internals.device import array_modules
from ..internals.support.commit import Change, commit, new_generation, put, write
from ..internals.support.locks import building
from ..ndarray import NDArray
from ..ndarray.sparse import RowSparseNDArray
from ..util import is_np_array, is_np_shape, names_of_the_package, np_arrays
from .utils import shape_is_known

__all__ = ["DeferredInitializationError", "Parameter", "tensor_types"]

#: The types of a block's arguments.
tensor_types: tuple[type[symbol.Symbol], type[NDArray]] = (symbol.Symbol, NDArray)

_STORAGE_TYPES = ("default", "row_sparse", "csr")


class _Values(list[Any]):
    """The arrays of a parameter, in a list whose items other libraries may replace: ``parameter._data[0] = sample``."""

    def __setitem__(self, index: Any, array: Any) -> None:
        super().__setitem__(index, array)
        commit(new_generation())  # cached calls hold the old array


class Parameter:
    """A named array that a block computes with, stored once on each device.

    Parameters
    ----------
    name : str
        Full name, unique in a network.
    grad_req : str
        ``"write"`` if each backward pass overwrites the gradient, ``"add"`` if it adds to the gradient, or ``"null"``
        for no gradient.
    shape : int or tuple of int, optional
        Shape. Unknown sizes are 0, or -1 with NumPy shapes.
    dtype : str or numpy dtype
        Element type.
    lr_mult, wd_mult : float
        Multipliers for this parameter's learning rate and weight decay.
    init : Initializer or str, optional
        Initializer of the parameter; by default the initializer that is passed to the block's ``initialize``.
    allow_deferred_init : bool
        Whether ``initialize`` accepts an unknown shape and defers the initialization.
    differentiable : bool
        Whether the parameter has a gradient. With False, ``grad_req`` is always ``"null"``.
    stype, grad_stype : {"default", "row_sparse", "csr"}
        Storage types of the values and of the gradient. ``grad_stype`` determines the class of the gradient, and
        ``stype`` determines which method returns the values. The memory is always dense.

    Raises
    ------
    AssertionError
        If a storage type is unknown.

    Examples
    --------
    >>> from d2lhybrid import init
    >>> weight = Parameter("weight", shape=(1, 2))
    >>> weight.initialize(init.One())
    >>> weight.data()
    <BLANKLINE>
    [[1. 1.]]
    <NDArray 1x2 @cpu(0)>
    """

    #: Whether a C function may update the parameter: True if its block was hybridized with a backend that compiles C.
    _in_c = False

    def __init__(
        self,
        name: str,
        grad_req: str = "write",
        shape: Any = None,
        dtype: Any = numpy.float32,
        lr_mult: float = 1.0,
        wd_mult: float = 1.0,
        init: Any = None,
        allow_deferred_init: bool = False,
        differentiable: bool = True,
        stype: str = "default",
        grad_stype: str = "default",
    ) -> None:
        self.name = name
        self._data: list[Any] | None = None
        self._grad: list[Any] | None = None
        self._ctx_list: list[Context] = []
        # For a single array: [list of arrays, context object of its device]. data() checks it first.
        self._single: list[Any] | None = None
        self._single_ctx: Context | None = None
        self._deferred_init: tuple[Any, ...] = ()
        self._var: Any = None
        self._trainer: Any = None
        self._differentiable = differentiable
        self._allow_deferred_init = allow_deferred_init
        self._shape: tuple[int, ...] | None = (shape,) if isinstance(shape, int) else _as_tuple(shape)
        self._dtype = dtype
        self._grad_req = "null"
        self.grad_req = grad_req
        self.lr_mult = lr_mult
        self.wd_mult = wd_mult
        self.init = init
        for kind, value in (("stype", stype), ("grad_stype", grad_stype)):
            if value not in _STORAGE_TYPES:
                raise AssertionError(
                    f"{kind} for Parameter '{name}' must be one of 'default', 'row_sparse', or 'csr', but got '{value}'"
                )
        self._stype, self._grad_stype = stype, grad_stype

    def __repr__(self) -> str:
        return f"{type(self).__name__} {self.name} (shape={self.shape}, dtype={self.dtype})"

    # --- settings ------------------------------------------------------------------------------

    @property
    def grad_req(self) -> str:
        """The gradient request: ``"write"``, ``"add"``, or ``"null"`` for no gradient."""
        return self._grad_req

    @grad_req.setter
    def grad_req(self, req: str) -> None:
        if req not in ("write", "add", "null"):
            raise AssertionError(f"grad_req must be one of 'write', 'add', or 'null', but got '{req}'")
        if not self._differentiable:
            req = "null"
        if req == self._grad_req:
            return
        changes = put(self, _grad_req=req)
        if self._data is not None:
            changes += self._with_gradients(self._data, req)
        commit(changes)

    @property
    def dtype(self) -> Any:
        """The element type, in the form that was passed to the constructor or to :meth:`cast`."""
        return self._dtype

    @dtype.setter
    def dtype(self, dtype: Any) -> None:
        self.cast(dtype)

    @property
    def shape(self) -> tuple[int, ...] | Any:
        """The shape, or None while the number of axes is unknown. Unknown sizes are 0, or -1 with NumPy shapes."""
        if self._shape is None or not is_np_shape():
            return self._shape
        return tuple(n or -1 for n in self._shape)

    @shape.setter
    def shape(self, new_shape: Sequence[int]) -> None:
        self._shape = self._agreed_shape(new_shape)

    def _agreed_shape(self, new_shape: Sequence[int]) -> tuple[int, ...] | None:
        """Return a shape merged with the known sizes of the parameter's shape."""
        old = self._shape
        if old is not None and (
            len(old) != len(new_shape) or any(o not in (0, -1, n) for o, n in zip(old, new_shape, strict=True))
        ):
            raise AssertionError(f"Expected shape {new_shape} is incompatible with given shape {self.shape}.")
        return _as_tuple(new_shape)

    def __getstate__(self) -> dict[str, Any]:
        """Return the state for a copy or a pickle, without the trainer."""
        return {**self.__dict__, "_trainer": None}

    def __setstate__(self, state: dict[str, Any]) -> None:
        """Restore the state, and attach the gradients, which copies of arrays do not have."""
        self.__dict__.update(state)
        if self._data is not None and self._grad is not None:
            autograd.mark_variables(self._data, self._grad, [self._grad_req] * len(self._data))

    def _set_trainer(self, trainer: Any) -> None:
        if self._stype != "default" and self._trainer and trainer and self._trainer is not trainer:
            raise RuntimeError(
                f"Failed to set the trainer for Parameter '{self.name}' because it was already set. "
                "More than one trainers for a sparse Parameter is not supported."
            )
        self._trainer = trainer

    # --- the arrays ----------------------------------------------------------------------------

    def data(self, ctx: Context | None = None) -> NDArray:
        """Return the parameter's array on a device.

        Parameters
        ----------
        ctx : Context, optional
            The device; by default the parameter's only device, or the current device if the parameter is on several.

        Returns
        -------
        NDArray
            The array.

        Raises
        ------
        RuntimeError
            If the parameter is not initialized, has no array on this device, or has sparse storage.
        DeferredInitializationError
            If initialization is deferred to the first forward pass.
        """
        single = self._single
        if single is not None and single is self._data and (ctx is None or ctx is self._single_ctx):
            return single[0]
        if self._stype != "default":
            raise RuntimeError(
                f"Cannot return a copy of Parameter '{self.name}' on ctx {ctx} via data() because its "
                "storage "
                f"type is {self._stype}. Please use row_sparse_data() instead."
            )
        array = self._find("_data", ctx)
        if single is not None and ctx is not None:
            self._single_ctx = ctx
        return array

    def list_data(self) -> list[NDArray]:
        """Return the arrays on all devices, in the order of :meth:`list_ctx`.

        Returns
        -------
        list of NDArray
            The arrays.

        Raises
        ------
        RuntimeError
            If the parameter is not initialized or its storage is sparse.
        DeferredInitializationError
            If initialization is deferred to the first forward pass.
        """
        if self._stype != "default":
            raise RuntimeError(
                f"Cannot return copies of Parameter '{self.name}' on all contexts via list_data() because "
                "its "
                f"storage type is {self._stype}. Please use row_sparse_data() instead."
            )
        return list(self._present("_data"))

    def row_sparse_data(self, row_id: Any) -> NDArray:
        """Return the array on the device of ``row_id``, for a parameter with row-sparse storage.

        The memory is dense, so the result contains all rows, not only the rows in ``row_id``.

        Parameters
        ----------
        row_id : NDArray
            Indices of the rows.

        Returns
        -------
        NDArray
            The array.

        Raises
        ------
        RuntimeError
            If the storage is not row-sparse, or if the parameter has no array on the device.
        """
        if self._stype != "row_sparse":
            raise RuntimeError(
                f"Cannot return a copy of Parameter {self.name} via row_sparse_data() because its storage "
                "type "
                f"is {self._stype}. Please use data() instead."
            )
        return self._find("_data", row_id.context)

    def list_row_sparse_data(self, row_id: Any) -> list[NDArray]:
        """Return the arrays on all devices, for a parameter with row-sparse storage.

        Parameters
        ----------
        row_id : NDArray
            Indices of the rows.

        Returns
        -------
        list of NDArray
            The arrays.
        """
        self.row_sparse_data(row_id)
        return list(self._present("_data"))

    def grad(self, ctx: Context | None = None) -> NDArray:
        """Return the gradient array on a device.

        Parameters
        ----------
        ctx : Context, optional
            The device; by default the parameter's only device, or the current device if the parameter is on several.

        Returns
        -------
        NDArray
            The gradient array.

        Raises
        ------
        RuntimeError
            If ``grad_req`` is ``"null"``, or if the parameter is not initialized or has no array on this device.
        """
        self._check_has_grad()
        return self._find("_grad", ctx)

    def list_grad(self) -> list[NDArray]:
        """Return the gradient arrays on all devices."""
        self._check_has_grad()
        return list(self._present("_grad"))

    def list_ctx(self) -> list[Context]:
        """Return the devices on which the parameter is initialized or will be initialized.

        Returns
        -------
        list of Context
            The devices.

        Raises
        ------
        RuntimeError
            If :meth:`initialize` has not been called.
        """
        waiting = self._deferred_init
        if self._data is None:  # checked last, because another thread may be initializing it
            if waiting:
                return waiting[1]
            raise RuntimeError(f"Parameter '{self.name}' has not been initialized")
        return self._ctx_list

    def _check_has_grad(self) -> None:
        if self._data is not None and self._grad is None:
            raise RuntimeError(f"Cannot get gradient array for Parameter '{self.name}' because grad_req='null'")

    def _present(self, name: str) -> list[Any]:
        arrays = getattr(self, name)
        if arrays is None and self._deferred_init:
            raise DeferredInitializationError(
                f"Parameter '{self.name}' has not been initialized yet because initialization was deferred. "
                "Actual initialization happens during the first forward pass. Please pass one batch of data "
                "through the network before accessing Parameters. You can also avoid deferred initialization "
                "by "
                "specifying in_units, num_features, etc., for network layers."
            )
        arrays = getattr(self, name)  # another thread may have initialized it after the check
        if arrays is not None:
            return arrays
        raise RuntimeError(
            f"Parameter '{self.name}' has not been initialized. Note that you should initialize parameters "
            "and "
            "create Trainer with Block.collect_params() instead of Block.params because the later does not "
            "include Parameters of nested child Blocks"
        )

    # --- extension points for other libraries ----------------------------------------------------

    def _check_and_get(self, arr_list: Any, ctx: Any) -> Any:
        """Return the array of values or gradients on a device, or all arrays if the device is ``list``."""
        name = "_grad" if arr_list is not None and arr_list is self._grad else "_data"
        return self._present(name) if ctx is list else self._find(name, ctx)

    @property
    def _ctx_map(self) -> list[list[int | None]] | None:
        """The indices of the arrays, by device number, for devices with even and with odd type codes."""
        if self._data is None:
            return None
        found: list[list[int | None]] = [[], []]
        for i, ctx in enumerate(self._ctx_list):
            numbers = found[ctx.device_typeid & 1]
            numbers += [None] * (ctx.device_id + 1 - len(numbers))
            numbers[ctx.device_id] = i
        return found

    @_ctx_map.setter
    def _ctx_map(self, found: Any) -> None:
        """Copy the device settings of another parameter."""

    def _find(self, name: str, ctx: Context | None) -> Any:
        """Return the array on a device. All types of CPU memory are the same device."""
        arrays = self._present(name)
        if ctx is None:
            if len(arrays) == 1:
                return arrays[0]
            ctx = current_context()
        on_gpu = ctx.device_typeid == 2
        for one in arrays:
            context = one._ctx
            if context.device_id == ctx.device_id and (context.device_typeid == 2) is on_gpu:
                return one
        raise RuntimeError(
            f"Parameter '{self.name}' was not initialized on context {ctx}. It was only initialized on "
            f"{self._ctx_list}."
        )

    # --- initialization ------------------------------------------------------------------------

    def initialize(
        self,
        init: Any = None,
        ctx: Context | Sequence[Context] | None = None,
        default_init: Any = None,
        force_reinit: bool = False,
    ) -> None:
        """Create and initialize the arrays, or defer the initialization until the shape is known.

        Parameters
        ----------
        init : Initializer or str, optional
            Initializer; by default the parameter's own ``init``, or ``default_init`` if the parameter has none.
        ctx : Context or list of Context, optional
            The devices; by default the current device.
        default_init : Initializer or str, optional
            Initializer for a parameter that has no ``init``; by default ``Uniform()``, which draws from -0.07 to 0.07.
        force_reinit : bool
            Whether to reinitialize a parameter that is already initialized.

        Raises
        ------
        ValueError
            If the shape is unknown and the parameter does not allow deferred initialization.
        """
        if self._data is not None and not force_reinit:
            warnings.warn(
                f"Parameter '{self.name}' is already initialized, ignoring. Set force_reinit=True to re-initialize.",
                stacklevel=2,
            )
            return
        default_init = initializer.Uniform() if default_init is None else default_init
        if init is None:
            init = default_init if self.init is None else self.init
        waiting = (init, _as_contexts(ctx), default_init, None)
        if not shape_is_known(self.shape):
            if not self._allow_deferred_init:
                raise ValueError(
                    f"Cannot initialize Parameter '{self.name}' because it has invalid shape: {self.shape}."
                )
            nothing = dict.fromkeys(("_data", "_grad", "_single", "_single_ctx"))
            commit([*put(self, _deferred_init=waiting, **nothing), *new_generation()])
            return
        with building:
            self._fill(waiting)

    def _finish_deferred_init(self) -> None:
        """Initialize the parameter if its initialization is deferred. The shape must be known."""
        with building:
            if not self._deferred_init:
                return
            if not shape_is_known(self.shape):
                raise AssertionError(
                    f"Cannot initialize Parameter '{self.name}' because it has invalid shape: {self.shape}. "
                    "Please specify in_units, in_channels, etc for `Block`s."
                )
            self._fill(self._deferred_init)

    def _fill(self, waiting: tuple[Any, ...]) -> None:
        """Create the arrays that :meth:`initialize` has deferred."""
        init, contexts, default_init, value = waiting
        with autograd.pause():
            value = self._initial_value(init, default_init) if value is None else value
            commit(self._with_value(value, contexts))

    def _initial_value(self, init: Any, default_init: Any) -> Any:
        """Return the initial value, on the CPU."""
        assert self._shape is not None
        value = wrap(NDArray, numpy.zeros(self._shape, numpy.dtype(self.dtype or "float32")), cpu())
        value = value.as_np_ndarray() if is_np_array() else value
        description = initializer.InitDesc(self.name, {"__init__": init})
        initializer.create(default_init)(description, value)
        return value

    # Each of these methods returns changes without making them; `commit` makes them.

    def _with_value(self, value: Any, contexts: Sequence[Context]) -> list[Change]:
        """Return the changes that put copies of a value on devices in new arrays."""
        value = value.as_np_ndarray() if is_np_array() else value.as_nd_ndarray()
        contexts = list(contexts)
        return self._with_arrays([value.copyto(ctx) for ctx in contexts], contexts)

    def _with_arrays(self, arrays: list[Any], contexts: list[Context]) -> list[Change]:
        """Return the changes that make arrays the values of the parameter."""
        only = len(arrays) == 1 and self._stype == "default"
        arrays = _Values(arrays)
        return [
            *put(self, _data=arrays, _ctx_list=contexts, _deferred_init=()),
            *put(self, _single=arrays if only else None, _single_ctx=contexts[0] if only else None),
            *self._with_gradients(arrays, self._grad_req),
        ]

    def _with_gradients(self, arrays: list[Any], req: str) -> list[Change]:
        """Return the changes that create the requested gradient arrays and attach them to the tape."""
        changes = new_generation()
        if req == "null":
            return [*changes, *put(self, _grad=None), *(c for one in arrays for c in put(one, _tape=None))]
        grads = [_zeros_like(one) for one in arrays]
        if self._grad_stype == "row_sparse":
            grads = [wrap(RowSparseNDArray, grad._data, grad._ctx) for grad in grads]
        for one, grad in zip(arrays, grads, strict=True):
            changes += put(one, _tape=(tape.Variable(grad, req), 0))
        return [*changes, *put(self, _grad=grads)]

    # --- changes -------------------------------------------------------------------------------

    def set_data(self, data: Any) -> None:
        """Set the parameter's value on all devices. A deferred initialization uses this value.

        Parameters
        ----------
        data : NDArray
            The new value.

        Raises
        ------
        AssertionError
            If the value's shape does not match the parameter's, or if the parameter was never initialized.
        """
        shape = self._agreed_shape(data.shape)
        if self._data is None:
            if not self._deferred_init:
                raise AssertionError(f"Parameter '{self.name}' has not been initialized")
            commit(put(self, _shape=shape, _deferred_init=(*self._deferred_init[:3], data)))
            return
        self._shape = shape
        for one in self._data:
            one[...] = data

    def zero_grad(self) -> None:
        """Set the gradients to zero."""
        for one in self._grad or ():
            array_modules.use(one._ctx)
            one._data[...] = 0
            if one.stype != "default":
                one._places = None  # a zero gradient stores no rows

    def reset_ctx(self, ctx: Context | Sequence[Context] | None) -> None:
        """Move the parameter to other devices. The new value is the mean of the values on the old devices.

        Parameters
        ----------
        ctx : Context or list of Context, optional
            The devices; by default, the current device.

        Raises
        ------
        ValueError
            If the parameter was never initialized.
        """
        contexts = _as_contexts(ctx)
        if self._data is not None:
            with autograd.pause():
                commit(self._with_value(self._reduce(), contexts))
        elif self._deferred_init:
            init, _, default_init, value = self._deferred_init
            self._deferred_init = (init, contexts, default_init, value)
        else:
            raise ValueError(f"Cannot reset context for Parameter '{self.name}' because it has not been initialized.")

    def cast(self, dtype: Any) -> None:
        """Change the element type. Values are converted, and gradients are reset to zero.

        Parameters
        ----------
        dtype : str or type
            The new element type.
        """
        changes = put(self, _dtype=dtype)
        if self._data is not None:
            with autograd.pause():
                changes += self._with_arrays([one.astype(dtype) for one in self._data], self._ctx_list)
        commit(changes)

    def _reduce(self) -> Any:
        """Return the mean of the values on all devices as an array on the CPU."""
        arrays = self._present("_data")
        with autograd.pause():
            total = arrays[0].copyto(cpu())
            for one in arrays[1:]:
                total += one.as_in_context(cpu())
            return total / len(arrays) if len(arrays) > 1 else total

    def _load_init(self, data: Any, ctx: Any, cast_dtype: bool = False, dtype_source: str = "current") -> None:
        """Load a value from a file, and initialize the parameter if it is not initialized yet."""
        commit(self._with_loaded(data, ctx, cast_dtype, dtype_source))

    def _with_loaded(
        self, data: Any, ctx: Any, cast_dtype: bool = False, dtype_source: str = "current"
    ) -> list[Change]:
        """Return the changes that load a value from a file and initialize the parameter if it is not initialized yet.

        Parameters
        ----------
        data : NDArray
            The value.
        ctx : Context or list of Context or None
            The devices of a parameter that has no devices yet.
        cast_dtype : bool
            Whether to allow another element type in the file.
        dtype_source : str
            The element type to use if the types differ: ``"current"`` or ``"saved"``.
        """
        if cast_dtype and dtype_source not in ("current", "saved"):
            raise AssertionError(f"dtype_source must be 'current' or 'saved', but got '{dtype_source}'")
        failure = f"Failed loading Parameter '{self.name}' from saved params: "
        changes, old, recast = [], self._shape, False
        if old is not None:
            if len(old) != len(data.shape) or any(o not in (0, -1, n) for o, n in zip(old, data.shape, strict=True)):
                raise MismatchError(f"{failure}shape incompatible expected {self.shape} vs saved {data.shape}")
            changes += put(self, _shape=tuple(data.shape))
        if self.dtype is not None and numpy.dtype(self.dtype) != numpy.dtype(data.dtype):
            if not cast_dtype:
                raise MismatchError(
                    f"{failure}dtype incompatible expected {self.dtype} vs saved {data.dtype}. "
                    "Set cast_dtype=True to cast the dtype of saved params."
                )
            if dtype_source == "current":
                data = data.astype(self.dtype)
            else:
                recast = True
                changes += put(self, _dtype=data.dtype)
        contexts = self._contexts_to_load(ctx)
        if self._data is None or recast:
            with autograd.pause():
                return [*changes, *self._with_value(data, contexts)]
        for one in self._data:
            prepare_write(one)
            changes.append(_write(one, data._data))
        return [*changes, *put(self, _deferred_init=())]

    def _contexts_to_load(self, ctx: Any) -> list[Context]:
        """Return the parameter's devices, or the requested devices if the parameter has none yet."""
        contexts = None if ctx is None else _as_contexts(ctx)
        if self._data is None and not self._deferred_init:
            return contexts or [cpu()]
        present = self.list_ctx()
        if contexts is not None and set(contexts) != set(present):
            raise AssertionError(
                f"Failed to load Parameter '{self.name}' on {contexts} because it was previous initialized "
                f"on {present}."
            )
        return present

    # --- graphs --------------------------------------------------------------------------------

    def var(self) -> symbol.Symbol:
        """Return the symbol that represents this parameter in graphs. All calls return the same object.

        The symbol gets the parameter's attributes at the time of the first call.
        """
        if self._var is None:
            var = symbol.var(
                self.name, shape=self.shape, dtype=self.dtype, lr_mult=self.lr_mult, wd_mult=self.wd_mult,
                init=self.init, stype=self._stype,
            )  # fmt: skip
            self._var = var.as_np_ndarray() if np_arrays.np else var
        elif (type(self._var) is symbol.Symbol) is np_arrays.np:
            return self._var.as_np_ndarray() if np_arrays.np else self._var.as_nd_ndarray()
        return self._var


def _write(array: Any, raw: Any) -> Change:
    """Return the change that writes a raw array into an NDArray."""
    if array._ctx.device_typeid != 2:
        return write(array._data, array_modules.asnumpy(raw))
    return (_write_on_a_gpu, array._ctx, array._data, array_modules.to_context(raw, array._ctx))


def _write_on_a_gpu(ctx: Context, target: Any, value: Any) -> None:
    array_modules.use(ctx)
    target[...] = value


def _zeros_like(array: Any) -> Any:
    return wrap(type(array), array_modules.module_of(array._data).zeros_like(array._data), array._ctx)


def _as_tuple(shape: Any) -> tuple[int, ...] | None:
    return None if shape is None else tuple(shape)


def _as_contexts(ctx: Any) -> list[Context]:
    if ctx is None:
        return [current_context()]
    return [ctx] if isinstance(ctx, Context) else list(ctx)


if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__)
