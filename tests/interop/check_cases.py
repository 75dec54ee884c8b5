"""Calls of the checks in ``mx.test_utils``, right and wrong ones; what MXNet and d2lhybrid make of them is compared.

Run as a program, ``python check_cases.py FILE``, it writes what MXNet makes of them to a file. Runs on Python 3.8.
"""

from __future__ import annotations

import json
import os
import re
import sys

import numpy

FACTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden_data", "text", "checks.json")

A, B = numpy.array([[0.5, -1.0], [2.0, 0.25]]), numpy.array([[1.5, 2.0], [-0.5, 1.0]])
ONES = numpy.ones((2, 2))


def _symbols(mx):
    x, y = mx.sym.var("x"), mx.sym.var("y")
    normal = mx.sym.BatchNorm(x, fix_gamma=False, name="bn")
    return {
        "x": x, "y": y, "sum": x + y, "product": x * y, "exp": mx.sym.exp(x, name="exp"), "normal": normal,
        "two": mx.sym.Group([x + y, x * y]), "blocked": mx.sym.BlockGrad(x, name="block"),
        "taken": mx.sym.take(x, y, name="take"), "np": x.as_np_ndarray() * y.as_np_ndarray(),
    }  # fmt: skip


def _calls(mx):
    """Return name -> call."""
    t, s, nd = mx.test_utils, _symbols(mx), mx.nd.array
    wide, half, double = numpy.ones((3, 2)), numpy.float16, numpy.float64
    states = {"bn_moving_mean": numpy.zeros(2), "bn_moving_var": numpy.ones(2)}
    scale = [A, numpy.ones(2), numpy.zeros(2)]
    ways = [{"ctx": mx.cpu(), "x": (2, 2), "type_dict": {"x": kind}} for kind in (numpy.float64, numpy.float32, half)]
    two = [{"ctx": mx.cpu(), "x": (2, 2), "y": (2, 2)}] * 2
    net = lambda prefix: mx.gluon.nn.Dense(3, prefix=prefix)  # noqa: E731
    table = numpy.array([0, 1, 0])

    numeric, forward, backward = t.check_numeric_gradient, t.check_symbolic_forward, t.check_symbolic_backward
    consistent, equal, speed = t.check_consistency, t.assert_almost_equal, t.check_speed
    hybrid = t.check_gluon_hybridize_consistency
    return {
        "numeric: list": lambda: numeric(s["product"], [A, B]),
        "numeric: tuple": lambda: numeric(s["product"], (A, B)),
        "numeric: dict": lambda: numeric(s["product"], {"y": A, "x": B}),
        "numeric: arrays of its own": lambda: numeric(s["product"], [nd(A), nd(B)]),
        "numeric: a name is missing": lambda: numeric(s["product"], {"x": A}),
        "numeric: a name too many": lambda: numeric(s["product"], {"x": A, "y": A, "z": A}),
        "numeric: a value is missing": lambda: numeric(s["product"], [A]),
        "numeric: no container": lambda: numeric(s["exp"], A),
        "numeric: a number": lambda: numeric(s["exp"], [1.0]),
        "numeric: shapes": lambda: numeric(s["product"], [A, wide]),
        "numeric: states": lambda: numeric(s["normal"], scale, states, atol=0.1, rtol=0.1),
        "numeric: states, list": lambda: numeric(s["normal"], scale, list(states.values()), atol=0.1, rtol=0.1),
        "numeric: states are missing": lambda: numeric(s["normal"], scale),
        "numeric: a state has another name": lambda: numeric(s["normal"], scale, {"mean": numpy.zeros(2)}),
        "numeric: some nodes": lambda: numeric(s["product"], [A, B], grad_nodes=["x"]),
        "numeric: requests": lambda: numeric(s["product"], [A, B], grad_nodes={"x": "add", "y": "null"}),
        "numeric: no request": lambda: numeric(s["product"], [A, B], grad_nodes={"x": "wrong"}),
        "numeric: no nodes": lambda: numeric(s["product"], [A, B], grad_nodes="x"),
        "numeric: not a node": lambda: numeric(s["product"], [A, B], grad_nodes=["z"]),
        "numeric: double": lambda: numeric(s["product"], [A, B], dtype=double, numeric_eps=1e-6),
        "numeric: half": lambda: numeric(s["product"], [A, B], dtype=half),
        "numeric: small step": lambda: numeric(s["product"], [A, B], numeric_eps=1e-6),
        "numeric: steps by type": lambda: numeric(s["product"], [A, B], numeric_eps={numpy.dtype("float32"): 0.01}),
        "numeric: whole type": lambda: numeric(s["product"], [A, B], dtype=numpy.int32),
        "numeric: a name of a type": lambda: numeric(s["product"], [A, B], dtype="float32"),
        "numeric: wrong": lambda: numeric(s["blocked"], [A]),
        "numeric: wrong, ignored": lambda: numeric(s["blocked"], [A], grad_nodes=[]),
        "numeric: whole positions": lambda: numeric(s["taken"], [A, table], grad_nodes=["x"]),
        "numeric: np": lambda: numeric(s["np"], [A, B]),
        "numeric: two outputs": lambda: numeric(s["two"], [A, B]),
        "numeric: as in predicting": lambda: numeric(s["product"], [A, B], use_forward_train=False),
        "forward: list": lambda: forward(s["sum"], [A, B], [A + B]),
        "forward: dict": lambda: forward(s["exp"], {"x": A}, {"exp_output": numpy.exp(A)}),
        "forward: two": lambda: forward(s["two"], [A, B], [A + B, A * B]),
        "forward: fewer": lambda: forward(s["two"], [A, B], [A + B]),
        "forward: other name": lambda: forward(s["exp"], {"x": A}, {"other": A}),
        "forward: wrong": lambda: forward(s["sum"], [A, B], [A]),
        "forward: other shape": lambda: forward(s["sum"], [A, B], [numpy.ones((3, 5))]),
        "forward: missing": lambda: forward(s["sum"], {"x": A}, [A]),
        "forward: own types": lambda: forward(s["sum"], [A.astype("f2"), B.astype("f2")], [A + B], dtype="asnumpy"),
        "forward: other word": lambda: forward(s["sum"], [A, B], [A + B], dtype="nothing"),
        "forward: not a number": lambda: forward(s["sum"], [A * numpy.nan, B], [A * numpy.nan]),
        "forward: not a number, equal": lambda: forward(s["sum"], [A * numpy.nan, B], [A * numpy.nan], equal_nan=True),
        "forward: states": lambda: forward(s["normal"], scale, [A], rtol=0.01, aux_states=states),
        "backward: list": lambda: backward(s["product"], [A, B], [ONES], [B, A]),
        "backward: dict": lambda: backward(s["product"], {"x": A, "y": B}, [nd(ONES)], {"x": B}),
        "backward: heads by name": lambda: backward(s["exp"], [A], {"exp_output": ONES}, [numpy.exp(A)]),
        "backward: add": lambda: backward(s["product"], [A, B], [ONES], [B, A], grad_req="add"),
        "backward: null": lambda: backward(s["product"], [A, B], [ONES], [B, A], grad_req="null"),
        "backward: requests": lambda: backward(s["product"], [A, B], [ONES], [B, A], grad_req=["write", "add"]),
        "backward: by name": lambda: backward(s["product"], [A, B], [ONES], [B, A], grad_req={"x": "add", "y": "null"}),
        "backward: no request": lambda: backward(s["product"], [A, B], [ONES], [B, A], grad_req="wrong"),
        "backward: wrong": lambda: backward(s["product"], [A, B], [ONES], [A, A]),
        "backward: heads are no list": lambda: backward(s["product"], [A, B], ONES, [B, A]),
        "backward: no heads": lambda: backward(mx.sym.MakeLoss(s["exp"]), [A], None, [numpy.exp(A)]),
        "backward: double": lambda: backward(s["product"], [A, B], [ONES], [B, A], dtype=double, rtol=1e-12),
        "backward: not an argument": lambda: backward(s["product"], [A, B], [ONES], {"z": A}),
        "consistency: types": lambda: consistent(s["exp"], ways) and None,
        "consistency: equal": lambda: consistent(s["exp"], ways, equal_nan=True, use_uniform=True) and None,
        "consistency: null": lambda: consistent(s["exp"], ways, grad_req="null") and None,
        "consistency: add": lambda: consistent(s["exp"], ways, grad_req="add") and None,
        "consistency: values": lambda: consistent(s["exp"], ways, arg_params={"x": A}) and None,
        "consistency: one way": lambda: consistent(s["exp"], ways[:1]) and None,
        "consistency: truth": lambda: consistent(
            s["exp"], ways, arg_params={"x": A}, ground_truth={"exp_output": nd(A), "x": nd(A)}
        ),
        "consistency: symbols": lambda: consistent([s["sum"], s["product"]], two),
        "consistency: as many": lambda: consistent([s["sum"]], two),
        "consistency: other arguments": lambda: consistent([s["exp"], s["sum"]], two),
        "consistency: wrong": lambda: consistent([s["x"] + 1, s["x"] + 2], [{"ctx": mx.cpu(), "x": (2, 2)}] * 2),
        "speed: shapes": lambda: speed(s["sum"], x=(2, 2), y=(2, 2), N=1) and None,
        "speed: values": lambda: speed(s["sum"], {"x": A, "y": B}, N=1, typ="forward") and None,
        "speed: list": lambda: speed(s["sum"], [A, B], N=1),
        "speed: other": lambda: speed(s["sum"], {"x": A, "y": B}, N=1, typ="backward"),
        "speed: no shapes": lambda: speed(s["sum"], N=1),
        "hybridize": lambda: hybrid(net, [mx.np.ones((2, 4))]),
        "hybridize: result": lambda: hybrid(net, [mx.np.ones((2, 4))], lambda x: x),
        "hybridize: no gradient": lambda: hybrid(net, [mx.np.ones((2, 4))], test_grad=False),
        "hybridize: no prefix": lambda: hybrid(lambda: mx.gluon.nn.Dense(3), [mx.np.ones((2, 4))]),
        "equal": lambda: equal(A, A.copy()),
        "equal: both kinds": lambda: equal(nd(A), A),
        "equal: numbers": lambda: equal(1.0, 1.00001),
        "equal: other numbers": lambda: equal(1.0, 1.1),
        "equal: lists": lambda: equal([1.0], [1.0]),
        "equal: lists with tolerances": lambda: equal([1.0], [1.0], 0.1, 0.1),
        "equal: differ": lambda: equal(A, B),
        "equal: names": lambda: equal(nd(A), nd(B), names=("one", "other")),
        "equal: many": lambda: equal(numpy.zeros(50), numpy.ones(50)),
        "equal: all counted": lambda: equal(numpy.zeros(50), numpy.ones(50), mismatches=(1, 0)),
        "equal: truth": lambda: equal(numpy.array([True]), numpy.array([False])),
        "equal: half": lambda: equal(numpy.array([1.0], "f2"), numpy.array([1.005])),
        "equal: tables": lambda: equal(A, A * 1.01, rtol={numpy.dtype("float64"): 0.1}),
        "equal: shapes": lambda: equal(ONES, numpy.ones((1, 2)), use_broadcast=False),
        "equal: broadcast": lambda: equal(ONES, numpy.ones((1, 2))),
        "equal: with errors": lambda: t.assert_almost_equal_with_err(A, B, etol=0.1),
        "equal: with all errors": lambda: t.assert_almost_equal_with_err(A, B, etol=1.0),
        "equal: ignoring": lambda: t.assert_almost_equal_ignore_nan(numpy.array([numpy.nan, 1]), numpy.array([1.0, 1])),
        "equal: as NumPy": lambda: t.assert_allclose(A, A * 1.0001),
        "raises": lambda: t.assert_exception(int, ValueError, "x"),
        "raises: nothing": lambda: t.assert_exception(int, ValueError, "1"),
        "raises: other": lambda: t.assert_exception(int, TypeError, "x"),
        "retry": lambda: t.retry(2)(lambda: equal(A, B))(),
        "retry: never": lambda: t.retry(0),
        "forward of one": lambda: equal(t.simple_forward(s["sum"], x=A, y=B), A + B),
        "forward of two": lambda: equal(t.simple_forward(s["two"], x=A, y=B)[1], A * B),
        "environment": lambda: t.environment("a", "b", "c").__enter__(),
        "environment: names": lambda: t.environment({"D2L_A": "1"}).__enter__(),
        "sample: too many": lambda: t.random_sample([1, 2], 3) and None,
        "uniform: other": lambda: t.random_uniform_arrays((2,), hight=3) and None,
        "sparse: kind": lambda: t.rand_sparse_ndarray((2, 2), "other") and None,
        "sparse: density": lambda: t.rand_sparse_ndarray((2, 2), "csr", density=2.0) and None,
        "sparse: rows": lambda: t.rand_sparse_ndarray((0, 2), "csr", density=0.5) and None,
        "sparse: power law": lambda: t.rand_sparse_ndarray((4, 4), "csr", 0.1, distribution="powerlaw") and None,
        "sparse: distribution": lambda: t.rand_sparse_ndarray((4, 4), "row_sparse", distribution="powerlaw") and None,
        "sparse array: kind": lambda: t.create_sparse_array((2, 2), "other") and None,
        "buckets": lambda: t.gen_buckets_probs_with_ppf(lambda p: p, 0) and None,
    }


def _plain(text):
    """Return a message without numbers and places in C, and with the names in sets in their order."""
    lines = [line.strip() for line in text.split("\n") if line.strip() and "Stack trace" not in line]
    told = re.sub(r"^MXNetError: |\[[\d:]+\] \S+: (?=Check)", "", " | ".join(lines[:2]))
    told = re.sub(r"\{([^{}:]*)\}", lambda found: "{" + ", ".join(sorted(found[1].split(", "))) + "}", told)
    return re.sub(r"-?\d+(\.\d*)?(e[+-]\d+)?", "#", re.sub(r"^MXNetError: ", "", told.replace(": MXNetError", "")))


def results(mx):
    """Return name -> what became of the call: nothing, or the error's type among Python's own, and its first lines."""
    mx.random.seed(0)
    numpy.random.seed(0)
    found = {}
    for name, call in _calls(mx).items():
        try:
            call()
            found[name] = "passes"
        except Exception as error:  # what it is, is the question
            kind = next(kind for kind in type(error).__mro__ if kind.__module__ == "builtins")
            found[name] = kind.__name__ + ": " + _plain(str(error))
    return found


if __name__ == "__main__":
    import mxnet  # pyright: ignore[reportMissingImports]

    with open(sys.argv[1], "w") as stream:
        json.dump(results(mxnet), stream, indent=1)
