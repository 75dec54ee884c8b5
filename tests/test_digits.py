"""The digits that come with the package."""

import numpy
import pytest

from d2lhybrid.data import load_digits


def test_shapes_types_and_range():
    (train_images, train_labels), (test_images, test_labels) = load_digits()
    assert train_images.shape == (1500, 1, 28, 28) and test_images.shape == (297, 1, 28, 28)
    assert train_labels.shape == (1500,) and test_labels.shape == (297,)
    for images, labels in ((train_images, train_labels), (test_images, test_labels)):
        assert images.dtype == numpy.float32 and labels.dtype == numpy.int32
        assert images.min() == 0 and 0.99 < images.max() <= 1
        assert set(labels) == set(range(10))
        assert images.flags.c_contiguous and images.flags.writeable


def test_every_digit_has_its_share_in_the_test_images():
    (_, train_labels), (_, test_labels) = load_digits(8)
    shares = numpy.bincount(test_labels) / (numpy.bincount(train_labels) + numpy.bincount(test_labels))
    assert numpy.abs(shares - 297 / 1797).max() < 0.006


def test_the_split_is_always_the_same_and_caller_cannot_spoil_it():
    (first, _), _ = load_digits(8)
    kept = first.copy()
    first[:] = -1
    (second, _), _ = load_digits(8)
    numpy.testing.assert_array_equal(second, kept)


def test_size_8_is_the_stored_image():
    (images, labels), _ = load_digits(8)
    values = images[0, 0] * 16
    assert labels[0] == 0
    # The first row of the published table.
    numpy.testing.assert_array_equal(values[0], [0, 0, 5, 13, 9, 1, 0, 0])
    numpy.testing.assert_array_equal(values[7], [0, 0, 6, 13, 10, 0, 0, 0])
    assert set(numpy.unique(images * 16)) == set(range(17))


def test_bilinear_interpolation():
    (small, _), _ = load_digits(8)
    (same_picture_16, _), _ = load_digits(16)
    image, enlarged = small[3, 0], same_picture_16[3, 0]
    # New centres lie a quarter of an old pixel to either side of an old centre.
    assert enlarged[0, 0] == image[0, 0]
    rows = 0.75 * image[2] + 0.25 * image[3]
    numpy.testing.assert_allclose(enlarged[5, 7], 0.75 * rows[3] + 0.25 * rows[4], rtol=1e-6)
    # Halving the size averages blocks of four.
    (halved, _), _ = load_digits(4)
    blocks = image.reshape(4, 2, 4, 2).mean((1, 3))
    numpy.testing.assert_allclose(halved[3, 0], blocks, atol=1e-6)


def test_one_pixel_is_allowed_and_nonsense_is_not():
    (images, _), _ = load_digits(1)
    assert images.shape == (1500, 1, 1, 1)
    for size in (0, -8, 2.5, "28", True):
        with pytest.raises(ValueError, match="size must be a positive integer"):
            load_digits(size)  # type: ignore[arg-type]


def test_the_labels_belong_to_the_images():
    """The nearest training image (least squared distance) has the right label nearly always."""
    (train, train_labels), (test, test_labels) = load_digits(8)
    train, test = train.reshape(1500, 64), test.reshape(297, 64)
    distances = (train**2).sum(1) - 2 * test @ train.T
    assert (train_labels[distances.argmin(1)] == test_labels).mean() > 0.97
