"""Programs with sparse arrays and gradients; what is stored afterwards in MXNet and in d2lhybrid is compared.

Run as a program, ``python sparse_cases.py FILE``, it writes what MXNet makes of them to a file. Runs on Python 3.8.
"""

from __future__ import annotations

import itertools
import json
import os
import pickle
import sys
import tempfile

import numpy

FACTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden_data", "train", "sparse.json")

#: Name -> function of the package and of NDArrays, which returns arrays, or a list of them.
CASES = {}


def _case(name):
    def add(function):
        CASES[name] = function
        return function

    return add


def _cases(prefix, table):
    for name, function in table.items():
        CASES[f"{prefix}: {name}"] = function


def rows(nd, data=((1, 2), (0, 0), (5, 6)), indices=(0, 1, 3)):
    """Return an array of five rows, of which the second that is stored is zero."""
    return nd.sparse.row_sparse_array((numpy.array(data, "float32"), numpy.array(indices)), shape=(5, 2))


def other_rows(nd):
    """Return another one."""
    return rows(nd, ((0, 0), (7, 8)), (1, 4))


def matrix(nd):
    """Return a matrix in which zeros are stored."""
    return nd.sparse.csr_matrix(
        (numpy.array([1, 0, 3, 0], "float32"), numpy.array([0, 1, 2, 0]), numpy.array([0, 2, 3, 4])), shape=(3, 3)
    )


def _dense(nd):
    return nd.array(numpy.arange(10).reshape(5, 2))


def _square(nd):
    return nd.array(numpy.arange(9).reshape(3, 3))


def _set(array, value):
    array[:] = value
    return array


def _in_place(array, other, name):
    return getattr(array, name)(other)


# --- arrays ------------------------------------------------------------------------------------------

_cases(
    "made",
    {
        "rows": lambda mx, nd: rows(nd),
        "matrix": lambda mx, nd: matrix(nd),
        "rows out of order": lambda mx, nd: rows(nd, indices=(3, 0, 1)),
        "columns out of order": lambda mx, nd: nd.sparse.csr_matrix(([1.0, 2.0], [2, 0], [0, 2]), shape=(1, 3)),
        "of another": lambda mx, nd: [nd.sparse.row_sparse_array(rows(nd)), nd.sparse.csr_matrix(matrix(nd))],
        "nothing": lambda mx, nd: [nd.sparse.zeros("row_sparse", (2, 2)), nd.sparse.zeros("csr", (2, 2))],
    },
)
_cases(
    "copied",
    {
        "dense and back": lambda mx, nd: [
            rows(nd).tostype("default").tostype("row_sparse"),
            matrix(nd).tostype("default").tostype("csr"),
        ],
        "cast": lambda mx, nd: [
            rows(nd).tostype("row_sparse"),
            matrix(nd).tostype("csr"),
            nd.cast_storage(rows(nd), "row_sparse"),
            nd.cast_storage(matrix(nd), "csr"),
            nd.cast_storage(rows(nd), "default"),
        ],
        "copy": lambda mx, nd: [
            rows(nd).copy(),
            matrix(nd).copy(),
            rows(nd).detach(),
            nd.array(rows(nd)),
            nd.sparse.array(matrix(nd)),
            nd.identity(rows(nd)),
            nd.BlockGrad(matrix(nd)),
        ],
        "copyto": lambda mx, nd: [
            rows(nd).copyto(nd.sparse.zeros("row_sparse", (5, 2))),
            matrix(nd).copyto(nd.sparse.zeros("csr", (3, 3))),
            rows(nd).copyto(mx.cpu(1)),
            matrix(nd).as_in_context(mx.cpu(1)),
            rows(nd).copyto(nd.zeros((5, 2))),
            rows(nd).tostype("default").copyto(other_rows(nd)),
            matrix(nd).tostype("default").copyto(matrix(nd)),
        ],
        "astype": lambda mx, nd: [rows(nd).astype("float64"), matrix(nd).astype("float16"), rows(nd).astype("int32")],
        "pickled": lambda mx, nd: [pickle.loads(pickle.dumps(rows(nd))), pickle.loads(pickle.dumps(matrix(nd)))],
    },
)
_cases(
    "written",
    {
        "0": lambda mx, nd: _set(rows(nd), 0),
        "3": lambda mx, nd: _set(rows(nd), 3),
        "rows": lambda mx, nd: _set(rows(nd), other_rows(nd)),
        "dense rows": lambda mx, nd: _set(rows(nd), _dense(nd)),
        "NumPy": lambda mx, nd: [_set(rows(nd), numpy.eye(5, 2)), _set(matrix(nd), numpy.eye(3))],
        "matrix": lambda mx, nd: _set(nd.sparse.zeros("csr", (3, 3)), matrix(nd)),
        "dense matrix": lambda mx, nd: _set(matrix(nd), _square(nd)),
        "+=": lambda mx, nd: _in_place(rows(nd), other_rows(nd), "__iadd__"),
        "-=": lambda mx, nd: _in_place(rows(nd), other_rows(nd), "__isub__"),
        "*=": lambda mx, nd: [_in_place(rows(nd), 2, "__imul__"), _in_place(matrix(nd), 0, "__imul__")],
        "/=": lambda mx, nd: _in_place(rows(nd), 2, "__itruediv__"),
    },
)
_cases("arithmetic", {
    "rows + rows": lambda mx, nd: [rows(nd) + other_rows(nd), rows(nd) + rows(nd), nd.sparse.add(rows(nd), rows(nd))],
    "rows - rows": lambda mx, nd: [rows(nd) - other_rows(nd), rows(nd) - rows(nd)],
    "rows * rows": lambda mx, nd: [rows(nd) * other_rows(nd), rows(nd) * rows(nd),
                                   nd.elemwise_mul(rows(nd), other_rows(nd))],
    "rows and dense": lambda mx, nd: [rows(nd) + _dense(nd), rows(nd) - _dense(nd), rows(nd) * _dense(nd),
                                      nd.elemwise_mul(_dense(nd), rows(nd)), nd.sparse.multiply(_dense(nd), rows(nd))],
    "matrix and dense": lambda mx, nd: [matrix(nd) + _square(nd), matrix(nd) * _square(nd),
                                        nd.elemwise_mul(_square(nd), matrix(nd))],
    "numbers": lambda mx, nd: [x for a in (rows(nd), matrix(nd)) for x in (a * 2, a * 0, a / 2, a / 0, a + 0, a - 0,
                                                                          a + 1, a > 1, a == 1, a != 0)],
    "a row": lambda mx, nd: [matrix(nd) * nd.array([[0, 1, 2]]), matrix(nd) / nd.array([[0, 1, 2]]),
                             nd.broadcast_mul(matrix(nd), nd.array([[0], [1], [2]]))],
    "sums": lambda mx, nd: nd.add_n(rows(nd), other_rows(nd), rows(nd)),
    "functions": lambda mx, nd: [
        getattr(nd, name)(a) for name in ("abs", "floor", "negative", "relu", "sign", "sqrt", "square", "zeros_like",
                                          "tan", "exp") for a in (rows(nd), matrix(nd))
    ],
    "clip": lambda mx, nd: [nd.clip(rows(nd), -1, 1), nd.clip(rows(nd), 0, 0), nd.clip(matrix(nd), -1, 1)],
    "out": lambda mx, nd: [nd.square(rows(nd), out=other_rows(nd)), nd.relu(matrix(nd), out=matrix(nd)),
                           nd.elemwise_add(rows(nd), other_rows(nd), out=rows(nd))],
    "cut": lambda mx, nd: [nd.slice(matrix(nd), begin=(0, 0), end=(2, 2)), nd.slice(matrix(nd), begin=(1,), end=(3,)),
                           nd.slice(matrix(nd), begin=(0, 1), end=(3, 3)), matrix(nd)[0], matrix(nd)[0:2],
                           matrix(nd)[-1]],
    "joined": lambda mx, nd: nd.concat(matrix(nd), matrix(nd), dim=0),
    "products": lambda mx, nd: [
        nd.dot(matrix(nd), _square(nd)), nd.dot(matrix(nd), _square(nd), transpose_a=True),
        nd.dot(_square(nd), matrix(nd)[0:3]), nd.dot(_square(nd), matrix(nd), transpose_b=True),
        nd.dot(nd.ones((2, 2)), nd.sparse.csr_matrix(([1.0, 0.0], [0, 2], [0, 1, 2]), shape=(2, 4))),
        nd.dot(matrix(nd), nd.sparse.row_sparse_array(([[1.0, 2.0]], [1]), shape=(3, 2)), transpose_a=True),
        nd.dot(matrix(nd), nd.ones((3, 2)), transpose_a=True, forward_stype="default"),
    ],
    "retain": lambda mx, nd: [
        nd.sparse.retain(rows(nd), nd.array(wanted)) for wanted in ([1, 2], [3, 1], [1, 1], [0, 1, 2, 3, 4])
    ] + [nd.sparse.retain(nd.sparse.zeros("row_sparse", (5, 2)), nd.array([1]))],
    "norm clipped": lambda mx, nd: _clipped(mx, nd),
    "slices of a batch": lambda mx, nd: mx.gluon.utils.split_and_load(matrix(nd)[0:2], [mx.cpu(0), mx.cpu(1)]),
})  # fmt: skip


def _clipped(mx, nd):
    grads = [rows(nd), nd.ones((2,))]
    mx.gluon.utils.clip_global_norm(grads, 0.5)
    return grads


@_case("files")
def _(mx, nd):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.params")
        nd.save(path, {"rows": rows(nd), "matrix": matrix(nd), "order": rows(nd, indices=(3, 0, 1))})
        with open(path, "rb") as stream:
            written = stream.read().hex()
        loaded = nd.load(path)
    return [written] + [loaded[name] for name in ("rows", "matrix", "order")]


@_case("hybridized functions")
def _(mx, nd):
    found = []
    for compute in (
        lambda F, x: F.sqrt(x * 2), lambda F, x: F.relu(x) * 0, lambda F, x: F.sign(F.cast_storage(x, "default")),
        lambda F, x: F.cast_storage(F.exp(x), "row_sparse"), lambda F, x: F.elemwise_add(x, F.square(x)),
    ):  # fmt: skip
        net = mx.gluon.nn.HybridLambda(compute)
        net.hybridize()
        found += [net(rows(nd)), net(other_rows(nd))]
    return found


# --- gradients ---------------------------------------------------------------------------------------


def _embedding(mx, hybridized, size=5):
    net = mx.gluon.nn.Embedding(size, 2, sparse_grad=True)
    net.initialize(mx.init.One())
    if hybridized:
        net.hybridize(**({} if hybridized is True else {"static_alloc": True, "static_shape": True}))
    return net


def _back(mx, net, compute):
    with mx.autograd.record():
        loss = compute(net)
    loss.backward()
    return net.weight.grad()


_MASK = [[1], [1], [0]]
#: Name -> what is computed of an embedding.
_LOSSES = {
    "masked": lambda nd, e: (e(nd.array([3, 1, 3])) * nd.array(_MASK)).sum(),
    "times 0": lambda nd, e: (e(nd.array([3, 1])) * 0).sum(),
    "twice": lambda nd, e: (e(nd.array([3, 1])) * 0 + e(nd.array([[4, 0]]))).sum(),
    "one not used": lambda nd, e: (e(nd.array([3, 1])), e(nd.array([4])) * 2)[1].sum(),
    "one blocked": lambda nd, e: nd.BlockGrad(e(nd.array([3, 1]))).sum() + e(nd.array([4])).sum(),
    "a part": lambda nd, e: e(nd.array([3, 1])).slice_axis(axis=0, begin=0, end=1).sum(),
    "fractions": lambda nd, e: e(nd.array([3.7, 1.2])).sum(),
    "not a number": lambda nd, e: (e(nd.array([3, float("nan")])) * nd.array([[1], [0]])).sum(),
    "integers": lambda nd, e: (e(nd.array([3, 1], dtype="int32")) * 0).sum(),
    "used densely, too": lambda nd, e: (e(nd.array([3, 1])) * nd.array([[1], [0]])).sum() + (
        e.weight.data() * nd.array([[1, 0], [0, 0], [0, 0], [0, 0], [0, 0]])
    ).sum(),
    "tied": lambda nd, e: nd.FullyConnected(
        e(nd.array([3, 1])) * nd.array([[1], [0]]), e.weight.data(), num_hidden=5, no_bias=True
    ).sum(),
}  # fmt: skip
for _name, _loss in _LOSSES.items():
    for _hybridized in (False, True, "static"):
        if (_hybridized, _name) == ("static", "one blocked"):
            continue  # there MXNet goes back with zeros from a call that no gradient arrives at
        CASES[f"embedding, {_hybridized}, {_name}"] = lambda mx, nd, hybridized=_hybridized, loss=_loss: _back(
            mx, _embedding(mx, hybridized), lambda net: loss(nd, net)
        )


@_case("embedding, one after the other")
def _(mx, nd):
    found = []
    for hybridized in (False, True):
        net = _embedding(mx, hybridized)
        net(nd.array([1]))
        found.append(net.weight.grad().copy())
        found.append(_back(mx, net, lambda e: (e(nd.array([3, 1])) * 0).sum()).copy())
        found.append(_back(mx, net, lambda e: e(nd.array([4])).sum()).copy())
        net.weight.zero_grad()
        found.append(net.weight.grad().copy())
    return found


@_case("embedding, autograd.grad")
def _(mx, nd):
    found = []
    for hybridized, again in itertools.product((False, True), (False, True)):
        net = _embedding(mx, hybridized)
        net(nd.array([1]))
        with mx.autograd.record():
            loss = (net(nd.array([3, 1])) ** 2 * nd.array([[1], [0]])).sum()
            found += mx.autograd.grad(loss, net.weight.data(), create_graph=again)
    return found


def _nets(mx):
    gluon = mx.gluon

    class Net(gluon.HybridBlock):
        def __init__(self, compute):
            super().__init__()
            self.compute = compute
            with self.name_scope():
                self.e = gluon.nn.Embedding(5, 2, sparse_grad=True)
                self.d = gluon.nn.Dense(1, flatten=False)

        def hybrid_forward(self, F, x):
            return self.compute(F, self.e, self.d, x)

    return Net


_NETS = {
    "computed": lambda F, e, d, x: d(e(F.floor(x / 2))),
    "two": lambda F, e, d, x: e(x) + e(x + 1) * 0,
    "a slice": lambda F, e, d, x: d(e(F.slice_axis(x, axis=1, begin=0, end=1))),
    "two outputs": lambda F, e, d, x: (e(x), e(x + 1)),
    "masked": lambda F, e, d, x: F.broadcast_mul(e(x), F.expand_dims(x > 1, axis=-1)),
    "a sequence": lambda F, e, d, x: F.SequenceMask(e(x), F.zeros((2,)), use_sequence_length=True),
    "blocked": lambda F, e, d, x: F.BlockGrad(e(x)).sum() + e(F.zeros((1,))).sum(),
    "one of two branches": lambda F, e, d, x: F.contrib.cond(F.sum(x) > 99, lambda: e(x), lambda: e(x * 0 + 4)),
    "one of two branches, 0": lambda F, e, d, x: F.contrib.cond(F.sum(x) > 5, lambda: e(x), lambda: e(x * 0 + 4)) * 0,
}  # fmt: skip


def _net(mx, nd, compute, hybridized):
    net = _nets(mx)(compute)
    net.initialize(mx.init.One())
    if hybridized:
        net.hybridize()
    found = []
    for batch in ([[3, 1], [2, 0]], [[1, 1], [1, 1]]):
        with mx.autograd.record():
            y = net(nd.array(batch))
            loss = (y[0] if isinstance(y, (tuple, list)) else y).sum()
        loss.backward()
        found.append(net.e.weight.grad().copy())
    return found


for _name, _compute in _NETS.items():
    for _hybridized in (False, True):
        CASES[f"net, {_hybridized}, {_name}"] = lambda mx, nd, compute=_compute, hybridized=_hybridized: _net(
            mx, nd, compute, hybridized
        )


def _lookup(nd, w, indices=(1, 2)):
    return nd.Embedding(nd.array(indices), w, input_dim=3, output_dim=2, sparse_grad=True) * nd.array([[1], [0]])


def _of_array(mx, nd, compute, array=None, stype: str | None = "row_sparse"):
    w = nd.array(numpy.arange(1, 7).reshape(3, 2)) if array is None else array
    w.attach_grad(stype=stype)
    with mx.autograd.record():
        loss = compute(nd, w)
    loss.backward()
    return w.grad


def _two_rows(nd):
    return nd.sparse.csr_matrix(([0.0, 1.0], [0, 1], [0, 1, 2]), shape=(2, 3))


def _full(nd):
    return nd.array(numpy.arange(1, 7).reshape(3, 2)).tostype("row_sparse")


_OF_ARRAYS = {
    "product": lambda nd, w: nd.sparse.dot(_two_rows(nd), w).sum(),
    "product, 0": lambda nd, w: (nd.sparse.dot(_two_rows(nd), w * 2) * 0).sum(),
    "product and lookup": lambda nd, w: (nd.sparse.dot(_two_rows(nd), w) * 0).sum() + _lookup(nd, w, (2, 2)).sum(),
    "dense": lambda nd, w: (w * nd.array([[1, 0], [0, 0], [0, 1]])).sum(),
    "contrib": lambda nd, w: (
        nd.contrib.SparseEmbedding(nd.array([1, 2]), w, input_dim=3, output_dim=2) * nd.array([[1], [0]])
    ).sum(),
    "lookup and dense": lambda nd, w: _lookup(nd, w).sum() + (w * nd.array([[1, 0], [0, 0], [0, 0]])).sum(),
    "w * 2": lambda nd, w: _lookup(nd, w * 2).sum(), "w * 0": lambda nd, w: _lookup(nd, w * 0).sum(),
    "-w": lambda nd, w: _lookup(nd, -w).sum(), "w / 2": lambda nd, w: _lookup(nd, w / 2).sum(),
    "w + 1": lambda nd, w: _lookup(nd, w + 1).sum(), "1 - w": lambda nd, w: _lookup(nd, 1 - w).sum(),
    "w + w": lambda nd, w: _lookup(nd, w + w).sum(),
    "w + dense": lambda nd, w: _lookup(nd, w + nd.ones((3, 2))).sum(),
    "elemwise_add": lambda nd, w: _lookup(nd, nd.elemwise_add(w, nd.ones((3, 2)))).sum(),
    "w * dense": lambda nd, w: _lookup(nd, w * nd.ones((3, 2))).sum(),
    "copied": lambda nd, w: _lookup(nd, nd.identity(w.copy())).sum(),
    "cast": lambda nd, w: _lookup(nd, w.astype("float32")).sum(),
    "stored as rows": lambda nd, w: _lookup(nd, nd.cast_storage(w, "row_sparse")).sum(),
    "square": lambda nd, w: _lookup(nd, nd.square(w)).sum(), "exp": lambda nd, w: _lookup(nd, nd.exp(w)).sum(),
    "relu": lambda nd, w: _lookup(nd, nd.relu(w)).sum(), "clip": lambda nd, w: _lookup(nd, nd.clip(w, -1, 9)).sum(),
    "reshape": lambda nd, w: _lookup(nd, w.reshape((3, 2))).sum(), "w[0:3]": lambda nd, w: _lookup(nd, w[0:3]).sum(),
    "not reached": lambda nd, w: nd.BlockGrad(w).sum() + 0 * nd.sum(w),
}  # fmt: skip
for _name, _loss in _OF_ARRAYS.items():
    CASES[f"array, {_name}"] = lambda mx, nd, loss=_loss: _of_array(mx, nd, loss)
_cases(
    "array of rows",
    {
        "lookup": lambda mx, nd: _of_array(mx, nd, lambda nd, w: _lookup(nd, w).sum(), _full(nd)),
        "w * 2": lambda mx, nd: _of_array(mx, nd, lambda nd, w: _lookup(nd, w * 2).sum(), _full(nd)),
        "retain": lambda mx, nd: _of_array(
            mx, nd, lambda nd, w: (nd.sparse.retain(w, nd.array([1, 2])) * nd.array([[0], [1], [0]])).sum(), _full(nd)
        ),
        "product": lambda mx, nd: _of_array(
            mx, nd, lambda nd, w: (nd.sparse.dot(_two_rows(nd), w) * 0).sum(), _full(nd)
        ),
        "product, dense gradient": lambda mx, nd: _of_array(
            mx, nd, lambda nd, w: nd.sparse.dot(_two_rows(nd), w).sum(), None, None
        ),
    },
)


def _refused(mx, nd, indices, dtype="float32", contrib=False, stored=False):
    """Return what a lookup beyond the rows says."""
    w = nd.ones((3, 2))
    w = w.tostype("row_sparse") if stored else w
    w.attach_grad(stype="row_sparse")
    kind = {} if contrib else {"sparse_grad": True}
    try:
        with mx.autograd.record():
            y = (nd.contrib.SparseEmbedding if contrib else nd.Embedding)(
                nd.array(indices, dtype=dtype), w, input_dim=3, output_dim=2, **kind
            )
            loss = y.sum()
        y.wait_to_read()
        loss.backward()
        return w.grad.asnumpy().tolist()
    except mx.base.MXNetError as error:
        return _last(error)


def _last(error):
    """Return what an error says, without the place in MXNet's source."""
    text = str(error)
    return text[max(text.find("Check failed"), 0) :].splitlines()[0]


_cases("beyond the rows", {
    "size": lambda mx, nd: _refused(mx, nd, [1, 3]),
    "below 0": lambda mx, nd: [_refused(mx, nd, [1, -1]), _refused(mx, nd, [1, -0.5])],
    "fractions": lambda mx, nd: [_refused(mx, nd, [1, 2.9]), _refused(mx, nd, [1, 1.9])],
    "infinite": lambda mx, nd: [_refused(mx, nd, [1, float("inf")]), _refused(mx, nd, [1, 2.0**31])],
    "integers": lambda mx, nd: [
        _refused(mx, nd, [1, -1], "int32"), _refused(mx, nd, [1, 3], "int64"), _refused(mx, nd, [1, 200], "uint8"),
    ],
    "contrib": lambda mx, nd: _refused(mx, nd, [1, 3], contrib=True),
    "rows": lambda mx, nd: _refused(mx, nd, [1, 3], stored=True),
    "hybridized": lambda mx, nd: _refused_by_a_net(mx, nd),
    "a block": lambda mx, nd: _refused_by_a_block(mx, nd),
    "forward alone": lambda mx, nd: _embedding(mx, False)(nd.array([3, 5, -1])),
})  # fmt: skip


def _refused_by_a_net(mx, nd):
    net = _embedding(mx, True)
    try:
        return _back(mx, net, lambda e: e(nd.array([3, 5])).sum()).asnumpy().tolist()
    except mx.base.MXNetError as error:
        return _last(error)


def _refused_by_a_block(mx, nd):
    net = mx.gluon.contrib.nn.SparseEmbedding(5, 2)
    net.initialize(mx.init.One())
    mx.gluon.Trainer(net.collect_params(), "sgd")
    try:
        return net(nd.array([1, 7])).asnumpy().tolist()
    except mx.base.MXNetError as error:
        return _last(error)


def _says(mx, call):
    try:
        return call()
    except Exception as error:
        return [type(error).__name__, _last(error)]


_cases(
    "refused",
    {
        "reshape": lambda mx, nd: [
            _says(mx, lambda: matrix(nd).reshape((9,))),
            _says(mx, lambda: rows(nd).reshape(-1)),
        ],
        "check_format": lambda mx, nd: [
            _says(mx, lambda: rows(nd, indices=(3, 0, 1)).check_format()),
            _says(mx, lambda: rows(nd, indices=(1, 1, 3)).check_format()),
            _says(mx, lambda: nd.sparse.csr_matrix(([1.0, 2.0], [2, 0], [0, 2]), shape=(1, 3)).check_format()),
            _says(mx, lambda: [rows(nd).check_format(), matrix(nd).check_format()]),
        ],
    },
)


# --- updates -----------------------------------------------------------------------------------------


def _weight(nd):
    return nd.array(numpy.arange(1.0, 9.0).reshape(4, 2))


def _gradients(nd):
    make = lambda data, at: nd.sparse.row_sparse_array((numpy.array(data, "float32"), at), shape=(4, 2))  # noqa: E731
    return [make([[1, 2], [3, -4]], [1, 3]), make([[1, 2], [0, 0]], [1, 3]), make([[0, 0], [0, 0]], [0, 3])]


def _updated(mx, nd, name, settings, stored, half=False):
    optimizer = mx.optimizer.create(name, **dict({} if name == "adadelta" else {"learning_rate": 0.1}, **settings))
    optimizer.multi_precision = half
    updater = mx.optimizer.get_updater(optimizer)
    weight = _weight(nd).astype("float16" if half else "float32")
    weight = weight.tostype("row_sparse") if stored else weight
    for gradient in _gradients(nd):
        updater(0, gradient.astype("float16") if half else gradient, weight)
    states = updater.states[0]
    return [weight] + [s for s in (states if isinstance(states, (tuple, list)) else [states]) if hasattr(s, "stype")]


_OPTIMIZERS = [
    ("sgd", {}), ("sgd", {"wd": 0.1}), ("sgd", {"momentum": 0.9}),
    ("sgd", {"momentum": 0.9, "wd": 0.1, "clip_gradient": 0.5}),
    ("sgd", {"momentum": 0.9, "wd": 0.1, "lazy_update": False}), ("sgd", {"wd": 0.1, "lazy_update": False}),
    ("ccsgd", {"momentum": 0.9, "wd": 0.1}), ("adam", {}), ("adam", {"wd": 0.1, "clip_gradient": 0.5}),
    ("adam", {"wd": 0.1, "lazy_update": False}), ("adagrad", {}), ("adagrad", {"clip_gradient": 0.5}),
    ("rmsprop", {}), ("rmsprop", {"wd": 0.1}), ("rmsprop", {"centered": True, "wd": 0.1}), ("ftrl", {}),
    ("ftrl", {"wd": 0.1}), ("nag", {}), ("nag", {"wd": 0.1}), ("nag", {"momentum": 0.9, "wd": 0.1}),
    ("signum", {"momentum": 0.9, "wd": 0.1}), ("signum", {"momentum": 0.0, "wd": 0.1}),
    ("signum", {"momentum": 0.9, "wd_lh": 0.1}), ("lars", {}), ("lars", {"momentum": 0.9, "wd": 0.1}),
    ("lars", {"momentum": 0.9, "wd": 0.1, "lazy_update": False}), ("lbsgd", {"wd": 0.1}),
    ("lbsgd", {"momentum": 0.9, "wd": 0.1, "batch_scale": 2}),
    ("lbsgd", {"momentum": 0.9, "wd": 0.1, "warmup_strategy": "lars"}), ("lamb", {"wd": 0.1}),
    ("adadelta", {"wd": 0.1}), ("adamax", {"wd": 0.1}), ("nadam", {"wd": 0.1}), ("ftml", {"wd": 0.1}),
    ("dcasgd", {"wd": 0.1}), ("groupadagrad", {}), ("groupadagrad", {"clip_gradient": 0.5}), ("test", {}),
]  # fmt: skip
for _name, _settings in _OPTIMIZERS:
    for _stored in (False, True):
        if (_name, _stored) == ("test", True) or (_name == "nag" and "momentum" in _settings and _stored):
            continue  # MXNet refuses the one, and computes the other from another old momentum than everywhere else
        CASES[f"updated, {_name}, {json.dumps(_settings, sort_keys=True)}, {_stored}"] = (
            lambda mx, nd, name=_name, settings=_settings, stored=_stored: _updated(mx, nd, name, settings, stored)
        )
for _name, _settings in [("sgd", {}), ("sgd", {"momentum": 0.9, "wd": 0.1}), ("adam", {"wd": 0.1})]:
    CASES[f"updated in half precision, {_name}, {json.dumps(_settings, sort_keys=True)}"] = (
        lambda mx, nd, name=_name, settings=_settings: _updated(mx, nd, name, settings, False, True)[:1]
    )


def _by_operator(nd, update, count, stored=False, **settings):
    weight, states = _weight(nd), [nd.ones((4, 2)) / 2 for _ in range(count)]
    if stored:
        weight, states = weight.tostype("row_sparse"), [nd.sparse.zeros("row_sparse", (4, 2)) for _ in states]
    update(weight, _gradients(nd)[1], *states, **{"lr": 0.1, "wd": 0.1, "out": weight, **settings})
    return [weight, *states]


_cases(
    "operator",
    {
        "sgd_update": lambda mx, nd: _by_operator(nd, nd.sgd_update, 0),
        "sgd_update, all": lambda mx, nd: _by_operator(nd, nd.sgd_update, 0, lazy_update=False),
        "sgd_mom_update": lambda mx, nd: _by_operator(nd, nd.sgd_mom_update, 1, momentum=0.9),
        "sgd_mom_update, all": lambda mx, nd: _by_operator(nd, nd.sgd_mom_update, 1, momentum=0.9, lazy_update=False),
        "sgd_mom_update, rows": lambda mx, nd: _by_operator(nd, nd.sgd_mom_update, 1, True, momentum=0.9),
        "adam_update": lambda mx, nd: _by_operator(nd, nd.adam_update, 2),
        "adam_update, all": lambda mx, nd: _by_operator(nd, nd.adam_update, 2, lazy_update=False),
        "adam_update, rows": lambda mx, nd: _by_operator(nd, nd.adam_update, 2, True),
        "ftrl_update": lambda mx, nd: _by_operator(nd, nd.ftrl_update, 2),
        "ftrl_update, rows": lambda mx, nd: _by_operator(nd, nd.ftrl_update, 2, True),
        "adagrad_update": lambda mx, nd: _by_operator(nd, nd.sparse.adagrad_update, 1, wd=0),
        "adagrad_update, rows": lambda mx, nd: _by_operator(nd, nd.sparse.adagrad_update, 1, True, wd=0),
        "adagrad_update, clipped": lambda mx, nd: _by_operator(
            nd, nd.sparse.adagrad_update, 1, wd=0, rescale_grad=0.5, clip_gradient=0.8, epsilon=0.1
        ),
        "rmsprop_update": lambda mx, nd: _by_operator(nd, nd.rmsprop_update, 1),
        "signsgd_update": lambda mx, nd: _by_operator(nd, nd.signsgd_update, 0),
    },
)


@_case("operator: group_adagrad_update")
def _(mx, nd):
    weight, history = _weight(nd), nd.ones((4, 1))
    nd.contrib.group_adagrad_update(weight, _gradients(nd)[1], history, lr=0.1, out=weight)
    return [weight, history]


# --- stores, trainers, modules -----------------------------------------------------------------------


def _four(nd, data, at):
    return nd.sparse.row_sparse_array((numpy.array(data, "float32"), numpy.array(at)), shape=(4, 2))


def _store(kind):
    def use(mx, nd):
        store = mx.kv.create(kind)
        first, second = _four(nd, [[1, 2], [0, 0]], [1, 2]), _four(nd, [[0, 0], [5, 6]], [0, 1])
        empty = lambda: nd.sparse.zeros("row_sparse", (4, 2))  # noqa: E731
        out = [empty() for _ in range(9)]
        store.init("a", first)
        store.row_sparse_pull("a", out=out[0], row_ids=nd.array([2, 1, 1]))
        store.row_sparse_pull("a", out=out[1], row_ids=nd.array([3]))
        store.pull("a", out=out[2], ignore_sparse=False)
        store.push("a", second)
        store.pull("a", out=out[3], ignore_sparse=False)
        store.push("a", [first, second])
        store.pull("a", out=out[4], ignore_sparse=False)
        store.init("b", _weight(nd).tostype("row_sparse"))
        store.row_sparse_pull("b", out=out[5:7], row_ids=[nd.array([1, 0]), nd.array([3, 3])])
        store.set_optimizer(mx.optimizer.SGD(learning_rate=0.1, wd=0.1, momentum=0.9))
        store.push("b", [first, second])
        store.push("b", second)
        store.pull("b", out=out[7], ignore_sparse=False)
        store.init("c", _weight(nd))
        store.push("c", [first, second])
        dense = nd.zeros((4, 2))
        store.pull("c", out=dense)
        return [*out, dense]

    return use


_cases("store", {kind: _store(kind) for kind in ("local", "device")})


def _trained(mx, nd, name, settings, count, **how):
    places = [mx.cpu(i) for i in range(count)]
    net = mx.gluon.nn.Embedding(5, 2, sparse_grad=True)
    net.initialize(mx.init.One(), ctx=places)
    trainer = mx.gluon.Trainer(net.collect_params(), name, dict({"learning_rate": 0.1}, **settings), **how)
    for mask in ([[1], [1]], [[1], [0]], [[1], [0]]):
        with mx.autograd.record():
            losses = [
                (net(nd.array([1, 3 - i], ctx=place)) * nd.array(mask, ctx=place)).sum()
                for i, place in enumerate(places)
            ]
        for loss in losses:
            loss.backward()
        trainer.step(1)
    return [net.weight.grad(place) for place in places] + [net.weight.data(place) for place in places]


for _name, _settings in (("adam", {}), ("sgd", {"momentum": 0.9, "wd": 0.1}), ("lars", {"momentum": 0.9, "wd": 0.1})):
    for _count in (1, 2):
        for _how in ({}, {"update_on_kvstore": False}, {"update_on_kvstore": True}, {"kvstore": None}):
            CASES[f"trainer, {_name}, {_count}, {json.dumps(_how)}"] = (
                lambda mx, nd, name=_name, settings=_settings, count=_count, how=_how: _trained(
                    mx, nd, name, settings, count, **how
                )
            )


@_case("bound")
def _(mx, nd):
    sym = mx.sym
    table = sym.Embedding(sym.var("x"), sym.var("w"), input_dim=5, output_dim=2, sparse_grad=True)
    symbol = sym.MakeLoss(sym.sum(sym.broadcast_mul(table, sym.var("m"))))
    arrays = {"x": nd.array([3, 1]), "w": nd.ones((5, 2)), "m": nd.array([[1], [0]])}
    requests = {"w": "write", "x": "null", "m": "null"}
    bound = symbol.bind(mx.cpu(), arrays, args_grad={"w": nd.sparse.zeros("row_sparse", (5, 2))}, grad_req=requests)
    made = symbol.simple_bind(mx.cpu(), x=(2,), m=(2, 1), grad_req=requests)
    for name, array in arrays.items():
        made.arg_dict[name][:] = array
    found = []
    for executor in (bound, made):
        executor.forward(is_train=True)
        executor.backward()
        found.append(executor.grad_dict["w"])
    return found


@_case("bound to a sparse matrix")
def _(mx, nd):
    sym, found = mx.sym, []
    for x, w, types in (
        (sym.var("x", stype="csr"), sym.var("w", stype="row_sparse"), {}),
        (sym.var("x", stype="csr"), sym.var("w"), {}),
        (sym.var("x"), sym.var("w"), {"stype_dict": {"x": "csr", "w": "row_sparse"}}),
    ):
        symbol = sym.MakeLoss(sym.sum(sym.sparse.dot(x, w)))
        bound = symbol.simple_bind(mx.cpu(), x=(2, 3), w=(3, 2), grad_req={"w": "write", "x": "null"}, **types)
        bound.arg_dict["x"][:] = _two_rows(nd)
        bound.arg_dict["w"][:] = nd.ones((3, 2))
        bound.forward(is_train=True)
        bound.backward()
        found += [bound.arg_dict["x"], bound.arg_dict["w"], bound.grad_dict["w"]]
    return found


def _module(mx, nd, name, settings, stype, store):
    sym = mx.sym
    w = sym.var("w", stype=stype) if stype else sym.var("w")
    table = sym.Embedding(sym.var("data"), w, input_dim=6, output_dim=3, sparse_grad=True)
    mean = sym.sum(sym.broadcast_mul(table, sym.expand_dims(sym.var("m"), axis=-1)), axis=1)
    symbol = sym.SoftmaxOutput(
        sym.FullyConnected(mean, num_hidden=2, name="fc"), sym.var("softmax_label"), name="softmax"
    )
    module = mx.mod.Module(symbol, data_names=["data", "m"], label_names=["softmax_label"])
    module.bind([("data", (2, 3)), ("m", (2, 3))], [("softmax_label", (2,))])
    module.init_params(
        arg_params={
            "w": nd.array(numpy.arange(18).reshape(6, 3) / 10.0), "fc_weight": nd.array([[0, 1, 2], [3, 4, 5]]) / 7,
            "fc_bias": nd.zeros((2,)),
        }
    )  # fmt: skip
    module.init_optimizer(
        kvstore=store, optimizer=name, optimizer_params=dict({"learning_rate": 0.1, "rescale_grad": 1.0}, **settings)
    )
    for step in range(3):
        data = [nd.array([[0, 1, 2 + step], [3, 1, 5]]), nd.array([[1, 1, 0], [1, 0, 0]])]
        module.forward(mx.io.DataBatch(data, [nd.array([0, 1])]), is_train=True)
        module.backward()
        module.update()
    return [module._exec_group.execs[0].grad_dict["w"], module.get_params()[0]["w"]]


for _name, _settings in (("adam", {}), ("sgd", {"momentum": 0.9, "wd": 0.1})):
    for _stype, _store_name in itertools.product((None, "row_sparse"), ("local", None)):
        CASES[f"module, {_name}, {_stype}, {_store_name}"] = (
            lambda mx, nd, name=_name, settings=_settings, stype=_stype, store=_store_name: _module(
                mx, nd, name, settings, stype, store
            )
        )


# --- matrices as data --------------------------------------------------------------------------------


@_case("data: a file")
def _(mx, nd):
    with tempfile.TemporaryDirectory() as folder:
        path = os.path.join(folder, "a.libsvm")
        with open(path, "w") as stream:
            stream.write("1 0:1 2:0\n0 1:0\n1 0:2 1:3\n0 2:1\n")
        batches = mx.io.LibSVMIter(data_libsvm=path, data_shape=(3,), batch_size=2)
        return [batch.data[0].copy() for batch in batches]


def _examples(nd):
    parts = ([1.0, 0.0, 3.0, 0.0, 2.0, 1.0], [0, 1, 2, 0, 3, 1], [0, 2, 3, 4, 6])
    return nd.sparse.csr_matrix(parts, shape=(4, 5))


def _regression(mx, nd, name, settings, stype):
    """Train a linear regression on a sparse matrix, as a module."""
    sym = mx.sym
    w = sym.var("w", stype=stype, shape=(5, 1)) if stype else sym.var("w", shape=(5, 1))
    y = sym.broadcast_add(sym.sparse.dot(sym.var("data", stype="csr"), w), sym.var("b", shape=(1,)))
    symbol = sym.LinearRegressionOutput(y, sym.var("label"))
    module = mx.mod.Module(symbol, data_names=["data"], label_names=["label"])
    labels = nd.array([[1], [0], [2], [1]])
    batches = mx.io.NDArrayIter(_examples(nd), labels, 2, last_batch_handle="discard", label_name="label")
    module.bind(batches.provide_data, batches.provide_label)
    module.init_params(arg_params={"w": nd.array([[1], [2], [3], [4], [5]]) / 5, "b": nd.zeros((1,))})
    module.init_optimizer(optimizer=name, optimizer_params=settings)
    for _ in range(2):
        batches.reset()
        for batch in batches:
            module.forward(batch)
            module.backward()
            module.update()
    executor = module._exec_group.execs[0]
    return [executor.grad_dict["w"], executor.arg_dict["data"], module.get_params()[0]["w"]]


_REGRESSIONS = [
    ("sgd", {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1}), ("adam", {"learning_rate": 0.1}),
    ("adagrad", {"learning_rate": 0.1}), ("ftrl", {"learning_rate": 0.1}),
]  # fmt: skip
for _name, _settings in _REGRESSIONS:
    for _stype in (None, "row_sparse"):
        CASES[f"regression, {_name}, {_stype}"] = lambda mx, nd, name=_name, settings=_settings, stype=_stype: (
            _regression(mx, nd, name, settings, stype)
        )


def _linear(mx, nd, name, settings, hybridized):
    """Train a block that multiplies a sparse matrix."""

    class Linear(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.w = self.params.get("w", shape=(5, 1), init="one", grad_stype="row_sparse")

        def hybrid_forward(self, F, x, w):
            return F.sparse.dot(x, w)

    net, x = Linear(), _examples(nd)
    net.initialize()
    if hybridized:
        net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), name, settings)
    for step in range(3):
        with mx.autograd.record():
            loss = (net(x[0:2] if step else x) * (step != 1)).sum()
        loss.backward()
        trainer.step(1)
    return [net.w.grad(), net.w.data()]


for _name, _settings in _REGRESSIONS[:2]:
    for _hybridized in (False, True):
        CASES[f"linear, {_name}, {_hybridized}"] = (
            lambda mx, nd, name=_name, settings=_settings, hybridized=_hybridized: _linear(
                mx, nd, name, settings, hybridized
            )
        )


def _factorization(mx, nd, name, settings):
    """Train a factorization machine as a module, which pulls the rows that a batch needs."""
    sym = mx.sym
    x = sym.var("data", stype="csr")
    v, w = sym.var("v", shape=(5, 2), stype="row_sparse"), sym.var("w", shape=(5, 1), stype="row_sparse")
    linear = sym.broadcast_add(sym.dot(x, w), sym.var("b", shape=(1,)))
    squares = sym._internal._square_sum(data=v, axis=1, keepdims=True)
    crossed = sym.FullyConnected(sym.dot(x, v), num_hidden=1, weight=sym.var("f"), no_bias=True)
    y = linear - 0.5 * sym.dot(x.square(), squares) + crossed
    module = mx.mod.Module(sym.LogisticRegressionOutput(y, sym.var("softmax_label")))
    batches = mx.io.NDArrayIter(_examples(nd), nd.array([1, 0, 1, 1]), 2, last_batch_handle="discard")
    module.bind(batches.provide_data, batches.provide_label)
    module.init_params(
        arg_params={
            "v": nd.array(numpy.arange(10).reshape(5, 2) / 10.0), "w": nd.ones((5, 1)), "b": nd.zeros((1,)),
            "f": nd.ones((1, 2)),
        }
    )  # fmt: skip
    module.init_optimizer(mx.kv.create("local"), name, settings)
    for _ in range(2):
        batches.reset()
        for batch in batches:
            rows = {"v": nd.arange(5), "w": nd.arange(5)}
            module.prepare(batch, sparse_row_id_fn=lambda _, rows=rows: rows)
            module.forward(batch)
            module.backward()
            module.update()
    grads = module._exec_group.execs[0].grad_dict
    return [grads["v"], grads["w"], module.get_params()[0]["v"], module.get_params()[0]["w"]]


for _name, _settings in _REGRESSIONS[:3]:
    CASES[f"factorization, {_name}"] = lambda mx, nd, name=_name, settings=_settings: _factorization(
        mx, nd, name, settings
    )


def _tied(mx, nd, hybridized):
    """Train a net whose last layer has the table of its first one."""
    nn = mx.gluon.nn

    class Tied(mx.gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.e = nn.Embedding(5, 2, sparse_grad=True)
                self.o = nn.Dense(5, in_units=2, flatten=False, params=self.e.params)

        def hybrid_forward(self, F, x, mask):
            return self.o(F.broadcast_mul(self.e(x), mask))

    net = Tied()
    net.initialize(mx.init.One())
    if hybridized:
        net.hybridize()
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
    weights = nd.array([[1, 0, 0, 0, 1], [1, 0, 0, 0, 1]])
    for _ in range(3):
        with mx.autograd.record():
            loss = (net(nd.array([1, 3]), nd.array([[1], [0]])) * weights).sum()
        loss.backward()
        trainer.step(1)
    return [net.e.weight.grad(), net.e.weight.data()]


def _shared(mx, nd, hybridized):
    """Train a table that two nets look up."""
    nn = mx.gluon.nn
    table = nn.Embedding(6, 2, sparse_grad=True)
    first, second = nn.HybridSequential(), nn.HybridSequential()
    first.add(table)
    second.add(table, nn.Dense(1, in_units=2, flatten=False))
    second.initialize(mx.init.One())
    if hybridized:
        first.hybridize()
        second.hybridize()
    trainer = mx.gluon.Trainer(second.collect_params(), "sgd", {"learning_rate": 0.1, "momentum": 0.9})
    for step in range(3):
        with mx.autograd.record():
            loss = first(nd.array([1, 3])).sum() * (step == 0) + second(nd.array([2, 5])).sum() * (step == 0)
        loss.backward()
        trainer.step(1)
    return [table.weight.grad(), table.weight.data()]


for _hybridized in (False, True):
    CASES[f"tied table, {_hybridized}"] = lambda mx, nd, hybridized=_hybridized: _tied(mx, nd, hybridized)
    CASES[f"shared table, {_hybridized}"] = lambda mx, nd, hybridized=_hybridized: _shared(mx, nd, hybridized)


@_case("gradients of several passes, added by the program")
def _(mx, nd):
    net = mx.gluon.nn.Embedding(6, 2, sparse_grad=True)
    net.initialize(mx.init.One())
    trainer = mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1})
    for step in range(2):
        total = None
        for indices in ([1, 3], [4, 3], [0, 0]):
            with mx.autograd.record():
                loss = (net(nd.array(indices)) * (step == 0 or indices[0] == 1)).sum()
            loss.backward()
            gradient = net.weight.grad().copy()
            total = gradient if total is None else total + gradient
        net.weight.grad()[:] = total
        trainer.step(1)
    return [net.weight.grad(), net.weight.data()]


# --- training ----------------------------------------------------------------------------------------


@_case("trained on from a file")
def _(mx, nd):
    """Save and load states and parameters between the steps."""

    def make():
        net = mx.gluon.nn.Embedding(5, 2, sparse_grad=True)
        net.initialize(mx.init.One())
        return net, mx.gluon.Trainer(net.collect_params(), "adam", {"learning_rate": 0.1, "wd": 0.01})

    net, trainer = make()
    with tempfile.TemporaryDirectory() as folder:
        for mask in ([[1], [1]], [[1], [0]], [[1], [0]]):
            with mx.autograd.record():
                loss = (net(nd.array([1, 3])) * nd.array(mask)).sum()
            loss.backward()
            trainer.step(1)
            net.save_parameters(os.path.join(folder, "net.params"))
            trainer.save_states(os.path.join(folder, "net.states"))
            net, trainer = make()
            net.load_parameters(os.path.join(folder, "net.params"))
            trainer.load_states(os.path.join(folder, "net.states"))
    return net.weight.data()


@_case("trained with a schedule and factors")
def _(mx, nd):
    net, dense = mx.gluon.nn.Embedding(5, 2, sparse_grad=True), mx.gluon.nn.Dense(1, in_units=2, flatten=False)
    parameters = mx.gluon.ParameterDict()
    for block in (net, dense):
        block.initialize(mx.init.One())
        parameters.update(block.collect_params())
    net.weight.lr_mult, net.weight.wd_mult = 2, 0.5
    schedule = mx.lr_scheduler.FactorScheduler(step=1, factor=0.5, base_lr=0.1)
    settings = {"learning_rate": 0.1, "momentum": 0.9, "wd": 0.1, "lr_scheduler": schedule}
    trainer = mx.gluon.Trainer(parameters, "sgd", settings)
    for mask in ([[1], [1]], [[1], [0]], [[1], [0]]):
        with mx.autograd.record():
            loss = (dense(net(nd.array([1, 3]))) * nd.array(mask)).sum()
        loss.backward()
        trainer.step(2)
    return [net.weight.data(), dense.weight.data()]


def _classifier(mx, nd, name, settings, hybridized):
    """Train a classifier of masked sequences; return its losses, and its table."""
    gluon, random = mx.gluon, numpy.random.RandomState(3)

    class Classifier(gluon.HybridBlock):
        def __init__(self):
            super().__init__()
            with self.name_scope():
                self.table = gluon.nn.Embedding(12, 4, sparse_grad=True)
                self.out = gluon.nn.Dense(3, in_units=4)

        def hybrid_forward(self, F, x, length):
            values = F.SequenceMask(F.transpose(self.table(x), axes=(1, 0, 2)), length, use_sequence_length=True)
            return self.out(F.broadcast_div(F.sum(values, axis=0), F.expand_dims(length, axis=1)))

    net = Classifier()
    net.initialize()
    net.table.weight.set_data(nd.array(random.normal(size=(12, 4))))
    net.out.weight.set_data(nd.array(random.normal(size=(3, 4))))
    if hybridized:
        net.hybridize()
    loss_of = gluon.loss.SoftmaxCrossEntropyLoss()
    trainer = gluon.Trainer(net.collect_params(), name, settings)
    losses = []
    for _ in range(6):
        x, length = nd.array(random.randint(0, 12, (4, 5))), nd.array(random.randint(1, 5, 4))
        label = nd.array(random.randint(0, 3, 4))
        with mx.autograd.record():
            loss = loss_of(net(x, length), label)
        loss.backward()
        trainer.step(4)
        losses.append(loss)
    return [*losses, net.table.weight.grad(), net.table.weight.data()]


for _name, _settings in [
    ("sgd", {"learning_rate": 0.5}), ("sgd", {"learning_rate": 0.5, "momentum": 0.9, "wd": 0.01}),
    ("adam", {"learning_rate": 0.05, "wd": 0.01}), ("adagrad", {"learning_rate": 0.3}),
    ("rmsprop", {"learning_rate": 0.05, "wd": 0.01}), ("ftrl", {"learning_rate": 0.3}),
    ("nag", {"learning_rate": 0.3, "momentum": 0.9}), ("lars", {"learning_rate": 9.0, "momentum": 0.5, "wd": 0.01}),
    ("lamb", {"learning_rate": 0.05}), ("signum", {"learning_rate": 0.02, "wd": 0.01}),
]:  # fmt: skip
    for _hybridized in (False, True):
        CASES[f"classifier, {_name}, {json.dumps(_settings, sort_keys=True)}, {_hybridized}"] = (
            lambda mx, nd, name=_name, settings=_settings, hybridized=_hybridized: _classifier(
                mx, nd, name, settings, hybridized
            )
        )


# --- what is compared --------------------------------------------------------------------------------


def described(value):
    """Return what is compared of an array: its storage type, what is stored, and the values."""
    if not hasattr(value, "stype"):
        return value
    if value.stype == "row_sparse":
        return ["row_sparse", value.indices.asnumpy().tolist(), value.data.asnumpy().tolist()]
    if value.stype == "csr":
        return ["csr", value.indptr.asnumpy().tolist(), value.indices.asnumpy().tolist(), value.data.asnumpy().tolist()]
    return ["default", value.asnumpy().tolist()]


def facts(mx, name):
    """Return what a case gives."""
    found = CASES[name](mx, mx.nd)
    return [described(one) for one in (found if isinstance(found, (list, tuple)) else [found])]


if __name__ == "__main__":
    import mxnet  # pyright: ignore[reportMissingImports]

    with open(sys.argv[1], "w") as stream:
        stream.write("{\n")
        lines = [f"{json.dumps(name)}: {json.dumps(facts(mxnet, name))}" for name in CASES]
        stream.write(",\n".join(lines) + "\n}\n")
