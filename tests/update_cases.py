"""Optimizers and their settings, for tests of what updates all weights together."""

from __future__ import annotations

from typing import Any

import numpy

import d2lhybrid as mx

__all__ = ["IDS", "SETTINGS", "assert_alike", "make", "numbers"]

#: Settings that reach every rule, and every branch of a step.
SETTINGS: list[tuple[str, dict[str, Any]]] = [
    ("sgd", {}),
    ("sgd", {"momentum": 0.9, "wd": 0.1, "clip_gradient": 0.5}),
    ("ccsgd", {"momentum": 0.5}),
    ("lbsgd", {"momentum": 0.9, "warmup_epochs": 1, "updates_per_epoch": 4, "wd": 0.1}),
    ("nag", {"wd": 0.1}),
    ("nag", {"momentum": 0.9, "wd": 0.1, "clip_gradient": 0.5}),
    ("signum", {"momentum": 0.0, "wd": 0.1}),
    ("signum", {"momentum": 0.9, "wd": 0.1, "wd_lh": 0.05, "clip_gradient": 0.5}),
    ("dcasgd", {"wd": 0.1, "clip_gradient": 0.5}),
    ("dcasgd", {"momentum": 0.9, "wd": 0.1, "lamda": 0.5}),
    ("test", {}),
    ("adam", {"wd": 0.1, "clip_gradient": 0.5}),
    ("adamw", {"wd": 0.1}),
    ("adamw", {"correct_bias": False, "clip_gradient": 0.5}),
    ("adamax", {"wd": 0.1, "clip_gradient": 0.5}),
    ("nadam", {"wd": 0.1, "clip_gradient": 0.5}),
    ("adagrad", {"wd": 0.1, "clip_gradient": 0.5}),
    ("adadelta", {"wd": 0.1, "clip_gradient": 0.5}),
    ("rmsprop", {"wd": 0.1, "clip_gradient": 0.5}),
    ("rmsprop", {"centered": True, "wd": 0.1, "clip_weights": 0.7}),
    ("ftrl", {"wd": 0.1, "clip_gradient": 0.5}),
    ("ftml", {"wd": 0.1, "clip_gradient": 0.5}),
]
IDS = [f"{name}-{'-'.join(settings) or 'plain'}" for name, settings in SETTINGS]


def make(name: str, settings: dict[str, Any]) -> Any:
    common = {"rescale_grad": 0.5, "learning_rate": 0.1, **settings}
    optimizer = mx.optimizer.contrib.AdamW(**common) if name == "adamw" else mx.optimizer.create(name, **common)
    optimizer.set_lr_mult({1: 0.5})
    optimizer.set_wd_mult({2: 0.0})
    return optimizer


def numbers(tree: Any) -> list[Any]:
    if isinstance(tree, tuple | list):
        return [n for one in tree for n in numbers(one)]
    return [] if tree is None else [tree.asnumpy().astype("float64")]


def assert_alike(first: Any, second: Any, dtype: str) -> None:
    relative = {"float64": 1e-12, "float32": 2e-5, "float16": 2e-2}[dtype]
    for a, b in zip(numbers(first), numbers(second), strict=True):
        numpy.testing.assert_allclose(a, b, rtol=relative, atol=relative / 10)
