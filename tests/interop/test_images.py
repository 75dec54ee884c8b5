"""What is recorded of images and record files in MXNet is what MXNet computes now, and it reads our record files."""

import json
import os
import subprocess
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx

from . import image_cases, record_files

PYTHON = os.environ.get("D2LHYBRID_MXNET_PYTHON")

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not PYTHON, reason="`make interop` installs MXNet and sets D2LHYBRID_MXNET_PYTHON"),
]


def test_recorded_facts_are_mxnets(tmp_path):
    path = tmp_path / "facts.npz"
    assert PYTHON
    done = subprocess.run([PYTHON, image_cases.__file__, str(path)], capture_output=True, text=True, timeout=600)
    assert not done.returncode, done.stderr
    with numpy.load(Path(image_cases.FOLDER) / "facts.npz") as stored, numpy.load(path) as made:
        recorded, found = dict(stored), dict(made)
    assert set(recorded) == set(found)
    for name in found:
        if found[name].dtype.kind == "U":
            assert str(recorded[name]) == str(found[name]), name
        else:
            numpy.testing.assert_allclose(recorded[name], found[name], rtol=1e-6, atol=1e-4, err_msg=name)


def _records(*arguments):
    assert PYTHON
    done = subprocess.run([PYTHON, record_files.__file__, *map(str, arguments)], capture_output=True, timeout=600)
    assert not done.returncode, done.stderr.decode()
    return done.stdout


def test_mxnet_writes_the_record_files_that_are_kept(tmp_path):
    _records("write", tmp_path)
    kept = Path(__file__).parent.parent / "golden_data" / "records"
    for path in kept.iterdir():
        assert (tmp_path / path.name).read_bytes() == path.read_bytes()


def test_mxnet_reads_our_record_files_as_we_do(tmp_path):
    record_files.write(mx, tmp_path)
    assert json.loads(_records("read", tmp_path)) == record_files.read(mx, tmp_path)
