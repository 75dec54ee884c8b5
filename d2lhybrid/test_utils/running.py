"""Functions that run symbols, nets, and optimizers in several modes, to compare results or to measure time."""

from __future__ import annotations

import copy
import time
import traceback
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from .. import autograd, random
from ..context import Context
from ..initializer import Initializer
from ..ndarray.ndarray import NDArray, array, waitall
from ..symbol import Symbol
from ..util import use_np
from .comparing import assert_almost_equal, compare_ndarray_tuple
from .making import rand_ndarray
from .surroundings import default_context
from .tolerances import Tolerance, get_tols

__all__ = ["check_consistency", "check_gluon_hybridize_consistency", "check_speed", "compare_optimizer"]


def check_speed(
    sym: Symbol,
    location: dict[str, Any] | None = None,
    ctx: Context | None = None,
    N: int = 20,
    grad_req: Any = None,
    typ: str = "whole",
    **kwargs: Any,
) -> float:
    """Return the mean time of several runs of a symbol, after a warm-up run.

    Parameters
    ----------
    sym : Symbol
        The symbol.
    location : dict of str to numpy.ndarray, optional
        Values of the arguments; random values by default.
    ctx : Context, optional
        Device to compute on; the default context by default.
    N : int
        Number of runs.
    grad_req : str, or list or dict of str, optional
        Gradient requests.
    typ : {'whole', 'forward'}
        Whether to run the forward and the backward pass, or only the forward pass.
    **kwargs
        Shapes of the arguments, if ``location`` is None.

    Returns
    -------
    float
        The mean time of a run, in seconds.

    Raises
    ------
    AssertionError
        If ``location`` is neither None nor a dict.
    ValueError
        If ``typ`` is unknown.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> check_speed(sym.exp(sym.var("x")), x=(2, 3), N=2) > 0
    True
    """
    ctx = default_context() if ctx is None else ctx
    if location is None:
        shapes = kwargs
    else:
        assert isinstance(location, dict), f'Expect dict, get "location"={location}'
        shapes = {name: value.shape for name, value in location.items()}
    executor = sym.simple_bind(ctx=ctx, grad_req="write" if grad_req is None else grad_req, **shapes)
    if location is None:
        location = {name: numpy.random.normal(size=place.shape) for name, place in executor.arg_dict.items()}
    for name, value in location.items():
        place = executor.arg_dict[name]
        place[:] = value.astype(place.dtype)
    if typ not in ("whole", "forward"):
        raise ValueError('typ can only be "whole" or "forward".')

    def once() -> None:
        executor.forward(is_train=typ == "whole")
        if typ == "whole":
            executor.backward(out_grads=executor.outputs)

    once()
    waitall()
    began = time.time()
    for _ in range(N):
        once()
    waitall()
    return (time.time() - began) / N


# --- a symbol on several devices and in several types ------------------------------------------------------


def _less_precise(one: Any, other: Any) -> numpy.dtype:
    one, other = numpy.dtype(one), numpy.dtype(other)
    return one if one.itemsize < other.itemsize else other


def _compare_all(
    told: str, names: Sequence[str], arrays: Sequence[Any], truth: dict[str, Any], tolerances: Callable[..., Any],
    raise_on_err: bool, equal_nan: bool,
) -> None:  # fmt: skip
    for name, found in zip(names, arrays, strict=True):
        wanted = truth[name]
        if wanted is None:
            assert found is None
            continue
        rtol, atol = tolerances(found, wanted)
        try:
            assert_almost_equal(found, wanted, rtol, atol, equal_nan=equal_nan)
        except AssertionError as error:
            print(told.format(name=name, found=found, wanted=wanted))
            traceback.print_exc()
            if raise_on_err:
                raise
            print(error)


def check_consistency(
    sym: Any,
    ctx_list: Sequence[dict[str, Any]],
    scale: float = 1.0,
    grad_req: Any = "write",
    arg_params: dict[str, Any] | None = None,
    aux_params: dict[str, Any] | None = None,
    rtol: Tolerance = None,
    atol: Tolerance = None,
    raise_on_err: bool = True,
    ground_truth: dict[str, Any] | None = None,
    equal_nan: bool = False,
    use_uniform: bool = False,
    rand_type: Any = numpy.float64,
) -> dict[str, Any]:
    """Raise an AssertionError unless a symbol's results and gradients agree on several devices and in several types.

    Parameters
    ----------
    sym : Symbol, or list of Symbol
        The symbol, or a list with a symbol for each configuration.
    ctx_list : list of dict
        Configurations: ``ctx``, ``type_dict``, and the shapes of the arguments, as ``simple_bind`` accepts them.
    scale : float
        Scale of the random values: the standard deviation of normal values, or about the bound of uniform values.
    grad_req : str, or list or dict of str
        Gradient requests.
    arg_params, aux_params : dict of str to numpy.ndarray, optional
        Values of arguments and auxiliary states; by default, random values and zeros.
    rtol, atol : float or dict, optional
        Arguments of :func:`assert_almost_equal`.
    raise_on_err : bool
        Whether to raise an error for a difference instead of only printing it.
    ground_truth : dict of str to array, optional
        The expected results; by default, the results of the configuration with the most precise type.
    equal_nan : bool
        Whether NaN equals NaN.
    use_uniform : bool
        Whether random values are uniformly distributed.
    rand_type : dtype
        Element type to which random values are rounded.

    Returns
    -------
    dict of str to NDArray
        The expected results.

    Examples
    --------
    >>> from d2lhybrid import sym
    >>> ways = [{"ctx": default_context(), "x": (2, 3), "type_dict": {"x": name}} for name in ("float32", "float64")]
    >>> sorted(check_consistency(sym.exp(sym.var("x"), name="y"), ways))
    ['x', 'y_output']
    """
    assert len(ctx_list) > 1
    symbols = [sym] * len(ctx_list) if isinstance(sym, Symbol) else sym
    assert len(symbols) == len(ctx_list)
    outputs, arguments = symbols[0].list_outputs(), symbols[0].list_arguments()
    executors = []
    for symbol, way in zip(symbols, ctx_list, strict=True):
        assert symbol.list_arguments() == arguments
        assert symbol.list_outputs() == outputs
        executors.append(symbol.simple_bind(grad_req=grad_req, **way))

    arg_params, aux_params = ({} if given is None else given for given in (arg_params, aux_params))
    for name, place in sorted(executors[0].arg_dict.items()):
        if name not in arg_params:
            if use_uniform:
                values = numpy.random.uniform(-0.92 * scale, 0.92 * scale, place.shape)
            else:
                values = numpy.random.normal(size=place.shape, scale=scale)
            arg_params[name] = values.astype(rand_type)
    for name in executors[0].aux_dict:
        aux_params.setdefault(name, 0)
    for executor in executors:
        for name, place in executor.arg_dict.items():
            place[:] = arg_params[name]
        for name, place in executor.aux_dict.items():
            place[:] = aux_params[name]
        if grad_req == "add":
            for place in executor.grad_arrays:
                place[:] = 0

    for executor in executors:
        executor.forward(is_train=False)
    types = [numpy.dtype(executor.outputs[0].dtype) for executor in executors]
    best = max(range(len(types)), key=lambda i: (types[i].itemsize, -i))
    others = [(i, executor) for i, executor in enumerate(executors) if i != best]
    truth = ground_truth
    if truth is None:
        truth = executors[best].output_dict.copy()
        if grad_req != "null":
            truth.update(executors[best].grad_dict)
    for i, executor in others:
        told = f"Predict Err: ctx {i} vs ctx {best} at {{name}}"
        _compare_all(told, outputs, executor.outputs, truth, lambda *_: (rtol, atol), raise_on_err, equal_nan)
    if grad_req == "null":
        return truth

    for executor in executors:
        executor.forward(is_train=True)
    heads = []
    for numbered in zip(*(executor.outputs for executor in executors), strict=True):
        least = numbered[0].dtype
        for output in numbered:
            least = _less_precise(output.dtype, least)
        heads.append(numbered[0].astype(least).asnumpy())
    for executor, way in zip(executors, ctx_list, strict=True):
        pairs = zip(heads, executor.outputs, strict=True)
        executor.backward([array(head, way["ctx"], output.dtype).tostype(output.stype) for head, output in pairs])
    if ground_truth is None:
        truth.update(executors[best].output_dict)
    for i, executor in others:

        def tolerances(found: Any, wanted: Any, own: Any = types[i]) -> Any:
            # A comparison with a half-precision result is only as precise as half precision.
            coarse = _less_precise(found.dtype, own), _less_precise(wanted.dtype, types[best])
            if coarse == (found.dtype, wanted.dtype):
                return rtol, atol
            return get_tols(found.astype(coarse[0]), wanted.astype(coarse[1]), rtol, atol)

        told = f"{{found.dtype}} {{found.ctx}} ctx {i} vs {{wanted.dtype}} {{wanted.ctx}} ctx {best} at {{name}}"
        told = f"Train Err: {told}"
        found = [*executor.outputs, *executor.grad_arrays]
        _compare_all(told, [*outputs, *arguments], found, truth, tolerances, raise_on_err, equal_nan)
    return truth


# --- a net, eager and hybridized ------------------------------------------------------------------------------


class _Kept(Initializer):
    """An initializer that copies the values of the parameters with the same names in another net."""

    def __init__(self, values: dict[str, numpy.ndarray]) -> None:
        super().__init__()
        self._values = values

    def _init_weight(self, name: str, arr: Any) -> None:
        arr[()] = self._values[name]


@use_np
def check_gluon_hybridize_consistency(
    net_builder: Callable[..., Any],
    data_l: Sequence[Any],
    numpy_func: Callable[..., Any] | None = None,
    test_grad: bool = True,
    rtol: float = 1e-4,
    atol: float = 1e-4,
) -> None:
    """Raise an AssertionError unless a net has the same results and gradients in eager mode and hybridized.

    Parameters
    ----------
    net_builder : callable
        Function of ``prefix`` that creates a net of ``np`` arrays. The net must be deterministic.
    data_l : list of np.ndarray
        Arguments of the net.
    numpy_func : callable, optional
        Function that computes the expected results with NumPy.
    test_grad : bool
        Whether to compare gradients with respect to the data.
    rtol, atol : float
        Relative and absolute tolerance.

    Examples
    --------
    >>> from d2lhybrid import np
    >>> from d2lhybrid.gluon import nn
    >>> check_gluon_hybridize_consistency(lambda prefix: nn.Dense(3, prefix=prefix), [np.ones((2, 4))])
    """
    result: Any = None
    gradients: Any = None
    kept: _Kept | None = None
    for hybridized in (False, True):
        for recorded in (False, True)[: 2 if test_grad else 1]:
            net = net_builder(prefix="net_")
            if kept is None:
                net.initialize()
            else:
                net.initialize(kept)
            if hybridized:
                net.hybridize()
            data = [value.copy() for value in data_l]
            if recorded:
                for value in data:
                    value.attach_grad()
                with autograd.record():
                    out = net(*data)
                out.backward(out)
            else:
                out = net(*data)
            if kept is None:
                kept = _Kept({name: p.data().asnumpy() for name, p in net.collect_params().items()})
                result = out.asnumpy()
            assert_almost_equal(out.asnumpy(), result, rtol=rtol, atol=atol)
            if recorded:
                found = [value.grad.asnumpy() for value in data]
                gradients = found if gradients is None else gradients
                for one, other in zip(found, gradients, strict=True):
                    assert_almost_equal(one, other, rtol=rtol, atol=atol)
    if numpy_func is not None:
        assert_almost_equal(result, numpy_func(*[value.asnumpy() for value in data_l]), rtol=rtol, atol=atol)


# --- one step of two optimizers --------------------------------------------------------------------------------


def _twice(shape: Any, stype: str, dtype: Any, **settings: Any) -> tuple[NDArray, NDArray]:
    """Return a random array, both as a dense array and with a storage type."""
    if stype == "default":
        stored = random.uniform(shape=shape, ctx=default_context(), dtype=dtype)
        return stored.copyto(default_context()), stored
    if stype not in ("row_sparse", "csr"):
        raise Exception("type not supported yet")
    stored = rand_ndarray(shape, stype, dtype=dtype, **settings)
    return stored.copyto(default_context()).tostype("default"), stored


def compare_optimizer(
    opt1: Any,
    opt2: Any,
    shape: Any,
    dtype: Any,
    w_stype: str = "default",
    g_stype: str = "default",
    rtol: float = 1e-4,
    atol: float = 1e-5,
    compare_states: bool = True,
    ntensors: int = 1,
) -> None:
    """Raise an AssertionError unless two optimizers make the same step for random weights and gradients.

    Parameters
    ----------
    opt1, opt2 : Optimizer
        The optimizers.
    shape : tuple of int or list of tuple of int
        Shape of the weights. With a list, the second optimizer updates all weights in one call.
    dtype : dtype
        Element type of the weights.
    w_stype, g_stype : {'default', 'row_sparse', 'csr'}
        Storage types of the second optimizer's weights and gradients. The first optimizer's arrays are dense.
    rtol, atol : float
        Relative and absolute tolerance.
    compare_states : bool
        Whether to also compare the states.
    ntensors : int
        Number of weights in a list.

    Examples
    --------
    >>> from d2lhybrid import optimizer
    >>> compare_optimizer(optimizer.SGD(0.1), optimizer.SGD(0.1), (2, 3), "float32")
    """
    if not isinstance(shape, list):
        assert ntensors == 1
        weights = _twice(shape, w_stype, dtype, density=1)
        gradients = _twice(shape, g_stype, dtype)
        pairs = list(zip((opt1, opt2), weights, gradients, strict=True))
        states = [opt.create_state_multi_precision(0, weight) for opt, weight, _ in pairs]
        if compare_states:
            compare_ndarray_tuple(*states)
        for (opt, weight, gradient), state in zip(pairs, states, strict=True):
            opt.update_multi_precision(0, weight, gradient, state)
        if compare_states:
            compare_ndarray_tuple(*states, rtol=rtol, atol=atol)
        assert_almost_equal(*weights, rtol=rtol, atol=atol)
        return
    first, slopes = (tuple(_twice(size, "default", dtype)[0] for size in shape) for _ in range(2))
    second = copy.deepcopy(first)
    states = [opt2.create_state_multi_precision(0, second[i]) for i in range(ntensors)]
    opt2.update_multi_precision(list(range(ntensors)), second, copy.deepcopy(slopes), states)
    for i in range(ntensors):
        state = opt1.create_state_multi_precision(i, first[i])
        opt1.update_multi_precision(i, first[i], slopes[i], state)
        if compare_states:
            compare_ndarray_tuple(state, states[i], rtol, atol)
        compare_ndarray_tuple(first[i], second[i], rtol, atol)
