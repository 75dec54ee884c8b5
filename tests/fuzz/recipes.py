"""What a statement may be: one function a kind, which chooses values and attributes and asks for a call.

The texts stand in tables, a line each, for both flavours: ``{0}`` is a value, a word in capitals is chosen by the
function.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy

from .builder import Builder

__all__ = ["RECIPES", "Recipe", "recipe"]

Maker = Callable[[Builder], Any]


class Recipe(NamedTuple):
    """A kind of statement, how often it comes, and in which flavours."""

    make: Maker
    weight: float
    flavours: tuple[str, ...]


RECIPES: list[Recipe] = []


def recipe(weight: float = 1.0, flavours: str = "nd np") -> Callable[[Maker], Maker]:
    """Register a kind of statement."""

    def register(make: Maker) -> Maker:
        RECIPES.append(Recipe(make, weight, tuple(flavours.split())))
        return make

    return register


# --- element by element ---------------------------------------------------------------------------

UNARY = {
    "nd": """
        relu sigmoid tanh exp square abs negative sin cos sqrt rsqrt cbrt log log1p expm1 arctan arcsinh softsign erf
        sign floor ceil round rint trunc fix reciprocal identity BlockGrad zeros_like ones_like hard_sigmoid
        logical_not degrees radians gamma gammaln sinh cosh tan arcsin arccos arctanh rcbrt make_loss stop_gradient
        shape_array size_array contrib.div_sqrt_dim contrib.quadratic contrib.isnan""",
    "np": """
        np.exp np.square np.abs np.negative np.sin np.cos np.sqrt np.cbrt np.log np.log1p np.expm1 np.arctan np.arcsinh
        np.tanh np.sign np.floor np.ceil np.rint np.trunc np.fix np.reciprocal np.zeros_like np.ones_like
        np.logical_not np.degrees np.radians np.sinh np.cosh np.log2 np.log10 np.isnan np.isfinite np.around np.copy
        np.ravel np.fabs np.deg2rad npx.relu npx.sigmoid npx.softmax npx.log_softmax npx.erf npx.erfinv npx.gamma
        npx.gammaln npx.batch_flatten npx.relu npx.sigmoid npx.erf""",
}


@recipe(8)
def unary(b: Builder) -> Any:
    name = b.choose(UNARY[b.flavour].split())
    return b.call(f"F.{name}({{0}})", b.pick_float() if b.chance(0.9) else b.pick())


BINARY = {
    "nd": """
        elemwise_add elemwise_sub elemwise_mul elemwise_div maximum minimum add subtract multiply broadcast_add
        broadcast_sub broadcast_mul broadcast_div broadcast_maximum broadcast_minimum broadcast_hypot broadcast_power
        broadcast_mod broadcast_lesser broadcast_equal broadcast_greater broadcast_not_equal broadcast_logical_and
        broadcast_minus broadcast_plus""",
    "np": """
        np.add np.subtract np.multiply np.true_divide np.maximum np.minimum np.hypot np.arctan2 np.copysign np.power
        np.mod np.less np.equal np.greater np.not_equal np.less_equal np.ldexp""",
}
SIGNS = ["{0} + {1}", "{0} - {1}", "{0} * {1}", "{0} / ({1} * {1} + 1)", "{0} > {1}", "{0} == {1}", "{0} <= {1}"]


@recipe(10)
def binary(b: Builder) -> Any:
    x = b.pick_float() if b.chance(0.85) else b.pick()
    if x is None:
        return None
    y = x if b.chance(0.1) else b.fresh(b.shape(x), b.dtype(x))
    if b.chance(0.5):
        return b.call(b.choose(SIGNS), *((x, y) if b.chance(0.5) else (y, x)))
    return b.call(f"F.{b.choose(BINARY[b.flavour].split())}({{0}}, {{1}})", x, y)


@recipe(5)
def broadcast(b: Builder) -> Any:
    """Operators on shapes that differ."""
    x = b.pick_float(least=1)
    if x is None:
        return None
    shape = tuple(1 if b.chance(0.5) else n for n in b.shape(x))
    y = b.pick(lambda a: a.shape == shape) or b.fresh(shape, b.dtype(x))
    template = b.choose(SIGNS)
    if b.flavour == "nd":
        names = [n for n in BINARY["nd"].split() if n.startswith("broadcast")]
        template = f"F.{b.choose(names)}({{0}}, {{1}})"
    return b.call(template, *((x, y) if b.chance(0.7) else (y, x)))


_SCALAR = """
    {0} + 0
    {0} - 0
    {0} * 1
    {0} / 1
    {0} ** 1
    {0} * 0
    0 - {0}
    {0} * -1
    -{0}
    {0} * 2
    {0} + 1.5
    1 - {0}
    {0} / 3
    2 / ({0} * {0} + 1)
    {0} ** 2
    2 ** {0}
    {0} % 2
    {0} * 0.5 * 3
    {0} - 0.25
    {0} > 0.5
    {0} != 0
    ({0} + 1) * ({0} - 1)
    {0} * 1e30 * 1e-30
    abs({0})
"""
SCALAR = {
    "nd": _SCALAR + """
    F.maximum({0}, 0.3)
    F.minimum({0}, 0.3)
    F.clip({0}, -1, 0.5)
    F.smooth_l1({0}, scalar=1.0)
    F.LeakyReLU({0}, act_type='leaky', slope=0.1)
    F.LeakyReLU({0}, act_type='elu')
    F.LeakyReLU({0}, act_type='gelu')
    F.LeakyReLU({0}, act_type='selu')
    F.Activation({0}, act_type='softrelu')
    F.Activation({0}, act_type='softsign')
    F.Activation({0}, act_type='sigmoid')
    F.Activation({0}, act_type='tanh')
    F.Activation({0}, act_type='relu')
""",
    "np": _SCALAR + """
    F.np.maximum({0}, 0.3)
    F.np.minimum(0.3, {0})
    F.np.clip({0}, -1, 0.5)
    F.npx.leaky_relu({0}, act_type='elu')
    F.npx.activation({0}, act_type='softrelu')
    F.npx.activation({0}, act_type='relu')
    F.np.where({0} > 0, {0}, 0.1)
    F.np.full_like({0}, 2)
    F.np.nan_to_num({0})
    F.npx.smooth_l1({0}, scalar=1.0)
""",
}  # fmt: skip


@recipe(7)
def scalar(b: Builder) -> Any:
    return b.line(SCALAR, b.pick_float() if b.chance(0.85) else b.pick())


CAST = {"nd": "{0}.astype('DTYPE')\nF.cast({0}, dtype='DTYPE')", "np": "{0}.astype('DTYPE')"}


@recipe(2)
def cast(b: Builder) -> Any:
    dtypes = ["float32", "float32", "float64", "float16", "int32", "int64", "int8", "uint8"]
    return b.line(CAST, b.pick(), DTYPE=b.choose([*dtypes, "bool"] if b.flavour == "np" else dtypes))


WHERE = {"nd": "F.where(TEST, {0}, {1})", "np": "F.np.where(TEST, {0}, {1})"}


@recipe(2)
def where(b: Builder) -> Any:
    x = b.pick_float()
    if x is None:
        return None
    condition = b.pick(lambda a: a.shape == b.shape(x)) or x
    test = b.choose(["{2}", "{2} > 0.1", "{2} == {0}"])
    return b.line(WHERE, x, b.fresh(b.shape(x), b.dtype(x)), condition, TEST=test)


# --- shapes ---------------------------------------------------------------------------------------


def _factors(b: Builder, size: int) -> tuple[int, ...]:
    """Return a random shape with so many elements."""
    if size == 0:
        return b.choose([(0,), (0, 2), (3, 0)])
    shape = []
    while size > 1 and len(shape) < 3 and b.chance(0.8):
        shape.append(b.choose([d for d in range(2, size + 1) if size % d == 0]))
        size //= shape[-1]
    shape.append(size)
    if b.chance(0.2):
        shape.insert(b.rng.randrange(len(shape) + 1), 1)
    return tuple(shape)


RESHAPE = {
    "nd": """
        {0}.reshape(SHAPE)
        F.reshape({0}, shape=SHAPE)
        F.reshape({0}, shape=SHAPE)
        F.flatten({0})
        F.reshape({0}, shape=(0, -1))
        F.reshape({0}, shape=(-3, 0))
        F.reshape({0}, shape=(-1, 0), reverse=True)
        F.reshape({0}, shape=(-1,))
        F.reshape({0}, shape=(1, -2))
        F.reshape_like({0}, F.zeros_like({0}))
    """,
    "np": """
        {0}.reshape(SHAPE)
        F.np.reshape({0}, SHAPE)
        F.npx.reshape({0}, (-1,))
        F.npx.reshape({0}, (-2, -1))
        F.np.ravel({0})
        F.np.atleast_2d({0})
        {0}.flatten()
    """,
}


@recipe(5)
def reshape(b: Builder) -> Any:
    x = b.pick()
    if x is None:
        return None
    shape = list(_factors(b, math.prod(b.shape(x))))
    if 0 not in shape and b.chance(0.4):
        shape[b.rng.randrange(len(shape))] = -1
    return b.line(RESHAPE, x, SHAPE=tuple(shape))


TURN = {
    "nd": """
        F.transpose({0})
        F.transpose({0}, axes=AXES)
        F.swapaxes({0}, FIRST, SECOND)
        F.flip({0}, axis=FIRST)
        F.reverse({0}, axis=FIRST)
        {0}.transpose()
    """,
    "np": """
        F.np.transpose({0})
        F.np.transpose({0}, AXES)
        F.np.swapaxes({0}, FIRST, SECOND)
        F.np.moveaxis({0}, FIRST, SECOND)
        F.np.flip({0}, FIRST)
        F.np.flip({0})
        F.np.roll({0}, 1, FIRST)
        F.np.rot90({0})
        {0}.T
    """,
}


@recipe(5)
def turn(b: Builder) -> Any:
    x = b.pick(lambda a: a.ndim >= 1)
    if x is None:
        return None
    rank = len(b.shape(x))
    axes = tuple(b.rng.sample(range(rank), rank))
    return b.line(TURN, x, AXES=axes, FIRST=b.axis(x) % rank, SECOND=b.axis(x) % rank)


UNITS = {
    "nd": """
        F.expand_dims({0}, axis=NEW)
        {0}.expand_dims(axis=NEW)
        F.squeeze({0})
        F.squeeze({0}, axis=ONE)
    """,
    "np": """
        F.np.expand_dims({0}, axis=NEW)
        F.np.squeeze({0})
        F.np.squeeze({0}, axis=ONE)
    """,
}


@recipe(3)
def units(b: Builder) -> Any:
    """Add axes of size 1, or take them away."""
    x = b.pick()
    if x is None:
        return None
    ones = [i for i, n in enumerate(b.shape(x)) if n == 1] or [0]
    return b.line(UNITS, x, NEW=b.rng.randrange(-1, len(b.shape(x)) + 1), ONE=b.choose(ones))


CUT = {
    "nd": """
        F.slice_axis({0}, axis=AXIS, begin=BEGIN, end=END)
        F.slice_axis({0}, axis=AXIS, begin=BEGIN, end=None)
        F.slice({0}, begin=LOWS, end=HIGHS)
        F.slice({0}, begin=LOWS, end=HIGHS)
        F.slice({0}, begin=(None,), end=(None,), step=(STEP,))
        F.slice_like({0}, F.slice_axis({0}, axis=0, begin=0, end=1), axes=(0,))
    """,
    "np": """
        {0}[INDEX]
        {0}[INDEX]
        {0}[0]
        {0}[-1:]
        {0}[::STEP]
        {0}[..., 0]
        {0}[..., :1]
        {0}[1:]
        F.npx.slice({0}, begin=LOWS, end=HIGHS)
    """,
}


@recipe(5)
def cut(b: Builder) -> Any:
    x = b.pick(lambda a: a.ndim >= 1 and 0 not in a.shape)
    if x is None:
        return None
    shape = b.shape(x)
    axis = b.rng.randrange(len(shape))
    begin = b.rng.randrange(shape[axis])
    lows = tuple(b.rng.randrange(n) for n in shape)
    highs = tuple(b.rng.randrange(k + 1, n + 1) for k, n in zip(lows, shape, strict=True))
    index = ", ".join(f"{k}:{n}" for k, n in zip(lows, highs, strict=True))
    end = b.rng.randrange(begin + 1, shape[axis] + 1)
    step = b.choose([-1, 2, -2])
    return b.line(CUT, x, AXIS=axis, BEGIN=begin, END=end, LOWS=lows, HIGHS=highs, INDEX=index, STEP=step)


SPREAD = {
    "nd": """
        F.broadcast_to({0}, shape=WIDE)
        F.broadcast_to({0}, shape=WIDE)
        F.broadcast_like({0}, {1})
        F.broadcast_like({0}, {1})
        F.broadcast_axis({0}, axis=ONE, size=3)
        F.tile({0}, reps=REPS)
        F.repeat({0}, repeats=2, axis=AXIS)
        F.pad({0}, mode='constant', pad_width=(0, 0, 0, 0, 1, 1, 0, 2), constant_value=0.5)
        F.pad({0}, mode='edge', pad_width=(0, 0, 0, 0, 1, 1, 0, 2))
        F.UpSampling({0}, scale=2, sample_type='nearest')
    """,
    "np": """
        F.np.broadcast_to({0}, WIDE)
        F.np.broadcast_to({0}, WIDER)
        F.np.tile({0}, REPS)
        F.np.repeat({0}, 2, axis=AXIS)
        F.np.pad({0}, 1)
    """,
}


@recipe(4)
def spread(b: Builder) -> Any:
    """Make something larger: broadcast, tile, repeat, pad."""
    x = b.pick()
    if x is None:
        return None
    shape = b.shape(x)
    wide = tuple(b.choose([2, 3]) if n == 1 else n for n in shape)
    ones = [i for i, n in enumerate(shape) if n == 1] or [0]
    like = b.pick(lambda a: a.ndim == len(shape) and all(m in (1, n) for m, n in zip(shape, a.shape, strict=True)))
    reps = tuple(b.choose([1, 2]) for _ in shape) or (2,)
    return b.line(SPREAD, x, like, WIDER=(2, *wide), WIDE=wide, ONE=b.choose(ones), REPS=reps, AXIS=b.axis(x))


JOIN = {
    "nd": """
        F.concat(ALL, dim=AXIS)
        F.concat(ALL, dim=AXIS)
        F.stack(ALL, axis=AXIS)
        F.add_n(ALL)
    """,
    "np": """
        F.np.concatenate([ALL], axis=AXIS)
        F.np.concatenate([ALL], axis=AXIS)
        F.np.stack([ALL], axis=AXIS)
        F.np.vstack([ALL])
        F.np.hstack([ALL])
        F.np.dstack([ALL])
    """,
}


@recipe(5)
def join(b: Builder) -> Any:
    x = b.pick(lambda a: a.ndim >= 1)
    if x is None:
        return None
    count = b.choose([1, 2, 2, 3])
    others = [x if b.chance(0.3) else b.fresh(b.shape(x), b.dtype(x)) for _ in range(count - 1)]
    places = ", ".join(f"{{{i}}}" for i in range(count))
    return b.line(JOIN, x, *others, ALL=places, AXIS=b.axis(x) % len(b.shape(x)))


SPLIT = {
    "nd": """
        F.split({0}, num_outputs=COUNT, axis=AXIS)
        F.split({0}, num_outputs=COUNT, axis=AXIS)
        F.split({0}, num_outputs=SIZE, axis=AXIS, squeeze_axis=True)
        F.split_v2({0}, indices_or_sections=(AT,), axis=AXIS)
    """,
    "np": """
        F.np.split({0}, COUNT, axis=AXIS)
        F.np.split({0}, [AT], axis=AXIS)
        F.np.array_split({0}, COUNT, axis=AXIS)
    """,
}


@recipe(5)
def split(b: Builder) -> Any:
    x = b.pick(lambda a: a.ndim >= 1 and max(a.shape) > 1)
    if x is None:
        return None
    shape = b.shape(x)
    axis = b.choose([i for i, n in enumerate(shape) if n > 1])
    size = shape[axis]
    count = b.choose([k for k in range(2, size + 1) if size % k == 0])
    return b.line(SPLIT, x, COUNT=count, AXIS=axis, SIZE=size, AT=b.rng.randrange(1, size))


# --- reductions, order ----------------------------------------------------------------------------

REDUCE = {
    "nd": """
        F.NAME({0}, axis=AXIS, keepdims=KEEP)
        F.NAME({0}, axis=AXIS, keepdims=KEEP)
        F.NAME({0})
        {0}.NAME(axis=AXIS)
        F.sum(F.square({0}), axis=AXIS, keepdims=KEEP)
        F.sum({0}, axis=AXIS, exclude=True)
        F.mean({0}, axis=AXIS, exclude=True)
    """,
    "np": """
        F.np.NAME({0}, axis=AXIS, keepdims=KEEP)
        F.np.NAME({0}, axis=AXIS, keepdims=KEEP)
        F.np.NAME({0}, axis=AXIS)
        F.np.NAME({0})
        {0}.NAME(axis=AXIS)
    """,
}
REDUCTIONS = {
    "nd": "sum sum mean mean max min prod nansum norm argmax argmin",
    "np": "sum sum mean mean max min prod std var argmax argmin any all cumsum average amax",
}


@recipe(5)
def reduce(b: Builder) -> Any:
    x = b.pick_float() if b.chance(0.85) else b.pick()
    if x is None:
        return None
    rank = len(b.shape(x))
    axis: Any = b.choose([None, b.axis(x), b.axis(x)]) if rank else None
    if rank >= 2 and b.chance(0.3):
        axis = tuple(sorted(b.rng.sample(range(rank), 2)))
    return b.line(REDUCE, x, NAME=b.choose(REDUCTIONS[b.flavour].split()), AXIS=axis, KEEP=b.chance(0.5))


_TOP = """
    PREFIX.topk({0}, axis=AXIS, k=COUNT, ret_typ='both')
    PREFIX.topk({0}, axis=AXIS, k=COUNT, ret_typ='both', is_ascend=True)
    PREFIX.topk({0}, axis=AXIS, k=COUNT, ret_typ='value')
    PREFIX.topk({0}, axis=AXIS, k=COUNT, ret_typ='indices')
    PREFIX.topk({0}, axis=AXIS, k=COUNT, ret_typ='mask')
"""
ORDER = {
    "nd": _TOP.replace("PREFIX", "F") + """
    F.sort({0}, axis=AXIS)
    F.sort({0}, axis=AXIS, is_ascend=False)
    F.argsort({0}, axis=AXIS)
    F.argmax_channel({0})
    F.cumsum({0}, axis=AXIS)
""",
    "np": _TOP.replace("PREFIX", "F.npx") + """
    F.np.sort({0}, axis=AXIS)
    F.np.argsort({0}, axis=AXIS)
    F.np.cumsum({0}, axis=AXIS)
    F.np.diff({0}, axis=AXIS)
    F.np.tril({0})
    F.np.diag({0})
    F.np.trace({0})
""",
}  # fmt: skip


@recipe(2.5)
def order(b: Builder) -> Any:
    x = b.pick_float(least=1)
    return None if x is None else b.line(ORDER, x, AXIS=b.axis(x), COUNT=b.choose([1, 2]))


NORMALIZE = {
    "nd": """
        F.softmax({0}, axis=AXIS)
        F.softmax({0}, temperature=2.0)
        F.log_softmax({0}, axis=AXIS)
        F.softmin({0}, axis=AXIS)
        F.SoftmaxActivation({0})
        F.L2Normalization({0})
        F.L2Normalization({0}, mode='channel')
        F.LRN({0}, nsize=3)
        F.norm({0}, ord=1, axis=0)
        F.LayerNorm({0}, {1}, {2}, axis=AXIS)
        F.LayerNorm({0}, {1}, {2}, axis=AXIS)
    """,
    "np": """
        F.npx.softmax({0}, axis=AXIS)
        F.npx.softmax({0}, temperature=2.0)
        F.npx.log_softmax({0}, axis=AXIS)
        F.np.linalg.norm({0})
        F.npx.layer_norm({0}, {1}, {2}, axis=AXIS)
    """,
}


@recipe(3)
def normalize(b: Builder) -> Any:
    x = b.pick_float(least=1)
    if x is None:
        return None
    axis = b.axis(x)
    size, dtype = (b.shape(x)[axis],), b.dtype(x)
    return b.line(NORMALIZE, x, lambda: b.fresh(size, dtype), lambda: b.fresh(size, dtype), AXIS=axis)


# --- matrices -------------------------------------------------------------------------------------

PRODUCT = {
    "nd": """
        F.dot({0}, {1})
        F.dot({0}, {2}, transpose_b=True)
        F.FullyConnected({0}, {3}, num_hidden=WIDTH, no_bias=True)
        F.FullyConnected({0}, {3}, {4}, num_hidden=WIDTH)
        F.FullyConnected({0}, {2}, {4}, num_hidden=WIDTH, flatten=False)
        F.batch_dot({0}, {5})
        F.batch_dot({0}, {6}, transpose_b=True)
        F.batch_dot({0}, {0}, transpose_b=True)
        F.batch_dot({0}, {0}, transpose_a=True)
    """,
    "np": """
        F.np.dot({0}, {1})
        F.np.matmul({0}, {1})
        F.np.tensordot({0}, {1}, axes=1)
        F.np.einsum('ij,jk->ik', {0}, {1})
        F.np.einsum('ij,jk->k', {0}, {1})
        F.npx.batch_dot({0}, {5})
        F.npx.batch_dot({0}, {0}, transpose_b=True)
        F.npx.fully_connected({0}, {3}, {4}, num_hidden=WIDTH)
    """,
}


@recipe(4)
def product(b: Builder) -> Any:
    x = b.pick_float(least=1)
    if x is None:
        return None
    shape, width, dtype = b.shape(x), b.choose([1, 2, 3]), b.dtype(x)
    sizes = [(shape[-1], width), (width, shape[-1]), (width, math.prod(shape[1:])), (width,)]
    sizes += [(shape[0], shape[-1], width), (shape[0], width, shape[-1])]
    return b.line(PRODUCT, x, *[lambda s=s: b.fresh(s, dtype) for s in sizes], WIDTH=width)


# --- indices --------------------------------------------------------------------------------------

INDEX = {
    "nd": """
        F.take({0}, {1}, axis=AXIS, mode='clip')
        F.take({0}, {1}, axis=AXIS, mode='wrap')
        F.one_hot({1}, 4)
        F.pick({0}, {2}, axis=1)
        F.Embedding({1}, {0}, input_dim=ROWS, output_dim=COLUMNS)
        F.batch_take({0}, {2})
        F.gather_nd({0}, F.zeros((1, 2)))
    """,
    "np": """
        F.np.take({0}, {1}, axis=AXIS, mode='clip')
        F.npx.one_hot({1}, 4)
        F.npx.pick({0}, {2})
        F.npx.gather_nd({0}, F.np.zeros((1, 2)))
    """,
}


@recipe(3)
def index(b: Builder) -> Any:
    x = b.pick_float(least=1)
    if x is None or 0 in b.shape(x):
        return None
    shape = b.shape(x)
    numbers = b.pick(lambda a: a.ndim <= 2 and numpy.dtype(a.dtype).kind in "iu" and a.shape)
    where = numbers or b.fresh((2,), "int32", "whole")
    return b.line(
        INDEX,
        x,
        where,
        lambda: b.fresh(shape[:1], "float32", "whole"),
        AXIS=b.axis(x),
        ROWS=shape[0],
        COLUMNS=shape[-1],
    )


SEQUENCE = {
    "nd": """
        F.SequenceMask({0}, {1}, use_sequence_length=True, value=0.5)
        F.SequenceLast({0}, {1}, use_sequence_length=True)
        F.SequenceReverse({0}, {1}, use_sequence_length=True)
    """,
    "np": "F.npx.sequence_mask({0}, {1}, use_sequence_length=True, value=0.5)",
}


@recipe(1)
def sequence(b: Builder) -> Any:
    x = b.pick_float(least=2)
    return None if x is None else b.line(SEQUENCE, x, lambda: b.fresh(b.shape(x)[1:2], "float32", "ones"))


CONSTANT = {
    "nd": """
        F.ones(SHAPE) * 2 + F.zeros(SHAPE)
        F.zeros_like({0}) + F.ones_like({0})
        {0} + F.ones(SHAPE)
        F.contrib.arange_like({0})
        F.contrib.arange_like({0}, axis=0)
        F.arange(0, 3)
    """,
    "np": """
        F.np.ones(SHAPE) * 2
        F.np.zeros_like({0}) + 1
        {0} + F.np.ones(SHAPE)
        F.np.arange(3)
        F.np.eye(3)
    """,
}


@recipe(1.5)
def constant(b: Builder) -> Any:
    """Values that come from nothing: they are folded."""
    x = b.pick_float()
    return None if x is None else b.line(CONSTANT, x, SHAPE=b.shape(x))
