"""How the models of GluonCV's table are made, and the inputs that are tried, the smallest first. Runs on Python 3.8."""

from __future__ import annotations

import numpy

ELSEWHERE = "weights from elsewhere"
REGIONS = 24
CROP = 128
CROPPED = "deeplabv3", "pspnet", "deeplabv3b_plus", "icnet", "fastscnn"
SIZES = 32, 64, 96, 128, 160, 224, 299, 320, 331, 512


def names():
    """Return the names in the table, each with the module that defines it."""
    from gluoncv.model_zoo import model_zoo  # pyright: ignore[reportMissingImports]

    return [[name, make.__module__.replace("gluoncv.model_zoo.", "")] for name, make in model_zoo._models.items()]


def images(channels=3, sizes=SIZES):
    """Return square images of growing size."""
    return [[{"shape": [1, channels, size, size]}] for size in sizes]


def films(lengths, sizes=SIZES):
    """Return short films of growing size, and of growing length."""
    return [[{"shape": [1, 3, length, size, size]}] for size in sizes for length in lengths]


def candidates(module, name, net):
    """Return the inputs to try."""
    if module.startswith("action_recognition") and not module.rsplit(".", 1)[-1].startswith("actionrec"):
        if "slowfast" in module:
            return films([net.fast_frames + net.slow_frames])
        return films([8, 16, 32])
    if module.startswith("siamrpn"):
        return [[{"shape": [1, 3, 127, 127]}, {"shape": [1, 3, size, size]}] for size in (255, 287)]
    if module.endswith("posenet"):
        return images(6, (64, 96, 128))
    if "rcnn" in module:
        return images(sizes=(160, 320))  # in a smaller one, most boxes end at its border, and are the same
    if module in CROPPED:
        return images(sizes=(CROP,))
    if module.startswith("ssd"):
        return images(sizes=(128, 256, 300) if "_300_" in name else (256, 384, 512))
    if "_cifar" in name or name.startswith("cifar"):
        return images(sizes=(32,))
    return images()


def load_parameters(self, filename, *arguments, **settings):
    """Do what a block's own method does, but with weights from elsewhere."""
    if filename == ELSEWHERE:
        self.initialize()
    else:
        self.loads_parameters(filename, *arguments, **settings)


def make(mx, name):
    """Return a model without weights from elsewhere, and the inputs to try."""
    from gluoncv.model_zoo import model_store, model_zoo  # pyright: ignore[reportMissingImports]

    # Some definitions load weights of another net whatever they are told: those weights are left as they begin.
    if not hasattr(mx.gluon.Block, "loads_parameters"):
        model_store.get_model_file = lambda *_, **__: ELSEWHERE
        mx.gluon.Block.loads_parameters = mx.gluon.Block.load_parameters
        mx.gluon.Block.load_parameters = load_parameters
    maker = model_zoo._models[name]
    module = maker.__module__.replace("gluoncv.model_zoo.", "")
    settings: dict[str, object] = {"pretrained": False}
    if module in CROPPED:
        settings["crop_size"] = settings["base_size"] = CROP  # the only size that it takes
        if module == "icnet":
            settings["height"] = settings["width"] = CROP
    if "custom" in name:
        settings["classes" if "action" not in module else "nclass"] = ["cat", "dog"] if "action" not in module else 3
        if "actionrec" in module:
            settings["use_kinetics_pretrain"] = False  # it would copy weights from elsewhere into another net
    if "fpn" in name:
        # For boxes that another level looks at, MXNet reads what lies before an array, and gives other numbers at each
        # call. The definitions have another branch, for an MXNet without this operator, which looks at all boxes.
        for space in (mx.nd.contrib, mx.sym.contrib):
            vars(space).pop("box_encode", None)
    try:
        net = maker(pretrained_base=False, **settings)
    except Exception:  # it does not know that setting, or counts on numbers from elsewhere
        net = maker(**settings)
    if "rcnn" in module:  # a few of the hundreds of regions that are looked at
        net._rpn_test_post_nms = net.rpn._test_post_nms = REGIONS
        if hasattr(net, "_rcnn_max_dets"):
            net._rcnn_max_dets = REGIONS
    return net, candidates(module, name, net)


def call(name, net, arrays):
    """Return what a model gives for arrays; rounding does not decide in which order boxes come that are as likely."""
    found = net(*arrays)
    # Hybridized, it gives a list.
    if not isinstance(found, (tuple, list)) or [array.shape[2:] for array in found[:3]] != [(1,), (1,), (4,)]:
        return found
    labels, scores, boxes = (array.asnumpy() for array in found[:3])
    changed = [array.asnumpy() for array in found]
    for i in range(len(scores)):
        steps = numpy.abs(numpy.diff(scores[i, :, 0])) > 1e-5 * numpy.abs(scores[i]).max()
        order = numpy.lexsort([*boxes[i].T.round(2), labels[i, :, 0], numpy.cumsum([0, *steps])])
        changed = [numpy.concatenate([a[:i], a[i : i + 1, order], a[i + 1 :]]) for a in changed]
    return changed
