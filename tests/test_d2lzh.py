"""The helpers of the first Chinese edition, on legacy arrays."""

import re

import numpy
import pytest

from d2lhybrid import cpu, d2lzh, gluon, init, nd

X = nd.array(numpy.repeat(numpy.eye(2, dtype="float32"), 6, axis=0))
Y = nd.array(numpy.repeat([0.0, 1.0], 6))


@pytest.fixture
def net():
    net = gluon.nn.Dense(2)
    net.initialize(init.Zero())
    return net


def batches(size=4):
    return gluon.data.DataLoader(gluon.data.ArrayDataset(X, Y), size)


@pytest.mark.parametrize("loop", ["train", "train_ch3", "train_ch5"])
def test_loops_train_and_print_what_they_reach(net, loop, capsys):
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 1.0})
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    if loop == "train":
        d2lzh.train(batches(), batches(), net, loss, trainer, [cpu(0), cpu(0)][:1], 3)
    elif loop == "train_ch3":
        d2lzh.train_ch3(net, batches(), batches(), loss, 3, 4, trainer=trainer)
    else:
        d2lzh.train_ch5(net, batches(), batches(), 4, trainer, cpu(), 3)
    *first, last = capsys.readouterr().out.splitlines()
    assert re.fullmatch(r"epoch 3, loss 0\.\d{4}, train acc 1\.000, test acc 1\.000(, time \d\.\d sec)?", last)
    assert ("time" in last) == (loop != "train_ch3") == (first[0].startswith("training on"))
    assert d2lzh.evaluate_accuracy(batches(5), net) == 1


def test_gradient_descent_on_arrays(capsys):
    w = nd.zeros((2, 2))
    w.attach_grad()
    loss = gluon.loss.SoftmaxCrossEntropyLoss()
    d2lzh.train_ch3(lambda x: nd.dot(x, w), batches(), batches(), loss, 2, 4, [w], 1.0)
    assert "test acc 1.000" in capsys.readouterr().out
    with pytest.raises(ValueError, match="either trainer, or both params and lr"):
        d2lzh.train_ch3(None, [], [], loss, 1, 1)


def test_small_helpers(tmp_path, capsys):
    with d2lzh.Benchmark():
        pass
    assert re.fullmatch(r"time: 0\.\d{4} sec\n", capsys.readouterr().out)
    seen = nd.concat(*(y for _, y in d2lzh.data_iter(5, X, Y)), dim=0)
    assert seen.shape == (12,) and seen.sum().asscalar() == 6
    assert d2lzh.to_onehot(nd.array([[0, 1], [1, 1]]), 2)[0].asnumpy().tolist() == [[1, 0], [0, 1]]
    assert d2lzh.linreg(nd.ones((2, 3)), nd.ones((3, 1)), nd.array([2])).asnumpy().tolist() == [[5], [5]]
    assert d2lzh.corr2d(nd.ones((3, 3)), nd.ones((2, 2))).asnumpy().tolist() == [[4, 4], [4, 4]]
    d2lzh.mkdir_if_not_exist([str(tmp_path), "a", "b"])
    assert (tmp_path / "a" / "b").is_dir()


def test_plots():
    matplotlib = pytest.importorskip("matplotlib")
    matplotlib.use("agg")
    d2lzh.plt.close("all")  # what other tests have drawn
    d2lzh.semilogy([1, 2], [3, 4], "epoch", "loss", [1, 2], [5, 6], ["train", "test"])
    assert len(d2lzh.plt.gca().lines) == 2
    assert d2lzh.show_images([nd.zeros((4, 4))] * 2, 1, 2).shape == (1, 2)
    d2lzh.show_fashion_mnist(nd.zeros((2, 784)), ["coat", "bag"])
    d2lzh.plt.close("all")
