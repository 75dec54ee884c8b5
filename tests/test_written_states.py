"""States of optimizers as the bytes of a file that MXNet reads: see also tests/interop/test_states.py."""

import pickle
import pickletools
import subprocess
import sys

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd
from d2lhybrid.internals.formats.serialization import limits
from d2lhybrid.optimizer.contrib import AdamW, GroupAdaGrad
from d2lhybrid.optimizer.mxnet_state_writer import write_states
from d2lhybrid.optimizer.saved_states import read_states


class Own(mx.optimizer.SGD):
    """An optimizer of somebody else."""


ARRAYS = {
    "numbers": lambda: nd.array([[1, 2], [3, 4]]),
    "half precision": lambda: nd.array([1, 2], dtype="float16"),
    "of np": lambda: mx.np.array([1.5, 2.5]),
    "a scalar": lambda: mx.np.array(3.5),
    "no elements": lambda: mx.np.zeros((0, 3)),
    "rows": lambda: nd.sparse.row_sparse_array(([[1, 2]], [1]), shape=(3, 2)),
    "a sparse matrix": lambda: nd.array([[0, 1], [2, 0]]).tostype("csr"),
}
NAMES = {
    "of np": "mxnet.numpy.multiarray ndarray",
    "a scalar": "mxnet.numpy.multiarray ndarray",
    "no elements": "mxnet.numpy.multiarray ndarray",
    "rows": "mxnet.ndarray.sparse RowSparseNDArray",
    "a sparse matrix": "mxnet.ndarray.sparse CSRNDArray",
}


def names_in(data):
    return {name for opcode, name, _ in pickletools.genops(data) if opcode.name == "GLOBAL"}


@pytest.mark.parametrize("trusted", [False, True])
@pytest.mark.parametrize("name", ARRAYS)
def test_arrays_come_back_as_they_were(name, trusted):
    array = ARRAYS[name]()
    data = write_states({0: (array, None)})
    assert names_in(data) == {NAMES.get(name, "mxnet.ndarray.ndarray NDArray"), "builtins bytearray"}
    with limits(trusted_pickles=trusted):
        (again, nothing) = read_states(data)[0]
    assert nothing is None and type(again) is type(array) and again.dtype == array.dtype
    assert again.context == array.context
    numpy.testing.assert_array_equal(again.asnumpy(), array.asnumpy())


def test_what_is_written_twice_is_one_thing():
    array = nd.ones((2,))
    states = read_states(write_states({0: array, "a": [array, array]}))
    assert states[0] is states["a"][0] is states["a"][1]


@pytest.mark.parametrize("trusted", [False, True])
def test_an_optimizer_has_the_name_of_the_one_it_stands_for(trusted):
    schedule = mx.lr_scheduler.MultiFactorScheduler([3], 0.5)
    optimizer = mx.optimizer.Adam(lr_scheduler=schedule)
    optimizer.lr = numpy.float32(0.5)  # as programs compute it
    data = write_states(({}, optimizer))
    assert names_in(data) == {
        "mxnet.optimizer.optimizer Adam", "mxnet.lr_scheduler MultiFactorScheduler", "numpy dtype",
        "numpy.core.multiarray scalar",
    }  # fmt: skip
    with limits(trusted_pickles=trusted):
        again = read_states(data)[1]
    assert type(again) is mx.optimizer.Adam and type(again.lr_scheduler) is type(schedule)
    assert vars(again.lr_scheduler)["step"] == [3] and again.lr == numpy.float32(0.5)


def test_optimizers_of_contrib():
    for optimizer, name in (
        (AdamW(), "d2lhybrid.optimizer.contrib AdamW"),
        (GroupAdaGrad(), "mxnet.optimizer.contrib GroupAdaGrad"),
    ):
        data = write_states(({}, optimizer))
        assert names_in(data) == {name}
        assert type(read_states(data)[1]) is type(optimizer)


def test_optimizers_of_others_keep_their_names():
    data = write_states(({}, Own()))
    assert names_in(data) == {f"{Own.__module__} Own"}
    assert type(read_states(data)[1]) is Own


def test_what_this_package_wrote_before_is_still_read():
    optimizer, state = mx.optimizer.Adam(), (nd.ones((2,)), nd.zeros((2,)))
    states, again = read_states(pickle.dumps(({0: state}, optimizer)))
    numpy.testing.assert_array_equal(states[0][0].asnumpy(), [1, 1])
    assert type(again) is type(optimizer)


def test_programs_for_mxnet_read_the_pickle_themselves(tmp_path):
    program = tmp_path / "program.py"
    (tmp_path / "states").write_bytes(write_states(({0: nd.ones((2,)), 1: mx.np.array(2.5)}, mx.optimizer.SGD())))
    program.write_text(
        "import d2lhybrid; d2lhybrid.as_mxnet()\nimport pickle, mxnet\n"
        f"states, optimizer = pickle.load(open({str(tmp_path / 'states')!r}, 'rb'))\n"
        "assert type(states[0]) is mxnet.nd.NDArray and states[0].asnumpy().tolist() == [1, 1]\n"
        "assert type(states[1]) is mxnet.np.ndarray and states[1].item() == 2.5\n"
        "assert type(optimizer) is mxnet.optimizer.SGD\n"
    )
    done = subprocess.run([sys.executable, program], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr


def train_lbsgd(updater, weight, count, **settings):
    for i in range(count):
        updater(0, nd.array([0.1 * (i + 1), -0.2]), weight)
    return weight.asnumpy()


def test_gradients_that_are_being_added_up_come_with_the_states():
    settings = {"batch_scale": 3, "momentum": 0.9, "learning_rate": 0.1, "begin_epoch": 1, "updates_per_epoch": 5}
    updater, weight = mx.optimizer.get_updater(mx.optimizer.LBSGD(**settings)), nd.ones((2,))
    train_lbsgd(updater, weight, 5)
    saved = updater.get_states(dump_optimizer=True)
    assert updater.optimizer.cumgrads[0]["num_cums"] == 10  # MXNet's own form; the fifth update was of a new sum
    other, copy = mx.optimizer.get_updater(mx.optimizer.SGD()), weight.copy()
    other.set_states(saved)
    numpy.testing.assert_array_equal(train_lbsgd(updater, weight, 4), train_lbsgd(other, copy, 4))
    kept = updater.optimizer.cumgrads[0]
    if kept["num_cums"] % 3:  # as this package wrote them before
        updater.optimizer.cumgrads[0] = (kept["num_cums"], kept["cum_grad"])
    numpy.testing.assert_array_equal(train_lbsgd(updater, weight, 4), train_lbsgd(other, copy, 4))


def test_a_trainer_goes_on_from_a_file_as_if_there_had_been_none(tmp_path):
    def steps(net, trainer):
        for _ in range(3):
            with mx.autograd.record():
                loss = (net(nd.ones((2, 4))) ** 2).sum()
            loss.backward()
            trainer.step(2)
        return net.weight.data().asnumpy()

    net = gluon.nn.Dense(3, in_units=4)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), "lamb", {"learning_rate": 0.1})
    steps(net, trainer)
    net.save_parameters(str(tmp_path / "weights"))
    trainer.save_states(str(tmp_path / "states"))
    other = gluon.nn.Dense(3, in_units=4)
    other.load_parameters(str(tmp_path / "weights"))
    again = gluon.Trainer(other.collect_params(), "sgd")
    again.load_states(str(tmp_path / "states"))
    numpy.testing.assert_array_equal(steps(net, trainer), steps(other, again))
