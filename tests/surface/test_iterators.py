"""The iterators of files take every argument that MXNet documents for them, at its default."""

import struct
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx

_OF_ALL = {"prefetch_buffer": 4, "ctx": "gpu", "dtype": None}
_OF_RECORDS = {
    "path_imglist": "", "preprocess_threads": 4, "verbose": True, "num_parts": 1, "part_index": 0,
    "shuffle_chunk_size": 0, "shuffle_chunk_seed": 0, "shuffle": False, "seed": 0, "round_batch": True, "resize": -1,
    "inter_method": 1, "mean_img": "", "mean_r": 0.0, "mean_g": 0.0, "mean_b": 0.0, "mean_a": 0.0, "scale": 1.0,
}  # fmt: skip
_OF_BOXES = {
    "aug_seq": "det_aug_default", "label_width": -1, "label_pad_width": 0, "label_pad_value": -1.0,
    "rand_crop_prob": 0.0, "min_crop_scales": (0,), "max_crop_scales": (1,), "min_crop_aspect_ratios": (1,),
    "max_crop_aspect_ratios": (1,), "min_crop_overlaps": (0,), "max_crop_overlaps": (1,),
    "min_crop_sample_coverages": (0,), "max_crop_sample_coverages": (1,), "min_crop_object_coverages": (0,),
    "max_crop_object_coverages": (1,), "num_crop_sampler": 1, "crop_emit_mode": "center",
    "emit_overlap_thresh": 0.300000012, "max_crop_trials": (25,), "rand_pad_prob": 0.0, "max_pad_scale": 1.0,
    "max_random_hue": 0, "random_hue_prob": 0.0, "max_random_saturation": 0, "random_saturation_prob": 0.0,
    "max_random_illumination": 0, "random_illumination_prob": 0.0, "max_random_contrast": 0.0,
    "random_contrast_prob": 0.0, "rand_mirror_prob": 0.0, "fill_value": 127, "resize_mode": "force", "std_r": 0.0,
    "std_g": 0.0, "std_b": 0.0, "std_a": 0.0,
}  # fmt: skip
_OF_IMAGES = {
    "path_imgidx": "", "aug_seq": "aug_default", "label_width": 1, "device_id": 0, "seed_aug": None,
    "rand_crop": False, "random_resized_crop": False, "max_rotate_angle": 0, "max_aspect_ratio": 0.0,
    "min_aspect_ratio": None, "max_shear_ratio": 0.0, "max_crop_size": -1, "min_crop_size": -1,
    "max_random_scale": 1.0, "min_random_scale": 1.0, "max_random_area": 1.0, "min_random_area": 1.0,
    "max_img_size": 1e10, "min_img_size": 0.0, "brightness": 0.0, "contrast": 0.0, "saturation": 0.0,
    "pca_noise": 0.0, "random_h": 0, "random_s": 0, "random_l": 0, "rotate": -1, "fill_value": 255, "pad": 0,
    "mirror": False, "rand_mirror": False, "std_r": 1.0, "std_g": 1.0, "std_b": 1.0, "std_a": 1.0,
    "max_random_contrast": 0.0, "max_random_illumination": 0.0,
}  # fmt: skip


def shape_of_first(iterator: object) -> tuple[int, ...]:
    return next(iter(iterator)).data[0].shape  # type: ignore[call-overload]


def test_csv(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("1,2\n3,4\n")
    made = mx.io.CSVIter(
        data_csv=str(tmp_path / "a.csv"), data_shape=(2,), label_csv="NULL", label_shape=(1,), batch_size=2,
        round_batch=True, **_OF_ALL,
    )  # fmt: skip
    assert shape_of_first(made) == (2, 2)


def test_lib_svm(tmp_path: Path) -> None:
    (tmp_path / "a.txt").write_text("1 0:1\n0 1:2\n")
    made = mx.io.LibSVMIter(
        data_libsvm=str(tmp_path / "a.txt"), data_shape=(2,), label_libsvm="NULL", label_shape=(1,), num_parts=1,
        part_index=0, batch_size=2, round_batch=True, **_OF_ALL,
    )  # fmt: skip
    assert shape_of_first(made) == (2, 2)


def test_mnist(tmp_path: Path) -> None:
    (tmp_path / "i").write_bytes(struct.pack(">IIII", 2051, 2, 3, 4) + bytes(24))
    (tmp_path / "l").write_bytes(struct.pack(">II", 2049, 2) + bytes(2))
    made = mx.io.MNISTIter(
        image=str(tmp_path / "i"), label=str(tmp_path / "l"), batch_size=2, shuffle=True, flat=False, seed=0,
        silent=False, num_parts=1, part_index=0, **_OF_ALL,
    )  # fmt: skip
    assert shape_of_first(made) == (2, 1, 3, 4)


@pytest.fixture
def records(tmp_path: Path) -> str:
    pytest.importorskip("PIL")
    path = str(tmp_path / "a.rec")
    writer = mx.recordio.MXRecordIO(path, "w")
    for number in range(2):
        header = mx.recordio.IRHeader(0, numpy.array([2, 5, 0, 0.1, 0.1, 0.5, 0.5]), number, 0)
        writer.write(mx.recordio.pack_img(header, numpy.full((6, 6, 3), 9, "uint8"), img_fmt=".png"))
    writer.close()
    return path


def test_records_of_boxes(records: str) -> None:
    made = mx.io.ImageDetRecordIter(
        path_imgrec=records, data_shape=(3, 4, 4), batch_size=2, **_OF_ALL, **_OF_RECORDS, **_OF_BOXES
    )
    assert shape_of_first(made) == (2, 3, 4, 4)


@pytest.mark.parametrize("own", [{}, {"rotate": 30}, {"rotate_list": "0,90", "max_shear_ratio": 0.1, "std_a": 3.0}])
def test_records_of_images(records: str, own: dict[str, object]) -> None:
    made = mx.io.ImageRecordIter(
        path_imgrec=records,
        data_shape=(3, 4, 4),
        batch_size=2,
        **_OF_ALL,
        **_OF_RECORDS,
        **{**_OF_IMAGES, "label_width": 7, **own},
    )
    assert shape_of_first(made) == (2, 3, 4, 4)
