"""A worker that times single MXNet operators eagerly, on demand.

Argument: ``d2lhybrid`` or ``mxnet``. Each input line is ``operator|forward`` or ``operator|backward``. The answer is
the microseconds of the fastest call in a fifth of a second, or ``failed`` and the reason. Backward is a recorded
forward call, and the gradient of the first input.
"""

from __future__ import annotations

import importlib
import sys
import time
from collections.abc import Callable
from typing import Any

import numpy

SECONDS = 0.2

Inputs = tuple[Any, ...]
Case = tuple[Callable[..., Any], Inputs]


def cases(mx: Any) -> dict[str, Case]:
    """Return operator -> function to call, and its inputs as NumPy arrays."""
    rng, nd, contrib = numpy.random.RandomState(0), mx.nd, mx.nd.contrib

    def normal(*shape: int) -> Any:
        return rng.normal(size=shape)

    def whole(high: int, *shape: int) -> Any:
        return rng.randint(0, high, shape)

    images, flat = normal(8, 64, 28, 28), normal(512, 1000)
    regions = numpy.c_[numpy.arange(32) % 2, rng.randint(0, 20, (32, 2)), rng.randint(25, 49, (32, 2))]
    boxes = numpy.concatenate([whole(5, 1, 500, 1), rng.rand(1, 500, 1), numpy.sort(rng.rand(1, 500, 4), -1)], axis=-1)
    definite = normal(100, 100)
    channels = [numpy.ones(64), numpy.zeros(64), numpy.zeros(64), numpy.ones(64)]
    three = {"no_bias": True, "kernel": (3, 3), "pad": (1, 1), "num_filter": 64}

    def with_settings(function: Callable[..., Any], **settings: Any) -> Callable[..., Any]:
        return lambda *inputs: function(*inputs, **settings)

    return {
        "Convolution 3x3": (with_settings(nd.Convolution, **three), (images, normal(64, 64, 3, 3))),
        "Convolution 3x3, stride 2": (
            with_settings(nd.Convolution, **three, stride=(2, 2)), (images, normal(64, 64, 3, 3)),
        ),
        "Convolution, 4 groups": (with_settings(nd.Convolution, **three, num_group=4), (images, normal(64, 16, 3, 3))),
        "Convolution, 64 groups": (with_settings(nd.Convolution, **three, num_group=64), (images, normal(64, 1, 3, 3))),
        "Convolution, 3 axes": (
            with_settings(nd.Convolution, no_bias=True, kernel=(3, 3, 3), pad=(1, 1, 1), num_filter=32),
            (normal(2, 16, 16, 28, 28), normal(32, 16, 3, 3, 3)),
        ),
        "Deconvolution 4x4, stride 2": (
            with_settings(nd.Deconvolution, kernel=(4, 4), stride=(2, 2), pad=(1, 1), num_filter=32),
            (normal(8, 64, 16, 16), normal(64, 32, 4, 4)),
        ),
        "FullyConnected": (with_settings(nd.FullyConnected, num_hidden=256, no_bias=True), (flat, normal(256, 1000))),
        "batch_dot": (nd.batch_dot, (normal(64, 64, 64), normal(64, 64, 64))),
        "Pooling, max": (with_settings(nd.Pooling, kernel=(3, 3), stride=(2, 2), pool_type="max"), (images,)),
        "Pooling, avg": (with_settings(nd.Pooling, kernel=(2, 2), stride=(2, 2), pool_type="avg"), (images,)),
        "BatchNorm": (with_settings(nd.BatchNorm, fix_gamma=False), (images, *channels)),
        "LayerNorm": (nd.LayerNorm, (normal(512, 768), numpy.ones(768), numpy.zeros(768))),
        "InstanceNorm": (nd.InstanceNorm, (images, *channels[:2])),
        "GroupNorm": (with_settings(nd.GroupNorm, num_groups=8), (images, *channels[:2])),
        "LRN": (with_settings(nd.LRN, nsize=5), (images,)),
        "softmax": (nd.softmax, (flat,)),
        "Dropout": (with_settings(nd.Dropout, p=0.5, mode="always"), (flat,)),
        "Embedding": (
            with_settings(nd.Embedding, input_dim=1000, output_dim=128), (whole(1000, 64, 35), normal(1000, 128)),
        ),
        "take": (nd.take, (normal(1000, 128), whole(1000, 64, 35))),
        "pick": (nd.pick, (flat, whole(1000, 512))),
        "one_hot": (with_settings(nd.one_hot, depth=1000), (whole(1000, 2000),)),
        "where": (nd.where, (whole(2, 512, 1000), flat, normal(512, 1000))),
        "concat": (with_settings(nd.concat, dim=1), (normal(64, 256, 14, 14), normal(64, 256, 14, 14))),
        "transpose": (with_settings(nd.transpose, axes=(0, 2, 1, 3)), (normal(64, 12, 64, 64),)),
        "topk": (with_settings(nd.topk, k=5, ret_typ="value"), (normal(64, 10000),)),
        "sort": (nd.sort, (normal(64, 1000),)),
        "argmax": (with_settings(nd.argmax, axis=1), (flat,)),
        "erf": (nd.erf, (flat,)),
        "gammaln": (nd.gammaln, (numpy.abs(normal(100, 1000)) + 1,)),
        "CTCLoss": (nd.CTCLoss, (normal(40, 16, 30), 1 + whole(28, 16, 10))),
        "SequenceMask": (
            with_settings(nd.SequenceMask, use_sequence_length=True), (normal(40, 16, 128), 1 + whole(39, 16)),
        ),
        "UpSampling": (with_settings(nd.UpSampling, scale=2, sample_type="nearest", num_args=1), (images,)),
        "BilinearResize2D": (with_settings(contrib.BilinearResize2D, height=56, width=56), (images,)),
        "BilinearSampler": (nd.BilinearSampler, (normal(4, 16, 28, 28), rng.uniform(-1, 1, (4, 2, 28, 28)))),
        "SpatialTransformer": (
            with_settings(
                nd.SpatialTransformer, target_shape=(28, 28), transform_type="affine", sampler_type="bilinear"
            ),
            (normal(4, 16, 28, 28), normal(4, 6)),
        ),
        "Correlation": (
            with_settings(nd.Correlation, kernel_size=1, max_displacement=4, stride1=1, stride2=1, pad_size=4),
            (normal(2, 16, 32, 32), normal(2, 16, 32, 32)),
        ),
        "DeformableConvolution": (
            with_settings(contrib.DeformableConvolution, no_bias=True, kernel=(3, 3), pad=(1, 1), num_filter=16),
            (normal(2, 16, 28, 28), normal(2, 18, 28, 28), normal(16, 16, 3, 3)),
        ),
        "ROIPooling": (
            with_settings(nd.ROIPooling, pooled_size=(7, 7), spatial_scale=1.0), (normal(2, 64, 50, 50), regions),
        ),
        "ROIAlign": (
            with_settings(contrib.ROIAlign, pooled_size=(7, 7), spatial_scale=1.0, sample_ratio=2),
            (normal(2, 64, 50, 50), regions),
        ),
        "box_nms": (with_settings(contrib.box_nms, topk=200, id_index=0), (boxes,)),
        "linalg.potrf": (nd.linalg.potrf, (definite @ definite.T + 200 * numpy.eye(100),)),
        "sample_multinomial": (with_settings(nd.sample_multinomial, shape=20), (rng.dirichlet(numpy.ones(1000), 64),)),
    }  # fmt: skip


def once(mx: Any, function: Callable[..., Any], inputs: Inputs, backward: bool) -> None:
    """Call an operator, and wait for the result."""
    if not backward:
        result = function(*inputs)
        (result[0] if isinstance(result, list) else result).wait_to_read()
        return
    with mx.autograd.record():
        result = function(*inputs)
        result = result[0] if isinstance(result, list) else result
    result.backward()
    inputs[0].grad.wait_to_read()


def lowest(call: Callable[[], None]) -> float:
    """Return the microseconds of the fastest call."""
    times = []
    end = time.perf_counter() + SECONDS
    while len(times) < 3 or time.perf_counter() < end:
        start = time.perf_counter()
        call()
        times.append(time.perf_counter() - start)
    return 1e6 * min(times[1:])


def main() -> None:
    mx: Any = importlib.import_module(sys.argv[1])
    known = cases(mx)
    print("ready", *known, sep="|", flush=True)
    for line in sys.stdin:
        name, which = line.rstrip("\n").split("|")
        function, arrays = known[name]
        inputs = tuple(mx.nd.array(numpy.asarray(array, "float32")) for array in arrays)
        inputs[0].attach_grad()
        try:
            print(lowest(lambda: once(mx, function, inputs, which == "backward")), flush=True)  # noqa: B023
        except Exception as error:
            print("failed", " ".join(str(error).split())[:100], flush=True)


if __name__ == "__main__":
    main()
