"""Small files in the formats of what chapters fetch: each function writes into the folder that stands for the network.

A chapter finds a file by the last one or two parts of its address. Values are random, but a net can learn from them.
There are five batches of what is trained on, for chapters draw after each fifth of an epoch.
"""

from __future__ import annotations

import csv
import gzip
import random
import re
import struct
from collections.abc import Iterable
from itertools import pairwise
from pathlib import Path

import numpy

from .files import jpeg, tar_files, write, zip_files
from .of_programs import cifar10, draw_sentences, mnist, movielens
from .of_tutorials import TUTORIALS

__all__ = ["HOME", "RECIPES", "WEB"]

#: Words that chapters look up in what they have fetched.
_ASKED_FOR = """
    the of and to in a is it i you he she we they go went run ran lost home calm hello hi world time traveller machine
    was that this so great bad good movie film not very chip chips intel baby babies beautiful lovely man woman son
    daughter king queen beijing china tokyo japan worst big biggest do did bigger worse london paris france join trading
"""


def _words() -> list[str]:
    return list(
        dict.fromkeys([*_ASKED_FOR.split(), *(word for sentence in draw_sentences(20, 3) for word in sentence)])
    )


def _scene(size: tuple[int, int], kind: int, seed: int) -> numpy.ndarray:
    """Return a smooth picture with a rectangle whose colour is that of its kind."""
    height, width = size
    generator = numpy.random.default_rng(seed)
    picture = numpy.empty((height, width, 3), numpy.uint8)
    picture[:] = generator.integers(60, 200, 3)
    top, left = generator.integers(0, height // 2), generator.integers(0, width // 2)
    picture[top : top + height // 2, left : left + width // 2] = numpy.random.default_rng(kind).integers(0, 256, 3)
    return picture


def _speech(count: int, seed: int) -> list[str]:
    """Return sentences in which every word of `_words` is likely to be found several times."""
    return [" ".join(sentence) for sentence in draw_sentences(count, seed, _words())]


def texts(folder: Path) -> None:
    """A novel, a treebank, an encyclopedia: ``timemachine.txt``, ``ptb.zip``, ``wikitext-2-v1.zip``."""
    novel = "\n".join(f"The Time Traveller and {line.capitalize()}." for line in _speech(260, 1))
    write(folder / "timemachine.txt", f"The Time Machine, by H. G. Wells\n\n{novel}\n")
    parts = [
        (part, _speech(2500 if part == "train" else 60, seed)) for seed, part in enumerate(("train", "valid", "test"))
    ]
    zip_files(folder / "ptb.zip", ((f"ptb/ptb.{part}.txt", "\n".join(lines)) for part, lines in parts))
    paragraphs = (
        (
            f"wikitext-2/wiki.{part}.tokens",
            "".join(f" {a} . {b} . {a} . \n" for a, b in pairwise(lines)),
        )
        for part, lines in parts
    )
    zip_files(folder / "wikitext-2-v1.zip", paragraphs)


def translations(folder: Path) -> None:
    """English sentences and French ones, ``fra-eng.zip``."""
    first = [
        ("Go.", "Va !"),
        ("I lost.", "J'ai perdu."),
        ("He's calm.", "Il est calme."),
        ("I'm home.", "Je suis chez moi."),
    ]
    subjects = {"I": "Je", "You": "Tu", "We": "Nous", "They": "Ils"}
    rest = {
        "run": "cours",
        "won": "gagne",
        "lost": "perds",
        "sleep": "dors",
        "see it": "le vois",
        "go home": "vais chez moi",
    }
    made = [(f"{a} {b}.", f"{c} {d} !") for a, c in subjects.items() for b, d in rest.items()]
    text = "".join(f"{english}\t{french}\n" for english, french in (first * 4 + made) * 40)
    zip_files(folder / "fra-eng.zip", [("fra.txt", text), ("fra-eng/fra.txt", text)])


def reviews(folder: Path) -> None:
    """Reviews of films, good and bad ones, ``aclImdb_v1.tar.gz``."""

    def files() -> Iterable[tuple[str, str]]:
        for part in ("train", "test"):
            for label, word in (("pos", "great"), ("neg", "bad")):
                for i, line in enumerate(_speech(160, len(part) + len(word))):
                    yield f"aclImdb/{part}/{label}/{i}_{7 if label == 'pos' else 2}.txt", f"{word} movie {word} {line}"

    tar_files(folder / "aclImdb_v1.tar.gz", "w:gz", files())


def inferences(folder: Path) -> None:
    """Pairs of sentences of which one follows from the other or does not, ``snli_1.0.zip``."""
    labels = ("entailment", "contradiction", "neutral", "-")

    def table(count: int, seed: int) -> str:
        lines = _speech(count, seed)
        rows = (f"{labels[i % 4]}\t( ( {a} ) . )\t( {b} . )" for i, (a, b) in enumerate(pairwise(lines)))
        return "\n".join(["gold_label\tsentence1_binary_parse\tsentence2_binary_parse", *rows]) + "\n"

    zip_files(
        folder / "snli_1.0.zip",
        ((f"snli_1.0/snli_1.0_{part}.txt", table(n, n)) for part, n in (("train", 1800), ("test", 80))),
    )


def vectors(folder: Path) -> None:
    """Vectors of words: archives of GloVe and fastText, as the book keeps them."""
    sizes = {"glove.6B.50d": 50, "glove.6B.100d": 100, "glove.42B.300d": 300, "wiki.en": 300}
    for name, size in sizes.items():
        lines = _vectors(size)
        header = [f"{len(lines)} {size}"] if name.startswith("wiki") else []
        zip_files(folder / f"{name}.zip", [(f"{name}/vec.txt", "\n".join([*header, *lines]) + "\n")])


def _vectors(size: int) -> list[str]:
    generator = numpy.random.default_rng(size)
    words = [word for word in _words() if word != "beautiful"]
    if size == 50:  # chapters ask for the word there
        words += [f"word{i}" for i in range(3366 - len(words))]
    return [" ".join([word, *(f"{x:.3f}" for x in generator.normal(0, 0.4, size))]) for word in [*words, "beautiful"]]


def bananas(folder: Path) -> None:
    """Pictures with a banana, and where it is, ``banana-detection.zip``."""

    def files() -> Iterable[tuple[str, str | bytes]]:
        for part, count in (("train", 32), ("val", 10)):
            rows = ["img_name,label,xmin,ymin,xmax,ymax"]
            for i in range(count):
                rows.append(f"{i}.png,0,{20 + i},{30 + i},{90 + i},{100 + i}")
                yield f"banana-detection/bananas_{part}/images/{i}.png", jpeg(_scene((256, 256), 1, i), "PNG")
            yield f"banana-detection/bananas_{part}/label.csv", "\n".join(rows) + "\n"

    zip_files(folder / "banana-detection.zip", files())


def pikachus(folder: Path) -> None:
    """Pictures with a Pikachu, and where it is, as files of records below ``pikachu``."""
    from d2lhybrid import recordio

    place = folder / "pikachu"
    place.mkdir()
    for name, count in (("train", 32), ("val", 8)):
        record = recordio.MXIndexedRecordIO(str(place / f"{name}.idx"), str(place / f"{name}.rec"), "w")
        for i in range(count):
            label = numpy.array([4, 5, 256, 256, 0, 0.1 + i / 100, 0.2, 0.4 + i / 100, 0.6], numpy.float32)
            record.write_idx(i, recordio.pack(recordio.IRHeader(0, label, i, 0), jpeg(_scene((256, 256), 2, i))))
        record.close()


def segmented(folder: Path) -> None:
    """Pictures and what each pixel of them is, ``VOCtrainval_11-May-2012.tar``."""
    colours = [(128, 0, 0), (0, 128, 0), (128, 128, 0), (0, 0, 128)]

    def files() -> Iterable[tuple[str, str | bytes]]:
        root = "VOCdevkit/VOC2012"
        for part, count in (("train", 162), ("val", 66)):
            names = [f"2012_{part}_{i:03d}" for i in range(count)]
            yield f"{root}/ImageSets/Segmentation/{part}.txt", "\n".join(names) + "\n"
            for i, name in enumerate(names):
                mask = numpy.zeros((330, 490, 3), numpy.uint8)
                mask[80:200, 100 + i % 99 : 300] = colours[i % 4]
                picture = _scene((330, 490), i % 4, i)
                picture[80:200, 100 + i % 99 : 300] = colours[i % 4]
                yield f"{root}/JPEGImages/{name}.jpg", jpeg(picture)
                yield f"{root}/SegmentationClass/{name}.png", jpeg(mask, "PNG")

    tar_files(folder / "VOCtrainval_11-May-2012.tar", "w", files())


def folders_of_pictures(folder: Path) -> None:
    """Pictures in a folder for each class: ``hotdog.zip``, ``pokemon.zip``."""
    kinds = [(part, kind) for part in ("train", "test") for kind in ("hotdog", "not-hotdog")]
    dogs = (
        (f"hotdog/{part}/{kind}/{i}.png", jpeg(_scene((230, 230 + i % 9), len(kind), i), "PNG"))
        for part, kind in kinds for i in range(325 if part == "train" else 10)
    )  # fmt: skip
    zip_files(folder / "hotdog.zip", dogs)
    beasts = ((f"pokemon/beast{k}/{i}.jpg", jpeg(_scene((70, 70), k, i))) for k in range(4) for i in range(16))
    zip_files(folder / "pokemon.zip", beasts)


def competitions(folder: Path) -> None:
    """Parts of two data sets of Kaggle: ``kaggle_cifar10_tiny.zip``, ``kaggle_dog_tiny.zip``; its older form."""
    classes = ["airplane", "automobile", "bird", "cat", "deer", "dog", "frog", "horse", "ship", "truck"]
    files: list[tuple[str, str | bytes]] = []
    labels = {str(i + 1): classes[i % 10] for i in range(200)}
    pictures: dict[str, bytes] = {}
    tables = {"cifar10": ("trainLabels.csv", "id,label"), "dog": ("labels.csv", "id,breed")}
    for name, (table, header) in tables.items():
        size = (32, 32) if name == "cifar10" else (260, 280)
        end = "png" if name == "cifar10" else "jpg"
        pictures = {
            n: jpeg(_scene(size, i % 10, int(n)), "PNG" if end == "png" else "JPEG") for i, n in enumerate(labels)
        }
        files = [(f"train/{n}.{end}", content) for n, content in pictures.items()]
        files += [(f"test/{n}.{end}", content) for n, content in list(pictures.items())[:5]]
        files.append((table, "\n".join([header, *(f"{n},{k}" for n, k in labels.items())]) + "\n"))
        zip_files(
            folder / f"kaggle_{name}_tiny.zip", ((f"kaggle_{name}_tiny/{path}", content) for path, content in files)
        )
    kinds = [(f"{part}/{k}/{n}.jpg", n) for part in ("train", "valid", "train_valid") for n, k in labels.items()]
    kinds += [(f"test/unknown/{n}.jpg", n) for n in list(labels)[:5]]
    zip_files(
        folder / "train_valid_test_tiny.zip", ((f"train_valid_test_tiny/{path}", pictures[n]) for path, n in kinds)
    )


def houses(folder: Path) -> None:
    """Houses and their prices, with what is not known left open: ``kaggle_house_pred_train.csv`` and its test."""
    generator = random.Random(1)
    for part in ("train", "test"):
        with (folder / f"kaggle_house_pred_{part}.csv").open("w", newline="") as file:
            rows = csv.writer(file)
            price = ["SalePrice"] * (part == "train")
            rows.writerow(
                ["Id", "MSSubClass", "MSZoning", "LotFrontage", "LotArea", "SaleType", "SaleCondition", *price]
            )
            for i in range(200):
                area, front = generator.randrange(1000, 9000), generator.choice([60, 70, 80, "NA"])
                zone, sale = generator.choice(["RL", "RM"]), generator.choice(["WD", "New", "NA"])
                row = [i + 1, generator.choice([20, 60, 70]), zone, front, area, sale, "Normal"]
                rows.writerow([*row, *[area * 20 + 10000] * len(price)])


def measurements(folder: Path) -> None:
    """The noise of wings, clicks on advertisements, ratings of films."""
    generator = numpy.random.default_rng(1)
    wings = generator.uniform(0, 1, (1503, 6))
    wings[:, 5] = 120 + wings[:, :5] @ [1, 2, 3, 4, 5]
    numpy.savetxt(folder / "airfoil_self_noise.dat", wings, delimiter="\t", fmt="%.5f")
    clicks = {
        part: "".join(
            "\t".join([str(i % 2), *(f"v{j % 5}" for j in generator.integers(0, 9, 34))]) + "\n" for i in range(n)
        )
        for part, n in (("train", 10300), ("test", 2100))
    }
    for part, text in clicks.items():
        write(folder / "ctr" / f"{part}.csv", text)
    zip_files(folder / "ctr.zip", ((f"ctr/{part}.csv", text) for part, text in clicks.items()))
    # More films than a batch of 256, and more ratings than one of 4096: a chapter trains on whole batches alone.
    pairs = {(user, int(item)) for user in range(1, 101) for item in generator.integers(1, 301, 60)}
    pairs |= {(item % 100 + 1, item) for item in range(1, 301)}
    ratings = "".join(f"{u}\t{i}\t{1 + (u * i) % 5}\t{880000000 + n}\n" for n, (u, i) in enumerate(sorted(pairs)))
    zip_files(folder / "ml-100k.zip", [("ml-100k/u.data", ratings)])


def pictures_at_home(home: Path) -> None:
    """Fashion-MNIST, MNIST and CIFAR-10 where ``gluon.data.vision`` looks for them."""
    for name in ("mnist", "fashion-mnist"):
        mnist(home / ".mxnet" / "datasets" / name, 1280, 256)
    cifar10(home, 256)


def clothes_that_teach(where: Path) -> None:
    """Fashion-MNIST with so many pictures that a chapter has learnt what it asserts after ten epochs."""
    mnist(where / ".mxnet" / "datasets" / "fashion-mnist", 7680, 256)


def clothes_for_averages(where: Path) -> None:
    """Fashion-MNIST with as many pictures of each class in its test as there are, for a chapter that counts on it."""
    place = where / ".mxnet" / "datasets" / "fashion-mnist"
    mnist(place, 2000, 10000)
    labels = struct.pack(">II", 2049, 10000) + bytes(i % 10 for i in range(10000))
    for ending in ("", ".gz"):
        path = place / f"t10k-labels-idx1-ubyte{ending}"
        path.write_bytes(gzip.compress(labels, 1) if ending else labels)


def vectors_at_home(home: Path) -> None:
    """Vectors of words where ``mx.contrib.text`` looks for them."""
    for name, size in (("glove.6B.50d.txt", 50), ("glove.6B.100d.txt", 100)):
        write(home / ".mxnet" / "embeddings" / "glove" / name, "\n".join(_vectors(size)) + "\n")
    lines = _vectors(300)
    for name in ("wiki.simple.vec", "wiki.zh.vec", "wiki.en.vec"):
        text = "\n".join([f"{len(lines)} 300", *lines]) + "\n"
        write(home / ".mxnet" / "embeddings" / "fasttext" / name, text)


def weights_at_home(home: Path, name: str) -> None:
    """Random weights of a model of the zoo, in the place of those that somebody has trained.

    Parameters
    ----------
    home : Path
        The home directory.
    name : str
        The model, or the function that makes it, which has no dots.
    """
    from d2lhybrid import init, nd
    from d2lhybrid.gluon.model_zoo import vision

    name = re.sub(r"(\d)_(\d+)$", r"\1.\2", name).replace("net_v2_", "netv2_").replace("inception_v3", "inceptionv3")
    path = home / ".mxnet" / "models" / f"{name}.params"
    if not path.exists():
        path.parent.mkdir(parents=True, exist_ok=True)
        net = vision.get_model(name)
        net.initialize(init.Xavier())
        net(nd.zeros((1, 3, 224, 224)))
        net.save_parameters(str(path))


#: What writes the files that stand for the network.
WEB = (
    texts, translations, reviews, inferences, vectors, bananas, pikachus, segmented, folders_of_pictures, competitions,
    houses, measurements, *TUTORIALS,
)  # fmt: skip

#: What writes into the home directory.
HOME = (pictures_at_home, vectors_at_home)

#: Name of a recipe -> what writes the files of one chapter into the folder that it runs in.
RECIPES = {function.__name__: function for function in (movielens, cifar10, clothes_that_teach, clothes_for_averages)}
