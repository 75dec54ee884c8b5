"""Data sets, samplers, loaders, image transforms and iterators."""

import gzip
import io
import struct
import sys
import tarfile
import threading
import time
import types

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.gluon.data import batchify, vision
from d2lhybrid.gluon.data.vision import transforms
from d2lhybrid.internals.formats.idx import read_idx
from d2lhybrid.io import DataBatch, DataDesc, DataIter, NDArrayIter, ResizeIter

data = gluon.data


def pixels(*shape, dtype="uint8"):
    values = (numpy.arange(numpy.prod(shape)) * 13 % 256).reshape(shape)
    return nd.array(values, dtype=dtype)


def pairs():
    return data.ArrayDataset(nd.arange(6).reshape((3, 2)), [0, 1, 2])


def plain(value):
    """Return batches as nested lists of (values, dtype)."""
    if isinstance(value, list | tuple):
        return [plain(part) for part in value]
    return value.asnumpy().tolist(), numpy.dtype(value.dtype).name


# --- data sets ---


def test_array_dataset():
    dataset = pairs()
    assert len(dataset) == 3
    item = dataset[0]
    assert (item[0].asnumpy().tolist(), item[1]) == ([0, 1], 0)
    with pytest.raises(IndexError, match="index 3 is out of bounds for axis 0 with size 3"):
        dataset[3]
    assert data.ArrayDataset([5, 6])[1] == 6
    with pytest.raises(AssertionError) as raised:
        data.ArrayDataset([1, 2], [1])
    assert str(raised.value) == ("All arrays must have the same length; array[0] has length 2 while array[2] has 1.")
    with pytest.raises(AssertionError, match="Needs at least 1 arrays"):
        data.ArrayDataset()


def test_labels_become_numbers():
    label = data.ArrayDataset(nd.ones((2, 2)), nd.array([3, 4], dtype="int32"))[1][1]
    assert isinstance(label, numpy.int32)


def test_transform():
    assert data.SimpleDataset([1, 2]).transform(lambda x: x * 2)[1] == 4
    assert pairs().transform_first(lambda x: x + 1)[0][0].asnumpy().tolist() == [1, 2]
    assert pairs().transform(lambda x, y: y + 5)[2] == 7
    single = data.ArrayDataset(nd.arange(3)).transform_first(lambda x: x + 1)
    assert single[2] == 3


def test_lazy_transform_is_called_each_time():
    calls = []
    dataset = data.SimpleDataset([1, 2, 3])
    lazy = dataset.transform(lambda x: calls.append(x) or x)
    assert not calls
    assert (lazy[0], lazy[0], len(lazy)) == (1, 1, 3)
    assert calls == [1, 1]
    calls.clear()
    eager = dataset.transform(lambda x: calls.append(x) or x, lazy=False)
    assert calls == [1, 2, 3]
    assert type(eager) is data.SimpleDataset


def test_parts_of_a_dataset():
    ten = data.SimpleDataset(list(range(10)))
    assert [list(ten.shard(3, i)) for i in range(3)] == [[0, 1, 2, 3], [4, 5, 6], [7, 8, 9]]
    assert list(ten.take(3)) == [0, 1, 2]
    assert len(ten.take(None)) == len(ten.take(20)) == 10
    assert list(ten.filter(lambda x: x % 2)) == [1, 3, 5, 7, 9]
    assert ten.sample(data.SequentialSampler(3, 4))[1] == 5
    with pytest.raises(AssertionError, match="Shard index of out bound: 3 out of 3"):
        ten.shard(3, 3)
    with pytest.raises(TypeError, match="Invalid sampler type"):
        ten.sample([1, 2])


def test_base_classes():
    for call in (lambda: data.Dataset()[0], lambda: len(data.Dataset()), lambda: len(data.Sampler())):
        with pytest.raises(NotImplementedError):
            call()


# --- samplers ---


def test_samplers():
    assert list(data.SequentialSampler(3)) == [0, 1, 2]
    assert list(data.SequentialSampler(3, 2)) == [2, 3, 4]
    assert sorted(data.RandomSampler(20)) == list(range(20))
    assert list(data.FilterSampler(lambda x: x > 1, [0, 1, 2, 3])) == [2, 3]


def test_seed_repeats_the_order():
    sampler = data.RandomSampler(50)
    numpy.random.seed(5)
    first, second = list(sampler), list(sampler)
    numpy.random.seed(5)
    assert list(sampler) == first != second


def test_the_order_is_that_of_mxnet():
    numpy.random.seed(5)
    mx.random.seed(1)  # changes nothing
    assert list(data.RandomSampler(10)) == [9, 5, 2, 4, 7, 1, 0, 8, 6, 3]
    numpy.random.seed(5)
    assert [b.tolist() for b in map(numpy.array, data.DataLoader(list(range(10)), 4, shuffle=True))] == [
        [9, 5, 2, 4], [7, 1, 0, 8], [6, 3],
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("last_batch", "length", "batches"),
    [("keep", 3, [[0, 1], [2, 3], [4]]), ("discard", 2, [[0, 1], [2, 3]]), ("rollover", 2, [[0, 1], [2, 3]])],
)
def test_batch_sampler(last_batch, length, batches):
    sampler = data.BatchSampler(data.SequentialSampler(5), 2, last_batch)
    assert len(sampler) == length
    assert list(sampler) == batches
    if last_batch == "rollover":
        assert len(sampler) == 3
        assert list(sampler) == [[4, 0], [1, 2], [3, 4]]


def test_batch_sampler_of_unknown_kind():
    sampler = data.BatchSampler(data.SequentialSampler(5), 2, "foo")
    message = "last_batch must be one of 'keep', 'discard', or 'rollover', but got foo"
    for call in (len, list):
        with pytest.raises(ValueError, match=message):
            call(sampler)


# --- loader ---


@pytest.mark.parametrize("workers", [0, 1, 3])
def test_batches(workers):
    loader = data.DataLoader(pairs(), 2, num_workers=workers)
    expected = [
        [([[0, 1], [2, 3]], "float32"), ([0, 1], "int64")],
        [([[4, 5]], "float32"), ([2], "int64")],
    ]
    assert len(loader) == 2
    for _ in range(2):
        assert plain(list(loader)) == expected
    assert isinstance(next(iter(loader)), list)


@pytest.mark.parametrize(
    ("items", "batch"),
    [
        ([1, 2], ([1, 2], "int64")),
        ([1.5, 2], ([1.5, 2], "float64")),
        ([numpy.float32(1), numpy.float32(2)], ([1, 2], "float32")),
        ([numpy.ones(2), numpy.zeros(2)], ([[1, 1], [0, 0]], "float64")),
        (numpy.arange(2, dtype="int64"), ([0, 1], "int64")),
        ([True, False], ([True, False], "bool")),
        ([[1, 2], [3, 4]], ([[1, 2], [3, 4]], "int64")),
        (nd.array([[1, 2], [3, 4]]), ([[1, 2], [3, 4]], "float32")),
        ([(1, (2.0, 3)), (4, (5.0, 6))], [([1, 4], "int64"), [([2, 5], "float64"), ([3, 6], "int64")]]),
    ],
)
def test_default_batches(items, batch):
    assert plain(next(iter(data.DataLoader(items, 2)))) == batch


def test_taking_arrays_at_once_gives_what_single_items_give():
    arrays = nd.arange(12).reshape((6, 2)), numpy.arange(6, dtype="float32"), list(range(6))
    for chosen in (arrays, arrays[:1], arrays[1:2], arrays[2:]):
        dataset = data.ArrayDataset(*chosen)
        indices = [4, 1, 1]
        whole = dataset._take_batch(indices)
        assert plain(whole) == plain(batchify.default_batchify_fn([dataset[i] for i in indices]))
        assert plain(dataset.take(5)._take_batch(indices)) == plain(whole)


def test_transforms_of_whole_batches_give_what_single_images_give():
    images = data.ArrayDataset(pixels(5, 6, 4, 3), numpy.arange(5))
    tensor = [transforms.ToTensor(), transforms.Normalize((0.1, 0.2, 0.3), 0.5)]
    for fn in (
        transforms.ToTensor(),
        transforms.Cast(),
        transforms.Resize(3),
        transforms.CenterCrop((3, 5)),
        transforms.CropResize(1, 2, 3, 2, (4, 4)),
        transforms.Compose(tensor),
        transforms.Compose([transforms.Resize(7, keep_ratio=True), transforms.CenterCrop(5), *tensor]),
    ):
        dataset = images.transform_first(fn)
        indices = [3, 0, 3]
        single = batchify.default_batchify_fn([dataset[i] for i in indices])
        whole = dataset._take_batch(indices)
        assert whole is not None
        assert whole[0].dtype == single[0].dtype
        numpy.testing.assert_allclose(whole[0].asnumpy(), single[0].asnumpy(), rtol=1e-6)
        assert plain(whole[1]) == plain(single[1])


def test_random_transforms_are_called_for_each_image():
    class Subclass(transforms.ToTensor):
        pass

    images = data.ArrayDataset(pixels(5, 6, 4, 3), numpy.arange(5))
    for fn in (transforms.RandomFlipLeftRight(), Subclass(), lambda x: x):
        assert images.transform_first(fn)._take_batch([0, 1]) is None
    rows = data.ArrayDataset(pixels(5, 6, 4)).transform_first(transforms.Cast())
    assert rows._take_batch([0, 1]) is None  # would be taken for one image


def test_own_indexing_is_respected():
    class Reversed(data.ArrayDataset):
        def __getitem__(self, idx):
            return super().__getitem__(len(self) - 1 - idx)

    dataset = Reversed(nd.arange(4).reshape((4, 1)))
    assert plain(next(iter(data.DataLoader(dataset, 2)))) == ([[3], [2]], "float32")


def test_arguments():
    dataset = pairs()
    assert len(list(data.DataLoader(dataset, 2, last_batch="discard"))) == 1
    assert len(data.DataLoader(dataset, 2, last_batch="rollover")) == 1
    kept = list(data.DataLoader(dataset, 2, batchify_fn=lambda items: items))
    assert [len(batch) for batch in kept] == [2, 1]
    assert kept[0][1][1] == 1
    batches = data.BatchSampler(data.SequentialSampler(3), 2)
    assert len(list(data.DataLoader(dataset, batch_sampler=batches))) == 2
    shuffled = [batch[1].asnumpy().tolist() for batch in data.DataLoader(dataset, 3, shuffle=True)]
    assert sorted(shuffled[0]) == [0, 1, 2]
    with pytest.raises(ValueError, match="batch_size must be specified unless batch_sampler is specified"):
        data.DataLoader(dataset)
    with pytest.raises(ValueError, match="shuffle must not be specified if sampler is specified"):
        data.DataLoader(dataset, 2, shuffle=True, sampler=data.SequentialSampler(3))
    with pytest.raises(ValueError, match="must not be specified if batch_sampler is specified"):
        data.DataLoader(dataset, 2, batch_sampler=batches)


def test_workers_are_ahead_but_not_too_far():
    seen = []
    dataset = data.SimpleDataset(list(range(100))).transform(lambda x: seen.append(x) or x)
    batches = iter(data.DataLoader(dataset, 1, num_workers=2, prefetch=3, thread_pool=True))
    next(batches)
    time.sleep(0.1)
    assert 1 < len(seen) <= 5
    batches.close()


def test_workers_keep_the_order():
    def slow_first(x):
        time.sleep(0.02 if x == 0 else 0)
        return x

    dataset = data.SimpleDataset(list(range(8))).transform(slow_first)
    loader = data.DataLoader(dataset, 1, num_workers=4)
    assert [batch.asscalar() for batch in loader] == list(range(8))


def test_error_in_a_worker():
    loader = data.DataLoader(data.SimpleDataset([1, 0]).transform(lambda x: 1 // x), 1, num_workers=1)
    with pytest.raises(ZeroDivisionError):
        list(loader)


def test_slow_worker():
    done = threading.Event()
    dataset = data.SimpleDataset([1]).transform(lambda x: done.wait(10) and x)
    with pytest.raises(TimeoutError) as raised:
        list(data.DataLoader(dataset, 1, num_workers=1, timeout=0.05))
    done.set()
    assert "not ready after 0.05 seconds" in raised.value.__notes__[0]


def test_semantics_reach_the_workers():
    from d2lhybrid.util import is_np_array, np_array, np_shape

    def semantics(items):
        return is_np_array()

    with np_shape(True), np_array(True):
        assert list(data.DataLoader([1], 1, num_workers=1, batchify_fn=semantics)) == [True]
    assert list(data.DataLoader([1], 1, num_workers=1, batchify_fn=semantics)) == [False]


@pytest.fixture
def numpy_semantics():
    mx.npx.set_np()
    yield
    mx.npx.reset_np()


def test_numpy_arrays(numpy_semantics):
    dataset = data.ArrayDataset(mx.np.ones((4, 2)), [1.0, 2.0, 3.0, 4.0])
    for workers in (0, 1):
        x, y = next(iter(data.DataLoader(dataset, 3, num_workers=workers)))
        assert type(x) is type(y) is mx.np.ndarray
        assert (x.shape, y.tolist(), y.dtype) == ((3, 2), [1, 2, 3], numpy.float64)
    image = mx.np.array(pixels(6, 4, 3).asnumpy(), dtype="uint8")
    tensor = [transforms.ToTensor(), transforms.Normalize(0.5, 0.5)]
    for transform in (
        *tensor[:1],
        transforms.Cast(),
        transforms.Resize(3),
        transforms.CenterCrop(3),
        transforms.CropResize(0, 0, 2, 2, 3),
        transforms.RandomResizedCrop(3),
        transforms.RandomFlipLeftRight(),
        transforms.RandomColorJitter(0.1, 0.1, 0.1, 0.1),
        transforms.Compose(tensor),
    ):
        assert type(transform(image)) is mx.np.ndarray


def test_batchify():
    padded, lengths = batchify.Pad(val=-1, ret_length=True)([[1, 2, 3], [4]])
    assert padded.asnumpy().tolist() == [[1, 2, 3], [4, -1, -1]]
    assert lengths.asnumpy().tolist() == [3, 1]
    one_axis = batchify.Pad(axis=0, dtype="float32")([numpy.ones((1, 2)), nd.ones((3, 2))])
    assert (one_axis.shape, one_axis.dtype) == ((2, 3, 2), numpy.float32)
    fn = batchify.Tuple(batchify.Pad(), batchify.Stack())
    sequences, labels = next(iter(data.DataLoader([([1, 2], 0), ([3], 1)], 2, batchify_fn=fn)))
    assert sequences.asnumpy().tolist() == [[1, 2], [3, 0]]
    assert labels.asnumpy().tolist() == [0, 1]
    with pytest.raises(AssertionError, match="should contains 2 elements"):
        fn([(1, 2, 3)])


# --- transforms ---


def test_to_tensor():
    image = pixels(2, 3, 3)
    tensor = transforms.ToTensor()(image)
    assert (tensor.shape, tensor.dtype) == ((3, 2, 3), numpy.float32)
    numpy.testing.assert_array_equal(tensor.asnumpy(), image.asnumpy().transpose(2, 0, 1) / numpy.float32(255))
    assert transforms.ToTensor()(pixels(4, 2, 3, 1)).shape == (4, 1, 2, 3)
    with pytest.raises(mx.MXNetError, match=r"Input image must have shape .* but got \[2,3\]"):
        transforms.ToTensor()(nd.ones((2, 3)))


def test_pixels_in_half_precision_are_divided_in_half_precision():
    tensor = nd.image.to_tensor(nd.array([[[10.3], [92.7]]], dtype="float16"))
    assert tensor.dtype == numpy.float32
    assert tensor.asnumpy().ravel().tolist() == [0.040374755859375, 0.363525390625]  # MXNet's


def test_normalize():
    ones = nd.ones((3, 2, 2))
    assert (transforms.Normalize(0.5, 0.2)(ones).asnumpy() == 2.5).all()
    means = transforms.Normalize((0.1, 0.2, 0.3), (1, 2, 4))(ones).asnumpy()[:, 0, 0]
    numpy.testing.assert_allclose(means, [0.9, 0.4, 0.175], rtol=1e-6)
    with pytest.raises(mx.MXNetError, match=r"mean must have either 1 or 3 elements, but got \[0.1,0.2\]"):
        transforms.Normalize((0.1, 0.2), (1, 2))(ones)
    with pytest.raises(mx.MXNetError, match=r"channel dimension with either 1 or 3 elements"):
        transforms.Normalize(0, 1)(pixels(2, 3, 3))


def test_gradient_of_normalize():
    x = nd.ones((3, 2, 2))
    x.attach_grad()
    with mx.autograd.record():
        y = nd.image.normalize(x, mean=0.5, std=(0.25, 0.5, 1.0))
    y.backward()
    assert x.grad.asnumpy()[:, 0, 0].tolist() == [4, 2, 1]


def test_cast():
    assert transforms.Cast("float16")(pixels(1, 1, 3)).dtype == numpy.float16


def test_compose():
    composed = transforms.Compose([transforms.ToTensor(), transforms.Normalize(0.5, 0.5)])
    assert repr(composed).startswith("Compose(\n  (0): HybridSequential(\n    (0): ToTensor(")
    image = pixels(2, 3, 3)
    expected = (image.asnumpy().transpose(2, 0, 1) / 255 - 0.5) / 0.5
    numpy.testing.assert_allclose(composed(image).asnumpy(), expected, rtol=1e-5, atol=1e-6)
    three = transforms.Compose([transforms.ToTensor(), transforms.CenterCrop(2), transforms.Normalize()])
    assert [type(child).__name__ for child in three._children.values()] == [
        "ToTensor",
        "CenterCrop",
        "Normalize",
    ]


def test_crops():
    image = pixels(2, 3, 3)
    raw = image.asnumpy()
    assert (transforms.CenterCrop(2)(image).asnumpy() == raw[:, :2]).all()
    assert (transforms.CenterCrop((1, 2))(image).asnumpy() == raw[:, 1:2]).all()
    assert transforms.CenterCrop((6, 4))(image).shape == (4, 6, 3)
    assert (transforms.CropResize(0, 0, 2, 1)(image).asnumpy() == raw[:1, :2]).all()
    assert transforms.CropResize(0, 0, 2, 1, (3, 3), 1)(image).shape == (3, 3, 3)
    with pytest.raises(mx.MXNetError, match="x \\+ width should not be greater than input width"):
        transforms.CropResize(0, 0, 5, 1)(image)
    with pytest.raises(mx.MXNetError, match="y \\+ height should not be greater than input height"):
        transforms.CropResize(0, 0, 1, 5)(image)


def test_random_crop():
    mx.random.seed(0)
    image = nd.array(numpy.arange(400).reshape((20, 20, 1)))
    assert transforms.RandomResizedCrop((5, 3))(image).shape == (3, 5, 1)
    exact = transforms.RandomResizedCrop(4, scale=(0.04, 0.04), ratio=(1, 1))
    corners = {float(exact(image).asnumpy()[0, 0, 0]) for _ in range(50)}
    assert len(corners) > 20
    assert all(corner // 20 <= 16 and corner % 20 <= 16 for corner in corners)


@pytest.mark.parametrize(
    ("size", "keep", "interpolation", "row"),
    [
        (4, False, 1, [0.0, 0.75, 2.25, 3.0]),
        ((6, 4), False, 1, [0.0, 0.0, 1.0, 2.0, 3.0, 3.0]),
        ((4, 4), False, 0, [0.0, 0.0, 3.0, 3.0]),
        ((1, 2), False, 3, [1.5]),
    ],
)
def test_resize(size, keep, interpolation, row):
    image = nd.array([[[0.0], [3.0]], [[0.0], [3.0]]])
    resized = transforms.Resize(size, keep, interpolation)(image)
    numpy.testing.assert_allclose(resized.asnumpy()[0, :, 0], row, rtol=1e-6)


def test_resize_keeps_the_ratio_and_the_dtype():
    image = pixels(2, 3, 3)
    assert transforms.Resize(4, keep_ratio=True)(image).shape == (4, 6, 3)
    assert transforms.Resize(4, keep_ratio=True)(pixels(3, 2, 3)).shape == (6, 4, 3)
    small = transforms.Resize(2)(nd.array(numpy.arange(48).reshape((4, 4, 3)) * 5, dtype="uint8"))
    assert small.dtype == numpy.uint8
    assert small.asnumpy().ravel().tolist() == [38, 43, 48, 68, 73, 78, 158, 163, 168, 188, 193, 198]


def test_bicubic_resize_of_a_line_is_the_line():
    line = nd.array(numpy.arange(12.0).reshape((1, 12, 1)))
    same = nd.image.resize(line, size=(12, 1), interp=2)
    numpy.testing.assert_allclose(same.asnumpy(), line.asnumpy(), atol=1e-5)
    double = nd.image.resize(line, size=(24, 1), interp=2).asnumpy()[0, 6:18, 0]
    numpy.testing.assert_allclose(numpy.diff(double), 0.5, atol=0.1)


def test_flips():
    image = pixels(2, 3, 3)
    raw = image.asnumpy()
    assert (nd.image.flip_left_right(image).asnumpy() == raw[:, ::-1]).all()
    assert (nd.image.flip_top_bottom(image).asnumpy() == raw[::-1]).all()
    for transform, flipped in (
        (transforms.RandomFlipLeftRight(), raw[:, ::-1]),
        (transforms.RandomFlipTopBottom(), raw[::-1]),
    ):
        mx.random.seed(0)
        results = [transform(image).asnumpy() for _ in range(50)]
        turned = sum((result == flipped).all() for result in results)
        kept = sum((result == raw).all() for result in results)
        assert turned + kept == 50
        assert 10 < turned < 40


def test_colours():
    image = pixels(2, 3, 3)
    brighter = nd.image.random_brightness(image, 2, 2).asnumpy().ravel()[:12]
    assert brighter.tolist() == [0, 26, 52, 78, 104, 130, 156, 182, 208, 234, 255, 255]
    less = nd.image.random_contrast(image, 0.5, 0.5).asnumpy().ravel()[:8]
    assert less.tolist() == [54, 60, 67, 73, 80, 86, 93, 99]
    hue = nd.image.random_hue(image.astype("float32"), 0.7, 0.7).asnumpy().ravel()[:6]
    numpy.testing.assert_allclose(hue, [7.8, 26, 0, 46.8, 65, 39], atol=1e-4)
    assert (nd.image.random_hue(image, 1, 1).asnumpy() == image.asnumpy()).all()
    lit = nd.image.adjust_lighting(image.astype("float32"), (0.1, 0.2, 0.3)).asnumpy().ravel()[:3]
    numpy.testing.assert_allclose(lit, [-2.3197162, 9.494226, 22.241932], rtol=1e-5)
    grey = nd.image.random_saturation(image.astype("float32"), 0, 0).asnumpy()
    numpy.testing.assert_allclose(grey[0, 0], 0.587 * 13 + 0.114 * 26, rtol=1e-5)


@pytest.mark.parametrize(
    "transform",
    [
        transforms.RandomBrightness(0.5),
        transforms.RandomContrast(0.5),
        transforms.RandomSaturation(0.5),
        transforms.RandomHue(0.5),
        transforms.RandomLighting(0.5),
        transforms.RandomColorJitter(0.5, 0.5, 0.5, 0.5),
    ],
)
def test_random_colours(transform):
    image = nd.array(numpy.random.default_rng(0).integers(0, 256, (8, 8, 3)), dtype="uint8")
    mx.random.seed(1)
    first, second = transform(image), transform(image)
    assert (first.shape, first.dtype) == (image.shape, numpy.uint8)
    assert (first.asnumpy() != second.asnumpy()).any()
    mx.random.seed(1)
    assert (transform(image).asnumpy() == first.asnumpy()).all()


def test_without_an_amount_colours_stay():
    image = pixels(2, 3, 3)
    for transform in (
        transforms.RandomBrightness(0),
        transforms.RandomContrast(0),
        transforms.RandomSaturation(0),
        transforms.RandomHue(0),
        transforms.RandomColorJitter(),
    ):
        assert (transform(image).asnumpy() == image.asnumpy()).all()


def test_random_apply():
    image = pixels(2, 3, 3)
    assert transforms.RandomApply(transforms.ToTensor(), 1.0)(image).shape == (3, 2, 3)
    assert transforms.RandomApply(transforms.ToTensor(), 0.0)(image) is image


# --- image data sets ---


def write_idx(path, values, packed):
    header = struct.pack(f">HBB{values.ndim}I", 0, 8, values.ndim, *values.shape)
    with (gzip.open if packed else open)(path, "wb") as stream:
        stream.write(header + values.tobytes())


@pytest.mark.parametrize("packed", [True, False])
@pytest.mark.parametrize("kind", [vision.MNIST, vision.FashionMNIST])
def test_mnist(tmp_path, kind, packed):
    images, labels = pixels(5, 28, 28).asnumpy(), numpy.arange(5, dtype="uint8")
    for part, stop in (("train", 5), ("t10k", 2)):
        for name, values in (("images-idx3", images[:stop]), ("labels-idx1", labels[:stop])):
            write_idx(tmp_path / f"{part}-{name}-ubyte{'.gz' * packed}", values, packed)
    dataset = kind(str(tmp_path))
    image, label = dataset[3]
    assert (image.shape, image.dtype, label) == ((28, 28, 1), numpy.uint8, 3)
    assert isinstance(label, numpy.int32)
    assert (image.asnumpy()[..., 0] == images[3]).all()
    assert len(kind(str(tmp_path), train=False)) == 2
    assert kind(str(tmp_path), transform=lambda x, y: y + 1)[0] == 1
    first, second = dataset[1:3]
    assert (first.shape, second.tolist()) == ((2, 28, 28, 1), [1, 2])
    x, y = next(iter(data.DataLoader(dataset.transform_first(transforms.ToTensor()), 4)))
    assert (x.shape, x.dtype) == ((4, 1, 28, 28), numpy.float32)
    assert plain(y) == ([0, 1, 2, 3], "int32")
    with mx.util.np_array(True):
        dataset = kind(str(tmp_path))
        image, label = dataset[3]
        assert isinstance(image, mx.np.ndarray) and isinstance(label, mx.np.ndarray)
        assert (label.shape, label.dtype, label.item()) == ((1,), numpy.int32, 3)  # outside np_shape, as in MXNet
        assert isinstance(dataset[1:3][1], mx.np.ndarray)
        for options in ({}, {"num_workers": 2}):
            x, y = next(iter(data.DataLoader(dataset, 4, **options)))
            assert isinstance(y, mx.np.ndarray) and (y.asnumpy().tolist(), y.dtype) == ([0, 1, 2, 3], numpy.int32)


def test_missing_and_broken_files(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"train-images-idx3-ubyte.gz, train-labels") as raised:
        vision.MNIST(str(tmp_path))
    assert str(tmp_path) in str(raised.value)
    assert "does not download data sets" in raised.value.__notes__[0]
    write_idx(tmp_path / "train-images-idx3-ubyte", pixels(5, 28, 28).asnumpy(), False)
    with pytest.raises(FileNotFoundError, match=r": train-labels-idx1-ubyte.gz not found"):
        vision.MNIST(str(tmp_path))
    labels = tmp_path / "train-labels-idx1-ubyte"
    write_idx(labels, numpy.arange(4, dtype="uint8"), False)
    with pytest.raises(mx.MXNetError, match=r"must have the shapes \(N, height, width\) and \(N,\), not \("):
        vision.MNIST(str(tmp_path))
    for content in (
        b"",
        b"\x00\x00\x08",
        b"\x00\x00\x08\x01\x00",
        b"\x00\x00\x08\x01\x00\x00\x00\x05123",
        b"text",
    ):
        labels.write_bytes(content)
        with pytest.raises(mx.MXNetError, match=r"is not an IDX file|is truncated|fewer elements than"):
            vision.MNIST(str(tmp_path))


@pytest.mark.parametrize(
    ("content", "reason"),
    [
        (b"\x00\x00\x08\x02\x00\x00\x00\x05", "is truncated: the file ends before the sizes of its 2 dimensions"),
        (b"\x00\x00\x08\x09" + bytes(36), "its header declares 9 dimensions"),
    ],
)
def test_an_error_of_a_header_says_what_is_wrong_with_it(tmp_path, content, reason):
    path = tmp_path / "labels"
    path.write_bytes(content)
    with pytest.raises(mx.MXNetError, match=reason):
        read_idx(str(path))


def test_home_of_data_sets(monkeypatch, tmp_path):
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))
    with pytest.raises(FileNotFoundError) as raised:
        vision.FashionMNIST()
    assert str(tmp_path / "datasets" / "fashion-mnist") in str(raised.value)


def cifar_records(count, label_bytes):
    size = label_bytes + 3072
    return (numpy.arange(count * size) % 251).astype("uint8").reshape(count, size)


@pytest.mark.parametrize("archived", [True, False])
def test_cifar(tmp_path, archived):
    names = [*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin"]
    parts = {name: cifar_records(2, 1) + i for i, name in enumerate(names)}
    if archived:
        with tarfile.open(tmp_path / "cifar-10-binary.tar.gz", "w:gz") as tar:
            for name, records in parts.items():
                member = tarfile.TarInfo(f"cifar-10-batches-bin/{name}")
                member.size = records.size
                tar.addfile(member, io.BytesIO(records.tobytes()))
    else:
        for name, records in parts.items():
            (tmp_path / name).write_bytes(records.tobytes())
    dataset = vision.CIFAR10(str(tmp_path))
    assert (len(dataset), len(vision.CIFAR10(str(tmp_path), train=False))) == (10, 2)
    image, label = dataset[3]
    record = parts["data_batch_2.bin"][1]
    assert label == record[0]
    assert (image.asnumpy() == record[1:].reshape(3, 32, 32).transpose(1, 2, 0)).all()
    if not archived:
        (tmp_path / "test_batch.bin").write_bytes(b"123")
        with pytest.raises(mx.MXNetError, match="does not have the format of CIFAR10"):
            vision.CIFAR10(str(tmp_path), train=False)


def test_cifar100(tmp_path):
    records = cifar_records(3, 2)
    (tmp_path / "test.bin").write_bytes(records.tobytes())
    for fine in (False, True):
        dataset = vision.CIFAR100(str(tmp_path), fine_label=fine, train=False)
        assert [dataset[i][1] for i in range(3)] == records[:, int(fine)].tolist()
    with pytest.raises(FileNotFoundError, match=r"train.bin, or cifar-100-binary.tar.gz not found"):
        vision.CIFAR100(str(tmp_path))


def test_folder_of_images(tmp_path):
    image_module = pytest.importorskip("PIL.Image")
    for folder, name, value in (("cat", "b.png", 10), ("cat", "a.PNG", 20), ("dog", "x.png", 30)):
        (tmp_path / folder).mkdir(exist_ok=True)
        values = numpy.full((2, 3, 3), value, "uint8")
        image_module.fromarray(values).save(tmp_path / folder / name, format="png")
    dataset = vision.ImageFolderDataset(str(tmp_path))
    assert dataset.synsets == ["cat", "dog"]
    assert [label for _, label in dataset.items] == [0, 0, 1]
    image, label = dataset[0]
    assert (image.shape, image.asnumpy()[0, 0, 0], label) == ((2, 3, 3), 20, 0)
    assert vision.ImageFolderDataset(str(tmp_path), flag=0)[2][0].shape == (2, 3, 1)
    assert vision.ImageFolderDataset(str(tmp_path), transform=lambda x, y: y)[2] == 1
    (tmp_path / "readme.txt").touch()
    with pytest.warns(UserWarning, match=r"Ignoring .*readme.txt, which is not a directory."):
        vision.ImageFolderDataset(str(tmp_path))


def test_folder_of_images_without_pillow(tmp_path, monkeypatch):
    (tmp_path / "a").mkdir()
    (tmp_path / "a" / "b.png").touch()
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match="requires Pillow") as raised:
        vision.ImageFolderDataset(str(tmp_path))[0]
    assert raised.value.__notes__ == ["Install it with: pip install pillow"]


# --- iterators ---

X, Y = numpy.arange(10).reshape(5, 2), numpy.arange(5)


def epoch(iterator):
    return [(b.data[0].asnumpy()[:, 0].tolist(), b.label[0].asnumpy().tolist(), b.pad) for b in iterator]


def test_padded_batches():
    iterator = NDArrayIter(X, Y, 2)
    assert iterator.provide_data == [("data", (2, 2))]
    assert iterator.provide_label == [("softmax_label", (2,))]
    expected = [([0, 2], [0, 1], 0), ([4, 6], [2, 3], 0), ([8, 0], [4, 0], 1)]
    assert epoch(iterator) == expected
    assert epoch(iterator) == []
    iterator.reset()
    assert epoch(iterator) == expected
    with pytest.raises(StopIteration):
        iterator.next()


def test_discarded_and_rolled_over_batches():
    full = [([0, 2], [0, 1], 0), ([4, 6], [2, 3], 0)]
    iterator = NDArrayIter(X, Y, 2, last_batch_handle="discard")
    assert epoch(iterator) == full
    iterator = NDArrayIter(X, Y, 2, last_batch_handle="roll_over")
    assert epoch(iterator) == full
    iterator.reset()
    assert [batch[1] for batch in epoch(iterator)] == [[4, 0], [1, 2], [3, 4]]
    iterator.hard_reset()
    assert epoch(iterator) == full


def test_shuffled_batches():
    mx.random.seed(0)
    iterator = NDArrayIter(X, Y, 5, shuffle=True)
    orders = []
    for _ in range(5):
        (batch,) = epoch(iterator)
        assert [value / 2 for value in batch[0]] == batch[1]
        orders.append(batch[1])
        iterator.reset()
    assert all(sorted(order) == [0, 1, 2, 3, 4] for order in orders)
    assert any(order != orders[0] for order in orders)


def test_batch_larger_than_the_data():
    assert epoch(NDArrayIter(X, Y, 12))[0][1:] == ([0, 1, 2, 3, 4] * 2 + [0, 1], 7)


def test_names():
    two = NDArrayIter({"a": X, "b": X}, {"l": Y}, 2)
    assert [name for name, _ in two.provide_data] == ["a", "b"]
    listed = NDArrayIter([X, X], [Y], 2)
    assert [name for name, _ in listed.provide_data] == ["_0_data", "_1_data"]
    assert NDArrayIter(X, batch_size=2).provide_label == []
    with pytest.raises(TypeError, match=r"Input must be NDArray, numpy.ndarray"):
        NDArrayIter("x", Y, 2)
    with pytest.raises(AssertionError):
        NDArrayIter([], Y, 2)


def test_element_types():
    assert NDArrayIter(X, batch_size=2).next().data[0].dtype == numpy.float32
    kept = NDArrayIter(nd.array(X, dtype="int32"), batch_size=2)
    assert kept.next().data[0].dtype == numpy.int32
    assert kept.provide_data[0].dtype == numpy.int32


def test_descriptions():
    description = DataDesc("a", (1, 2))
    assert description == ("a", (1, 2))
    assert (description.dtype, description.layout) == (numpy.float32, "NCHW")
    assert [DataDesc.get_batch_axis(layout) for layout in ("NCHW", None, "TNC")] == [0, 0, 1]
    assert DataDesc.get_list([("a", (1, 2))], [("a", "float16")])[0].dtype == "float16"
    batch = DataBatch([nd.ones((5, 2))], [nd.ones((5,))], pad=1)
    assert str(batch) == "DataBatch: data shapes: [(5, 2)] label shapes: [(5,)]"
    with pytest.raises(AssertionError, match="Data must be list of NDArrays"):
        DataBatch(nd.ones((2,)))


def test_base_iterator():
    assert list(DataIter()) == []
    assert [b.data[0].shape for b in ResizeIter(NDArrayIter(X, Y, 2), 5)] == [(2, 2)] * 5


def test_arrays_come_in_the_order_of_their_names():
    both = NDArrayIter({"z": X, "b": X + 1}, {"y": Y, "a": Y + 5}, 2)
    assert [name for name, _ in [*both.provide_data, *both.provide_label]] == ["b", "z", "a", "y"]
    batch = both.next()
    assert [d.asnumpy()[0, 0] for d in batch.data] == [1, 0]
    assert [d.asnumpy()[0] for d in batch.label] == [5, 0]


def test_lists_of_numbers_are_arrays_too():
    assert NDArrayIter({"x": [[1, 2], [3, 4]]}, batch_size=1).provide_data == [("x", (1, 2))]
    assert NDArrayIter([[1, 2], [3, 4]], batch_size=1).provide_data == [("_0_data", (1,)), ("_1_data", (1,))]
    with pytest.raises(TypeError, match="Invalid type '<class 'str'>' for x"):
        NDArrayIter({"x": "abc"}, Y, 2)


def test_batches_go_along_the_axis_of_the_layout():
    iterator = NDArrayIter(numpy.arange(24.0).reshape(2, 4, 3), None, 3, layout="TNC")
    assert iterator.provide_data == [("data", (2, 3, 3))]
    [batch] = iterator
    assert batch.data[0].asnumpy()[:, :, 0].tolist() == [[0, 3, 0], [12, 15, 12]]
    assert batch.pad == 1


def test_an_iterator_shuffles_as_mxnets_does():
    rows = numpy.arange(20.0).reshape(10, 2)
    numpy.random.seed(3)
    iterator = NDArrayIter(rows, numpy.arange(10), 4, shuffle=True)
    labels = []
    for _ in range(2):
        labels.append([n for batch in iterator for n in batch.label[0].asnumpy().tolist()])
        iterator.reset()
    # What has been shuffled is shuffled again.
    assert labels == [[5, 4, 1, 2, 9, 6, 7, 0, 3, 8, 5, 4], [1, 2, 4, 9, 3, 8, 6, 0, 5, 7, 1, 2]]
    numpy.random.seed(3)
    rolled = NDArrayIter(rows, numpy.arange(10), 4, shuffle=True, last_batch_handle="roll_over")
    assert [batch.label[0].asnumpy().tolist() for batch in rolled] == [[5, 4, 1, 2], [9, 6, 7, 0]]
    rolled.reset()
    first, *others = rolled
    assert (first.label[0].asnumpy().tolist(), first.pad) == ([3, 8, 1, 2], 2)
    assert [batch.label[0].asnumpy().tolist() for batch in others] == [[4, 9, 3, 8], [6, 0, 5, 7]]


def test_iterators_of_ones_own_find_what_mxnets_has():
    class Doubled(NDArrayIter):
        def getdata(self):
            return [2 * part for part in self._getdata(self.data, self.cursor, self.cursor + self.batch_size)]

    iterator = Doubled(nd.array(X), Y, 5)
    assert (iterator.num_source, [d.shape for d in iterator.data_list]) == (2, [(5, 2), (5,)])
    assert iterator.data[0][1].asnumpy().shape == (5, 2)
    [batch] = iterator
    assert batch.data[0].asnumpy().tolist() == (2 * X).tolist()
    with pytest.raises(AssertionError, match="DataIter needs reset"):
        iterator.getlabel()
    assert mx.io._init_data(None, True, "x") == mx.io.io._init_data([], allow_empty=True, default_name="x") == []
    named = mx.io.utils._init_data(nd.ones((2, 2)), False, "x")
    assert [(n, v.shape) for n, v in mx.io._getdata_by_idx(named, numpy.array([1]))] == [("x", (1, 2))]
    assert mx.io._has_instance(named, nd.NDArray)
    assert not mx.io._has_instance(named, mx.nd.sparse.CSRNDArray)


def test_data_of_h5py_stay_in_their_file(monkeypatch):
    class Stored:
        """As a data set of h5py: rows by increasing numbers alone."""

        def __init__(self, values):
            self.values, self.shape, self.dtype, self.asked = values, values.shape, values.dtype, []

        def __getitem__(self, rows):
            assert rows == sorted({*rows})
            self.asked.append(rows)
            return self.values[rows]

    monkeypatch.setitem(sys.modules, "h5py", types.SimpleNamespace(Dataset=Stored))
    rows = Stored(numpy.arange(20, dtype="float32").reshape(10, 2))
    numpy.random.seed(1)
    iterator = NDArrayIter(rows, numpy.arange(10), 4, shuffle=True)
    assert not rows.asked
    for batch in iterator:
        assert (batch.data[0].asnumpy()[:, 0] == 2 * batch.label[0].asnumpy()).all()
    assert rows.asked[0] == [2, 4, 6, 9]
