"""What is recorded of the checks in ``mx.test_utils`` is what MXNet's do now, and their signatures are ours."""

import json
import os
import subprocess
from pathlib import Path

import pytest

from . import check_cases

PYTHON = os.environ.get("D2LHYBRID_MXNET_PYTHON")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not PYTHON, reason="`make interop` installs MXNet and sets D2LHYBRID_MXNET_PYTHON"),
]


def test_recorded_facts_are_mxnets(tmp_path):
    path = tmp_path / "checks.json"
    assert PYTHON
    done = subprocess.run([PYTHON, check_cases.__file__, str(path)], capture_output=True, text=True, timeout=600)
    assert not done.returncode, done.stderr
    assert json.loads(path.read_text()) == json.loads(Path(check_cases.FACTS).read_text())
