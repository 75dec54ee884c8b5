"""Calls of ``Proposal`` and ``MultiProposal``; what MXNet and d2lhybrid return for them is compared.

Run as a program, ``python proposal_cases.py FILE``, it writes what MXNet returns to a file. Runs on Python 3.8.
"""

from __future__ import annotations

import os
import sys

import numpy

FACTS = os.path.join(
    os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden_data", "image", "proposals.npz"
)

_USUAL = {"scales": (2.0, 4.0), "ratios": (0.5, 1.0, 2.0), "feature_stride": 8, "rpn_post_nms_top_n": 20}

#: Name -> (images, height and width of the map, whether scores are few different ones, settings).
CASES = {
    "usual": (2, (5, 7), False, {}),
    "more come out than stay": (1, (1, 2), False, {"rpn_post_nms_top_n": 50}),
    "one comes out": (3, (4, 4), False, {"rpn_post_nms_top_n": 1}),
    "none comes out": (1, (2, 2), False, {"rpn_post_nms_top_n": 0}),
    "few are looked at": (2, (6, 6), False, {"rpn_pre_nms_top_n": 7}),
    "all are looked at": (2, (6, 6), False, {"rpn_pre_nms_top_n": -1, "threshold": 0.9}),
    "none may overlap": (1, (6, 6), False, {"threshold": 0.0}),
    "all may overlap": (1, (6, 6), False, {"threshold": 1.0}),
    "equal scores": (2, (4, 5), True, {}),
    "large ones only": (2, (5, 5), False, {"rpn_min_size": 30}),
    "all are too small": (1, (3, 3), False, {"rpn_min_size": 500}),
    "any size": (2, (5, 5), False, {"rpn_min_size": 0}),
    "sides are moved": (2, (5, 6), False, {"iou_loss": True}),
    "odd sizes": (2, (3, 9), False, {"scales": (0.3, 1.7), "ratios": (0.7, 1.3, 3.1), "feature_stride": 5}),
    "one anchor": (1, (9, 3), False, {"scales": 2, "ratios": (1.0,)}),
    "defaults": (1, (6, 6), False, None),
}

_DEFAULTS = {"scales": (4, 8, 16, 32), "ratios": (0.5, 1, 2), "feature_stride": 16}

#: Wrong calls: shapes of the three inputs, and the image.
WRONG = {
    "scales and ratios": ((1, 10, 2, 2), (1, 20, 2, 2), (1, 3), 16),
    "a map smaller than the image": ((1, 12, 2, 2), (1, 24, 2, 2), (1, 3), 90),
    "offsets": ((1, 12, 2, 2), (1, 12, 2, 2), (1, 3), 16),
    "image": ((1, 12, 2, 2), (1, 24, 2, 2), (1, 2), 16),
}


def inputs(name):
    """Return the three inputs of a case, and the settings."""
    number = list(CASES).index(name)
    random = numpy.random.RandomState(number)
    images, (height, width), few, changed = CASES[name]
    settings = {} if changed is None else dict(_USUAL, **changed)
    read = dict(_DEFAULTS, **settings)
    anchors = numpy.size(read["scales"]) * len(read["ratios"])
    score = random.uniform(size=(images, 2 * anchors, height, width))
    offsets = random.normal(0, 6 if read.get("iou_loss") else 0.5, (images, 4 * anchors, height, width))
    stride = read["feature_stride"]
    # Some images end before the map does.
    info = [
        [stride * random.uniform(0.6, 1.05) * height, stride * random.uniform(0.6, 1.05) * width, scale]
        for scale in random.uniform(0.5, 2, images)
    ]
    info = numpy.minimum(info, [stride * (height + 1) - 1, stride * (width + 1) - 1, 9])
    score = numpy.round(score * 4) / 4 if few else score
    return [values.astype("float32") for values in (score, offsets, info)], settings


def results(mx, name):
    """Return what a case gives, with scores, by both operators and as a symbol."""
    arrays, settings = inputs(name)
    arrays = [mx.nd.array(values) for values in arrays]
    first = [array[:1] for array in arrays]
    symbols = [mx.sym.var(letter) for letter in "abc"]
    net = mx.sym.contrib.MultiProposal(*symbols, **settings)
    found = {
        "images": mx.nd.contrib.MultiProposal(*arrays, output_score=True, **settings),
        "image": mx.nd.contrib.Proposal(*first, output_score=True, **settings),
        "symbol": net.bind(mx.cpu(), {"a": arrays[0], "b": arrays[1], "c": arrays[2]}).forward(),
    }
    return {f"{kind} {i}": array.asnumpy() for kind, some in found.items() for i, array in enumerate(some)}


def wrong(mx, name):
    """Return the last line of what a wrong call raises, from each of the operators."""
    *shapes, size = WRONG[name]
    told = []
    # With a map that is too small, MXNet's MultiProposal ends the process.
    operators = (mx.nd.contrib.Proposal, mx.nd.contrib.MultiProposal)[: 1 if size > 80 else 2]
    for op in operators:
        arrays = [mx.nd.ones(shape) for shape in shapes]
        arrays[2][:] = size
        try:
            op(*arrays, scales=(1, 2), ratios=(0.5, 1, 2), rpn_post_nms_top_n=3).wait_to_read()
        except mx.base.MXNetError as error:
            told.append(str(error).strip().split("\n")[-1].replace("MXNetError: ", "").strip())
    return numpy.array(told)


if __name__ == "__main__":
    import mxnet  # pyright: ignore[reportMissingImports]

    facts = {name + ": " + key: value for name in CASES for key, value in results(mxnet, name).items()}
    facts.update({name: wrong(mxnet, name) for name in WRONG})
    numpy.savez_compressed(sys.argv[1], **facts)
