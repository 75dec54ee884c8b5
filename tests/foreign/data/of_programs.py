"""Small files in the formats of the data sets that MXNet's example programs read.

Each function writes into the folder in which a program runs. The values are random, but a net can learn from them: the
class of a picture is where its bright spot lies, the next word depends on the last one.
"""

from __future__ import annotations

import bz2
import csv
import gzip
import random
import struct
import subprocess
import sys
import zipfile
from collections.abc import Iterator
from pathlib import Path

import numpy

from ..process import REPOSITORY
from .files import jpeg, write

__all__ = ["RECIPES"]


_WORDS = [a + b for a in ("ba", "do", "ke", "li", "mu", "po", "ra", "si") for b in ("n", "ro", "ta", "vi", "x", "m")]


def _digits(count: int, seed: int) -> tuple[numpy.ndarray, numpy.ndarray]:
    generator = numpy.random.default_rng(seed)
    labels = generator.integers(0, 10, count).astype(numpy.uint8)
    images = generator.integers(0, 40, (count, 28, 28), numpy.uint8)
    for digit in range(10):
        row, column = divmod(digit, 4)
        images[labels == digit, 2 + 8 * row : 8 + 8 * row, 1 + 6 * column : 6 + 6 * column] = 255
    return images, labels


def draw_sentences(count: int, seed: int, words: list[str] = _WORDS) -> Iterator[list[str]]:
    generator = random.Random(seed)
    for _ in range(count):
        place, sentence = generator.randrange(len(words)), []
        for _ in range(generator.randrange(4, 30)):
            sentence.append(words[place])
            place = (place + generator.choice((1, 1, 1, 5))) % len(words)
        yield sentence


def _pictures(count: int, size: tuple[int, int], seed: int) -> list[numpy.ndarray]:
    generator = numpy.random.default_rng(seed)
    return [generator.integers(0, 256, (*size, 3), numpy.uint8) for _ in range(count)]


def mnist(folder: Path, train: int = 2000, test: int = 500) -> None:
    """The files of MNIST, packed and unpacked, here and in ``data`` and ``mnist``."""
    for part, count, seed in (("train", train, 1), ("t10k", test, 2)):
        images, labels = _digits(count, seed)
        files = {
            f"{part}-images-idx3-ubyte": struct.pack(">IIII", 2051, count, 28, 28) + images.tobytes(),
            f"{part}-labels-idx1-ubyte": struct.pack(">II", 2049, count) + labels.tobytes(),
        }
        for name, content in files.items():
            for place in (folder, folder / "data", folder / "mnist"):
                write(place / name, content)
                write(place / f"{name}.gz", gzip.compress(content, 1))


def mnist_whole(folder: Path) -> None:
    """MNIST with as many pictures as it has: a program splits it by their number."""
    mnist(folder, 60000, 10000)


def mnist_home(folder: Path) -> None:
    """MNIST where ``gluon.data.vision.MNIST`` looks for it; the home directory is that of the program alone."""
    mnist(folder / ".mxnet" / "datasets" / "mnist", 640, 160)


def mnist_npz(folder: Path) -> None:
    """``mnist.npz``, with pixels in rows."""
    (images, labels), (tests, test_labels) = _digits(1000, 1), _digits(200, 2)
    flat, flat_tests = images.reshape(len(images), -1), tests.reshape(len(tests), -1)
    numpy.savez(folder / "mnist.npz", X=flat, Y=labels, X_test=flat_tests, Y_test=test_labels)


def toy(folder: Path) -> None:
    """A curve with noise, in two text files."""
    generator = numpy.random.default_rng(1)
    for name, count in (("toy_data_train.txt", 20), ("toy_data_test_whole.txt", 50)):
        x = generator.uniform(-4, 4, count)
        numpy.savetxt(folder / name, numpy.stack([x, x**3 + generator.normal(0, 3, count)], axis=1))


def cifar10(folder: Path, count: int = 300) -> None:
    """CIFAR-10: its binary files, and record files."""
    from d2lhybrid import recordio

    generator = numpy.random.default_rng(3)
    for place in (folder / "data", folder / ".mxnet" / "datasets" / "cifar10"):
        for name in (*(f"data_batch_{i}.bin" for i in range(1, 6)), "test_batch.bin"):
            rows = generator.integers(0, 256, (count, 3073), numpy.uint8)
            rows[:, 0] %= 10
            write(place / name, rows.tobytes())
    (folder / "data" / "cifar").mkdir()
    for name in ("train", "test"):
        record = recordio.MXRecordIO(str(folder / "data" / "cifar" / f"{name}.rec"), "w")
        for i, picture in enumerate(_pictures(count, (32, 32), 4)):
            header = recordio.IRHeader(0, float(i % 10), i, 0)
            record.write(recordio.pack(header, jpeg(picture)))
        record.close()
        content = (folder / "data" / "cifar" / f"{name}.rec").read_bytes()
        (folder / "data" / f"cifar10_{'val' if name == 'test' else name}.rec").write_bytes(content)


def records(folder: Path, count: int = 64) -> None:
    """Pictures and labels in a record file with its index: ``test.rec``, ``train.rec``, ``val.rec``."""
    from d2lhybrid import recordio

    for name in ("test", "train", "val"):
        record = recordio.MXIndexedRecordIO(str(folder / f"{name}.idx"), str(folder / f"{name}.rec"), "w")
        for i, picture in enumerate(_pictures(count, (256, 256), 5)):
            record.write_idx(i, recordio.pack(recordio.IRHeader(0, float(i % 4), i, 0), jpeg(picture)))
        record.close()


def records_many(folder: Path) -> None:
    """As many pictures as a program takes that never begins again."""
    records(folder, 660)


def boxes(folder: Path) -> None:
    """Pictures with boxes in them, in record files ``data/train.rec`` and ``data/val.rec``; a place for models."""
    from d2lhybrid import recordio

    (folder / "data").mkdir(exist_ok=True)
    (folder / "model").mkdir(exist_ok=True)
    generator = numpy.random.default_rng(6)
    for name in ("train", "val"):
        record = recordio.MXIndexedRecordIO(str(folder / f"data/{name}.idx"), str(folder / f"data/{name}.rec"), "w")
        for i, picture in enumerate(_pictures(8, (200, 220), 7)):
            low, high = generator.uniform(0, 0.4, 2), generator.uniform(0.6, 1, 2)
            label = numpy.array([4, 6, 220, 200, i % 3, *low, *high, 0], numpy.float32)
            record.write_idx(i, recordio.pack(recordio.IRHeader(0, label, i, 0), jpeg(picture)))
        record.close()


def picture(folder: Path) -> None:
    """Two pictures, ``input/a.jpg`` and ``input/b.jpg``."""
    for name, pixels in zip("ab", _pictures(2, (96, 128), 8), strict=True):
        write(folder / "input" / f"{name}.jpg", jpeg(pixels))


def sherlock(folder: Path) -> None:
    """Texts to learn a language from: ``data/sherlockholmes.train.txt`` and the like."""
    for seed, part in enumerate(("train", "valid", "test")):
        text = "\n".join(" ".join(sentence) for sentence in draw_sentences(400 if part == "train" else 100, seed))
        write(folder / "data" / f"sherlockholmes.{part}.txt", text + "\n")


def wikitext(folder: Path) -> None:
    """WikiText-2, as the archive that MXNet fetches and as its files."""
    with zipfile.ZipFile(folder / "wikitext-2-v1.zip", "w") as archive:
        for seed, part in enumerate(("train", "valid", "test")):
            lines = [" " + " ".join(sentence) + " \n" for sentence in draw_sentences(300, seed)]
            archive.writestr(f"wikitext-2/wiki.{part}.tokens", "".join(lines))
            write(folder / "data" / f"wiki.{part}.tokens", "".join(lines))
    write(folder / "data" / "wikitext-2-v1.zip", (folder / "wikitext-2-v1.zip").read_bytes())


def text8(folder: Path) -> None:
    """Words in one line, ``data/text8``."""
    write(folder / "data" / "text8", " ".join(word for sentence in draw_sentences(600, 1) for word in sentence))


def polarity(folder: Path) -> None:
    """Sentences that please and that do not, in English and in Chinese."""
    half = len(_WORDS) // 2
    for name, chinese, words in (("pos", "好看喜欢很棒", _WORDS[:half]), ("neg", "难看讨厌太差", _WORDS[half:])):
        text = "\n".join(" ".join(sentence) for sentence in draw_sentences(600, 1, words))
        write(folder / f"data/rt-polaritydata/rt-polarity.{name}", text)
        signs = random.Random(name)
        lines = ["".join(signs.choices(chinese, k=signs.randrange(4, 20))) for _ in range(600)]
        write(folder / "data" / f"{name}.txt", "\n".join(lines))
    write(folder / "data" / "neg", "")
    (folder / "word2vec.py").write_text("")  # a module that the program imports and, without an option, does not use


def movielens(folder: Path) -> None:
    """Ratings in the formats of several editions of MovieLens."""
    generator = random.Random(1)
    ratings = [(generator.randrange(1, 60), generator.randrange(1, 90), generator.randrange(1, 6)) for _ in range(900)]
    for name in ("u1.base", "u1.test"):
        write(folder / "ml-100k" / name, "".join(f"{u}\t{i}\t{r}\t88\n" for u, i, r in ratings))
    for place in (folder / "ml-10M100K", folder / "data" / "ml-10M100K"):
        for name in ("r1.train", "r1.test"):
            write(place / name, "".join(f"{u}::{i}::{r}::88\n" for u, i, r in ratings))
    write(folder / "ml-10m.zip", b"")
    write(folder / "ml-100k.zip", b"")
    place = folder / "data" / "ml-20m"
    write(place / "train-ratings.csv", "".join(f"{u}\t{i}\t{r}\n" for u, i, r in ratings))
    write(place / "test-ratings.csv", "".join(f"{u}\t{generator.randrange(1, 90)}\n" for u in range(1, 60)))
    negatives = ("\t".join(str(generator.randrange(1, 90)) for _ in range(20)) for _ in range(1, 60))
    write(place / "test-negative.csv", "\n".join(negatives) + "\n")
    lines = "".join(f"{u},{i},{r},{1000 + n}\n" for n, (u, i, r) in enumerate(ratings))
    write(place / "ratings.csv", f"userId,movieId,rating,timestamp\n{lines}")


def electricity(folder: Path) -> None:
    """Five series with a period of a day, ``../data/electricity.txt``."""
    hours = numpy.arange(600)[:, None]
    series = 5 + numpy.sin(2 * numpy.pi * hours / 24 + numpy.arange(5))
    (folder.parent / "data").mkdir(exist_ok=True)
    (folder.parent / "models").mkdir(exist_ok=True)
    numpy.savetxt(folder.parent / "data" / "electricity.txt", series, delimiter=",", fmt="%.4f")


def named_entities(folder: Path) -> None:
    """Sentences whose words carry tags, ``../data/ner_dataset.csv`` and ``ner_data.pkl``."""
    (folder.parent / "data").mkdir(exist_ok=True)
    (folder.parent / "results").mkdir(exist_ok=True)

    def tags_of(sentence: list[str]) -> list[str]:
        # Each sentence has one: the program divides by their number in a batch.
        return ["B-geo" if word.endswith("x") or not place else "O" for place, word in enumerate(sentence)]

    rows = []
    for number, sentence in enumerate(draw_sentences(400, 1), 1):
        for place, (word, tag) in enumerate(zip(sentence, tags_of(sentence), strict=True)):
            rows.append([f"Sentence: {number}" if not place else "", word, "NN", tag])
    with (folder.parent / "data" / "ner_dataset.csv").open("w", newline="") as file:
        csv.writer(file).writerows([["Sentence #", "Word", "POS", "Tag"], *rows])
    import pandas  # pyright: ignore[reportMissingImports]

    sentences = list(draw_sentences(400, 1))
    table = pandas.DataFrame({"token": sentences, "BILOU_tag": list(map(tags_of, sentences))})
    table.to_pickle(folder.parent / "data" / "ner_data.pkl")


def libsvm(folder: Path) -> None:
    """Rows of few numbers: ``data/avazu-app`` and ``avazu-app.t``, and packed regression data."""
    generator = random.Random(1)

    def row(width: int, label: object) -> str:
        places = sorted(generator.sample(range(1, width), 6))
        return f"{label} " + " ".join(f"{place}:{generator.random():.3f}" for place in places) + "\n"

    for name in ("avazu-app", "avazu-app.t"):
        write(folder / "data" / name, "".join(row(1000, generator.randrange(2)) for _ in range(600)))
    years = "".join(row(90, generator.randrange(1950, 2010)) for _ in range(500)).encode()
    write(folder / "data" / "YearPredictionMSD", years)
    write(folder / "data" / "YearPredictionMSD.bz2", bz2.compress(years))


def adult(folder: Path) -> None:
    """Answers of a census: ``data/adult.data`` and ``adult.test``."""
    generator = random.Random(1)
    for name in ("adult.data", "adult.test"):
        lines = []
        for _ in range(400):
            age = generator.randrange(17, 80)
            words = [age, "Private", 1, generator.choice(["Bachelors", "11th", "Masters"]), 9, "Divorced", "Sales"]
            words += [generator.choice(["Wife", "Husband"]), "White", generator.choice(["Female", "Male"]), 0, 0, 40]
            lines.append(", ".join(map(str, [*words, "Cuba", ">50K" if age > 40 else "<=50K"])))
        write(folder / "data" / name, "\n".join(lines) + "\n")


def trees(folder: Path) -> None:
    """Pairs of parsed sentences and how much alike they are: ``data/sick`` and ``data/glove``."""
    words = _WORDS[:20]
    for seed, part in enumerate(("train", "dev", "test")):
        place, generator = folder / "data" / "sick" / part, random.Random(seed)
        firsts = [sentence[:6] for sentence in draw_sentences(40, seed, words)]
        seconds = [sentence[:6] for sentence in draw_sentences(40, seed + 9, words)]
        for name, sentences in (("a", firsts), ("b", seconds)):
            write(place / f"{name}.toks", "".join(" ".join(sentence) + "\n" for sentence in sentences))
            parents = (" ".join(str(i) for i in range(len(sentence))) for sentence in sentences)
            write(place / f"{name}.parents", "\n".join(parents) + "\n")
        write(place / "sim.txt", "".join(f"{generator.uniform(1, 5):.2f}\n" for _ in firsts))
    vectors = "".join(
        f"{word} " + " ".join(f"{hash((word, i)) % 97 / 97:.3f}" for i in range(300)) + "\n" for word in words
    )
    write(folder / "data" / "glove" / "glove.txt", vectors)


def houses(folder: Path) -> None:
    """Houses and their prices, ``train.csv`` and ``test.csv``."""
    generator = random.Random(1)
    for name in ("train", "test"):
        with (folder / f"{name}.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            rows.writerow(
                ["Id", "MSSubClass", "LotArea", "Street", "SaleCondition", *["SalePrice"] * (name == "train")]
            )
            for i in range(200):
                area = generator.randrange(1000, 9000)
                row = [i, generator.randrange(20, 90), area, generator.choice(["Pave", "Grvl"]), "Normal"]
                rows.writerow([*row, *[area * 20] * (name == "train")])


def birds(folder: Path) -> None:
    """Pictures of two hundred kinds of birds, with boxes, in ``data/CUB_200_2011``."""
    place = folder / "data" / "CUB_200_2011"
    images, labels, places = [], [], []
    content = [jpeg(pixels) for pixels in _pictures(6, (80, 90), 9)]
    for kind in range(1, 121):
        for i in range(6 if kind <= 100 else 1):
            name = f"{kind:03}/{i}.jpg"
            write(place / "images" / name, content[i])
            images.append(f"{len(images) + 1} {name}\n")
            labels.append(f"{len(images)} {kind}\n")
            places.append(f"{len(images)} 5.0 6.0 60.0 50.0\n")
    for name, lines in (("images", images), ("image_class_labels", labels), ("bounding_boxes", places)):
        write(place / f"{name}.txt", "".join(lines))


def photographs(folder: Path) -> None:
    """Pictures for super resolution, where the program keeps them."""
    for part in ("train", "test"):
        for i, pixels in enumerate(_pictures(4, (300, 320), 10)):
            write(folder / "data" / "images" / part / f"{i}.jpg", jpeg(pixels))


def styles(folder: Path) -> None:
    """Pictures and styles for style transfer."""
    for i, pixels in enumerate(_pictures(4, (80, 90), 11)):
        write(folder / "dataset" / "some" / f"{i}.jpg", jpeg(pixels))
        write(folder / "images" / "styles" / f"{i}.jpg", jpeg(pixels))


def lips(folder: Path) -> None:
    """Films of lips and what they say, for LipNet."""
    frames = [jpeg(pixels) for pixels in _pictures(75, (50, 100), 12)]
    for speaker in (1, 2, 3, 4, 5):
        for film in range(4):
            name = f"bb{speaker}{film}"
            for i, frame in enumerate(frames):
                write(folder / "data" / "datasets" / f"s{speaker}" / name / f"{i:03}.jpg", frame)
            write(folder / "data" / "align" / f"{name}.align", "0 10 sil\n10 20 bin\n20 30 blue\n30 40 sil\n")


def hearts(folder: Path) -> None:
    """Films of hearts as rows of numbers, for the second data science bowl."""
    generator = numpy.random.default_rng(1)
    for part, count in (("train", 40), ("validate", 6)):
        rows = generator.integers(0, 256, (count, 30 * 64 * 64))
        numpy.savetxt(folder / f"{part}-64x64-data.csv", rows, delimiter=",", fmt="%d")
        labels = numpy.stack([numpy.arange(count), *generator.integers(50, 300, (2, count))], axis=1)
        numpy.savetxt(folder / f"{part}-label.csv", labels, delimiter=",", fmt="%d")
    write(folder / "data" / "sample_submission_validate.csv", "Id,P0\n0_Diastole,0\n0_Systole,0\n99_Systole,0\n")


def fashion_home(folder: Path) -> None:
    """Clothes where ``gluon.data.vision.FashionMNIST`` looks for them, in the home directory of the program alone."""
    mnist(folder / ".mxnet" / "datasets" / "fashion-mnist", 640, 160)


def movielens_100k(folder: Path) -> None:
    """Ratings and titles of MovieLens, edition ``ml-100k``."""
    movielens(folder)
    ratings = (folder / "ml-100k" / "u1.base").read_bytes()
    write(folder / "ml-100k" / "u.data", ratings)
    write(
        folder / "ml-100k" / "u.item", "".join(f"{i}|{_WORDS[i % len(_WORDS)]} ({1900 + i})|\n" for i in range(1, 99))
    )


def sounds(folder: Path) -> None:
    """Sounds of four kinds in ``Train``, which ``train.csv`` names, and some in ``Test``."""
    import wave

    generator, lines, rate = numpy.random.default_rng(1), ["ID,Class"], 22050
    for i in range(48):
        kind = i % 4
        tone = numpy.sin(numpy.arange(rate // 2) * 2 * numpy.pi * 200 * (kind + 1) / rate)
        samples = (8000 * tone + generator.normal(0, 900, tone.size)).astype("<i2")
        for place in ("Train", "Test")[: 2 if i < 4 else 1]:
            (folder / place).mkdir(exist_ok=True)
            with wave.open(str(folder / place / f"{i}.wav"), "wb") as file:
                file.setparams((1, 2, rate, samples.size, "NONE", ""))
                file.writeframes(samples.tobytes())
        lines.append(f"{i},{('bark', 'siren', 'drill', 'horn')[kind]}")
    write(folder / "train.csv", "\n".join(lines) + "\n")


def silhouettes(folder: Path) -> None:
    """Shapes in black and white: as pictures in ``data/pictures`` and ``data/test``, and as a matrix."""
    from scipy.io import savemat  # pyright: ignore[reportMissingImports]

    images, labels = _digits(80, 1)
    (folder / "data").mkdir(exist_ok=True)
    savemat(folder / "data" / "shapes.mat", {"X": (images > 128).reshape(80, -1).astype(numpy.uint8), "Y": labels})
    for i, image in enumerate(images):
        large = numpy.pad(image, 2)
        write(folder / "data" / "pictures" / f"{i}.png", jpeg(large, "PNG"))
        if i < 6:
            write(folder / "data" / "test" / f"{i}.png", jpeg(large, "PNG"))


def digits_in_a_picture(folder: Path) -> None:
    """``sample.png``, in which something is to be read, and weights of the net that reads, ``ocr-0100.params``."""
    write(folder / "sample.png", jpeg(_pictures(1, (30, 80), 13)[0], "PNG"))
    _weights(
        folder,
        """
from hyperparams import Hyperparams
import lstm
hp = Hyperparams()
net = lstm.lstm_unroll(hp.num_lstm_layer, hp.seq_length, hp.num_hidden, hp.num_label, loss_type="ctc")
shapes = dict(lstm.init_states(4, hp.num_lstm_layer, hp.num_hidden), data=(4, hp.seq_length, 30), label=(4, 4))
""",
        "ocr",
        100,
    )


def paintings(folder: Path) -> None:
    """Two pictures, ``output`` for what becomes of them, and weights of VGG-19 up to the layers that style needs."""
    picture(folder)
    (folder / "output").mkdir()
    (folder / "model").mkdir()
    making = """
import model_vgg19
net = mx.sym.Group(list(model_vgg19.get_symbol()))
shapes = {"data": (1, 3, 32, 32)}
"""
    _weights(folder, making, "model/vgg19", 0)
    (folder / "model" / "vgg19-0000.params").rename(folder / "model" / "vgg19.params")


def segments(folder: Path) -> None:
    """Pictures and what each pixel of them is, ``VOC2012``, and weights of VGG-16 whose layers are all convolutions."""
    generator = numpy.random.default_rng(1)
    for name in ("train", "val"):
        lines = []
        for i, pixels in enumerate(_pictures(3, (40, 56), 14)):
            write(folder / "VOC2012" / f"{name}{i}.jpg", jpeg(pixels))
            write(folder / "VOC2012" / f"{name}{i}.png", jpeg(generator.integers(0, 21, (40, 56), numpy.uint8), "PNG"))
            lines.append(f"{i}\t{name}{i}.jpg\t{name}{i}.png\n")
        write(folder / "VOC2012" / f"{name}.lst", "".join(lines))
    (folder / "model_pascal").mkdir()
    making = """
import symbol_fcnxs
net = symbol_fcnxs.get_fcn32s_symbol(numclass=21, workspace_default=1536)
shapes = {"data": (1, 3, 40, 56)}
left_out = ("score", "bigscore", "label", "upscore")
"""
    _weights(folder, making, "VGG_FC_ILSVRC_16_layers", 74)


def segmented(folder: Path) -> None:
    """A picture, and a net that says what each pixel of it is."""
    picture(folder)
    making = """
import symbol_fcnxs
net = symbol_fcnxs.get_fcn8s_symbol(numclass=21, workspace_default=1536)
shapes = {"data": (1, 3, 96, 128)}
"""
    _weights(folder, making, "FCN8s_VGG16", 19)


def pascal(folder: Path) -> None:
    """Pictures with boxes in them as in Pascal VOC 2007, ``data/VOCdevkit``, and weights of a ResNet."""
    place = folder / "data" / "VOCdevkit" / "VOC2007"
    box = "<bndbox><xmin>10</xmin><ymin>12</ymin><xmax>90</xmax><ymax>80</ymax></bndbox>"
    for name in ("trainval", "test"):
        numbers = [f"{name[0]}{i:05}" for i in range(3)]
        write(place / "ImageSets" / "Main" / f"{name}.txt", "\n".join(numbers) + "\n")
        for number, pixels in zip(numbers, _pictures(3, (96, 128), 15), strict=True):
            write(place / "JPEGImages" / f"{number}.jpg", jpeg(pixels))
            size = "<size><width>128</width><height>96</height><depth>3</depth></size>"
            thing = f"<object><name>dog</name><difficult>0</difficult>{box}</object>"
            write(place / "Annotations" / f"{number}.xml", f"<annotation>{size}{thing}</annotation>")
    (folder / "model").mkdir()
    making = """
from symnet.symbol_resnet import get_resnet_test
anchors, proposals, parts = ((2, 4), (0.5, 1, 2), 16), (100, 20, 0.7, 16), (21, 16, (14, 14), 1)
net = get_resnet_test(*anchors, *proposals, *parts, units=(3, 4, 6, 3), filter_list=(256, 512, 1024, 2048))
shapes = {"data": (1, 3, 96, 128), "im_info": (1, 3)}
"""
    _weights(folder, making, "model/resnet-50", 0)


def pretrained(folder: Path) -> None:
    """A model with made-up weights in the place of the one that a program would fetch, and record files."""
    records(folder)
    (folder / "model").mkdir()
    making = """
from symbols import resnet
net = resnet.get_symbol(1000, 18, "3,224,224")
shapes = {"data": (1, 3, 224, 224), "softmax_label": (1,)}
"""
    _weights(folder, making, "model/imagenet1k-resnet-18", 0)


def game(folder: Path) -> None:
    """A game to learn, in the place of gym of before version 0.26: a pole that is to stand, or a picture that moves.

    A program that shows it to a browser finds no server.
    """
    write(folder / "gym.py", _GAME)
    write(folder / "flask.py", "Flask = Response = render_template = None\n")


_GAME = """
import numpy


class _Space:
    def __init__(self, n, shape):
        self.n, self.shape = n, shape

    def sample(self):
        return numpy.random.randint(self.n)


class _Game:
    def __init__(self, name):
        self._pole = "CartPole" in name
        self.action_space = _Space(2 if self._pole else 4, ())
        self.observation_space = _Space(0, (4,) if self._pole else (210, 160, 3))

    def seed(self, number):
        self._random = numpy.random.RandomState(number)

    _random = numpy.random.RandomState(0)

    def _seen(self):
        if self._pole:
            return self._state.copy()
        picture = numpy.zeros((210, 160, 3), numpy.uint8)
        picture[40:60, int(80 + 5 * self._state[0]) % 150 :][:, :10] = 200
        return picture

    def reset(self):
        self._state, self._steps = self._random.uniform(-0.05, 0.05, 4), 0
        return self._seen()

    def step(self, action):
        # A pole that leans falls faster, and a push moves what it stands on.
        self._state = self._state + 0.1 * self._state[[1, 3, 3, 2]] + [0, action - 0.5, 0, 0.1 * (0.5 - action)]
        self._steps += 1
        over = self._steps >= 200 or abs(self._state[2]) > 0.3
        return self._seen(), 1.0, over, {}


def make(name):
    return _Game(name)
"""


def _weights(folder: Path, making: str, prefix: str, epoch: int) -> None:
    """Write random weights for a net that a program makes with modules of its own.

    Parameters
    ----------
    folder : Path
        Where the modules lie.
    making : str
        Lines that make ``net``, a symbol, and ``shapes``, those of its data; parameters whose names begin with one of
        ``left_out`` have no weights.
    prefix, epoch
        What the files are called.
    """
    code = f"""
import sys
sys.path.insert(0, {str(REPOSITORY)!r})
import d2lhybrid
d2lhybrid.as_mxnet()
import mxnet as mx
left_out = ()
{making}
found, _, states = net.infer_shape(**shapes)
scale = lambda shape: (2 / max(1, mx.nd.zeros(shape[1:]).size)) ** 0.5 if len(shape) > 1 else 0.1
names = dict(zip(net.list_arguments(), found))
weights = {{
    name: mx.nd.random.normal(0, scale(shape), shape)
    for name, shape in names.items()
    if name not in shapes and not name.startswith(left_out)
}}
kept = {{name: mx.nd.ones(shape) for name, shape in zip(net.list_auxiliary_states(), states)}}
mx.model.save_checkpoint({prefix!r}, {epoch}, net, weights, kept)
"""
    subprocess.run([sys.executable, "-W", "ignore", "-c", code], cwd=folder, check=True)


#: Name of a recipe -> what writes the files.
RECIPES = {
    function.__name__: function
    for function in (
        mnist, mnist_whole, mnist_home, mnist_npz, toy, cifar10, records, records_many, boxes, picture, sherlock,
        wikitext, text8, polarity, movielens, electricity, named_entities, libsvm, adult, trees, houses, birds,
        photographs, styles, lips, hearts, fashion_home, movielens_100k, sounds, silhouettes, digits_in_a_picture,
        paintings, segments, segmented, pascal, pretrained, game,
    )
}  # fmt: skip
