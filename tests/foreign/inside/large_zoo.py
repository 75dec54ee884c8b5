"""How the models of gluoncv2, a zoo of image models, are made, and the inputs that are tried. Runs on Python 3.8.

The zoo lists many a model in a dozen depths and widths, and once more for each data set: one whose name differs from
another one's in these alone stands behind it.
"""

from __future__ import annotations

import contextlib
import re

# Larger inputs are made smaller, where a definition lets one say how large they are.
LARGE = 331
SMALLER = 128, 192, 256
SPEECH = [{"shape": [2, 64, 60]}, {"shape": [2], "values": [58, 41]}]
PERSON = {"shape": [2], "values": [3, 1]}
# What else than pictures is looked at, by how names begin.
OTHER = {
    "jasperdr": SPEECH,
    "jasper": SPEECH,
    "quartznet": SPEECH,
    "nvpattexp": [{"shape": [2, 8, 16, 29]}, PERSON],
    "voca": [{"shape": [2, 1, 16, 29]}, PERSON],
    "visemenet": [{"shape": [2, 8, 195]}, {"shape": [2, 76]}],
    "superpointnet": [{"shape": [1, 1, 64, 96]}],
}
SETTINGS: dict[str, dict[str, object]] = {
    "jasper": {"from_audio": False},
    "jasperdr": {"from_audio": False},
    "quartznet": {"from_audio": False},
    "superpointnet": {"in_size": (64, 96)},
}
_DATA = re.compile(r"_(cifar100?|svhn|cub|voc|coco|ade20k|cityscapes|celebamaskhq|en|fr|de|it|es|ca|pl|ru\d*)\b")
_SIZES = re.compile(r"_(wd?|ad?|k|g|r|s|c)?\d+(d\d+|x\d+d?|d)?(?=_|$)|[\d_]+")


def family(module, name):
    """Return what the names of models have in common that differ in their size and their data set."""
    plain = name
    while plain != (plain := _DATA.sub("", plain)):
        pass
    return module, _SIZES.sub("", plain)


def names():
    """Return the names of the models, each with the module that defines it, and the one that it is like."""
    from gluoncv2 import model_provider  # pyright: ignore[reportMissingImports]

    first, rows = {}, []
    for name, make in model_provider._models.items():
        module = make.__module__.replace("gluoncv2.models.", "")
        rows.append([name, module, first.setdefault(family(module, name), name)])
    return rows


def make(mx, name):
    """Return a model and the inputs to try."""
    from gluoncv2.model_provider import get_model  # pyright: ignore[reportMissingImports]

    for begin, sorts in OTHER.items():
        if name.startswith(begin):
            return get_model(name, **SETTINGS.get(begin, {})), [sorts]
    net = get_model(name)
    size = net.in_size
    for side in SMALLER if max(size) > LARGE else ():
        with contextlib.suppress(Exception):  # it has a size of its own
            net, size = get_model(name, in_size=(side, side)), (side, side)
            break
    return net, [[{"shape": [1, 3, *size]}]]


def call(name, net, arrays):
    """Return what a model gives for arrays."""
    return net(*arrays)
