"""What is recorded of sparse arrays and gradients is what MXNet makes of them now."""

import json
import os
import subprocess
from pathlib import Path
from typing import Any

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
    made, recorded = (json.loads(file.read_text()) for file in (path, Path(sparse_cases.FACTS)))
    assert_close(made, recorded)


def assert_close(made: Any, recorded: Any, at: str = "") -> None:
    """Compare facts: texts, lengths, and integers exactly, fractions up to the rounding of another processor."""
    assert type(made) is type(recorded), at
    if isinstance(made, dict):
        assert list(made) == list(recorded), at
        for name, fact in made.items():
            assert_close(fact, recorded[name], f"{at}/{name}")
    elif isinstance(made, list):
        assert len(made) == len(recorded), at
        for i, fact in enumerate(made):
            assert_close(fact, recorded[i], f"{at}/{i}")
    elif isinstance(made, float):
        # MXNet adds the products of a row in another order where the processor has other vector instructions.
        assert made == pytest.approx(recorded, rel=1e-5, abs=1e-6, nan_ok=True), at
    else:
        assert made == recorded, at
