"""States of optimizers that MXNet and d2lhybrid share: one side trains and writes them, either one goes on with them.

``python states.py train FOLDER`` and ``python states.py continue FOLDER`` run with MXNet; the tests call the functions
with d2lhybrid. Runs on Python 3.8.
"""

from __future__ import annotations

import json
import os
import sys

import numpy

OPTIMIZERS = {
    "sgd": {"momentum": 0.9},
    "nag": {"momentum": 0.5},
    "signum": {"momentum": 0.9},
    "adam": {},
    "adamax": {},
    "nadam": {},
    "adagrad": {},
    "adadelta": {},
    "rmsprop": {"centered": True},
    "ftrl": {},
    "ftml": {},
    "dcasgd": {},  # MXNet cannot update with a momentum
    "lamb": {},
    "lars": {"momentum": 0.9},
    "lbsgd": {"momentum": 0.9, "batch_scale": 3, "warmup_epochs": 1, "updates_per_epoch": 5, "begin_epoch": 1},
}
SCHEDULES = {
    "": None,
    " factor": lambda mx: mx.lr_scheduler.FactorScheduler(2, 0.5, base_lr=0.1),
    " steps": lambda mx: mx.lr_scheduler.MultiFactorScheduler([3, 5], 0.5, base_lr=0.1),
    " cosine": lambda mx: mx.lr_scheduler.CosineScheduler(20, 0.1, 0.01, 3),
}
CASES = [name + (schedule if name in ("sgd", "adam") else "") for schedule in SCHEDULES for name in OPTIMIZERS]
CASES = [*dict.fromkeys(CASES), *(f"{name} half" for name in ("sgd", "nag", "adam", "lamb", "lbsgd"))]
DATA = numpy.random.RandomState(3).uniform(-1, 1, (6, 4)).astype("float32")


def _net(mx, case):
    # No layer has a bias that its gradient does not know: rounding would decide where that goes.
    net = mx.gluon.nn.HybridSequential(prefix="net_")
    with net.name_scope():
        if case.endswith("half"):  # of which MXNet multiplies no matrices
            net.add(mx.gluon.nn.PReLU(in_channels=4), mx.gluon.nn.LayerNorm(in_channels=4))
            net.cast("float16")
        else:
            net.add(mx.gluon.nn.Dense(3, in_units=4, activation="tanh"), mx.gluon.nn.Dense(2, in_units=3))
    return net


def _trainer(mx, net, case, plain=False):
    name, _, schedule = case.partition(" ")
    settings = {} if plain else dict(OPTIMIZERS[name], learning_rate=0.1, wd=0.01)
    if schedule == "half":
        settings["multi_precision"] = True
    elif schedule and not plain:
        settings["lr_scheduler"] = SCHEDULES[" " + schedule](mx)
    return mx.gluon.Trainer(net.collect_params(), name, settings)


def _steps(mx, net, trainer, count):
    data = mx.nd.array(DATA, dtype=next(iter(net.collect_params().values())).dtype)
    for _ in range(count):
        with mx.autograd.record():
            loss = ((net(data) - 1) ** 2).sum()
        loss.backward()
        trainer.step(6)


def _weights(net):
    return numpy.concatenate([p.data().asnumpy().ravel() for p in net.collect_params().values()]).astype("float64")


def train(mx, folder, case):
    """Write the weights and states after four steps, and return the weights after three more."""
    net = _net(mx, case)
    for i, parameter in enumerate(net.collect_params().values()):
        numbers = numpy.random.RandomState(i).uniform(-1, 1, parameter.shape)
        parameter.initialize()
        parameter.set_data(mx.nd.array(numbers, dtype=parameter.dtype))
    trainer = _trainer(mx, net, case)
    _steps(mx, net, trainer, 4)
    net.save_parameters(os.path.join(folder, case + ".params"))
    trainer.save_states(os.path.join(folder, case + ".states"))
    _steps(mx, net, trainer, 3)
    return _weights(net)


def go_on(mx, folder, case):
    """Return the weights after three steps more than the files have made; the states know all settings."""
    net = _net(mx, case)
    net.load_parameters(os.path.join(folder, case + ".params"))
    trainer = _trainer(mx, net, case, plain=True)
    trainer.load_states(os.path.join(folder, case + ".states"))
    _steps(mx, net, trainer, 3)
    return _weights(net)


def main(command, folder):
    """Write what comes of every case to ``report.json``."""
    import mxnet as mx  # pyright: ignore[reportMissingImports]

    report = {}
    for case in CASES:
        try:
            report[case] = {"train": train, "continue": go_on}[command](mx, folder, case).tolist()
        except Exception as error:
            report[case] = str(error).strip().splitlines()[-1]
    with open(os.path.join(folder, "report.json"), "w") as stream:
        json.dump(report, stream)


if __name__ == "__main__":
    main(*sys.argv[1:])
