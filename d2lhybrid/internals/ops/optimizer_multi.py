"""Update operators for large batches (LAMB and LARS) and for several weights in one call.

LAMB and LARS scale the step of every weight by a trust ratio: the norm of the weight divided by the norm of the step.
The ``multi_...`` operators apply a single-weight operator to each group of inputs ``weight_0, grad_0, states_0, ...,
weight_1, grad_1, ...``. A factory creates them from the operators in :mod:`~d2lhybrid.internals.ops.optimizer`.
"""

from __future__ import annotations

import inspect
from collections.abc import Sequence
from typing import Any

import numpy

from ..core.operator import REQUIRED, Array, Operator, operator
from . import optimizer as single
from . import rules
from .optimizer import scaled_gradient, update_operator

FAMILY = "other"
MEANINGS = {
    "weight": "The weight to update.",
    "grad": "The gradient with respect to the weight, of the weight's shape.",
    "lr": "The learning rate.",
    "wd": "The weight decay: ``wd * weight`` is added to Adam's update.",
    "momentum": "The fraction of the momentum that is kept in each step.",
    "rescale_grad": "The factor by which the gradient is multiplied.",
    "clip_gradient": "The largest absolute value of the gradient; a negative number disables clipping.",
    "mean": "The running mean of the gradient; updated in place.",
    "var": "The running mean of the gradient's square; updated in place.",
    "beta1": "The fraction of the first running mean that is kept in each step.",
    "beta2": "The fraction of the second running mean that is kept in each step.",
    "epsilon": "The number that is added to the divisor.",
    "t": "The number of the step, starting at 1.",
    "weight32": "The float32 master copy of the weight; updated in place.",
    "g": "The direction that ``lamb_update_phase1`` returned.",
    "r1": "The norm of the weight.",
    "r2": "The norm of the direction.",
    "lower_bound": "The lower limit for the norm of the weight; a negative number for no limit.",
    "upper_bound": "The upper limit for the norm of the weight; a negative number for no limit.",
    "bias_correction": "Whether the means are corrected for their initial value of 0.",
    "data": "The arrays: for each weight, the weight, its gradient, and its states.",
    "num_weights": "The number of weights to update.",
    "num_arrays": "The number of arrays.",
    "lrs": "The learning rate of each weight.",
    "wds": "The weight decay of each weight.",
    "etas": "The factor of each weight's step.",
    "eta": "The trust coefficient.",
    "eps": "The number that is added to the divisor.",
    "weights_sum_sq": "The sum of squares of each weight.",
    "grads_sum_sq": "The sum of squares of each gradient.",
    "init_output": "Ignored, because the result is always a new array.",
}

_FLOAT32 = numpy.dtype("float32")

# --- LAMB --------------------------------------------------------------------------------------


@update_operator("lamb_update_phase1", states=("mean", "var"))
def lamb_update_phase1(
    xp,
    weight: Array,
    grad: Array,
    mean: Array,
    var: Array,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    t: int = REQUIRED,
    bias_correction: bool = True,
    wd: float = REQUIRED,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
):
    """Return Adam's update with weight decay, before the trust ratio scales the update (LAMB's phase 1)."""
    grad = scaled_gradient(xp, grad, rescale_grad, clip_gradient)
    mean = beta1 * mean + (1.0 - beta1) * grad
    var = beta2 * var + (1.0 - beta2) * (grad * grad)
    if bias_correction:
        direction = mean / (1.0 - beta1**t) / (xp.sqrt(var / (1.0 - beta2**t)) + epsilon)
    else:
        direction = mean / (xp.sqrt(var) + epsilon)
    return direction + wd * weight, mean, var


def trust_ratio(xp: Any, weight_norm: Any, step_norm: Any, lower_bound: float, upper_bound: float) -> Any:
    """Return the trust ratio ``weight_norm / step_norm``, or 1 if a norm is 0; the bounds limit ``weight_norm``."""
    if lower_bound >= 0.0:
        weight_norm = xp.maximum(weight_norm, weight_norm.dtype.type(lower_bound))
    if upper_bound >= 0.0:
        weight_norm = xp.minimum(weight_norm, weight_norm.dtype.type(upper_bound))
    unusable = (weight_norm == 0.0) | (step_norm == 0.0)
    return (weight_norm + unusable * (1.0 - weight_norm)) / (step_norm + unusable * (1.0 - step_norm))


@update_operator("lamb_update_phase2")
def lamb_update_phase2(
    xp,
    weight: Array,
    g: Array,
    r1: Array,
    r2: Array,
    lr: float = REQUIRED,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
):
    """Update a weight along ``g``, scaled by the trust ratio of the norms ``r1`` and ``r2`` (LAMB's phase 2)."""
    ratio = trust_ratio(xp, r1.reshape(()), r2.reshape(()), lower_bound, upper_bound)
    return weight - (lr * ratio).astype(g.dtype) * g


lamb_update_phase2.lenient = True


@lamb_update_phase2.infer_shape
def _(weight, g, r1, r2, **attributes):
    shape = rules.unify(weight, g)
    return [shape, shape, r1, r2], [shape]


def _lamb_phase1_types(weight, grad, mean, var, weight32, **attributes):
    half = weight or grad
    return [half, half, _FLOAT32, _FLOAT32, _FLOAT32], [_FLOAT32] * 3


@update_operator("mp_lamb_update_phase1", states=("mean", "var"))
def mp_lamb_update_phase1(
    xp,
    weight: Array,
    grad: Array,
    mean: Array,
    var: Array,
    weight32: Array,
    beta1: float = 0.9,
    beta2: float = 0.999,
    epsilon: float = 1e-6,
    t: int = REQUIRED,
    bias_correction: bool = True,
    wd: float = REQUIRED,
    rescale_grad: float = 1.0,
    clip_gradient: float = -1.0,
):
    """Return the direction of ``lamb_update_phase1`` in float32, on a float32 master copy of the weight."""
    return lamb_update_phase1.kernel(
        xp,
        weight32,
        grad.astype(_FLOAT32),
        mean,
        var,
        beta1=beta1,
        beta2=beta2,
        epsilon=epsilon,
        t=t,
        bias_correction=bias_correction,
        wd=wd,
        rescale_grad=rescale_grad,
        clip_gradient=clip_gradient,
    )


mp_lamb_update_phase1.infer_type(_lamb_phase1_types)


@update_operator("mp_lamb_update_phase2", states=("weight32",))
def mp_lamb_update_phase2(
    xp,
    weight: Array,
    g: Array,
    r1: Array,
    r2: Array,
    weight32: Array,
    lr: float = REQUIRED,
    lower_bound: float = -1.0,
    upper_bound: float = -1.0,
):
    """Update a weight like ``lamb_update_phase2``, on a float32 master copy of the weight."""
    master = lamb_update_phase2.kernel(xp, weight32, g, r1, r2, lr=lr, lower_bound=lower_bound, upper_bound=upper_bound)
    return master.astype(weight.dtype), master


mp_lamb_update_phase2.lenient = True


@mp_lamb_update_phase2.infer_shape
def _(weight, g, r1, r2, weight32, **attributes):
    shape = rules.unify_all([weight, g, weight32])
    return [shape, shape, r1, r2, shape], [shape, shape]


@mp_lamb_update_phase2.infer_type
def _(weight, g, r1, r2, weight32, **attributes):
    return [weight, _FLOAT32, _FLOAT32, _FLOAT32, _FLOAT32], [weight, _FLOAT32]


# --- LARS --------------------------------------------------------------------------------------


@operator("multi_lars", differentiable=False)
def multi_lars(
    xp,
    lrs: Array,
    weights_sum_sq: Array,
    grads_sum_sq: Array,
    wds: Array,
    eta: float = REQUIRED,
    eps: float = REQUIRED,
    rescale_grad: float = 1.0,
):
    """Return the learning rates of several weights by layer-wise adaptive rate scaling (LARS)."""
    weight_norm, grad_norm = xp.sqrt(weights_sum_sq), xp.sqrt(grads_sum_sq) * rescale_grad
    usable = (weight_norm > 0.0) & (grad_norm > 0.0)
    denominator = grad_norm + wds * weight_norm + eps
    return xp.where(usable, lrs * eta * weight_norm / (denominator + ~usable), lrs)


multi_lars.infer_shape(rules.same)
multi_lars.lenient = True
multi_lars.infer_type(rules.same_type)


# --- helpers over several arrays ---------------------------------------------------------------


@operator("multi_sum_sq", differentiable=False, threaded=True)
def multi_sum_sq(xp, *data: Array, num_arrays: int = REQUIRED):
    """Return the sum of squares of each of several arrays, as one float32 vector.

    Parameters
    ----------
    *data : array
        The ``num_arrays`` arrays, of any shapes; the sums are computed in float32.
    """
    sums = []
    for array in data:
        flat = array.reshape(-1).astype(_FLOAT32, copy=False)
        sums.append(xp.dot(flat, flat))
    return xp.stack(sums)


@operator("all_finite", differentiable=False)
def all_finite(xp, data: Array, init_output: bool = True):
    """Return 1 if every element is finite, and 0 otherwise, for the detection of overflow in mixed precision.

    Parameters
    ----------
    data : array
        The array to check, such as a gradient.
    """
    return xp.isfinite(data).all().astype(_FLOAT32).reshape(1)


@operator("multi_all_finite", differentiable=False)
def multi_all_finite(xp, *data: Array, num_arrays: int = 1, init_output: bool = True):
    """Return 1 if every element of every array is finite, and 0 otherwise.

    Parameters
    ----------
    *data : array
        The arrays to check, such as gradients.
    """
    return xp.stack([xp.isfinite(array).all() for array in data]).all().astype(_FLOAT32).reshape(1)


@operator("reset_arrays", outputs=lambda *, num_arrays, **_: num_arrays, visible_outputs=0, differentiable=False)
def reset_arrays(xp, *data: Array, num_arrays: int = REQUIRED):
    """Set several arrays to zero, in place.

    Parameters
    ----------
    *data : array
        The arrays to set to zero.
    """
    return [xp.zeros_like(array) for array in data]


@reset_arrays.updates_in_forward
def _(F, y, *data, num_arrays, **attributes):
    return {str(i): new for i, new in enumerate(y if num_arrays > 1 else [y])}


def _array_names(*, num_arrays: int, **attributes: Any) -> list[str]:
    return [f"array_{i}" for i in range(num_arrays)]


for _op in (multi_sum_sq, multi_all_finite, reset_arrays):
    _op.input_names(_array_names)
multi_sum_sq.infer_shape(lambda *shapes, num_arrays, **_: (list(shapes), [(num_arrays,)]))
for _op in (all_finite, multi_all_finite):
    _op.infer_shape(lambda *shapes, **_: (list(shapes), [(1,)]))
for _op in (multi_sum_sq, all_finite, multi_all_finite):
    _op.infer_type(lambda *dtypes, **_: (list(dtypes), [_FLOAT32]))
reset_arrays.infer_shape(lambda *shapes, **_: (list(shapes), list(shapes)))
reset_arrays.infer_type(lambda *dtypes, **_: (list(dtypes), list(dtypes)))


# --- several weights in one call ---------------------------------------------------------------

#: Name of a single-weight operator's attribute -> its name if every weight has its own value.
_PLURALS = {"lr": "lrs", "wd": "wds", "eta": "etas"}


class _Layout:
    """The positions of the inputs of a ``multi_...`` operator.

    Parameters
    ----------
    group : sequence of str
        The inputs for each weight: ``weight``, ``grad``, and the states.
    shared : sequence of str
        The shared inputs, which follow all groups.
    count : str
        The attribute that contains the number of weights.
    """

    def __init__(self, group: Sequence[str], shared: Sequence[str] = (), count: str = "num_weights") -> None:
        self.group, self.shared, self.count = list(group), list(shared), count
        self.states = self.group[2:]

    def names(self, **attributes: Any) -> list[str]:
        """Return the names of all inputs."""
        return [f"{n}_{i}" for i in range(attributes[self.count]) for n in self.group] + self.shared

    def split(self, values: Sequence[Any]) -> list[Sequence[Any]]:
        """Return the values of the inputs in groups, one for each weight, without the shared inputs."""
        size = len(self.group)
        return [values[i : i + size] for i in range(0, len(values) - len(self.shared), size)]

    def outputs(self, results: Sequence[Sequence[Any]]) -> list[Any]:
        """Return the outputs in order: all new weights, then the states of each weight."""
        return [r[0] for r in results] + [state for r in results for state in r[1:]]

    def register(self, name: str, kernel: Any, threaded: bool = False) -> Operator:
        """Register a kernel with these inputs, and attach its rules."""
        op = operator(
            name,
            outputs=lambda **attributes: attributes[self.count] * (1 + len(self.states)),
            visible_outputs=lambda **attributes: attributes[self.count],
            differentiable=False,
            threaded=threaded,
        )(kernel)

        def infer_shape(*shapes: Any, **attributes: Any):
            merged = [[rules.unify_all(group)] * len(group) for group in self.split(shapes)]
            shared = shapes[len(shapes) - len(self.shared) :] if self.shared else ()
            inputs = [shape for group in merged for shape in group] + list(shared)
            return inputs, self.outputs([group[1:] for group in merged])

        def infer_type(*dtypes: Any, **attributes: Any):
            groups = [list(group) for group in self.split(dtypes)]
            for group in groups:
                known = next((d for d in group[:2] if d is not None), None)
                states = _FLOAT32 if "weight32" in self.group else known
                group[:] = [known, known] + [states if d is None else d for d in group[2:]]
            shared = dtypes[len(dtypes) - len(self.shared) :] if self.shared else ()
            inputs = [dtype for group in groups for dtype in group] + list(shared)
            return inputs, self.outputs([[group[0], *group[2:]] for group in groups])

        op.input_names(self.names)
        op.infer_shape(infer_shape)
        op.lenient = True
        op.infer_type(infer_type)
        if self.states:
            op.updates_in_forward(self._updates)
        return op

    def _updates(self, F: Any, y: Sequence[Any], *inputs: Any, **attributes: Any) -> dict[str, Any]:
        count = attributes[self.count]
        size = len(self.group)
        names = [str(i * size + 2 + j) for i in range(count) for j in range(len(self.states))]
        return dict(zip(names, y[count:], strict=True))


def _with_signature(kernel: Any, attributes: Sequence[tuple[Any, ...]]) -> Any:
    """Return a kernel with the signature ``(xp, *data: Array, attribute: kind = default, ...)``."""
    parameters = [
        inspect.Parameter("xp", inspect.Parameter.POSITIONAL_OR_KEYWORD),
        inspect.Parameter("data", inspect.Parameter.VAR_POSITIONAL, annotation="Array"),
    ]
    for name, kind, default in attributes:
        parameters.append(inspect.Parameter(name, inspect.Parameter.KEYWORD_ONLY, default=default, annotation=kind))
    kernel.__signature__ = inspect.Signature(parameters)
    return kernel


def several_weights(name: str, base: Operator, settings: str) -> Operator:
    """Register the operator that applies a single-weight operator to several weights.

    Parameters
    ----------
    name : str
        The operator's name in MXNet, such as ``multi_sgd_update``.
    base : Operator
        The operator that updates one weight, such as ``sgd_update``.
    settings : str
        The attributes in the order of the signature. If these don't include ``lrs``, learning rates and weight
        decays are two arrays after all groups, so that a step copies no numbers to a GPU.
    """
    order = settings.split()
    preloaded = "lrs" not in order
    inputs = [i.name for i in base.inputs]
    once = [n for n in inputs if n == "rescale_grad"]
    layout = _Layout([n for n in inputs if n not in once], ["lrs", "wds"] if preloaded else once)
    own = [single for single, plural in _PLURALS.items() if plural in order]

    def kernel(xp: Any, *data: Any, num_weights: int = 1, **settings: Any) -> list[Any]:
        shared = data[len(data) - len(layout.shared) :] if layout.shared else ()
        if preloaded:
            values, shared = dict(zip(("lr", "wd"), shared, strict=True)), ()
            # With float32 elements, the update of a float16 weight would be computed in float32.
            dtype = _FLOAT32 if "weight32" in inputs else data[0].dtype
            values = {n: v.astype(dtype) for n, v in values.items()}
        else:
            values = {n: settings.pop(_PLURALS[n]) for n in own}
        results = []
        for i, group in enumerate(layout.split(data)):
            result = base.kernel(xp, *group, *shared, **{n: v[i] for n, v in values.items()}, **settings)
            results.append(result if isinstance(result, tuple) else (result,))
        return layout.outputs(results)

    kinds = dict.fromkeys(_PLURALS.values(), ("Floats", REQUIRED)) | {"num_weights": ("int", 1)}
    kinds |= {a.name: (a.kind, a.default) for a in base.attributes.values()}
    kernel.__doc__ = (
        f"Apply ``{base.name}`` to several weights; each weight is followed by its gradient and its states."
    )
    return layout.register(name, _with_signature(kernel, [(n, *kinds[n]) for n in order]))


_SGD = "lrs wds rescale_grad clip_gradient num_weights"
_MOMENTUM = "lrs wds momentum rescale_grad clip_gradient num_weights"
_ADAMW = "lrs beta1 beta2 epsilon wds etas clip_gradient num_weights"

for _name, _base, _settings in (
    ("sgd_update", single.sgd_update, _SGD),
    ("sgd_mom_update", single.sgd_mom_update, _MOMENTUM),
    ("mp_sgd_update", single.mp_sgd_update, _SGD),
    ("mp_sgd_mom_update", single.mp_sgd_mom_update, _MOMENTUM),
):
    several_weights(f"multi_{_name}", _base, _settings)
    several_weights(f"preloaded_multi_{_name}", _base, _settings.replace("lrs wds ", ""))
several_weights("_multi_adamw_update", single.adamw_update, _ADAMW)
several_weights("_multi_mp_adamw_update", single.mp_adamw_update, _ADAMW)


def _several_lamb(name: str, phase1: Operator, phase2: Operator) -> None:
    mixed = phase1 is mp_lamb_update_phase1
    layout = _Layout(["weight", "grad", "mean", "var"] + ["weight32"] * mixed, count="num_tensors")

    def kernel(
        xp: Any,
        *data: Any,
        learning_rates: Sequence[float],
        wds: Sequence[float],
        step_count: Sequence[int],
        lower_bound: float = -1.0,
        upper_bound: float = -1.0,
        num_tensors: int = 1,
        **settings: Any,
    ) -> list[Any]:
        results = []
        for i, group in enumerate(layout.split(data)):
            master = group[4:]
            step, mean, var = phase1.kernel(xp, *group, t=step_count[i], wd=wds[i], **settings)
            norms = [xp.sqrt(multi_sum_sq.kernel(xp, a, num_arrays=1)) for a in (*master, *group[:1], step)]
            updated = phase2.kernel(
                xp,
                group[0],
                step,
                norms[0],
                norms[-1],
                *master,
                lr=learning_rates[i],
                lower_bound=lower_bound,
                upper_bound=upper_bound,
            )
            weight, *master = updated if mixed else (updated,)
            results.append((weight, mean, var, *master))
        return layout.outputs(results)

    kernel.__doc__ = f"Update several weights with LAMB: ``{phase1.name}`` and ``{phase2.name}`` for each weight."
    layout.register(name, _with_signature(kernel, _LAMB), threaded=True)


_LAMB = [
    ("learning_rates", "Floats", REQUIRED),
    ("beta1", "float", 0.9),
    ("beta2", "float", 0.999),
    ("epsilon", "float", 1e-6),
    ("wds", "Floats", REQUIRED),
    ("rescale_grad", "float", 1.0),
    ("lower_bound", "float", -1.0),
    ("upper_bound", "float", -1.0),
    ("clip_gradient", "float", -1.0),
    ("bias_correction", "bool", True),
    ("step_count", "Shape", REQUIRED),
    ("num_tensors", "int", 1),
]
_several_lamb("_multi_lamb_update", lamb_update_phase1, lamb_update_phase2)
_several_lamb("_multi_mp_lamb_update", mp_lamb_update_phase1, mp_lamb_update_phase2)
