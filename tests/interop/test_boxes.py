"""What is recorded of the boxes of a record file is what MXNet reads now."""

import os
import subprocess

import numpy
import pytest

from . import box_cases

PYTHON = os.environ.get("D2LHYBRID_MXNET_PYTHON")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not PYTHON, reason="`make interop` installs MXNet and sets D2LHYBRID_MXNET_PYTHON"),
]


def test_recorded_facts_are_mxnets(tmp_path):
    path = tmp_path / "facts.npz"
    assert PYTHON
    done = subprocess.run([PYTHON, box_cases.__file__, str(path)], capture_output=True, text=True, timeout=600)
    assert not done.returncode, done.stderr
    with numpy.load(box_cases.FACTS) as stored, numpy.load(path) as made:
        recorded, found = dict(stored), dict(made)
    assert {*recorded} - {"record"} == {*found}
    for name, value in found.items():
        if value.dtype.kind == "U":
            assert recorded[name].tolist() == value.tolist(), name
        else:
            numpy.testing.assert_allclose(recorded[name], value, rtol=1e-6, atol=1e-6, err_msg=name)
