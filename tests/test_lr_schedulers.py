"""Learning-rate schedules against values of real MXNet."""

import json
from pathlib import Path

import pytest

from d2lhybrid import lr_scheduler as ls

CASES = json.loads((Path(__file__).parent / "golden_data/text/lr_scheduler.json").read_text("utf-8"))["cases"]


@pytest.mark.parametrize("case", CASES, ids=[case["expr"] for case in CASES])
def test_values(case):
    schedule = eval(case["expr"], {"ls": ls})
    assert [schedule(i) for i in range(len(case["values"]))] == pytest.approx(case["values"], rel=1e-12)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: ls.FactorScheduler(0), "Schedule step must be greater or equal than 1 round"),
        (lambda: ls.FactorScheduler(1, 2), "Factor must be no more than 1 to make lr reduce"),
        (lambda: ls.MultiFactorScheduler([2, 1]), "Schedule step must be an increasing integer list"),
        (lambda: ls.MultiFactorScheduler([0]), "Schedule step must be greater or equal than 1 round"),
        (lambda: ls.MultiFactorScheduler([1], 2), "Factor must be no more than 1 to make lr reduce"),
        (lambda: ls.PolyScheduler(0), "maximum number of updates must be strictly positive"),
        (lambda: ls.CosineScheduler(0), "maximum number of updates must be strictly positive"),
        (lambda: ls.LRScheduler(warmup_begin_lr=1), "Base lr has to be higher than warmup_begin_lr"),
        (lambda: ls.LRScheduler(warmup_steps=-1), "Warmup steps has to be positive or 0"),
        (lambda: ls.LRScheduler(warmup_mode="x"), "Supports only linear and constant modes of warmup"),
    ],
)
def test_errors(make, message):
    with pytest.raises(ValueError) as raised:
        make()
    assert str(raised.value) == message


@pytest.mark.parametrize(
    "make",
    [
        lambda: ls.MultiFactorScheduler([]),
        lambda: ls.MultiFactorScheduler((1, 2)),
        lambda: ls.PolyScheduler(1.5),
        lambda: ls.LRScheduler(warmup_steps=1.0),
        lambda: ls.LRScheduler(warmup_steps=3).get_warmup_lr(5),
    ],
)
def test_wrong_types(make):
    with pytest.raises(AssertionError):
        make()


def test_base_class():
    with pytest.raises(NotImplementedError, match="must override this"):
        ls.LRScheduler()(1)


def test_warm_up():
    linear = ls.LRScheduler(base_lr=1.0, warmup_steps=4, warmup_begin_lr=0.2)
    assert [linear.get_warmup_lr(i) for i in range(4)] == pytest.approx([0.2, 0.4, 0.6, 0.8])
    constant = ls.LRScheduler(base_lr=1.0, warmup_steps=4, warmup_begin_lr=0.2, warmup_mode="constant")
    assert [constant.get_warmup_lr(i) for i in range(4)] == [0.2] * 4
