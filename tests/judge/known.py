"""Differences that ``docs/compatibility.md`` names: recognised by a repair of MXNet, or by a rule, and counted.

A repair is a few lines that take the difference out of MXNet. A program in which nothing differs any more with the
repairs that concern it has these differences alone; if anything differs that is no rounding, that is a finding. A rule
is for what cannot be repaired in Python: errors of MXNet, and answers of its kernels. It looks at what differs first,
and at what both sides saw up to there.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from typing import Any, NamedTuple

import numpy

from .plan import Plan
from .sides import Answer

__all__ = [
    "KNOWN", "REFUSED_BY_ONEDNN", "REPAIRS", "Case", "Known", "Repair", "freezes", "known", "line_by_line", "repairs",
    "without_onednn",
]  # fmt: skip

NOTHING = Answer(())


class Case(NamedTuple):
    """A difference.

    Attributes
    ----------
    plan : Plan
        The program.
    name, text : str
        What differs first, and how.
    ours, theirs : Answer
        What both sides saw.
    """

    plan: Plan
    name: str
    text: str
    ours: Answer = NOTHING
    theirs: Answer = NOTHING

    def has_layer(self, words: str) -> bool:
        """Return whether a line of the net declares or calls something."""
        return any(words in text for line in self.plan.net for text in (line.call, *line.declares))

    @property
    def sparse(self) -> bool:
        """Whether an embedding has gradients in row-sparse storage."""
        return self.has_layer("sparse_grad=True")

    def stale(self) -> bool:
        """Return whether MXNet's array is one of an earlier step, and that of this package is not."""
        tail = self.name.partition(": ")[2]
        before: list[Any] = []
        for (name, value), (_, mine) in zip(self.theirs.seen, self.ours.seen, strict=False):
            if name == self.name:
                if value.shape != mine.shape:
                    return False
                far = ~numpy.isclose(value, mine, rtol=1e-3, atol=1e-6)
                return any(
                    one.shape == value.shape and far.any() and numpy.allclose(one[far], value[far], rtol=1e-5)
                    for one in before
                )
            if name.partition(": ")[2] == tail:
                before.append(value)
        return False

    def nan_before(self) -> bool:
        """Return whether MXNet saw a NaN before what differs, or in it."""
        for name, value in self.theirs.seen:
            if value.dtype.kind == "f" and numpy.isnan(value).any():
                return True
            if name == self.name:
                break
        return False


class Known(NamedTuple):
    """One documented difference that is recognised by a rule.

    Attributes
    ----------
    words : str
        What ``docs/compatibility.md`` says of it, word by word.
    text : str
        A pattern of what is found: the name of what differs first, a colon, and how.
    rule : callable
        Whether it can be this difference.
    error : str
        A pattern of MXNet's error, which comes before any of this package; empty if it raises none.
    """

    words: str
    text: str = ""
    rule: Callable[[Case], bool] = lambda case: True
    error: str = ""

    def fits(self, case: Case) -> bool:
        """Return whether a difference is this one."""
        if self.error:
            if case.name != "error" or len(case.ours.seen) < len(case.theirs.seen):
                return False
            return bool(re.search(self.error, case.theirs.error)) and self.rule(case)
        return bool(re.match(self.text, f"{case.name}: {case.text}")) and self.rule(case)


class Repair(NamedTuple):
    """Lines that take one documented difference out of MXNet.

    Attributes
    ----------
    words : str
        What ``docs/compatibility.md`` says of it, word by word.
    rule : callable
        Whether it can happen to a program.
    lines : str
        The lines; they come after the prelude, and use its names.
    """

    words: str
    rule: Callable[[Plan], bool]
    lines: str


def _lines(plan: Plan) -> Iterator[str]:
    yield from plan.changes
    for step in plan.steps:
        yield from step.lines
        for _, line in step.extras:
            yield line


def freezes(plan: Plan) -> bool:
    """Return whether a program freezes parameters."""
    return any(re.search(r"grad_req(=| = |', )'null'", line) for line in _lines(plan))


#: Errors of oneDNN's.
REFUSED_BY_ONEDNN = ("could not execute a primitive", "could not create a primitive")
_WRAPPED = """
def wrapped(cls, change):
    cls.unrepaired = cls.__dict__.get("unrepaired", cls.update)
    cls.update = change(cls.unrepaired)

"""
#: What oneDNN approximates in single precision, by some 1e-6, and what is made of it.
_APPROXIMATED = (
    r"log_softmax|softrelu|nn\.GELU|nn\.ELU|Softmax\w*Loss|SoftmaxCELoss|KLDivLoss|SDMLLoss|Sigmoid\w*Loss|LogisticLoss"
)
REPAIRS: list[Repair] = [
    Repair(
        "`AdaDelta` does not change the gradient", lambda plan: plan.optimizer == "adadelta",
        _WRAPPED + """
wrapped(mx.optimizer.AdaDelta, lambda old: lambda self, i, w, g, s: old(self, i, w, g.copy(), s))
""",
    ),
    Repair(
        "`Adamax` keeps a weight whose gradient has always been 0", lambda plan: plan.optimizer == "adamax",
        _WRAPPED + """
def kept(old):
    def update(self, i, w, g, s):
        before = w.copy()
        old(self, i, w, g, s)
        w[:] = nd.where(s[1] == 0, before, w)
    return update


wrapped(mx.optimizer.Adamax, kept)
""",
    ),
    Repair(
        "`LBSGD` adds up every gradient", lambda plan: plan.optimizer == "lbsgd" and plan.sets("batch_scale"),
        _WRAPPED + """
wrapped(mx.optimizer.LBSGD, lambda old: lambda self, i, w, g, s: old(self, i, w, g.copy(), s))
""",
    ),
    Repair(
        '`LeakyReLU(act_type="selu")`',
        lambda plan: any("nn.SELU" in declare for line in plan.net for declare in line.declares),
        """
def selu(self, F, x):
    scale, alpha = 1.0507009873554804934193349852946, 1.6732632423543772848170429916717
    return F.where(x > 0, x * scale, F.expm1(F.minimum(x, 0)) * (scale * alpha))


nn.SELU.hybrid_forward = selu
""",
    ),
    Repair(
        "The constants of `gelu` and `selu` have double precision",
        lambda plan: plan.dtype == "float64" and "nn.GELU" in plan.text(),
        """
def gelu(self, F, x):
    e = F.erf(x * 0.5**0.5)  # its gradient has a pi of single precision, too
    fixed = F.BlockGrad(e)
    return x * 0.5 * (fixed + (e - fixed) * float(numpy.sqrt(numpy.float32(numpy.pi)) / numpy.pi**0.5) + 1)


nn.GELU.hybrid_forward = gelu
""",
    ),
    Repair(
        "The terms of a sum are added in a different order",  # and less exactly: a bias has thousands of terms
        lambda plan: bool(re.search(r"nn\.Conv(?!.*use_bias=False)", plan.text())),
        """
def summed_apart(space, name, plus):
    old = getattr(space, name)

    def call(x, *rest, **more):
        if len(rest) < 2:
            return old(x, *rest, **more)
        weight, bias = rest
        more["no_bias"] = True
        return plus(old(x, weight, **more), bias.reshape((1, -1) + (1,) * len(more["kernel"])))

    setattr(space, name, call)


for space in (nd, mx.sym):
    summed_apart(space, "Convolution", space.broadcast_add)
    summed_apart(space, "Deconvolution", space.broadcast_add)
for space in (mx.npx, nd.numpy_extension, mx.sym.numpy_extension):
    summed_apart(space, "convolution", lambda a, b: a + b)
    summed_apart(space, "deconvolution", lambda a, b: a + b)
""",
    ),
    Repair(
        "A `Dense` or convolution whose weight is frozen, and whose bias is not",
        lambda plan: freezes(plan),
        """
def biased_apart(space, name, add):
    old = getattr(space, name)

    def call(*given, **more):
        given += tuple(more.pop(key) for key in ("data", "weight", "bias")[len(given):] if key in more)
        if len(given) < 3 or more.get("no_bias"):
            return old(*given, **more)
        x, weight, bias = given
        more["no_bias"] = True
        return add(old(x, weight, **more), bias, more.get("flatten", True))

    setattr(space, name, call)


def added(a, bias, flat):
    return nd.broadcast_add(a, bias.reshape((1, -1) if flat else (-1,)))


def added_in_a_graph(a, bias, flat):
    if not flat:
        return mx.sym.broadcast_add(a, bias)
    rows = mx.sym.broadcast_add(mx.sym.zeros_like(a), bias.reshape((1, -1)))
    return a + rows  # such a sum tells the shape of a first state


biased_apart(nd, "FullyConnected", added)
biased_apart(mx.sym, "FullyConnected", added_in_a_graph)
for space in (mx.npx, nd.numpy_extension, mx.sym.numpy_extension):
    biased_apart(space, "fully_connected", lambda a, bias, flat: a + bias)
""",
    ),
    Repair(
        "a *hybridized* `PReLU` multiplies the gradient of its slopes", lambda plan: "nn.PReLU" in plan.text(),
        """
def prelu(self, F, x, alpha):
    return F.np.where(x > 0, x, x * alpha) if NUMPY else F.where(x > 0, x, F.broadcast_mul(x, alpha))


nn.PReLU.hybrid_forward = prelu
""",
    ),
    Repair(
        "A net hybridized with `static_alloc=True, static_shape=True` that is called several times under one `record`",
        lambda plan: "static_shape=True" in plan.text() and "losses.append(" in plan.text(),
        """
hybridize = gluon.HybridBlock.__dict__.get("unrepaired", gluon.HybridBlock.hybridize)


def without_static_shape(self, active=True, **more):
    hybridize(self, active, **{**more, "static_shape": False})


gluon.HybridBlock.unrepaired, gluon.HybridBlock.hybridize = hybridize, without_static_shape
""",
    ),
    Repair(
        "The terms of a sum are added in a different order",  # a norm of thousands of numbers has lost two digits there
        lambda plan: plan.optimizer == "lamb" and plan.dtype == "float32",
        """
single = nd.NDArray.__dict__.get("single_norm", nd.NDArray.norm)
nd.NDArray.single_norm = single
nd.NDArray.norm = lambda self: single(self.astype("float64")).astype("float32")
mx.optimizer.LAMB.aggregate_num = property(lambda self: 1, lambda self, count: None)
""",
    ),
    Repair(
        "MXNet's oneDNN build approximates some functions",
        lambda plan: plan.dtype == "float32" and bool(re.search(_APPROXIMATED, plan.text())),
        """
def exactly(space, name, kinds):
    old = getattr(space, name)

    def call(x, *rest, **more):
        if more.get("act_type") not in kinds:
            return old(x, *rest, **more)
        return old(x.astype("float64"), *rest, **more).astype("float32")

    setattr(space, name, call)


def in_steps(space):
    def call(x, axis=-1, **more):
        x = space.broadcast_sub(x, space.BlockGrad(space.max(x, axis=axis, keepdims=True)))
        return space.broadcast_sub(x, space.log(space.sum(space.exp(x), axis=axis, keepdims=True)))

    space.log_softmax = call


for space in (nd, mx.sym):
    in_steps(space)
    exactly(space, "Activation", ("softrelu",))
    exactly(space, "LeakyReLU", ("gelu", "elu"))
for space in (mx.npx, nd.numpy_extension, mx.sym.numpy_extension):
    exactly(space, "log_softmax", (None,))
    exactly(space, "activation", ("softrelu",))
    exactly(space, "leaky_relu", ("gelu", "elu"))
""",
    ),
]  # fmt: skip

_STATES_OF_FLOAT32 = ("adadelta", "adagrad", "ftrl", "groupadagrad", "rmsprop")
KNOWN: list[Known] = [
    Known(
        '`sparse_grad=True` and `grad_req="add"`', error="SparseEmbedding layer doesn't support weight gradient",
        rule=lambda case: case.sparse,
    ),
    Known(
        "A sparse and a dense gradient of one weight", error="Check failed: temp.IsDefaultData",
        rule=lambda case: case.sparse
        and (case.has_layer("self.tied") or any("p.data() ** 2" in line for line in _lines(case.plan))),
    ),
    Known(
        "The gradient of indices (`Embedding`) is zero",
        error="Embedding layer doesn't support calculate data gradient",
        rule=lambda case: "True, True" in case.plan.module or any("attach_grad" in one for one in _lines(case.plan)),
    ),
    Known(
        "`PoissonNLLLoss(compute_full=True)`",
        error="Assigning to NDArrays that are already in a |Function __imul__",
        rule=lambda case: ("compute_full", "True") in case.plan.loss_settings,
    ),
    Known(
        "`SDMLLoss` of symbols", error="'Symbol' object has no attribute 'shape'",
        rule=lambda case: bool(case.plan.module) and case.plan.loss.endswith("SDMLLoss"),
    ),
    Known(
        "`SDMLLoss` of symbols works, too, and in `float64`",
        error="Incompatible attr in node  at 1-th input: expected float32, got float64",
        rule=lambda case: case.plan.dtype == "float64" and case.plan.loss.endswith("SDMLLoss"),
    ),
    Known(
        "MXNet has `CTCLoss`, `InstanceNorm`,", error="Unsupported data type 1",
        rule=lambda case: case.plan.dtype == "float64" and case.has_layer("nn.InstanceNorm"),
    ),
    Known(
        "`vector::_M_range_check`", error="vector: :_M_range_check",
        rule=lambda case: case.has_layer("rnn.") and "static_shape=True" in case.plan.text(),
    ),
    Known(
        "`Signum` without a momentum and with `wd_lh`", error="Cannot find argument 'wd_lh'",
        rule=lambda case: case.plan.optimizer == "signum",
    ),
    Known(
        "`AdaGrad` with a weight decay also supports a row-sparse gradient", error="operator = _sparse_adagrad_update",
        rule=lambda case: case.plan.optimizer == "adagrad" and case.plan.sets("wd") and case.sparse,
    ),
    Known(
        "States have the type of their weight",
        error="Incompatible attr in node  at ..?-th input: expected float(32, got float64|64, got float32)",
        rule=lambda case: case.plan.dtype == "float64" and case.plan.optimizer in _STATES_OF_FLOAT32,
    ),
    Known(
        "States have the type of their weight", r".*state of .*: float64 here, float32 in MXNet$",
        lambda case: case.plan.dtype == "float64" and case.plan.optimizer == "test",
    ),
    Known(
        "a loss or method that MXNet implements with operators of `mx.nd`",
        error="This is a legacy operator which can only accept legacy ndarrays", rule=lambda case: case.plan.numpy,
    ),
    Known(
        "**NaN stays NaN**", ".*: nan here, ",
        lambda case: (
            case.plan.optimizer == "signum" or case.plan.loss.endswith("L1Loss") or case.has_layer("relu")
        )
        and case.nan_before(),
    ),
    Known(
        "`relu` at NaN", r".*gradient of .*: 0\.0 here, nan in MXNet",
        lambda case: bool(re.search(r"TripletLoss|HingeLoss|Sigmoid\w*Loss", case.plan.loss)) and case.nan_before(),
    ),
    Known(
        "**A gradient that is NaN or infinite** and arrives at max pooling",
        r".*gradient of .*: nan here, 0\.0 in MXNet",
        lambda case: case.has_layer("MaxPool") and case.nan_before(),
    ),
    Known(
        "A net hybridized with `static_alloc=True, static_shape=True` that is called several times under one `record`",
        r".*gradient of ",
        lambda case: "static_shape=True" in case.plan.text() and case.stale(),
    ),
    Known(
        "has no `Conv3DTranspose` without oneDNN",
        error="could not execute a primitive|Only 1D or 2D Deconvolution is natively supported",
        rule=lambda case: case.has_layer("nn.Conv3DTranspose"),
    ),
    Known(
        "After a call to a `BatchNorm` with a fixed gamma, gamma is 1",
        r".*: (\w*batchnorm\d+_gamma|arrays \d+): 1\.0 here, ",
        lambda case: case.has_layer("scale=False"),
    ),
    Known(
        "a *hybridized* `PReLU` multiplies the gradient of its slopes", r".*gradient of \w*prelu\d+_alpha: ",
        lambda case: bool(case.plan.module) and case.has_layer("nn.PReLU"),
    ),
]  # fmt: skip


def without_onednn(plan: Plan, name: str, theirs: Answer, ours: Answer = NOTHING) -> bool:
    """Return whether a difference can be one that only MXNet with oneDNN has: the documentation names two.

    Parameters
    ----------
    plan : Plan
        The program.
    name : str
        What differs first.
    theirs, ours : Answer
        What MXNet with oneDNN saw, and what this package did.
    """
    if name == "error":
        return any(words in theirs.error for words in REFUSED_BY_ONEDNN)
    if not freezes(plan):
        return False
    if re.search(r": (gradient of |state of )?\w+_bias( \d+)?$", name):
        return True
    noted = {one for one, _ in ours.seen}
    for (one, mine), (_, right) in zip(ours.seen, theirs.seen, strict=False):
        if one == name:
            break
        layer = re.fullmatch(r"(.*gradient of \w+)_bias", one)  # where old memory is anything, it passes
        if layer and f"{layer[1]}_weight" not in noted and not numpy.allclose(mine, right, 1e-3, 1e-6):
            return True
    return False


def line_by_line(name: str) -> bool:
    """Return whether a difference can be one that only a hybridized net has in MXNet: of the slopes of a PReLU."""
    return bool(re.search(r"gradient of \w*prelu\d+_alpha$", name))


def repairs(plan: Plan) -> list[Repair]:
    """Return the repairs of MXNet that concern a program."""
    return [one for one in REPAIRS if one.rule(plan)]


def known(
    plan: Plan, name: str, text: str, ours: Answer = NOTHING, theirs: Answer = NOTHING
) -> str:  # fmt: skip
    """Return what the documentation says of a difference; empty if it does not.

    Parameters
    ----------
    plan : Plan
        The program.
    name, text : str
        What differs first, and how.
    ours, theirs : Answer
        What both sides saw.
    """
    case = Case(plan, name, text, ours, theirs)
    return next((one.words for one in KNOWN if one.fits(case)), "")
