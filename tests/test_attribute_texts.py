"""Texts that attributes may be or not: each is taken or refused, with the first line that real MXNet 1.9.1 said."""

from __future__ import annotations

import functools
import json
import re
from collections.abc import Iterator
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import autograd, gluon, nd, np, npx, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.internals.core.attributes import Attribute
from d2lhybrid.internals.core.operator import Operator, get_operator, is_registered

from .attributes.record import RECORDED

ATTRIBUTES = json.loads(RECORDED.read_text(encoding="utf-8"))
ANSWERS, OPERATORS = ATTRIBUTES["answers"], ATTRIBUTES["operators"]

#: MXNet reads the attributes of these when shapes are inferred; they are refused here when the symbol is made.
READ_LATER = {
    "LinearRegressionOutput", "LogisticRegressionOutput", "MAERegressionOutput", "_npi_boolean_mask_assign_scalar",
    "_npi_boolean_mask_assign_tensor",
}  # fmt: skip
#: They have one operator here, with the attributes of the other.
OF_THE_OTHER = {("_contrib_SparseEmbedding", "sparse_grad")}


def said_here(op: Operator, given: dict[str, Any], name: str) -> str:
    """Return the first line of the error, written as the recorded ones are."""
    try:
        op.parse(given)
    except MXNetError as error:
        return re.sub(rf"\b{name}\b", "{}", str(error).split("\n")[0].split(", in operator")[0])
    return ""


def reason(op: Operator, attribute: Attribute, text: str, theirs: str, ours: str) -> str:
    """Return why another answer is right here; empty if nothing says so."""
    what = attribute.what
    if ours == theirs.replace("'bfloat16', ", ""):
        return "bfloat16 is no type here"
    if attribute.kind.startswith("DType") and ours.startswith(f"Invalid Input: '{text}'"):
        return "the types that are named are those that are taken here" if theirs else ""
    if text == "nan" and what.endswith(" or None") and not ours:
        return "a number that may be left out may be NaN"
    if text.startswith("-") and "non-negative" in what and not theirs:
        return "a negative number becomes a huge one there"
    if what == "Shape or None" and ours == theirs.replace("Shape(tuple)", what):
        return "a shape that may be left out is called so"
    if op.name in READ_LATER and ours and not theirs:
        return "MXNet reads it later"
    if (op.name, attribute.name) in OF_THE_OTHER:
        return "MXNet has two operators, and here is one"
    return ""


def unexplained(name: str) -> Iterator[tuple[str, str, str, str]]:
    op, recorded = get_operator(name), OPERATORS[name]
    given = {key: value for key, value in recorded["given"].items() if key in op.attributes}
    for attribute, answers in recorded["attributes"].items():
        if attribute not in op.attributes:
            continue
        for text, number in answers:
            ours = said_here(op, {**given, attribute: text}, attribute)
            theirs = ANSWERS[number]
            if ours != theirs and not reason(op, op.attributes[attribute], text, theirs, ours):
                yield attribute, text, theirs, ours


@functools.cache
def names() -> list[str]:
    nd.zeros((1,))
    return [name for name in OPERATORS if is_registered(name) and "bfloat16" not in OPERATORS[name]["given"].values()]


def test_texts_are_taken_and_refused_as_mxnet_does():
    found = {name: rows for name in names() if (rows := list(unexplained(name)))}
    assert not found
    assert len(names()) > 500


OUT_OF_BOUNDS = {
    "nd.FullyConnected(x, w, num_hidden=0, no_bias=True)":
        "value 0 for Parameter num_hidden should be greater equal to 1",
    "nd.FullyConnected(x, w, num_hidden=-1, no_bias=True)":
        "value -1 for Parameter num_hidden should be greater equal to 1",
    "nd.Dropout(x, p=1.5)": "value 1.5 for Parameter p exceed bound [0,1]",
    "nd.Dropout(x, p=1.23456789)": "value 1.23457 for Parameter p exceed bound [0,1]",
    "nd.Dropout(x, p=-1e-10)": "value -1e-10 for Parameter p exceed bound [0,1]",
    "npx.dropout(np.ones(3), p=2)": "value 2 for Parameter p exceed bound [0,1]",
    "nn.Dropout(2.0)(x)": "value 2 for Parameter p exceed bound [0,1]",
    "nn.Conv2D(0, 3)": "value 0 for Parameter num_filter should be greater equal to 1",
    "sym.Dropout(v, p=-1)": "value -1 for Parameter p exceed bound [0,1]",
    "sym.UpSampling(v, scale=0, sample_type='nearest', num_args=1)":
        "value 0 for Parameter scale should be greater equal to 1",
    "nd.Embedding(x, w, input_dim=0, output_dim=2)": "value 0 for Parameter input_dim should be greater equal to 1",
    "nd.clip(x, 1e39, 5)": "Out of range value for a_min, value='1e+39', in operator clip",
    "nd.LeakyReLU(x, slope=1e-39)": "Out of range value for slope, value='1e-39', in operator LeakyReLU",
    "nd.Pooling(x, kernel=(1, 1), stride=(0, 1), pool_type='max')":
        "value [0,1]for Parameter stride is invalid, the input shape must be nonzero in all dimensions",
    "nd.Pooling(x, kernel=(0, 1), pool_type='max')":
        "value [0,1]for Parameter kernel is invalid, the input shape must be nonzero in all dimensions",
    "nd.ROIPooling(x, w, pooled_size=(2,), spatial_scale=1.0)":
        "value [2]for Parameter pooled_size has wrong dimensions, expected dimension=2, in operator ROIPooling",
    "sym.contrib.ROIAlign(v, v, pooled_size=(0, 1), spatial_scale=1.0)":
        "value [0,1]for Parameter pooled_size is invalid, the input shape must be nonzero in all dimensions",
    "nd.softmax(x, axis=True)": "Invalid Parameter format for axis expect int but value='True', in operator softmax",
    "nd.sum(x, axis=True)": "Invalid Parameter format for axis expect Shape or None but value='True'",
    "nd.topk(x, k=1.0)": "Invalid Parameter format for k expect int but value='1.0', in operator topk",
    "nd.topk(x, k=99999999999)": "Invalid Parameter format for k expect int but value='99999999999', in operator topk",
    "nd.LRN(x, nsize=2**32)": "Invalid Parameter format for nsize expect int (non-negative) but value='4294967296'",
    "nd.FullyConnected(x, w, num_hidden=1, no_bias=1.0)":
        "Invalid Parameter format for no_bias expect boolean but value='1.0', in operator FullyConnected",
}  # fmt: skip


@pytest.mark.parametrize("call", OUT_OF_BOUNDS)
def test_values_out_of_bounds_are_refused_in_eager_calls_symbols_and_layers(call):
    names = {
        "x": nd.ones((1, 2, 3, 4)), "w": nd.ones((1, 24)), "v": sym.var("v"),
        "nd": nd, "np": np, "npx": npx, "sym": sym, "nn": gluon.nn,
    }  # fmt: skip
    with pytest.raises(MXNetError) as caught:
        eval(call, names)
    assert str(caught.value).split("\n")[0].startswith(OUT_OF_BOUNDS[call])


def test_a_net_with_a_setting_out_of_bounds_is_refused_at_its_first_call():
    for net, said in (
        (gluon.nn.Dense(0), "value 0 for Parameter num_hidden should be greater equal to 1"),
        (gluon.rnn.LSTM(3, num_layers=2, dropout=2.0), "value 2 for Parameter p exceed bound [0,1]"),
    ):
        net.initialize()
        with pytest.raises((ValueError, MXNetError), match=re.escape(said)):
            net(nd.ones((2, 3, 4)))


def test_a_file_with_a_text_that_is_no_truth_value_is_refused():
    net = sym.FullyConnected(sym.var("x"), num_hidden=2, no_bias=True, name="f").tojson()
    assert '"no_bias": "True"' in net
    for text in ("maybe", "2", "1.0"):
        with pytest.raises(MXNetError) as caught:
            sym.load_json(net.replace('"no_bias": "True"', f'"no_bias": "{text}"'))
        said = f"Invalid Parameter format for no_bias expect boolean but value='{text}'"
        assert str(caught.value).startswith(said)
    assert sym.load_json(net.replace('"no_bias": "True"', '"no_bias": "TRUE"')).list_arguments() == ["x", "f_weight"]


# What real MXNet 1.9.1 returned for clip(arange(5), 3, 1): what is above a_max becomes a_max, all else a_min.
CLIPPED = [3.0, 3.0, 1.0, 1.0, 1.0]


@pytest.mark.parametrize("backend", [None, "numpy", "c", "onnxruntime"])
def test_clip_to_an_interval_whose_ends_are_swapped(backend):
    x = nd.arange(5)
    net = gluon.nn.HybridLambda(lambda F, x: F.clip(F.identity(x) * 1, 3, 1))
    if backend == "onnxruntime":
        pytest.importorskip("onnx")
        pytest.importorskip("onnxruntime")
    if backend:
        net.hybridize(backend=backend)
    x.attach_grad()
    with autograd.record():
        y = net(x)
    y.backward()
    assert y.asnumpy().tolist() == CLIPPED
    assert x.grad.asnumpy().tolist() == [0] * 5
    nan = net(nd.array([numpy.nan, 9]))
    assert numpy.isnan(nan.asnumpy()).tolist() == [True, False]
    assert net(nd.array([-numpy.inf, numpy.inf])).asnumpy().tolist() == [3, 1]
    assert np.clip(np.arange(5), 3, 1).asnumpy().tolist() == CLIPPED
    assert nd.clip(nd.arange(5, dtype="int32"), 3, 1).asnumpy().tolist() == CLIPPED
    assert mx.sym.clip(mx.sym.var("x"), 3, 1).eval(x=x)[0].asnumpy().tolist() == CLIPPED


@pytest.mark.parametrize("name", ["beta1", "beta2"])
def test_settings_of_an_optimizer_have_the_bounds_of_its_update(name):
    net = gluon.nn.Dense(1, in_units=2)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "ftml", {name: 1.5})
    with autograd.record():
        loss = net(nd.ones((1, 2))).sum()
    loss.backward()
    with pytest.raises(MXNetError, match=rf"^value 1.5 for Parameter {name} exceed bound \[0,1\]"):
        trainer.step(1)
