"""A random training program from a number."""

from __future__ import annotations

import dataclasses
import random
import re

from .losses import ctc_loss, loss
from .nets import make_net, make_sequence_net
from .optimizers import optimizer, scheduler
from .plan import Batch, Line, Plan, Step
from .steps import bucket_step, module_step, step

__all__ = ["generate", "in_numpy"]

#: What MXNet has of float32 alone.
_SINGLE = r"rnn\.|CTCLoss|clip_global_norm|adamw_update"
#: Operators of ``mx.nd``, and what is called like them in ``mx.np``.
_IN_NUMPY = {
    **{name: f"F.np.{name}" for name in (
        "mean", "max", "sum", "tanh", "abs", "exp", "sqrt", "where", "maximum", "square", "clip", "expand_dims",
        "log1p", "expm1", "arcsinh",
    )},
    **{name: f"F.npx.{name}" for name in ("softmax", "log_softmax", "smooth_l1", "batch_dot", "erf")},
    "broadcast_mul": "F.np.multiply", "broadcast_add": "F.np.add", "broadcast_sub": "F.np.subtract",
    "broadcast_maximum": "F.np.maximum", "broadcast_div": "F.np.true_divide", "elemwise_mul": "F.np.multiply",
}  # fmt: skip

_CHANGES = (
    "for p in parameters(net)[::2]: p.grad_req = 'null'",
    "for p in parameters(net)[-1:]: p.grad_req = 'null'",
    "for p in parameters(net)[:2]: p.grad_req = 'null'",
    "for p in parameters(net)[2:]: p.grad_req = 'null'",
    "net.collect_params('.*bias|.*beta').setattr('grad_req', 'null')",
    "net.collect_params().setattr('grad_req', 'add')",
    "for p in parameters(net): p.grad_req = 'add' if p.grad_req == 'write' else p.grad_req",
    "for p in parameters(net)[::2]: p.lr_mult = 0.5",
    "for p in parameters(net)[1::2]: p.lr_mult = 0.0",
    "net.collect_params('.*bias|.*beta').setattr('wd_mult', 0.0)",
    "for p in parameters(net)[:2]: p.wd_mult = 3.0",
)


def generate(seed: int) -> Plan:
    """Return the program of a number.

    Parameters
    ----------
    seed : int
        The number.
    """
    rng = random.Random(f"program {seed}")
    more = random.Random(f"more of program {seed}")
    if more.random() < 0.04:
        name, settings, labels, width = ctc_loss(rng)
        net = make_sequence_net(rng, width)
    else:
        name, settings, labels, width = loss(rng)
        net = make_net(rng, width)
    which, options = optimizer(rng)
    count = rng.choice([1, 2, 3, 4, 5, 6])
    schedule = scheduler(rng)
    with_gradient = net.inputs[-1][1].startswith("numbers")
    steps = [step(rng, at, with_gradient, bool(schedule)) for at in range(count)]
    if rng.random() < 0.2:
        bound = rng.choice([", True", ", True", ", True, True", ", True, grad_req='add'"])
        plan = Plan(
            batch=Batch(tuple(net.inputs), labels), net=tuple(net.lines), loss=name, loss_settings=settings,
            optimizer=which, settings=options, steps=tuple(module_step(rng, at) for at in range(count)),
            scheduler=schedule, changes=tuple(rng.sample(_CHANGES, rng.choice([0, 0, 1]))), module=bound,
        )  # fmt: skip
        if more.random() < 0.3:  # a BucketingModule adds no gradients up, and computes none of its inputs
            steps = [bucket_step(more, at) for at in range(count)]
            return dataclasses.replace(plan, buckets=True, module=", True", steps=tuple(steps))
        return plan
    plan = Plan(
        batch=Batch(tuple(net.inputs), labels), net=tuple(net.lines), loss=name, loss_settings=settings,
        optimizer=which, settings=options, steps=tuple(steps), scheduler=schedule,
        hybridize=rng.choice(["", "", "plain", "plain", "static_alloc=True", "static_alloc=True, static_shape=True"]),
        changes=tuple(rng.sample(_CHANGES, rng.choice([0, 0, 0, 1, 2]))),
    )  # fmt: skip
    plan = _varied(more, plan)
    # Settings cannot be held in single precision inside of a compiled program.
    plain = plan.hybridize == "plain" and plan.dtype == "float32"
    return dataclasses.replace(plan, promoted=plain and random.Random(f"tier of program {seed}").random() < 0.5)


def _varied(rng: random.Random, plan: Plan) -> Plan:
    """Return a plan with other numbers, with ``mx.np``, or with a Dropout that drops nothing when it predicts.

    What a Dropout drops while it trains is drawn from random numbers of each side's own: it is compared where it passes
    everything on, under ``record(train_mode=False)``, and not in nets with layers that MXNet mistakes there. Half
    precision cannot be compared: MXNet's ``FullyConnected`` takes no ``float16`` on a CPU. With ``mx.np``, layers and
    losses are left out that MXNet writes with operators of ``mx.nd``: it refuses them.
    """
    chance = rng.random()
    layers = " ".join(declare for line in plan.net for declare in line.declares)
    if chance < 0.08 and not re.search(
        r"rnn\.|CTCLoss|clip_global_norm|adamw_update", plan.text()
    ):  # float32 alone in MXNet
        if not plan.sets("learning_rate"):  # kernels hold it in float32: it has to be moved to see what that does
            plan = dataclasses.replace(plan, settings=(*plan.settings, ("learning_rate", "0.1")))
        return dataclasses.replace(plan, dtype="float64")
    if chance < 0.2:
        return in_numpy(plan) or plan
    if "nn.Dropout(0)" in layers and not re.search("BatchNorm|MaxPool", layers) and chance < 0.8:
        return dataclasses.replace(
            plan,
            net=tuple(_changed(line, "nn.Dropout(0)", "nn.Dropout(0.5)") for line in plan.net),
            steps=tuple(_predicting(one) for one in plan.steps),
        )
    return plan


def _changed(line: Line, old: str, new: str) -> Line:
    return Line(line.call.replace(old, new), tuple(declare.replace(old, new) for declare in line.declares))


def _predicting(step: Step) -> Step:
    def line(text: str) -> str:
        text = text.replace("autograd.train_mode()", "autograd.predict_mode()")
        return text.replace("autograd.record()", "autograd.record(train_mode=False)")

    extras = tuple((word, line(text)) for word, text in step.extras)
    return dataclasses.replace(step, lines=tuple(map(line, step.lines)), extras=extras)


def in_numpy(plan: Plan) -> Plan | None:
    """Return a plan with ``mx.np`` in the place of ``mx.nd``; None if it has something that is not there.

    Parameters
    ----------
    plan : Plan
        A plan that trains with a Trainer.
    """
    if plan.loss.endswith(("HingeLoss", "TripletLoss", "CTCLoss", "SDMLLoss", "CosineEmbeddingLoss")):
        return None
    net = []
    for line in plan.net:
        call = re.sub(r"\bF\.(\w+)", lambda found: _IN_NUMPY.get(found[1], "missing"), line.call)
        if "missing" in call or any(
            "mx.nd" in one or re.search("sparse_grad|rnn.|InstanceNorm|SELU", one) for one in line.declares
        ):
            return None
        net.append(Line(call, line.declares))

    def text(one: str) -> str:
        return one.replace("nd.softmax(", "mx.npx.softmax(").replace("nd.clip(", "mx.np.clip(")

    def step(one: Step) -> Step:
        extras = tuple((word, text(line)) for word, line in one.extras)
        return dataclasses.replace(one, lines=tuple(map(text, one.lines)), extras=extras)

    labels = tuple((name, text(one)) for name, one in plan.batch.labels)
    return dataclasses.replace(
        plan, numpy=True, net=tuple(net), batch=Batch(plan.batch.inputs, labels), steps=tuple(map(step, plan.steps))
    )
