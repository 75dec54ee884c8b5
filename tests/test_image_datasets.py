"""Data sets and transforms of images from files."""

import pickle
import random
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.gluon import data
from d2lhybrid.gluon.data.vision import ImageFolderDataset, ImageListDataset, ImageRecordDataset, transforms

pytest.importorskip("PIL", reason="image files are read with Pillow")

FOLDER = Path(__file__).parent / "golden_data" / "image"


@pytest.fixture
def records(tmp_path):
    """A record file with the photo eight times, labelled 0 to 7."""
    path = str(tmp_path / "some.rec")
    writer = mx.recordio.MXIndexedRecordIO(str(tmp_path / "some.idx"), path, "w")
    photo = (FOLDER / "colour.png").read_bytes()
    for i in range(8):
        writer.write_idx(i, mx.recordio.pack((0, float(i), i, 0), photo))
    writer.close()
    return path


@pytest.mark.parametrize("workers", [0, 3])
def test_records_are_loaded_by_several_workers(records, workers):
    images = ImageRecordDataset(records).transform_first(transforms.ToTensor())
    loader = data.DataLoader(images, batch_size=3, num_workers=workers)
    batches = list(loader)
    assert numpy.concatenate([label.asnumpy() for _, label in batches]).tolist() == list(range(8))
    photo = mx.image.imread(str(FOLDER / "colour.png")).asnumpy().transpose(2, 0, 1) / numpy.float32(255)
    numpy.testing.assert_array_equal(batches[-1][0][1].asnumpy(), photo)


def test_data_sets_of_records_can_be_copied(records):
    plain = data.RecordFileDataset(records)
    copy = pickle.loads(pickle.dumps(plain))
    assert len(copy) == len(plain) == 8
    assert copy[3] == plain[3]
    assert mx.recordio.unpack(plain[-1])[0].label == 7
    changed = ImageRecordDataset(records, 0, lambda image, label: (image.shape, label + 1))
    assert changed[2] == ((36, 48, 1), 3)


def test_a_record_file_without_its_index_is_named(tmp_path, records):
    (tmp_path / "some.idx").unlink()
    with pytest.raises(mx.MXNetError, match=r"some\.idx.*No such file"):
        data.RecordFileDataset(records)


def test_listed_images_have_their_labels(tmp_path):
    listed = ImageListDataset(str(FOLDER), [[3, "colour.png"], [1.0, 2.0, "grey.png"], [[4, 5], "colour.jpg"]])
    assert len(listed) == 3
    assert [listed[i][1].asnumpy().tolist() for i in range(3)] == [[3], [1, 2], [4, 5]]
    assert listed[1][0].shape == (36, 48, 3)
    (tmp_path / "some.lst").write_text(f"5\t7\t{FOLDER / 'grey.png'}\n")
    from_file = ImageListDataset(str(tmp_path), "some.lst", flag=0)
    image, label = from_file[0]
    assert image.shape == (36, 48, 1)
    assert label.asnumpy().tolist() == [7]
    with pytest.raises(ValueError, match="imglist must be filename or list"):
        ImageListDataset(str(FOLDER))


def test_an_image_of_a_folder_that_cannot_be_read_is_named(tmp_path):
    (tmp_path / "cats").mkdir()
    (tmp_path / "cats" / "broken.png").write_bytes(b"nothing")
    images = ImageFolderDataset(str(tmp_path))
    with pytest.raises(mx.MXNetError, match="Invalid image file") as caught:
        images[0]
    assert "broken.png" in "".join(caught.value.__notes__)


def test_random_cuts_have_the_size_and_may_have_a_border():
    random.seed(0)
    image = nd.array(numpy.arange(1, 61).reshape(4, 5, 3), dtype="uint8")
    for _ in range(20):
        cut = transforms.RandomCrop((3, 2))(image).asnumpy()
        assert cut.shape == (2, 3, 3)
        top, left = divmod((int(cut[0, 0, 0]) - 1) // 3, 5)
        numpy.testing.assert_array_equal(cut, image.asnumpy()[top : top + 2, left : left + 3])
    seen = {int(transforms.RandomCrop((5, 4), pad=2, pad_value=200)(image).asnumpy().max()) for _ in range(20)}
    assert 200 in seen
    padded = transforms.RandomCrop((5, 6), pad=(1, 1, 0, 0))(image).asnumpy()
    numpy.testing.assert_array_equal(padded[1:-1], image.asnumpy())
    assert transforms.RandomCrop(9)(image).shape == (9, 9, 3)
    with pytest.raises(ValueError, match="pad must be"):
        transforms.RandomCrop(3, pad=(1, 2))


def test_grey_images_keep_their_channels_and_dtype():
    image = nd.array(numpy.random.RandomState(0).randint(0, 256, (4, 5, 3)), dtype="uint8")
    grey = transforms.RandomGray(1.0)(image)
    assert grey.dtype == numpy.uint8
    expected = image.asnumpy() @ numpy.array([0.21, 0.72, 0.07])
    numpy.testing.assert_allclose(grey.asnumpy(), numpy.repeat(expected[..., None], 3, axis=2), rtol=0, atol=0.501)
    assert (transforms.RandomGray(0.0)(image) == image).asnumpy().all()


def test_rotations_take_tensors_only():
    pixels = nd.zeros((3, 4, 4), dtype="uint8")
    for transform in (transforms.Rotate(3), transforms.RandomRotation((1, 2))):
        with pytest.raises(TypeError, match="only supports float32"):
            transform(pixels)
        assert transform(pixels.astype("float32")).shape == (3, 4, 4)
    with pytest.raises(ValueError, match="ordered tuple"):
        transforms.RandomRotation((2, 1))
    with pytest.raises(ValueError, match="between 0 and 1"):
        transforms.RandomRotation((1, 2), rotate_with_proba=2)
    assert transforms.RandomRotation((1, 2), rotate_with_proba=0.0)(pixels) is pixels
