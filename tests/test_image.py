"""``mx.image``: what MXNet returns, rectangles that stay inside, and errors that say what is wrong."""

import io
import random
import struct
import subprocess
import sys
import warnings
from pathlib import Path

import numpy
import pytest
from hypothesis import given
from hypothesis import strategies as st

import d2lhybrid as mx
from d2lhybrid import image, nd
from d2lhybrid.internals.formats.serialization import limits
from d2lhybrid.internals.ops.resampling import resample

from .interop import image_cases

pytest.importorskip("PIL", reason="mx.image reads files with Pillow")

FOLDER = Path(image_cases.FOLDER)
FACTS = numpy.load(FOLDER / "facts.npz")


# --- as in MXNet -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("case", image_cases.CASES, ids=lambda case: case.__name__)
def test_results_are_those_of_mxnet(case):
    prefix = f"{case.__name__}: "
    expected = {name.removeprefix(prefix): FACTS[name] for name in FACTS.files if name.startswith(prefix)}
    found = image_cases.results(mx, case)
    assert set(found) == set(expected)
    for name, value in found.items():
        wanted = expected[name]
        if wanted.dtype.kind == "U":
            assert str(value) == str(wanted), name
            continue
        assert value.dtype == wanted.dtype, name
        assert value.shape == wanted.shape, name
        # Pixels are equal, but for CMYK, which every library converts in its own way.
        tolerance = 1 if name.startswith("cmyk") else 0 if value.dtype.kind in "ui" else 3e-3
        numpy.testing.assert_allclose(value.astype(float), wanted, rtol=1e-5, atol=tolerance, err_msg=name)


sides = st.integers(1, 40)


@given(sides, sides, sides, sides, st.integers(0, 4), st.sampled_from(["uint8", "float32"]))
def test_resizing_keeps_a_single_colour_and_stays_between_the_pixels(
    height, width, new_height, new_width, interp, dtype
):
    plain = resample(numpy, numpy.full((height, width, 2), 77, dtype), new_height, new_width, interp)
    assert plain.shape == (new_height, new_width, 2)
    assert plain.dtype == dtype
    numpy.testing.assert_allclose(plain, 77, atol=1e-4)
    pixels = numpy.random.RandomState(height * width).randint(60, 90, (height, width, 1)).astype(dtype)
    resized = resample(numpy, pixels, new_height, new_width, interp)
    if interp in (0, 1, 3):  # the others sharpen, and so go beyond
        assert resized.min() >= pixels.min() - 1e-4
        assert resized.max() <= pixels.max() + 1e-4


def test_a_batch_is_resized_as_its_images_are():
    batch = numpy.random.RandomState(0).randint(0, 256, (3, 7, 9, 3)).astype("uint8")
    for interp in range(5):
        together = resample(numpy, batch, 4, 5, interp)
        for i in range(3):
            numpy.testing.assert_array_equal(together[i], resample(numpy, batch[i], 4, 5, interp))


# --- rectangles ------------------------------------------------------------------------------------------


@given(sides, sides, sides, sides, st.integers(0, 2**32))
def test_cuts_lie_inside_and_have_the_size_that_was_asked_for(height, width, new_height, new_width, seed):
    random.seed(seed)
    pixels = nd.array(numpy.arange(height * width).reshape(height, width, 1), dtype="float32")
    size = (new_width, new_height)
    cuts = [
        image.center_crop(pixels, size, 0),
        image.random_crop(pixels, size, 0),
        image.random_size_crop(pixels, size, (0.1, 1.0), (0.5, 2.0), 0),
    ]
    for cut, (x, y, w, h) in cuts:
        assert cut.shape == (new_height, new_width, 1)
        assert 0 <= x <= x + w <= width
        assert 0 <= y <= y + h <= height
        inside = pixels[y : y + h, x : x + w].asnumpy()
        assert set(cut.asnumpy().ravel()) <= set(inside.ravel())
        if (w, h) == size:
            numpy.testing.assert_array_equal(cut.asnumpy(), inside)


@given(st.integers(10, 60), st.integers(10, 60), st.integers(0, 2**32))
def test_random_cuts_have_the_area_and_the_ratio_that_were_asked_for(height, width, seed):
    random.seed(seed)
    pixels = nd.zeros((height, width, 1))
    _, (_, _, w, h) = image.random_size_crop(pixels, (5, 5), (0.3, 0.6), (0.8, 1.25), 0)
    if (w, h) == image.scale_down((width, height), (5, 5)):
        return  # no such rectangle was found in ten attempts
    slack = (w + h + 1) / (height * width)  # rounding to whole pixels
    assert 0.3 - slack <= w * h / (height * width) <= 0.6 + slack
    assert (w - 0.5) / (h + 0.5) <= 1.25
    assert (w + 0.5) / (h - 0.5) >= 0.8


@given(st.integers(4, 50), st.integers(4, 50), st.integers(0, 2**32))
def test_boxes_stay_in_the_image_whatever_an_augmenter_does(height, width, seed):
    random.seed(seed)
    label = numpy.array([[1, 0.1, 0.1, 0.9, 0.8, 7], [2, 0.3, 0.2, 0.5, 0.9, 8]], "float32")
    several = image.CreateDetAugmenter(
        (3, 9, 9), rand_crop=1, rand_pad=0.5, rand_mirror=True, min_object_covered=[0.1, 0.4]
    )
    changed = nd.zeros((height, width, 3), dtype="uint8")
    for augmenter in several:
        changed, label = augmenter(changed, label)
    assert changed.shape == (9, 9, 3)
    assert len(label)
    assert set(label[:, 5]) <= {7, 8}
    assert (label[:, 1:5] >= 0).all()
    assert (label[:, 1:5] <= 1).all()
    assert (label[:, 1] < label[:, 3]).all()
    assert (label[:, 2] < label[:, 4]).all()


# --- arrays of mx.np -------------------------------------------------------------------------------------


@pytest.fixture
def np_arrays():
    mx.npx.set_np()
    yield
    mx.npx.reset_np()


def test_arrays_of_np_stay_what_they_are(np_arrays):
    photo = image.imread(str(FOLDER / "colour.png"))
    assert type(photo) is mx.np.ndarray
    random.seed(0)
    for augmenter in image.CreateAugmenter(
        (3, 20, 20), resize=30, rand_crop=True, rand_mirror=True, mean=True, std=True, brightness=0.1, contrast=0.1,
        saturation=0.1, hue=0.1, pca_noise=0.1, rand_gray=1.0,
    ):  # fmt: skip
        photo = augmenter(photo)
        assert type(photo) is mx.np.ndarray
    assert photo.shape == (20, 20, 3)
    turned = image.imrotate(photo.transpose(2, 0, 1), 20)
    assert type(turned) is mx.np.ndarray
    iterator = image.ImageIter(1, (3, 9, 9), imglist=[[1.0, "colour.png"]], path_root=str(FOLDER))
    batch = next(iterator)
    assert type(batch.data[0]) is type(batch.label[0]) is mx.np.ndarray


# --- sizes -----------------------------------------------------------------------------------------------


def tiff(compression=None):
    """Return a small TIFF file, and for each of its tags where in it its entry is."""
    from PIL import Image

    stream = io.BytesIO()
    pixels = numpy.arange(192, dtype="uint8").reshape(8, 8, 3)
    Image.fromarray(pixels).save(stream, "TIFF", **({"compression": compression} if compression else {}))
    content = stream.getvalue()
    start = struct.unpack_from("<I", content, 4)[0] + 2
    count = struct.unpack_from("<H", content, start - 2)[0]
    return content, {struct.unpack_from("<H", content, at)[0]: at for at in range(start, start + 12 * count, 12)}


def with_tags(compression, **numbers):
    """Return a small TIFF file with other numbers in some of its entries."""
    content, places = tiff(compression)
    tags = {"width": 256, "height": 257, "rows_in_a_strip": 278}
    changed = bytearray(content)
    for name, number in numbers.items():
        struct.pack_into("<HHII", changed, places[tags[name]], tags[name], 4, 1, number)
    return bytes(changed)


def test_a_small_file_that_claims_to_be_a_huge_image_takes_no_memory(tmp_path):
    """Each of these took 300 MB to 1.6 GB: Pillow makes the whole image before it looks what the file holds."""
    files = {}
    for compression in (None, "tiff_deflate", "tiff_lzw"):
        files[f"{compression}: taller than its strip"] = with_tags(compression, height=0x7F0008)
        files[f"{compression}: wider"] = with_tags(compression, width=0x7F0008)
        files[f"{compression}: taller"] = with_tags(compression, height=0x7F0008, rows_in_a_strip=0x7F0008)
    for name, content in files.items():
        (tmp_path / name.replace(": ", "-")).write_bytes(content)
    program = (
        "import resource, sys, warnings\nfrom pathlib import Path\nimport d2lhybrid as mx\n"
        "warnings.simplefilter('ignore')\nimport PIL.TiffImagePlugin\n"
        "peak = lambda: resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024\n"
        "for path in sorted(Path(sys.argv[1]).iterdir()):\n"
        "    before = peak()\n"
        "    try:\n        mx.image.imread(str(path))\n"
        "    except mx.MXNetError as error:\n        said = error.__notes__[0] if error.__notes__ else error\n"
        "    else:\n        said = 'read'\n"
        "    print(path.name, peak() - before, said, sep='|')\n"
    )
    pytest.importorskip("resource", reason="Windows does not say how much memory was used")
    done = subprocess.run([sys.executable, "-c", program, tmp_path], capture_output=True, text=True, check=True)
    rows = [line.split("|") for line in done.stdout.splitlines()]
    assert len(rows) == len(files)
    assert [row for row in rows if int(row[1]) > 30 or row[2] == "read"] == []


def test_an_error_of_this_package_is_not_reported_as_an_error_of_pillow():
    with pytest.raises(mx.MXNetError, match="Decoding failed") as raised:
        image.imdecode(with_tags(None, height=0x7F0008))
    assert raised.value.__notes__ == ["The file declares 8 x 8323080 pixels, but contains only 8 x 8."]
    with pytest.raises(mx.MXNetError, match="Decoding failed") as raised:
        image.imdecode(b"no image")
    assert raised.value.__notes__[0].startswith("Pillow reports: ")


def test_an_image_that_is_mostly_one_colour_is_read():
    """A file may be a thousandth of its pixels, and be honest."""
    from PIL import Image

    stream = io.BytesIO()
    Image.new("RGB", (6000, 6500), (1, 2, 3)).save(stream, "PNG")
    content = stream.getvalue()
    assert max(limits.expansion, 2000 * len(content)) < 7 * 6000 * 6500
    assert image.imdecode(content).shape == (6500, 6000, 3)
    grey = io.BytesIO()
    Image.new("1", (4960, 7016), 1).save(grey, "TIFF", compression="group4")  # a page at 600 dots an inch
    assert image.imdecode(grey.getvalue(), flag=0).shape == (7016, 4960, 1)


def test_the_limit_says_how_to_allow_more():
    content = with_tags("tiff_lzw", height=0x7F0008, rows_in_a_strip=0x7F0008)
    with pytest.raises(
        mx.MXNetError, match=r"an image of 8 x 8323080 pixels needs .* or more, but the file stores only 360 bytes"
    ) as raised:
        image.imdecode(content)
    assert "limits(expansion=2**29)" in raised.value.__notes__[0]


# --- errors ----------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (lambda: image.imdecode(b""), mx.MXNetError, "empty buffer"),
        (lambda: image.imdecode(b"no image"), mx.MXNetError, "Invalid image file"),
        (lambda: image.imdecode((FOLDER / "colour.png").read_bytes()[:500]), mx.MXNetError, "Invalid image file"),
        (lambda: image.imdecode("text"), ValueError, "convert to bytes"),
        (lambda: image.imdecode(nd.zeros(3)), mx.MXNetError, "uint8"),
        (lambda: image.imdecode(b"x", flag=-1), mx.MXNetError, "Parameter flag should be greater equal to 0"),
        (lambda: image.imread("absent.jpg"), mx.MXNetError, "'absent.jpg' couldn't open file: No such file"),
        (lambda: image.imresize(nd.zeros((2, 2, 3)), 0, 3), mx.MXNetError, "Parameter w should be greater equal to 1"),
        (lambda: image.imresize(nd.zeros((2, 2, 3)), 2, 3, 7), mx.MXNetError, "interp must be one of"),
        (lambda: image.imresize(nd.zeros((2, 3)), 2, 3), mx.MXNetError, "height, width, channels"),
        (lambda: image.imresize(numpy.zeros((2, 2, 3)), 2, 3), AssertionError, "must have NDArray type"),
        (lambda: image.resize_short(nd.zeros((2, 2, 3)), 3, 7), ValueError, "Unknown interp method 7"),
        (lambda: image.copyMakeBorder(nd.zeros((2, 2, 3)), -1, 0, 0, 0), mx.MXNetError, "cannot be negative"),
        (lambda: image.copyMakeBorder(nd.zeros((2, 2, 3)), 1, 0, 0, 0, type=5), mx.MXNetError, "must be from 0 to 4"),
        (lambda: image.imrotate(nd.zeros((3, 4, 4), dtype="uint8"), 3), TypeError, "Only `float32`"),
        (lambda: image.imrotate(nd.zeros((4, 4)), 3), ValueError, "Only 3D and 4D"),
        (lambda: image.imrotate(nd.zeros((3, 4, 4)), nd.zeros(1)), TypeError, "scalar"),
        (lambda: image.imrotate(nd.zeros((2, 3, 4, 4)), nd.zeros(3)), ValueError, "number of rotation angles"),
        (lambda: image.imrotate(nd.zeros((3, 4, 4)), 3, True, True), ValueError, "cannot be both True"),
        (lambda: image.random_size_crop(nd.zeros((3, 4, 3)), (1, 1), 1, (1, 1), what=2), AssertionError, "unexpected"),
        (lambda: image.CreateAugmenter((3, 4, 4), mean=[1, 2, 3]), AssertionError, "mean must be True, None, or"),
        (lambda: image.CreateAugmenter((3, 4, 4), rand_resize=True), AssertionError, "rand_crop"),
        (lambda: image.Augmenter()(nd.zeros(1)), NotImplementedError, "override"),
        (lambda: image.DetBorrowAug(3), TypeError, "invalid Augmenter"),
        (lambda: image.DetRandomSelectAug([3]), ValueError, "DetAugmenter"),
        (
            lambda: image.CreateMultiRandCropAugmenter([1, 2], [(1, 2)] * 3),
            AssertionError,
            "min_object_covered has 2 values, but aspect_ratio_range has 3",
        ),
        (lambda: image.DetRandomCropAug(aspect_ratio_range="x"), AssertionError, "aspect_ratio_range must be a number"),
        (lambda: image.ImageIter(1, (3, 4, 4)), AssertionError, "requires path_imgrec"),
        (lambda: image.ImageIter(1, (1, 4, 4), imglist=[]), ValueError, "3 channels"),
        (lambda: image.ImageIter(1, (4, 4), imglist=[]), ValueError, "length 3"),
        (lambda: image.ImageIter(1, (3, 4, 4), imglist=[], dtype="text"), AssertionError, "label not supported"),
        (lambda: image.ImageIter(1, (3, 4, 4), imglist=[], last_batch_handle="x"), ValueError, "pad, discard, roll"),
        (lambda: image.ImageIter(1, (3, 4, 4), imglist=[], part_index=2, num_parts=2), AssertionError, "less than 2"),
        (lambda: image.ImageDetIter(1, (3, 4, 4), imglist=[]), mx.MXNetError, "no images"),
    ],
)  # fmt: skip
def test_errors_say_what_is_wrong(call, kind, message):
    with pytest.raises(kind, match=message):
        call()


def test_without_pillow_the_error_says_how_to_install_it(monkeypatch):
    monkeypatch.setitem(sys.modules, "PIL", None)
    with pytest.raises(ImportError, match="reading image files requires Pillow") as caught:
        image.imread(str(FOLDER / "colour.png"))
    assert caught.value.__notes__ == ["Install it with: pip install pillow"]


def test_pillow_is_imported_with_the_first_image_only():
    code = "import sys, d2lhybrid as mx; mx.image.imresize(mx.nd.ones((2, 2, 3)), 3, 3); sys.exit('PIL' in sys.modules)"
    assert subprocess.run([sys.executable, "-c", code]).returncode == 0


def test_the_name_of_an_image_that_cannot_be_read_is_told(tmp_path):
    (tmp_path / "broken.jpg").write_bytes(b"nothing")
    with pytest.raises(mx.MXNetError) as caught:
        image.imread(str(tmp_path / "broken.jpg"))
    assert "broken.jpg" in "".join(caught.value.__notes__)
    iterator = image.ImageIter(1, (3, 4, 4), imglist=[[1.0, "broken.jpg"]], path_root=str(tmp_path))
    with pytest.raises(RuntimeError, match=r"Broken image filename: broken\.jpg"):
        next(iterator)


def test_old_names_and_impossible_ranges_are_said():
    with pytest.warns(DeprecationWarning, match="use `area`"):
        image.random_size_crop(nd.zeros((4, 4, 3)), (2, 2), None, (1, 1), min_area=0.5)
    with pytest.warns(UserWarning, match="Skip DetRandomCropAug due to invalid area_range"):
        assert not image.DetRandomCropAug(area_range=(0.9, 0.5)).enabled
    with pytest.warns(UserWarning, match="Skip DetRandomPadAug due to invalid aspect_ratio_range"):
        assert not image.DetRandomPadAug(aspect_ratio_range=(0, 1)).enabled
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        disabled = image.DetRandomPadAug(area_range=(1, 1))
    label = numpy.array([[1, 0.1, 0.1, 0.9, 0.8]])
    assert disabled(nd.zeros((4, 4, 3)), label)[1] is label


# --- iterators -------------------------------------------------------------------------------------------


def _iterator(**settings):
    settings = {"batch_size": 4, "data_shape": (3, 8, 8), "path_root": str(FOLDER)} | settings
    return image.ImageIter(**settings)


def test_few_images_fill_a_batch_more_than_once():
    batch = next(_iterator(imglist=[[5.0, "colour.png"]]))
    assert batch.pad == 3
    assert batch.label[0].asnumpy().tolist() == [5, 5, 5, 5]
    assert (batch.data[0][0] == batch.data[0][3]).asnumpy().all()


def test_a_lists_mistakes_are_named(tmp_path):
    path = tmp_path / "some.lst"
    path.write_text("1\t2\tcolour.png\nx\t2\tcolour.png\n")
    with pytest.raises(mx.MXNetError, match="line 2 of the list"):
        _iterator(path_imglist=str(path))
    with pytest.raises(ValueError, match="2 labels, but label_width is 1") as caught:
        next(_iterator(imglist=[[1.0, 2.0, "colour.png"]]))
    assert caught.value.__notes__ == ["Pass label_width=2."]
    with pytest.raises(ValueError, match="0 labels, but label_width is 1") as caught:
        next(_iterator(imglist=[[[], "colour.png"]]))
    assert caught.value.__notes__ == ["Add a label to each image."]  # label_width=0 would be wrong
    with pytest.raises(ValueError, match=r"shape \(3, 36, 48\) after augmentation"):
        next(_iterator(imglist=[[1.0, "colour.png"]], aug_list=[image.CastAug()]))


def test_record_files_are_shuffled_with_an_index_only(tmp_path):
    path = str(tmp_path / "some.rec")
    writer = mx.recordio.MXRecordIO(path, "w")
    writer.write(mx.recordio.pack((0, 1.0, 0, 0), (FOLDER / "colour.png").read_bytes()))
    writer.close()
    with pytest.raises(AssertionError, match="path_imgidx"):
        _iterator(path_imgrec=path, shuffle=True)
    assert next(_iterator(path_imgrec=path)).label[0].asnumpy().tolist() == [1, 1, 1, 1]


def test_labels_of_boxes_that_are_none_are_refused():
    with pytest.raises(RuntimeError, match="Label shape is invalid"):
        image.ImageDetIter(1, (3, 8, 8), imglist=[[[1, 2, 3], "colour.png"]], path_root=str(FOLDER))
    with pytest.raises(RuntimeError, match="inconsistent with annotation width 5"):
        image.ImageDetIter(1, (3, 8, 8), imglist=[[[2, 5, 1, 2, 3, 4, 5, 6], "colour.png"]], path_root=str(FOLDER))
    with pytest.raises(RuntimeError, match="no valid label"):
        image.ImageDetIter(1, (3, 8, 8), imglist=[[[2, 5, 1, 0.5, 0, 0.4, 1], "colour.png"]], path_root=str(FOLDER))


def test_boxes_are_drawn():
    label = [2, 5, 0, 0.25, 0.25, 0.75, 0.75]
    iterator = image.ImageDetIter(1, (3, 40, 40), imglist=[[label, "grey.png"]], path_root=str(FOLDER))
    (drawn,) = iterator.draw_next(color=(255, 0, 0), thickness=1, id2labels={0: "cat"})
    assert drawn.shape == (40, 40, 3)
    assert drawn[10, 15].tolist() == [0, 0, 255]  # blue first
    iterator.reset()
    with pytest.raises(NotImplementedError, match="no window"):
        next(iterator.draw_next(waitKey=1))
    with pytest.raises(ValueError, match="Attempts to reduce label count"):
        iterator.reshape(label_shape=(0, 5))


def test_images_are_encoded_as_they_are_decoded():
    from d2lhybrid.internals.formats.image_codec import decode, encode

    pixels = numpy.random.RandomState(0).randint(0, 256, (5, 7, 3)).astype("uint8")
    numpy.testing.assert_array_equal(decode(encode(pixels, ".png", 3)), pixels)
    numpy.testing.assert_array_equal(decode(encode(pixels[..., 0], ".PNG"), 0)[..., 0], pixels[..., 0])
    smooth = numpy.broadcast_to(numpy.arange(0, 160, 10, "uint8")[:, None, None], (16, 16, 3))
    assert numpy.abs(decode(encode(smooth, ".jpg", 95)).astype(int) - smooth).max() < 6
    assert len(encode(smooth, ".jpeg", 10)) < len(encode(smooth, ".jpeg", 100))
    for wrong in (pixels.astype("float32"), pixels[:0], numpy.zeros(3, "uint8"), numpy.zeros((2, 2, 5), "uint8")):
        with pytest.raises(ValueError, match="an image"):
            encode(wrong)
    with pytest.raises(ValueError, match=r"extension '\.nothing'"):
        encode(pixels, ".nothing")


def test_the_module_has_all_of_mxnets_names():
    assert mx.img is mx.image
    assert mx.image.det is mx.image.detection
    assert mx.image.image.ImageIter is mx.image.ImageIter
    assert mx.image.detection.ImageDetIter is mx.image.ImageDetIter
