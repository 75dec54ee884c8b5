"""The standard image data sets, read from local files, and folders of images.

Nothing is downloaded. If a file is missing, the error names the file and its folder. For a first net, you can use the
small images of digits in this package (:func:`d2lhybrid.data.load_digits`).
"""

from __future__ import annotations

import os
import tarfile
import warnings
from collections.abc import Callable, Sequence
from typing import Any

import numpy

from d2lhybrid import image as _image
from d2lhybrid.context import cpu
from d2lhybrid.error import MXNetError
from d2lhybrid.image.image_files import imdecode, imread
from d2lhybrid.image.iterator import read_list, read_list_file
from d2lhybrid.internals.core.invoke import wrap
from d2lhybrid.internals.formats.idx import read_idx
from d2lhybrid.internals.formats.serialization import open_unpacked
from d2lhybrid.internals.support.data_folder import data_dir
from d2lhybrid.internals.support.plural import counted
from d2lhybrid.ndarray import NDArray
from d2lhybrid.recordio import unpack
from d2lhybrid.util import is_np_array

from .. import dataset as _dataset
from ..batchify import new_array
from ..dataset import Dataset, RecordFileDataset

__all__ = [
    "CIFAR10", "CIFAR100", "MNIST", "FashionMNIST", "ImageFolderDataset", "ImageListDataset", "ImageRecordDataset",
]  # fmt: skip


#: Programs import these names from this module.
globals()["image"], globals()["dataset"] = _image, _dataset


def _as_images(values: numpy.ndarray) -> Any:
    """Return pixels as an array of the current dialect."""
    cls: Any = NDArray
    if is_np_array():
        from d2lhybrid.numpy import ndarray as cls
    return wrap(cls, values, cpu())


class _StoredDataset(_dataset._DownloadedDataset):
    """A data set of images and labels that are read into memory from files in a folder."""

    #: Folder below ``data_dir()/datasets``.
    folder: str

    def __init__(self, root: str | None, transform: Callable[..., Any] | None) -> None:
        self._root = os.path.expanduser(root or os.path.join(data_dir(), "datasets", self.folder))
        self._transform = transform
        self._get_data()

    def _get_data(self) -> None:
        images, labels = self._read()
        self._data = _as_images(images)
        self._numbers = labels
        #: As in MXNet, labels are NumPy scalars for NDArrays, and ``mx.np`` arrays for ``mx.np`` arrays.
        self._label = new_array(labels) if is_np_array() else labels

    def _read(self) -> tuple[numpy.ndarray, numpy.ndarray]:
        """Return images (N, H, W, C) as uint8, and labels as int32."""
        raise NotImplementedError

    def __getitem__(self, idx: Any) -> tuple[NDArray, Any] | Any:
        item = self._data[idx], self._label[idx]
        return item if self._transform is None else self._transform(*item)

    def __len__(self) -> int:
        return len(self._label)

    def _take_batch(self, indices: list[int]) -> Any:
        if type(self)._get_data is not _StoredDataset._get_data:  # the subclass defines the contents
            return None
        if self._transform is not None or type(self).__getitem__ is not _StoredDataset.__getitem__:
            return None
        images = wrap(type(self._data), self._data._data[indices], self._data._ctx)
        return [images, new_array(self._numbers[indices])]

    def _axes_of_batches(self) -> int | None:
        own = type(self).__getitem__ is not _StoredDataset.__getitem__
        own = own or type(self)._get_data is not _StoredDataset._get_data
        return None if own or self._transform is not None else self._data.ndim

    def _missing(self, names: Sequence[str]) -> FileNotFoundError:
        name = type(self).__name__
        error = FileNotFoundError(f"{name} is not in {self._root!r}: {', '.join(names)} not found")
        error.add_note(
            f"d2lhybrid does not download data sets. Put the files of {name} into {self._root!r}, or pass another "
            "root. For a first net, d2lhybrid.data.load_digits() requires no files."
        )
        return error


class MNIST(_StoredDataset):
    """A data set of handwritten digits: 60,000 training and 10,000 test images of shape (28, 28, 1), labels 0 to 9.

    The files are ``train-images-idx3-ubyte.gz``, ``train-labels-idx1-ubyte.gz``, ``t10k-images-idx3-ubyte.gz``, and
    ``t10k-labels-idx1-ubyte.gz``, or files with these names without ``.gz``.

    Parameters
    ----------
    root : str, optional
        Folder of the files; by default ``~/.mxnet/datasets/mnist``.
    train : bool
        Whether to load the training images. If False, the test images are loaded.
    transform : callable, optional
        Function ``transform(image, label)``, which is called for each access to an item.

    Raises
    ------
    FileNotFoundError
        If a file does not exist. The error names the file.
    MXNetError
        If a file is damaged, has the wrong format, or unpacks to more than
        :data:`d2lhybrid.internals.formats.serialization.limits` allow.
    """

    folder = "mnist"

    def __init__(
        self, root: str | None = None, train: bool = True, transform: Callable[..., Any] | None = None
    ) -> None:
        self._train = train
        super().__init__(root, transform)

    def _read(self) -> tuple[numpy.ndarray, numpy.ndarray]:
        part = "train" if self._train else "t10k"
        names = [f"{part}-images-idx3-ubyte", f"{part}-labels-idx1-ubyte"]
        paths = [self._find(name) for name in names]
        missing = [f"{name}.gz" for name, path in zip(names, paths, strict=True) if path is None]
        if missing:
            raise self._missing(missing)
        images, labels = (read_idx(path) for path in paths if path is not None)
        if images.ndim != 3 or labels.shape != images.shape[:1]:
            shapes = f"{images.shape} and {labels.shape}"
            raise MXNetError(
                f"the images and labels in {self._root!r} must have the shapes (N, height, width) and (N,), not "
                f"{shapes}"
            )
        return images[..., None], labels.astype(numpy.int32)

    def _find(self, name: str) -> str | None:
        for path in (os.path.join(self._root, name + ending) for ending in (".gz", "")):
            if os.path.isfile(path):
                return path
        return None


class FashionMNIST(MNIST):
    """A data set of images of clothes, in the format of :class:`MNIST`.

    Parameters
    ----------
    root : str, optional
        Folder of the files; by default ``~/.mxnet/datasets/fashion-mnist``.
    train, transform
        Arguments of :class:`MNIST`.
    """

    folder = "fashion-mnist"


class CIFAR10(_StoredDataset):
    """A data set of small photographs: 50,000 training and 10,000 test images of shape (32, 32, 3) from ten classes.

    The files are ``data_batch_1.bin`` to ``data_batch_5.bin`` and ``test_batch.bin``, or the archive
    ``cifar-10-binary.tar.gz``.

    Parameters
    ----------
    root : str, optional
        Folder of the files; by default ``~/.mxnet/datasets/cifar10``.
    train, transform
        Arguments of :class:`MNIST`.

    Raises
    ------
    FileNotFoundError
        If a file does not exist. The error names the file.
    MXNetError
        If a file is damaged, has the wrong format, or unpacks to more than
        :data:`d2lhybrid.internals.formats.serialization.limits` allow.
    """

    folder = "cifar10"
    archive = "cifar-10-binary.tar.gz"
    train_files: tuple[str, ...] = tuple(f"data_batch_{i}.bin" for i in range(1, 6))
    test_files: tuple[str, ...] = ("test_batch.bin",)
    label_bytes = 1
    label_position = 0

    def __init__(
        self, root: str | None = None, train: bool = True, transform: Callable[..., Any] | None = None
    ) -> None:
        self._train = train
        super().__init__(root, transform)

    def _read(self) -> tuple[numpy.ndarray, numpy.ndarray]:
        names = self.train_files if self._train else self.test_files
        parts = [self._records(name, content) for name, content in self._contents(names).items()]
        records = numpy.concatenate(parts)
        pixels = records[:, self.label_bytes :].reshape(-1, 3, 32, 32)
        images = numpy.ascontiguousarray(pixels.transpose(0, 2, 3, 1))
        return images, records[:, self.label_position].astype(numpy.int32)

    def _records(self, name: str, content: bytes) -> numpy.ndarray:
        size = self.label_bytes + 3 * 32 * 32
        if not content or len(content) % size:
            raise MXNetError(
                f"the file {name!r} in {self._root!r} does not have the format of {type(self).__name__}: its size, "
                f"{counted(len(content), 'byte')}, is not a positive multiple of {size}"
            )
        return numpy.frombuffer(content, numpy.uint8).reshape(-1, size)

    def _contents(self, names: Sequence[str]) -> dict[str, bytes]:
        """Return the contents of files from the folder, or from the archive."""
        paths = {name: os.path.join(self._root, name) for name in names}
        if all(os.path.isfile(path) for path in paths.values()):
            contents = {}
            for name, path in paths.items():
                with open_unpacked(path) as stream:
                    contents[name] = stream.read()
            return contents
        archive = os.path.join(self._root, self.archive)
        if not os.path.isfile(archive):
            raise self._missing([*names, f"or {self.archive}"])
        contents = _read_archive(archive, names)
        missing = [name for name in names if name not in contents]
        if missing:
            raise self._missing([f"{self.archive}/{name}" for name in missing])
        return {name: contents[name] for name in names}


def _read_archive(path: str, names: Sequence[str]) -> dict[str, bytes]:
    """Return the contents of the named files in an archive. No file is extracted to disk."""
    contents = {}
    with open_unpacked(path) as stream:
        try:
            with tarfile.open(fileobj=stream, mode="r|") as tar:
                for member in tar:
                    name = os.path.basename(member.name)
                    # A sparse member can claim any size, because its holes need no space in the archive.
                    if name in names and member.isreg() and not member.issparse():
                        content = tar.extractfile(member)
                        assert content is not None
                        contents[name] = content.read()
        except MXNetError:
            raise
        except Exception as reason:  # tarfile raises many types of errors for a file that isn't an archive
            raise MXNetError(f"{path!r} is damaged or is not an archive: {reason}") from None
    return contents


class CIFAR100(CIFAR10):
    """A data set like :class:`CIFAR10`, with 100 classes in 20 groups.

    The files are ``train.bin`` and ``test.bin``, or the archive ``cifar-100-binary.tar.gz``.

    Parameters
    ----------
    root : str, optional
        Folder of the files; by default ``~/.mxnet/datasets/cifar100``.
    fine_label : bool
        Whether labels are classes. If False, labels are groups of classes.
    train, transform
        Arguments of :class:`MNIST`.
    """

    folder = "cifar100"
    archive = "cifar-100-binary.tar.gz"
    train_files: tuple[str, ...] = ("train.bin",)
    test_files: tuple[str, ...] = ("test.bin",)
    label_bytes = 2

    def __init__(
        self,
        root: str | None = None,
        fine_label: bool = False,
        train: bool = True,
        transform: Callable[..., Any] | None = None,
    ) -> None:
        self.label_position: int = int(fine_label)
        super().__init__(root, train, transform)


class ImageFolderDataset(Dataset):
    """A data set of images in folders, one folder for each class.

    Parameters
    ----------
    root : str
        The folder that contains the folders of the classes.
    flag : {1, 0}
        1 to read color images (H, W, 3), 0 to read grayscale images (H, W, 1).
    transform : callable, optional
        Function ``transform(image, label)``, which is called for each access to an item.

    Attributes
    ----------
    synsets : list of str
        Names of the classes. A label is an index into this list.
    items : list of (str, int)
        File and label of each image.
    """

    def __init__(self, root: str, flag: int = 1, transform: Callable[..., Any] | None = None) -> None:
        self._root = os.path.expanduser(root)
        self._flag, self._transform = flag, transform
        self._exts = [".jpg", ".jpeg", ".png"]
        self._list_images(self._root)

    def _list_images(self, root: str) -> None:
        """Fill ``synsets`` and ``items``. User-defined data sets override this method."""
        self.synsets: list[str] = []
        self.items: list[tuple[str, int]] = []
        for folder in sorted(os.listdir(root)):
            path = os.path.join(root, folder)
            if not os.path.isdir(path):
                warnings.warn(f"Ignoring {path}, which is not a directory.", stacklevel=3)
                continue
            label = len(self.synsets)
            self.synsets.append(folder)
            for filename in sorted(os.listdir(path)):
                file = os.path.join(path, filename)
                extension = os.path.splitext(file)[1]
                if extension.lower() in self._exts:
                    self.items.append((file, label))
                else:
                    warnings.warn(
                        f"Ignoring {file} of type {extension}. Only support {', '.join(self._exts)}",
                        stacklevel=3,
                    )

    def __getitem__(self, idx: int) -> Any:
        path, label = self.items[idx]
        image = imread(path, self._flag)
        return (image, label) if self._transform is None else self._transform(image, label)

    def __len__(self) -> int:
        return len(self.items)


class ImageListDataset(Dataset):
    """A data set of images and their labels from a list. This class is from MXNet 2.

    Parameters
    ----------
    root : str
        The folder of the image files.
    imglist : str or list
        Name of a file in that folder with lines of index, labels, and file name, separated by tabs; or a list of
        ``[label, file]`` or ``[label, label, ..., file]``.
    flag : {1, 0}
        1 to read color images (H, W, 3), 0 to read grayscale images (H, W, 1).

    Raises
    ------
    ValueError
        If ``imglist`` is neither a file name nor a list.
    MXNetError
        If a line of the file is damaged.
    """

    def __init__(self, root: str = ".", imglist: Any = None, flag: int = 1) -> None:
        self._root, self._flag = os.path.expanduser(root), flag
        if isinstance(imglist, str):
            entries = read_list_file(os.path.join(self._root, imglist))
        elif isinstance(imglist, list):
            entries = read_list(imglist)
        else:
            raise ValueError(f"imglist must be filename or list of valid entries, given {type(imglist)}")
        self._items = [(os.path.join(self._root, name), label) for label, name in entries.values()]

    def __getitem__(self, idx: int) -> Any:
        path, label = self._items[idx]
        return imread(path, self._flag), label

    def __len__(self) -> int:
        return len(self._items)


class ImageRecordDataset(RecordFileDataset):
    """A data set of the images in a record file, with their labels.

    Parameters
    ----------
    filename : str
        The record file. The index file is in the same folder, and has the same name with the suffix ``.idx``.
    flag : {1, 0}
        1 to read color images (H, W, 3), 0 to read grayscale images (H, W, 1).
    transform : callable, optional
        Function ``transform(image, label)``, which is called for each access to an item.
    """

    def __init__(self, filename: str, flag: int = 1, transform: Callable[..., Any] | None = None) -> None:
        super().__init__(filename)
        self._flag, self._transform = flag, transform

    def __getitem__(self, idx: int) -> Any:
        header, data = unpack(super().__getitem__(idx))
        image = imdecode(data, self._flag)
        return (image, header.label) if self._transform is None else self._transform(image, header.label)
