"""Callbacks of training loops."""

import logging
import re

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import callback, nd
from d2lhybrid.callback import BatchEndParam


@pytest.fixture
def log(caplog):
    caplog.set_level(logging.INFO)
    return caplog


def accuracy():
    metric = mx.metric.Accuracy()
    metric.update([nd.array([1, 0])], [nd.array([[0, 1], [0, 1]])])
    return metric


def test_checkpoints(tmp_path, log):
    prefix = str(tmp_path / "net")
    save = callback.do_checkpoint(prefix, period=2)
    graph = mx.sym.Variable("data") + mx.sym.Variable("w")
    for epoch in range(3):
        save(epoch, graph, {"w": nd.array([epoch])}, {})
    assert sorted(path.name for path in tmp_path.iterdir()) == ["net-0002.params", "net-symbol.json"]
    assert nd.load(f"{prefix}-0002.params")["arg:w"].asscalar() == 1
    assert log.messages == [f'Saved checkpoint to "{prefix}-0002.params"']


def test_speed(log):
    speed, metric = callback.Speedometer(batch_size=4, frequent=2), accuracy()
    for batch in range(5):
        speed(BatchEndParam(epoch=1, nbatch=batch, eval_metric=metric))
    assert len(log.messages) == 2
    expected = r"Epoch\[1\] Batch \[0-2\]\tSpeed: [\d.]+ samples/sec\taccuracy=0\.500000"
    assert re.fullmatch(expected, log.messages[0])
    assert log.messages[1].endswith("accuracy=nan")  # the metric was reset
    speed(BatchEndParam(epoch=2, nbatch=0))
    speed(BatchEndParam(epoch=2, nbatch=2))
    assert re.fullmatch(r"Iter\[2\] Batch \[2\]\tSpeed: [\d.]+ samples/sec", log.messages[2])


def test_metric_in_the_log(log):
    show, metric = callback.log_train_metric(2, auto_reset=True), accuracy()
    for batch in (1, 2):
        show(BatchEndParam(epoch=0, nbatch=batch, eval_metric=metric))
    callback.LogValidationMetricsCallback()(BatchEndParam(epoch=3, nbatch=0, eval_metric=accuracy()))
    assert log.messages == [
        "Iter[0] Batch[2] Train-accuracy=0.500000",
        "Epoch[3] Validation-accuracy=0.500000",
    ]


def test_bar(log):
    callback.ProgressBar(total=4, length=8)(BatchEndParam(epoch=0, nbatch=1))
    assert log.messages == ["[==------] 25%\r"]


def test_a_checkpoint_of_functions_is_logged(tmp_path, log):
    prefix = str(tmp_path / "net")
    mx.model.save_checkpoint(prefix, 7, mx.sym.Variable("w"), {"w": nd.ones((1,))}, {})
    assert log.messages == [f'Saved checkpoint to "{prefix}-0007.params"']


class Value(mx.metric.EvalMetric):
    """A metric that gives what it was made with."""

    def __init__(self, value):
        super().__init__("loss")
        self.value_given = value

    def get(self):
        return "loss", self.value_given


@pytest.mark.parametrize(
    "value",
    [numpy.array([0.5]), numpy.array(0.5), numpy.array([[0.5]]), nd.array([0.5]).asnumpy(), mx.np.array([0.5]), 0.5],
)
def test_values_of_one_element_are_logged_as_numbers(log, value):
    speed, metric = callback.Speedometer(1, 1, auto_reset=False), Value(value)
    for batch in range(2):
        speed(BatchEndParam(epoch=0, nbatch=batch, eval_metric=metric))
    callback.log_train_metric(1)(BatchEndParam(epoch=0, nbatch=1, eval_metric=metric))
    callback.LogValidationMetricsCallback()(BatchEndParam(epoch=0, nbatch=1, eval_metric=metric))
    assert [message.split("\t")[-1] for message in log.messages] == [
        "loss=0.500000",
        "Iter[0] Batch[1] Train-loss=0.500000",
        "Epoch[0] Validation-loss=0.500000",
    ]


@pytest.mark.parametrize("value", [numpy.array([0.5, 0.6]), nd.array([0.5]), None, "a"])
def test_a_value_that_is_no_number_is_an_error_of_the_log_and_ends_no_training(value, capsys, caplog, monkeypatch):
    monkeypatch.setattr(logging.root, "handlers", [logging.StreamHandler()])
    caplog.set_level(logging.INFO)
    speed, metric = callback.Speedometer(1, 1), Value(value)
    for batch in range(2):
        speed(BatchEndParam(epoch=0, nbatch=batch, eval_metric=metric))
    assert "--- Logging error ---" in capsys.readouterr().err
