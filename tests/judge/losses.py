"""Losses with their options, and the labels that they take."""

from __future__ import annotations

import random

__all__ = ["ctc_loss", "loss"]

_COMMON = {"weight": ("0.5", "2.0"), "batch_axis": ("0",)}
#: Class -> options of its own, and labels of a result of ``W`` columns.
LOSSES: dict[str, tuple[dict[str, tuple[str, ...]], tuple[str, ...]]] = {
    "L2Loss": ({}, ("numbers(seed + 9, (n, W))",)),
    "L1Loss": ({}, ("numbers(seed + 9, (n, W))",)),
    "SoftmaxCELoss": ({}, ("whole(seed + 9, (n,), W)",)),
    "SoftmaxCrossEntropyLoss": (
        {"sparse_label": ("False",), "from_logits": ("True",), "axis": ("-1", "1")},
        ("nd.softmax(numbers(seed + 9, (n, W)))",),
    ),
    "SigmoidBCELoss": ({}, ("mask(seed + 9, (n, W))",)),
    "SigmoidBinaryCrossEntropyLoss": ({}, ("numbers(seed + 9, (n, W), 0, 1)",)),
    "KLDivLoss": ({"from_logits": ("False",)}, ("nd.softmax(numbers(seed + 9, (n, W)))",)),
    "HuberLoss": ({"rho": ("0.3", "1", "2")}, ("numbers(seed + 9, (n, W))",)),
    "HingeLoss": ({"margin": ("1", "0.3")}, ("mask(seed + 9, (n, W)) * 2 - 1",)),
    "SquaredHingeLoss": ({"margin": ("1", "0.3")}, ("mask(seed + 9, (n, W)) * 2 - 1",)),
    "LogisticLoss": ({}, ("mask(seed + 9, (n, W)) * 2 - 1",)),
    "TripletLoss": ({"margin": ("1", "0.3")}, ("numbers(seed + 9, (n, W))", "numbers(seed + 10, (n, W))")),
    "PoissonNLLLoss": (
        {"from_logits": ("True", "False"), "compute_full": ("True", "False")},
        ("numbers(seed + 9, (n, W), 0.5, 4)",),
    ),
    "CosineEmbeddingLoss": ({"margin": ("0", "0.2")}, ("numbers(seed + 9, (n, W))", "mask(seed + 8, (n,)) * 2 - 1")),
    "SDMLLoss": ({"smoothing_parameter": ("0.3", "0.1")}, ("numbers(seed + 9, (n, W))",)),
}
_WEIGHED = {
    "L2Loss", "L1Loss", "SoftmaxCELoss", "SoftmaxCrossEntropyLoss", "SigmoidBCELoss", "SigmoidBinaryCrossEntropyLoss",
    "KLDivLoss", "HuberLoss", "HingeLoss", "SquaredHingeLoss", "LogisticLoss", "PoissonNLLLoss", "CosineEmbeddingLoss",
}  # fmt: skip
#: Of a net whose result is a sequence: its length is at least that of the labels, and blanks between equal ones.
CTC = ("gluon.loss.CTCLoss", ("whole(seed + 9, (n, 2), BELOW)", "padded(seed + 9, (n, 2), BELOW)"))
_MORE = {"L2Loss": 3, "SoftmaxCELoss": 4}


def loss(rng: random.Random) -> tuple[str, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], int]:
    """Return a loss, its settings, the labels, and how many columns it wants."""
    name = rng.choices(list(LOSSES), [_MORE.get(n, 1) for n in LOSSES])[0]
    options, labels = LOSSES[name]
    width = rng.choice([1, 2, 3, 4]) if "Softmax" not in name else rng.choice([2, 3, 4])
    settings = [(n, rng.choice(v)) for n, v in options.items() if rng.random() < 0.5]
    if name == "SoftmaxCrossEntropyLoss" and "sparse_label" not in dict(settings):
        settings.append(("sparse_label", "False"))
    if name == "SigmoidBinaryCrossEntropyLoss" and rng.random() < 0.2:
        settings.append(("from_sigmoid", "False"))
    if name == "LogisticLoss" and rng.random() < 0.4:
        settings.append(("label_format", "'binary'"))
        labels = ("mask(seed + 9, (n, W))",)
    if rng.random() < 0.3 and name not in ("TripletLoss", "SDMLLoss"):
        settings.append(("weight", rng.choice(_COMMON["weight"])))
    given = [(f"y{i}", text.replace("W", str(width))) for i, text in enumerate(labels)]
    if name in _WEIGHED and rng.random() < 0.35:
        given.append(("z", "mask(seed + 77, (n, 1))" if rng.random() < 0.6 else "numbers(seed + 77, (n, 1), 0)"))
    return f"gluon.loss.{name}", tuple(settings), tuple(given), width


def ctc_loss(rng: random.Random) -> tuple[str, tuple[tuple[str, str], ...], tuple[tuple[str, str], ...], int]:
    """Return a CTCLoss as :func:`loss` does."""
    name, labels = CTC
    width = rng.choice([3, 4])
    settings = (("weight", "2.0"),) if rng.random() < 0.3 else ()
    return name, settings, (("y0", rng.choice(labels).replace("BELOW", str(width - 1))),), width
