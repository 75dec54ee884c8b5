"""Small files in the formats of what MXNet's own tutorials fetch."""

from __future__ import annotations

import json
from pathlib import Path

import numpy

from .files import jpeg, tar_files, write
from .of_programs import mnist

__all__ = ["TUTORIALS"]


def _picture(height: int, width: int, seed: int) -> numpy.ndarray:
    """Return a picture whose colours run from edge to edge, with a spot in it."""
    rows, columns = numpy.mgrid[:height, :width]
    planes = [columns * 255 // width, rows * 255 // height, (rows + columns) * 255 // (height + width)]
    picture = numpy.stack(planes, axis=-1).astype(numpy.uint8)
    top, left = numpy.random.default_rng(seed).integers(0, (height // 2, width // 2))
    picture[top : top + height // 3, left : left + width // 3] = (200, 30, 30)
    return picture


def digits(folder: Path) -> None:
    """The four files of MNIST, which ``mx.test_utils.get_mnist`` asks for."""
    mnist(folder, 1280, 256)


def letters(folder: Path) -> None:
    """Letters and sixteen numbers about each, ``letter-recognition.data``."""
    generator = numpy.random.default_rng(1)
    kinds, noise = generator.integers(0, 26, 20000), generator.integers(-1, 2, (20000, 16))
    values = numpy.clip(generator.integers(1, 15, (26, 16))[kinds] + noise, 0, 15)
    rows = (f"{chr(65 + kind)},{','.join(map(str, row))}" for kind, row in zip(kinds, values.tolist(), strict=True))
    write(folder / "letter-recognition.data", "\n".join(rows) + "\n")


def photographs(folder: Path) -> None:
    """Single pictures, pictures in folders of their kinds, and the names of the kinds of ImageNet."""
    for name in ("0.jpg", "1.jpg", "2.jpg", "cat.jpg", "dog.jpg", "giraffe.jpg", "Cat-hd-wallpapers.jpg"):
        write(folder / name, jpeg(_picture(427, 640, len(name))))
    for name in ("super_res_input.jpg",):
        write(folder / name, jpeg(_picture(224, 224, 1)))
    for name in ("0_mask.png", "super_resolution.png"):
        write(folder / name, jpeg(_picture(427, 640, 2) // 200 * 255, "PNG"))
    write(folder / "synset.txt", "".join(f"n{i:08d} thing {i}\n" for i in range(1000)))
    write(folder / "image_net_labels.json", json.dumps([f"thing {i}" for i in range(1000)]))
    validation = {f"test_images/ILSVRC2012_val_{i:08d}.JPEG": jpeg(_picture(375, 500, i)) for i in range(1, 9)}
    tar_files(folder / "test_images.tar.gz", "w:gz", validation.items())
    kinds = [f"kind_{i:03d}" for i in range(99)] + ["Faces", "yin_yang"]
    kinds_of_things = {
        f"101_ObjectCategories{part}/{kind}/image_{i:04d}.jpg": jpeg(_picture(60, 80, i))
        for part, count in (("", 6), ("_test", 1))
        for kind in kinds
        for i in range(1, count + 1)
    }
    tar_files(folder / "101_ObjectCategories.tar.gz", "w:gz", kinds_of_things.items())


def faces(folder: Path) -> None:
    """Faces in folders of whose they are, ``lfw-deepfunneled.tgz``."""
    people = {f"lfw-deepfunneled/Person_{i}/Person_{i}_0001.jpg": jpeg(_picture(250, 250, i)) for i in range(80)}
    tar_files(folder / "lfw-deepfunneled.tgz", "w:gz", people.items())


#: What writes the files that the tutorials ask for.
TUTORIALS = (digits, letters, photographs, faces)
