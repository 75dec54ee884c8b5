"""Functions that read the data sets of MXNet's example programs from local files, and download missing files.

Most of MXNet's URLs are offline. If you have the files, copy them to the folders that the functions read.
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
    """Download a file, unless the file exists.

    Parameters
    ----------
    url : str
        URL of the file.
    fname : str, optional
        File name; by default, the name in the URL.
    dirname : str, optional
        Folder to write to, which is created if necessary; by default, the folder in ``fname`` or the current folder.
    overwrite : bool
        Whether to replace an existing file.
    retries : int
        Number of retries after a failure.

    Returns
    -------
    str
        Path of the file.

    Raises
    ------
    AssertionError
        If ``retries`` is negative.
    ConnectionError
        If the file cannot be downloaded.

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
    """Call the current ``mx.test_utils.download``, which programs may replace with their own function."""
    return sys.modules[__package__ or ""].download(url, **where)


def get_mnist() -> dict[str, numpy.ndarray]:
    """Return the MNIST data from four ``...-ubyte.gz`` files in the current folder. Missing files are downloaded.

    Returns
    -------
    dict
        The arrays ``train_data`` and ``test_data``, float32 of shape (n, 1, 28, 28) with values from 0 to 1, and the
        arrays ``train_label`` and ``test_label``.

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
    """Download ``data/mnist.pkl.gz``, unless the file exists.

    Examples
    --------
    >>> get_mnist_pkl()  # doctest: +SKIP
    """
    if not os.path.exists("data/mnist.pkl.gz"):
        _download("http://deeplearning.net/data/mnist/mnist.pkl.gz", dirname="data")


def get_mnist_ubyte() -> None:
    """Ensure that the four files of MNIST are in the folder ``data``.

    The function unpacks compressed files (``.gz`` or ``mnist.zip``) if they exist, or else downloads ``mnist.zip``.

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
    """Ensure that the record files of CIFAR-10, ``train.rec`` and ``test.rec``, are in the folder ``data/cifar``.

    Examples
    --------
    >>> get_cifar10()  # doctest: +SKIP
    """
    if not all(os.path.exists(f"data/cifar/{part}.rec") for part in ("train", "test")):
        _unzip(_download(f"{_OF_MXNET}/mxnet/data/cifar10.zip", dirname="data"), "data")


def get_mnist_iterator(
    batch_size: int, input_shape: tuple[int, ...], num_parts: int = 1, part_index: int = 0
) -> tuple[MNISTIter, MNISTIter]:
    """Return iterators over the training digits and the test digits of MNIST, from files in the folder ``data``.

    Parameters
    ----------
    batch_size : int
        Number of digits in a batch.
    input_shape : tuple of int
        Shape of an example: three axes for images, or one axis for flat arrays of pixels.
    num_parts, part_index : int
        Number of parts of the data, and index of the part to read.

    Returns
    -------
    tuple of MNISTIter
        Iterators over the training digits, in random order, and over the test digits.

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
    """Download an archive into a folder and unpack it there, unless the folder already contains the archive.

    Parameters
    ----------
    data_dir : str
        Path of the folder.
    url : str
        URL of the archive.
    data_origin_name : str
        File name of the archive.

    Examples
    --------
    >>> get_zip_data("data", "http://files.grouplens.org/datasets/movielens/ml-10m.zip", "ml-10m.zip")  # doctest: +SKIP
    """
    archive = os.path.join(data_dir, data_origin_name)
    if not os.path.exists(archive):
        _download(url, dirname=data_dir)
        _unzip(archive, data_dir)


def get_bz2_data(data_dir: str, data_name: str, url: str, data_origin_name: str) -> None:
    """Download, unpack, and delete a compressed file, unless the unpacked file exists.

    Parameters
    ----------
    data_dir : str
        Path of the folder.
    data_name : str
        Name of the decompressed file.
    url : str
        URL of the compressed file.
    data_origin_name : str
        Name of the compressed file.

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
