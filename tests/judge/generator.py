"""A random training program from a number."""

from __future__ import annotations

import random

from .losses import loss
from .nets import make_net
from .optimizers import optimizer, scheduler
from .plan import Batch, Plan
from .steps import module_step, step

__all__ = ["generate"]

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
    name, settings, labels, width = loss(rng)
    net = make_net(rng, width)
    which, options = optimizer(rng)
    count = rng.choice([1, 2, 3, 4, 5, 6])
    schedule = scheduler(rng)
    with_gradient = net.inputs[-1][1].startswith("numbers")
    steps = [step(rng, at, with_gradient, bool(schedule)) for at in range(count)]
    if rng.random() < 0.2:
        bound = rng.choice([", True", ", True", ", True, True", ", True, grad_req='add'"])
        return Plan(
            batch=Batch(tuple(net.inputs), labels), net=tuple(net.lines), loss=name, loss_settings=settings,
            optimizer=which, settings=options, steps=tuple(module_step(rng, at) for at in range(count)),
            scheduler=schedule, changes=tuple(rng.sample(_CHANGES, rng.choice([0, 0, 1]))), module=bound,
        )  # fmt: skip
    return Plan(
        batch=Batch(tuple(net.inputs), labels), net=tuple(net.lines), loss=name, loss_settings=settings,
        optimizer=which, settings=options, steps=tuple(steps), scheduler=schedule,
        hybridize=rng.choice(["", "", "plain", "plain", "static_alloc=True", "static_alloc=True, static_shape=True"]),
        changes=tuple(rng.sample(_CHANGES, rng.choice([0, 0, 0, 1, 2]))),
    )  # fmt: skip
