"""Turned regions, events in time and layers of old versions: values and gradients were recorded from MXNet 1.9.1.

``python tests/interop/contrib_cases.py FILE`` writes what MXNet returns to a file, with its interpreter.
"""

import pathlib
import sys

import numpy

FACTS = pathlib.Path(__file__).parent.parent / "golden_data" / "ops" / "contrib.npz"

#: Straight, turned, twice the same, outside of the image, without a size, very long, larger than the image.
TURNED = [
    [0, 20, 30, 30, 10, 0], [1, 20, 30, 30, 40, 30], [1, 20, 30, 30, 40, 30], [1, 0, 0, 50, 20, -75.5],
    [0, 300, 300, 10, 10, 10], [0, 30, 30, 0.1, 0.1, 200], [0, 59, 69, 1, 500, 45], [0, 30, 30, 120, 120, 90],
]  # fmt: skip
#: A window that lies beyond the image with pooling_convention="full" is -inf, and so is left to the tests.
WINDOWS = {
    "padded": {"kernel": (3, 2), "stride": (2, 3), "pad": (1, 0)},
    "by itself": {"kernel": (2, 2)},
    "padded by more than it sees": {"kernel": (3, 3), "stride": (2, 2), "pad": (3, 3)},
    "cut off": {"kernel": (3, 3), "stride": (2, 2), "pooling_convention": "full"},
    "one element": {"kernel": (1, 1), "stride": (2, 2)},
    "the whole": {"kernel": (2, 2), "pad": (1, 1), "global_pool": True},
}
SLIDING = {
    "plain": {"kernel": (3, 2), "num_filter": 6},
    "dilated": {"kernel": (3, 2), "num_filter": 6, "stride": (2, 1), "dilate": (1, 2), "pad": (1, 2)},
    "without bias": {"kernel": (2, 2), "num_filter": 3, "no_bias": True},
    "in groups": {"kernel": (2, 3), "num_filter": 6, "num_group": 3, "stride": (1, 2)},
}


def _turned(mx, rng, dtype):
    data = rng.rand(2, 3, 7, 6)
    for parts in ((2, 3), (1, 1)):
        for ratio in (-1, 0, 1, 3):
            settings = {"pooled_size": parts, "spatial_scale": 0.1, "sampling_ratio": ratio}
            given = [mx.nd.array(value, dtype=dtype) for value in (data, TURNED)]
            yield f"RROIAlign {parts} {ratio}", [mx.nd.contrib.RROIAlign(*given, **settings)]


def _events(mx, rng, dtype):
    examples, events, marks = 4, 6, 3
    given = [rng.rand(examples, marks) + 0.5, rng.rand(marks) / 2, rng.rand(marks) + 0.5, rng.rand(examples, marks)]
    given += [rng.rand(examples, events), rng.randint(0, marks, (examples, events))]
    given += [numpy.array([0, 6, 3, 5]), numpy.array([7, 8, 9, 6.5])]
    arrays = [mx.nd.array(value, dtype="int32" if i == 5 else dtype) for i, value in enumerate(given)]
    for array in arrays[:3]:  # the others have no gradient in MXNet
        array.attach_grad()
    with mx.autograd.record():
        results = mx.nd.contrib.hawkesll(*arrays)
    results[0].backward(mx.nd.array(rng.rand(examples), dtype=dtype))
    yield "hawkesll", [*results, *(array.grad for array in arrays[:3])]


def _with_gradients(mx, function, given, rng, dtype):
    arrays = [mx.nd.array(value, dtype=dtype) for value in given]
    for array in arrays:
        array.attach_grad()
    with mx.autograd.record():
        y = function(*arrays)
    y.backward(mx.nd.array(rng.rand(*y.shape), dtype=dtype))
    return [y, *(array.grad for array in arrays)]


def _old_layers(mx, rng, dtype):
    data = rng.randint(-4, 5, (2, 3, 7, 6))  # with equal maxima
    for name, settings in WINDOWS.items():
        for kind in ("max", "avg", "sum"):
            function = _pooling(mx, {**settings, "pool_type": kind})
            yield f"Pooling_v1 {name} {kind}", _with_gradients(mx, function, [data], rng, dtype)
    for name, settings in SLIDING.items():
        filters, groups = settings["num_filter"], settings.get("num_group", 1)
        given = [rng.rand(2, 3, 7, 6), rng.rand(filters, 3 // groups, *settings["kernel"])]
        given += [] if settings.get("no_bias") else [rng.rand(filters)]
        yield f"Convolution_v1 {name}", _with_gradients(mx, _convolution(mx, settings), given, rng, dtype)


def _pooling(mx, settings):
    return lambda x: mx.nd.Pooling_v1(x, **settings)


def _convolution(mx, settings):
    return lambda *given: mx.nd.Convolution_v1(*given, **settings)


def results(mx, dtype="float32"):
    """Return values and gradients by the name of the case and their number."""
    rng = numpy.random.RandomState(7)
    return {
        f"{dtype} {name}: {i}": value.asnumpy()
        for part in (_turned, _events, _old_layers)
        for name, values in part(mx, rng, dtype)
        for i, value in enumerate(values)
    }


if __name__ == "__main__":
    import mxnet  # type: ignore[import-not-found]

    numpy.savez_compressed(sys.argv[1], **results(mxnet), **results(mxnet, "float64"))
