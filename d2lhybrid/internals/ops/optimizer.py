"""Update operators, which compute one step of an optimizer as a pure function of weight, gradient, and states.

A kernel returns the new weight, which is visible to the caller, and the new states as hidden outputs. A rule below each
kernel names the input to which each state is written back, so that ``nd.sgd_mom_update(w, g, mom, lr=0.1, out=w)``
changes ``mom`` in place. A factory creates the multi-precision variants (``mp_...``), which compute on a float32 master
copy of the weight and return the rounded weight. Another factory, in :mod:`~d2lhybrid.internals.ops.optimizer_multi`,
creates the operators that update several weights in one call.

Weight decay ``wd`` is an L2 term in the gradient. A negative ``clip_gradient`` disables clipping.
"""

from __future__ import annotations

import inspect
import math
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from ...error import MXNetError
from ..core.operator import REQUIRED, Array, Operator, operator
from . import rules

FAMILY = "other"
MEANINGS = {
    "weight": "The weight to update.",
    "grad": "The gradient with respect to the weight, of the weight's shape.",
    "mom": "The momentum; updated in place.",
    "lr": "The learning rate.",
    "momentum": "The fraction of the momentum that is kept in each step.",
    "wd": "The weight decay: ``wd * weight`` is added to the gradient.",
    "wd_lh": "The weight decay that is applied separately from the gradient.",
    "rescale_grad": "The factor by which the gradient is multiplied.",
    "clip_gradient": "The largest absolute value of the gradient; a negative number disables clipping.",
    "clip_grad": "The largest absolute value of the gradient; a negative number disables clipping.",
    "clip_weights": "The largest absolute value of the weight; a negative number disables clipping.",
    "lazy_update": "Whether a row-sparse gradient updates only its rows.",
    "mean": "The running mean of the gradient; updated in place.",
    "var": "The running mean of the gradient's square; updated in place.",
    "beta1": "The fraction of the first running mean that is kept in each step.",
    "beta2": "The fraction of the second running mean that is kept in each step.",
    "epsilon": "A small number that keeps the divisor from being 0.",
    "eta": "The factor of the whole step.",
    "z": "The accumulated gradient with corrections for past steps; updated in place.",
    "n": "The running sum or mean of the gradient's square; updated in place.",
    "beta": "The number that is added to the root in the divisor.",
    "lamda1": "The strength of the L1 regularization.",
    "gamma1": "The fraction of the running means that is kept in each step.",
    "gamma2": "The fraction of the momentum that is kept in each step.",
    "g": "The running mean of the gradient; updated in place.",
    "delta": "The momentum; updated in place.",
    "d": "The denominator; updated in place.",
    "v": "The running mean of the gradient's square; updated in place.",
    "t": "The number of the step, starting at 1.",
    "history": "The running sum of the gradient's squares; updated in place.",
    "weight32": "The float32 master copy of the weight; updated in place.",
}

Kernel = Callable[..., Any]

_FLOAT32 = numpy.dtype("float32")


def scaled_gradient(xp: Any, grad: Any, rescale_grad: float, clip_gradient: float) -> Any:
    """Return the gradient, multiplied by ``rescale_grad`` and then clipped unless ``clip_gradient`` is negative."""
    if rescale_grad != 1.0:
        grad = grad * rescale_grad
    if clip_gradient >= 0.0:
        grad = xp.clip(grad, -clip_gradient, clip_gradient)
    return grad


# --- registration ------------------------------------------------------------------------------


def update_operator(*names: str, states: Sequence[str] = ()) -> Callable[[Kernel], Operator]:
    """Return a decorator that registers a kernel, which returns the new weight, followed by the new states.

    Parameters
    ----------
    *names : str
        The operator's names in MXNet, the canonical name first.
    states : sequence of str
        The inputs to which the states are written back, in the order of the hidden outputs.
    """

    def register(kernel: Kernel) -> Operator:
        op = operator(*names, outputs=1 + len(states), visible_outputs=1, differentiable=False)(kernel)
        positions = [[i.name for i in op.inputs].index(name) for name in states]

        def infer_shape(*shapes: rules.PartialShape, **attributes: Any):
            # All inputs have the shape of the weight, except the last input of the AdamW family, rescale_grad.
            size = len(op.inputs) - (op.inputs[-1].name == "rescale_grad")
            known, (shape,) = rules.same(*shapes[:size])
            return known + list(shapes[size:]), [shape] * (1 + len(states))

        def infer_type(*dtypes: Any, **attributes: Any):
            completed = _master_copy_types(op, dtypes)
            return completed, [completed[0]] + [completed[p] for p in positions]

        op.infer_shape(infer_shape)
        op.lenient = True
        op.infer_type(infer_type)
        if states:
            op.updates_in_forward(lambda F, y, *inputs, **attributes: dict(zip(states, y[1:], strict=True)))
        return op

    return register


def _master_copy_types(op: Operator, dtypes: Sequence[Any]) -> list[Any]:
    """Return the inputs' element types: float32 for states with a master copy, else the weight's type."""
    names = [i.name for i in op.inputs]
    shared = names[:2] if "weight32" in names else [n for n in names if n != "rescale_grad"]
    weight = next((d for n, d in zip(names, dtypes, strict=True) if n in shared and d is not None), None)
    states = _FLOAT32 if "weight32" in names else weight
    return [(weight if n in shared else states) if d is None else d for n, d in zip(names, dtypes, strict=True)]


def mixed_precision(name: str, base: Operator, states: Sequence[str]) -> Operator:
    """Register the variant of an update operator with a float32 master copy of a float16 weight.

    Parameters
    ----------
    name : str
        Name of the new operator in MXNet, such as ``"mp_sgd_update"``.
    base : Operator
        The operator whose weight, gradient, and states have the same element type.
    states : sequence of str
        The states of the operator. In the signature, ``weight32`` follows the states.
    """
    after = 2 + len(states)

    def kernel(xp: Any, weight: Any, grad: Any, *rest: Any, **attributes: Any) -> Any:
        weight32 = rest[len(states)]
        others = rest[: len(states)] + rest[len(states) + 1 :]
        results = base.kernel(xp, weight32, grad.astype(_FLOAT32), *others, **attributes)
        if not states:
            return results.astype(weight.dtype), results
        return results[0].astype(weight.dtype), *results[1:], results[0]

    parameters = list(inspect.signature(base.kernel).parameters.values())
    master = inspect.Parameter("weight32", inspect.Parameter.POSITIONAL_OR_KEYWORD, annotation="Array")
    signature = inspect.Signature([*parameters[: after + 1], master, *parameters[after + 1 :]])
    kernel.__signature__ = signature  # type: ignore[attr-defined]
    kernel.__doc__ = (
        f"Update the weight like ``{base.name}``, but compute with a float32 master copy of the weight.\n\n"
        "Parameters\n----------\nweight32 : NDArray\n    The master copy, which is updated in place.\n"
    )
    return update_operator(name, states=(*states, "weight32"))(kernel)


# --- gradient descent --------------------------------------------------------------------------


@update_operator("sgd_update")
def sgd_update(
    xp,
    weight: Array,
    grad: Array,
    lr: float = REQUIRED,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
):
    """Update a weight by gradient descent: ``weight - lr * (grad + wd * weight)``."""
    grad = scaled_gradient(xp, grad, rescale_grad, clip_gradient)
    return (1.0 - lr * wd) * weight - lr * grad


@update_operator("sgd_mom_update", states=("mom",))
def sgd_mom_update(
    xp,
    weight: Array,
    grad: Array,
    mom: Array,
    lr: float = REQUIRED,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
):
    """Update a weight with momentum: ``mom = momentum * mom - lr * (grad + wd * weight)``, then ``weight += mom``."""
    grad = scaled_gradient(xp, grad, rescale_grad, clip_gradient)
    mom = momentum * mom - lr * (grad + wd * weight)
    return weight + mom, mom


@update_operator("nag_mom_update", states=("mom",))
def nag_mom_update(
    xp,
    weight: Array,
    grad: Array,
    mom: Array,
    lr: float = REQUIRED,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
):
    """Update a weight by Nesterov's accelerated gradient: a gradient step along the new momentum."""
    step = lr * (scaled_gradient(xp, grad, rescale_grad, clip_gradient) + wd * weight)
    mom = momentum * mom - step
    return weight + (momentum * mom - step), mom


@update_operator("signsgd_update")
def signsgd_update(
    xp,
    weight: Array,
    grad: Array,
    lr: float = REQUIRED,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
):
    """Update a weight by a step against the sign of the gradient, which scaling and clipping don't change.

    Parameters
    ----------
    wd : float
        The weight decay: ``lr * wd * weight`` is subtracted from the weight.
    """
    return (1.0 - lr * wd) * weight - lr * xp.sign(grad)


@update_operator("signum_update", states=("mom",))
def signum_update(
    xp,
    weight: Array,
    grad: Array,
    mom: Array,
    lr: float = REQUIRED,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    wd_lh: float = 0.0,
):
    """Update a weight along the sign of the momentum, with decoupled weight decay ``wd_lh``."""
    grad = scaled_gradient(xp, grad, rescale_grad, clip_gradient)
    mom = momentum * mom - (1.0 - momentum) * (grad + wd * weight)
    return (1.0 - lr * wd_lh) * weight + lr * xp.sign(mom), mom


# --- adaptive step sizes -----------------------------------------------------------------------


@update_operator("adam_update", states=("mean", "var"))
def adam_update(
    xp,
    weight: Array,
    grad: Array,
    mean: Array,
    var: Array,
    lr: float = REQUIRED,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    lazy_update: bool = True,
):
    """Update a weight by Adam; the caller includes the bias correction in ``lr``."""
    grad = _decayed_gradient(xp, weight, grad, wd, rescale_grad, clip_gradient)
    mean = beta1 * mean + (1.0 - beta1) * grad
    var = beta2 * var + (1.0 - beta2) * (grad * grad)
    return weight - lr * mean / (xp.sqrt(var) + epsilon), mean, var


def _decayed_gradient(xp: Any, weight: Any, grad: Any, wd: float, rescale_grad: float, clip_gradient: float) -> Any:
    """Return the gradient after adding the weight decay and then clipping the sum."""
    grad = grad * rescale_grad + wd * weight
    return grad if clip_gradient < 0.0 else xp.clip(grad, -clip_gradient, clip_gradient)


@update_operator("ftrl_update", states=("z", "n"))
def ftrl_update(
    xp,
    weight: Array,
    grad: Array,
    z: Array,
    n: Array,
    lr: float = REQUIRED,
    lamda1: float = 0.01,
    beta: float = 1.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
):
    """Update a weight by FTRL-proximal, whose L1 regularization gives exact zeros.

    Parameters
    ----------
    wd : float
        The strength of the L2 regularization.
    """
    grad = scaled_gradient(xp, grad, rescale_grad, clip_gradient)
    new_n = n + grad * grad
    z = z + grad - (xp.sqrt(new_n) - xp.sqrt(n)) * weight / lr
    shrunk = xp.sign(z) * lamda1 - z
    kept = xp.abs(z) <= lamda1  # False for NaN, so that the result is NaN
    return xp.where(kept, shrunk.dtype.type(0), shrunk / ((beta + xp.sqrt(new_n)) / lr + wd)), z, new_n


@update_operator("rmsprop_update", states=("n",))
def rmsprop_update(
    xp,
    weight: Array,
    grad: Array,
    n: Array,
    lr: float = REQUIRED,
    gamma1: float = 0.95,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
):
    """Update a weight by RMSProp (Tieleman and Hinton), which divides the gradient by its running root mean square."""
    grad = _decayed_gradient(xp, weight, grad, wd, rescale_grad, clip_gradient)
    n = gamma1 * n + (1.0 - gamma1) * (grad * grad)
    return _clipped(xp, weight - lr * grad / xp.sqrt(n + epsilon), clip_weights), n


def _clipped(xp: Any, weight: Any, bound: float) -> Any:
    return xp.clip(weight, -bound, bound) if bound >= 0.0 else weight


@update_operator("rmspropalex_update", states=("n", "g", "delta"))
def rmspropalex_update(
    xp,
    weight: Array,
    grad: Array,
    n: Array,
    g: Array,
    delta: Array,
    lr: float = REQUIRED,
    gamma1: float = 0.95,
    gamma2: float = 0.9,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    clip_weights: float = -1.0,
):
    """Update a weight by centered RMSProp (Graves), with momentum; the divisor is a running standard deviation."""
    grad = _decayed_gradient(xp, weight, grad, wd, rescale_grad, clip_gradient)
    n = gamma1 * n + (1.0 - gamma1) * (grad * grad)
    g = gamma1 * g + (1.0 - gamma1) * grad
    delta = gamma2 * delta - lr * grad / xp.sqrt(n - g * g + epsilon)
    return _clipped(xp, weight + delta, clip_weights), n, g, delta


@update_operator("ftml_update", states=("d", "v", "z"))
def ftml_update(
    xp,
    weight: Array,
    grad: Array,
    d: Array,
    v: Array,
    z: Array,
    lr: float = REQUIRED,
    beta1: float = 0.6,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    t: int = REQUIRED,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_grad: float = -1.0,
):
    """Update a weight by FTML (follow the moving leader); ``t`` is the update count, 1 for the first update."""
    grad = _decayed_gradient(xp, weight, grad, wd, rescale_grad, clip_grad)
    v = beta2 * v + (1.0 - beta2) * (grad * grad)
    rate = (1.0 - beta1**t) / lr if lr else math.inf
    new_d = rate * (xp.sqrt(v / (1.0 - beta2**t)) + epsilon)
    z = beta1 * z + (1.0 - beta1) * grad - (new_d - beta1 * d) * weight
    return -z / new_d, new_d, v, z


@update_operator("_adamw_update", states=("mean", "var"))
def adamw_update(
    xp,
    weight: Array,
    grad: Array,
    mean: Array,
    var: Array,
    rescale_grad: Array,
    lr: float = REQUIRED,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-8,
    wd: float = 0.0,
    eta: float = REQUIRED,
    clip_gradient: float = -1.0,
):
    """Update a weight by Adam with decoupled weight decay; skip the update if ``rescale_grad`` is 0 or not finite.

    ``rescale_grad`` is an array, so that a loss scale that was computed on a GPU isn't copied to the host.

    Parameters
    ----------
    wd : float
        The weight decay: ``wd * weight`` is added to Adam's step, not to the gradient.
    """
    scale = rescale_grad.astype(weight.dtype).reshape(())
    usable = xp.isfinite(scale) & (scale != 0.0)
    grad = scaled_gradient(xp, grad * scale, 1.0, clip_gradient)
    new_mean = beta1 * mean + (1.0 - beta1) * grad
    new_var = beta2 * var + (1.0 - beta2) * (grad * grad)
    new_weight = weight - eta * (lr * new_mean / (xp.sqrt(new_var) + epsilon) + wd * weight)
    return (
        xp.where(usable, new_weight, weight),
        xp.where(usable, new_mean, mean),
        xp.where(usable, new_var, var),
    )


@update_operator("_sparse_adagrad_update", states=("history",))
def adagrad_update(
    xp,
    weight: Array,
    grad: Array,
    history: Array,
    lr: float = REQUIRED,
    epsilon: float = 1e-7,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
):
    """Update the rows of a weight that a row-sparse gradient stores, by AdaGrad; ``wd`` must be 0."""
    if wd:
        raise MXNetError(f"Operator not implemented: _sparse_adagrad_update supports only wd=0, not wd={wd:g}")
    grad = scaled_gradient(xp, grad, rescale_grad, clip_gradient)
    history = history + grad * grad
    return weight - lr * grad / xp.sqrt(history + epsilon), history


@operator(
    "_contrib_group_adagrad_update",
    outputs=2,
    visible_outputs=1,
    differentiable=False,
)
def group_adagrad_update(
    xp,
    weight: Array,
    grad: Array,
    history: Array,
    lr: float = REQUIRED,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
    epsilon: float = 1e-5,
):
    """Update a weight by AdaGrad with one step size for each row, for embeddings."""
    grad = scaled_gradient(xp, grad, rescale_grad, clip_gradient)
    mean_square = (grad * grad).reshape(len(grad), grad.size // max(1, len(grad))).mean(axis=1, dtype=grad.dtype)
    history = history + mean_square.reshape(history.shape)
    rows = xp.sqrt(history + epsilon).reshape((len(history),) + (1,) * (weight.ndim - 1))
    return weight - lr * grad / rows, history


group_adagrad_update.lenient = True


@group_adagrad_update.infer_shape
def _(weight, grad, history, **attributes):
    weight = rules.unify(weight, grad)
    if weight is not None and history is None:
        history = (weight[0], 1)
    return [weight, weight, history], [weight, history]


@group_adagrad_update.infer_type
def _(weight, grad, history, **attributes):
    dtype = weight or grad or history
    return [dtype] * 3, [dtype] * 2


@group_adagrad_update.updates_in_forward
def _(F, y, weight, grad, history, **attributes):
    return {"history": y[1]}


mp_sgd_update: Operator = mixed_precision("mp_sgd_update", sgd_update, ())
mp_sgd_mom_update: Operator = mixed_precision("mp_sgd_mom_update", sgd_mom_update, ("mom",))


@update_operator("mp_nag_mom_update", states=("mom", "weight32"))
def mp_nag_mom_update(
    xp,
    weight: Array,
    grad: Array,
    mom: Array,
    weight32: Array,
    lr: float = REQUIRED,
    momentum: float = 0.0,
    wd: float = 0.0,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
):
    """Update a weight like ``nag_mom_update``, on a float32 master copy of the weight."""
    step = lr * scaled_gradient(xp, grad.astype(_FLOAT32), rescale_grad, clip_gradient)
    mom = momentum * mom - step
    master = (1.0 - (1.0 + momentum) * lr * wd) * weight32 + (momentum * mom - step)
    # As in MXNet, the decay in the momentum uses the weight after the step.
    return master.astype(weight.dtype), mom - (lr * wd) * master, master


mp_adamw_update: Operator = mixed_precision("_mp_adamw_update", adamw_update, ("mean", "var"))

for _update in (sgd_update, sgd_mom_update, adam_update, adagrad_update, group_adagrad_update):
    _update.lazy_rows = "sparse gradient"
ftrl_update.lazy_rows = "sparse weight"
