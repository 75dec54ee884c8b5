"""Pooling of regions by position: cases whose values and gradients were recorded from MXNet 1.9.1.

``python tests/interop/position_cases.py FILE`` writes what MXNet returns to a file, with its interpreter.
"""

import pathlib
import sys

import numpy

FACTS = pathlib.Path(__file__).parent.parent / "golden_data" / "ops" / "by_position.npz"

#: Outside of the image, of no size, of one element, twice the same part of an image, with halves to round.
ROIS = [
    [0, 0, 0, 30, 40], [1, 10, 12, 59, 79], [1, 10, 12, 59, 79], [0, 5, 5, 5, 5], [0, 30, 30, 10, 10],
    [1, -20.5, -10.5, 12.5, 33.5], [0, 40, 50, 200, 300], [1, 300, 300, 400, 400], [0, 0.5, 1.5, 2.5, 40.49],
]  # fmt: skip

_MOVED = {"spatial_scale": 0.1, "output_dim": 2, "group_size": 2, "pooled_size": 3}
CASES = {
    "parts are groups": ("PSROIPooling", 0, {"spatial_scale": 0.1, "output_dim": 2, "pooled_size": 2}),
    "fewer groups than parts": (
        "PSROIPooling", 0, {"spatial_scale": 0.125, "output_dim": 2, "pooled_size": 3, "group_size": 2},
    ),
    "more groups than parts": (
        "PSROIPooling", 0, {"spatial_scale": 0.1, "output_dim": 1, "pooled_size": 2, "group_size": 3},
    ),
    "not moved": ("DeformablePSROIPooling", 0, {**_MOVED, "sample_per_part": 3, "no_trans": True}),
    "one point": ("DeformablePSROIPooling", 0, {**_MOVED, "no_trans": True}),
    "moved": (
        "DeformablePSROIPooling", (1, 3), {**_MOVED, "part_size": 3, "sample_per_part": 2, "trans_std": 0.3},
    ),
    "two classes, few cells": (
        "DeformablePSROIPooling", (2, 2), {**_MOVED, "part_size": 2, "sample_per_part": 4, "trans_std": 0.5},
    ),
    "cells as parts": ("DeformablePSROIPooling", (2, 3), {**_MOVED, "sample_per_part": 2, "trans_std": 0.1}),
}  # fmt: skip


def results(mx, name, dtype="float32"):
    """Return the value and the gradients of a case."""
    operator, trans, settings = CASES[name]
    rng = numpy.random.RandomState(7)
    given = [mx.nd.array(rng.rand(2, 9, 7, 6), dtype=dtype), mx.nd.array(ROIS, dtype=dtype)]
    if trans:
        classes, cells = trans
        given.append(mx.nd.array(rng.rand(len(ROIS), 2 * classes, cells, cells) - 0.5, dtype=dtype))
    for array in given:
        array.attach_grad()
    with mx.autograd.record():
        y = getattr(mx.nd.contrib, operator)(*given, **settings)
    y.backward(mx.nd.array(rng.rand(*y.shape), dtype=dtype))
    found = {"value": y, "of data": given[0].grad}
    if trans:
        found["of trans"] = given[2].grad
    return {key: value.asnumpy() for key, value in found.items()}


if __name__ == "__main__":
    import mxnet  # type: ignore[import-not-found]

    facts = {}
    for case in CASES:
        facts.update({f"{case}: {key}": value for key, value in results(mxnet, case).items()})
    numpy.savez_compressed(sys.argv[1], **facts)
