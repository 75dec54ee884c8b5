"""Generates programs at the corners of operators: empty arrays, strange axes, ``out``, masks, and integers."""

from __future__ import annotations

import random
from collections.abc import Iterator

_SHAPES = ["(2,3)", "(0,3)", "(2,0,3)", "(1,)", "(2,1,3,1)", "(3,)"]
_AXES = [
    "-1", "-2", "1", "0", "2", "-3", "None", "5",
]  # fmt: skip
#: Operators on ``x``; ``{a}`` is an axis.
_OF_AXES = [
    "nd.flip(x, axis={a})", "nd.reverse(x, axis={a})", "nd.expand_dims(x, axis={a})", "nd.squeeze(x, axis={a})",
    "nd.sum(x, axis={a})", "nd.mean(x, axis={a}, keepdims=True)", "nd.max(x, axis={a})", "nd.prod(x, axis={a})",
    "nd.argmax(x, axis={a})", "nd.argmin(x, axis={a}, keepdims=True)", "nd.argsort(x, axis={a})",
    "nd.sort(x, axis={a}, is_ascend=False)", "nd.topk(x, axis={a}, k=2, ret_typ='both')", "nd.cumsum(x, axis={a})",
    "nd.softmax(x, axis={a})", "nd.log_softmax(x, axis={a})", "nd.softmin(x, axis={a})",
    "nd.split(x, num_outputs=1, axis={a})", "nd.slice_axis(x, axis={a}, begin=0, end=None)",
    "nd.slice_axis(x, axis={a}, begin=-1, end=None)", "nd.concat(x, x, dim={a})", "nd.stack(x, x, axis={a})",
    "nd.repeat(x, repeats=2, axis={a})", "nd.repeat(x, repeats=0, axis={a})", "nd.norm(x, axis={a})",
    "nd.norm(x, ord=1, axis={a}, keepdims=True)", "nd.nansum(x, axis={a})", "nd.diag(x, k={a})",
    "nd.swapaxes(x, dim1=0, dim2={a})", "nd.depth_to_space(x, {a})", "nd.split_v2(x, 1, axis={a})",
    "nd.split_v2(x, (1,), axis={a}, squeeze_axis=False)", "nd.moments(x, axes=({a},))",
    "nd.pick(x, nd.zeros((1,)), axis={a}, keepdims=True)", "nd.broadcast_axis(x, axis={a}, size=2)",
    "nd.take(x, nd.array([0]), axis={a})", "nd.LayerNorm(x, nd.ones((3,)), nd.zeros((3,)), axis={a})",
    "nd.SoftmaxActivation(x)", "nd.sum(x, axis={a}, exclude=True)",
    "nd.slice_like(x, nd.ones((1,1,1,1)), axes=({a},))", "nd.khatri_rao(x, x)",
    "nd.contrib.arange_like(x, axis={a})", "nd.contrib.div_sqrt_dim(x)", "nd.L2Normalization(x)",
    "nd.Concat(x, dim={a})", "nd.contrib.allclose(x, x)", "nd.Flatten(x)", "nd.space_to_depth(x, 1)",
    "nd.reshape(x, shape=(0,-1))", "nd.reshape(x, shape=(-2,1))", "nd.reshape(x, shape=(-3,{a}))",
    "nd.tile(x, reps=({a},2))", "nd.where(x > 0, x, -x)", "nd.smooth_l1(x, scalar=0)", "nd.add_n(x, x)",
    "nd.amp_multicast(x, x, num_outputs=2)",
]  # fmt: skip
_NUMPY_OF_AXES = [
    "np.flip(x, {a})", "np.roll(x, 1, {a})", "np.roll(x, (1,2), ({a},0))", "np.expand_dims(x, {a})",
    "np.squeeze(x, {a})", "np.sum(x, {a})", "np.mean(x, {a}, keepdims=True)", "np.max(x, {a})", "np.prod(x, {a})",
    "np.argmax(x, {a})", "np.argsort(x, {a})", "np.sort(x, {a})", "np.cumsum(x, {a})", "npx.softmax(x, {a})",
    "npx.log_softmax(x, axis={a})", "np.split(x, 1, {a})", "np.array_split(x, 2, {a})",
    "np.concatenate([x, x], {a})", "np.stack([x, x], {a})", "np.repeat(x, 2, {a})", "np.repeat(x, 0, {a})",
    "np.linalg.norm(x, axis={a})", "np.linalg.norm(x, ord=1, axis={a})", "np.diag(x, {a})", "np.diagonal(x, {a})",
    "np.moveaxis(x, 0, {a})", "np.swapaxes(x, {a}, 0)", "np.rollaxis(x, {a})", "np.delete(x, 0, {a})",
    "np.insert(x, 0, 9., {a})", "np.append(x, x, {a})", "np.take(x, np.array([0]), {a})",
    "np.percentile(x, 30, {a})", "np.quantile(x, .5, {a})", "np.median(x, {a})", "np.std(x, {a})",
    "np.var(x, {a}, ddof=1)", "np.average(x, {a})", "np.diff(x, axis={a})", "np.unique(x, axis={a})",
    "np.tile(x, ({a},2))", "np.any(x, {a})", "np.all(x, {a})", "np.nanmean(x)", "np.hsplit(x, 1)",
    "np.vsplit(x, 1)", "np.dsplit(x, 1)", "np.atleast_3d(x)", "np.vstack([x, x])", "np.hstack([x, x])",
    "np.dstack([x, x])", "np.column_stack([x, x])", "np.rot90(x, 3)", "np.rot90(x, 1, (1,{a}))", "np.tril(x, {a})",
    "np.triu(x, {a})", "np.trace(x, {a})", "np.nan_to_num(x, nan=2.)", "np.ravel(x)", "np.flatnonzero(x)",
    "np.count_nonzero(x, {a})", "np.ediff1d(x)", "np.interp(x, np.array([0.,1.]), np.array([2.,4.]))",
    "np.pad(x, ((1,0),)*x.ndim)", "np.bincount(x.astype('int32') * 0)", "np.tensordot(x, x, 0)",
    "np.tensordot(x, x, ([{a}],[{a}]))", "np.kron(x, x)", "np.outer(x, x)", "np.inner(x, x)", "np.vdot(x, x)",
    "np.cross(x, x)", "np.meshgrid(x, x)", "np.histogram(x, 3)", "np.squeeze(np.expand_dims(x, (0,{a})), {a})",
    "npx.reshape(x, (-2,-1))", "npx.reshape(x, (-5,))", "npx.reshape(x, (-4,))",
    "np.full_like(x, 3, dtype='int32')", "np.polyval(np.array([1.,2.]), x)", "np.resize(x, (2,5))",
]  # fmt: skip
#: Indices of an ``np`` array of shape (2, 3, 4).
_KEYS = [
    "None, 1", "..., None", "1, ..., 0", "[0,1], ..., 0", "0, [1,0]", "[[0],[1]], [0,1]", "slice(None), [0,2], 0",
    "[0,1], slice(None), [0,1]", "0, slice(None), [0,1]", "None, [0,1], None", "x > 0", "x[:,0] > 0",
    "..., x[0,0] > 0", "np.array([1,0])", "np.array([0,0,0])", "np.array(1)", "np.array([], dtype='int32')",
    "np.zeros((2,3), dtype='bool')", "np.ones((2,), dtype='bool'), 0",
    "np.array([0,1], dtype='uint8'), np.array([1.,2.])", "np.array([0,1], dtype='int8'), slice(None,None,-1)",
    "slice(None,None,-1), [1]", "slice(1,None), np.array([[0,1],[1,2]])", "onp.array([True,False])",
    "onp.array([[True,False,True],[False,True,False]])", "[True, False]", "-1, -1, -1", "-3", "2", "[-1,-2]",
    "slice(-5,None,2), slice(5,-5,-2)", "Ellipsis, Ellipsis", "()", "None", "None, None, ...", "slice(0,0)",
    "[], 0", "(0,)", "np.array([0,1]), np.array([0,1]), np.array([0,1])", "np.array([0,1]), None, np.array([0,1])",
    "onp.int8(1), onp.uint8(0)", "True, 0", "False", "1.5", "'a'", "np.array([5])", "np.array([-1,1]), 1",
    "[0,0,1], 1", "slice(None), np.array([True,False,True])",
]  # fmt: skip
_VALUES = [
    "5", "np.array([7.])", "np.arange(4.)", "onp.ones((1,))*3", "[1,2,3,4]", "np.array(2)",
    "np.array([1,2,3], dtype='int32').reshape(3,1)", "x[0]",
]  # fmt: skip
_LEGACY_KEYS = [
    "None, 1", "..., None", "1, ..., 0", "[0,1], ..., 0", "0, [1,0]", "[[0],[1]], [0,1]", "slice(None), [0,2], 0",
    "0, slice(None), [0,1]", "nd.array([1,0])", "nd.array([0,0,0])",
    "nd.array([0,1], dtype='uint8'), nd.array([1.,2.])", "slice(None,None,-1), [1]",
    "slice(1,None), nd.array([[0,1],[1,2]])", "-1, -1, -1", "-3", "2", "slice(-5,None,2), slice(5,-5,-2)", "()",
    "slice(0,0)", "onp.int8(1), onp.uint8(0)", "nd.array([-1,1]), 1", "[0,0,1], 1",
    "onp.array([0,1]), slice(None), onp.array([0,1])", "nd.array([5])", "nd.array([0,1], dtype='float16')",
    "nd.array([0.7,1.9])", "nd.array([0,1], dtype='int64'), 1, slice(0,4,3)",
]  # fmt: skip
_LEGACY_VALUES = [
    "5", "nd.array([7.])", "nd.arange(4)", "onp.ones((1,))*3", "[1,2,3,4]",
    "nd.array([1,2,3], dtype='int32').reshape((3,1))", "x[0]",
]  # fmt: skip
#: Calls that write to ``o``, which has different shapes and types.
_OUT = [
    "nd.add(x, y, out=o)", "nd.dot(x, y.T, out=o)", "nd.sum(x, axis=0, out=o)", "nd.exp(x, out=x)",
    "nd.concat(x, y, dim=0, out=o)", "nd.split(x, 3, axis=1, out=[nd.zeros((2,1)) for _ in range(3)])",
    "nd.take(x, nd.array([1]), out=o)", "nd.broadcast_add(x, y[0:1], out=o)", "nd.argmax(x, axis=1, out=o)",
    "nd.cast(x, dtype='int32', out=o)", "nd.cast(x, dtype='int32', out=nd.zeros((2,3), dtype='int32'))",
    "nd.zeros_like(x, out=o)", "nd.random.uniform(5, 5, shape=(2,3), out=o)", "nd.random.uniform(5, 5, out=o)",
    "nd.reshape(x, shape=(3,2), out=o)", "nd.transpose(x, out=o)", "nd.topk(x, k=1, out=o)",
    "nd.scatter_nd(nd.array([1.,2.]), nd.array([[0,0],[1,1]]), shape=(2,3), out=o)",
    "nd.gather_nd(x, nd.array([[0,1],[0,1]]), out=o)", "nd.one_hot(nd.array([0,1]), 3, out=o)",
    "nd.clip(x, 0, .5, out=o)", "nd.Activation(x, act_type='tanh', out=x)",
    "nd.FullyConnected(x, y, no_bias=True, num_hidden=2, out=o)", "nd.elemwise_add(x, y, out=y)",
    "nd.sgd_update(x, y, lr=.1, out=o)", "nd.where(x > 0, x, y, out=o)", "nd.norm(x, out=o)",
    "nd.stack(x, y, out=o)", "nd.SequenceMask(x, out=o)", "nd.maximum(x, y)", "nd.full((2,3), 5, out=o)",
    "nd.arange(6, out=o)", "nd.eye(2, 3, out=o)", "nd.add_n(x, y, out=o)",
    "nd.contrib.index_copy(x, nd.array([0]), y[0:1], out=o)",
]  # fmt: skip
_NUMPY_OUT = [
    "np.add(x, y, out=o)", "np.dot(x, y.T, out=o)", "np.sum(x, axis=0, out=o)", "np.exp(x, out=x)",
    "np.concatenate([x, y], out=o)", "np.mean(x, 0, out=o)", "np.matmul(x, y.T, out=o)", "np.maximum(x, 0, out=o)",
    "np.clip(x, 0, .5, out=o)", "np.argmax(x, 1, out=o)", "np.stack([x, y], out=o)", "np.cumsum(x, 0, out=o)",
    "np.multiply(x, 2, out=o)", "np.power(x, 2, out=x)", "np.greater(x, y, out=o)", "np.where(x > 0, x, y)",
    "np.tensordot(x, y, 2)", "np.sqrt(np.abs(x), out=o)", "np.add(x, y[0], out=x)", "np.add(x[0], y, out=o)",
    "np.std(x, out=o)", "np.sign(x, o)", "np.around(x, 1, out=o)", "np.max(x, 0, out=o)",
    "np.take(x, np.array([0]), out=o)",
]  # fmt: skip
#: Operators on ``x`` of shape (0, 3).
_OF_NOTHING = [
    "nd.mean(x)", "nd.mean(x, axis=0)", "nd.mean(x, axis=1)", "nd.sum(x, axis=0)", "nd.max(x, axis=0)", "nd.min(x)",
    "nd.prod(x, axis=0)", "nd.nansum(x)", "nd.norm(x)", "nd.norm(x, axis=0)", "nd.argmax(x, axis=0)",
    "nd.softmax(x)", "nd.topk(x)", "nd.sort(x)", "nd.dot(x, nd.ones((3,2)))", "nd.dot(x.T, x)",
    "nd.FullyConnected(x, nd.ones((2,3)), nd.zeros((2,)), num_hidden=2)", "nd.concat(x, x, dim=1)",
    "nd.Embedding(x, nd.ones((4,2)), 4, 2)", "nd.take(nd.ones((3,2)), x)", "nd.one_hot(x, 3)",
    "nd.pick(nd.ones((0,3)), nd.zeros((0,)))",
    "nd.BatchNorm(x, nd.ones((3,)), nd.zeros((3,)), nd.zeros((3,)), nd.ones((3,)))", "nd.moments(x, axes=(0,))",
    "nd.broadcast_add(x, nd.ones((1,3)))", "nd.SoftmaxOutput(x, nd.zeros((0,)))", "nd.Dropout(x)",
    "nd.where(x, x, x)", "nd.clip(x, 0, 1)", "nd.linalg.gemm2(x, nd.ones((3,2)))", "nd.transpose(x)",
    "nd.tile(x, (2,2))", "nd.L2Normalization(x)", "nd.LayerNorm(x, nd.ones((3,)), nd.zeros((3,)))",
    "nd.batch_dot(nd.ones((2,0,3)), nd.ones((2,3,4)))", "nd.batch_dot(nd.ones((2,4,0)), nd.ones((2,0,3)))",
    "nd.dot(nd.ones((2,0)), nd.ones((0,3)))", "nd.argsort(x)", "nd.cumsum(x, axis=0)", "nd.smooth_l1(x, scalar=1.)",
    "nd.SequenceMask(nd.ones((0,3)))", "nd.repeat(x, 2, axis=1)", "nd.stack(x, x)",
    "nd.slice(nd.ones((2,3)), (0,0), (0,3))", "nd.slice(nd.ones((2,3)), (1,), (1,))", "nd.mean(x, axis=(0,1))",
    "nd.square(x).mean(axis=0, exclude=True)", "nd.contrib.boolean_mask(nd.ones((2,3)), nd.zeros((2,)))",
]  # fmt: skip
_NUMPY_OF_NOTHING = [
    "np.mean(x)", "np.mean(x, 0)", "np.mean(x, 1)", "np.sum(x, 0)", "np.max(x, 0)", "np.min(x)", "np.prod(x, 0)",
    "np.std(x, 0)", "np.var(x, 1)", "np.argmax(x, 0)", "npx.softmax(x)", "np.sort(x)", "np.dot(x, np.ones((3,2)))",
    "np.dot(np.ones((2,0)), np.ones((0,3)))", "np.matmul(np.ones((2,4,0)), np.ones((2,0,3)))",
    "np.einsum('ij,jk', np.ones((2,0)), np.ones((0,3)))", "np.tensordot(np.ones((2,0)), np.ones((0,3)), 1)",
    "np.linalg.norm(x)", "np.average(x)", "np.median(x)", "np.cumsum(x)", "np.diff(x)", "np.unique(x)",
    "np.nonzero(x)", "np.concatenate([x, np.ones((1,3))])", "np.all(x)", "np.any(x)", "np.trace(np.ones((0,0)))",
    "np.histogram(x)", "np.linalg.inv(np.ones((0,2,2)))", "np.linalg.det(np.ones((0,2,2)))", "np.percentile(x, 50)",
    "np.ravel(x)", "np.outer(x, np.ones(2))", "np.where(x > 0, x, 1.)", "np.isnan(x)",
    "np.bincount(np.array([], dtype='int32'))", "np.split(x, 3, 1)", "np.linspace(0, 1, 0)", "np.arange(3, 1)",
    "np.eye(0)", "np.full((0,2), 3)", "np.random.uniform(size=(0,2))",
    "npx.one_hot(np.array([], dtype='int32'), 3)", "npx.pick(np.ones((0,3)), np.array([]))", "npx.topk(x)",
    "npx.embedding(np.array([]), np.ones((3,2)), 3, 2)", "np.dot(np.array([]), np.array([]))",
    "np.inner(np.array([]), np.array([]))",
]  # fmt: skip
#: Operators on 1, 2, 3 of every type.
_OF_INTEGERS = [
    "nd.clip(x, -300, 300)", "nd.clip(x, 2.5, 3.5)", "nd.clip(x, 5, 1)", "nd.sum(x)", "nd.mean(x)", "nd.prod(x)",
    "nd.norm(x)", "nd.max(x)", "nd.dot(x, x)", "nd.square(x)", "nd.sqrt(x)", "nd.exp(x)", "x / 2", "x % 3", "-x",
    "nd.abs(-x)", "nd.round(x)", "nd.one_hot(x, 4)", "nd.repeat(x, 2)", "nd.cumsum(x, axis=0)",
    "nd.smooth_l1(x, scalar=1.)", "nd.softmax(x)", "nd.relu(x)", "nd.logical_not(x)", "nd.sign(x)",
    "nd.reciprocal(x)", "nd.where(x, x, x+1)", "nd.topk(x, k=2, ret_typ='value')", "nd.argmax(x, axis=0)",
    "nd.mean(x, axis=0, keepdims=True)", "nd.elemwise_div(x, x)", "nd.broadcast_power(x, x)", "nd.power(2, x)",
    "nd.arccosh(x)", "nd.log1p(x)", "nd.gamma(x)", "nd.erfinv(x)", "nd.L2Normalization(x.reshape((1,3)))",
    "nd.batch_dot(x.reshape((1,1,3)), x.reshape((1,3,1)))",
    "nd.FullyConnected(x.reshape((1,3)), x.reshape((1,3)), no_bias=True, num_hidden=1)",
    "nd.Activation(x, act_type='softrelu')", "nd.LeakyReLU(x-2, slope=.5)", "nd.moments(x, axes=(0,))",
    "nd.hard_sigmoid(x)", "nd.add_n(x, x)", "nd.depth_to_space(x.reshape((1,1,1,3)), 1)",
    "nd.Pad(x.reshape((1,1,1,3)), mode='reflect', pad_width=(0,0,0,0,0,0,1,1))",
    "nd.SequenceMask(x, nd.array([1]), use_sequence_length=False, value=300)", "nd.diag(x)",
    "nd.unravel_index(x, shape=(2,2))", "nd.gather_nd(x, nd.array([[0,2]]))",
    "nd.scatter_nd(x, nd.array([[0,0,1]]), shape=(3,))", "nd.take(nd.arange(4), x)",
]  # fmt: skip
#: Operators on ``x`` of shape (2, 3) at two indices ``i``.
_AT_INDICES = [
    "nd.take(x, i)", "nd.take(x, i, mode='wrap')", "nd.pick(x, i)", "nd.pick(x, i, mode='wrap', axis=0)",
    "nd.one_hot(i, 3)", "nd.Embedding(i, x, 2, 3)", "nd.SequenceLast(x, i, use_sequence_length=True)",
    "nd.SequenceMask(x, i, use_sequence_length=True)", "nd.SequenceReverse(x, i, use_sequence_length=True)",
    "nd.contrib.boolean_mask(x, i)", "nd.where(i, x, -x)", "nd.scatter_nd(x[:,0], i.reshape((1,2)), shape=(2,))",
    "nd.gather_nd(x, i.reshape((2,1)))", "nd.batch_take(x, i)", "nd.contrib.index_copy(x, i, x*2)",
    "nd.ravel_multi_index(i.reshape((2,1)), shape=(2,3))", "nd.unravel_index(i, shape=(2,3))",
    "nd.SoftmaxOutput(x, i)", "nd.softmax_cross_entropy(x, i)", "nd.softmax(x, i.astype('int32'), use_length=True)",
    "nd.CTCLoss(nd.ones((2,2,3)), i.reshape((2,1)))", "nd.contrib.index_array(x)", "nd.SVMOutput(x, i)",
    "nd.khatri_rao(x, x)",
    "nd.ROIPooling(x.reshape((1,1,2,3)), nd.array([[0,0,0,1,1]]), pooled_size=(1,1), spatial_scale=1.)",
    "nd.contrib.ROIAlign(x.reshape((1,1,2,3)), nd.array([[0,0,0,1,1]]), pooled_size=(2,2), spatial_scale=1.)",
    "nd.BilinearSampler(x.reshape((1,1,2,3)), nd.array(R(1,2,2,2)*3))",
    "nd.GridGenerator(nd.array([[1,0,5,0,1,0]]), 'affine', (2,2))",
    "nd.SpatialTransformer(x.reshape((1,1,2,3)), nd.array([[1,0,9,0,1,0]]), (2,2), 'affine', 'bilinear')",
    "nd.contrib.box_iou(x[:,:2].tile((1,2)), x[:,:2].tile((1,2)))",
]  # fmt: skip
_INDICES = [
    ("[0,1]", "uint8"), ("[1,0]", "float16"), ("[1,2]", "int64"), ("[0,0]", "int32"), ("[2,7]", "float64"),
    ("[1,1]", "int8"),
]  # fmt: skip
#: Runs a call, and computes the gradients of its floating-point results.
GRADIENTS = """
def go(call, *xs):
    def f():
        for x in xs: x.attach_grad()
        with autograd.record():
            y = call(*xs); ys = list(y) if isinstance(y, (list, tuple)) else [y]
            ys = [t for t in ys if t.dtype in (onp.float32, onp.float64, onp.float16)]
            l = sum((t * t * (i + 2)).sum() for i, t in enumerate(ys)) if ys else None
        if l is None: return [y]
        l.backward(); return [y] + [x.grad.copy() for x in xs]
    tr(f)
"""
_NP = "npx.set_np()\n"
_NET = """class N(gluon.HybridBlock):
    def hybrid_forward(self, F, x, i): return {call}
n = N(); n.hybridize()
tr(lambda: n(x, i))"""


def _axes(rng: random.Random) -> Iterator[tuple[str, str]]:
    for start, array, calls, axes, shapes in (
        ("", "nd", _OF_AXES, _AXES, _SHAPES),
        (_NP, "np", _NUMPY_OF_AXES, [*_AXES[:-1], "(0,-1)", "()"], [*_SHAPES, "()"]),
    ):
        for call in calls:
            for shape in rng.sample(shapes, 3):
                line = call.replace("{a}", rng.choice(axes))
                made = f"x = {array}.array(R(*{shape}))\n"
                yield f"{line} of {shape}", f"{start}{GRADIENTS}{made}go(lambda x: {line}, x)\ntr(lambda: {line})"


def _keys(rng: random.Random) -> Iterator[tuple[str, str]]:
    for start, array, keys, values in ((_NP, "np", _KEYS, _VALUES), ("", "nd", _LEGACY_KEYS, _LEGACY_VALUES)):
        made = f"x = {array}.array(R(2,3,4))\n"
        for key in keys:
            value = rng.choice(values)
            yield f"get {array} {key}", f"{start}{GRADIENTS}{made}put(x[{key}])\ngo(lambda x: x[{key}], x)"
            yield f"set {array} {key} to {value}", f"{start}{made}x[{key}] = {value}\nput(x)"
            yield f"add to {array} {key}", f"{start}{made}x[{key}] += 2\nput(x)"


def _out() -> Iterator[tuple[str, str]]:
    for start, array, calls in (("", "nd", _OUT), (_NP, "np", _NUMPY_OUT)):
        for call in calls:
            for o in ("ones((2,3))", "ones((3,))", "ones((2,3), dtype='float64')"):
                made = f"x, y, o = {array}.array(R(2,3)), {array}.array(R(2,3)+.5), {array}.{o}\n"
                yield f"{call} with {o}", f"{start}{made}r = {call}\nput(r, x, y, o)\ntr(lambda: r is o)"


def _nothing() -> Iterator[tuple[str, str]]:
    for call in _OF_NOTHING:
        lines = f"x = nd.zeros((0,3)); tr(lambda: {call}); go(lambda x: {call}, x)"
        yield f"{call} of nothing", f"{GRADIENTS}with mx.util.np_shape(True): {lines}"
    for call in _NUMPY_OF_NOTHING:
        lines = f"x = np.zeros((0,3)); tr(lambda: {call}); go(lambda x: {call}, x)"
        yield f"{call} of nothing", f"{_NP}{GRADIENTS}{lines}"


def _integers(rng: random.Random) -> Iterator[tuple[str, str]]:
    for dtype in ("int64", "int32", "uint8", "int8", "float16", "float64"):
        for call in rng.sample(_OF_INTEGERS, len(_OF_INTEGERS) // 2):
            yield f"{call} of {dtype}", f"x = nd.array([1,2,3], dtype='{dtype}')\ntr(lambda: {call})"


def _indices(rng: random.Random) -> Iterator[tuple[str, str]]:
    for call in _AT_INDICES:
        for values, dtype in rng.sample(_INDICES, 4):
            made = f"x, i = nd.array(R(2,3)), nd.array({values}, dtype='{dtype}')\n"
            lines = f"{GRADIENTS}{made}tr(lambda: {call})\ngo(lambda x: {call}, x)\n"
            if not any(word in call for word in ("nd.array", "nd.ones", "x[")):
                lines += _NET.format(call=call.replace("nd.", "F."))
            yield f"{call} at {values} {dtype}", lines


def programs(seed: int = 77) -> dict[str, str]:
    """Return generated programs by their names."""
    rng = random.Random(seed)
    return dict([*_axes(rng), *_keys(rng), *_out(), *_nothing(), *_integers(rng), *_indices(rng)])
