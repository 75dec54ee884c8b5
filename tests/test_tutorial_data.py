"""The small files that stand for what MXNet's own tutorials fetch: they are in the formats that the tutorials read."""

from __future__ import annotations

import tarfile

import numpy

from d2lhybrid import image, nd, test_utils
from d2lhybrid.gluon.model_zoo import vision
from tests.foreign.data import of_tutorials
from tests.foreign.data.of_chapters import weights_at_home


def test_digits_are_those_that_get_mnist_reads(tmp_path, monkeypatch):
    of_tutorials.digits(tmp_path)
    monkeypatch.chdir(tmp_path)
    found = test_utils.get_mnist()
    assert found["train_data"].shape == (1280, 1, 28, 28) and set(found["test_label"]) == set(range(10))


def test_each_letter_has_sixteen_numbers_from_0_to_15(tmp_path):
    of_tutorials.letters(tmp_path)
    rows = numpy.genfromtxt(tmp_path / "letter-recognition.data", delimiter=",", dtype=str)
    assert rows.shape == (20000, 17) and len(set(rows[:, 0])) == 26
    assert set(rows[:, 1:].astype(int).ravel()) == set(range(16))


def test_pictures_lie_in_folders_of_their_kinds_and_a_mask_has_two_colours(tmp_path):
    of_tutorials.photographs(tmp_path)
    with tarfile.open(tmp_path / "101_ObjectCategories.tar.gz") as archive:
        folders = {tuple(name.split("/")[:2]) for name in archive.getnames()}
    for part in ("101_ObjectCategories", "101_ObjectCategories_test"):
        assert len([kind for top, kind in folders if top == part]) == 101
    assert image.imread(str(tmp_path / "0.jpg")).shape == (427, 640, 3)
    assert set(image.imread(str(tmp_path / "0_mask.png")).asnumpy().ravel()) == {0, 255}


def test_faces_are_in_an_archive(tmp_path):
    of_tutorials.faces(tmp_path)
    with tarfile.open(tmp_path / "lfw-deepfunneled.tgz") as archive:
        assert len(archive.getnames()) == 80


def test_weights_are_found_by_the_function_that_makes_a_model(tmp_path):
    for name in ("mobilenet_v2_0_25", "squeezenet1.1"):
        weights_at_home(tmp_path, name)
    models = tmp_path / ".mxnet" / "models"
    net = vision.mobilenet_v2_0_25(pretrained=True, root=str(models))
    assert net(nd.zeros((1, 3, 32, 32))).shape == (1, 1000)
    assert {path.name for path in models.iterdir()} == {"mobilenetv2_0.25.params", "squeezenet1.1.params"}
