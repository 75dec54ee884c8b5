"""The command that compares the models of libraries with real MXNet's goes on where it was broken off."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import numpy as np
import pytest

from d2lhybrid import nd
from tests.foreign.inside.gluon_cv import call
from tests.foreign.inside.large_zoo import family
from tests.foreign.models import LIBRARIES, section

# A library of three models, as large a part of GluonCV as the command looks at.
ZOO = """
from mxnet.gluon import nn


def net(units):
    def make(**settings):
        layers = nn.HybridSequential()
        layers.add(nn.Dense(units, activation="relu"), nn.Dense(2))
        return layers

    return make


def broken(**settings):
    raise ImportError("no such thing")


_models = {"first": net(3), "second": net(4), "third": broken}
"""


@pytest.fixture
def clone(tmp_path: Path) -> Path:
    folder = tmp_path / "clone"
    zoo = folder / "gluoncv" / "model_zoo"
    zoo.mkdir(parents=True)
    (folder / "gluoncv" / "__init__.py").touch()
    for name, text in (("__init__.py", ""), ("model_store.py", ""), ("model_zoo.py", ZOO)):
        (zoo / name).write_text(text)
    author = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "-q"], ["add", "."], [*author, "commit", "-q", "-m", "models"], ["tag", "v0.10.0"]):
        subprocess.run(["git", *words], cwd=folder, check=True)
    return folder


HERE = Path(__file__).resolve().parents[1]


def command(clone: Path, *more: str) -> list[str]:
    results = str(clone.with_name("results.jsonl"))
    return [sys.executable, "-W", "ignore", "-m", "tests.foreign", "models", str(clone), "--results", results, *more]


def run(clone: Path, *more: str) -> list[list[str]]:
    """Return the words of each line that the command prints of a model: status, seconds or "earlier", and name."""
    said = subprocess.run(command(clone, *more), capture_output=True, text=True, check=False, cwd=HERE)
    *lines, last = said.stdout.splitlines() or [""]
    lines += [] if (unexplained := last.startswith("Without")) else [last]
    assert said.returncode == unexplained, said.stderr
    return [[line[:12].strip(), line[13:20].strip(), line[22:].split()[0]] for line in lines]


def test_it_goes_on_where_it_was_broken_off(clone: Path) -> None:
    with subprocess.Popen(command(clone), stdout=subprocess.PIPE, text=True, cwd=HERE) as process:
        assert process.stdout
        assert "first" in process.stdout.readline()
        process.terminate()
        process.stdout.read()
    assert process.returncode == 130
    results = clone.with_name("results.jsonl")
    kept = [json.loads(line)["model"] for line in results.read_text().splitlines()]
    assert kept[0] == "first"
    with results.open("a") as stream:
        stream.write('{"model": "second", "backw')  # as far as it came before the machine went out
    lines = run(clone)
    assert [line[2] for line in lines] == ["first", "second", "third"]
    assert [line[1] == "earlier" for line in lines] == [name in kept for _, _, name in lines]
    assert [line[0] for line in lines[:2]] == ["runs", "runs"]
    assert all(spent == "earlier" for _, spent, _ in run(clone))


def test_what_another_state_gave_is_run_once_more(clone: Path) -> None:
    results = clone.with_name("results.jsonl")
    run(clone, "first")
    old = [{**json.loads(line), "state": "of another day"} for line in results.read_text().splitlines()]
    results.write_text("".join(json.dumps(result) + "\n" for result in old))
    assert all(spent != "earlier" for _, spent, _ in run(clone, "first"))
    assert all(spent == "earlier" for _, spent, _ in run(clone, "first"))
    assert all(spent != "earlier" for _, spent, _ in run(clone, "first", "--fresh"))


def test_models_of_one_kind_differ_in_size_and_data_alone() -> None:
    alike = [
        ("resnet18_wd4", "resnet18_w3d4"), ("resnext14_16x4d", "resnext101_64x4d"),
        ("densenet40_k12_bc_cifar10", "densenet100_k24_bc_svhn"), ("quartznet15x5_ru", "quartznet15x5_de"),
        ("mobilenetv3_large_w7d20", "mobilenetv3_large_w1"), ("efficientnet_b0", "efficientnet_b8"),
        ("deeplabv3_resnetd50b_voc", "deeplabv3_resnetd152b_coco"),
    ]  # fmt: skip
    assert [pair for pair in alike if family("m", pair[0]) != family("m", pair[1])] == []
    other = [
        ("resnet50", "resnet50b"), ("densenet40_k12_cifar10", "densenet40_k12_bc_cifar10"),
        ("mnasnet_a1", "mnasnet_b1"), ("proxylessnas_cpu", "proxylessnas_gpu"),
        ("mobilenetv3_large_w1", "mobilenetv3_small_w1"), ("resnet20_cifar10", "resnet164bn_cifar10"),
        ("quartznet15x5_en", "quartznet15x5_en_nr"),
    ]  # fmt: skip
    assert [pair for pair in other if family("m", pair[0]) == family("m", pair[1])] == []
    assert family("one", "resnet18") != family("two", "resnet18")


@pytest.mark.parametrize("kind", [tuple, list])
def test_boxes_that_are_as_likely_are_put_in_order(kind: type) -> None:
    labels, scores = np.array([[[0.0], [0], [1], [1]]]), np.array([[[0.7], [0.7], [0.7], [0.1]]])
    boxes = np.array([[[5.0, 5, 9, 9], [1, 1, 4, 4], [2, 2, 3, 3], [0, 0, 1, 1]]])
    found = kind(nd.array(a) for a in (labels, scores, boxes))
    # A hybridized net gives a list. The last of these boxes is the least likely, and stays the last.
    ordered = call("name", lambda: found, [])
    np.testing.assert_array_equal(ordered[2], boxes[:, [1, 0, 2, 3]])
    rounding = np.array([[[2e-7], [0], [0], [0]]])
    swapped = kind(nd.array(a[:, [2, 0, 1, 3]]) for a in (labels, scores + rounding, boxes))
    again = call("name", lambda: swapped, [])
    assert [a.tolist() for a in again[::2]] == [a.tolist() for a in ordered[::2]]


def test_a_difference_is_rounding_where_mxnet_is_as_far_from_itself() -> None:
    words = "output 1 (1, 1920, 1) differs by {} of the largest, in 10.99% of its elements"
    result = {"model": "a", "status": "differs", "who": "here", "message": words.format(0.00023)}
    explains = LIBRARIES[0].explains
    assert explains({**result, "itself": words.format(0.00087)}).startswith("rounding: differs by 0.00023 of the ")
    assert explains(result) == ""
    assert explains({**result, "itself": words.format(0.0001)}) == ""
    assert explains({**result, "itself": ""}) == ""  # it is not far from itself at all
    assert explains({**result, "message": "2 outputs and 3", "itself": words.format(0.1)}) == ""
    assert explains({**result, "message": words.format(0.4), "itself": words.format(0.5)}) == ""


def test_the_page_counts_files_that_are_the_same_and_names_what_was_not_tried() -> None:
    names = [["a", "m", "a"], ["a2", "m", "a"], ["b", "m", "b"], ["c", "m", "c"], ["d", "m", "d"]]
    result = {"module": "m", "backward": False, "status": "equal", "message": "", "who": "here", "parameters": 4321}
    results = [
        {**result, "model": "a", "same_file": True}, {**result, "model": "b", "same_file": False, "back": "equal"},
        {**result, "model": "c", "same_file": False, "back": "not loaded"},
    ]  # fmt: skip
    text = section(LIBRARIES[-1], names, results)
    assert "has 5 models; 3 were tested. MXNet 1.9.1 runs 3 of these, and 3 give the same results here." in text
    assert "MXNet loads 2 of 3 files that were written here, with the same results; 1 of these files are ident" in text
    assert "| `a` | m |  | 4,321 | equal | same |" in text
    assert "| `c` | m |  | 4,321 | equal | not loaded |" in text
    assert "- `a`: `a2`" in text
    assert "Neither these models nor similar ones were tested: `d`" in text
    assert "| `d` | m | | | **not tested** | |" in section(LIBRARIES[0], [row[:2] for row in names], results)
