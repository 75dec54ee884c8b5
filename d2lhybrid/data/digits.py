"""Handwritten digits: 1,797 real images to train a first net, without a download."""

from __future__ import annotations

import functools
from importlib import resources

import numpy
from numpy.typing import NDArray

__all__ = ["load_digits"]

#: Number of test images, out of 1,797.
NUM_TEST = 297

Split = tuple[NDArray[numpy.float32], NDArray[numpy.int32]]


@functools.cache
def _stored() -> tuple[NDArray[numpy.uint8], NDArray[numpy.uint8]]:
    """Return the images (1797, 8, 8), with gray values from 0 to 16, and the labels (1797,)."""
    with (
        resources.files("d2lhybrid.data").joinpath("digits.npz").open("rb") as file,
        numpy.load(file) as arrays,
    ):
        return arrays["images"], arrays["labels"]


def _is_test(labels: NDArray[numpy.uint8]) -> NDArray[numpy.bool_]:
    """Return a mask of the test images, which are about every sixth image of each digit.

    The images, sorted by digit, are traversed in steps of 297/1797. Each image at which the sum passes an integer is a
    test image. Each digit therefore has the same share, exactly ``NUM_TEST`` images are chosen, and the choice is
    deterministic.
    """
    by_digit = numpy.argsort(labels, kind="stable")
    walked = numpy.arange(len(labels) + 1) * NUM_TEST // len(labels)
    chosen = numpy.zeros(len(labels), bool)
    chosen[by_digit] = walked[1:] > walked[:-1]
    return chosen


def _bilinear_weights(size: int, new_size: int) -> NDArray[numpy.float32]:
    """Return the matrix (new_size, size) that interpolates linearly between the centers of pixels."""
    centres = (numpy.arange(new_size) + 0.5) * size / new_size - 0.5
    # A center outside the outermost old centers gets the value of the nearest one.
    distance = numpy.abs(centres.clip(0, size - 1)[:, None] - numpy.arange(size))
    return (1 - distance).clip(0, None).astype(numpy.float32)


def load_digits(size: int = 28) -> tuple[Split, Split]:
    """Return handwritten digits, split into training and test images.

    The images are the test part of *Optical Recognition of Handwritten Digits* by E. Alpaydin and C. Kaynak (UCI
    Machine Learning Repository, https://doi.org/10.24432/C50P49, CC BY 4.0), with 8 x 8 pixels, written by 13 people.
    The split is the same on every machine and in every run. The training images and the test images contain the same
    proportion of each digit, and approximately the same proportion of images by each writer.

    Parameters
    ----------
    size : int
        Height and width of the images. 8 is the stored size. Images of other sizes are computed by bilinear
        interpolation. LeNet expects the default, 28.

    Returns
    -------
    (train_images, train_labels) : tuple of numpy.ndarray
        1,500 images of shape (1500, 1, size, size), float32 from 0 (paper) to 1 (ink), and their labels from 0 to 9,
        int32.
    (test_images, test_labels) : tuple of numpy.ndarray
        297 other images and their labels, in the same form.

    Raises
    ------
    ValueError
        If ``size`` is not a positive integer.

    Examples
    --------
    >>> (train_images, train_labels), (test_images, test_labels) = load_digits()
    >>> train_images.shape, test_images.shape
    ((1500, 1, 28, 28), (297, 1, 28, 28))
    >>> train_labels[:10]
    array([0, 1, 2, 3, 8, 9, 0, 1, 2, 4], dtype=int32)
    """
    if not isinstance(size, int | numpy.integer) or isinstance(size, bool) or size < 1:
        raise ValueError(f"size must be a positive integer, not {size!r}")
    stored, stored_labels = _stored()
    images = stored.astype(numpy.float32) / numpy.float32(16)
    labels = stored_labels.astype(numpy.int32)
    if size != 8:
        weights = _bilinear_weights(8, int(size))
        images = weights @ images @ weights.T
    images = images[:, None]
    test = _is_test(stored_labels)
    return (images[~test], labels[~test]), (images[test], labels[test])
