"""Notes that say what MXNet's terse messages leave out: the argument, its value, and what to pass."""

from __future__ import annotations

from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, image, initializer, misc, nd, np
from d2lhybrid.contrib.quantization import quantize_net_v2
from d2lhybrid.executor_manager import split_input_slice
from d2lhybrid.lr_scheduler import FactorScheduler, LRScheduler, MultiFactorScheduler, PolyScheduler

from .interop import image_cases

TWO = mx.sym.var("a") + mx.sym.var("b")


class Unfinished(gluon.Block):
    """A block without a forward method."""


class Half(mx.autograd.Function):
    """A function without a backward method."""

    def forward(self, x: Any) -> Any:
        return x / 2


def executor() -> Any:
    return TWO.bind(mx.cpu(), [nd.ones(1), nd.ones(1)], args_grad=[nd.ones(1), nd.ones(1)])


def backward_of_half() -> None:
    x = nd.ones(1)
    x.attach_grad()
    with mx.autograd.record():
        y = Half()(x)
    y.backward()


def other_arguments() -> None:
    net = gluon.nn.HybridLambda(lambda F, *arrays: arrays[0] * 2)
    net.hybridize()
    net(nd.ones(1))
    net(nd.ones(1), nd.ones(1))


def detections(*label: float) -> image.ImageDetIter:
    """Return an iterator of one image with a label of boxes."""
    return image.ImageDetIter(1, (3, 8, 8), imglist=[[[2, 5, *label], "colour.png"]], path_root=image_cases.FOLDER)


CASES = [
    (lambda: mx.AttrScope(lr_mult=2), ValueError, "Pass a string, lr_mult='2', not lr_mult=2."),
    (
        lambda: mx.autograd.mark_variables([nd.ones(1)], [nd.ones(1)], "sum"), KeyError,
        "Pass 'write', 'add', or 'null' as grad_reqs, or a list of them.",
    ),
    (lambda: Unfinished()(nd.ones(1)), NotImplementedError, "Define the method forward in Unfinished."),
    (backward_of_half, NotImplementedError, "Define the method backward in Half."),
    (lambda: mx.np.ones(2).exp(), AttributeError, "Only legacy arrays have this method. Write np.exp(x) instead."),
    (lambda: mx.np.ones(2).relu(), AttributeError, "Only legacy arrays have this method. Write npx.relu(x) instead."),
    (
        lambda: mx.np.ones(2).argmax_channel(), AttributeError,
        "Only legacy arrays have this method. Write x.as_nd_ndarray().argmax_channel() instead.",
    ),
    (lambda: TWO.bind("cpu", []), TypeError, "Pass a Context such as mx.cpu() as ctx, not 'cpu'."),
    (lambda: TWO.bind(mx.cpu(), [nd.ones(1)]), ValueError, "Pass 2 arrays (a, b) in args, not 1."),
    (lambda: TWO.bind(mx.cpu(), 3), TypeError, "args has the type int."),
    (lambda: TWO.bind(mx.cpu(), [nd.ones(1), 3]), TypeError, "The value of b in args has the type int."),
    (
        lambda: TWO.bind(mx.cpu(), [nd.ones(1), nd.ones(1)], grad_req="sum"), ValueError,
        "Pass 'null', 'write', or 'add' as grad_req, not 'sum'.",
    ),
    (lambda: executor().forward(c=nd.ones(1)), TypeError, "The arguments are a, b."),
    (lambda: executor().forward(a=3), ValueError, "a has the type int."),
    (lambda: executor().backward([3]), TypeError, "An element of out_grads has the type int."),
    (
        lambda: split_input_slice(1, [1, 1]), ValueError,
        "A batch of 1 example cannot be divided among 2 devices with the loads [1, 1]. Use larger batches, fewer "
        "devices, or loads that differ less.",
    ),
    (
        lambda: initializer.Xavier(factor_type="out_in")(initializer.InitDesc("a_weight"), nd.ones((2, 2))), ValueError,
        "factor_type must be 'avg', 'in', or 'out', not 'out_in'.",
    ),
    (
        lambda: initializer.Xavier(rnd_type="normal")(initializer.InitDesc("a_weight"), nd.ones((2, 2))), ValueError,
        "rnd_type must be 'uniform' or 'gaussian', not 'normal'.",
    ),
    (
        lambda: initializer.Orthogonal(rand_type="gaussian")(initializer.InitDesc("w_weight"), nd.ones((2, 2))),
        ValueError,
        "rand_type of Orthogonal must be 'uniform' or 'normal'.",
    ),
    (
        lambda: initializer.Initializer()(initializer.InitDesc("a_weight"), nd.ones((2, 2))), NotImplementedError,
        "Define _init_weight(self, name, arr) in Initializer.",
    ),
    (lambda: image.DetBorrowAug(3), TypeError, "Pass an image.Augmenter as augmenter, not 3."),
    (
        lambda: image.DetRandomSelectAug([3]), ValueError,
        "aug_list contains 3. To use an image.Augmenter, pass DetBorrowAug(augmenter).",
    ),
    (
        lambda: image.imrotate(nd.ones((3, 4, 4), dtype="uint8"), 3), TypeError,
        'The element type of src is uint8. Pass src.astype("float32").',
    ),
    (
        lambda: image.imrotate(nd.ones((4, 4)), 3), ValueError,
        "The shape of src is (4, 4). Pass an image (C, H, W) or a batch (N, C, H, W).",
    ),
    (
        lambda: image.imrotate(nd.ones((1, 3, 4, 4)), [3, 4]), ValueError,
        "src contains 1 image, but rotation_degrees contains 2 angles.",
    ),
    (
        lambda: image.resize_short(nd.zeros((2, 2, 3)), 3, 7), ValueError,
        "Pass 0, 1, 2, 3, 4, 9, or 10 as interp.",
    ),
    (
        lambda: image.ImageIter(1, (1, 8, 8), imglist=[]), ValueError,
        "Pass data_shape=(3, height, width), not (1, 8, 8).",
    ),
    (
        lambda: detections(1, 0.5, 0, 0.25, 1), RuntimeError,
        "Correct the label, or remove its image: no object has xmin < xmax and ymin < ymax (the first of 1 is "
        "[1.0, 0.5, 0.0, 0.25, 1.0]).",
    ),
    (
        lambda: detections(1, 0, 0, 1, 1)._check_valid_label(numpy.array([[-1.0, 0, 0, 1, 1]])), RuntimeError,
        "Check the augmenters: after them, no object has a class of at least 0 and a box with xmin < xmax and "
        "ymin < ymax (the first of 1 is [-1.0, 0.0, 0.0, 1.0, 1.0]).",
    ),
    (
        lambda: detections(1, 0, 0, 1, 1).reshape(label_shape=(5,)), ValueError,
        "Pass label_shape=(objects, values per object), such as (16, 5), not (5,).",
    ),
    (
        lambda: image.ImageIter(1, (3, 8, 8), imglist=[]).check_valid_image([numpy.array(0)]), RuntimeError,
        "Remove or replace the image: its shape is (), not (height, width, channels).",
    ),
    (
        lambda: image.ImageIter(1, (3, 8, 8), imglist=[], dtype="text"), AssertionError,
        "dtype must be one of int32, float32, int64, float64.",
    ),
    (
        lambda: gluon.data.vision.transforms.RandomRotation((30, 10)), ValueError,
        "The first limit must be less than the second, but the limits are (30, 10).",
    ),
    (
        lambda: np.split(np.ones(5), 2), ValueError,
        "The size of axis 0 is 5, which is not a multiple of 2. For pieces of different sizes, call np.array_split.",
    ),
    (
        lambda: gluon.data.batchify.Group([len, len])([(1,)]), AssertionError,
        "The first item of the batch has 1 element, but Group was created with 2 functions.",
    ),
    (
        lambda: gluon.data.SimpleDataset([1]).shard(3, 3), AssertionError,
        "index must be at least 0 and less than num_shards.",
    ),
    (
        lambda: quantize_net_v2(gluon.nn.Dense(2), calib_mode="none"), ValueError,
        'Pass the shapes of the inputs, such as data_shapes=[("data", (1, 3, 224, 224))], or pass calib_data.',
    ),
    (lambda: FactorScheduler(0), ValueError, "step is 0. Pass the number of updates between two reductions."),
    (lambda: FactorScheduler(1, 2), ValueError, "factor is 2. Pass a factor of at most 1, such as 0.1."),
    (
        lambda: MultiFactorScheduler([2, 1]), ValueError,
        "step is [2, 1]. Sort the update counts, and remove duplicates.",
    ),
    (lambda: MultiFactorScheduler([0]), ValueError, "step begins with 0. Begin the list with a number of at least 1."),
    (lambda: PolyScheduler(0), ValueError, "max_update is 0. Pass 1 or more updates."),
    (lambda: LRScheduler(warmup_begin_lr=1), ValueError, "base_lr is 0.01, but warmup_begin_lr is 1."),
    (
        lambda: LRScheduler(warmup_steps=-1), ValueError,
        "warmup_steps is -1. For no warm-up, pass warmup_steps=0.",
    ),
    (lambda: LRScheduler(warmup_mode="x"), ValueError, "Pass 'linear' or 'constant' as warmup_mode, not 'x'."),
    (
        lambda: misc.FactorScheduler(0), ValueError,
        "step is 0. Pass the number of iterations between two reductions.",
    ),
    (lambda: misc.FactorScheduler(1, 1), ValueError, "factor is 1. Pass a factor less than 1, such as 0.1."),
    (
        lambda: mx.kv.create("device").set_gradient_compression({"threshold": 1}), mx.MXNetError,
        "The parameters {'threshold': 1} contain no 'type'. Pass {'type': '2bit'}.",
    ),
    (
        lambda: mx.kv.create("device").set_gradient_compression({"type": "1bit"}), mx.MXNetError,
        "The only supported type is '2bit'.",
    ),
    (
        lambda: (mx.sym.var("x") + mx.sym.var("x") * 2).simple_bind(mx.cpu(), x=(2,)), RuntimeError,
        "Give each variable a unique name. The graph uses these names more than once: x.",
    ),
    (
        other_arguments, ValueError,
        "MXNet's message swaps the two formats: the arguments of this call have the structure [0, 0], but "
        "those of the traced call had [0], where 0 is an array, and -1 is None. Pass the same arguments as in the "
        "traced call, or call hybridize() before this call to retrace the block.",
    ),
    (
        lambda: nd.FullyConnected(nd.ones((2, 3)), nd.ones((4, 3)), nd.ones(5), num_hidden=4), mx.MXNetError,
        "Pass a bias of shape (4,), because num_hidden is 4.",
    ),
    (lambda: nd.sum(nd.ones((2, 3)), axis=2), mx.MXNetError, "Pass axes from -2 to 1."),
    (lambda: nd.sum(nd.ones((2, 3)), axis=-3), mx.MXNetError, "Pass axes from -2 to 1."),
    (
        lambda: nd.ones((2, 3))[np.array([1, 0]) > 0], ValueError,
        "To select slices of x along one axis, call nd.contrib.boolean_mask(x, index).",
    ),
    (
        lambda: np.indices(3), ValueError,
        "dimensions is 3. Pass a tuple or list with the size of each axis.",
    ),
    (lambda: np.identity(2.5), TypeError, "n is 2.5. Pass the number of rows as an int."),
    (lambda: np.delete(np.ones(3), [1]), TypeError, "Pass an int, a slice, or an np array of ints."),
    (lambda: np.insert(np.ones(3), [1], 2), TypeError, "Pass an int, a slice, or an np array of ints."),
    (lambda: np.insert(np.ones(3), 1, [2]), TypeError, "Pass a number or an np array."),
    (
        lambda: np.insert(np.ones(3), np.array([1], dtype="int64"), 2), TypeError,
        "Pass an np array, because obj is an array.",
    ),
    (
        lambda: image.imrotate(nd.ones((3, 4, 4)), 3, True, True), ValueError,
        "Pass only one of them, or neither to keep the scale.",
    ),
    (
        lambda: image.imrotate(nd.ones((3, 4, 4)), [3]), TypeError,
        "rotation_degrees has the type list. Pass a number.",
    ),
]  # fmt: skip


@pytest.mark.parametrize(("call", "kind", "note"), CASES, ids=[note[:40] for _, _, note in CASES])
def test_the_note_names_the_argument_and_what_to_pass(call, kind, note):
    with pytest.raises(kind) as caught:
        call()
    assert note in caught.value.__notes__


def test_simple_bind_keeps_the_notes_of_an_inner_error():
    first = TWO.simple_bind(mx.cpu(), a=(2,), b=(2,))
    with pytest.raises(mx.MXNetError) as caught:
        TWO.simple_bind(mx.cpu(), a=(3,), b=(3,), shared_exec=first, shared_arg_names=["a"])
    assert "Remove 'a' from shared_arg_names, or bind with the shape and type" in caught.value.__notes__[0]
    assert numpy.array_equal(first.arg_dict["a"].asnumpy(), numpy.zeros(2))
