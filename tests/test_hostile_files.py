"""Files that were made to do harm: each is refused at once, with little memory, and says what was wrong and where."""

import gzip
import io
import json
import pickle
import resource
import struct
import tarfile
import tracemalloc

import numpy
import pytest
from processor_time import taken

import d2lhybrid as mx
from d2lhybrid import gluon, nd, recordio, sym
from d2lhybrid.error import MXNetError
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.data import vision
from d2lhybrid.internals.course.grading.submission import read_submission
from d2lhybrid.internals.formats.serialization import SavedArray, limits, to_bytes
from d2lhybrid.internals.formats.serialization.limits import format_bytes, machine_memory
from d2lhybrid.optimizer.saved_states import read_states


def graph_of(*nodes):
    """Return the text of a graph: (op, name, attributes, inputs), the last of which is its result."""
    listed = [
        {"op": op, "name": name, "attrs": attrs, "inputs": [[i, 0, 0] for i in inputs]}
        for op, name, attrs, inputs in nodes
    ]
    variables = [i for i, node in enumerate(nodes) if node[0] == "null"]
    return json.dumps({"nodes": listed, "arg_nodes": variables, "heads": [[len(nodes) - 1, 0, 0]]})


def variable(**attrs):
    return "null", "x", {f"__{key}__": value for key, value in attrs.items()}, []


# Attributes ------------------------------------------------------------------------------------------

BAD_ATTRIBUTES = {
    "shape: not closed": ("shape", "(2, 3"),
    "shape: a call": ("shape", "__import__('os')"),
    "shape: nested": ("shape", "(" * 100_000),
    "shape: minus signs": ("shape", "-" * 100_000 + "1"),
    "shape: 6 MB": ("shape", "(" + "1, " * 2_000_000 + ")"),
    "shape: of texts": ("shape", "('a',)"),
    "shape: of fractions": ("shape", "(1.5,)"),
    "shape: of tuples": ("shape", "((1, 2),)"),
    "shape: 65 dimensions": ("shape", f"({'1, ' * 65})"),
    "shape: beyond 64 bits": ("shape", "(99999999999999999999,)"),
    "shape: a million digits": ("shape", "9" * 1_000_000),
    "shape: an operation": ("shape", "(1)*3"),
    "shape: nothing": ("shape", ""),
    "shape: other digits": ("shape", "(٣,)"),
    "dtype: a name": ("dtype", "float32"),
    "dtype: unknown": ("dtype", "99"),
    "dtype: a million digits": ("dtype", "9" * 1_000_000),
}


@pytest.mark.parametrize("case", BAD_ATTRIBUTES)
def test_what_a_variable_says_of_itself_is_read_by_hand(case, tmp_path):
    attribute, text = BAD_ATTRIBUTES[case]
    path = tmp_path / "net-symbol.json"
    path.write_text(graph_of(variable(**{attribute: text})), "utf-8")
    with (
        taken() as measured,
        pytest.raises(MXNetError, match=f"Invalid attribute __{attribute}__ of the variable 'x'") as caught,
    ):
        sym.load(str(path)).infer_type()  # the element type is read only now, as in MXNet
    assert measured.seconds < 1
    assert len(str(caught.value)) < 400
    assert attribute == "dtype" or "net-symbol.json" in caught.value.__notes__[-1]
    symbol = sym.var("x", attr={f"__{attribute}__": text})
    with pytest.raises(MXNetError, match=f"__{attribute}__"):
        sym.relu(symbol).infer_shape() if attribute == "shape" else sym.relu(symbol).infer_type()


@pytest.mark.parametrize(
    ("text", "shape"),
    [("(2, 3)", (2, 3)), ("[2,3]", (2, 3)), ("(2L, 3L)", (2, 3)), ("(4,)", (4,)), (" ( 4 , ) ", (4,)), ("4", (4,))],
)
def test_what_mxnet_writes_for_a_shape_is_read(text, shape):
    graph = sym.load_json(graph_of(variable(shape=text), ("relu", "y", {}, [0])))
    assert graph.infer_shape()[1] == [shape]


BAD_OPERATORS = {
    "num_hidden: a text": (("FullyConnected", {"num_hidden": "ten"}), "num_hidden expect int but value='ten'"),
    "num_hidden: huge": (("FullyConnected", {"num_hidden": "9" * 4000}), "num_hidden expect int"),
    "p: too large": (("Dropout", {"p": "1e400"}), "Out of range value for p"),
    "p: a call": (("Dropout", {"p": "f()"}), "expect float"),
    "no_bias: something": (("FullyConnected", {"num_hidden": "1", "no_bias": "perhaps"}), "no_bias expect boolean"),
    "shape: deep": (("Reshape", {"shape": "(" * 50_000}), "for shape expect Shape"),
    "shape: a set": (("Reshape", {"shape": "{1}"}), "for shape expect Shape"),
    "shape: long": (("Reshape", {"shape": "1," * 2_000_000}), "for shape expect Shape"),
    "dtype: long": (("Cast", {"dtype": "float32," * 100_000}), "Invalid Input"),
    "pad_width: deep": (("_npi_pad", {"pad_width": "[" * 50_000}), "pad_width"),
    "num_args: a text": (("Concat", {"num_args": "two"}), "num_args expect int but value='two'"),
    "num_args: a fraction": (("Concat", {"num_args": "2.5"}), "num_args expect int"),
    "num_args: huge": (("Concat", {"num_args": "9" * 5000}), "num_args expect int"),
    "num_args: too many": (("Concat", {"num_args": "999999999"}), "num_args is 999999999"),
    "unknown, long": (("Activation", {"act_type": "relu", "a" * 1_000_000: "b" * 1_000_000}), "Cannot find argument"),
    "a name of a megabyte": (("o" * 1_000_000, {}), "is not registered"),
    "_fused": (("_fused", {}), "Operator _fused is internal to the compiler and is not allowed in a file"),
    "_constant": (("_constant", {}), "is internal to the compiler"),
    "_backward_foreach": (
        ("_backward_foreach", {"num_outputs": "1"}),
        "is internal to the compiler|Required parameter",
    ),
    "_foreach with a text": (("_foreach", {"subgraphs": "()"}), "Invalid Parameter format for subgraphs"),
}


@pytest.mark.parametrize("case", BAD_OPERATORS)
def test_what_an_operator_is_given_is_read_by_hand(case):
    import d2lhybrid.internals.core.pipeline  # noqa: F401  registers the operators of the compiler

    (op, attrs), message = BAD_OPERATORS[case]
    with taken() as measured, pytest.raises(MXNetError, match=message) as caught:
        sym.load_json(graph_of(variable(), (op, "node7", attrs, [0])))
    assert measured.seconds < 1
    assert "node7" in str(caught.value) and len(str(caught.value)) < 8000


def test_a_node_holds_graphs_only_if_its_operator_runs_them():
    inner = json.loads(graph_of(variable()))
    node = {"op": "relu", "name": "y", "inputs": [[0, 0, 0]], "subgraphs": [inner]}
    text = json.dumps({"nodes": [inner["nodes"][0], node], "arg_nodes": [0], "heads": [[1, 0, 0]]})
    with pytest.raises(MXNetError, match="the operator takes no subgraphs, but the node has 1"):
        sym.load_json(text)


def test_numbers_of_numpy_in_a_shape_are_written_as_numbers():
    symbol = sym.reshape(sym.var("x"), shape=tuple(numpy.array([3, -1])), name="turned")
    assert symbol.attr_dict()["turned"]["shape"] == "(3, -1)"
    assert sym.load_json(symbol.tojson()).tojson() == symbol.tojson()


# Graphs that are small in the file and large in memory -------------------------------------------------


def doubled(times):
    y = sym.var("data")
    for i in range(times):
        y = sym.concat(y, y, dim=0, name=f"twice{i}")
    return y


def test_the_memory_of_a_graph_is_estimated_before_it_runs(tmp_path):
    doubled(40).save(str(tmp_path / "net-symbol.json"))
    net = gluon.SymbolBlock.imports(str(tmp_path / "net-symbol.json"), "data")
    tracemalloc.start()
    with pytest.raises(MXNetError, match="the graph, whose largest value is that of 'twice39', needs about") as caught:
        net(nd.ones((1, 10)))
    assert tracemalloc.get_traced_memory()[1] < 10_000_000
    tracemalloc.stop()
    assert any("limits(memory=2**" in note for note in caught.value.__notes__)
    with pytest.raises(MXNetError, match="Failed to allocate CPU Memory"):
        doubled(40).eval(data=nd.ones((1, 10)))
    assert doubled(5).eval(data=nd.ones((1, 10)))[0].shape == (32, 10)


def test_whoever_knows_better_allows_more_memory():
    with limits(memory=2000), pytest.raises(MXNetError, match=r"needs about 3.75 KiB"):
        doubled(6).eval(data=nd.ones((1, 10)))
    with limits(memory=4000):
        assert doubled(6).eval(data=nd.ones((1, 10)))[0].shape == (64, 10)


def test_a_long_chain_needs_the_memory_of_its_longest_lived_values_only():
    x = sym.var("x")
    y = x
    for _ in range(20):
        y = sym.dot(sym.sigmoid(sym.tanh(y)), y)
    with limits(memory=4 * 64 * 64 * 3):
        y.eval(x=nd.ones((64, 64)) / 64)


def test_the_estimate_is_no_more_than_what_a_net_takes():
    net = gluon.model_zoo.vision.resnet18_v1()
    net.initialize()
    net.hybridize()
    x = nd.ones((2, 3, 64, 64))
    net(x)
    graph = net.programs[0].stages[0].graph
    from d2lhybrid.internals.core.footprint import least_bytes

    least = least_bytes(graph.nodes, graph.outputs, lambda node, i: graph.types[node, i].nbytes)
    net.hybridize(static_alloc=False)
    net(x)
    tracemalloc.start()
    net(x)
    assert least <= tracemalloc.get_traced_memory()[1] < 20 * least
    tracemalloc.stop()


# Parameters --------------------------------------------------------------------------------------------


def sparse_file(*shapes):
    arrays = [
        SavedArray(numpy.ones((1, 1), "float32"), storage="row_sparse", aux=(numpy.array([0]),), shape=(n, 1))
        for n in shapes
    ]
    return to_bytes(arrays)


def test_a_sparse_file_does_not_become_gigabytes(tmp_path):
    data = sparse_file(380_000_000)
    assert len(data) < 140
    (tmp_path / "x.params").write_bytes(data)
    with pytest.raises(MXNetError, match=r"1.42 GiB or more, but the file stores only 12 bytes") as caught:
        nd.load(str(tmp_path / "x.params"))
    assert "limits(expansion=2**31)" in caught.value.__notes__[0]


def test_many_sparse_arrays_count_together():
    with limits(expansion=10_000), pytest.raises(MXNetError, match="the dense form of the file's sparse arrays needs"):
        nd.load_frombuffer(sparse_file(*[1000] * 5))
    with limits(expansion=20_000):
        assert [a.shape for a in nd.load_frombuffer(sparse_file(*[1000] * 5))] == [(1000, 1)] * 5


# Data sets ---------------------------------------------------------------------------------------------


def idx(*shape, content=b""):
    return struct.pack(f">4B{len(shape)}I", 0, 0, 8, len(shape), *shape) + content


def write_mnist(folder, images, labels, packed=gzip.compress):
    (folder / "train-images-idx3-ubyte.gz").write_bytes(packed(images))
    (folder / "train-labels-idx1-ubyte.gz").write_bytes(packed(labels))


GOOD = gzip.compress(idx(2, 3, 3, content=bytes(18)))
BAD_PACKED = {
    "cut": GOOD[:-9],
    "no gzip": b"hello",
    "empty": b"",
    "changed": GOOD[:12] + b"\xff\xff\xff" + GOOD[15:],
    "wrong sum": GOOD[:-8] + b"\0\0\0\0" + GOOD[-4:],
    "too short": gzip.compress(idx(2, 3, 3, content=bytes(17))),
    "too long": gzip.compress(idx(2, 3, 3, content=bytes(19))),
    "beyond all memory": gzip.compress(idx(2**32 - 1, 2**32 - 1, 2**32 - 1)),
    "255 dimensions": gzip.compress(idx(*[1] * 255)),
}


@pytest.mark.parametrize("case", BAD_PACKED)
def test_damaged_packed_images_are_refused(case, tmp_path):
    write_mnist(tmp_path, BAD_PACKED[case], gzip.compress(idx(2, content=bytes(2))), packed=bytes)
    with pytest.raises(MXNetError, match=r"train-images-idx3-ubyte.gz"):
        vision.MNIST(str(tmp_path))


def test_packed_images_are_no_bomb(tmp_path):
    bomb = gzip.compress(idx(600_000, 28, 28) + bytes(400_000_000), 1)
    (tmp_path / "train-images-idx3-ubyte.gz").write_bytes(bomb)
    (tmp_path / "train-labels-idx1-ubyte.gz").write_bytes(GOOD)
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    with limits(expansion=2**25, expansion_ratio=1), pytest.raises(MXNetError, match=r'gz" needs 32 MiB or more'):
        vision.MNIST(str(tmp_path))
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 150_000
    write_mnist(tmp_path, idx(2, 3, 3, content=bytes(18)), idx(2, content=bytes(2)))
    assert vision.MNIST(str(tmp_path))[1][0].shape == (3, 3, 1)


def write_cifar(folder, data):
    (folder / "cifar-10-binary.tar.gz").write_bytes(data)


def archive(*members):
    stream = io.BytesIO()
    with tarfile.open(fileobj=stream, mode="w:gz") as tar:
        for name, content in members:
            info = tarfile.TarInfo(name)
            info.size = len(content)
            tar.addfile(info, io.BytesIO(content))
    return stream.getvalue()


def test_damaged_archives_are_refused(tmp_path):
    good = archive(("cifar/test_batch.bin", bytes(3073 * 2)))
    write_cifar(tmp_path, good)
    assert len(vision.CIFAR10(str(tmp_path), train=False)) == 2
    for data in (good[: len(good) // 2], b"hello", gzip.compress(b"hello" * 1000), gzip.compress(b"\xff" * 5000)):
        write_cifar(tmp_path, data)
        with pytest.raises((MXNetError, FileNotFoundError), match=r"cifar-10-binary.tar.gz"):
            vision.CIFAR10(str(tmp_path), train=False)
    write_cifar(tmp_path, archive(("test_batch.bin", bytes(3000))))
    with pytest.raises(MXNetError, match=r"'test_batch.bin' in .* does not have the format of CIFAR10"):
        vision.CIFAR10(str(tmp_path), train=False)
    write_cifar(tmp_path, archive(("test_batch.bin", bytes(3073 * 3000))))
    with limits(expansion=2**20), pytest.raises(MXNetError, match=r'the content of ".*" needs 1'):
        vision.CIFAR10(str(tmp_path), train=False)


# States of optimizers ----------------------------------------------------------------------------------


class Schedule(mx.lr_scheduler.LRScheduler):
    def __call__(self, num_update):
        return 0.5


class Stranger:
    pass


def trained(optimizer, **options):
    net = nn.Dense(2, in_units=3)
    net.initialize()
    trainer = gluon.Trainer(net.collect_params(), optimizer, options)
    for _ in range(2):
        with mx.autograd.record():
            loss = net(nd.ones((1, 3))).sum()
        loss.backward()
        trainer.step(1)
    return net, trainer


@pytest.mark.parametrize("protocol", range(2, 6))
@pytest.mark.parametrize("name", ["sgd", "adam", "nadam", "ftml", "lamb", "dcasgd", "adagrad", "sgld"])
def test_honest_states_of_every_protocol_are_read(name, protocol):
    _, trainer = trained(name, lr_scheduler=Schedule(0.1))
    updater = trainer._updaters[0]
    states, optimizer = read_states(pickle.dumps((updater.states, updater.optimizer), protocol))
    assert type(optimizer) is type(updater.optimizer) and isinstance(optimizer.lr_scheduler, Schedule)
    assert optimizer.__getstate__().keys() == updater.optimizer.__getstate__().keys()

    def same(a, b):
        if isinstance(a, list | tuple):
            return type(a) is type(b) and len(a) == len(b) and all(map(same, a, b))
        if isinstance(a, nd.NDArray):
            return type(a) is type(b) and a.dtype == b.dtype and (a.asnumpy() == b.asnumpy()).all()
        return a == b

    assert states.keys() == updater.states.keys()
    assert all(same(states[key], updater.states[key]) for key in states)


def test_states_of_numpy_arrays_and_scalars_are_read():
    value = {"a": numpy.arange(6, dtype=">i4").reshape(2, 3), "b": [numpy.float64(2.5), {1, 2}], "c": 10**12}
    for protocol in range(2, 6):
        again = read_states(pickle.dumps(value, protocol))
        assert again["a"].tolist() == value["a"].tolist() and again["b"] == value["b"] and again["c"] == value["c"]


class Running:
    def __reduce__(self):
        return print, ("this must not be printed",)


def deep_key(levels):
    key = ()
    for _ in range(levels):
        key = (key, key)
    return key


def nested(levels):
    value = []
    for _ in range(levels):
        value = [value]
    return pickle.dumps({0: None})[:-2] + b"]" * levels + b"a" * (levels - 1) + b"s."


BAD_STATES = {
    "a function": (pickle.dumps(Running()), "names builtins.print"),
    "a function, first protocol": (b"cos\nsystem\n(S'ls'\ntR.", "names os.system"),
    "a function of ours": (pickle.dumps({0: mx.nd.load}), "names d2lhybrid"),
    "a module that is not loaded": (b"\x80\x04\x8c\x04this\x8c\x01s\x93.", "names this.s"),
    "an object": (pickle.dumps(Stranger()), "names test_hostile_files.Stranger|names tests"),
    "a stand-in": (pickle.dumps({0: numpy.ndarray}), "it contains a function"),
    "no states": (pickle.dumps([1]), "contains no dictionary of states"),
    "no optimizer": (pickle.dumps(({}, 3)), "contains no dictionary of states"),
    "nothing": (b"", "not a file of optimizer states"),
    "cut": (pickle.dumps({0: numpy.ones(100)})[:-50], "not a file of optimizer states"),
    "a key that takes for ever": (pickle.dumps({0: 1})[:-1] + b"0)" + b"\x94h\x05\x86" * 60 + b".", "not a file"),
    "memory numbers": (b"\x80\x02Nr\xff\xff\xff\xff.", "contains no dictionary of states"),
    "a length": (b"\x80\x05\x96" + struct.pack("<Q", 2**40) + b"a.", "not a file of optimizer states"),
    "an array of a terabyte": (pickle.dumps(numpy.ones(3)).replace(b"K\x03\x85", b"J\xff\xff\xff\x7f\x85"), "not a"),
    "an array of objects": (pickle.dumps(numpy.array([Stranger(), None])), "not a file of optimizer states"),
    "deep": (b"\x80\x04" + b"]" * 100_000 + b"a" * 99_999 + b".", "not a file of optimizer states"),
}


@pytest.mark.parametrize("case", BAD_STATES)
def test_hostile_states_are_refused(case, capfd):
    data, message = BAD_STATES[case]
    tracemalloc.start()
    with pytest.raises(MXNetError, match=message):
        read_states(data)
    assert tracemalloc.get_traced_memory()[1] < 100_000_000
    tracemalloc.stop()
    assert capfd.readouterr().out == ""


def test_a_key_of_nested_tuples_is_refused():
    with pytest.raises(MXNetError, match="it contains a dictionary key of type tuple"):
        read_states(pickle.dumps({deep_key(3): 1}))


def test_a_trainer_reads_no_hostile_states(tmp_path, capfd):
    _, trainer = trained("adam")
    (tmp_path / "states").write_bytes(pickle.dumps(({0: Running()}, trainer.optimizer)))
    before = trainer._updaters[0].states
    with pytest.raises(MXNetError, match="not a file of optimizer states"):
        trainer.load_states(str(tmp_path / "states"))
    assert trainer._updaters[0].states is before and capfd.readouterr().out == ""
    with limits(trusted_pickles=True), pytest.raises(MXNetError, match="no dictionary of states"):
        read_states(pickle.dumps(Running()))
    assert "this must not be printed" in capfd.readouterr().out


def without(name):
    return lambda states, optimizer: vars(optimizer).pop(name)


def with_(name, value):
    return lambda states, optimizer: setattr(optimizer, name, value)


def of_weight_0(change):
    return lambda states, optimizer: states.update({0: change(states[0])})


# What is done to honest states of Adam with a schedule, and what the error says of it.
STATES_THAT_DO_NOT_FIT = {
    "no rate of decay": (without("beta2"), "beta2 of Adam is missing"),
    "a number is a text": (with_("epsilon", "x"), "epsilon of Adam is 'x', but should be a number"),
    "a number is an array": (with_("clip_gradient", nd.ones((3,))), "clip_gradient of Adam is a float32 array"),
    "no schedule at all": (with_("lr_scheduler", 5), "lr_scheduler of Adam is 5, but should be None or an LRScheduler"),
    "a count of nothing": (with_("_all_index_update_counts", {0: {0: "a"}}), "_all_index_update_counts of Adam"),
    "an impossible number": (with_("beta2", 1e300), "Adam cannot update weight 0"),
    "a schedule of steps of 0": (
        lambda states, optimizer: vars(optimizer.lr_scheduler).update(step=0), "FactorScheduler cannot be created with"
    ),
    "a schedule without steps": (
        lambda states, optimizer: vars(optimizer.lr_scheduler).pop("step"), "step of FactorScheduler is missing"
    ),
    "a schedule without a count": (
        lambda states, optimizer: vars(optimizer.lr_scheduler).pop("count"), "count of FactorScheduler is missing"
    ),
    "one state of two": (
        of_weight_0(lambda state: state[:1]), "weight 0 is a tuple of 1 part, but should be a tuple of 2 parts"
    ),
    "no state": (of_weight_0(lambda state: None), "the state of weight 0 is None"),
    "a state of another shape": (
        of_weight_0(lambda state: (state[0], nd.ones((7,)))), r"part 1 of the state of weight 0 is a .* of shape \(7,\)"
    ),
    "a state of integers": (of_weight_0(lambda state: (state[0].astype("int32"), state[1])), "is an int32 array"),
    "a state of nobody": (
        lambda states, optimizer: states.update({7: states.pop(1)}),
        "they contain the parameter index 7, but the trainer has only 2 parameters",
    ),
}  # fmt: skip


@pytest.mark.parametrize("case", STATES_THAT_DO_NOT_FIT)
def test_states_that_do_not_fit_are_refused_when_they_are_loaded(case, tmp_path):
    change, message = STATES_THAT_DO_NOT_FIT[case]
    net, trainer = trained("adam", lr_scheduler=mx.lr_scheduler.FactorScheduler(2, 0.5))
    states, optimizer = read_states(trainer._updaters[0].get_states(dump_optimizer=True))
    change(states, optimizer)
    (tmp_path / "states").write_bytes(pickle.dumps((states, optimizer)))
    before = trainer._updaters[0].states, trainer.optimizer, [p.data().asnumpy() for p in trainer._params]
    with pytest.raises(MXNetError, match=f"the states do not match this (optimizer|trainer): .*{message}"):
        trainer.load_states(str(tmp_path / "states"))
    assert trainer._updaters[0].states is before[0] and trainer.optimizer is before[1]
    for parameter, value in zip(trainer._params, before[2], strict=True):
        numpy.testing.assert_array_equal(parameter.data().asnumpy(), value)
    with mx.autograd.record():
        loss = net(nd.ones((1, 3))).sum()
    loss.backward()
    trainer.step(1)


def test_states_of_a_module_that_do_not_fit_are_refused_by_name(tmp_path):
    updater = mx.optimizer.get_updater(mx.optimizer.create("adam"))
    updater.set_states(pickle.dumps({0: (nd.ones((2,)), nd.ones((3,)))}))
    weight = nd.ones((2,))
    with pytest.raises(MXNetError, match="part 1 of the state of weight 0"):
        updater(0, nd.ones((2,)), weight)
    numpy.testing.assert_array_equal(weight.asnumpy(), [1, 1])


def test_momentum_that_was_switched_on_or_off_is_loaded(tmp_path):
    for before, after in ((0.0, 0.9), (0.9, 0.0)):
        _, trainer = trained("sgd", momentum=before)
        vars(trainer.optimizer)["momentum"] = after
        trainer.save_states(str(tmp_path / "states"))
        trainer.load_states(str(tmp_path / "states"))
        assert (trainer._updaters[0].states[0] is None) == (before == 0)


def test_a_schedule_that_is_far_behind_comes_along_at_once():
    near, far = (mx.lr_scheduler.FactorScheduler(3, factor, base_lr=1.0) for factor in (0.5, 1))
    assert near(2**62) == near.stop_factor_lr and far(2**62) == 1.0
    exact = mx.lr_scheduler.FactorScheduler(3, 0.5, stop_factor_lr=0.1, base_lr=1.0)
    assert [exact(i) for i in (3, 4, 7, 10, 13, 14, 2**62, 2**62 + 9)] == [1, 0.5, 0.25, 0.125, 0.1, 0.1, 0.1, 0.1]


# Parameters of blocks --------------------------------------------------------------------------------


def test_parameters_that_are_not_those_of_the_net_are_an_mxnet_error(tmp_path):
    """As in MXNet they are an AssertionError or a ValueError, too."""
    net = nn.Dense(2, in_units=3, prefix="n_")
    net.initialize()
    name = str(tmp_path / "a.params")
    for content, kind in (
        ({"weight": nd.ones((2, 3))}, AssertionError),
        ({"weight": nd.ones((2, 4)), "bias": nd.ones((2,))}, AssertionError),
        ({"weight": nd.ones((2, 3), dtype="int32"), "bias": nd.ones((2,))}, AssertionError),
        ([nd.ones((2, 3))], ValueError),
    ):
        nd.save(name, content)
        for load in (net.load_parameters, lambda file: net.collect_params().load(file, restore_prefix="n_")):
            with pytest.raises(MXNetError) as caught:
                load(name)
            assert isinstance(caught.value, kind)
    nd.save(name, {"a.weight": nd.ones((2, 3)), "weight": nd.ones((2, 3)), "bias": nd.ones((2,))})
    with pytest.raises(MXNetError, match="is not present") as caught:
        net.load_parameters(name)
    assert isinstance(caught.value, ValueError)


def test_an_index_that_points_behind_the_last_record_is_refused(tmp_path):
    writer = recordio.MXIndexedRecordIO(str(tmp_path / "a.idx"), str(tmp_path / "a.rec"), "w")
    writer.write_idx(0, b"abc")
    writer.close()
    (tmp_path / "a.idx").write_text(f"0\t{(tmp_path / 'a.rec').stat().st_size}\n")
    with pytest.raises(MXNetError, match=r"places record 0 at the end"):
        gluon.data.RecordFileDataset(str(tmp_path / "a.rec"))[0]


# Notebooks ---------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("content", "problem"),
    [
        (b"", "the file is empty"),
        (b"[" * 1_000_000, "this is not a notebook"),
        (b'{"cells": [{"source": "\\ud800", "cell_type": "code"}]}', ""),
        (b'{"cells": ' + b"9" * 10_000 + b"}", "this is not a notebook"),
        (b"\xff\xfe", "the file is empty"),
        (b" " * 20_000_001, "the file is empty"),
        (b"{" + b" " * 20_000_001, "larger than 20 MB"),
    ],
)
def test_hostile_notebooks_are_no_submissions(content, problem, tmp_path):
    (tmp_path / "a.ipynb").write_bytes(content)
    assert problem in read_submission(tmp_path / "a.ipynb").problem


def test_a_pipe_is_no_submission(tmp_path):
    import os

    os.mkfifo(tmp_path / "a.ipynb")
    assert "Not a regular file" in read_submission(tmp_path / "a.ipynb").problem
    assert "No such file" in read_submission(tmp_path / "b.ipynb").problem


# The limits --------------------------------------------------------------------------------------------


def test_limits_are_for_a_while_and_checked():
    with limits(nodes=5, seconds=2):
        assert (limits.nodes, limits.seconds) == (5, 2)
    assert (limits.nodes, limits.seconds) == (200_000, 60)
    with pytest.raises(TypeError, match="The limits are nodes, graph_bytes"):
        limits(node=5)
    with pytest.raises(ValueError, match="nodes must be positive"):
        limits(nodes=0)
    assert 2**28 < machine_memory() < 2**60
    assert format_bytes(2**90).startswith("more than")


@pytest.mark.parametrize("text", ["[", "[" * 60_000, '["zero"]', '["zero", 3]', "{", "{}" + " " * 70_000, "[1, 2, 3]"])
def test_an_initializer_in_a_file_is_read_with_care(text):
    with pytest.raises(MXNetError, match="no object can be created from"):
        mx.init.create(text)


@pytest.mark.parametrize("text", ["fast", "9" * 1_000_000, "1e999"])
def test_a_factor_in_a_file_is_read_with_care(text):
    y = sym.FullyConnected(sym.var("x"), sym.var("w", attr={"__lr_mult__": text}), num_hidden=1, no_bias=True)
    with pytest.raises(MXNetError, match="Invalid attribute __lr_mult__ of 'w'"):
        mx.optimizer.SGD(sym=y, param_idx2name={0: "w"})
