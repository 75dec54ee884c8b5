"""Scaled losses: steps that overflow are left out, and the scale follows; numbers as real MXNet 1.9.1 gives them."""

import pytest

from d2lhybrid import MXNetError, autograd, gluon, nd, optimizer
from d2lhybrid.contrib import amp


@pytest.fixture
def trained():
    amp.init()
    weight = gluon.Parameter("weight", shape=(2,), init="ones")
    weight.initialize()
    trainer = gluon.Trainer([weight], "sgd", {"learning_rate": 0.5})
    amp.init_trainer(trainer)
    return weight, trainer


def _step(weight, trainer, factor, *, several=False):
    with autograd.record():
        loss = (weight.data() * nd.array(factor)).sum()
        with amp.scale_loss([loss, loss] if several else loss, trainer) as scaled:
            autograd.backward(scaled)
    trainer.step(1)


def test_a_step_is_that_of_the_loss_without_a_scale(trained) -> None:
    weight, trainer = trained
    _step(weight, trainer, [1.0, -2.0])
    assert weight.grad().asnumpy().tolist() == [65536.0, -131072.0]
    assert weight.data().asnumpy().tolist() == [0.5, 2.0]


def test_gradients_that_are_not_finite_move_nothing(trained) -> None:
    weight, trainer = trained
    scales = []
    for factor in ([1.0, 1e35], [1.0, float("nan")], [1.0, 1.0]):
        _step(weight, trainer, factor)
        scales.append((trainer._amp_loss_scaler.loss_scale, weight.data().asnumpy().tolist()))
    # The gradient of the third step was multiplied by 2 ** 15; the scale is then what the second step has left.
    assert scales == [(65536.0, [1.0, 1.0]), (32768.0, [1.0, 1.0]), (16384.0, [0.5, 0.5])]


def test_a_state_of_the_optimizer_is_left_alone_too() -> None:
    amp.init()
    weight = gluon.Parameter("weight", shape=(1,), init="ones")
    weight.initialize()
    trainer = gluon.Trainer([weight], "sgd", {"learning_rate": 1.0, "momentum": 0.5})
    amp.init_trainer(trainer)
    for factor in ([1.0], [1e38], [1.0]):
        _step(weight, trainer, factor)
    assert weight.data().asnumpy().tolist() == [1.0 - 1.0 - 1.5]


def test_the_scale_doubles_after_good_steps(trained) -> None:
    weight, trainer = trained
    trainer._amp_loss_scaler._scale_seq_len = 2
    scales = []
    for _ in range(5):
        _step(weight, trainer, [0.0, 0.0])
        scales.append(trainer._amp_loss_scaler.loss_scale)
    assert scales == [65536.0, 65536.0, 131072.0, 131072.0, 262144.0]


def test_gradients_can_be_unscaled_to_clip_them(trained) -> None:
    weight, trainer = trained
    with autograd.record():
        loss = (weight.data() * nd.array([3.0, 4.0])).sum()
        with amp.scale_loss(loss, trainer) as scaled:
            autograd.backward(scaled)
    amp.unscale(trainer)
    assert gluon.utils.clip_global_norm([weight.grad()], 1.0) == pytest.approx(5.0)
    trainer.step(1)
    assert weight.data().asnumpy().tolist() == pytest.approx([0.7, 0.6])


def test_several_losses(trained) -> None:
    weight, trainer = trained
    weight.grad_req = "add"
    weight.zero_grad()
    _step(weight, trainer, [1.0, 0.0], several=True)
    assert weight.data().asnumpy().tolist() == [0.0, 1.0]


def test_what_is_refused(trained) -> None:
    with pytest.raises(MXNetError, match="bfloat16"):
        amp.init("bfloat16")
    with pytest.raises(MXNetError, match="does not accept target_precision_ops, conditional_fp32_ops, or fp32_ops"):
        amp.init(fp32_ops=["softmax"])
    with pytest.raises(TypeError, match="Gluon Trainer"):
        amp.init_trainer(optimizer.SGD())
    plain = gluon.Trainer([trained[0]], "sgd")
    with pytest.raises(AssertionError, match=r"init_trainer\(\)"), amp.scale_loss(nd.ones(1), plain):
        pass


def test_libraries_ask_whether_it_was_initialized(monkeypatch):
    monkeypatch.setattr(amp.amp._State, "initialized", False)
    assert amp.amp._amp_initialized is False
    amp.init()
    assert amp.amp._amp_initialized is True
