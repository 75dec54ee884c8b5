"""Differences that ``docs/compatibility.md`` names: recognised by a rule, and counted."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

from .plan import Plan

__all__ = ["KNOWN", "Known", "known"]


class Known(NamedTuple):
    """One documented difference.

    Attributes
    ----------
    words : str
        What ``docs/compatibility.md`` says of it, word by word.
    text : str
        A pattern of what is found: the name of what differs first, a colon, and how.
    rule : callable
        Whether the plan is one that it can happen to.
    """

    words: str
    text: str
    rule: Callable[[Plan], bool] = lambda plan: True


#: Errors of MXNet where this package computes.
_REFUSED = "error: no error here, "
KNOWN: list[Known] = [
    Known(
        '`sparse_grad=True` and `grad_req="add"`', _REFUSED + ".*SparseEmbedding layer doesn't support weight gradient"
    ),
    Known("A sparse and a dense gradient of one weight", _REFUSED + ".*Check failed: temp.IsDefaultData"),
    Known("asks for a gradient of indices", _REFUSED + ".*Embedding layer doesn't support calculate data gradient"),
    Known(
        "`PoissonNLLLoss(compute_full=True)`",
        "error: .* here, .*(Assigning to NDArrays that are already in a |Function __imul__)",
    ),
    Known(
        "`SDMLLoss` of symbols", _REFUSED + ".*'Symbol' object has no attribute 'shape'",
        lambda plan: bool(plan.module),
    ),
    Known(
        '`LeakyReLU(act_type="selu")`', ".*(gradient|state|norm)",
        lambda plan: any("nn.SELU" in declare for line in plan.net for declare in line.declares),
    ),
    Known("`Signum` without a momentum and with `wd_lh`", _REFUSED + ".*Cannot find argument 'wd_lh'"),
    Known(
        "`AdaDelta` leaves the gradient as it is", ".*gradient of ", lambda plan: plan.optimizer == "adadelta"
    ),
    Known(
        "`Adamax` keeps a weight whose gradient has always been 0", ".* nan in MXNet",
        lambda plan: plan.optimizer == "adamax",
    ),
    Known("`LBSGD` adds up every gradient", ".*", lambda plan: plan.optimizer == "lbsgd" and plan.sets("batch_scale")),
]  # fmt: skip


def known(plan: Plan, name: str, text: str) -> str:
    """Return what the documentation says of a difference; empty if it does not.

    Parameters
    ----------
    plan : Plan
        The program.
    name, text : str
        What differs first, and how.
    """
    for one in KNOWN:
        if one.rule(plan) and re.match(one.text, f"{name}: {text}"):
            return one.words
    return ""
