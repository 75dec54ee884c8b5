"""What a student does with an installed package: run in an empty folder by ``docs/release/check.py``."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
import urllib.request
from pathlib import Path

import d2lhybrid
from d2lhybrid import autograd, gluon, nd
from d2lhybrid.exercises import ex, exercises
from d2lhybrid.gluon import nn


def the_package_is_the_installed_one() -> None:
    """Of the folder that the wheel was built from, nothing is found."""
    place, clone = Path(d2lhybrid.__file__).resolve(), Path(os.environ["D2LHYBRID_CLONE"])
    assert place.is_relative_to(Path(sys.prefix).resolve()), place
    assert not [entry for entry in sys.path if entry and Path(entry).resolve() == clone], sys.path


def a_net_is_trained() -> None:
    """Hybridized, until its loss is lower."""
    net = nn.HybridSequential()
    net.add(nn.Dense(16, activation="relu"), nn.Dense(1))
    net.initialize()
    net.hybridize()
    trainer, loss = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1}), gluon.loss.L2Loss()
    x = nd.random.normal(shape=(32, 4))
    y = x.sum(axis=1, keepdims=True)
    losses = []
    for _ in range(50):
        with autograd.record():
            value = loss(net(x), y)
        value.backward()
        trainer.step(32)
        losses.append(float(value.mean().asscalar()))
    assert losses[-1] < losses[0] / 2, losses
    net.export("net")
    again = gluon.SymbolBlock.imports("net-symbol.json", ["data"], "net-0000.params")
    assert abs((again(x) - net(x)).asnumpy()).max() == 0


def a_picture_is_made() -> None:
    """As a file of each kind that needs no other package."""
    net = nn.HybridSequential()
    net.add(nn.Dense(3, activation="relu"))
    net.initialize()
    picture = net.graph(nd.ones((2, 4)))
    for ending, begins in ((".svg", "<svg"), (".html", "<!DOCTYPE html>"), (".json", "{")):
        text = picture.save(f"net{ending}").read_text("utf-8")
        assert begins.lower() in text[:200].lower() and "relu" in text, ending


def exercises_are_judged() -> None:
    """Ours are right, what people get wrong is wrong, and what is left empty is not attempted."""
    for exercise in exercises():
        if exercise.chapter in ("01", "03"):
            space: dict[str, object] = {}
            exec("import numpy\nimport d2lhybrid as mx\nfrom d2lhybrid import autograd, gluon, nd, sym\n"
                 f"from d2lhybrid.gluon import nn\n{exercise.solution_code}", space)  # fmt: skip
            assert exercise.check(space[exercise.answer]), exercise.number
    assert not ex("01.1").check(lambda numbers: "print(0)") and not ex("01.1").check(None)


def jupyterlab_opens() -> None:
    """``d2lhybrid lab`` copies the course, and a browser would be shown its first notebook."""
    command = Path(sys.executable).with_name("d2lhybrid")
    words = [command, "lab", "opened", "--no-browser"]
    with open("lab.log", "w+", encoding="utf-8") as log:
        process = subprocess.Popen([str(word) for word in words], stdout=log, stderr=subprocess.STDOUT)
        try:
            address = _address(process)
            page = urllib.request.urlopen(address, timeout=60).read().decode()
            assert "jupyter-config-data" in page, page[:500]
            first = address.replace("/lab/tree/", "/api/contents/")
            assert b'"cells"' in urllib.request.urlopen(first, timeout=60).read()
        except OSError as error:
            error.add_note(f"JupyterLab says:\n{Path('lab.log').read_text('utf-8')}")
            raise
        finally:
            process.terminate()
            try:
                process.wait(60)
            except subprocess.TimeoutExpired:
                process.kill()
                raise


def _address(process: subprocess.Popen[bytes] | subprocess.Popen[str]) -> str:
    for _ in range(1500):  # five minutes: where much else is running, the first start is slow
        said = Path("lab.log").read_text("utf-8")
        # A whole one, with what follows it: the file is being written.
        if found := re.search(r"(http://(?:localhost|127\.0\.0\.1):\d+/\S*)\s", said):
            return found[1]
        assert process.poll() is None, said
        time.sleep(0.2)
    raise AssertionError(f"JupyterLab does not say where it is:\n{said}")


if __name__ == "__main__":
    the_package_is_the_installed_one()
    a_net_is_trained()
    a_picture_is_made()
    exercises_are_judged()
    done = "trained a net, exported it, made pictures, judged exercises"
    if "lab" in sys.argv[1:]:
        jupyterlab_opens()
        done += ", opened JupyterLab"
    print(done)
