"""What is recorded of sparse arrays and gradients is what MXNet makes of them now."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from . import sparse_cases

PYTHON = os.environ.get("D2LHYBRID_MXNET_PYTHON")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not PYTHON, reason="`make interop` installs MXNet and sets D2LHYBRID_MXNET_PYTHON"),
]


def test_recorded_facts_are_mxnets(tmp_path):
    path = tmp_path / "sparse.json"
    assert PYTHON
    done = subprocess.run([PYTHON, sparse_cases.__file__, str(path)], capture_output=True, text=True, timeout=600)
    assert not done.returncode, done.stderr
    # By their texts: some of the numbers are not numbers, which are not equal to themselves.
    made, recorded = (json.dumps(json.loads(file.read_text())) for file in (path, Path(sparse_cases.FACTS)))
    assert made == recorded
