"""The data sets of MXNet's example programs: local files, which are downloaded if they are missing.

Nearly all the addresses that MXNet had them from are gone. If you have the files, put them where the functions look.
"""

from __future__ import annotations

import bz2
import os
import shutil
import sys
import zipfile
from typing import Any

import numpy

from ..gluon.data.vision.datasets import read_idx
from ..gluon.utils import download as fetch
from ..internals.formats.serialization import open_unpacked
from ..io import MNISTIter

__all__ = [
    "download", "get_bz2_data", "get_cifar10", "get_mnist", "get_mnist_iterator", "get_mnist_pkl", "get_mnist_ubyte",
    "get_zip_data",
]  # fmt: skip

_OF_MXNET = "http://data.mxnet.io"
_PARTS = ("train-images-idx3-ubyte", "train-labels-idx1-ubyte", "t10k-images-idx3-ubyte", "t10k-labels-idx1-ubyte")


def download(
    url: str, fname: str | None = None, dirname: str | None = None, overwrite: bool = False, retries: int = 5
) -> str:
    """Fetch a file, unless it is there already.

    Parameters
    ----------
    url : str
        Where to fetch it from.
    fname : str, optional
        What to call it; by default the name in the URL.
    dirname : str, optional
        Folder to write to, which is made if need be; by default that of ``fname``, or the current one.
    overwrite : bool
        Fetch it even if it is there.
    retries : int
        How often to try again after a failure.

    Returns
    -------
    str
        Path of the file.

    Raises
    ------
    ConnectionError
        If the file cannot be fetched.

    Examples
    --------
    >>> import pathlib, tempfile
    >>> folder = tempfile.mkdtemp()
    >>> _ = pathlib.Path(folder, "a.txt").write_text("here already")
    >>> download("https://example.org/a.txt", dirname=folder) == str(pathlib.Path(folder, "a.txt"))
    True
    """
    assert retries >= 0, "Number of retries should be at least 0"
    name = fname or url.split("/")[-1]
    return fetch(url, os.path.join(dirname, name) if dirname else name, overwrite, retries=retries)


def _download(url: str, **where: Any) -> str:
    """Fetch with the function that ``mx.test_utils`` has now: programs with data of their own replace it there."""
    return sys.modules[__package__ or ""].download(url, **where)


def get_mnist() -> dict[str, numpy.ndarray]:
    """Return the digits of MNIST, from the four ``...-ubyte.gz`` files in the current folder.

    Returns
    -------
    dict
        ``train_data`` and ``test_data``, float32 of shape (n, 1, 28, 28) with values 0 ... 1; ``train_label`` and
        ``test_label``.

    Examples
    --------
    >>> get_mnist()["train_data"].shape  # doctest: +SKIP
    (60000, 1, 28, 28)
    """
    found = {}
    for part, name in (("train", "train"), ("t10k", "test")):
        for kind, what in (("labels-idx1", "label"), ("images-idx3", "data")):
            values = read_idx(_download(f"{_OF_MXNET}/data/mnist/{part}-{kind}-ubyte.gz"))
            found[f"{name}_{what}"] = (
                values.astype(numpy.int8)
                if what == "label"
                else values[:, None].astype(numpy.float32) / numpy.float32(255)
            )
    return found


def get_mnist_pkl() -> None:
    """See to it that ``data/mnist.pkl.gz`` is there.

    Examples
    --------
    >>> get_mnist_pkl()  # doctest: +SKIP
    """
    if not os.path.exists("data/mnist.pkl.gz"):
        _download("http://deeplearning.net/data/mnist/mnist.pkl.gz", dirname="data")


def get_mnist_ubyte() -> None:
    """See to it that the four files of MNIST are in the folder ``data``.

    They are unpacked there if they are packed, one by one (``.gz``) or together (``mnist.zip``).

    Examples
    --------
    >>> get_mnist_ubyte()  # doctest: +SKIP
    """
    for name in _PARTS:
        packed = os.path.join("data", f"{name}.gz")
        if not os.path.exists(packed[:-3]) and os.path.exists(packed):
            with open_unpacked(packed) as source, open(packed[:-3], "wb") as target:
                shutil.copyfileobj(source, target)
    if not all(os.path.exists(os.path.join("data", name)) for name in _PARTS):
        _unzip(_download(f"{_OF_MXNET}/mxnet/data/mnist.zip", dirname="data"), "data")


def get_cifar10() -> None:
    """See to it that the record files of CIFAR-10, ``train.rec`` and ``test.rec``, are in the folder ``data/cifar``.

    Examples
    --------
    >>> get_cifar10()  # doctest: +SKIP
    """
    if not all(os.path.exists(f"data/cifar/{part}.rec") for part in ("train", "test")):
        _unzip(_download(f"{_OF_MXNET}/mxnet/data/cifar10.zip", dirname="data"), "data")


def get_mnist_iterator(
    batch_size: int, input_shape: tuple[int, ...], num_parts: int = 1, part_index: int = 0
) -> tuple[MNISTIter, MNISTIter]:
    """Return iterators over the digits of MNIST, whose files are in the folder ``data``.

    Parameters
    ----------
    batch_size : int
        Digits in a batch.
    input_shape : tuple of int
        Of three sizes for images, and of one for rows of pixels.
    num_parts, part_index : int
        The number of parts of the digits, and the index of the part to read.

    Returns
    -------
    tuple of MNISTIter
        Over the training digits, in a random order, and over the others.

    Examples
    --------
    >>> train, test = get_mnist_iterator(100, (784,))  # doctest: +SKIP
    """
    get_mnist_ubyte()
    made = []
    for part in ("train", "t10k"):
        images, labels = (f"data/{part}-{kind}-ubyte" for kind in ("images-idx3", "labels-idx1"))
        made.append(
            MNISTIter(
                images, labels, batch_size, flat=len(input_shape) != 3, num_parts=num_parts, part_index=part_index
            )
        )
    return made[0], made[1]


def get_zip_data(data_dir: str, url: str, data_origin_name: str) -> None:
    """Fetch an archive into a folder, and unpack it there; nothing is done if it is there.

    Parameters
    ----------
    data_dir : str
        The folder.
    url : str
        Where to fetch the archive from.
    data_origin_name : str
        Its name.

    Examples
    --------
    >>> get_zip_data("data", "http://files.grouplens.org/datasets/movielens/ml-10m.zip", "ml-10m.zip")  # doctest: +SKIP
    """
    archive = os.path.join(data_dir, data_origin_name)
    if not os.path.exists(archive):
        _download(url, dirname=data_dir)
        _unzip(archive, data_dir)


def get_bz2_data(data_dir: str, data_name: str, url: str, data_origin_name: str) -> None:
    """Fetch a packed file into a folder, unpack it there and remove it; nothing is done if the result is there.

    Parameters
    ----------
    data_dir : str
        The folder.
    data_name : str
        Name of the unpacked file.
    url : str
        Where to fetch the packed one from.
    data_origin_name : str
        Its name.

    Examples
    --------
    >>> get_bz2_data("data", "kdda.t", "https://example.org/kdda.t.bz2", "kdda.t.bz2")  # doctest: +SKIP
    """
    target, packed = os.path.join(data_dir, data_name), os.path.join(data_dir, data_origin_name)
    if not os.path.exists(target):
        _download(url, fname=data_origin_name, dirname=data_dir)
        with bz2.open(packed) as source, open(target, "wb") as stream:
            shutil.copyfileobj(source, stream)
        os.remove(packed)


def _unzip(archive: str, folder: str) -> None:
    with zipfile.ZipFile(archive) as files:
        files.extractall(folder)
