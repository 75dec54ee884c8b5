"""What is recorded of rare operators (proposals, pooling of regions, events in time) is what MXNet computes now."""

import os
import subprocess

import numpy
import pytest

from . import contrib_cases, position_cases, proposal_cases

PYTHON = os.environ.get("D2LHYBRID_MXNET_PYTHON")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not PYTHON, reason="`make interop` installs MXNet and sets D2LHYBRID_MXNET_PYTHON"),
]


@pytest.mark.parametrize(
    "cases", [contrib_cases, position_cases, proposal_cases], ids=["contrib", "position", "proposals"]
)
def test_recorded_facts_are_mxnets(cases, tmp_path):
    path = tmp_path / "facts.npz"
    assert PYTHON
    done = subprocess.run([PYTHON, cases.__file__, str(path)], capture_output=True, text=True, timeout=600)
    assert not done.returncode, done.stderr
    with numpy.load(cases.FACTS) as stored, numpy.load(path) as made:
        recorded, found = dict(stored), dict(made)
    assert set(recorded) == set(found)
    for name, value in found.items():
        if value.dtype.kind == "U":
            assert list(recorded[name]) == list(value), name
        else:
            numpy.testing.assert_allclose(recorded[name], value, rtol=1e-6, atol=1e-6, err_msg=name)
