"""``mx.io`` over files: what MXNet gives, and what is said of damaged ones."""

import gzip
import math
import random
import struct
import sys
from pathlib import Path
from typing import Any

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import d2lhybrid as mx
from d2lhybrid import io, nd
from d2lhybrid.internals.support.mxnet_compatibility import OldPrograms
from d2lhybrid.io.augmentation import Augmentation
from d2lhybrid.io.hue import to_hls
from d2lhybrid.io.warping import warp_affine

FOLDER = Path(__file__).parent / "golden_data" / "image"


def _epoch(iterator):
    """Return all batches from a reset on, as (data, label, pad)."""
    iterator.reset()
    return [(b.data[0].asnumpy(), b.label[0].asnumpy().tolist(), b.pad) for b in iterator]


def _labels(iterator):
    return [(label, pad) for _, label, pad in _epoch(iterator)]


@pytest.fixture
def tables(tmp_path):
    (tmp_path / "data.csv").write_text("".join(f"{i},{i + 0.5}\n" for i in range(5)))
    (tmp_path / "label.csv").write_text("".join(f"{10 * i}\n" for i in range(5)))
    return {"data_csv": str(tmp_path / "data.csv"), "data_shape": (2,), "label_csv": str(tmp_path / "label.csv")}


def test_a_table_goes_round(tables):
    iterator = io.CSVIter(batch_size=3, **tables)
    assert iterator.provide_data == [("data", (3, 2))]
    assert iterator.provide_label == [("softmax_label", (3,))]
    # As in MXNet: the second epoch begins behind what filled the first one's last batch.
    assert _labels(iterator) == [([0, 10, 20], 0), ([30, 40, 0], 1)]
    assert _labels(iterator) == [([10, 20, 30], 0), ([40, 0, 10], 2)]
    assert _labels(iterator) == [([20, 30, 40], 0)]
    assert _labels(iterator) == [([0, 10, 20], 0), ([30, 40, 0], 1)]
    data, _, _ = _epoch(io.CSVIter(batch_size=2, **tables))[1]
    assert data.tolist() == [[2, 2.5], [3, 3.5]]
    assert next(io.CSVIter(batch_size=2, dtype="int32", **tables)).data[0].dtype == numpy.int32


def test_a_table_need_not_go_round_or_have_labels(tables):
    iterator = io.CSVIter(batch_size=2, round_batch=False, **tables)
    for _ in range(2):  # as in MXNet, the last rows of the batch before are still there
        assert _labels(iterator) == [([0, 10], 0), ([20, 30], 0), ([40, 30], 1)]
    assert _labels(io.CSVIter(batch_size=7, round_batch=False, **tables)) == [([0, 10, 20, 30, 40, 0, 0], 2)]
    tables.pop("label_csv")
    iterator = io.CSVIter(batch_size=2, **tables)
    assert _labels(iterator)[0] == ([0, 0], 0)
    iterator.reset()
    assert iterator.iter_next()
    assert iterator.getindex().tolist() == [1, 2]  # behind what filled the last batch
    assert iterator.getdata().shape == (2, 2)
    assert iterator.getlabel().shape == (2,)


def test_damaged_tables_are_named(tables, tmp_path):
    (tmp_path / "data.csv").write_text("1,2\n3,x\n")
    with pytest.raises(mx.MXNetError, match=r"line 2 of '.*data\.csv' is not a list of comma-separated numbers"):
        io.CSVIter(batch_size=1, **tables)
    (tmp_path / "data.csv").write_text("1,2\n3\n")
    with pytest.raises(mx.MXNetError, match=r"line 2 .* has 1 number"):
        io.CSVIter(batch_size=1, **tables)
    (tmp_path / "data.csv").write_text("1,2\n")
    with pytest.raises(mx.MXNetError, match=r"has 1 row, but .* has 5"):
        io.CSVIter(batch_size=1, **tables)
    with pytest.raises(mx.MXNetError, match="has no argument colour"):
        io.CSVIter(batch_size=1, colour=3, **tables)
    with pytest.raises(mx.MXNetError, match="No such file"):
        io.CSVIter(str(tmp_path / "absent.csv"), (2,), batch_size=1)


def test_sparse_tables_become_csr_matrices(tmp_path):
    path = tmp_path / "some.svm"
    path.write_text("1 0:1.5 3:2\n0 1:3\n2 2:1 3:4\n")
    iterator = io.LibSVMIter(data_libsvm=str(path), data_shape=(4,), batch_size=2)
    data, label, pad = _epoch(iterator)[1]
    assert data.tolist() == [[0, 0, 1, 4], [1.5, 0, 0, 2]]
    assert (label, pad) == ([2, 1], 1)
    with pytest.raises(mx.MXNetError, match="sparse batch loader doesn't support round_batch == false yet"):
        io.LibSVMIter(data_libsvm=str(path), data_shape=(4,), batch_size=2, round_batch=False)
    labels = io.LibSVMIter(str(path), (4,), label_libsvm=str(path), label_shape=(4,), batch_size=1)
    batch = next(labels)
    assert batch.label[0].asnumpy().tolist() == [[1.5, 0, 0, 2]]
    assert batch.data[0].stype == batch.label[0].stype == labels.getdata().stype == "csr"
    assert next(io.LibSVMIter(str(path), (4,), batch_size=1)).label[0].stype == "default"
    with pytest.raises(mx.MXNetError, match=r"without label_libsvm, label_shape must be \(1,\), not \(2,\)"):
        io.LibSVMIter(str(path), (4,), label_shape=(2,), batch_size=1)
    for line, message in (
        ("1 4:1", r"^line 1 of .* contains the index 4, which is out of range for the shape \(4,\)"),
        ("1 a:1", "LibSVM format"),
        ("1:1", "exactly one label"),
    ):
        path.write_text(line)
        with pytest.raises(mx.MXNetError, match=message):
            io.LibSVMIter(str(path), (4,), batch_size=1)


def _idx(values):
    return struct.pack(f">BBBB{values.ndim}I", 0, 0, 8, values.ndim, *values.shape) + values.astype("uint8").tobytes()


@pytest.mark.parametrize("text", ["", "\n\n", "# a remark alone\n"])
def test_a_file_without_examples_says_so(text, tmp_path):
    path = tmp_path / "empty.txt"
    path.write_text(text)
    with pytest.raises(mx.MXNetError, match=r"'.*empty\.txt' contains no examples"):
        io.LibSVMIter(str(path), (4,), batch_size=2)
    with pytest.raises(mx.MXNetError, match=r"'.*empty\.txt' contains no examples"):
        io.LibSVMIter(str(path), (4,), label_libsvm=str(path), label_shape=(3,), batch_size=1)
    if not text.strip():
        with pytest.raises(mx.MXNetError, match=r"'.*empty\.txt' contains no examples"):
            io.CSVIter(str(path), (4,), batch_size=1)


def test_digits_come_in_full_batches(tmp_path):
    images, labels = numpy.arange(30).reshape(5, 2, 3), numpy.arange(5)
    (tmp_path / "images.gz").write_bytes(gzip.compress(_idx(images)))
    (tmp_path / "labels").write_bytes(_idx(labels))
    files = {"image": str(tmp_path / "images.gz"), "label": str(tmp_path / "labels"), "silent": True}
    iterator = io.MNISTIter(batch_size=2, shuffle=False, **files)
    for _ in range(2):
        epoch = _epoch(iterator)
        assert [label for _, label, _ in epoch] == [[0, 1], [2, 3]]
        numpy.testing.assert_array_equal(epoch[1][0], images[2:4, None] / numpy.float32(256))
    assert next(io.MNISTIter(batch_size=2, flat=True, **files)).data[0].shape == (2, 6)
    shuffled = io.MNISTIter(batch_size=5, seed=1, **files)
    first, second = (_labels(shuffled)[0][0] for _ in range(2))
    assert sorted(first) == sorted(second) == [0, 1, 2, 3, 4]
    assert first == second != [0, 1, 2, 3, 4]
    part = io.MNISTIter(batch_size=1, num_parts=2, part_index=1, shuffle=False, **files)
    assert _labels(part) == [([2], 0), ([3], 0), ([4], 0)]
    with pytest.raises(mx.MXNetError, match=r"must have the shapes \(N, height, width\) and \(N,\), not \("):
        io.MNISTIter(image=files["label"], label=files["label"])


def test_what_a_reader_needs_is_asked_for(tables, tmp_path):
    (tmp_path / "some.svm").write_text("1 0:1\n")
    for make in (lambda **more: io.CSVIter(**more, **tables), lambda **more: io.LibSVMIter("some.svm", (2,), **more)):
        with pytest.raises(mx.MXNetError, match=r"Required parameter batch_size of int \(non-negative\)"):
            make()
    for make in (io.CSVIter, io.LibSVMIter):
        with pytest.raises(mx.MXNetError, match=r"Required parameter data_shape of Shape\(tuple\)"):
            make("some.file", batch_size=2)
    with pytest.raises(mx.MXNetError, match="dimension of data_shape is expected to be 1"):
        io.LibSVMIter(str(tmp_path / "some.svm"), (2, 2), batch_size=1)
    with pytest.raises(mx.MXNetError, match="Invalid Input: 'foo'"):
        io.CSVIter(batch_size=1, dtype="foo", **tables)


def test_a_batch_goes_round_once(tables):
    assert _labels(io.CSVIter(batch_size=10, **tables)) == [([0, 10, 20, 30, 40] * 2, 5)]
    with pytest.raises(mx.MXNetError, match="number of input must be bigger than batch size"):
        io.CSVIter(batch_size=11, **tables)


def test_labels_of_one_number_have_no_axes(tables):
    for shape in ((1,), (1, 1)):
        assert next(io.CSVIter(batch_size=2, label_shape=shape, **tables)).label[0].shape == (2,)
    tables.pop("label_csv")
    assert next(io.CSVIter(batch_size=2, label_shape=(3,), **tables)).label[0].shape == (2,)


def test_a_comma_may_end_a_line(tables, tmp_path):
    (tmp_path / "data.csv").write_text("1,2,\n3,4, \n")
    tables.pop("label_csv")
    assert next(io.CSVIter(batch_size=2, **tables)).data[0].asnumpy().tolist() == [[1, 2], [3, 4]]
    (tmp_path / "data.csv").write_text("1,\n,4\n")
    with pytest.raises(mx.MXNetError, match=r"line 1 .* is not a list of comma-separated numbers"):
        io.CSVIter(batch_size=1, **tables)


def test_a_file_of_labels_has_labels_of_its_own(tmp_path):
    (tmp_path / "data").write_text("1 0:1.5\n0 1:3\n")
    (tmp_path / "labels").write_text("0:1\n1:2\n")
    with pytest.raises(
        mx.MXNetError, match=r"each line of the label file '.*labels' must begin with exactly one number"
    ):
        io.LibSVMIter(
            str(tmp_path / "data"), (4,), label_libsvm=str(tmp_path / "labels"), label_shape=(2,), batch_size=1
        )


# The parts that MXNet made of these lines, by the numbers of the lines.
LINES = ["1 0:1.5 3:2\n", "0 1:3\n", "2 2:1 3:4\n", "5 0:1\n", "7 3:9 2:1 0:1\n"]
PARTS = {
    2: [[1, 0, 2], [5, 7]],
    3: [[1, 0], [2, 5], [7]],
    4: [[1, 0], [2], [5, 7], []],
    5: [[1], [0, 2], [5], [7], []],
    7: [[1], [0], [2], [5], [7], [], []],
}


@pytest.mark.parametrize("count", PARTS)
def test_parts_of_a_text_have_as_many_bytes(count, tmp_path):
    (tmp_path / "data").write_text("".join(LINES))
    for i, part in enumerate(PARTS[count]):
        made: dict[str, Any] = {"data_libsvm": str(tmp_path / "data"), "data_shape": (4,), "batch_size": 1}
        if part:
            iterator = io.LibSVMIter(num_parts=count, part_index=i, **made)
            assert [label for [label], _ in _labels(iterator)] == part
        else:
            with pytest.raises(mx.MXNetError, match="contains no examples"):
                io.LibSVMIter(num_parts=count, part_index=i, **made)


RECORDS = {2: [[0, 1, 2], [3, 4]], 3: [[0, 1], [2, 3], [4]], 4: [[0, 1], [2], [3], [4]], 5: [[0], [1], [2], [3], [4]]}


@pytest.mark.parametrize("count", RECORDS)
def test_parts_of_records_have_as_many_bytes_or_with_an_index_records(count, tmp_path):
    path, index = str(tmp_path / "some.rec"), str(tmp_path / "some.idx")
    writer = mx.recordio.MXIndexedRecordIO(index, path, "w")
    for i in range(5):
        pixels = numpy.full((8, 8, 3), 20 * i + 10, "uint8")  # of 112 bytes, packed
        header = mx.recordio.IRHeader(0, float(i), i, 0)
        writer.write_idx(i, mx.recordio.pack_img(header, pixels, img_fmt=".png"))
    writer.close()
    made: dict[str, Any] = {"path_imgrec": path, "data_shape": (3, 8, 8), "batch_size": 1, "num_parts": count}
    with_index = {**RECORDS, 4: [[0, 1], [2, 3], [4]]}[count]
    given: list[tuple[Any, dict[str, Any]]] = [(RECORDS[count], {}), (with_index, {"path_imgidx": index})]
    for parts, more in given:
        for i, part in enumerate(parts):
            iterator = io.ImageRecordIter(part_index=i, **made, **more)
            assert [label for [label], _ in _labels(iterator)] == part
    with pytest.raises(mx.MXNetError, match="No such file"):
        io.ImageRecordIter(path_imgidx=str(tmp_path / "absent.idx"), **made)
    assert io.ImageRecordIter(seed=-1, **made).batch_size == 1


# --- record files of images ------------------------------------------------------------------------------


@pytest.fixture
def records(tmp_path):
    path = str(tmp_path / "some.rec")
    writer = mx.recordio.MXRecordIO(path, "w")
    for i, name in enumerate(["colour.png", "grey.jpg", "palette.png", "colour.jpg", "transparent.png"]):
        writer.write(mx.recordio.pack((0, [3, 1, 4, 1, 5][i], i, 0), (FOLDER / name).read_bytes()))
    writer.close()
    pytest.importorskip("PIL", reason="images are read with Pillow")
    return path


def _images(records, **settings):
    return io.ImageRecordIter(**{"path_imgrec": records, "data_shape": (3, 20, 16), "batch_size": 2} | settings)


@pytest.mark.parametrize(
    ("settings", "first"),
    [
        # The first pixels that MXNet gives of the first two images.
        ({}, [[135, 130, 117, 102, 86, 73, 54, 49], [163, 100, 100, 100, 100, 100, 41, 41]]),
        (
            {"mean_r": 10, "mean_g": 20, "mean_b": 30, "std_r": 2, "std_g": 3, "std_b": 4, "scale": 0.5},
            [[31.25, 30, 26.75, 23, 19, 15.75, 11, 9.75], [38.25, 22.5, 22.5, 22.5, 22.5, 22.5, 7.75, 7.75]],
        ),
        ({"mirror": True}, [[40, 35, 22, 33, 39, 37, 35, 42], [37, 37, 37, 68, 68, 68, 41, 41]]),
        ({"resize": 20}, [[224, 224, 213, 208, 191, 168, 136, 113], [196, 163, 163, 163, 163, 163, 117, 73]]),
        ({"pad": 2, "resize": 25}, [[210, 210, 194, 182, 165, 141, 122, 94], [170, 163, 163, 163, 163, 157, 123, 98]]),
        ({"data_shape": (1, 20, 16)}, [[75, 68, 61, 58, 53, 50, 43, 54], [83, 63, 63, 63, 63, 63, 46, 46]]),
        (
            {"data_shape": (3, 50, 50)},
            [[202, 209, 218, 230, 226, 224, 226, 218], [197, 196, 196, 196, 196, 196, 194, 170]],
        ),
    ],
)
def test_images_of_records_are_mxnets(records, settings, first):
    batches = _epoch(_images(records, **settings))
    assert [batches[i][0].ravel()[:8].tolist() for i in range(2)] == first
    assert [(label, pad) for _, label, pad in batches] == [([3, 1], 0), ([4, 1], 0), ([5, 3], 1)]


@pytest.mark.parametrize(("name", "pad"), [("ImageRecordIter", 0), ("ImageRecordIter_v1", 1)])
def test_what_fills_the_last_batch_is_counted_by_the_older_iterator(records, name, pad):
    iterator = getattr(io, name)(records, (3, 20, 16), 2, round_batch=False)
    assert [batch.pad for batch in iterator] == [0, 0, pad]  # as MXNet 1.9.1 says


def test_images_of_records_are_changed_at_random(records):
    iterator = _images(records, shuffle=True, rand_crop=True, rand_mirror=True, brightness=0.1, preprocess_threads=4)
    assert sorted(label for labels, pad in _labels(iterator) for label in labels[: 2 - pad]) == [1, 1, 3, 4, 5]
    sized = _images(records, random_resized_crop=True, min_random_area=0.2, max_aspect_ratio=0.3)
    assert next(sized).data[0].shape == (2, 3, 20, 16)
    whole = io.ImageRecordUInt8Iter(records, (3, 20, 16), 2)
    assert next(whole).data[0].dtype == numpy.uint8
    assert (
        next(io.ImageRecordInt8Iter(records, (3, 20, 16), 2, mean_r=128, mean_g=128, mean_b=128)).data[0].dtype
        == numpy.int8
    )
    assert next(io.ImageRecordUInt8Iter_v1(records, (3, 20, 16), 2)).data[0].dtype == numpy.uint8
    with pytest.raises(mx.MXNetError, match="has no argument max_rotation"):
        _images(records, max_rotation=10)
    with pytest.raises(mx.MXNetError, match="1 or 3 channels"):
        _images(records, data_shape=(4, 2, 2))
    with pytest.raises(mx.MXNetError, match="label_width is 2") as caught:
        next(_images(records, label_width=2))
    assert caught.value.__notes__ == ["Pass label_width=1."]


# --- ahead of time ---------------------------------------------------------------------------------------


def test_batches_that_are_made_ahead_are_the_same():
    values = numpy.arange(10.0).reshape(5, 2)
    plain, ahead = (io.NDArrayIter(values, numpy.arange(5.0), 2) for _ in range(2))
    iterator = io.PrefetchingIter(ahead)
    assert iterator.provide_data == plain.provide_data
    for _ in range(2):
        for (data, label, pad), (data_ahead, label_ahead, pad_ahead) in zip(
            _epoch(plain), _epoch(iterator), strict=True
        ):
            numpy.testing.assert_array_equal(data, data_ahead)
            assert (label, pad) == (label_ahead, pad_ahead)


def test_what_goes_wrong_ahead_of_time_is_raised():
    class Broken(io.NDArrayIter):
        def next(self):
            raise ValueError("out of paper")

    iterator = io.PrefetchingIter(Broken(numpy.ones(4), batch_size=2))
    with pytest.raises(ValueError, match="out of paper"):
        next(iterator)
    uneven = io.PrefetchingIter([io.NDArrayIter(numpy.ones(n), batch_size=2) for n in (2, 4)])
    next(uneven)
    with pytest.raises(AssertionError, match="mismatches between iterators"):
        next(uneven)


# --- what old programs give them -------------------------------------------------------------------------


def test_an_iterator_that_exits_while_it_works_ahead_is_an_error():
    class Exits(io.NDArrayIter):
        def next(self):
            sys.exit(0)

    with pytest.raises(mx.MXNetError, match=r"worker of the PrefetchingIter called sys.exit\(0\)"):
        next(io.PrefetchingIter(Exits(numpy.ones(4), batch_size=2)))


@pytest.mark.parametrize("kind", ["MNISTIter", "CSVIter"])
def test_unknown_arguments_are_passed_over_for_old_programs_alone(kind, tables, tmp_path, monkeypatch):
    for name, values in (("images", numpy.zeros((3, 2, 2), numpy.uint8)), ("labels", numpy.arange(3))):
        (tmp_path / name).write_bytes(_idx(values))
    files = {"image": str(tmp_path / "images"), "label": str(tmp_path / "labels")} if kind == "MNISTIter" else tables
    with pytest.raises(mx.MXNetError, match="has no argument colour"):
        getattr(io, kind)(batch_size=1, colour=3, **files)
    monkeypatch.setattr(OldPrograms, "served", True)
    with pytest.warns(UserWarning, match=f"{kind} ignores the unknown argument colour, as MXNet does"):
        iterator = getattr(io, kind)(batch_size=1, colour=3, **files)
    assert iterator.provide_label == [("softmax_label", (1,))]


def test_what_mxnet_knows_and_this_package_does_not_is_never_passed_over(records, monkeypatch):
    monkeypatch.setattr(OldPrograms, "served", True)
    with pytest.raises(mx.MXNetError, match="aug_seq"):
        io.ImageRecordIter(records, (3, 4, 4), 2, aug_seq="aug_of_mine")


# What chance does to one image: the numbers of MXNet itself are in tests/golden_data/image.


@pytest.fixture
def photo():
    return numpy.random.default_rng(0).integers(0, 256, (40, 60, 3), "uint8")


@pytest.mark.parametrize(
    "settings",
    [
        {"max_rotate_angle": 20}, {"max_shear_ratio": 0.5}, {"min_random_scale": 0.4, "max_random_scale": 2.0},
        {"max_aspect_ratio": 0.3}, {"rotate_list": [10, 80, 170]}, {"random_h": 90}, {"random_s": 100},
        {"random_l": 100}, {"min_crop_size": 10, "max_crop_size": 30}, {"brightness": 0.5},
        {"random_resized_crop": True, "min_random_area": 0.3, "max_aspect_ratio": 0.25},
    ],
)  # fmt: skip
def test_each_image_is_changed_in_another_way_and_the_same_after_the_same_seed(photo, settings):
    augment = Augmentation((3, 20, 16), **settings)
    random.seed(1)
    made = [augment(photo) for _ in range(4)]
    assert all(image.shape == (20, 16, 3) and image.min() >= 0 and image.max() <= 255 for image in made)
    assert len({image.tobytes() for image in made}) > 1
    random.seed(1)
    assert all(numpy.array_equal(augment(photo), image) for image in made)


def test_a_shear_moves_rows_and_keeps_the_middle_one(monkeypatch):
    columns = numpy.broadcast_to(numpy.arange(0, 200, 4, "uint8").reshape(1, 50, 1), (41, 50, 3))
    monkeypatch.setattr(random, "uniform", lambda least, most: most)
    sheared = Augmentation((3, 41, 50), max_shear_ratio=0.5)(columns)[..., 0].astype(int)
    assert abs(sheared[20, 25] - columns[20, 25, 0]) <= 2  # the middle lies between two rows
    steps = numpy.diff(sheared[5:36, 25])  # half a column for each row, four levels for each column
    assert set(steps.tolist()) == {-2}


def test_colours_change_in_hue_lightness_or_saturation_alone(monkeypatch, photo):
    monkeypatch.setattr(random, "random", lambda: 1.0)  # as far as it goes
    shape = (3, *photo.shape[:2])
    before = to_hls(photo).astype(int)
    lighter = to_hls(Augmentation(shape, random_l=20)(photo)).astype(int)
    middle = (before[..., 1] > 20) & (before[..., 1] < 200)
    assert abs((lighter - before)[..., 1][middle] - 20).max() <= 1
    grey = numpy.full((4, 5, 3), 99, "uint8")
    assert (Augmentation((3, 4, 5), random_h=90)(grey) == 99).all()
    red = numpy.array([[[200, 10, 10]]], "uint8")
    assert Augmentation((3, 1, 1), random_h=60)(red).tolist() == [[[10, 200, 10]]]
    assert Augmentation((3, 1, 1), random_s=255)(red).tolist() == [[[210, 0, 0]]]


@pytest.mark.parametrize(
    ("settings", "message"),
    [
        ({"random_resized_crop": True, "rand_crop": True}, "conflicts with min_random_scale"),
        (
            {"random_resized_crop": True, "max_aspect_ratio": 1.3},
            "min_aspect_ratio and max_aspect_ratio must be positive and in ascending",
        ),
        ({"random_resized_crop": True, "min_random_area": 2.0}, "min_random_area and max_random_area must be positive"),
        ({"min_crop_size": 5}, "min_crop_size and max_crop_size must be positive and in ascending order"),
        ({"max_crop_size": 50, "min_crop_size": 3}, "the image has 60 x 40 pixels, but max_crop_size is 50"),
        ({"data_shape": (1, 4, 4), "random_h": 3}, "require images with 3 channels, not 1"),
    ],
)
def test_changes_that_cannot_be_made_are_refused(photo, settings, message):
    with pytest.raises(mx.MXNetError, match=message):
        Augmentation(**{"data_shape": (3, 4, 4)} | settings)(photo)


@given(st.integers(1, 30), st.integers(1, 30), st.integers(0, 4), st.integers(-180, 180))
def test_one_colour_stays_one_colour_however_it_is_turned(height, width, method, angle):
    cosine, sine = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    matrix = numpy.array([[cosine, sine, 3], [-sine, cosine, -1]])
    turned = warp_affine(numpy.full((height, width, 2), 77, "uint8"), matrix, width, height, method, 77)
    assert turned.shape == (width, height, 2) and (turned == 77).all()


def test_a_last_batch_that_is_not_rounded_counts_no_padding(records):
    batches = [[batch.pad for batch in io.ImageRecordIter(records, (3, 4, 5), 3, round_batch=r)] for r in (True, False)]
    assert [pads[-1] > 0 for pads in batches] == [True, False]  # as in MXNet


def test_the_mean_of_all_images_is_made_once_and_subtracted_before_they_are_mirrored(records, tmp_path):
    path = str(tmp_path / "mean.bin")
    plain = io.ImageRecordIter(records, (3, 4, 5), 5, round_batch=False)
    images = next(plain).data[0].asnumpy()
    made, read = (io.ImageRecordIter(records, (3, 4, 5), 5, mean_img=path, mirror=m) for m in (False, True))
    numpy.testing.assert_allclose(nd.load(path)["mean_img"].asnumpy(), images.mean(axis=0), rtol=1e-6)
    expected = images - images.mean(axis=0)
    numpy.testing.assert_allclose(next(made).data[0].asnumpy(), expected, atol=1e-4)
    numpy.testing.assert_allclose(next(read).data[0].asnumpy(), expected[..., ::-1], atol=1e-4)
    with pytest.raises(mx.MXNetError, match="must contain exactly one array"):
        io.ImageRecordIter(records, (3, 3, 3), 5, mean_img=path)
