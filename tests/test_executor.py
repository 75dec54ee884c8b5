"""Executors: results that are there from the beginning, gradients on demand, memory that is shared."""

from __future__ import annotations

import re

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd, sym

DATA = mx.sym.var("data")
DENSE = mx.sym.FullyConnected(DATA, num_hidden=3, name="fc")


def dense():
    return DENSE


def test_results_are_there_before_anything_ran_and_are_written_to():
    executor = dense().simple_bind(mx.cpu(), data=(2, 4))
    output = executor.outputs[0]
    assert output.shape == (2, 3)
    assert list(executor.output_dict) == ["fc_output"]
    executor.arg_dict["fc_bias"][:] = 5
    executor.forward()
    assert (output.asnumpy() == 5).all()


HEADS = {
    "a loss": (lambda: mx.sym.MakeLoss(dense()), [], True),
    "a loss, an empty list": (lambda: mx.sym.MakeLoss(dense()), "empty", True),
    "a loss beside what is blocked": (
        lambda: mx.sym.Group([mx.sym.MakeLoss(dense()), mx.sym.BlockGrad(dense())]),
        [],
        True,
    ),
    "no loss": (dense, [], False),
    "a comparison": (lambda: dense() > 0, [], True),
    "through a block": (lambda: mx.sym.BlockGrad(dense()) * 2, [], True),
    "a loss behind an operator": (lambda: mx.sym.MakeLoss(dense()) * 2, [], True),
    "a loss beside no loss": (lambda: mx.sym.Group([mx.sym.MakeLoss(dense()), dense()]), [], False),
    "the first of two": (lambda: mx.sym.Group([dense(), mx.sym.MakeLoss(dense())]), [(2, 3)], True),
}


@pytest.mark.parametrize("name", HEADS)
def test_gradients_of_outputs_are_needed_where_one_goes_back(name):
    make, shapes, works = HEADS[name]
    executor = make().simple_bind(mx.cpu(), data=(2, 4))
    executor.forward(is_train=True)
    given = [] if shapes == "empty" else [mx.nd.ones(s) for s in shapes] or None
    if works:
        executor.backward(given)
    else:
        with pytest.raises(mx.MXNetError, match="Because the last operator is not Loss function"):
            executor.backward(given)


@pytest.mark.parametrize("requests", ["add", ["null", "add", "write"], {"fc_weight": "add", "fc_bias": "write"}])
def test_gradients_are_written_added_or_left_as_asked_for(requests):
    executor = dense().simple_bind(mx.cpu(), data=(2, 4), grad_req=requests)
    executor.arg_dict["data"][:] = 1
    for _ in range(3):
        executor.forward(is_train=True)
        executor.backward(mx.nd.ones((2, 3)))
    assert (executor.grad_dict["fc_weight"].asnumpy() == 6).all()
    assert (executor.grad_dict["fc_bias"].asnumpy() == (6 if requests == "add" else 2)).all()
    assert (executor.grad_dict["data"] is None) == (requests != "add")


def test_backward_follows_a_forward_that_was_not_for_training():
    executor = dense().simple_bind(mx.cpu(), data=(2, 4))
    executor.forward(data=numpy.ones((2, 4)))
    executor.backward(mx.nd.ones((2, 3)))
    assert (executor.grad_dict["fc_weight"].asnumpy() == 2).all()


def test_other_shapes_share_parameters_and_memory():
    executor = dense().simple_bind(mx.cpu(), data=(5, 4))
    executor.arg_dict["data"][:] = 1
    executor.arg_dict["fc_weight"][:] = 1
    small = executor.reshape(data=(3, 4))
    assert (small.forward()[0].asnumpy() == 4).all()
    assert (executor.outputs[0].asnumpy()[:3] == 4).all()
    large = executor.reshape(allow_up_sizing=True, data=(6, 4))
    large.arg_dict["data"][:] = 0
    assert (executor.arg_dict["data"].asnumpy() == 1).all()
    assert large.arg_dict["fc_weight"] is executor.arg_dict["fc_weight"]


def test_executors_share_parameters_and_a_buffer():
    buffer = {}
    first = dense().simple_bind(mx.cpu(), data=(5, 4), shared_arg_names=["fc_weight", "fc_bias"], shared_buffer=buffer)
    assert list(buffer) == ["data"]
    second = mx.sym.relu(dense()).simple_bind(
        mx.cpu(), data=(2, 4), shared_arg_names=["fc_weight", "fc_bias"], shared_exec=first, shared_buffer=buffer
    )
    second.arg_dict["fc_weight"][:] = 2
    second.arg_dict["data"][:] = 1
    assert (first.forward()[0].asnumpy()[:2] == 8).all()
    assert second.grad_dict["fc_bias"] is first.grad_dict["fc_bias"]


def test_everything_that_is_computed_can_be_heard_of():
    net, told = mx.sym.MakeLoss(mx.sym.relu(dense(), name="r"), name="loss"), []
    executor = net.simple_bind(mx.cpu(), data=(2, 4))
    executor.set_monitor_callback(lambda name, array: told.append((name.decode(), array.shape)))
    executor.forward(is_train=True)
    assert told == [("fc_output", (2, 3)), ("r_output", (2, 3)), ("loss_output", (2, 3))]
    told.clear()
    executor.backward()
    assert [name for name, _ in told] == [
        "loss_backward_output0", "r_backward_output0", "fc_backward_output0", "fc_backward_output1",
        "fc_backward_output2",
    ]  # fmt: skip
    executor.set_monitor_callback(lambda name, array: told.append((name.decode(), array.shape)), monitor_all=True)
    told.clear()
    executor.forward()
    assert [name for name, _ in told][:4] == ["data", "fc_data", "fc_weight", "fc_weight"]


MISTAKES = {
    "an unknown argument": (lambda e: e.forward(foo=mx.nd.ones(1)), TypeError, "Unknown argument foo"),
    "another shape": (lambda e: e.forward(data=mx.nd.ones(1)), ValueError, "Shape not match! Argument data, need: "),
    "no array": (lambda e: e.forward(data=3), ValueError, "only accept keyword argument of NDArrays and numpy"),
    "larger": (lambda e: e.reshape(data=(9, 4)), mx.MXNetError, "New shape of arg: data is larger than original"),
    "another argument": (lambda e: e.reshape(data=(1, 2)), mx.MXNetError, "Shape of unspecifie arg: fc_weight changed"),
    "a gradient that is none": (lambda e: e.backward([1]), TypeError, "inputs must be NDArray"),
    "a gradient of another shape": (lambda e: e.backward(mx.nd.ones((2, 2))), mx.MXNetError, r"from.shape = \[2,2\]"),
    "an extra parameter": (lambda e: e.copy_params_from({"w": mx.nd.ones(1)}), ValueError, 'Find name "w" that is not'),
    "a list for bind": (lambda e: dense().bind(mx.cpu(), [mx.nd.ones(1)]), ValueError, "Length of args does not match"),
    "NumPy for bind": (lambda e: mx.sym.var("a").bind(mx.cpu(), [numpy.ones(1)]), TypeError, "Only accept list of ND"),
    "no shapes": (lambda e: dense().simple_bind(mx.cpu()), RuntimeError, "(?s)simple_bind error.*data: None, fc_weigh"),
    "no request": (
        lambda e: dense().simple_bind(mx.cpu(), data=(2, 4), grad_req="foo"), RuntimeError,
        "(?s)simple_bind error. Arguments:\ndata.*grad_req=foo is not a valid input in simple_bind",
    ),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named_and_nothing_is_written(name):
    run, kind, message = MISTAKES[name]
    executor = dense().simple_bind(mx.cpu(), data=(2, 4))
    executor.arg_dict["data"][:] = 7
    with pytest.raises(kind, match=message):
        run(executor)
    assert (executor.arg_dict["data"].asnumpy() == 7).all()


def allocated(net, **settings):
    return int(re.search(r"Total (\d+) MB allocated", net.simple_bind(mx.cpu(), **settings).debug_str())[1])


def test_the_listing_says_what_a_run_takes():
    x = sym.var("x")
    net = sym.dot(sym.dot(x, x), x)
    size = {"x": (1024, 1024)}  # 4 MB
    assert allocated(net, **size, grad_req="null") == 4
    assert allocated(net, **size) >= 12  # the product inside, the head gradient of it, and the sum for x
    assert allocated(sym.BlockGrad(net), **size) == 4
    assert allocated(sym.shape_array(x), **size) == 0


def test_the_listing_of_a_graph_whose_sizes_follow_from_values():
    net = sym.contrib.boolean_mask(sym.var("x"), sym.var("mask"))
    bound = net.bind(mx.cpu(), {"x": nd.ones((3, 2)), "mask": nd.array([1, 0, 1])})
    assert "Total 0 MB allocated" in bound.debug_str()


# --- operators of a user's own -------------------------------------------------------------------------------


class _Square(mx.operator.CustomOp):
    def forward(self, is_train, req, in_data, out_data, aux):
        self.assign(out_data[0], req[0], in_data[0] ** 2)

    def backward(self, req, out_grad, in_data, out_data, in_grad, aux):
        self.assign(in_grad[0], req[0], 2 * in_data[0])


@mx.operator.register("executor_square")
class _SquareProp(mx.operator.CustomOpProp):
    def __init__(self, top_grad="False", uses="inputs"):
        super().__init__(need_top_grad=top_grad == "True")
        self._uses = uses

    def declare_backward_dependency(self, out_grad, in_data, out_data):
        if self._uses == "heads":
            return [*out_grad, *in_data]
        return super().declare_backward_dependency(out_grad, in_data, out_data)

    def create_operator(self, ctx, in_shapes, in_dtypes):
        return _Square()


def test_a_loss_of_ones_own_starts_the_way_back():
    executor = sym.Custom(sym.var("x"), op_type="executor_square").simple_bind(mx.cpu(), x=(3,))
    executor.forward(is_train=True, x=nd.array([1, 2, 3]))
    executor.backward()
    assert executor.grad_dict["x"].asnumpy().tolist() == [2, 4, 6]


@pytest.mark.parametrize("settings", [{"top_grad": "True"}, {"uses": "heads"}])
def test_an_operator_that_reads_the_gradient_of_its_result_needs_one(settings):
    executor = sym.Custom(sym.var("x"), op_type="executor_square", **settings).simple_bind(mx.cpu(), x=(3,))
    executor.forward(is_train=True)
    with pytest.raises(mx.MXNetError, match="head_gradient is required"):
        executor.backward()
