"""The quantized operators give MXNet's numbers: one by one, from symbols, from files and in hybridized nets."""

from __future__ import annotations

import functools
import gzip
import json
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym

from .cases import Case, cases
from .record import RECORD

CASES = cases()
each_case = pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)


@functools.cache
def recorded() -> dict[str, Any]:
    """Return what MXNet gave."""
    return json.loads(gzip.decompress(RECORD.read_bytes()))


def names(case: Case) -> list[str]:
    return [f"x{i}" for i in range(len(case.inputs))]


def arrays(case: Case) -> dict[str, Any]:
    return {n: nd.array(a, dtype=a.dtype) for n, a in zip(names(case), case.inputs, strict=True)}


def symbol(case: Case) -> Any:
    variables = list(map(sym.var, names(case)))
    by_name = dict(zip(case.names, variables, strict=False))
    return getattr(sym.contrib, case.op)(*([] if by_name else variables), **by_name, **case.settings)


def check(case: Case, found: Any) -> None:
    """Compare outputs with MXNet's: all are equal, but for the last step of a batch norm now and then."""
    expected = recorded()[case.name]
    assert len(found) == len(expected)
    for output, record in zip(found, expected, strict=True):
        assert (output.dtype.__name__, list(output.shape)) == (record["dtype"], record["shape"])
        values, wanted = output.asnumpy().ravel().astype("f8"), numpy.array(record["values"], "f8")
        if case.op == "quantized_batch_norm":
            assert numpy.abs(values - wanted).max() <= 1 and (values != wanted).mean() < 0.05
        else:
            numpy.testing.assert_array_equal(values, wanted)


@each_case
def test_a_call_gives_mxnets_numbers(case):
    settings = {k: v for k, v in case.settings.items() if k != "num_args"}
    found = getattr(nd.contrib, case.op)(*arrays(case).values(), **settings)
    check(case, found if isinstance(found, list) else [found])
    if case.names:
        check(
            case, getattr(nd.contrib, case.op)(**dict(zip(case.names, arrays(case).values(), strict=True)), **settings)
        )


@each_case
def test_a_graph_from_a_file_gives_them_and_knows_shapes_and_types(case):
    graph = sym.load_json(symbol(case).tojson())
    given, expected = arrays(case), recorded()[case.name]
    states = {name: given[name] for name in graph.list_auxiliary_states()}
    arguments = {name: array for name, array in given.items() if name not in states}
    check(case, graph.bind(mx.cpu(), arguments, aux_states=states).forward())
    shapes = graph.infer_shape(**{n: a.shape for n, a in given.items()})[1]
    types = graph.infer_type(**{n: a.dtype for n, a in arguments.items()})[1]
    assert [(list(s), t.__name__) for s, t in zip(shapes, types, strict=True)] == [
        (record["shape"], record["dtype"]) for record in expected
    ]


@each_case
def test_a_hybridized_net_gives_them_and_no_gradient(case):
    class Call(gluon.HybridBlock):
        def hybrid_forward(self, F, first, *others):
            inputs = (first, *others)
            by_name = dict(zip(case.names, inputs, strict=False))
            settings = {k: v for k, v in case.settings.items() if k != "num_args"}
            return getattr(F.contrib, case.op)(*([] if by_name else inputs), **by_name, **settings)

    net = Call()
    net.hybridize(static_alloc=True, static_shape=True)
    given = list(arrays(case).values())
    for _ in range(2):
        found = net(*given)
        check(case, found if isinstance(found, list) else [found])


def test_every_operator_is_recorded():
    recorded_ops = {case.op for case in CASES}
    known = {name for name in dir(nd.contrib) if "quanti" in name}
    assert known - recorded_ops == set() and len(recorded_ops) == 14


def test_ranges_and_weights_that_are_missing_become_variables():
    layer = sym.contrib.quantized_fully_connected(sym.var("data"), num_hidden=3, no_bias=True, name="fc")
    assert layer.list_arguments() == [
        "data",
        "fc_weight",
        "fc_min_data",
        "fc_max_data",
        "fc_min_weight",
        "fc_max_weight",
    ]
    assert layer.infer_shape(data=(4, 10))[0] == [(4, 10), (3, 10), (1,), (1,), (1,), (1,)]


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (
            lambda q, r: nd.contrib.quantized_pooling(q, *r, kernel=(1,), pool_type="sum"),
            "only supports pool_type=max/avg",
        ),
        (lambda q, r: nd.contrib.quantized_act(q, *r, act_type="tanh"), "only supports act_type=relu"),
        (lambda q, r: nd.contrib.dequantize(nd.ones(3), *r), "only supports uint8 and int8"),
        (lambda q, r: nd.contrib.quantized_concat(q, q, *r), "must be a multiple of 3, not 4"),
        (lambda q, r: nd.contrib.quantized_fully_connected(q, q, *r, num_hidden=1, no_bias=True), r"\(4 vs. 6\)"),
    ],
)
def test_what_is_refused_is_named(call, message):
    q, ranges = nd.zeros((1, 1, 3), dtype="int8"), (nd.array([-1]), nd.array([1]))
    with pytest.raises(mx.MXNetError, match=message):
        call(q, ranges)


def test_what_is_quantized_and_back_is_as_near_as_a_step():
    x = nd.random.normal(shape=(100,))
    back = nd.contrib.dequantize(*nd.contrib.quantize_v2(x)).asnumpy()
    assert numpy.abs(back - x.asnumpy()).max() <= numpy.abs(x.asnumpy()).max() / 127
