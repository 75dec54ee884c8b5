"""The helpers of the lessons that train: experiments in parts, data sets, models, the loops of the chapters."""

import gzip
import hashlib
import struct
import zipfile
from pathlib import Path

import numpy
import pytest

from d2lhybrid import autograd, cpu, d2l, gluon, init, nd, np, npx, random


@pytest.fixture(autouse=True)
def numpy_arrays():
    npx.set_np()
    yield
    npx.reset_np()


@pytest.fixture(autouse=True)
def figures():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    yield
    d2l.plt.close("all")


@pytest.fixture
def clothes(tmp_path, monkeypatch):
    """Files of Fashion-MNIST with 40 images each, whose brightness is their class."""
    folder = tmp_path / "datasets" / "fashion-mnist"
    folder.mkdir(parents=True)
    labels = numpy.arange(40, dtype="uint8") % 10
    images = numpy.repeat(labels * 25, 28 * 28).astype("uint8")
    for part in ("train", "t10k"):
        with gzip.open(folder / f"{part}-labels-idx1-ubyte.gz", "wb") as file:
            file.write(struct.pack(">4BI", 0, 0, 8, 1, 40) + labels.tobytes())
        with gzip.open(folder / f"{part}-images-idx3-ubyte.gz", "wb") as file:
            file.write(struct.pack(">4B3I", 0, 0, 8, 3, 40, 28, 28) + images.tobytes())
    monkeypatch.setenv("MXNET_HOME", str(tmp_path))


# --- the names ---


def test_every_name_is_there():
    for name in d2l.__all__:
        assert getattr(d2l, name) is not None
    assert d2l.nn_Module is gluon.Block
    assert d2l.plt.plot
    with pytest.raises(AttributeError, match="has no attribute 'nothing'"):
        _ = d2l.nothing


def test_functions_on_arrays():
    x = d2l.reshape(d2l.arange(6), (2, 3))
    assert d2l.size(x) == 6 and d2l.transpose(x).shape == (3, 2) and d2l.numpy(x)[1, 2] == 5
    assert float(d2l.reduce_sum(x)) == 15 and float(d2l.reduce_mean(x)) == 2.5
    assert d2l.argmax(x, axis=1).tolist() == [2, 2] and d2l.astype(x, d2l.int32).dtype == numpy.int32
    assert d2l.swapaxes(x, 0, 1).shape == (3, 2) and d2l.repeat(x, 2, axis=0).shape == (4, 3)
    assert d2l.to(x, d2l.cpu()).ctx == cpu() and d2l.matmul(x, d2l.transpose(x)).shape == (2, 2)
    assert d2l.concat([x, x], axis=1).shape == (2, 6) and d2l.stack([x, x]).shape == (2, 2, 3)


# --- experiments in parts ---


@pytest.mark.parametrize("model", ["LinearRegression", "LinearRegressionScratch"])
def test_a_trainer_fits_a_model_to_data(model):
    random.seed(0)
    w, b = np.array([2, -3.4]), 4.2
    data = d2l.SyntheticRegressionData(w, b, num_train=320, num_val=64)
    net = d2l.LinearRegression(lr=0.1) if model == "LinearRegression" else d2l.LinearRegressionScratch(2, lr=0.1)
    trainer = d2l.Trainer(max_epochs=6)
    trainer.fit(net, data)
    found = net.get_w_b() if model == "LinearRegression" else (net.w, net.b)
    numpy.testing.assert_allclose(found[0].reshape(-1).asnumpy(), w.asnumpy(), atol=0.05)
    assert abs(float(found[1][0]) - b) < 0.05
    curves = net.board.data
    assert len(curves["train_loss"]) == 12 and len(curves["val_loss"]) == 6
    assert curves["val_loss"][-1][1] < 0.01 and net.board.xlim == [0, 6]
    assert (trainer.train_batch_idx, trainer.val_batch_idx) == (60, 12)


def test_hyperparameters_are_kept_by_the_class_that_saves_them():
    class Net(d2l.Module):
        def __init__(self, width, lr=0.5, secret=None):
            super().__init__()
            self.save_hyperparameters(ignore=["secret"])

    net = Net(7)
    assert (net.width, net.lr, net.hparams["width"]) == (7, 0.5, 7)
    assert not hasattr(net, "secret")


def test_methods_are_added_to_a_class_that_there_is():
    class Net(d2l.HyperParameters):
        pass

    @d2l.add_to_class(Net)
    def answer(self):
        return 42

    assert Net().answer() == 42 and answer is None


def test_what_a_model_lacks_is_named():
    with pytest.raises(NotImplementedError, match="Module has no loss"):
        d2l.Module().loss(1, 2)
    with pytest.raises(AttributeError, match="Module has no net"):
        d2l.Module()(np.ones(1))


def test_points_of_a_board_are_means():
    board = d2l.ProgressBoard(display=False)
    for i in range(5):
        board.draw(i, np.array(i * 2), "loss", every_n=2)
    assert board.data["loss"] == [(0.5, 1.0), (2.5, 5.0)]


def test_gradients_are_clipped():
    net = d2l.LinearRegressionScratch(2, lr=0.1)
    with autograd.record():
        loss = (net(np.ones((1, 2))) * 30).sum()
    loss.backward()
    d2l.Trainer(1).clip_gradients(1.0, net)
    assert abs(sum(float((p.grad**2).sum()) for p in net.parameters()) - 1) < 1e-5
    dense = gluon.nn.Dense(1)
    dense.initialize()
    with autograd.record():
        loss = (dense(np.ones((1, 2))) * 30).sum()
    loss.backward()
    d2l.grad_clipping(dense, 0.5)
    assert abs(sum(float((p.grad() ** 2).sum()) for p in dense.collect_params().values()) - 0.25) < 1e-5


# --- data ---


def test_fashion_mnist_as_a_data_module(clothes):
    data = d2l.FashionMNIST(batch_size=16, resize=(32, 32))
    X, y = next(iter(data.val_dataloader()))
    assert X.shape == (16, 1, 32, 32) and data.text_labels(y)[:2] == ["t-shirt", "trouser"]
    data.visualize((X, y), ncols=2)
    assert len(data.train_dataloader()) == 3


def test_a_classifier_learns_clothes(clothes, capsys):
    random.seed(1)
    model = d2l.SoftmaxRegression(num_outputs=10, lr=0.1)
    d2l.Trainer(max_epochs=1).fit(model, d2l.FashionMNIST(batch_size=20))
    assert set(model.board.data) == {"train_loss", "val_loss", "val_acc"}
    d2l.LeNet().layer_summary((1, 1, 28, 28))
    printed = capsys.readouterr().out.splitlines()
    assert printed[0] == "Conv2D output shape:\t (1, 6, 28, 28)" and printed[-1] == "Dense output shape:\t (1, 10)"


def test_a_file_that_is_not_there_is_named_and_never_fetched(tmp_path):
    with pytest.raises(FileNotFoundError, match="does not download data") as caught:
        d2l.download("time_machine", folder=str(tmp_path))
    assert "timemachine.txt" in caught.value.__notes__[0]
    with pytest.raises(KeyError, match="DATA_HUB has no data set 'nowhere'"):
        d2l.download("nowhere")


def test_a_file_that_is_there_is_checked_and_unpacked(tmp_path, monkeypatch):
    with zipfile.ZipFile(tmp_path / "words.zip", "w") as archive:
        archive.writestr("words/a.txt", "a")
    digest = hashlib.sha1((tmp_path / "words.zip").read_bytes()).hexdigest()
    address = "http://example.org/words.zip"
    assert d2l.download(address, str(tmp_path), digest) == str(tmp_path / "words.zip")
    with pytest.raises(ValueError, match="not the expected file"):
        d2l.download(address, str(tmp_path), "0" * 40)
    monkeypatch.setitem(d2l.DATA_HUB, "words", (address, digest))
    (tmp_path / "here").mkdir()
    (tmp_path / "data").mkdir()
    (tmp_path / "words.zip").rename(tmp_path / "data" / "words.zip")
    monkeypatch.chdir(tmp_path / "here")
    folder = d2l.download_extract("words")
    assert Path(folder, "a.txt").read_text() == "a"
    with pytest.raises(ValueError, match=r"must end in \.zip"):
        d2l.extract("a.rar")


def test_batches_of_arrays():
    X, y = d2l.synthetic_data(np.array([1.0, 2.0]), 3.0, 10)
    assert X.shape == (10, 2) and y.shape == (10, 1)
    assert [len(b[1]) for b in d2l.load_array((X, y), 4, is_train=False)] == [4, 4, 2]


# --- models, and the loops of the chapters ---


@pytest.mark.parametrize("array", ["np", "nd"])
def test_a_residual_block_computes_the_same_hybridized(array):
    if array == "nd":
        npx.reset_np()
    block = d2l.Residual(4, use_1x1conv=True, strides=2)
    block.initialize(init.Xavier())
    x = {"np": np, "nd": nd}[array].ones((2, 3, 6, 6))
    before = block(x)
    block.hybridize()
    numpy.testing.assert_allclose(block(x).asnumpy(), before.asnumpy(), rtol=1e-5)
    assert before.shape == (2, 4, 3, 3)


def test_a_net_of_residual_blocks_is_trained_on_devices(capsys):
    assert [type(layer).__name__ for layer in d2l.resnet18(3)[3:]].count("HybridSequential") == 4
    net = gluon.nn.HybridSequential()
    net.add(d2l.Residual(4, use_1x1conv=True), gluon.nn.GlobalAvgPool2D(), gluon.nn.Dense(3))
    net.initialize(init.Xavier())
    rng = numpy.random.default_rng(0)
    data = d2l.load_array((np.array(rng.normal(size=(4, 1, 8, 8)).astype("float32")), np.array([0, 1, 2, 0])), 2)
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.1})
    d2l.train_ch13(net, data, data, gluon.loss.SoftmaxCrossEntropyLoss(), trainer, 1, devices=[cpu()])
    first, second = capsys.readouterr().out.splitlines()
    assert first.startswith("loss ") and ", train acc " in first and ", test acc " in first
    assert second.endswith("examples/sec on [cpu(0)]")


def test_train_ch6_trains(clothes, capsys):
    random.seed(0)
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(10))
    train_iter, test_iter = d2l.load_data_fashion_mnist(20)
    d2l.train_ch6(net, train_iter, test_iter, 2, 0.01, d2l.try_gpu(1000))
    assert "examples/sec on cpu(0)" in capsys.readouterr().out


def test_optimizers_of_two_variables_and_of_a_regression(capsys):
    path = d2l.train_2d(lambda x1, x2, s1, s2, grad: (x1 - 0.1 * grad(x1), x2, 0, 0), 3, lambda x: x)
    d2l.show_trace_2d(lambda x1, x2: x1**2 + x2**2, path)
    assert len(path) == 4 and capsys.readouterr().out == "epoch 3, x1: -3.645000, x2: -2.000000\n"
    random.seed(0)
    X, y = d2l.synthetic_data(np.array([0.5, -0.5]), 0.1, 400)
    batches = d2l.load_array((X, y.reshape(-1)), 10)
    seconds, losses = d2l.train_ch11(
        lambda params, states, h: d2l.sgd(params, h["lr"], 1), None, {"lr": 0.1}, batches, 2
    )
    assert len(seconds) >= len(losses) == 4 and losses[-1] < losses[0] / 2
    d2l.train_concise_ch11("sgd", {"learning_rate": 0.1}, batches)
    assert capsys.readouterr().out.count("sec/epoch") == 2


def test_an_animator_keeps_its_points():
    animator = d2l.Animator(xlabel="epoch", legend=["train", "test"])
    animator.add(1, (0.5, None))
    animator.add(2, (np.array(0.25), 0.75))
    assert (animator.X, animator.Y) == ([[1, 2], [2]], [[0.5, 0.25], [0.75]])
    assert len(animator.axes[0].lines) == 2


def test_heat_maps():
    d2l.show_heatmaps(np.ones((1, 2, 3, 4)), "keys", "queries", titles=["a", "b"])
    axes = d2l.plt.gcf().axes
    assert [a.get_title() for a in axes] == ["a", "b", ""] and axes[0].get_ylabel() == "queries"


def test_vocabularies():
    vocab = d2l.Vocab(d2l.tokenize(["the time the", "machine"]), min_freq=2, reserved_tokens=["<pad>"])
    assert vocab.idx_to_token == ["<pad>", "<unk>", "the"] and len(vocab) == 3
    assert vocab[["the", "time"]] == [2, 1] and vocab.to_tokens(np.array([2, 0])) == ["the", "<pad>"]
    assert vocab.token_freqs[0] == ("the", 2)
    with pytest.raises(ValueError, match="'letter'"):
        d2l.tokenize([], "letter")
    with pytest.raises(AssertionError, match="expected shape"):
        d2l.check_shape(np.ones((2, 3)), (3, 2))
