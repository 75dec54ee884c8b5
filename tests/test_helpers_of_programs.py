"""Private names and old modules of MXNet, on which people build modules, iterators, cells, layers and data sets."""

import logging
import types

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import executor_manager, gluon, misc, nd, sym
from d2lhybrid.contrib.tensorboard import LogMetricsCallback
from d2lhybrid.gluon import rnn
from d2lhybrid.gluon.data import dataset
from d2lhybrid.gluon.data.vision import datasets
from d2lhybrid.gluon.nn import basic_layers, conv_layers
from d2lhybrid.gluon.rnn import rnn_cell
from d2lhybrid.module import base_module, executor_group


def dense(bias: bool = True) -> sym.Symbol:
    net = sym.FullyConnected(sym.var("data"), num_hidden=2, name="fc", no_bias=not bias)
    return sym.LinearRegressionOutput(net, sym.var("label"), name="out")


def test_a_module_of_ones_own_trains_as_ours_does():
    """The steps of the modules of the detection programs, with MXNet's keywords."""
    x, y = nd.array([[1.0, 2.0], [3.0, 5.0]]), nd.array([[1.0, 0.0], [0.0, 1.0]])
    theirs = mx.mod.Module(dense(), ["data"], ["label"])
    theirs.bind([("data", (2, 2))], [("label", (2, 2))])
    theirs.init_params(mx.init.One())
    theirs.init_optimizer(optimizer="sgd", optimizer_params={"learning_rate": 0.5, "momentum": 0.9})
    weights, gradients = [[nd.ones((2, 2))], [nd.zeros(2)]], [[nd.zeros((2, 2))], [nd.zeros(2)]]
    names = ["fc_weight", "fc_bias"]
    values = {name: w[0].copy() for name, w in zip(names, weights, strict=True)}
    executor = dense().bind(
        mx.cpu(), {"data": x, "label": y, **{n: w[0] for n, w in zip(names, weights, strict=True)}},
        {n: g[0] for n, g in zip(names, gradients, strict=True)},
    )  # fmt: skip
    store, on_store = mx.model._create_kvstore("device", 1, values)
    assert (store, on_store) == (None, False)
    optimizer = mx.optimizer.create("sgd", learning_rate=0.5, momentum=0.9, rescale_grad=0.5)
    updater = mx.optimizer.get_updater(optimizer)
    kept = mx.kv.create("local")
    mx.model._initialize_kvstore(
        kvstore=kept, param_arrays=[[w[0].copy()] for w in weights], arg_params=values, param_names=names,
        update_on_kvstore=True,
    )  # fmt: skip
    kept.set_optimizer(mx.optimizer.create("sgd", learning_rate=0.5, momentum=0.9, rescale_grad=0.5))
    on_kept = [[w[0].copy()] for w in weights]
    for _ in range(3):
        theirs.forward_backward(mx.io.DataBatch([x], [y]))
        theirs.update()
        executor.forward(is_train=True)
        executor.backward()
        mx.model._update_params(weights, gradients, updater=updater, num_device=1, kvstore=store, param_names=names)
        mx.model._update_params_on_kvstore(on_kept, gradients, kept, names)
    for name, ours, stored in zip(names, weights, on_kept, strict=True):
        expected = theirs.get_params()[0][name].asnumpy()
        assert (ours[0].asnumpy() == expected).all()
        assert (stored[0].asnumpy() == expected).all()


def test_descriptions_and_names_are_checked_as_in_a_module():
    data, labels = base_module._parse_data_desc(["x"], ["y"], [("x", (2, 3))], [mx.io.DataDesc("y", (2,))])
    assert [d.shape for d in [*data, *labels]] == [(2, 3), (2,)]
    with pytest.raises(ValueError, match="Data provided by data_shapes don't match names"):
        base_module._parse_data_desc(["z"], None, [("x", (2, 3))], None)
    with pytest.raises(ValueError, match="Did you mean one of"):
        base_module._check_input_names(dense(), ["nothing"], "data", True)
    with pytest.warns(UserWarning, match="input with name 'nothing'"):
        base_module._check_input_names(dense(), ["nothing"], typename="label", throw=False)
    base_module._check_names_match(["x"], [("x", (1,))], "data", True)
    assert base_module._as_list(1) == [1]


def test_a_batch_is_divided_among_devices():
    assert executor_manager._split_input_slice(5, [1, 1]) == [slice(0, 2), slice(2, 5)]
    assert executor_group._split_input_slice(6, [1, 2]) == [slice(0, 2), slice(2, 6)]
    with pytest.raises(ValueError, match="Too many slices"):
        executor_manager._split_input_slice(1, [1, 1, 1])
    halves = [nd.zeros((2, 2)), nd.zeros((3, 2))]
    whole, batch = nd.zeros((5,)), mx.io.DataBatch([nd.arange(10).reshape((5, 2))], [nd.arange(5)])
    executor_manager._load_data(batch, [[(slice(0, 2), halves[0]), (slice(2, 5), halves[1])]])
    executor_manager._load_label(batch, [whole])
    assert (nd.concat(*halves, dim=0).asnumpy() == batch.data[0].asnumpy()).all()
    assert whole.asnumpy().tolist() == [0, 1, 2, 3, 4]
    with pytest.raises(AssertionError, match=r"Batch size miss match\. Expected 4, got 5"):
        executor_manager._load_data(batch, [[(slice(0, 4), halves[0])]])
    [merged] = executor_group._merge_multi_context([halves], [0])
    assert merged.shape == (5, 2)
    executor_manager._check_arguments(dense())
    with pytest.raises(ValueError, match='Find duplicated argument name "x"'):
        executor_manager._check_arguments(sym.var("x") + sym.var("x"))


class Doubling(rnn.HybridRecurrentCell):
    """A cell with an ``unroll`` of its own, as programs write it."""

    def state_info(self, batch_size=0):
        return [{"shape": (batch_size, 2), "__layout__": "NC"}]

    def hybrid_forward(self, F, inputs, states):
        out = inputs + states[0]
        return out, [out]

    def unroll(self, length, inputs, begin_state=None, layout="NTC", merge_outputs=None, valid_length=None):
        self.reset()
        inputs, axis, F, batch_size = rnn_cell._format_sequence(length, inputs, layout, False)
        states, outputs = rnn_cell._get_begin_state(self, F, begin_state, inputs, batch_size), []
        for i in range(length):
            output, states = self(inputs[i], states)
            outputs.append(output)
        if valid_length is not None:
            outputs = rnn_cell._mask_sequence_variable_length(F, outputs, length, valid_length, axis, True)
        outputs, *_ = rnn_cell._format_sequence(length, outputs, layout, merge_outputs)
        return outputs, states


def test_a_cell_with_an_unroll_of_its_own():
    cell = Doubling()
    x = nd.ones((2, 3, 2))
    outputs, _ = cell.unroll(3, x, merge_outputs=True, valid_length=nd.array([1, 3]))
    assert outputs[:, :, 0].asnumpy().tolist() == [[1, 0, 0], [1, 2, 3]]
    symbols, _ = cell.unroll(3, sym.var("x"), merge_outputs=True)
    assert symbols.infer_shape(x=(2, 3, 2))[1] == [(2, 3, 2)]
    assert rnn_cell._cells_state_info([cell, cell], 4) == [cell.state_info(4)[0]] * 2
    assert [s.shape for s in rnn_cell._cells_begin_state([cell, cell], batch_size=4)] == [(4, 2)] * 2


def test_a_sequence_from_one_layout_into_another():
    x = nd.arange(12).reshape((2, 3, 2))
    steps, axis, F, _ = rnn_cell._format_sequence(3, x, "TNC", False, in_layout="NTC")
    assert (len(steps), steps[0].shape, axis, F) == (3, (2, 2), 0, nd)
    whole, *_ = rnn_cell._format_sequence(3, x, "TNC", None, in_layout="NTC")
    assert (whole.asnumpy() == x.asnumpy().swapaxes(0, 1)).all()


@pytest.mark.parametrize("valid", [None, [1, 2]])
def test_steps_in_the_other_direction(valid):
    steps = [nd.array([[float(i)], [10.0 + i]]) for i in range(2)]
    lengths = None if valid is None else nd.array(valid)
    turned = rnn_cell._reverse_sequences(steps, 2, lengths)
    first = [[1.0], [11.0]] if valid is None else [[0.0], [11.0]]
    assert (len(turned), turned[0].asnumpy().tolist()) == (2, first)


def test_layers_below_the_private_ones():
    class Squares(conv_layers._Pooling):
        def __init__(self, size, layout="NCHW", **kwargs):
            super().__init__((size, size), None, 0, False, False, "max", layout, **kwargs)

    layer = Squares(2)
    assert repr(layer) == (
        "Squares(size=(2, 2), stride=(2, 2), padding=(0, 0), ceil_mode=False, global_pool=False, pool_type=max, "
        "layout=NCHW)"
    )
    assert layer(nd.arange(16).reshape((1, 1, 4, 4))).asnumpy().ravel().tolist() == [5, 7, 13, 15]
    assert issubclass(gluon.nn.BatchNorm, basic_layers._BatchNorm)
    settings = {"kernel": (3, 3), "num_filter": 8, "num_group": 2}
    assert conv_layers._infer_weight_shape("Convolution", (1, 4, 9, 9), settings) == [(1, 4, 9, 9), (8, 2, 3, 3), (8,)]
    with mx.util.np_array(True):
        named = conv_layers._infer_weight_shape("convolution", (1, 4, 9, 9), settings)
    assert named[1] == (8, 2, 3, 3)


def test_a_data_set_of_ones_own(tmp_path):
    class Squares(datasets.dataset._DownloadedDataset):
        def __init__(self, root, count, transform=None):
            self._count = count
            super().__init__(root, transform)

        def _get_data(self):
            self._label = numpy.arange(self._count)
            self._data = nd.array(self._label**2)

    plain = Squares(str(tmp_path / "a" / "b"), 3)
    assert (tmp_path / "a" / "b").is_dir()
    assert (len(plain), plain[2][0].asscalar(), plain[2][1]) == (3, 4, 2)
    assert Squares(str(tmp_path), 3, transform=lambda x, y: y + 1)[2] == 3
    assert datasets.dataset is dataset
    with pytest.raises(NotImplementedError):
        dataset._DownloadedDataset(str(tmp_path), None)


def test_the_folder_of_data(monkeypatch):
    monkeypatch.setenv("MXNET_HOME", "/somewhere")
    assert mx.base.data_dir() == "/somewhere"
    monkeypatch.delenv("MXNET_HOME")
    assert mx.base.data_dir() == mx.base.data_dir_default()


def test_schedules_of_old(caplog):
    schedule = misc.FactorScheduler(2, 0.5)
    schedule.base_lr = 4.0
    with caplog.at_level(logging.INFO):
        assert [schedule(i) for i in range(5)] == [4, 4, 2, 2, 1]
    assert caplog.messages == [f"At Iteration [{i}]: Swith to new learning rate {r:.5f}" for i, r in [(2, 2), (4, 1)]]
    with pytest.raises(ValueError, match="Factor must be less than 1"):
        misc.FactorScheduler(2, 1.0)
    with pytest.raises(ValueError, match="Schedule step"):
        misc.FactorScheduler(0)
    with pytest.raises(NotImplementedError):
        misc.LearningRateScheduler()(1)


def test_metrics_for_tensorboard(monkeypatch, caplog):
    written = []

    class SummaryWriter:
        def __init__(self, folder):
            written.append(folder)

        def add_scalar(self, name, value, global_step):
            written.append((name, value, global_step))

    monkeypatch.setitem(__import__("sys").modules, "mxboard", types.SimpleNamespace(SummaryWriter=SummaryWriter))
    metric = mx.metric.Loss()
    metric.update(None, nd.array([2.0]))
    callback = LogMetricsCallback("logs", prefix="train")
    callback(types.SimpleNamespace(eval_metric=metric, epoch=7))
    callback(types.SimpleNamespace(eval_metric=None, epoch=8))
    assert written == ["logs", ("train-loss", 2.0, 7)]
    monkeypatch.setitem(__import__("sys").modules, "mxboard", None)
    assert LogMetricsCallback("logs").prefix is None
    assert caplog.messages == ["You can install mxboard via `pip install mxboard`."]


@pytest.mark.parametrize("name", ["MKLDNN", "MKLDNN_QUANTIZE"])
def test_mxnets_names_of_its_backends(name):
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize()
    x = nd.ones((1, 3))
    expected = net(x).asnumpy()
    net.optimize_for(x, backend=name)
    assert numpy.allclose(net(x).asnumpy(), expected, atol=1e-6)


def test_initializers_are_asked_for_single_patterns():
    """As programs fill the layers that upsample."""
    start = mx.init.Initializer()
    weight, bias = nd.zeros((2, 1, 4, 4)), nd.ones(6)
    start._init_bilinear("upsampling_weight", weight)
    expected = nd.zeros((2, 1, 4, 4))
    mx.init.Bilinear()._init_weight("upsampling_weight", expected)
    assert (weight.asnumpy() == expected.asnumpy()).all()
    start._init_loc_bias("stn_loc_bias", bias)
    assert bias.asnumpy().tolist() == [1, 0, 0, 0, 1, 0]

    class Mine(mx.init.Xavier):
        def _init_bilinear(self, name, arr):
            arr[:] = 7

    with pytest.warns(DeprecationWarning):
        Mine()("upsampling8_weight", weight)
    assert (weight.asnumpy() == 7).all()


def test_data_sets_below_the_known_ones(tmp_path):
    class Letters(datasets.MNIST):
        def __init__(self, root, train=True, transform=None):
            super().__init__(root, train, transform)

        def _get_data(self):
            self._data = nd.arange(8).reshape((4, 1, 2, 1))
            self._label = numpy.arange(4)

    letters = Letters(str(tmp_path))
    assert isinstance(letters, dataset._DownloadedDataset)
    assert (len(letters), letters[3][1]) == (4, 3)
    batches = list(gluon.data.DataLoader(letters, 3))
    assert [b[0].shape for b in batches] == [(3, 1, 2, 1), (1, 1, 2, 1)]

    class Listed(datasets.ImageFolderDataset):
        def _list_images(self, root):
            self.synsets, self.items = ["only"], [(f"{root}/a.png", 0)]

    assert Listed(str(tmp_path)).items == [(f"{tmp_path}/a.png", 0)]
