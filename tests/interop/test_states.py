"""States of optimizers in files: what MXNet writes is read here, and what is written here MXNet reads."""

import json
import os
import pickletools
import subprocess
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid.optimizer.saved_states import read_states

from . import states

PYTHON = os.environ.get("D2LHYBRID_MXNET_PYTHON")
SCRIPT = Path(states.__file__)
each_case = pytest.mark.parametrize("case", states.CASES)
#: In one process, which asks MXNet once.
pytestmark = pytest.mark.xdist_group("states of MXNet")
with_mxnet = [
    pytest.mark.interop,
    pytest.mark.skipif(not PYTHON, reason="`make interop` installs MXNet and sets D2LHYBRID_MXNET_PYTHON"),
]


def _with_mxnet(command, folder):
    assert PYTHON
    done = subprocess.run([PYTHON, str(SCRIPT), command, str(folder)], capture_output=True, text=True, timeout=600)
    assert done.returncode == 0, done.stderr
    return json.loads((folder / "report.json").read_text())


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """A folder of our files, the weights that we come to, and those that MXNet comes to."""
    folder = tmp_path_factory.mktemp("ours")
    weights = {case: states.train(mx, folder, case) for case in states.CASES}
    return weights, _with_mxnet("continue", folder)


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """A folder of MXNet's files, and the weights that MXNet comes to."""
    folder = tmp_path_factory.mktemp("theirs")
    return folder, _with_mxnet("train", folder)


def _assert_close(found, expected, case):
    assert not isinstance(expected, str), expected
    tolerance = 2e-3 if case.endswith("half") else 2e-6
    numpy.testing.assert_allclose(found, expected, rtol=tolerance, atol=tolerance)


@pytest.mark.interop
@with_mxnet[1]
@each_case
def test_mxnet_goes_on_with_our_states(case, ours):
    weights, report = ours
    _assert_close(weights[case], report[case], case)


@pytest.mark.interop
@with_mxnet[1]
@each_case
def test_we_go_on_with_states_of_mxnet(case, theirs):
    folder, report = theirs
    _assert_close(states.go_on(mx, folder, case), report[case], case)


@each_case
def test_states_name_nothing_that_mxnet_does_not_have(case, tmp_path):
    states.train(mx, tmp_path, case)
    data = (tmp_path / f"{case}.states").read_bytes()
    names = {str(name) for opcode, name, _ in pickletools.genops(data) if opcode.name == "GLOBAL"}
    assert names == {"mxnet.ndarray.ndarray NDArray", "builtins bytearray"} | {
        name for name in names if name.startswith(("mxnet.optimizer.optimizer ", "mxnet.lr_scheduler "))
    }
    assert not any(opcode.name in ("STACK_GLOBAL", "INST") for opcode, _, _ in pickletools.genops(data))
    optimizer = type(read_states(data)[1])
    assert f"mxnet.optimizer.optimizer {optimizer.__name__}" in names
