"""Calls of ``mx.image`` that MXNet and d2lhybrid share; what they return is compared.

Each function below takes the package, ``mxnet`` or ``d2lhybrid``, and returns a dict of NumPy arrays. Run as a
program, ``python image_cases.py FILE``, it writes what MXNet returns to a file. Runs on Python 3.8.
"""

from __future__ import annotations

import json
import os
import random
import shutil
import sys
import tempfile

import numpy

FOLDER = os.path.join(os.path.dirname(os.path.dirname(os.path.abspath(__file__))), "golden_data", "image")
FILES = sorted(name for name in os.listdir(FOLDER) if not name.endswith(".npz"))

SIZES = [
    ((17, 23), (31, 40)), ((17, 23), (9, 11)), ((16, 24), (8, 12)), ((30, 30), (10, 10)), ((13, 9), (13, 20)),
    ((24, 13), (12, 26)), ((33, 25), (7, 30)), ((1, 5), (4, 9)), ((5, 1), (9, 3)), ((12, 18), (4, 6)), ((7, 7), (7, 7)),
    ((37, 40), (13, 9)), ((12, 10), (6, 5)), ((6, 4), (1, 1)),
]  # fmt: skip


def _numbers(seed):
    return numpy.random.RandomState(seed)


def _pixels(mx, seed, *shape, dtype="uint8"):
    values = _numbers(seed).randint(0, 256, shape)
    return mx.nd.array(values, dtype=dtype)


def _photo(mx):
    with open(os.path.join(FOLDER, "colour.png"), "rb") as stream:
        return mx.image.imdecode(stream.read())


def decoding(mx):
    """Files of all kinds, in colour, grey, and blue first."""
    found = {}
    for name in FILES:
        path = os.path.join(FOLDER, name)
        with open(path, "rb") as stream:
            data = stream.read()
        found[name] = mx.image.imdecode(data)
        found[name + " grey"] = mx.image.imread(path, flag=0)
        found[name + " bgr"] = mx.image.imdecode(numpy.frombuffer(data, "uint8"), to_rgb=0)
    return found


def resizing(mx):
    """All methods, to larger and smaller sizes, of pixels and of numbers."""
    found = {}
    for i, ((height, width), (new_height, new_width)) in enumerate(SIZES):
        for channels, dtype in ((1, "uint8"), (3, "uint8"), (3, "float32"), (2, "float64")):
            image = _pixels(mx, i, height, width, channels, dtype=dtype)
            for interp in range(5):
                name = f"{height}x{width} to {new_height}x{new_width} {dtype} {interp}"
                found[name + " " + str(channels)] = mx.image.imresize(image, new_width, new_height, interp=interp)
    for interp in (0, 1, 2, 3, 4, 9):
        found[f"short {interp}"] = mx.image.resize_short(_pixels(mx, 3, 30, 21, 3), 14, interp)
        found[f"long {interp}"] = mx.image.resize_short(_pixels(mx, 4, 10, 21, 3), 12, interp)
    image = _pixels(mx, 5, 9, 8, 3)
    found["operator"] = mx.nd.image.resize(image, (5, 4), False, 1)
    found["operator, ratio kept"] = mx.nd.image.resize(image, 5, True, 2)
    return found


def borders(mx):
    """All ways to continue an image."""
    found = {}
    for kind in (0, 1, 2, 3, 4, 16, 17):
        found[str(kind)] = mx.image.image.copyMakeBorder(_pixels(mx, 1, 4, 5, 3), 1, 2, 3, 0, type=kind, value=9)
    found["colour"] = mx.image.image.copyMakeBorder(_pixels(mx, 1, 4, 5, 3), 1, 1, 1, 1, values=(1, 2, 3))
    found["part"] = mx.image.image.copyMakeBorder(_pixels(mx, 1, 4, 5, 3), 1, 1, 1, 1, values=(4,))
    found["float"] = mx.image.image.copyMakeBorder(_pixels(mx, 1, 4, 5, 1, dtype="float32"), 1, 0, 0, 1, value=7.5)
    found["too bright"] = mx.image.image.copyMakeBorder(_pixels(mx, 1, 4, 5, 1), 1, 0, 0, 1, value=300)
    return found


def cropping(mx):
    """Rectangles at fixed and random places, with Python's random numbers."""
    image, found = _photo(mx), {}
    found["fixed"] = mx.image.fixed_crop(image, 3, 4, 10, 12)
    found["fixed, beyond"] = mx.image.fixed_crop(image, 40, 30, 20, 20)
    found["fixed, resized"] = mx.image.fixed_crop(image, 3, 4, 10, 12, (20, 7), 1)
    for size in ((10, 20), (60, 20), (48, 36), (100, 100), (1, 1)):
        random.seed(str(size))
        name = "{}x{}".format(*size)
        found["centre " + name], found["centre box " + name] = mx.image.center_crop(image, size)
        found["random " + name], found["random box " + name] = mx.image.random_crop(image, size, 1)
        found["sized " + name], found["sized box " + name] = mx.image.random_size_crop(
            image, size, 0.2, (0.5, 2), interp=9
        )
        found["area " + name], found["area box " + name] = mx.image.random_size_crop(image, size, (0.9, 1), (3, 4))
    for src, size in (((640, 480), (720, 120)), ((360, 1000), (480, 500)), ((5, 5), (7, 9)), ((9, 9), (3, 4))):
        found[f"down {src} {size}"] = numpy.array(mx.image.scale_down(src, size))
    mean, std = mx.nd.array([1, 2, 3]), mx.nd.array([2, 3, 4])
    found["normalized"] = mx.image.color_normalize(image.astype("float32"), mean, std)
    found["centred"] = mx.image.color_normalize(image.astype("float32"), mean)
    return found


def rotating(mx):
    """Images and batches, by fixed and by random angles."""
    image = _photo(mx).astype("float32").transpose((2, 0, 1))
    batch = mx.nd.stack(image, image * 0.5)
    found = {}
    for angle in (0, 30, -45, 90, 200.5):
        for zoom in ({}, {"zoom_in": True}, {"zoom_out": True}):
            name = "{} {}".format(angle, "".join(zoom))
            found[name] = mx.image.imrotate(image, angle, **zoom)
            found["batch " + name] = mx.image.imrotate(batch, mx.nd.array([angle, 10]), **zoom)
    numpy.random.seed(1)
    found["random"] = mx.image.random_rotate(image, (-20, 20))
    found["random batch"] = mx.image.random_rotate(batch, (-20, 20), zoom_in=True)
    return found


def augmenting(mx):
    """Each augmenter, and lists of them."""
    image, found = mx.image, {}
    eigenvalues, eigenvectors = numpy.array([55.0, 4.8, 1.1]), _numbers(2).normal(size=(3, 3))
    augmenters = {
        "resize": image.ResizeAug(20), "force": image.ForceResizeAug((20, 10), 9),
        "crop": image.RandomCropAug((20, 10)), "sized crop": image.RandomSizedCropAug((20, 10), 0.3, (0.7, 1.4)),
        "centre": image.CenterCropAug((20, 10)), "brightness": image.BrightnessJitterAug(0.4),
        "contrast": image.ContrastJitterAug(0.4), "saturation": image.SaturationJitterAug(0.4),
        "hue": image.HueJitterAug(0.4), "colour": image.ColorJitterAug(0.3, 0.2, 0.1),
        "lighting": image.LightingAug(0.3, eigenvalues, eigenvectors),
        "normalize": image.ColorNormalizeAug(numpy.array([1.0, 2, 3]), None), "grey": image.RandomGrayAug(0.5),
        "flip": image.HorizontalFlipAug(0.5), "cast": image.CastAug("float64"),
        "order": image.RandomOrderAug([image.BrightnessJitterAug(0.4), image.ContrastJitterAug(0.4)]),
        "sequence": image.SequentialAug([image.CastAug(), image.HorizontalFlipAug(1.0)]),
    }  # fmt: skip
    lists = {
        "list, small": image.CreateAugmenter((3, 20, 24)),
        "list, resized": image.CreateAugmenter(
            (3, 20, 24), resize=30, rand_crop=True, rand_mirror=True, inter_method=9
        ),
        "list, all": image.CreateAugmenter(
            (3, 20, 24), rand_crop=True, rand_resize=True, rand_mirror=True, mean=True, std=True, brightness=0.1,
            contrast=0.1, saturation=0.1, hue=0.1, pca_noise=0.1, rand_gray=0.5, inter_method=10,
        ),
    }  # fmt: skip
    for name, augmenter in augmenters.items():
        found[name + ", said"] = numpy.array(json.dumps(augmenter.dumps()))
        for i in range(3):
            random.seed(i)
            numpy.random.seed(i)
            found[f"{name} {i}"] = augmenter(_photo(mx).astype("float32"))
    for name, several in lists.items():
        found[name + ", said"] = numpy.array(json.dumps([augmenter.dumps() for augmenter in several]))
        random.seed(5)
        numpy.random.seed(5)
        for i in range(3):
            changed = _photo(mx)
            for augmenter in several:
                changed = augmenter(changed)
            found[f"{name} {i}"] = changed
    return found


_LABEL = numpy.array([[0, 0.1, 0.2, 0.6, 0.7], [3, 0.5, 0.4, 0.9, 0.95], [1, 0.0, 0.0, 0.04, 0.05]], "float32")


def augmenting_boxes(mx):
    """Augmenters for detection, and lists of them."""
    image, found = mx.image, {}
    augmenters = {
        "borrow": image.DetBorrowAug(image.BrightnessJitterAug(0.3)), "flip": image.DetHorizontalFlipAug(0.5),
        "crop": image.DetRandomCropAug(), "pad": image.DetRandomPadAug(),
        "crop, small": image.DetRandomCropAug(0.01, (0.5, 2.0), (0.05, 0.3), 0.1, 100),
        "crop, one ratio": image.DetRandomCropAug(0.5, 1.0, (0.3, 0.9)),
        "pad, much": image.DetRandomPadAug((0.5, 2.0), (2.0, 5.0), 50, (1, 2, 3)),
        "several": image.CreateMultiRandCropAugmenter([0.1, 0.3, 0.9], skip_prob=0.2),
        "select": image.DetRandomSelectAug([image.DetHorizontalFlipAug(1.0), image.DetRandomPadAug()], 0.3),
    }  # fmt: skip
    for name, augmenter in augmenters.items():
        found[name + ", said"] = numpy.array(json.dumps(augmenter.dumps()))
        for i in range(6):
            random.seed(i)
            changed, label = augmenter(_photo(mx).astype("float32"), _LABEL.copy())
            found[f"{name} {i}"], found[f"{name} label {i}"] = changed, label
    several = image.CreateDetAugmenter(
        (3, 30, 30), resize=33, rand_crop=0.5, rand_pad=0.5, rand_gray=0.5, rand_mirror=True, mean=True, std=True,
        brightness=0.1, contrast=0.1, saturation=0.1, pca_noise=0.1, hue=0.1, inter_method=1,
        min_object_covered=[0.1, 0.5], pad_val=(1, 2, 3),
    )  # fmt: skip
    found["list, said"] = numpy.array(json.dumps([augmenter.dumps() for augmenter in several]))
    random.seed(5)
    numpy.random.seed(5)
    for i in range(5):
        changed, label = _photo(mx), _LABEL.copy()
        for augmenter in several:
            changed, label = augmenter(changed, label)
        found[f"list {i}"], found[f"list label {i}"] = changed, label
    return found


def _epochs(iterator, found, name, epochs=2):
    for epoch in range(epochs):
        for i, batch in enumerate(iterator):
            key = f"{name} {epoch} {i}"
            found[key] = batch.data[0][:, :, ::5, ::5]
            found[key + " label"] = batch.label[0]
            found[key + " pad"] = numpy.array(batch.pad)
        iterator.reset()


def _records(mx, folder, labels):
    """Write a record file of the photos."""
    paths = os.path.join(folder, "some.idx"), os.path.join(folder, "some.rec")
    writer = mx.recordio.MXIndexedRecordIO(*paths, "w")
    names = ["colour.png", "grey.jpg", "palette.png", "colour.jpg", "transparent.png"]
    for i, (name, label) in enumerate(zip(names, labels)):  # noqa: B905 - Python 3.8
        with open(os.path.join(FOLDER, name), "rb") as stream:
            writer.write_idx(i, mx.recordio.pack(mx.recordio.IRHeader(0, label, i, 0), stream.read()))
    writer.close()
    return paths


def warping(mx):
    """Images of a record file, changed by numbers that leave nothing to chance."""
    settings = {
        "rotated": {"rotate": 30}, "to the side": {"rotate": 90}, "from a list": {"rotate_list": "45"},
        "bicubic": {"rotate": 7, "inter_method": 2}, "Lanczos": {"rotate": 7, "inter_method": 4},
        "areas": {"rotate": 7, "inter_method": 3}, "filled": {"rotate": 200, "fill_value": 17},
        "half": {"min_random_scale": 0.5, "max_random_scale": 0.5},
        "enlarged": {"min_random_scale": 1.7, "max_random_scale": 1.7, "inter_method": 9},
        "wide": {"min_aspect_ratio": 1.3, "max_aspect_ratio": 1.3},
        "high": {"min_aspect_ratio": 0.6, "max_aspect_ratio": 0.6, "rotate": 20, "pad": 3},
        "at least": {"min_img_size": 50.0}, "at most": {"max_img_size": 22.0},
        "square": {"min_crop_size": 12, "max_crop_size": 12, "data_shape": (3, 18, 14), "inter_method": 9},
        "not cut": {"random_resized_crop": True}, "cut and rotated": {"random_resized_crop": True, "rotate": 10},
        "resized": {"resize": 40, "rotate": 15},
    }  # fmt: skip
    found = {}
    with tempfile.TemporaryDirectory() as folder:
        _, path = _records(mx, folder, [3, 1, 4, 1, 5])
        for name, own in settings.items():
            given = {"path_imgrec": path, "batch_size": 5, "data_shape": (3, 20, 16)}
            found[name] = next(iter(mx.io.ImageRecordIter(**dict(given, **own)))).data[0]
    return found


def iterating(mx):
    """Batches of record files and lists, however the last one is handled."""
    found = {}
    listed = [[float(i), name] for i, name in enumerate(["colour.png", "grey.png", "colour.jpg"])]
    with tempfile.TemporaryDirectory() as folder:
        index, records = _records(mx, folder, [3, 1, 4, 1, 5])
        path = os.path.join(folder, "some.lst")
        with open(path, "w") as stream:
            stream.write("7\t1\t2\tcolour.png\n3\t3\t4\tgrey.png\n")
        size = {"batch_size": 2, "data_shape": (3, 20, 24)}
        iterators = {
            "list": (mx.image.ImageIter(imglist=listed, path_root=FOLDER, **size), 2),
            "discard": (mx.image.ImageIter(imglist=listed, path_root=FOLDER, last_batch_handle="discard", **size), 2),
            "roll": (mx.image.ImageIter(imglist=listed, path_root=FOLDER, last_batch_handle="roll_over", **size), 4),
            "file": (mx.image.ImageIter(path_imglist=path, path_root=FOLDER, label_width=2, **size), 2),
            "records": (mx.image.ImageIter(path_imgrec=records, **size), 2),
            "indexed": (mx.image.ImageIter(path_imgrec=records, path_imgidx=index, **size), 2),
            "part": (mx.image.ImageIter(path_imgrec=records, path_imgidx=index, part_index=1, num_parts=2, **size), 2),
        }
        for name, (iterator, epochs) in iterators.items():
            _epochs(iterator, found, name, epochs)
        random.seed(1)
        shuffled = mx.image.ImageIter(path_imgrec=records, path_imgidx=index, shuffle=True, rand_crop=True, **size)
        _epochs(shuffled, found, "shuffled")
    return found


def iterating_boxes(mx):
    """Batches for detection."""
    found = {}
    labels = [
        [4, 5, 48, 36, 1, 0.1, 0.2, 0.5, 0.6],
        [2, 5, 0, 0.0, 0.2, 0.5, 0.6, 2, 0.3, 0.3, 0.9, 0.9],
        [2, 5, 1, 0.5, 0.5, 0.4, 0.9, 4, 0.3, 0.3, 0.8, 0.9],
    ]
    listed = [[labels[i], name] for i, name in enumerate(["colour.png", "grey.png", "colour.jpg"])]
    size = {"batch_size": 2, "data_shape": (3, 20, 24)}
    iterator = mx.image.ImageDetIter(imglist=listed, path_root=FOLDER, **size)
    _epochs(iterator, found, "list")
    random.seed(2)
    other = mx.image.ImageDetIter(
        imglist=listed[:1], path_root=FOLDER, rand_crop=1, rand_mirror=True, mean=True, **size
    )
    _epochs(other, found, "one")
    found["shape"] = numpy.array(iterator.sync_label_shape(other).label_shape)
    _epochs(other, found, "more")
    with tempfile.TemporaryDirectory() as folder:
        index, records = _records(mx, folder, labels)
        _epochs(mx.image.ImageDetIter(path_imgrec=records, path_imgidx=index, **size), found, "records")
        _epochs(mx.image.ImageDetIter(path_imgrec=records, last_batch_handle="roll_over", **size), found, "roll", 3)
    return found


def transforming(mx):
    """Transforms of gluon that cut, resize and rotate."""
    transforms, found = mx.gluon.data.vision.transforms, {}
    photo = _photo(mx)
    of_images = {
        "centre": transforms.CenterCrop((20, 30)), "centre, larger": transforms.CenterCrop((60, 20), 2),
        "centre, much larger": transforms.CenterCrop((70, 90)), "sized": transforms.RandomResizedCrop(20),
        "sized, wide": transforms.RandomResizedCrop((30, 10), (0.2, 0.5), (1.5, 2.0), 3),
        "cut": transforms.CropResize(3, 4, 20, 10), "cut, resized": transforms.CropResize(3, 4, 20, 10, (5, 9), 2),
        "short": transforms.Resize(17, keep_ratio=True), "both": transforms.Resize((17, 9), interpolation=3),
        "perhaps": transforms.RandomApply(transforms.CenterCrop(3), 0.4),
    }  # fmt: skip
    of_tensors = {
        "rotate": transforms.Rotate(33), "rotate, in": transforms.Rotate(-20, zoom_in=True),
        "rotation": transforms.RandomRotation((-30, 10)),
        "rotation, out": transforms.RandomRotation((5, 10), False, True),
        "rotation, perhaps": transforms.RandomRotation((5, 10), rotate_with_proba=0.5),
    }  # fmt: skip
    tensor = transforms.ToTensor()(photo)
    for start, several in ((photo, of_images), (tensor, of_tensors)):
        for name, transform in several.items():
            for i in range(3):
                random.seed(i)
                numpy.random.seed(i)
                found[f"{name} {i}"] = transform(start)
    return found


def datasets(mx):
    """Data sets of gluon on files of records, and on folders."""
    vision, found = mx.gluon.data.vision, {}
    with tempfile.TemporaryDirectory() as folder:
        _, records = _records(mx, folder, [3, [1, 2], 4, 1, 5])
        colour, grey = vision.ImageRecordDataset(records), vision.ImageRecordDataset(records, flag=0)
        for i in range(len(colour)):
            found[f"colour {i}"], found[f"colour label {i}"] = colour[i]
            found[f"grey {i}"] = grey[i][0]
        for name, files in (("b", ["grey.jpg"]), ("a", ["colour.png", "palette.png"])):
            os.makedirs(os.path.join(folder, "images", name))
            for file in files:
                shutil.copy(os.path.join(FOLDER, file), os.path.join(folder, "images", name))
        for flag in (0, 1):
            images = vision.ImageFolderDataset(os.path.join(folder, "images"), flag)
            for i in range(len(images)):
                found[f"folder {flag} {i}"], found[f"folder label {flag} {i}"] = images[i]
        del colour, grey  # Windows removes no open file
    return found


CASES = [
    transforming, datasets, decoding, resizing, borders, cropping, rotating, augmenting, augmenting_boxes, iterating,
    iterating_boxes, warping,
]  # fmt: skip


def results(mx, case):
    """Return what a case computes as NumPy arrays; of large ones some values, and the shape."""
    found = {}
    for name, value in case(mx).items():
        value = value.asnumpy() if hasattr(value, "asnumpy") else numpy.array(value)
        if value.size > 200:
            found[name + " (shape)"] = numpy.array(value.shape)
            value = value.ravel()[:: value.size // 67]
        found[name] = value
    return found


if __name__ == "__main__":
    import mxnet  # pyright: ignore[reportMissingImports]

    facts = {f"{case.__name__}: {name}": value for case in CASES for name, value in results(mxnet, case).items()}
    numpy.savez_compressed(sys.argv[1], **facts)
