"""Metrics against values of real MXNet."""

import json
import math
from pathlib import Path

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd

CASES = json.loads((Path(__file__).parent / "golden_data/text/metrics.json").read_text("utf-8"))["cases"]


def as_values(value):
    return [math.nan if v == "nan" else v for v in (value if isinstance(value, list) else [value])]


@pytest.mark.parametrize("case", CASES, ids=[f"{i:02}-{c['expr'][:40]}" for i, c in enumerate(CASES)])
def test_values(case):
    metric = eval(case["expr"], {"mx": mx})
    found = [metric.get()]
    for label, pred in zip(case["labels"], case["preds"], strict=True):
        metric.update([nd.array(label)], [nd.array(pred)])
        found.append(metric.get())
    for (name, value), (expected_name, expected) in zip(found, case["get"], strict=True):
        assert name == expected_name
        assert as_values(value) == pytest.approx(as_values(expected), rel=1e-5, nan_ok=True)
    assert str(metric).split(":")[0] == case["str"].split(":")[0] == "EvalMetric"


def scores():
    return nd.array([[0.1, 0.9], [0.2, 0.8], [0.4, 0.6]])


@pytest.mark.parametrize(
    ("metric", "name", "value"),
    [
        (lambda: mx.metric.Accuracy(), "accuracy", 2 / 3),
        (lambda: mx.metric.TopKAccuracy(top_k=2), "top_k_accuracy_2", 1.0),
        (lambda: mx.metric.F1(), "f1", 0.8),
        (lambda: mx.metric.MCC(), "mcc", 0.0),
        (lambda: mx.metric.CrossEntropy(), "cross-entropy", 0.7418746948242188),
        (lambda: mx.metric.NegativeLogLikelihood(), "nll-loss", 0.7418746948242188),
        (lambda: mx.metric.Perplexity(None), "perplexity", 2.099868439320342),
        (lambda: mx.metric.RMSE(), "rmse", 0.5802298188209534),
        (lambda: mx.metric.Loss(), "loss", 0.5),
    ],
)
def test_printed_values(metric, name, value):
    metric = metric()
    metric.update([nd.array([1, 0, 1])], [scores()])
    assert metric.get() == (name, pytest.approx(value, rel=1e-6))
    assert metric.get_name_value() == [metric.get()]


def test_life_of_a_metric():
    metric = mx.metric.Accuracy()
    assert str(metric) == "EvalMetric: {'accuracy': nan}"
    metric.update(nd.array([1, 0]), nd.array([[0.1, 0.9], [0.2, 0.8]]))  # lists are not needed
    assert metric.get() == ("accuracy", 0.5)
    assert str(metric) == "EvalMetric: {'accuracy': 0.5}"
    metric.reset_local()
    assert math.isnan(metric.get()[1])
    assert metric.get_global() == ("accuracy", 0.5)
    assert metric.get_global_name_value() == [("accuracy", 0.5)]
    metric.reset()
    assert math.isnan(metric.get_global()[1])
    assert metric.get_config() == {
        "axis": 1,
        "metric": "Accuracy",
        "name": "accuracy",
        "output_names": None,
        "label_names": None,
    }
    assert mx.metric.create(metric.get_config()).axis == 1


def test_update_by_name():
    label, pred = nd.array([1, 0]), nd.array([[0.1, 0.9], [0.2, 0.8]])
    metric = mx.metric.Accuracy(output_names=["o"], label_names=["b"])
    metric.update_dict({"b": label, "c": label}, {"o": pred, "q": pred})
    assert (metric.get()[1], metric.num_inst) == (0.5, 2)
    with pytest.raises(KeyError, match="o"):
        metric.update_dict({"b": label}, {"q": pred})


def test_create():
    assert type(mx.metric.create("top_k_acc", top_k=3)) is mx.metric.TopKAccuracy
    assert mx.metric.create('["acc", {"axis": 0}]').axis == 0
    assert mx.metric.create(mx.metric.MAE()).name == "mae"
    assert mx.metric.create(lambda label, pred: 1.0).name == "custom(<lambda>)"
    assert mx.metric.create(["acc", "mse"]).get()[0] == ["accuracy", "mse"]
    with pytest.raises(AssertionError) as raised:
        mx.metric.create("foo")
    assert str(raised.value) == "foo is not registered. Please register with metric.register first"
    with pytest.raises(AssertionError, match="metric must be of string type"):
        mx.metric.create(3)


@pytest.mark.parametrize(
    ("name", "kind"),
    [
        ("acc", "Accuracy"),
        ("accuracy", "Accuracy"),
        ("ce", "CrossEntropy"),
        ("nll_loss", "NegativeLogLikelihood"),
        ("pearsonr", "PearsonCorrelation"),
        ("composite", "CompositeEvalMetric"),
        ("torch", "Torch"),
        ("pcc", "PCC"),
    ],
)
def test_registered_names(name, kind):
    assert type(mx.metric.create(name)).__name__ == kind


def test_composite():
    metric = mx.metric.CompositeEvalMetric(["acc", "ce"])
    metric.add("rmse")
    metric.update([nd.array([1, 0, 1])], [scores()])
    names, values = metric.get()
    assert names == ["accuracy", "cross-entropy", "rmse"]
    assert values == pytest.approx([2 / 3, 0.7418747, 0.5802298], rel=1e-5)
    assert type(metric.get_metric(1)) is mx.metric.CrossEntropy
    assert isinstance(metric.get_metric(5), ValueError)
    assert [config["metric"] for config in metric.get_config()["metrics"]] == [
        "Accuracy",
        "CrossEntropy",
        "RMSE",
    ]
    metric.reset_local()
    assert metric.get_global()[1] == pytest.approx(values)
    metric.reset()
    assert all(math.isnan(value) for value in metric.get_global()[1])


def test_custom_functions():
    metric = mx.metric.CustomMetric(lambda label, pred: (2.0, 3), allow_extra_outputs=True)
    metric.update([nd.ones((2,))], [nd.ones((2,)), nd.ones((2,))])
    assert metric.get() == ("custom(<lambda>)", pytest.approx(2 / 3))
    with pytest.raises(NotImplementedError, match="CustomMetric cannot be serialized"):
        metric.get_config()

    def feval(label, pred):
        assert isinstance(label, numpy.ndarray)
        return 1.0

    assert mx.metric.np(feval).name == "feval"
    assert mx.metric.np(feval, name="hi").name == "hi"


def test_own_class():
    class Half(mx.metric.EvalMetric):
        def __init__(self):
            super().__init__("half")

        def update(self, labels, preds):
            self.sum_metric += 1
            self.num_inst += 2

    metric = Half()
    metric.update(None, None)
    assert metric.get() == metric.get_global() == ("half", 0.5)
    with pytest.raises(NotImplementedError):
        mx.metric.EvalMetric("x").update(None, None)


@pytest.mark.parametrize("average", ["macro", "micro"])
@pytest.mark.parametrize("name", ["F1", "MCC"])
def test_averages_of_binary_scores(name, average):
    metric = getattr(mx.metric, name)(average=average)
    good = nd.array([[0.9, 0.1], [0.1, 0.9], [0.8, 0.2], [0.3, 0.7]])
    label = nd.array([0, 1, 0, 1])
    metric.update([label], [good])
    assert metric.get()[1] == pytest.approx(1.0)
    metric.update([label], [1 - good])
    assert metric.get()[1] == pytest.approx(0.5 if name == "F1" else 0.0)
    metric.reset_local()
    assert math.isnan(metric.get()[1])
    assert metric.get_global()[1] == pytest.approx(0.5 if name == "F1" else 0.0)
    with pytest.raises(ValueError, match="currently only supports binary classification"):
        metric.update([nd.array([0, 1, 2])], [nd.ones((3, 3))])


def test_correlation_over_all_examples():
    rng = numpy.random.default_rng(0)
    x, y = rng.standard_normal((2, 4, 5))
    metric = mx.metric.PearsonCorrelation(average="micro")
    for a, b in zip(x, y, strict=True):
        metric.update([nd.array(a)], [nd.array(b)])
    assert metric.get()[1] == pytest.approx(numpy.corrcoef(x.ravel(), y.ravel())[0, 1], rel=1e-5)


def test_perplexity_of_sequences():
    rng = numpy.random.default_rng(0)
    pred, label = rng.dirichlet(numpy.ones(3), (2, 4)), rng.integers(0, 3, (2, 4))
    metric = mx.metric.Perplexity(ignore_label=0)
    metric.update([nd.array(label)], [nd.array(pred)])
    chosen = numpy.take_along_axis(pred, label[..., None], -1)[..., 0][label != 0]
    assert metric.get()[1] == pytest.approx(numpy.exp(-numpy.log(chosen).mean()), rel=1e-5)


@pytest.mark.parametrize(
    ("call", "kind", "message"),
    [
        (
            lambda: mx.metric.Accuracy().update([nd.array([1, 0])], []),
            ValueError,
            "Shape of labels 1 does not match shape of predictions 0",
        ),
        (
            lambda: mx.metric.Accuracy().update([nd.array([1])], [nd.ones((2, 2))]),
            ValueError,
            "Shape of labels 1 does not match shape of predictions 2",
        ),
        (
            lambda: mx.metric.PearsonCorrelation().update([nd.ones((5,))], [nd.ones((5, 2))]),
            ValueError,
            r"Shape of labels \(5,\) does not match shape of predictions \(5, 2\)",
        ),
        (
            lambda: mx.metric.TopKAccuracy(),
            AssertionError,
            "Please use Accuracy if top_k is no more than 1",
        ),
        (
            lambda: mx.metric.TopKAccuracy(2).update([nd.array([1])], [nd.ones((1, 1, 2))]),
            AssertionError,
            "Predictions should be no more than 2 dims",
        ),
    ],
)
def test_errors(call, kind, message):
    with pytest.raises(kind, match=message):
        call()
