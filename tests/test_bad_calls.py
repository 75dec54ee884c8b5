"""Calls that cannot be meant: each is refused where it is made, by an error that names what was wrong."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon, nd, sym
from d2lhybrid.contrib import text
from d2lhybrid.gluon.contrib.estimator import Estimator

ROWS = numpy.arange(12.0).reshape(4, 3)
IMAGE = nd.zeros((8, 9, 3), dtype="uint8")


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    numpy.savetxt("rows.csv", ROWS, delimiter=",")
    Path("short.lst").write_text("0\n")
    Path("vectors.txt").write_text("a 1 2\nb x y\n")


def csv(**given: Any) -> Any:
    return mx.io.CSVIter(**{"data_csv": "rows.csv", "data_shape": (3,), "batch_size": 2, **given})


def images(**given: Any) -> Any:
    pytest.importorskip("PIL")
    records = mx.recordio.MXRecordIO("images.rec", "w")
    records.write(mx.recordio.pack_img(mx.recordio.IRHeader(0, 1.0, 0, 0), IMAGE.asnumpy(), img_fmt=".png"))
    records.close()
    return mx.io.ImageRecordIter(**{"path_imgrec": "images.rec", "data_shape": (3, 4, 4), "batch_size": 1, **given})


def array_iter(*given: Any, **named: Any) -> Any:
    return mx.io.NDArrayIter(ROWS, *given, **named)


def loader(**given: Any) -> Any:
    return gluon.data.DataLoader([1, 2, 3], **given)


def fit(**given: Any) -> None:
    net = gluon.nn.Dense(2)
    net.initialize()
    data = gluon.data.DataLoader(gluon.data.ArrayDataset(nd.ones((4, 3)), nd.ones((4, 2))), 2)
    trainer = gluon.Trainer(net.collect_params(), "sgd")
    Estimator(net, gluon.loss.L2Loss(), trainer=trainer, context=mx.cpu()).fit(data, **given)


def list_of_images(*items: Any, **given: Any) -> Any:
    return mx.image.ImageIter(**{"batch_size": 1, "data_shape": (3, 4, 4), "imglist": list(items), **given})


def dense() -> Any:
    return sym.FullyConnected(sym.var("data"), num_hidden=3, name="fc")


def bucketing() -> Any:
    module = mx.mod.BucketingModule(lambda _: (dense(), ["data"], None), default_bucket_key=10)
    module.bind([("data", (2, 4))])
    module.init_params()
    return module


def graph_after_backward() -> Any:
    x = nd.ones(2)
    x.attach_grad()
    with mx.autograd.record():
        y = x * 2
    y.backward()
    return mx.autograd.get_symbol(y)


def parameters_as_checkpoint() -> Any:
    net = gluon.nn.Dense(2, in_units=3)
    net.initialize()
    net.save_parameters("net-0001.params")
    return mx.model.load_params("net", 1)


def check(**given: Any) -> Any:
    net = gluon.nn.Dense(2)
    net.initialize()
    return mx.check_hybridization(net, nd.ones((4, 3)), **given)


FORMAT = "Invalid Parameter format for {} expect {} but value='{}'"

#: What is called, the type of the error, and a part of its message or its notes.
CALLS: dict[str, tuple[Callable[[], Any], type[BaseException], str]] = {
    # iterators over files
    "text for a number": (lambda: csv(batch_size="two"), mx.MXNetError, FORMAT.format("batch_size", "int", "two")),
    "none for a number": (lambda: csv(batch_size=None), mx.MXNetError, FORMAT.format("batch_size", "int", "None")),
    "text for a shape": (
        lambda: csv(data_shape="abc"),
        mx.MXNetError,
        FORMAT.format("data_shape", "Shape(tuple)", "abc"),
    ),
    "negative size": (
        lambda: csv(data_shape=(-3,)),
        mx.MXNetError,
        FORMAT.format("data_shape", "Shape(tuple)", "(-3,)"),
    ),
    "half open shape": (lambda: csv(data_shape=(None, 3)), mx.MXNetError, "data_shape"),
    "no truth value": (
        lambda: csv(round_batch="maybe"),
        mx.MXNetError,
        FORMAT.format("round_batch", "boolean", "maybe"),
    ),
    "no parts": (lambda: images(num_parts=0), mx.MXNetError, "num_parts should be greater equal to 1"),
    "two sizes": (lambda: images(data_shape=(4, 4)), mx.MXNetError, "positive sizes, not (4, 4)"),
    "no height": (lambda: images(data_shape=(3, 0, 4)), mx.MXNetError, "positive sizes, not (3, 0, 4)"),
    "word for a length": (lambda: images(resize="big"), mx.MXNetError, FORMAT.format("resize", "int", "big")),
    # iterators over arrays
    "empty batches": (lambda: array_iter(batch_size=0), ValueError, "batch_size must be at least 1, not 0"),
    "text for batches": (lambda: array_iter(batch_size="2"), TypeError, "batch_size must be a whole number, not '2'"),
    "too few labels": (lambda: array_iter(numpy.zeros(3)), ValueError, "'softmax_label' has 3 rows, but 'data' has 4"),
    "unknown rest": (lambda: array_iter(last_batch_handle="keep"), ValueError, "pad, discard, roll_over, not 'keep'"),
    "batches without end": (lambda: mx.io.ResizeIter(array_iter(), -1), ValueError, "size must be at least 0, not -1"),
    "image batches": (lambda: list_of_images([0, "a.png"], batch_size=0), ValueError, "batch_size must be at least 1"),
    "item without label": (lambda: list_of_images("a.png"), ValueError, "Write item 1 of imglist, 'a.png'"),
    "short line": (lambda: list_of_images(path_imglist="short.lst"), mx.MXNetError, "line 1 of the list 'short.lst'"),
    # data loaders
    "loader of nothing": (lambda: loader(batch_size=0), ValueError, "batch_size must be at least 1, not 0"),
    "loader of less": (lambda: loader(batch_size=-1), ValueError, "batch_size must be at least 1, not -1"),
    "loader's rest": (
        lambda: len(loader(batch_size=2, last_batch="x")),
        ValueError,
        "'keep', 'discard', or 'rollover', but got x",
    ),
    "texts in a batch": (
        lambda: list(gluon.data.DataLoader(["a", "b"], 2)),
        KeyError,
        "Items of type str cannot",
    ),
    # images, records, files
    "width": (lambda: mx.image.imresize(IMAGE, "x", 3), mx.MXNetError, FORMAT.format("w", "int", "x")),
    "half a pixel": (lambda: mx.image.imresize(IMAGE, 2.5, 3), mx.MXNetError, FORMAT.format("w", "int", "2.5")),
    "border": (lambda: mx.image.copyMakeBorder(IMAGE, "x", 1, 1, 1), mx.MXNetError, FORMAT.format("top", "int", "x")),
    "flag": (lambda: mx.image.imdecode(b"...", flag="x"), mx.MXNetError, FORMAT.format("flag", "int", "x")),
    "open file": (lambda: mx.image.imread(0), TypeError, "not int"),
    "open states": (lambda: gluon.Trainer({}, "sgd").load_states(0), TypeError, "not int"),
    "open records": (lambda: mx.recordio.MXRecordIO(0, "r"), TypeError, "not int"),
    "text in a record": (
        lambda: mx.recordio.pack(mx.recordio.IRHeader(0, 1.0, 2, 0), "x"),
        TypeError,
        "must be bytes, not str",
    ),
    # storage
    "storage": (lambda: nd.ones((2, 2)).tostype("dense"), mx.MXNetError, "{'csr', 'default', 'row_sparse'}"),
    "cast": (lambda: nd.cast_storage(nd.ones((2, 2)), "dense"), mx.MXNetError, "Invalid Input: 'dense'"),
    # what is set for later, and would break it
    "monitor": (
        lambda: dense().simple_bind(mx.cpu(), data=(2, 4)).set_monitor_callback(5),
        TypeError,
        "callback must be callable, not 5",
    ),
    "default device": (lambda: mx.test_utils.set_default_context("gpu"), TypeError, "not 'gpu'"),
    "device of a module": (lambda: mx.mod.Module(dense(), label_names=None, context="cpu"), TypeError, "not 'cpu'"),
    "no device": (lambda: mx.mod.Module(dense(), label_names=None, context=[]), TypeError, "not []"),
    "batch of no bucket": (
        lambda: bucketing().forward(mx.io.DataBatch([nd.ones((2, 4))])),
        AssertionError,
        "the data shapes of bucket None are unknown: set bucket_key and provide_data of the batch",
    ),
    "profiler": (lambda: mx.profiler.set_state("start"), KeyError, "Pass state='stop' or 'run'."),
    # training, texts
    "epochs without end": (lambda: fit(epochs=-1), ValueError, "epochs must be at least 0, not -1"),
    "part of a batch": (lambda: fit(batches=0.5), TypeError, "batches must be a whole number, not 0.5"),
    "text for a counter": (lambda: text.vocab.Vocabulary("abc"), AssertionError, "not str"),
    "vector of words": (
        lambda: text.embedding.CustomEmbedding("vectors.txt"),
        ValueError,
        "In line 2 of 'vectors.txt', write only numbers after 'b'",
    ),
    # operators
    "weights of another length": (
        lambda: mx.np.bincount(mx.np.array([1, 2], dtype="int32"), mx.np.array([1.0])),
        mx.MXNetError,
        "weights must have the shape of data, [2], not [1]",
    ),
    "list to join": (lambda: nd.concat([nd.ones(2)], nd.ones(2)), AssertionError, "the argument with nd.array("),
    "symbol to join": (
        lambda: nd.concat(sym.var("x"), nd.ones(2)),
        AssertionError,
        "in hybrid_forward, write F.concat.",
    ),
    "symbol to multiply": (
        lambda: nd.linalg.gemm2(sym.var("x"), nd.ones((2, 2))),
        AssertionError,
        "in hybrid_forward, write F.linalg.gemm2.",
    ),
    "list for an operator in Python": (
        lambda: nd.Custom([1], op_type="bad_call", mode="right"),
        AssertionError,
        "convert the argument with nd.array(",
    ),
    "array for a symbol in Python": (
        lambda: sym.Custom(nd.ones(2), op_type="bad_call", mode="right"),
        AssertionError,
        "gluon.Constant",
    ),
    "input named like an argument": (
        lambda: nd.Custom(nd.ones(2), op_type="bad_call", mode="named op_type"),
        mx.MXNetError,
        "must not have the name 'op_type', which is an argument of Custom",
    ),
    "two outputs in a loop": (
        lambda: sym.contrib.foreach(lambda x, s: (x, s), sym.split(sym.var("x"), num_outputs=2), []),
        mx.MXNetError,
        "Pass the outputs as a list: list(symbol).",
    ),
    "kind of zeros": (lambda: nd.sparse.zeros("dense", (2, 2)), ValueError, "Use one of default, row_sparse, csr."),
    "row that is missing": (
        lambda: nd.sparse.row_sparse_array(([[1.0]], [7]), shape=(5, 1)),
        ValueError,
        "The row indices range from 7 to 7. They must be at least 0 and less than 5.",
    ),
    # the tape
    "graph after backward": (graph_after_backward, mx.MXNetError, "pass retain_graph=True to backward()."),
    "graph of no record": (lambda: mx.autograd.get_symbol(nd.ones(2)), mx.MXNetError, "was not recorded"),
    # stores, models, checks
    "states of no optimizer": (
        lambda: mx.kv.create("device").load_optimizer_states("states"),
        AssertionError,
        "Call kv.set_optimizer(optimizer) first.",
    ),
    "server": (lambda: mx.kvstore.kvstore_server.KVStoreServer(None), mx.MXNetError, 'call mx.kv.create("device").'),
    "parameters for a checkpoint": (parameters_as_checkpoint, ValueError, "call net.load_parameters()."),
    "epoch with a point": (lambda: mx.model.load_params("net", 2.0), TypeError, "epoch must be an integer, not 2.0"),
    "no buckets": (
        lambda: mx.rnn.BucketSentenceIter([[1], [1, 2]], 2),
        ValueError,
        "each length occurs fewer than batch_size=2 times",
    ),
    "gradients of a number": (
        lambda: mx.test_utils.check_numeric_gradient(dense(), [ROWS, ROWS[:3], ROWS[0]], grad_nodes=5),
        ValueError,
        "grad_nodes must be a list, a tuple, or a dict, not int.",
    ),
    # pictures and settings
    "mode as a word": (lambda: check(modes="predict"), ValueError, "such as (\"predict\",), not 'predict'"),
    "one shape for shapes": (lambda: check(shapes=(4, 3)), mx.MXNetError, "Pass a list of shapes, such as shapes=[(4,"),
    "text to explain": (
        lambda: mx.error_lens("ValueError"),  # type: ignore[arg-type]
        ValueError,
        "error_lens requires an exception, not str",
    ),
    "setting": (
        lambda: mx.config(langs="zh"),
        TypeError,
        "warn_silent_differences, lang, ask, explain, tiers.",
    ),
}


@pytest.mark.parametrize("case", CALLS.values(), ids=CALLS)
def test_a_call_that_cannot_be_meant_is_refused_where_it_is_made(case: Any) -> None:
    call, kind, part = case
    with pytest.raises(kind) as error:
        call()
    assert part in "\n".join([str(error.value), *getattr(error.value, "__notes__", [])])


def test_a_refusal_leaves_the_default_device_and_an_executor_as_they_were() -> None:
    executor = dense().simple_bind(mx.cpu(), data=(2, 4))
    for refused in (lambda: executor.set_monitor_callback(None), lambda: mx.test_utils.set_default_context(None)):
        with pytest.raises(TypeError):
            refused()
    assert executor.forward()[0].shape == (2, 3) and nd.ones(2).context == mx.cpu()


def test_iterators_over_files_read_texts_as_mxnet_does() -> None:
    batch = csv(data_csv=Path("rows.csv"), data_shape="(3,)", batch_size="3", round_batch="0").next()
    assert batch.data[0].shape == (3, 3)
    assert csv(data_shape=3, batch_size=numpy.int64(2)).next().data[0].shape == (2, 3)
    assert images(data_shape="(3, 4, 5)", mean_r="3", rand_mirror="True").next().data[0].shape == (1, 3, 4, 5)


def test_a_size_that_was_divided_is_taken_when_it_is_whole() -> None:
    assert [batch.shape for batch in loader(batch_size=4 / 2)] == [(2,), (1,)]
    assert array_iter(batch_size=6 / 3).next().data[0].shape == (2, 3)
    with pytest.raises(TypeError, match=r"must be a whole number, not 2\.5"):
        loader(batch_size=5 / 2)


def test_an_array_of_more_labels_than_examples_is_taken() -> None:
    assert [batch.label[0].shape for batch in array_iter(numpy.zeros(6), batch_size=2)] == [(2,), (2,)]


@mx.operator.register("bad_call")
class _Property(mx.operator.CustomOpProp):
    def __init__(self, mode: str) -> None:
        super().__init__()
        self.mode = mode

    def list_arguments(self) -> Any:
        return {"no names": None, "named op_type": ["op_type"]}.get(self.mode, ["data"])

    def infer_shape(self, in_shape: Any) -> Any:
        return in_shape, [{"word": "x", "negative": [-1]}.get(self.mode, in_shape[0])], []

    def create_operator(self, ctx: Any, in_shapes: Any, in_dtypes: Any) -> Any:
        return None if self.mode == "no operator" else _Operator(self.mode)


class _Operator(mx.operator.CustomOp):
    def __init__(self, mode: str) -> None:
        self.mode = mode

    def forward(self, is_train: Any, req: Any, in_data: Any, out_data: Any, aux: Any) -> None:
        self.assign(out_data[0], "overwrite" if self.mode == "request" else req[0], in_data[0])


@pytest.mark.parametrize(
    ("mode", "part"),
    [
        ("no names", "list_arguments must return a list of names, not None"),
        ("no operator", "Error in bad_call.create_operator: expecting a CustomOp, but got None"),
        ("word", "the shape of an output must consist of non-negative integers, but it is 'x'"),
        ("negative", "the shape of an output must consist of non-negative integers, but it is [-1]"),
        ("request", "req must be 'null', 'write', 'inplace', or 'add', not 'overwrite'"),
    ],
)
def test_an_operator_in_python_that_answers_nonsense_is_named(mode: str, part: str) -> None:
    with pytest.raises(mx.MXNetError) as error:
        nd.Custom(nd.ones((2, 3)), op_type="bad_call", mode=mode)
    assert part in str(error.value)
    assert nd.Custom(nd.ones((2, 3)), op_type="bad_call", mode="right").shape == (2, 3)


def test_what_does_not_describe_an_operator_is_not_registered() -> None:
    with pytest.raises(TypeError, match="a function that returns a CustomOpProp, not <class 'int'>"):
        mx.operator.register("number")(int)  # type: ignore[type-var]
    with pytest.raises(mx.MXNetError, match="Cannot find custom operator number"):
        nd.Custom(nd.ones(2), op_type="number")
    mx.operator.register("function")(lambda: 5)  # type: ignore[arg-type]
    with pytest.raises(mx.MXNetError, match="must return a CustomOpProp, not 5"):
        nd.Custom(nd.ones(2), op_type="function")


# --- nothing is half-written ---


def trained() -> Any:
    module = mx.mod.Module(dense(), label_names=None)
    module.bind([("data", (2, 4))])
    module.init_params()
    return module


def net_of_one() -> Any:
    net = gluon.nn.Dense(1)
    net.initialize()
    net.hybridize()
    net(nd.ones((1, 2)))
    return net


#: What writes several files, and is given what it cannot write.
HALVES: dict[str, Callable[[], Any]] = {
    "no array": lambda: mx.model.save_checkpoint("net", 1, dense(), {"fc_bias": 5}, {}),
    "no parameters": lambda: mx.model.save_checkpoint("net", 1, dense(), None, {}),  # type: ignore[arg-type]
    "no graph": lambda: mx.model.save_checkpoint("net", 1, 5, {"fc_bias": nd.ones(3)}, {}),
    "no epoch": lambda: mx.model.save_checkpoint("net", None, dense(), {}, {}),  # type: ignore[arg-type]
    "module without epoch": lambda: trained().save_checkpoint("net", "first"),
    "module without optimizer": lambda: trained().save_checkpoint("net", 1, save_optimizer_states=True),
    "buckets without epoch": lambda: bucketing().save_checkpoint("net", 0.5),
    "net without epoch": lambda: net_of_one().export("net", epoch="last"),
    "records without index": lambda: mx.recordio.MXIndexedRecordIO("nowhere/net.idx", "net.rec", "w"),
    "index without records": lambda: mx.recordio.MXIndexedRecordIO("net.idx", "nowhere/net.rec", "w"),
}


@pytest.mark.parametrize("write", HALVES.values(), ids=HALVES)
def test_what_cannot_be_written_whole_is_not_begun(write: Callable[[], Any]) -> None:
    with pytest.raises((TypeError, AttributeError, AssertionError, mx.MXNetError)):
        write()
    assert not list(Path.cwd().glob("net*"))


def test_a_record_file_stays_when_its_index_cannot_be_written() -> None:
    records = mx.recordio.MXRecordIO("images.rec", "w")
    records.write(b"a record")
    records.close()
    before = Path("images.rec").read_bytes()
    with pytest.raises(mx.MXNetError, match="nowhere"):
        mx.recordio.MXIndexedRecordIO("nowhere/images.idx", "images.rec", "w")
    assert Path("images.rec").read_bytes() == before
    Path("images.idx").write_text("0\t0\n")
    with pytest.raises(mx.MXNetError, match="nowhere"):
        mx.recordio.MXIndexedRecordIO("images.idx", "nowhere/images.rec", "w")
    assert Path("images.idx").read_text() == "0\t0\n"
