"""Real MXNet 1.9.1 runs what d2lhybrid exports, and the other way round."""

import json
import os
import subprocess
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx

from . import nets

PYTHON = os.environ.get("D2LHYBRID_MXNET_PYTHON")
SCRIPT = Path(__file__).parent / "with_mxnet.py"

pytestmark = [
    pytest.mark.interop,
    pytest.mark.skipif(not PYTHON, reason="`make interop` installs MXNet and sets D2LHYBRID_MXNET_PYTHON"),
    pytest.mark.xdist_group("nets of MXNet"),  # in one process, which asks MXNet once
]
each_net = pytest.mark.parametrize("name", nets.NETS)


def _run(command, folder):
    assert PYTHON
    return subprocess.run([PYTHON, str(SCRIPT), command, str(folder)], capture_output=True, text=True, timeout=600)


@pytest.fixture(scope="module")
def ours(tmp_path_factory):
    """A folder of nets exported here, and the errors of those that could not be."""
    folder = tmp_path_factory.mktemp("ours")
    errors = {}
    for name in nets.NETS:
        try:
            nets.export(mx, name, folder)
        except Exception as error:
            errors[name] = error
    return folder, errors


@pytest.fixture(scope="module")
def report(ours):
    """What MXNet says of them: a row for each net."""
    folder, errors = ours
    assert len(errors) < len(nets.NETS), errors
    done = _run("check", folder)
    assert (folder / "report.json").exists(), done.stderr
    rows = {row["name"]: row for row in json.loads((folder / "report.json").read_text())}
    wrong = [row for row in rows.values() if row["error"] or {row["json"], row["params"]} != {"same"}]
    assert done.returncode == bool(wrong), done.stdout + done.stderr
    print(done.stdout)
    return rows


@pytest.fixture(scope="module")
def theirs(tmp_path_factory):
    """A folder of the same nets, exported by MXNet."""
    folder = tmp_path_factory.mktemp("theirs")
    done = _run("export", folder)
    assert done.returncode == 0, done.stderr
    return folder


@each_net
def test_mxnet_runs_what_we_export(name, ours, report):
    if name in ours[1]:
        raise ours[1][name]
    assert not report[name]["error"]


@each_net
def test_mxnet_writes_our_files_the_same(name, ours, report):
    if name in ours[1]:
        pytest.skip("was not exported")
    assert (report[name]["json"], report[name]["params"]) == ("same", "same")


@each_net
@pytest.mark.filterwarnings("ignore:Cannot decide type:UserWarning")
def test_we_run_what_mxnet_exports(name, theirs):
    entries = {entry["name"]: entry for entry in json.loads((theirs / "manifest.json").read_text())}
    outputs, expected = nets.load(mx, entries[name], theirs)
    assert len(outputs) == len(expected)
    for output, wanted in zip(outputs, expected, strict=True):
        assert (output.shape, output.dtype) == (wanted.shape, wanted.dtype)
        numpy.testing.assert_allclose(output, wanted, rtol=1e-4, atol=1e-5)


@each_net
def test_we_export_the_same_files_as_mxnet(name, ours, theirs):
    if name in ours[1]:
        pytest.skip("was not exported")
    for suffix in ("symbol.json", "0000.params"):
        file = f"{name}-{suffix}"
        if suffix == "symbol.json":
            assert (ours[0] / file).read_text("utf-8") == (theirs / file).read_text("utf-8")
        assert (ours[0] / file).read_bytes() == (theirs / file).read_bytes()
