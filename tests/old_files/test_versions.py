"""Files that every version of MXNet since 0.9.5 wrote: each loads, computes what it should, and is written back."""

from __future__ import annotations

import itertools
import json
import pickle

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.optimizer.saved_states import read_states

from .page import MARK, TABLE
from .versions import KINDS, VERSIONS, Archive, steps


@pytest.mark.filterwarnings("ignore:Cannot decide type")
@pytest.mark.parametrize("kind", KINDS)
@pytest.mark.parametrize("version", VERSIONS)
def test_a_file_loads_computes_and_is_written_back(version, kind, tmp_path):
    done = []
    for name, run in steps(Archive(version, tmp_path), kind):
        run()
        done.append(name)
    assert done in ([], ["loads", "computes", "is saved again"])


def test_every_version_wrote_what_it_could(tmp_path):
    wrote = {}
    for version in VERSIONS:
        files = Archive(version, tmp_path / version)
        assert len(json.loads((files.folder / "version.json").read_text("utf-8"))["done"]) == 5
        wrote[version] = [kind for kind in KINDS if next(steps(files, kind), None)]
    assert len(VERSIONS) == 15 and wrote["1.9.1"] == list(KINDS)
    for older, newer in itertools.pairwise(VERSIONS):
        assert set(wrote[older]) <= set(wrote[newer])


def test_the_page_has_a_row_for_each_kind_and_nothing_goes_wrong():
    rows = [line.split(" | ") for line in TABLE.read_text("utf-8").split(MARK)[1].splitlines() if line.startswith("| ")]
    assert [row[0].removeprefix("| ") for row in rows[2:]] == list(KINDS)
    assert [row[2] for row in rows[2:]] == [" |"] * len(KINDS)


class OldParameter:
    """What a program would want to run when states are read: nothing of it may happen."""

    def __reduce__(self):
        return OldParameter, ()


def test_parameters_in_old_states_are_passed_over_and_run_nothing(tmp_path):
    files = Archive("1.0.0", tmp_path)
    states, optimizer = read_states((tmp_path / "gluon.states").read_bytes())
    assert optimizer.param_dict == {} and optimizer.momentum == 0.9
    assert all(isinstance(state, nd.NDArray) for state in states.values() if state is not None)
    assert files.has("gluon-collected.params")
    with pytest.raises(mx.MXNetError, match=r"it names .*OldParameter"):
        read_states(pickle.dumps({0: OldParameter()}))


@pytest.mark.parametrize("attribute", ["momentum", "lr", "_index_update_count"])
def test_states_that_lack_what_every_version_wrote_are_refused(attribute, tmp_path):
    weight = gluon.Parameter("weight", shape=(2,))
    weight.initialize()
    trainer = gluon.Trainer([weight], "sgd", {"momentum": 0.9})
    path = str(tmp_path / "states")
    optimizer = mx.optimizer.SGD(momentum=0.9)
    del vars(optimizer)[attribute]
    with open(path, "wb") as stream:
        pickle.dump(({0: nd.zeros((2,))}, optimizer), stream)
    before = weight.data().asnumpy()
    with pytest.raises(mx.MXNetError, match=f"{attribute} of SGD is missing|_index_update_count"):
        trainer.load_states(path)
    assert numpy.array_equal(weight.data().asnumpy(), before)
