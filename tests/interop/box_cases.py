"""Settings of ``ImageDetRecordIter`` that leave nothing to chance; batches of MXNet and d2lhybrid are compared.

Run as a program, ``python box_cases.py FILE``, it writes what MXNet reads to a file. Runs on Python 3.8. A record file
is kept beside the facts: five pictures with labels of different lengths, of which one has a box without area.
"""

from __future__ import annotations

import os
import sys
import tempfile

import numpy

FACTS = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden_data", "image", "boxes.npz")

CASES = {
    "plain": {},
    "mirrored": {"rand_mirror_prob": 1},
    "padded labels": {"label_pad_width": 40, "label_pad_value": -3},
    "normalized": {"mean_r": 10, "mean_g": 20, "mean_b": 30, "std_r": 2, "std_g": 3, "scale": 0.5},
    "one mean": {"mean_g": 20},
    "list": {"path_imglist": True, "label_width": 7},
    "shape kept": {"resize_mode": "fit"},
    "smaller": {"resize_mode": "shrink", "data_shape": (3, 26, 26)},
    "short edge": {"resize": 12},
    "grey": {"data_shape": (1, 16, 24)},
    "nearest": {"inter_method": 0},
    "cubic": {"inter_method": 2},
    "chosen": {"inter_method": 9},
    "not filled": {"round_batch": False},
}

WRONG = {
    "other width": {"label_width": 10},
    "too small": {"label_pad_width": 5},
    "samplers": {"num_crop_sampler": 2, "min_crop_scales": (0.1, 0.2, 0.3)},
}


def write_files(folder):
    """Write the record file and the list, and return the settings for them."""
    with numpy.load(FACTS) as stored:
        content = stored["record"].tobytes()
    with open(os.path.join(folder, "boxes.rec"), "wb") as stream:
        stream.write(content)
    with open(os.path.join(folder, "boxes.lst"), "w") as stream:
        for i in range(5):
            stream.write(f"{i}\t2\t5\t{i}\t0.1\t0.2\t0.6\t0.7\t{i}.png\n")
    record = os.path.join(folder, "boxes.rec")
    return {
        "path_imgrec": record,
        "data_shape": (3, 16, 24),
        "batch_size": 2,
        "preprocess_threads": 1,
        "verbose": False,
    }


def _settings(folder, base, changed):
    settings = dict(base, **changed)
    if "path_imglist" in settings:
        settings["path_imglist"] = os.path.join(folder, "boxes.lst")
    return settings


def results(mx):
    """Return what two epochs of each case give, and the last line of each error."""
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        base = write_files(folder)
        for name, changed in CASES.items():
            batches = mx.io.ImageDetRecordIter(**_settings(folder, base, changed))
            number = 0
            for _ in range(2):
                for batch in batches:
                    count = 2 - (batch.pad if name == "not filled" else 0)  # the rest is whatever memory holds
                    data, label = batch.data[0].asnumpy()[:count], batch.label[0].asnumpy()[:count]
                    for picture, (_, rows, columns) in zip(data, label[:, :3].astype(int)):  # noqa: B905
                        picture[:, rows:], picture[:, :, columns:] = 0, 0
                    if number < 3:
                        found[f"{name} {number} data"] = data
                    found[f"{name} {number} label"] = label
                    found[f"{name} {number} pad"] = numpy.array(batch.pad)
                    number += 1
                batches.reset()
            found[name] = numpy.array([str(batches.provide_data[0]), str(batches.provide_label[0])])
            del batches
        for name, changed in WRONG.items():
            try:
                mx.io.ImageDetRecordIter(**_settings(folder, base, changed)).next()
            except mx.base.MXNetError as error:
                found[name] = numpy.array(str(error).strip().split("\n")[-1].replace("MXNetError: ", ""))
    return found


if __name__ == "__main__":
    import mxnet  # pyright: ignore[reportMissingImports]

    numpy.savez_compressed(sys.argv[1], **results(mxnet))
