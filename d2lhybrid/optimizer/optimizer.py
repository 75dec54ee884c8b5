"""The base class of all optimizers: learning rates, weight decay, update counts, mixed precision, and the registry."""

from __future__ import annotations

import contextlib
import warnings
from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, ClassVar, TypeVar

import numpy

from ..error import MXNetError, ShapeError
from ..internals.core.infer import format_shape
from ..internals.core.invoke import wrap
from ..internals.device import array_modules
from ..internals.formats.literals import read_float
from ..internals.support import clock
from ..internals.support.display import Property, Shown, properties
from ..internals.support.suggestions import did_you_mean
from ..lr_scheduler import LRScheduler
from ..ndarray import NDArray
from ..ndarray.sparse import RowSparseNDArray
from ..util import is_np_array, names_of_the_package

__all__ = ["Optimizer", "create", "register", "zeros_for"]

#: Number of elements that an update processes at a time, so that intermediate results stay in the cache.
BLOCK = 32768


def zeros_for(weight: Any, shape: Sequence[int] | None = None, sparse: bool = False) -> Any:
    """Return an array of zeros with a weight's class, device, and element type.

    Parameters
    ----------
    weight : NDArray
        The weight.
    shape : sequence of int, optional
        The shape; by default, the shape of the weight.
    sparse : bool
        Whether the result for a sparse weight has the weight's sparse class. If False, the result is dense.

    Returns
    -------
    NDArray
        The zeros.
    """
    xp = array_modules.array_module(weight._ctx)
    size = weight.shape if shape is None else tuple(shape)
    kind = type(weight) if sparse or weight.stype == "default" else NDArray
    return wrap(kind, xp.zeros(size, weight._data.dtype), weight._ctx)


class Optimizer(Shown):
    """The base class of all optimizers.

    A subclass creates the states of a weight in :meth:`create_state` and updates raw arrays in :meth:`step`.
    Alternatively, the subclass overrides :meth:`update`, which updates NDArrays.

    Parameters
    ----------
    rescale_grad : float
        Factor by which all gradients are multiplied. A Trainer sets this factor to 1 / batch size.
    param_idx2name : dict of int to str, optional
        Names of the weights. A weight whose name ends neither in ``_weight`` nor in ``_gamma`` has no weight decay.
    wd : float
        Weight decay, which is the factor of an L2 penalty.
    clip_gradient : float, optional
        Bound to which elements of the rescaled gradient are clipped: ``[-clip_gradient, clip_gradient]``.
    learning_rate : float, optional
        The learning rate, or the initial learning rate of a schedule; 0.01 by default.
    lr_scheduler : LRScheduler, optional
        Schedule that computes the learning rate from the update count.
    sym : Symbol, optional
        A graph whose variables may have the attributes ``__lr_mult__`` and ``__wd_mult__``.
    begin_num_update : int
        The initial update count.
    multi_precision : bool
        Whether to keep a float32 master copy of each float16 weight.
    param_dict : dict of int to Parameter, optional
        Parameters by index. Their attributes ``lr_mult`` and ``wd_mult`` multiply the learning rate and ``wd``.

    Attributes
    ----------
    num_update : int
        The update count of the weight that was updated most often.

    Raises
    ------
    AssertionError
        If ``param_idx2name`` is not a dictionary.
    """

    num_update: int
    idx2name: dict[Any, str]
    param_dict: dict[Any, Any]

    opt_registry: ClassVar[dict[str, type[Optimizer]]] = {}

    #: Whether an element of the new weight depends only on the corresponding elements of the arrays.
    elementwise: ClassVar[bool] = True
    #: Whether a GPU may update all weights with one kernel, if the optimizer has a rule in ``update_rules``.
    fused: bool = True
    #: Whether all weights of a call are counted before any learning rate is computed.
    _counts_together: ClassVar[bool] = False
    _rates: dict[Any, tuple[float, ...]] | None = None
    #: Whether the master copy of a half-precision weight is updated row by row, too.
    lazy_in_half: ClassVar[bool] = True
    #: The index of the master copy in the state of a float16 weight.
    master_position: ClassVar[int] = 0
    #: Whether MXNet clips gradients with `nd.clip`, which accepts any bound, and not in the update operator.
    _clips_at_any_number: ClassVar[bool] = False
    #: The word before "optimizer" in a warning.
    _name_in_warning: ClassVar[str] = ""

    def __init__(
        self,
        rescale_grad: float = 1.0,
        param_idx2name: Mapping[Any, str] | None = None,
        wd: float = 0.0,
        clip_gradient: float | None = None,
        learning_rate: float | None = None,
        lr_scheduler: LRScheduler | None = None,
        sym: Any = None,
        begin_num_update: int = 0,
        multi_precision: bool = False,
        param_dict: Mapping[Any, Any] | None = None,
    ) -> None:
        self.rescale_grad = rescale_grad
        self.lr_scheduler = lr_scheduler
        if lr_scheduler is None:
            self.lr: Any = 0.01 if learning_rate is None else learning_rate
        else:
            self.lr = learning_rate
            if learning_rate is not None:
                if lr_scheduler.base_lr != learning_rate:
                    print("learning rate from ``lr_scheduler`` has been overwritten by ``learning_rate`` in optimizer.")
                lr_scheduler.base_lr = learning_rate
        self.wd = wd
        self.clip_gradient = clip_gradient
        self.multi_precision = multi_precision
        self.begin_num_update = self.num_update = begin_num_update
        self._all_index_update_counts: dict[int, dict[Any, int]] = {0: {}}
        self._index_update_count = self._all_index_update_counts[0]
        self.aggregate_num = 0
        self.allow_np_array: bool = is_np_array()
        if param_idx2name is None:
            param_idx2name = {}
        if not isinstance(param_idx2name, Mapping):
            raise AssertionError("param_idx2name should be a dict of param indexes to names.")
        self.idx2name = dict(param_idx2name)
        self.sym_info: tuple[Any, ...] = () if sym is None else (sym.attr_dict(), sym.list_arguments())
        self.param_dict = dict(param_dict) if param_dict else {}
        self.lr_mult: dict[Any, float] = {}
        self.wd_mult: dict[Any, float] = {}
        self.set_lr_mult({})
        self.set_wd_mult({})

    # --- registry ------------------------------------------------------------------------------

    @staticmethod
    def register(klass: type[Optimizer]) -> type[Optimizer]:
        """Register a class for :meth:`create_optimizer` under its name in lower case.

        Parameters
        ----------
        klass : type
            The class. If a class with the same name is registered, the function warns and replaces it.

        Returns
        -------
        type
            The class.
        """
        name = klass.__name__.lower()
        existing = Optimizer.opt_registry.get(name)
        if existing is not None:
            warnings.warn(
                f"WARNING: New optimizer {klass.__module__}.{klass.__name__} is overriding existing "
                f"optimizer {existing.__module__}.{existing.__name__}",
                stacklevel=3,
            )
        Optimizer.opt_registry[name] = klass
        return klass

    @staticmethod
    def create_optimizer(name: str, **kwargs: Any) -> Optimizer:
        """Create an optimizer by name.

        Parameters
        ----------
        name : str
            The name of the class, in upper or lower case.
        **kwargs : object
            Arguments of the class.

        Returns
        -------
        Optimizer
            The optimizer.

        Raises
        ------
        ValueError
            If there is no optimizer of that name.
        """
        try:
            klass = Optimizer.opt_registry[name.lower()]
        except KeyError:
            error = ValueError(f"Cannot find optimizer {name}")
            hint = did_you_mean(name.lower(), Optimizer.opt_registry)
            if hint:
                error.add_note(hint.strip())
            raise error from None
        return klass(**kwargs)

    # --- overridden by subclasses --------------------------------------------------------------

    def create_state(self, index: Any, weight: Any) -> Any:
        """Return the initial state of a weight. Subclasses override this method.

        Parameters
        ----------
        index : int or str
            The index of the weight.
        weight : NDArray
            The weight.

        Returns
        -------
        None, NDArray or tuple of NDArray
            The state; None if the optimizer keeps no state.
        """
        return None

    def step(self, xp: Any, weight: Any, grad: Any, states: tuple[Any, ...], lr: float, wd: float, t: int) -> None:
        """Update a weight and its states in place. Subclasses override this method.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        weight, grad : numpy.ndarray or cupy.ndarray
            The raw arrays of the weight and its gradient. If the class is ``elementwise``, a large weight is passed in
            chunks. The method must not change the gradient.
        states : tuple
            The raw arrays from :meth:`create_state`, always as a tuple. The tuple is empty if there is no state.
        lr, wd : float
            Learning rate and weight decay of the weight.
        t : int
            Update count of the weight, including this update.

        Raises
        ------
        NotImplementedError
            If the subclass does not override this method.
        """
        raise NotImplementedError

    # --- updates -------------------------------------------------------------------------------

    def update(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update a weight, or a list of weights, in place.

        Parameters
        ----------
        index : hashable or list
            The index of the weight.
        weight, grad : NDArray or list of NDArray
            The weight and its gradient.
        state : object or list
            The state from :meth:`create_state`.

        Raises
        ------
        ShapeError
            If the weight and the gradient have different shapes.
        """
        if isinstance(index, list | tuple):
            with self._counted_together(index):
                for i, w, g, s in zip(index, weight, grad, state, strict=True):
                    self.update(i, w, g, s)
            return
        assert isinstance(weight, NDArray)
        assert isinstance(grad, NDArray)
        if weight.shape != grad.shape:
            raise ShapeError(
                "Check failed: assign(&dattr, vec.at(i)): Incompatible attr in node  at 1-th input: "
                f"expected {format_shape(weight.shape)}, got {format_shape(grad.shape)}"
            )
        lr, wd = self._counted(index)
        clock.note_write(_written(weight, state))
        self._apply(weight, grad, state, lr, wd, self._index_update_count.get(index, 0))
        clock.note_write(_written(weight, state))

    @contextlib.contextmanager
    def _counted_together(self, *groups: Sequence[Any]) -> Iterator[None]:
        """Count the updates of all weights before the first update, if this optimizer requires it.

        The learning rate of a schedule depends on the largest count. Counting first gives all weights of the group the
        same rate, even if some weights were updated less often than others.

        Parameters
        ----------
        *groups : sequence
            Indices of weights.
        """
        if not self._counts_together or self._rates is not None:
            yield
            return
        rates: dict[Any, tuple[float, ...]] = {}
        for group in groups:
            rates.update(self._rates_of(group))
        self._rates = rates
        try:
            yield
        finally:
            del self._rates  # saved states lack this attribute

    def _rates_of(self, group: Sequence[Any]) -> dict[Any, tuple[float, ...]]:
        """Count an update of each weight, and return each weight's learning rate and weight decay."""
        self._update_count(group)
        return {i: (float(self._get_lr(i)), float(self._get_wd(i))) for i in group}

    def _counted(self, index: Any) -> tuple[float, float]:
        """Return the learning rate and the weight decay of a weight, and count the update if it is not counted yet."""
        lr, wd, *_ = self._rates_for(index)
        return lr, wd

    def _rates_for(self, index: Any) -> tuple[float, ...]:
        rates = self._rates
        if rates is None or index not in rates:
            rates = self._rates_of([index])
        return rates[index]

    def _apply(self, weight: Any, grad: Any, state: Any, lr: float, wd: float, t: int) -> None:
        """Call :meth:`step` with the raw arrays.

        Pass large arrays in chunks, and of a row-sparse gradient only the stored rows.
        """
        lazy = isinstance(grad, RowSparseNDArray) and self._is_lazy(weight, state)
        if isinstance(weight, RowSparseNDArray):
            weight._places = None  # zeros are not stored unless the update is lazy
        arrays = [weight, grad, *(_as_tuple(state) if lazy else self._states_in_use(state))]
        raws: list[Any] = [None if a is None else a._data for a in arrays]
        if lazy:
            self._apply_to_rows(grad._stored(), weight._ctx, raws, lr, wd, t)
            for array in (weight, *arrays[2:]):
                if isinstance(array, RowSparseNDArray):
                    array._places = numpy.arange(len(array))  # as in MXNet, including zeros
            return
        if not raws[0].ndim:  # operations on a 0-d array return scalars, which have no memory
            raws = [None if a is None else a.reshape(1) for a in raws]
        size = raws[0].size
        if self.elementwise and size > BLOCK and all(_is_plain(a, size) for a in raws):
            flat = [None if a is None else a.reshape(-1) for a in raws]
            for start in range(0, size, BLOCK):
                w, g, *states = [None if a is None else a[start : start + BLOCK] for a in flat]
                self.step(numpy, w, g, tuple(states), lr, wd, t)
        else:
            self.step(array_modules.array_module(weight._ctx), raws[0], raws[1], tuple(raws[2:]), lr, wd, t)

    def _states_in_use(self, state: Any) -> tuple[Any, ...]:
        """Return the arrays of a state from :meth:`create_state` that the next step changes."""
        return _as_tuple(state)

    def _is_lazy(self, weight: Any, state: Any) -> bool:
        """Return whether a row-sparse gradient updates only the rows that it stores."""
        return getattr(self, "lazy_update", False)

    def _apply_to_rows(self, rows: Any, ctx: Any, raws: list[Any], lr: float, wd: float, t: int) -> None:
        """Call :meth:`step` with some rows of the arrays. All other rows keep their values and states."""
        xp = array_modules.array_module(ctx)
        rows = xp.asarray(rows)
        selected = [None if a is None else a[rows] for a in raws]
        self.step(xp, selected[0], selected[1], tuple(selected[2:]), lr, wd, t)
        for whole, part in zip(raws, selected, strict=True):
            if whole is not None and whole is not raws[1]:
                whole[rows] = part

    def create_state_multi_precision(self, index: Any, weight: Any) -> Any:
        """Return the initial state of a weight, with a master copy of a float16 weight if ``multi_precision`` is True.

        Parameters
        ----------
        index : int or str
            The index of the weight.
        weight : NDArray
            The weight.

        Returns
        -------
        None, NDArray or tuple
            The state from :meth:`create_state`, or a tuple of this state and the float32 copy.
        """
        if weight._data.dtype != numpy.float16:
            return self.create_state(index, weight)
        if not self.multi_precision:
            warnings.warn(
                "Accumulating with float16 in optimizer can lead to poor accuracy or slow convergence. "
                f"Consider using multi_precision=True option of the {self._name_in_warning}optimizer",
                stacklevel=2,
            )
            return self.create_state(index, weight)
        master = weight.astype("float32")
        pair = [self.create_state(index, master)]
        pair.insert(self.master_position, master)
        return tuple(pair)

    def update_multi_precision(self, index: Any, weight: Any, grad: Any, state: Any) -> None:
        """Update a weight, or a list of weights, with states from :meth:`create_state_multi_precision`.

        Parameters
        ----------
        index, weight, grad, state
            Arguments of :meth:`update`.
        """
        if isinstance(index, list | tuple):
            with self._counted_together(index):
                for i, w, g, s in zip(index, weight, grad, state, strict=True):
                    self.update_multi_precision(i, w, g, s)
        elif self.multi_precision and weight._data.dtype == numpy.float16:
            master, own = state[self.master_position], state[1 - self.master_position]
            full = grad.astype("float32")
            self.update(index, master, full if self.lazy_in_half else full.tostype("default"), own)
            clock.note_write([weight._data])
            weight._data[...] = master._data
            clock.note_write([weight._data])
        else:
            self.update(index, weight, grad, state)

    @property
    def _clipping(self) -> float | None:
        """The bound to which gradients are clipped, or None for no clipping.

        Without ``_clips_at_any_number``, 0, negative numbers, and NaN also disable clipping.
        """
        clip = self.clip_gradient
        if clip is None or clip > 0:
            return clip
        return clip if self._clips_at_any_number and clip == clip else None

    def scaled(self, xp: Any, grad: Any, factor: float = 1.0) -> Any:
        """Return the rescaled and clipped gradient, multiplied by a factor, as a new array.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        grad : numpy.ndarray or cupy.ndarray
            The gradient.
        factor : float
            The factor.

        Returns
        -------
        numpy.ndarray or cupy.ndarray
            The scaled gradient.
        """
        clip = self._clipping
        if clip is None:
            return grad * (self.rescale_grad * factor)
        grad = grad * self.rescale_grad
        xp.clip(grad, -clip, clip, out=grad)
        if factor != 1.0:
            grad *= factor
        return grad

    def decayed(self, xp: Any, grad: Any, weight: Any, wd: float) -> Any:
        """Return ``rescale_grad * grad + wd * weight`` as a new array, clipped if ``clip_gradient`` is set.

        Parameters
        ----------
        xp : module
            NumPy or CuPy.
        grad, weight : numpy.ndarray or cupy.ndarray
            The gradient and the weight.
        wd : float
            The weight decay.

        Returns
        -------
        numpy.ndarray or cupy.ndarray
            The sum.
        """
        grad = grad * self.rescale_grad
        if wd:
            grad += wd * weight
        if (clip := self._clipping) is not None:
            xp.clip(grad, -clip, clip, out=grad)
        return grad

    def operator_settings(self) -> dict[str, Any]:
        """Return the gradient's rescaling and clipping as attributes of an update operator.

        Returns
        -------
        dict of str to float
            The attributes ``rescale_grad`` and ``clip_gradient``, which is -1 without clipping.
        """
        clip = self._clipping
        return {"rescale_grad": self.rescale_grad, "clip_gradient": -1.0 if clip is None else clip}

    # --- learning rate and weight decay --------------------------------------------------------

    def _shown(self) -> Iterator[Property]:
        unsaid = ("param_dict", "param_idx2name", "sym", "begin_num_update")
        return (p for p in properties(self, learning_rate="lr") if p.name not in unsaid)

    @property
    def learning_rate(self) -> Any:
        """The current learning rate, before the multiplier of each weight is applied."""
        return self.lr if self.lr_scheduler is None else self.lr_scheduler(self.num_update)

    def set_learning_rate(self, lr: float) -> None:
        """Set the learning rate.

        Parameters
        ----------
        lr : float
            New learning rate.

        Raises
        ------
        UserWarning
            If the optimizer has a schedule.
        """
        if self.lr_scheduler is not None:
            raise UserWarning(
                "LRScheduler of the optimizer has already been defined. Note that set_learning_rate can "
                "mutate the value of the learning rate of the optimizer only when the LRScheduler of the "
                "optimizer is undefined."
            )
        self.lr = lr

    def set_lr_scale(self, args_lrscale: Any) -> None:
        """Raise an error, because :meth:`set_lr_mult` replaces this method.

        Parameters
        ----------
        args_lrscale : object
            Ignored.

        Raises
        ------
        DeprecationWarning
            Always.
        """
        raise DeprecationWarning

    def set_lr_mult(self, args_lr_mult: Mapping[Any, float]) -> None:
        """Set multipliers for the learning rate, by index or name of the weight.

        Parameters
        ----------
        args_lr_mult : dict of (int or str) to float
            The multipliers. A weight without a multiplier here or in the graph has the multiplier 1.
        """
        self.lr_mult = {**self._factors_in_graph("__lr_mult__"), **args_lr_mult}

    def set_wd_mult(self, args_wd_mult: Mapping[Any, float]) -> None:
        """Set multipliers for the weight decay, by index or name of the weight.

        Parameters
        ----------
        args_wd_mult : dict of (int or str) to float
            The multipliers. The default is 0 for named weights that end neither in ``_weight`` nor in ``_gamma``, and 1
            for other weights.
        """
        undecayed = {n: 0.0 for n in self.idx2name.values() if not n.endswith(("_weight", "_gamma"))}
        self.wd_mult = {**undecayed, **self._factors_in_graph("__wd_mult__"), **args_wd_mult}

    def _factors_in_graph(self, key: str) -> dict[Any, float]:
        if not self.sym_info:
            return {}
        attributes, names = self.sym_info
        factors = {}
        for name in names:
            if key in attributes.get(name, {}):
                try:
                    factors[name] = read_float(str(attributes[name][key]))
                except ValueError as reason:
                    raise MXNetError(f"Invalid attribute {key} of {name!r}: {reason}") from None
        return factors

    def _get_lr(self, index: Any) -> float:
        return self.learning_rate * self._factor(index, "lr_mult", self.lr_mult)

    def _get_wd(self, index: Any) -> float:
        return self.wd * self._factor(index, "wd_mult", self.wd_mult)

    def _factor(self, index: Any, attribute: str, factors: Mapping[Any, float]) -> float:
        if index in self.param_dict:
            return getattr(self.param_dict[index], attribute)
        if not factors:
            return 1.0
        return factors.get(index, factors.get(self.idx2name.get(index), 1.0))

    def _get_lrs(self, indices: Sequence[Any]) -> list[float]:
        return [self._get_lr(i) for i in indices]

    def _get_wds(self, indices: Sequence[Any]) -> list[float]:
        return [self._get_wd(i) for i in indices]

    # --- counting ------------------------------------------------------------------------------

    def _set_current_context(self, device_id: int) -> None:
        """Select the update counts of a device. Each device has its own counts, because it updates its own copies."""
        self._index_update_count = self._all_index_update_counts.setdefault(device_id, {})

    def _update_count(self, index: Any) -> None:
        counts = self._index_update_count
        for i in index if isinstance(index, list | tuple) else (index,):
            counts[i] = counts.get(i, self.begin_num_update) + 1
            self.num_update = max(counts[i], self.num_update)

    def __getstate__(self) -> dict[str, Any]:
        state = self.__dict__.copy()
        del state["param_dict"]  # Parameters are part of the program, not of saved states
        return state

    def __setstate__(self, state: dict[str, Any]) -> None:
        self.__dict__.update(state)
        self.param_dict = {}


def _written(weight: Any, state: Any) -> Iterator[Any]:
    """Yield the raw arrays that an update modifies."""
    for array in (weight, *(state if isinstance(state, tuple | list) else [state])):
        if array is not None:
            yield array._data


def _as_tuple(state: Any) -> tuple[Any, ...]:
    """Return a state as a tuple, whether it is None, an array, or a tuple."""
    return () if state is None else tuple(state) if isinstance(state, tuple | list) else (state,)


def _is_plain(raw: Any, size: int) -> bool:
    """Return whether a raw array is absent, or is a NumPy array of this size that can be flattened without a copy."""
    return raw is None or (type(raw) is numpy.ndarray and raw.size == size and raw.flags.c_contiguous)


Class = TypeVar("Class", bound=type[Optimizer])


def register(klass: Class) -> Class:
    """Register an optimizer class for :func:`create` under its name in lower case.

    Parameters
    ----------
    klass : type
        The class.

    Returns
    -------
    type
        The class.
    """
    Optimizer.register(klass)
    return klass


create: Callable[..., Optimizer] = Optimizer.create_optimizer


if not TYPE_CHECKING:
    __getattr__ = names_of_the_package(__name__)
