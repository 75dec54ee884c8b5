"""Attributes that a user writes into a node: who sees them, and what they change; as in MXNet."""

from __future__ import annotations

import copy
import json

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import sym


def affine(name: str = "f"):
    return sym.FullyConnected(sym.var("a"), num_hidden=3, name=name)


def test_every_symbol_that_holds_the_node_sees_an_attribute():
    inner = sym.relu(sym.var("a"), name="r")
    outer, numpy_face = inner * 2, inner.as_np_ndarray()
    inner._set_attr(mood="fine")
    assert outer.attr_dict()["r"] == {"mood": "fine"}
    assert outer.get_internals()["r_output"].attr("mood") == numpy_face.attr("mood") == "fine"
    outer.get_internals()["r_output"]._set_attr(other="x")
    assert inner.list_attr() == {"mood": "fine", "other": "x"}


def test_a_copy_has_nodes_of_its_own():
    symbol = affine() * 2
    copies = [copy.copy(symbol), copy.deepcopy(symbol)]
    symbol.get_internals()["f_output"]._set_attr(num_hidden="7")
    for made in copies:
        assert made.attr_dict()["f"] == {"num_hidden": "3"}
        assert made.infer_shape(a=(2, 5))[1] == [(2, 3)]
    assert symbol.infer_shape(a=(2, 5))[1] == [(2, 7)]


def test_symbols_that_are_copied_together_still_share_nodes():
    inner = affine()
    first, second = copy.deepcopy([inner, inner * 2])
    first._set_attr(num_hidden="7")
    assert second.attr_dict()["f"] == {"num_hidden": "7"}
    assert inner.attr("num_hidden") == "3"


def test_the_operator_reads_its_attributes_anew():
    inner = affine()
    outer = inner * 2
    inner._set_attr(num_hidden="7")
    assert outer.infer_shape(a=(2, 5)) == ([(2, 5), (7, 5), (7,)], [(2, 7)], [])
    assert sym.load_json(outer.tojson()).infer_shape(a=(2, 5))[1] == [(2, 7)]
    count = sym.arange(0, 6)
    count._set_attr(stop="4")
    assert count.infer_shape()[1] == [(4,)]


def test_the_name_of_a_node_is_such_an_attribute_too():
    inner = sym.var("v")
    outer = inner + 1
    inner._set_attr(name="w")
    outer._set_attr(name="sum", scalar="3")
    assert outer.list_arguments() == ["w"]
    assert outer.list_outputs() == ["sum_output"]
    assert outer.list_attr() == {"scalar": "3"}


def test_hidden_attributes_are_kept_as_in_files():
    v = sym.var("v")
    v._set_attr(lr_mult="2", mood="fine")
    assert v.list_attr() == {"__lr_mult__": "2", "lr_mult": "2", "mood": "fine"}
    assert '"__lr_mult__": "2"' in v.tojson()
    assert '"lr_mult"' not in v.tojson()


@pytest.mark.parametrize(
    ("attributes", "error", "message"),
    [
        ({"num_hidden": "x"}, mx.MXNetError, "Invalid Parameter format for num_hidden expect int but value='x'"),
        ({"num_hiddden": "4"}, mx.MXNetError, "Cannot find argument 'num_hiddden'"),
        ({"weight_lr_mult": "3"}, mx.MXNetError, "setting variable attributes with weight_lr_mult is deprecated"),
        ({"num_hidden": 7}, ValueError, "Set Attr only accepts string values"),
    ],
)
def test_what_is_refused_leaves_the_node_as_it_was(attributes, error, message):
    symbol = affine()
    with pytest.raises(error, match=message):
        symbol._set_attr(flatten="False", **attributes)
    assert symbol.list_attr() == {"num_hidden": "3"}
    assert symbol.infer_shape(a=(2, 5, 4))[1] == [(2, 3)]


def test_a_group_of_several_nodes_has_no_attributes():
    group = sym.Group([sym.var("p"), sym.var("q")])
    with pytest.raises(mx.MXNetError, match="SetAttrs only works for non-grouped symbol"):
        group._set_attr(mood="fine")
    assert group.attr_dict() == {}
    parts = sym.SliceChannel(sym.var("a"), num_outputs=2, name="s")
    parts[1]._set_attr(__mood__="fine")
    assert parts.attr("__mood__") == "fine"


def test_a_number_of_inputs_that_are_not_there_is_refused():
    symbol = sym.Concat(sym.var("a"), sym.var("b"))
    with pytest.raises(mx.MXNetError, match=r"\(2 vs. 5\)"):
        symbol._set_attr(num_args="5")
    symbol._set_attr(num_args="2", dim="0")
    assert symbol.infer_shape(a=(1, 2), b=(1, 2))[1] == [(2, 2)]


def test_what_was_bound_stays_as_it_was():
    symbol = sym.var("a") + 1
    bound = symbol.bind(mx.cpu(), {"a": mx.nd.ones((1,))})
    symbol._set_attr(scalar="5")
    assert bound.forward()[0].asscalar() == 2
    assert symbol.bind(mx.cpu(), {"a": mx.nd.ones((1,))}).forward()[0].asscalar() == 6
    cached = mx.nd.CachedOp(symbol)
    symbol._set_attr(scalar="7")
    assert cached(mx.nd.ones((1,))).asscalar() == 6
    assert cached(mx.nd.ones((2,))).asnumpy().tolist() == [6, 6]


def test_what_passes_share_with_a_node_is_not_written_to():
    """A pass makes nodes that hold the dictionaries of others."""
    [(node, _)] = affine()._entries
    made = node.with_inputs(node.inputs)
    symbol = sym.Symbol([(node, 0)])
    symbol._set_attr(num_hidden="7")
    assert (made.attrs["num_hidden"], made.params["num_hidden"]) == ("3", 3)
    assert (node.attrs["num_hidden"], node.params["num_hidden"]) == ("7", 7)


def test_a_shape_of_numpys_numbers_is_written_as_one_of_pythons():
    shape = (2, numpy.int64(3), numpy.int32(0))
    assert sym.var("a", shape=shape).list_attr() == {"__shape__": "(2, 3, 0)"}
    assert sym.var("a", shape=list(shape)).list_attr() == {"__shape__": "[2, 3, 0]"}


INITIALIZERS = [
    mx.init.Xavier(),
    mx.init.Constant(3),
    mx.init.Mixed([".*"], [mx.init.One()]),
    None,
    3,
    (1, 2),
    {"a": 1},
]


@pytest.mark.parametrize("value", INITIALIZERS, ids=str)
def test_attributes_of_any_kind_are_text_in_a_file(value):
    x = sym.var("x")
    made = [
        sym.Convolution(x, kernel=(1, 1), num_filter=1, name="c", attr={"__init__": value}),
        sym.Convolution(x, kernel=(1, 1), num_filter=1, name="c", __init__=value),
        sym.var("c", __init__=value),
        sym.var("c", lr_mult=value, wd_mult=value),
    ]
    for symbol in made:
        nodes = json.loads(symbol.tojson())["nodes"]
        held = [text for node in nodes for name, text in node.get("attrs", {}).items() if name.startswith("__")]
        if value is not None or symbol is not made[-1]:
            assert held and set(held) == {str(value)}
        assert sym.load_json(symbol.tojson()).tojson() == symbol.tojson()


def test_an_initializer_that_is_none_is_refused():
    with pytest.raises(ValueError, match="Set Attr only accepts string values"):
        sym.var("v", init=numpy.float32(2))
