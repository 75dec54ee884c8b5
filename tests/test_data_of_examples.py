"""``mx.test_utils``: the data sets of example programs, from files that are there."""

from __future__ import annotations

import bz2
import gzip
import struct
import zipfile
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import test_utils as utils
from d2lhybrid.gluon.contrib.data import text


def _digits(folder: Path, packed: bool) -> None:
    folder.mkdir(exist_ok=True)
    for part, count in (("train", 3), ("t10k", 2)):
        images = numpy.arange(count * 784).reshape(count, 28, 28).astype(numpy.uint8)
        for name, content in (
            (f"{part}-images-idx3-ubyte", struct.pack(">IIII", 2051, count, 28, 28) + images.tobytes()),
            (f"{part}-labels-idx1-ubyte", struct.pack(">II", 2049, count) + bytes(range(count))),
        ):
            (folder / (f"{name}.gz" if packed else name)).write_bytes(gzip.compress(content) if packed else content)


@pytest.fixture(autouse=True)
def here(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_digits_of_packed_files_in_this_folder(here):
    _digits(here, packed=True)
    found = utils.get_mnist()
    assert found["train_data"].shape == (3, 1, 28, 28) and found["test_data"].dtype == numpy.float32
    assert found["train_data"][0, 0, 0, 255 % 28] <= 1 and found["test_label"].tolist() == [0, 1]
    assert found["train_data"].max() == 1


@pytest.mark.parametrize("packed", [False, True])
def test_iterators_over_digits(here, packed):
    _digits(here / "data", packed)
    train, test = utils.get_mnist_iterator(1, (784,))
    assert (train.provide_data[0].shape, len(list(train)), len(list(test))) == ((1, 784), 3, 2)
    assert utils.get_mnist_iterator(1, (1, 28, 28))[0].provide_data[0].shape == (1, 1, 28, 28)


def test_what_is_not_there_is_asked_of_the_function_that_fetches(here, monkeypatch):
    asked = []

    def fetch(url, fname=None, dirname=None, **_):
        asked.append(url.split("/")[-1])
        path = Path(dirname or ".") / (fname or asked[-1])
        path.parent.mkdir(exist_ok=True)
        if path.suffix == ".zip":
            with zipfile.ZipFile(path, "w") as archive:
                archive.writestr("cifar/train.rec", b"a")
        else:
            path.write_bytes(bz2.compress(b"1 2:3"))
        return str(path)

    monkeypatch.setattr(mx.test_utils, "download", fetch)
    utils.get_cifar10()
    utils.get_bz2_data("data", "kdda", "https://example.org/kdda.bz2", "packed.bz2")
    utils.get_bz2_data("data", "kdda", "https://example.org/kdda.bz2", "packed.bz2")
    utils.get_mnist_pkl()
    assert (here / "data/cifar/train.rec").read_bytes() == b"a"
    assert (here / "data/kdda").read_bytes() == b"1 2:3" and not (here / "data/packed.bz2").exists()
    utils.get_zip_data("data", "https://example.org/some.zip", "some.zip")
    utils.get_zip_data("data", "https://example.org/some.zip", "some.zip")
    assert asked == ["cifar10.zip", "kdda.bz2", "mnist.pkl.gz", "some.zip"]


def test_a_text_is_cut_into_sequences_and_what_follows(here):
    (here / "wiki.train.tokens").write_text(" a b \n \n c a \n")
    with zipfile.ZipFile(here / "wikitext-2-v1.zip", "w") as archive:
        archive.writestr("wikitext-2/wiki.valid.tokens", "b z\n")
    train = text.WikiText2(str(here), seq_len=2)
    words = train.vocabulary.to_tokens([int(n) for n in train[0][0].asnumpy()])
    following = train.vocabulary.to_tokens([int(n) for n in train[1][1].asnumpy()])
    assert (len(train), words, following) == (2, ["a", "b"], ["c", "a"])
    assert train.frequencies is not None and train.frequencies["a"] == 2
    other = text.WikiText2(str(here), "validation", train.vocabulary, seq_len=2)
    assert other[0][0].asnumpy().tolist() == train.vocabulary.to_indices(["b", "<unk>"]) and other.frequencies is None
    with pytest.raises(FileNotFoundError, match=r"wiki\.test\.tokens not found"):
        text.WikiText2(str(here), "test")
    with pytest.raises(KeyError, match="middle"):
        text.WikiText103(str(here), "middle")
