"""``ImageDetIter``: batches of images with the boxes of their objects."""

from __future__ import annotations

import logging
from collections.abc import Iterator, Sequence
from typing import Any

import numpy

from ..error import MXNetError
from ..internals.formats.image_codec import pillow
from ..internals.support.notes import with_note
from ..ndarray import NDArray
from .augmenters import IMAGENET_MEAN, IMAGENET_STD
from .det_augmenters import CreateDetAugmenter
from .iterator import ImageIter

__all__ = ["ImageDetIter"]


class ImageDetIter(ImageIter):
    """An iterator over batches of images for detection.

    The label of an image is a list of numbers: the length of its header (2 or more), the number of values for each
    object (5 or more), the rest of the header, and the class, left, top, right, and bottom edge of each object. Edges
    are fractions of the image's size. In a batch, labels have the shape (batch, largest number of objects, number of
    values for each object), and are padded with -1.

    Parameters
    ----------
    batch_size, data_shape, path_imgrec, path_imglist, path_root, path_imgidx, shuffle, part_index, num_parts
        See :class:`ImageIter`.
    aug_list : list of DetAugmenter, optional
        Augmenters for each image; by default, the result of :func:`CreateDetAugmenter` for ``kwargs``.
    imglist, data_name, label_name, last_batch_handle
        See :class:`ImageIter`.
    **kwargs
        Arguments of :func:`CreateDetAugmenter`.

    Raises
    ------
    RuntimeError
        If a label does not have the format above.
    """

    def __init__(
        self,
        batch_size: int,
        data_shape: tuple[int, int, int],
        path_imgrec: str | None = None,
        path_imglist: str | None = None,
        path_root: str | None = None,
        path_imgidx: str | None = None,
        shuffle: bool = False,
        part_index: int = 0,
        num_parts: int = 1,
        aug_list: list[Any] | None = None,
        imglist: list[Any] | None = None,
        data_name: str = "data",
        label_name: str = "label",
        last_batch_handle: str = "pad",
        **kwargs: Any,
    ) -> None:
        super().__init__(
            batch_size=batch_size, data_shape=data_shape, path_imgrec=path_imgrec, path_imglist=path_imglist,
            path_root=path_root, path_imgidx=path_imgidx, shuffle=shuffle, part_index=part_index, num_parts=num_parts,
            aug_list=[], imglist=imglist, data_name=data_name, label_name=label_name,
            last_batch_handle=last_batch_handle,
        )  # fmt: skip
        self.auglist: list[Any] = CreateDetAugmenter(data_shape, **kwargs) if aug_list is None else aug_list
        self.label_shape = self._largest_label()
        self.provide_label = [(label_name, (batch_size, *self.label_shape))]

    def _largest_label(self) -> tuple[int, int]:
        """Return the largest number of objects in a label, and the number of values for each object."""
        self.reset()
        shapes = []
        while True:
            try:
                label, _ = self.next_sample()
            except StopIteration:
                break
            shapes.append(self._parse_label(label).shape)
        self.reset()
        if not shapes:
            raise MXNetError("the data source of the iterator contains no images")
        return max(count for count, _ in shapes), shapes[-1][1]

    def _parse_label(self, label: Any) -> numpy.ndarray:
        """Return the objects of a label whose boxes have an area."""
        raw = numpy.ravel(label.asnumpy() if isinstance(label, NDArray) else label)
        if raw.size < 7:
            raise RuntimeError(f"Label shape is invalid: {raw.shape}")
        head, width = int(raw[0]), int(raw[1])
        if head < 2 or width < 5 or (raw.size - head) % width:
            raise RuntimeError(f"Label shape {raw.shape} inconsistent with annotation width {width}.")
        objects = raw[head:].reshape(-1, width)
        valid = objects[(objects[:, 3] > objects[:, 1]) & (objects[:, 4] > objects[:, 2])]
        if not len(valid):
            found = f"the first of {len(objects)} is {objects[0].tolist()}" if len(objects) else "it has no objects"
            note = f"Correct the label, or remove its image: no object has xmin < xmax and ymin < ymax ({found})."
            raise with_note(RuntimeError("Encounter sample with no valid label."), note)
        return valid

    def _check_valid_label(self, label: numpy.ndarray) -> None:
        if label.ndim != 2 or label.shape[1] < 5:
            raise RuntimeError(f"Label with shape (1+, 5+) required, {label} received.")
        if not ((label[:, 0] >= 0) & (label[:, 3] > label[:, 1]) & (label[:, 4] > label[:, 2])).any():
            found = f"the first of {len(label)} is {label[0].tolist()}" if len(label) else "the label has no objects"
            note = (
                "Check the augmenters: after them, no object has a class of at least 0 and a box with xmin < xmax "
                f"and ymin < ymax ({found})."
            )
            raise with_note(RuntimeError("Invalid label occurs."), note)

    def reshape(self, data_shape: tuple[int, ...] | None = None, label_shape: tuple[int, int] | None = None) -> None:
        """Change the shapes of batches.

        Parameters
        ----------
        data_shape : (int, int, int), optional
            Number of channels, height, and width.
        label_shape : (int, int), optional
            Number of objects, and number of values for each object.
        """
        if data_shape is not None:
            self.check_data_shape(data_shape)
            self.provide_data: list[tuple[str, tuple[int, ...]]] = [
                (self.provide_data[0][0], (self.batch_size, *data_shape))
            ]
            self.data_shape: tuple[int, ...] = tuple(data_shape)
        if label_shape is not None:
            self.check_label_shape(label_shape)
            self.provide_label: list[tuple[str, tuple[int, ...]]] = [
                (self.provide_label[0][0], (self.batch_size, *label_shape))
            ]
            self.label_shape: tuple[int, ...] = tuple(label_shape)

    def _empty_batch(self) -> tuple[numpy.ndarray, numpy.ndarray]:
        data, label = super()._empty_batch()
        return data, numpy.full_like(label, -1)

    def _batchify(self, batch_data: numpy.ndarray, batch_label: numpy.ndarray, start: int = 0) -> int:
        """Fill a batch from position ``start``, and return the position after the last image."""
        position = start
        while position < self.batch_size:
            try:
                label, image = self.next_sample()
            except StopIteration:
                break
            data = self.imdecode(image)
            try:
                data, label = self.augmentation_transform(data, self._parse_label(label))
                self._check_valid_label(label)
            except MXNetError:
                raise  # the augmenter failed, not the label
            except RuntimeError as problem:
                logging.debug("Invalid image, skipping:  %s", problem)
                continue
            self._put(batch_data, batch_label, position, self.postprocess_data(data).asnumpy(), label)
            position += 1
        return position

    def _put(
        self, batch_data: numpy.ndarray, batch_label: numpy.ndarray, position: int, data: numpy.ndarray, label: Any
    ) -> None:
        self._put_data(batch_data, position, data)
        row = numpy.full_like(batch_label[position], -1)
        row[: len(label)] = label
        batch_label[position] = row

    def augmentation_transform(self, data: Any, label: Any = None) -> Any:
        """Apply the augmenters to an image and its label.

        Parameters
        ----------
        data : NDArray
            The image.
        label : numpy.ndarray, optional
            The objects in the image, one in each row.

        Returns
        -------
        tuple of (NDArray, numpy.ndarray)
            The augmented image and its label.
        """
        for augmenter in self.auglist:
            data, label = augmenter(data, label)
        return data, label

    def check_label_shape(self, label_shape: Sequence[int]) -> None:
        """Raise an error if the label shape is too small for the labels.

        Parameters
        ----------
        label_shape : sequence of int
            Largest number of objects in an image, and the number of values for each object.

        Raises
        ------
        ValueError
            If the shape does not have two sizes, has fewer objects than the current label shape, or has a different
            number of values for each object.
        """
        if len(label_shape) != 2:
            note = f"Pass label_shape=(objects, values per object), such as (16, 5), not {tuple(label_shape)}."
            raise with_note(ValueError("label_shape should have length 2"), note)
        if label_shape[0] < self.label_shape[0]:
            raise ValueError(
                f"Attempts to reduce label count from {self.label_shape[0]} to {label_shape[0]}, not allowed."
            )
        if label_shape[1] != self.label_shape[1]:
            raise ValueError(f"label_shape object width inconsistent: {self.label_shape[1]} vs {label_shape[1]}.")

    def draw_next(
        self,
        color: Sequence[int] | None = None,
        thickness: int = 2,
        mean: Any = None,
        std: Any = None,
        clip: bool = True,
        waitKey: int | None = None,  # noqa: N803
        window_name: str = "draw_next",
        id2labels: dict[int, str] | None = None,
    ) -> Iterator[numpy.ndarray]:
        """Yield each image with its boxes drawn into it.

        Parameters
        ----------
        color : (int, int, int), optional
            Color of the boxes in RGB; random by default.
        thickness : int
            Width of the lines in pixels.
        mean, std : True or numpy.ndarray, optional
            Mean and standard deviation that the augmenters used.
        clip : bool
            Whether to clip values to the range from 0 to 255.
        waitKey, window_name
            Arguments for an OpenCV window, which this package does not open. ``waitKey`` must be None.
        id2labels : dict of int to str, optional
            Names of the classes, drawn into the boxes.

        Yields
        ------
        numpy.ndarray
            Image (H, W, 3) of uint8 in **BGR** order, as in OpenCV.

        Raises
        ------
        NotImplementedError
            If ``waitKey`` is not None.
        """
        if waitKey is not None:
            error = NotImplementedError("draw_next opens no window, so waitKey must be None")
            error.add_note("Show each image with matplotlib.pyplot.imshow(image[..., ::-1]).")
            raise error
        mean, std = (usual if given is True else given for given, usual in ((mean, IMAGENET_MEAN), (std, IMAGENET_STD)))
        while True:
            try:
                label, image = self.next_sample()
            except StopIteration:
                return
            data, label = self.augmentation_transform(self.imdecode(image), self._parse_label(label))
            values = data.asnumpy() * (1 if std is None else std) + (0 if mean is None else mean)
            values = values.clip(0, 255) if clip else values
            yield _with_boxes(values.astype(numpy.uint8), label, color, thickness, id2labels or {})

    def sync_label_shape(self, it: ImageDetIter, verbose: bool = False) -> ImageDetIter:
        """Set the label shapes of two iterators, such as those for training and validation, to the larger shape.

        Parameters
        ----------
        it : ImageDetIter
            The other iterator.
        verbose : bool
            Whether to log the new shape.

        Returns
        -------
        ImageDetIter
            The other iterator.

        Raises
        ------
        AssertionError
            If ``it`` is not an ImageDetIter, or has a different number of values for each object.
        """
        if not isinstance(it, ImageDetIter):
            error = AssertionError("Synchronize with invalid iterator.")
            raise with_note(error, f"Pass an ImageDetIter, not an object of type {type(it).__name__}.")
        if self.label_shape[1] != it.label_shape[1]:
            raise with_note(
                AssertionError("object width mismatch."),
                f"The objects of this iterator have {self.label_shape[1]} values, and those of the iterator `it` have "
                f"{it.label_shape[1]}.",
            )
        shape = (max(self.label_shape[0], it.label_shape[0]), self.label_shape[1])
        for iterator in (self, it):
            if iterator.label_shape != shape:
                iterator.reshape(None, shape)
                if verbose:
                    logging.info("Resized label_shape to (%d, %d).", *shape)
        return it


def _with_boxes(
    pixels: numpy.ndarray, label: numpy.ndarray, color: Any, thickness: int, names: dict[int, str]
) -> numpy.ndarray:
    """Return an image with boxes and class names, in BGR order."""
    image = pillow("drawing boxes").fromarray(pixels)
    from PIL import ImageDraw  # pyright: ignore[reportMissingImports]

    draw = ImageDraw.Draw(image)
    for kind, *edges in label[:, :5]:
        left, top, right, bottom = (int(edge * size) for edge, size in zip(edges, image.size * 2, strict=True))
        if left < 0:
            continue
        colour = tuple(int(part) for part in (numpy.random.rand(3) * 255 if color is None else color))
        draw.rectangle((left, top, right, bottom), outline=colour, width=thickness)
        if int(kind) in names:
            draw.text((left + 5, top + 5), names[int(kind)], fill=(255, 255, 255))
    return numpy.ascontiguousarray(numpy.asarray(image)[..., ::-1])
