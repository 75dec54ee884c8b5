"""Data sets of random examples, of arrays, and of local files. This module downloads nothing."""

from __future__ import annotations

import hashlib
import os
import tarfile
import zipfile
from collections.abc import Sequence
from typing import Any

from .. import gluon
from .. import numpy as np
from ..gluon.data.vision import transforms
from ..internals.support.archives import unpack_tar
from ..internals.support.machine import in_browser
from .experiments import DataModule
from .plotting import show_images

__all__ = [
    "DATA_HUB",
    "DATA_URL",
    "FashionMNIST",
    "SyntheticRegressionData",
    "download",
    "download_extract",
    "extract",
    "get_dataloader_workers",
    "get_fashion_mnist_labels",
    "load_array",
    "load_data_fashion_mnist",
    "synthetic_data",
]

#: The URL of the book's files.
DATA_URL = "http://d2l-data.s3-accelerate.amazonaws.com/"

#: The URL and the SHA-1 hash of each data set's file, by name. Chapters add entries.
DATA_HUB: dict[str, tuple[str, str]] = {
    "airfoil": (f"{DATA_URL}airfoil_self_noise.dat", "76e5be1548fd8222e5074cf0faae75edff8cf93f"),
    "time_machine": (f"{DATA_URL}timemachine.txt", "090b5e7e70c295757f55df93cb0a180b9691891a"),
}

_FASHION = ("t-shirt", "trouser", "pullover", "dress", "coat", "sandal", "shirt", "sneaker", "bag", "ankle boot")


# --- files -------------------------------------------------------------------------------------


def download(name: str, folder: str = "../data", sha1_hash: str | None = None) -> str:
    """Return the local path of a file that the book downloads.

    Parameters
    ----------
    name : str
        URL, or a name in ``DATA_HUB``.
    folder : str
        Folder of the file.
    sha1_hash : str, optional
        Expected SHA-1 hash of the file, if ``name`` is a URL.

    Returns
    -------
    str
        The path.

    Raises
    ------
    FileNotFoundError
        If the file does not exist. This function does not download it.
    KeyError
        If ``DATA_HUB`` has no entry of this name.
    ValueError
        If the hash of the file differs from the expected hash.
    """
    if not name.startswith("http"):
        if name not in DATA_HUB:
            raise KeyError(f"DATA_HUB has no data set {name!r}. Its data sets are {', '.join(sorted(DATA_HUB))}.")
        address, sha1_hash = DATA_HUB[name]
    else:
        address = name
    path = os.path.join(folder, address.rpartition("/")[2])
    if not os.path.isfile(path):
        error = FileNotFoundError(f"the file {path!r} does not exist, and d2lhybrid does not download data")
        error.add_note(f"Download {address} to {os.path.abspath(folder)!r}.")
        raise error
    if sha1_hash:
        with open(path, "rb") as stream:
            actual_hash = hashlib.file_digest(stream, "sha1").hexdigest()
        if actual_hash != sha1_hash:
            error = ValueError(f"{path!r} is not the expected file: its SHA-1 hash is {actual_hash}, not {sha1_hash}")
            error.add_note(f"Replace the file with {address}.")
            raise error
    return path


def extract(filename: str, folder: str | None = None) -> None:
    """Unpack a ``.zip``, ``.tar``, or ``.tar.gz`` archive into a folder, which is the archive's own folder by default.

    Parameters
    ----------
    filename : str
        The file to unpack.
    folder : str, optional
        The folder to unpack into.

    Raises
    ------
    ValueError
        If the file has none of these suffixes, or if an entry of a tar archive would be written outside the folder.
    """
    target = os.path.dirname(filename) if folder is None else folder
    ending = os.path.splitext(filename)[1]
    if ending == ".zip":
        with zipfile.ZipFile(filename) as archive:
            archive.extractall(target)  # skips entries outside the folder
    elif ending in (".tar", ".gz"):
        with tarfile.open(filename) as archive:
            try:
                unpack_tar(archive, target)
            except ValueError as error:
                raise ValueError(f"{filename!r} cannot be unpacked: {error}") from None
    else:
        raise ValueError(f"filename must end in .zip, .tar, or .gz, but it is {filename!r}")


def download_extract(name: str, folder: str | None = None) -> str:
    """Unpack a file that the book downloads, and return the path of the unpacked folder.

    Parameters
    ----------
    name : str
        Argument of :func:`download`.
    folder : str, optional
        Name of a folder in the archive.

    Returns
    -------
    str
        The path of ``folder`` or, by default, of the folder that has the archive's name without its suffix.
    """
    path = download(name)
    extract(path)
    return os.path.join(os.path.dirname(path), folder) if folder else os.path.splitext(path)[0]


# --- arrays ------------------------------------------------------------------------------------


def load_array(data_arrays: Sequence[Any], batch_size: int, is_train: bool = True) -> Any:
    """Return a loader of batches, which shuffles the examples for training.

    Parameters
    ----------
    data_arrays : sequence of ndarray
        The arrays, such as features and labels, whose first axes have equal sizes.
    batch_size : int
        Number of examples in a batch.
    is_train : bool
        Whether to shuffle the examples.

    Returns
    -------
    DataLoader
        The batches.
    """
    return gluon.data.DataLoader(gluon.data.ArrayDataset(*data_arrays), batch_size, shuffle=is_train)


def synthetic_data(w: Any, b: Any, num_examples: int) -> tuple[Any, Any]:
    """Return random examples, and their labels ``Xw + b`` with normal noise of standard deviation 0.01.

    Parameters
    ----------
    w : ndarray
        The weights, of shape (features,).
    b : float
        The bias.
    num_examples : int
        Number of examples.

    Returns
    -------
    (ndarray, ndarray)
        The examples, of shape (num_examples, features), and the labels, of shape (num_examples, 1).
    """
    X = np.random.normal(0, 1, (num_examples, len(w)))
    y = np.dot(X, w) + b
    return X, (y + np.random.normal(0, 0.01, y.shape)).reshape(-1, 1)


class SyntheticRegressionData(DataModule):
    """A data set of random examples and their labels ``Xw + b`` with noise.

    Parameters
    ----------
    w : array
        The weights.
    b : float
        The bias.
    noise : float
        The standard deviation of the noise.
    num_train, num_val, batch_size : int
        Number of training examples, number of validation examples, and batch size.
    """

    batch_size: int
    num_train: int

    def __init__(
        self, w: Any, b: float, noise: float = 0.01, num_train: int = 1000, num_val: int = 1000, batch_size: int = 32
    ) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.num_train, self.batch_size = num_train, batch_size
        count = num_train + num_val
        self.X = np.random.normal(0, 1, (count, len(w)))
        self.y = np.dot(self.X, w.reshape(-1, 1)) + b + np.random.normal(0, 1, (count, 1)) * noise

    def get_dataloader(self, train: bool) -> Any:
        """Return the training batches or the validation batches.

        Parameters
        ----------
        train : bool
            Whether to return the training batches.

        Returns
        -------
        DataLoader
            The batches.
        """
        part = slice(0, self.num_train) if train else slice(self.num_train, None)
        return self.get_tensorloader((self.X, self.y), train, part)


# --- Fashion-MNIST -----------------------------------------------------------------------------


def get_fashion_mnist_labels(labels: Any) -> list[str]:
    """Return the names of Fashion-MNIST classes.

    Parameters
    ----------
    labels : sequence of int
        Indices of the classes.

    Returns
    -------
    list of str
        Names of the classes.

    Examples
    --------
    >>> get_fashion_mnist_labels([0, 9])
    ['t-shirt', 'ankle boot']
    """
    return [_FASHION[int(label)] for label in labels]


def get_dataloader_workers() -> int:
    """Return the number of workers that prepare batches in advance: 4, or 0 in a browser."""
    return 0 if in_browser() else 4


class FashionMNIST(DataModule):
    """A data set of images of clothes, read from the files in ``~/.mxnet/datasets/fashion-mnist``.

    Parameters
    ----------
    batch_size : int
        Number of images in a batch.
    resize : pair of int
        Width and height of the images.
    """

    def __init__(self, batch_size: int = 64, resize: tuple[int, int] = (28, 28)) -> None:
        super().__init__()
        self.save_hyperparameters()
        self.batch_size = batch_size
        change = transforms.Compose([transforms.Resize(resize), transforms.ToTensor()])
        self.train = gluon.data.vision.FashionMNIST(train=True).transform_first(change)
        self.val = gluon.data.vision.FashionMNIST(train=False).transform_first(change)

    def text_labels(self, indices: Any) -> list[str]:
        """Return the names of classes.

        Parameters
        ----------
        indices : sequence of int
            Indices of the classes.

        Returns
        -------
        list of str
            The names.
        """
        return get_fashion_mnist_labels(indices)

    def get_dataloader(self, train: bool) -> Any:
        """Return the training batches, which are shuffled, or the validation batches.

        Parameters
        ----------
        train : bool
            Whether to return the training batches.

        Returns
        -------
        DataLoader
            The batches.
        """
        return gluon.data.DataLoader(
            self.train if train else self.val, self.batch_size, shuffle=train, num_workers=self.num_workers
        )

    def visualize(self, batch: Any, nrows: int = 1, ncols: int = 8, labels: Sequence[str] = ()) -> None:
        """Show the images of a batch with their labels.

        Parameters
        ----------
        batch : sequence of ndarray
            The images and the indices of their classes.
        nrows, ncols : int
            Number of rows and number of columns.
        labels : sequence of str
            Title of each image; by default, the name of the image's class.
        """
        X, y = batch
        show_images(X.squeeze(1), nrows, ncols, titles=labels or self.text_labels(y))


def load_data_fashion_mnist(batch_size: int, resize: int | tuple[int, int] | None = None) -> tuple[Any, Any]:
    """Return the training batches and the test batches of Fashion-MNIST, with images of shape (1, height, width).

    Parameters
    ----------
    batch_size : int
        Number of images in a batch.
    resize : int or pair of int, optional
        Width and height of the images; 28 by default. A single number is the width and the height.

    Returns
    -------
    pair of DataLoader
        The training batches, which are shuffled, and the test batches.
    """
    steps = [] if resize is None else [transforms.Resize(resize)]
    change = transforms.Compose([*steps, transforms.ToTensor()])
    train, test = (
        gluon.data.DataLoader(
            gluon.data.vision.FashionMNIST(train=part).transform_first(change),
            batch_size,
            shuffle=part,
            num_workers=get_dataloader_workers(),
        )
        for part in (True, False)
    )
    return train, test
