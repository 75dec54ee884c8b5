"""The estimator: a training loop with handlers that are called at its events."""

from __future__ import annotations

import logging

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import gluon
from d2lhybrid.gluon.contrib import data
from d2lhybrid.gluon.contrib import estimator as est

X = numpy.random.RandomState(0).randn(20, 3).astype("f")
Y = (X[:, 0] > 0).astype("f")


def loader(size=5):
    return gluon.data.DataLoader(gluon.data.ArrayDataset(mx.nd.array(X), mx.nd.array(Y)), batch_size=size)


def make(**settings):
    net = gluon.nn.HybridSequential()
    net.add(gluon.nn.Dense(2))
    net.initialize()
    net.hybridize()
    trainer = gluon.Trainer(net.collect_params(), "sgd", {"learning_rate": 0.5})
    made = est.Estimator(net, gluon.loss.SoftmaxCrossEntropyLoss(), trainer=trainer, **settings)
    made.logger.handlers.clear()
    return made


class Told(est.TrainBegin, est.EpochBegin, est.BatchBegin, est.BatchEnd, est.EpochEnd, est.TrainEnd):
    def __init__(self):
        self.events = []

    def __getattribute__(self, name):
        if name.endswith(("_begin", "_end")):
            return lambda estimator, *args, **kwargs: self.events.append(name)
        return super().__getattribute__(name)


def test_handlers_are_called_at_their_events():
    told = Told()
    make().fit(loader(10), epochs=2, event_handlers=told)
    epoch = ["epoch_begin", *["batch_begin", "batch_end"] * 2, "epoch_end"]
    assert told.events == ["train_begin", *epoch, *epoch, "train_end"]


def test_a_net_learns_and_is_validated():
    estimator = make()
    estimator.fit(loader(), val_data=loader(), epochs=10)
    assert [m.get()[0] for m in estimator.train_metrics] == ["training accuracy", "training softmaxcrossentropyloss"]
    assert estimator.train_metrics[0].get()[1] > 0.85
    assert estimator.val_metrics[0].get()[0] == "validation accuracy"
    assert estimator.val_metrics[0].get()[1] > 0.85


def test_it_can_be_told_how_many_batches():
    told = Told()
    make().fit(loader(), batches=6, event_handlers=told)
    assert told.events.count("batch_end") == 6


def test_progress_is_logged():
    estimator, lines = make(), []
    handler = logging.Handler()
    handler.emit = lambda record: lines.append(record.getMessage())
    estimator.logger.addHandler(handler)
    logged = est.LoggingHandler(log_interval=2, metrics=estimator.train_metrics)
    estimator.fit(loader(), epochs=1, event_handlers=logged)
    assert lines[0] == "Training begin: using optimizer SGD with current learning rate 0.5000 "
    assert lines[1] == "Train for 1 epochs."
    assert lines[2] == "[Epoch 0] Begin, current learning rate: 0.5000"
    assert lines[3].startswith("[Epoch 0][Batch 0][Samples 5] time/interval: ")
    assert lines[-1].startswith("Train finished using total 0s with 1 epochs. training accuracy: ")


def test_checkpoints_are_written_and_gone_on_from(tmp_path):
    estimator = make()
    checkpoints = est.CheckpointHandler(str(tmp_path), "net", max_checkpoints=2)
    estimator.fit(loader(), epochs=3, event_handlers=checkpoints)
    names = {p.name for p in tmp_path.iterdir()}
    assert {"net-epoch1batch8.params", "net-epoch2batch12.params", "net-epoch2batch12.states"} <= names
    assert "net-epoch0batch4.params" not in names
    assert "net-symbol.json" in names
    again = make()
    told = Told()
    again.fit(loader(), epochs=5, event_handlers=[
        est.CheckpointHandler(str(tmp_path), "net", resume_from_checkpoint=True), told])  # fmt: skip
    assert told.events.count("epoch_end") == 2
    finished = est.CheckpointHandler(str(tmp_path), "net", resume_from_checkpoint=True)
    with pytest.raises(ValueError, match="Found checkpoint with maximum number of epoch"):
        make().fit(loader(), epochs=3, event_handlers=finished)


@pytest.mark.parametrize("mode", ["min", "max"])
def test_a_training_ends_when_nothing_improves(mode):
    estimator, told = make(), Told()
    estimator.trainer.set_learning_rate(0.0)  # nothing changes
    stopping = est.EarlyStoppingHandler(estimator.train_metrics[0], patience=1, mode=mode)
    estimator.fit(loader(), epochs=10, event_handlers=[stopping, told])
    assert told.events.count("epoch_end") == 2


MISTAKES = {
    "a loss that is none": (lambda: est.Estimator(gluon.nn.Dense(1), 3), "loss must be a Loss"),
    "a trainer that is none": (
        lambda: est.Estimator(gluon.nn.Dense(1, in_units=1), gluon.loss.L2Loss(), trainer=3), "Trainer must be a Gluon"
    ),
    "metrics that are none": (lambda: make(train_metrics=["acc"]), "metrics must be a Metric"),
    "data that is none": (lambda: make().fit([1], epochs=1), "only support input as Gluon DataLoader"),
    "both": (lambda: make().fit(loader(), epochs=1, batches=1), "one and only one of: epochs or batches"),
    "neither": (lambda: make().fit(loader()), "one and only one of: epochs or batches"),
    "a handler that is none": (lambda: make().fit(loader(), epochs=1, event_handlers=[3]), "must be an EventHandler"),
    "a metric of its own": (
        lambda: make().fit(loader(), epochs=1, event_handlers=est.LoggingHandler(metrics=mx.metric.Accuracy())),
        "outside of the known training and validation metrics",
    ),
    "an interval": (lambda: est.LoggingHandler("batch"), "log_interval must be either an integer or string"),
    "no metric": (lambda: est.EarlyStoppingHandler(3), "Please provide one of the metric objects"),
    "the best of nothing": (lambda: est.CheckpointHandler(".", save_best=True), "To save best model only"),
    "a processor that is none": (lambda: make(batch_processor=3), "must contain fit_batch"),
}  # fmt: skip


@pytest.mark.parametrize("name", MISTAKES)
def test_mistakes_are_named(name):
    run, message = MISTAKES[name]
    with pytest.raises(ValueError, match=message):
        run()


def test_strides_go_through_everything():
    assert sorted(data.IntervalSampler(10, 3)) == list(range(10))
    assert len(data.IntervalSampler(10, 3, rollover=False)) == len(list(data.IntervalSampler(10, 3, rollover=False)))
    with pytest.raises(AssertionError, match="must be smaller than or equal to length"):
        data.IntervalSampler(3, 4)
