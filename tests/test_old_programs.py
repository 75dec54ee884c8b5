"""Arguments that are ignored for programs of MXNet, after ``as_mxnet()``: with a warning, and for them alone."""

import hashlib
import json
import pickle
import subprocess
import sys
import warnings
from multiprocessing.pool import ThreadPool

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym
from d2lhybrid.gluon import nn
from d2lhybrid.gluon.data import ArrayDataset, BatchSampler, SequentialSampler
from d2lhybrid.gluon.data.dataloader import ForkingPickler, _as_in_context, _MultiWorkerIter, default_batchify_fn
from d2lhybrid.gluon.loss import _apply_weighting, _reshape_like
from d2lhybrid.gluon.model_zoo import model_store
from d2lhybrid.gluon.utils import _get_repo_file_url
from d2lhybrid.internals.support.mxnet_compatibility import OldPrograms

PASSED_OVER = "attribute [a-z_]+, which is ignored, as in MXNet|attributes axis, foo, which are ignored, as in MXNet"


@pytest.fixture
def served(monkeypatch):
    monkeypatch.setattr(OldPrograms, "served", True)


def test_the_switch_is_set_by_as_mxnet_alone():
    program = (
        "import warnings; warnings.simplefilter('error')\n"
        "import d2lhybrid\n"
        "from d2lhybrid.internals.support.mxnet_compatibility import OldPrograms\n"
        "print(OldPrograms.served); d2lhybrid.as_mxnet(); print(OldPrograms.served)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["False", "True"]


# --- settings of operators without settings ------------------------------------------------------


@pytest.mark.parametrize(
    ("call", "expected"),
    [
        (lambda x: nd.zeros_like(x, dtype="float16"), [0, 0]),
        (lambda x: x.zeros_like(dtype="float16"), [0, 0]),
        (lambda x: nd.broadcast_mul(x, x, axis=-1), [1, 4]),
        (lambda x: nd.broadcast_maximum(x, x, axis=1, foo="bar"), [1, 2]),
        (lambda x: nd.relu(data=x, act_type="tanh"), [1, 2]),
    ],
)
def test_a_setting_that_there_is_not_is_passed_over(served, call, expected):
    x = nd.array([1.0, 2.0])
    with pytest.warns(UserWarning, match=PASSED_OVER) as told:
        y = call(x)
    assert y.dtype == numpy.float32
    assert y.asnumpy().tolist() == expected
    assert [w.filename for w in told] == [__file__]
    OldPrograms.served = False
    with pytest.raises(mx.MXNetError, match="Cannot find argument"):
        call(x)


@pytest.mark.parametrize(
    "call",
    [
        lambda x: nd.Activation(x, act_type="relu", foo=1),
        lambda x: nd.softmax(x, axes=1),
        lambda x: nd.concat(x, x, dim=0, axis=1),
        lambda x: nd.add_n(x, x, axis=1),
    ],
)
def test_operators_with_settings_still_refuse_others(served, call):
    with pytest.raises(mx.MXNetError, match="Cannot find argument"):
        call(nd.ones((2, 2)))


def test_a_graph_keeps_what_is_passed_over_as_mxnet_does(served, tmp_path):
    x, y = sym.var("x"), sym.var("y")
    with pytest.warns(UserWarning, match=PASSED_OVER):
        z = sym.broadcast_mul(x, y, axis=-1, name="z")
    assert z.attr("axis") == "-1" and z.attr_dict()["z"] == {"axis": "-1"}
    node = json.loads(z.tojson())["nodes"][-1]
    assert node["attrs"] == {"axis": "-1"}
    z.save(str(tmp_path / "z.json"))
    OldPrograms.served = False
    again = sym.load(str(tmp_path / "z.json"))  # a file of MXNet's, whoever reads it
    assert again.tojson() == z.tojson()
    run = again.bind(mx.cpu(), {"x": nd.array([2.0]), "y": nd.array([3.0])})
    assert run.forward()[0].asscalar() == 6


@pytest.mark.parametrize("hybridize", [False, True])
def test_a_net_that_gives_settings_there_are_not(served, hybridize):
    net = nn.HybridLambda(lambda F, x: F.broadcast_add(x, F.ones_like(x, dtype="float32"), axis=0))
    if hybridize:
        net.hybridize()
    with pytest.warns(UserWarning, match=PASSED_OVER):
        y = net(nd.array([1.0, 2.0]))
    assert y.asnumpy().tolist() == [2, 3]


# --- blocks in containers ------------------------------------------------------------------------


class Holder(gluon.Block):
    def __init__(self, held):
        super().__init__()
        self.held = held


@pytest.mark.parametrize(
    "held",
    [
        lambda: [nn.Dense(1), nn.Dense(2)],
        lambda: (nn.Dense(1),),
        lambda: {"a": nn.Dense(1)},
        lambda: {"a": [1, {"b": ("c", nn.Dense(1))}]},
    ],
)
def test_a_container_with_blocks_is_told_of(served, held):
    net = Holder(held())
    with pytest.warns(UserWarning, match=r'"Holder.held" is an unregistered container with Blocks') as told:
        net.collect_params()
    assert [w.filename for w in told] == [__file__]
    outer = nn.Sequential()
    outer.add(net)
    with pytest.warns(UserWarning, match="unregistered container"):
        outer.initialize()
    OldPrograms.served = False
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net.collect_params()


def test_containers_without_forgotten_blocks_are_not_told_of(served):
    layers = [nn.Dense(1, in_units=1), nn.Dense(1, in_units=1)]
    net = nn.HybridSequential()
    net.add(*layers)
    net.known = layers
    net.round = [1, "two"]
    net.round.append(net.round)  # a list in itself
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        net.initialize()
        net.hybridize()
        net(nd.ones((1, 1)))
        net.collect_params()


# --- what libraries build on ---------------------------------------------------------------------

ITEMS = ArrayDataset(nd.arange(7), nd.arange(7) * 2)


def batches(size=3):
    return BatchSampler(SequentialSampler(len(ITEMS)), size, "keep")


def values(loaded):
    return [[part.asnumpy().tolist() for part in batch] for batch in loaded]


@pytest.mark.parametrize("prefetch", [0, 1, 9])
def test_batches_of_a_pool_come_in_order(prefetch):
    with ThreadPool(2) as pool:
        loaded = _MultiWorkerIter(pool, default_batchify_fn, batches(), prefetch=prefetch, dataset=ITEMS)
        assert len(loaded) == 3
        first = loaded.next()
        found = values([first, *loaded])
        assert next(loaded, None) is None
    assert found == values(default_batchify_fn([ITEMS[i] for i in places]) for places in batches())


def test_a_library_says_what_its_workers_are_given():
    class Scaled(_MultiWorkerIter):
        def _push_next(self):
            places = next(self._iter, None)
            if places is not None:
                job = self._worker_pool.apply_async(self._worker_fn, (places, 10 ** (self._sent_idx + 1)))
                self._data_buffer[self._sent_idx] = job
                self._sent_idx += 1

    def work(places, factor):  # a worker of another process hands over a pickle
        return pickle.dumps([nd.array(places) * factor])

    with ThreadPool(2) as pool:
        loaded = Scaled(pool, None, batches(4), worker_fn=work, prefetch=2, pin_memory=True)
        assert values(loaded) == [[[0, 10, 20, 30]], [[400, 500, 600]]]


def test_what_goes_wrong_in_a_worker_is_told_and_ends_the_others():
    with ThreadPool(1) as pool:
        loaded = _MultiWorkerIter(pool, lambda items: 1 / 0, batches(), dataset=ITEMS)
        with pytest.raises(ZeroDivisionError):
            next(loaded)
        with pytest.raises(ValueError, match="Pool not running"):
            next(loaded)


def test_parts_of_a_loader_are_found_where_mxnet_has_them():
    assert _as_in_context([nd.ones(1), "text"], mx.cpu(1))[0].context == mx.cpu(1)
    assert nd.array(pickle.loads(bytes(ForkingPickler.dumps(nd.ones(2).asnumpy())))).sum() == 2
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        gluon.data.dataloader.nothing  # noqa: B018


@pytest.mark.parametrize("hybridize", [False, True])
def test_losses_of_libraries_are_made_of_mxnets_parts(hybridize):
    class Distance(gluon.loss.Loss):
        def hybrid_forward(self, F, pred, label, sample_weight=None):
            distance = F.abs(pred - _reshape_like(F, label, pred))
            return _apply_weighting(F, distance, self._weight, sample_weight)

    loss = Distance(0.5, 0)
    if hybridize:
        loss.hybridize()
    y = loss(nd.array([[1.0, 2.0]]), nd.array([3.0, 5.0]), nd.array([[10.0, 100.0]]))
    assert y.asnumpy().tolist() == [[10, 150]]


def test_libraries_take_nested_lists_apart_and_put_them_together():
    from d2lhybrid.gluon.block import _flatten, _regroup

    a, b = nd.ones(2), nd.ones(3)
    flat, form = _flatten((a, [b, None], (a, (b,))), "input")
    assert form == [0, [0, -1], [0, [0]]] and [x is y for x, y in zip(flat, [a, b, None, a, b], strict=True)]
    nested, rest = _regroup([*flat, b], form)
    assert (nested[0] is a, nested[1][1], nested[2][1][0] is b, rest == [b]) == (True, None, True, True)
    pair = sym.Group([sym.var("y"), sym.var("z")])
    assert _flatten([sym.var("x"), pair], "input")[1] == [0, 2]
    with pytest.raises(ValueError, match="must be \\(nested\\) list of Symbol or NDArray, but got 3"):
        _flatten([3], "input")


def test_what_mxnet_imports_is_there_without_an_import_of_its_own():
    program = (
        "import multiprocessing, urllib, d2lhybrid\n"
        "d2lhybrid.as_mxnet()\n"
        "print(multiprocessing.pool.ThreadPool.__name__, multiprocessing.queues.Queue.__name__)\n"
        "print(urllib.request.__name__)"
    )
    done = subprocess.run([sys.executable, "-c", program], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["ThreadPool", "Queue", "urllib.request"]


def test_weights_that_are_there_are_used_and_none_are_fetched(tmp_path, monkeypatch):
    content = b"weights"
    monkeypatch.setitem(model_store._model_sha1, "mine", hashlib.sha1(content).hexdigest())
    path = tmp_path / f"mine-{model_store.short_hash('mine')}.params"
    with pytest.raises(FileNotFoundError, match="does not download weights"):
        model_store.get_model_file("mine", str(tmp_path))
    path.write_bytes(content)
    assert model_store.get_model_file("mine", str(tmp_path)) == str(path)
    path.write_bytes(content * 2)
    with pytest.raises(ValueError, match="differs from the hash of MXNet's weights for mine"):
        model_store.get_model_file("mine", str(tmp_path))
    with pytest.raises(ValueError, match="Pretrained model for other is not available"):
        model_store.get_model_file("other", str(tmp_path))
    model_store.purge(str(tmp_path))
    assert not path.exists()


def test_where_files_would_be(monkeypatch):
    monkeypatch.setenv("MXNET_GLUON_REPO", "https://example.org/files")
    assert _get_repo_file_url("gluon/data", "x.zip") == "https://example.org/files/gluon/data/x.zip"


class Halved(gluon.Parameter):
    """A parameter whose value is another one's, and is changed whenever it is asked for."""

    def __init__(self, parameter):
        super().__init__(parameter.name, shape=parameter._shape, allow_deferred_init=True)
        self._data, self._grad, self._ctx_list = parameter._data, parameter._grad, parameter._ctx_list
        self._ctx_map = parameter._ctx_map

    def data(self, ctx=None):
        return self._check_and_get(self._data, ctx) / 2


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("initialized", [False, True])
def test_parameters_of_libraries_change_what_a_layer_sees(hybridize, initialized):
    net = nn.Dense(1, use_bias=False, in_units=2, weight_initializer="ones")
    if initialized:
        net.initialize()
    halved = Halved(net.weight)
    net._reg_params["weight"] = net.params._params[net.weight.name] = halved
    if not initialized:
        net.initialize(mx.init.One())
    if hybridize:
        net.hybridize()
    x = nd.ones((1, 2))
    for value in (1, 1, 3, 3):
        halved.set_data(nd.ones((1, 2)) * value)
        for _ in range(3):
            assert net(x).asscalar() == value
    assert halved._ctx_map == [[], [0]]
    assert [a.shape for a in halved._check_and_get(halved._grad, list)] == [(1, 2)]
    with pytest.raises(RuntimeError, match="was not initialized on context"):
        halved._check_and_get(halved._data, mx.cpu(3))
    assert gluon.Parameter("w", shape=(1,))._ctx_map is None
    with pytest.raises(RuntimeError, match="has not been initialized"):
        gluon.Parameter("w", shape=(1,))._check_and_get(None, None)


def test_names_that_libraries_import_from_where_mxnet_has_them():
    from d2lhybrid.metric import ndarray

    assert ndarray is nd
    assert isinstance(nd.ones(1), gluon.tensor_types) and isinstance(sym.var("x"), gluon.tensor_types)


@pytest.mark.parametrize("hybridize", [False, True])
@pytest.mark.parametrize("warm", [False, True])
def test_arrays_that_libraries_write_into_a_parameter_are_computed_with(warm, hybridize):
    net = nn.Dense(1, in_units=1, use_bias=False)
    net.initialize(mx.init.One())
    net.hybridize(hybridize)
    if warm:
        net(nd.ones((1, 1)))
        net(nd.ones((1, 1)))
    for value in (5, 7):
        sample = nd.array([[value]])
        sample.attach_grad()
        net.weight._data[net.weight._ctx_map[1][0]] = sample  # as MXFusion gives a parameter a distribution
        assert net(nd.ones((1, 1))).asscalar() == net.weight.data().asscalar() == value
        with mx.autograd.record():
            y = net(nd.ones((1, 1)) * 3)
        y.backward()
        assert sample.grad.asscalar() == 3
