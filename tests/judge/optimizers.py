"""Optimizers with all their options, and schedules of learning rates."""

from __future__ import annotations

import random

__all__ = ["optimizer", "scheduler"]

_COMMON = {
    "learning_rate": ("0.1", "0.01", "0.5"),
    "wd": ("0.0", "0.01", "0.1"),
    "clip_gradient": ("0.05", "0.5", "None"),
    "begin_num_update": ("0", "5"),
    "multi_precision": ("True", "False"),
}
_MOMENTUM = {"momentum": ("0.0", "0.5", "0.9")}
_BETAS = {"beta1": ("0.9", "0.5", "0.0"), "beta2": ("0.999", "0.9"), "epsilon": ("1e-8", "1e-3")}
#: Optimizers, and values of their own options.
OPTIMIZERS: dict[str, dict[str, tuple[str, ...]]] = {
    "sgd": {**_MOMENTUM, "lazy_update": ("True", "False")},
    "nag": _MOMENTUM,
    "signum": {**_MOMENTUM, "wd_lh": ("0.0", "0.05")},
    "ftml": {"beta1": ("0.6", "0.9"), "beta2": ("0.999", "0.9"), "epsilon": ("1e-8", "1e-3")},
    "lars": {**_MOMENTUM, "eta": ("0.001", "0.1"), "eps": ("0", "1e-3"), "momentum_correction": ("True", "False")},
    "lbsgd": {
        **_MOMENTUM, "warmup_strategy": ("'linear'", "'power2'", "'sqrt'", "'lars'"), "warmup_epochs": ("1", "2"),
        "batch_scale": ("1", "2", "4"), "updates_per_epoch": ("2", "4"), "begin_epoch": ("0", "1"),
        "num_epochs": ("4",),
    },
    "lamb": {
        **_BETAS, "lower_bound": ("None", "0.5"), "upper_bound": ("None", "1.0"), "bias_correction": ("True", "False"),
    },
    "dcasgd": {"lamda": ("0.04", "0.5")},
    "adam": {**_BETAS, "lazy_update": ("True", "False")},
    "adagrad": {"eps": ("1e-7", "1e-2")},
    "rmsprop": {
        "gamma1": ("0.9", "0.5"), "gamma2": ("0.9", "0.5"), "epsilon": ("1e-8", "1e-3"), "centered": ("True", "False"),
        "clip_weights": ("None", "0.8"),
    },
    "adadelta": {"rho": ("0.9", "0.5"), "epsilon": ("1e-5", "1e-2")},
    "ftrl": {"lamda1": ("0.01", "0.5", "0.0"), "beta": ("1", "0.1")},
    "adamax": {"beta1": ("0.9", "0.5"), "beta2": ("0.999", "0.9")},
    "nadam": {**_BETAS, "schedule_decay": ("0.004", "0.1")},
    "groupadagrad": {"eps": ("1e-5", "1e-2")},
    "test": {},
}  # fmt: skip
_LARGER = {"sgd": 4, "adam": 4, "rmsprop": 2, "nag": 2, "lamb": 2, "ftrl": 2, "lars": 2}
_WARMUP = {
    "base_lr": ("0.1", "0.02"), "warmup_steps": ("0", "2"), "warmup_begin_lr": ("0", "0.005"),
    "warmup_mode": ("'linear'", "'constant'"),
}  # fmt: skip
_SCHEDULERS: dict[str, tuple[str, dict[str, tuple[str, ...]]]] = {
    "FactorScheduler": ("STEP", {"factor": ("0.5", "0.9"), "stop_factor_lr": ("1e-8", "0.03")}),
    "MultiFactorScheduler": ("[1, 3, 4]", {"factor": ("0.5", "0.1")}),
    "PolyScheduler": ("MOST", {"pwr": ("2", "1"), "final_lr": ("0", "0.01")}),
    "CosineScheduler": ("MOST", {"final_lr": ("0", "0.01")}),
}


def _some(rng: random.Random, options: dict[str, tuple[str, ...]], share: float) -> tuple[tuple[str, str], ...]:
    return tuple((name, rng.choice(values)) for name, values in options.items() if rng.random() < share)


def optimizer(rng: random.Random) -> tuple[str, tuple[tuple[str, str], ...]]:
    """Return the name of an optimizer and its options."""
    name = rng.choices(list(OPTIMIZERS), [_LARGER.get(n, 1) for n in OPTIMIZERS])[0]
    settings = _some(rng, OPTIMIZERS[name], 0.6)
    common = [("learning_rate", rng.choice(_COMMON["learning_rate"]))] if rng.random() < 0.9 else []
    for option, share in (("wd", 0.5), ("clip_gradient", 0.3), ("begin_num_update", 0.1), ("multi_precision", 0.1)):
        if rng.random() < share and option not in dict(settings):
            common.append((option, rng.choice(_COMMON[option])))
    return name, (*common, *settings)


def scheduler(rng: random.Random) -> str:
    """Return a schedule of learning rates; mostly none."""
    if rng.random() < 0.7:
        return ""
    name = rng.choice(list(_SCHEDULERS))
    first, options = _SCHEDULERS[name]
    first = first.replace("STEP", rng.choice("123")).replace("MOST", rng.choice("358"))
    settings = _some(rng, options, 0.5) + _some(rng, _WARMUP, 0.4)
    return f"mx.lr_scheduler.{name}({', '.join([first, *(f'{k}={v}' for k, v in settings)])})"
