"""Update rules for one element, in CUDA C. Each supported optimizer has a rule for each set of states.

A rule computes the same result as the ``step`` of its optimizer. Its statements change ``w`` (the element of the
weight) and the states, and may change ``g`` (the element of the gradient). All other names are numeric settings, which
are either ``shared`` by all weights of a call or each weight's ``own``. Python computes these settings in double
precision and rounds them once, as NumPy rounds a Python float, because ``1 - beta2`` in single precision would be wrong
in the fifth digit. A test compares the rules with the ``step`` methods.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy

from .adaptive import FTML, AdaDelta, AdaGrad, Adam, Adamax, Ftrl, Nadam, RMSProp
from .contrib import AdamW
from .descent import DCASGD, NAG, SGD, Signum, Test
from .large_batch import LBSGD
from .optimizer import Optimizer

__all__ = ["RULES", "Family", "Rule", "family_of"]

Numbers = tuple[float, ...]


@dataclass(frozen=True)
class Rule:
    """A rule for the update of one element.

    Attributes
    ----------
    states : tuple of (str or None)
        The names of the states in the order of ``create_state``, with None for states that this rule lacks.
    code : str
        Statements in CUDA C.
    """

    states: tuple[str | None, ...]
    code: str

    @property
    def present(self) -> list[str]:
        """The names of the states that the rule uses."""
        return [name for name in self.states if name is not None]


@dataclass(frozen=True)
class Family:
    """The rules of an optimizer, and the numeric settings that the rules use.

    Attributes
    ----------
    owner : type
        The optimizer class.
    rules : tuple of Rule
        A rule for each set of states.
    shared, own : tuple of str
        The names of the numeric settings.
    shared_values : callable
        Function ``(optimizer, dtype of the states) -> values`` of the shared settings.
    own_values : callable
        Function ``(optimizer, lr, wd, t) -> values`` of a weight's own settings, which is called once for each weight,
        in order.
    accepts : callable
        Function ``optimizer -> bool`` that returns whether the rules are valid for the optimizer's settings.
    """

    owner: type[Optimizer]
    rules: tuple[Rule, ...]
    shared: tuple[str, ...]
    own: tuple[str, ...]
    shared_values: Callable[[Any, Any], Numbers]
    own_values: Callable[[Any, float, float, int], Numbers]
    accepts: Callable[[Any], bool]

    def rule_for(self, states: Sequence[Any]) -> Rule | None:
        """Return the rule for a set of states, some of which may be None.

        Parameters
        ----------
        states : sequence of (NDArray or None)
            The states of a weight.

        Returns
        -------
        Rule or None
            The rule, or None if the family has no rule for these states.
        """
        pattern = [state is None for state in states]
        return next((r for r in self.rules if [name is None for name in r.states] == pattern), None)


#: Methods that a subclass must not override if the rules of its base class are to apply.
_METHODS = ("_apply", "decayed", "scaled", "step", "update", "update_multi_precision")

RULES: dict[type[Optimizer], Family] = {}


@cache
def family_of(kind: type[Optimizer]) -> Family | None:
    """Return the rules of an optimizer class, or None if the class has no rules.

    Parameters
    ----------
    kind : type
        The optimizer class.

    Returns
    -------
    Family or None
        The rules.

    Examples
    --------
    >>> from d2lhybrid import optimizer
    >>> family_of(optimizer.ccSGD).owner.__name__  # it changes nothing about SGD
    'SGD'
    >>> class Mine(optimizer.SGD):
    ...     def step(self, xp, weight, grad, states, lr, wd, t): ...
    >>> family_of(Mine) is None
    True
    """
    for base in kind.__mro__:
        if base in RULES:
            same = all(getattr(kind, name) is getattr(base, name) for name in _METHODS)
            return RULES[base] if same else None
    return None


def _no_numbers(*arguments: Any) -> Numbers:
    return ()


def _always(optimizer: Any) -> bool:
    return True


def _rules(
    owner: type[Optimizer],
    *rules: Rule,
    shared: str = "",
    own: str = "",
    shared_values: Callable[[Any, Any], Numbers] = _no_numbers,
    own_values: Callable[[Any, float, float, int], Numbers] = _no_numbers,
    accepts: Callable[[Any], bool] = _always,
) -> Family:
    def with_scaling(optimizer: Any, dtype: Any) -> Numbers:
        clip = optimizer._clipping
        return (optimizer.rescale_grad, -1.0 if clip is None else clip, *shared_values(optimizer, dtype))

    def accepts_clipping(optimizer: Any) -> bool:
        clip = optimizer._clipping
        return (clip is None or clip >= 0) and accepts(optimizer)

    RULES[owner] = family = Family(
        owner, rules, ("rescale", "clip", *shared.split()), tuple(own.split()),
        with_scaling, own_values, accepts_clipping,
    )  # fmt: skip
    return family


#: Code that computes the gradient of ``Optimizer.scaled`` and of ``Optimizer.decayed``.
_SCALED = "g = clipped(g * rescale, clip);"
_DECAYED = "g = clipped(g * rescale + wd * w, clip);"

# --- one learning rate for all elements --------------------------------------------------------

_PLAIN = Rule((), _SCALED + "w = keep * w - lr * g;")

_DESCENT = _rules(
    SGD,
    _PLAIN,
    Rule(("mom",), _SCALED + "mom = momentum * mom - lr * g - decay * w; w += mom;"),
    shared="momentum",
    own="lr decay keep",
    shared_values=lambda o, dtype: (o.momentum,),
    own_values=lambda o, lr, wd, t: (lr, lr * wd, 1.0 - lr * wd),
)


_rules(
    LBSGD,
    *_DESCENT.rules,
    shared="momentum",
    own="lr decay keep",
    shared_values=lambda o, dtype: (o.momentum,),
    own_values=_DESCENT.own_values,  # no warm-up, because batch_scale is 1
    accepts=lambda o: o.batch_scale == 1 and o.warmup_strategy != "lars",  # no accumulated gradients, no norms
)

_rules(
    NAG,
    Rule((), _SCALED + "w = plain_keep * w - lr * g;"),
    Rule(
        ("mom",),
        _SCALED
        + """
        number step = lr * g;
        mom = momentum * mom - step;
        w = keep * w - (step - momentum * mom);
        mom -= decay * w;
        """,
    ),
    shared="momentum",
    own="lr decay keep plain_keep",
    shared_values=lambda o, dtype: (o.momentum,),
    own_values=lambda o, lr, wd, t: (lr, lr * wd, 1.0 - (1.0 + o.momentum) * lr * wd, 1.0 - lr * wd),
)

_rules(
    Signum,
    Rule((), "w = keep * w - lr * sign_of(g);"),
    Rule(
        ("mom",),
        _SCALED + "mom = momentum * mom - fresh * (g + wd * w); w = decoupled_keep * w + lr * sign_of(mom);",
    ),
    shared="momentum fresh",
    own="lr wd keep decoupled_keep",
    shared_values=lambda o, dtype: (o.momentum, 1.0 - o.momentum),
    own_values=lambda o, lr, wd, t: (lr, wd, 1.0 - lr * wd, 1.0 - lr * o.wd_lh),
)

_COMPENSATED = _SCALED + "number step = -lr * (g + lamda * (g * g * (w - previous)) + wd * w); previous = w;"

_rules(
    DCASGD,
    Rule((None, "previous"), _COMPENSATED + "w += step;"),
    Rule(("mom", "previous"), _COMPENSATED + "mom = momentum * mom + step; w += mom;"),
    shared="momentum lamda",
    own="lr wd",
    shared_values=lambda o, dtype: (o.momentum, o.lamda),
    own_values=lambda o, lr, wd, t: (lr, wd),
)

_rules(Test, Rule(("latest",), "w += g * rescale; latest = w;"))

# --- a step size for each element --------------------------------------------------------------

_MEANS = """
mean = beta1 * mean + fresh1 * g;
var = beta2 * var + fresh2 * (g * g);
"""


def _betas(o: Any, *more: float) -> Numbers:
    return (o.beta1, 1.0 - o.beta1, o.beta2, 1.0 - o.beta2, *more)


def _corrected(o: Any, lr: float, t: int) -> float:
    return lr * (math.sqrt(1.0 - o.beta2**t) / (1.0 - o.beta1**t))


_rules(
    Adam,
    Rule(("mean", "var"), _DECAYED + _MEANS + "w -= rate * (mean / (sqrt(var) + epsilon));"),
    shared="beta1 fresh1 beta2 fresh2 epsilon",
    own="rate wd",
    shared_values=lambda o, dtype: _betas(o, o.epsilon),
    own_values=lambda o, lr, wd, t: (_corrected(o, lr, t), wd),
)

_rules(
    AdamW,
    Rule(("mean", "var"), _SCALED + _MEANS + "w = keep * w - rate * (mean / (sqrt(var) + epsilon));"),
    shared="beta1 fresh1 beta2 fresh2 epsilon",
    own="rate keep",
    shared_values=lambda o, dtype: _betas(o, o.epsilon),
    own_values=lambda o, lr, wd, t: (_corrected(o, lr, t) if o.correct_bias else lr, 1.0 - lr * wd),
)

_rules(
    Adamax,
    Rule(
        ("mean", "largest"),
        _DECAYED
        + """
        mean = beta1 * mean + fresh1 * g;
        largest = larger(beta2 * largest, magnitude(g));
        w -= rate * mean / larger(largest, tiny);
        """,
    ),
    shared="beta1 fresh1 beta2 tiny",
    own="rate wd",
    shared_values=lambda o, dtype: (o.beta1, 1.0 - o.beta1, o.beta2, float(numpy.finfo(dtype).tiny)),
    own_values=lambda o, lr, wd, t: (lr / (1.0 - o.beta1**t), wd),
)


def _nesterov(o: Any, lr: float, wd: float, t: int) -> Numbers:
    now, following = o._momentum(t), o._momentum(t + 1)
    o.m_schedule *= now  # shared by all weights, and advanced by each: see Nadam
    schedule = o.m_schedule
    return (
        lr, wd, (1.0 - now) / (1.0 - schedule), following / (1.0 - schedule * following), 1.0 / (1.0 - o.beta2**t),
    )  # fmt: skip


_rules(
    Nadam,
    Rule(
        ("mean", "var"),
        _DECAYED + _MEANS + "w -= lr * ((of_gradient * g + of_mean * mean) / (sqrt(var * of_var) + epsilon));",
    ),
    shared="beta1 fresh1 beta2 fresh2 epsilon",
    own="lr wd of_gradient of_mean of_var",
    shared_values=lambda o, dtype: _betas(o, o.epsilon),
    own_values=_nesterov,
)

_rules(
    AdaGrad,
    Rule(("history",), _SCALED + "history += g * g; w -= lr * (g / sqrt(history + epsilon) + wd * w);"),
    shared="epsilon",
    own="lr wd",
    shared_values=lambda o, dtype: (o.float_stable_eps,),
    own_values=lambda o, lr, wd, t: (lr, wd),
)

_rules(
    AdaDelta,
    Rule(
        ("grads", "steps"),
        _SCALED
        + """
        grads = rho * grads + fresh * (g * g);
        number step = g * sqrt((steps + epsilon) / (grads + epsilon));
        steps = rho * steps + fresh * (step * step);
        w = keep * w - step;
        """,
    ),
    shared="rho fresh epsilon",
    own="keep",
    shared_values=lambda o, dtype: (o.rho, 1.0 - o.rho, o.epsilon),
    own_values=lambda o, lr, wd, t: (1.0 - wd,),
)

_rules(
    RMSProp,
    Rule(
        ("n",),
        _DECAYED + "n = gamma1 * n + fresh * (g * g); w = clipped(w - lr * g / sqrt(n + epsilon), clip_weights);",
    ),
    Rule(
        ("n", "centre", "delta"),
        _DECAYED
        + """
        n = gamma1 * n + fresh * (g * g);
        centre = gamma1 * centre + fresh * g;
        delta = gamma2 * delta - lr * g / sqrt(n - centre * centre + epsilon);
        w = clipped(w + delta, clip_weights);
        """,
    ),
    shared="gamma1 fresh gamma2 epsilon clip_weights",
    own="lr wd",
    shared_values=lambda o, dtype: (
        o.gamma1, 1.0 - o.gamma1, o.gamma2, o.epsilon, -1.0 if o.clip_weights is None else o.clip_weights,
    ),
    own_values=lambda o, lr, wd, t: (lr, wd),
)  # fmt: skip

_rules(
    Ftrl,
    Rule(
        ("z", "n"),
        _SCALED
        + """
        number squares = n + g * g;
        z += g - (sqrt(squares) - sqrt(n)) * w / lr;
        n = squares;
        w = magnitude(z) <= lamda1 ? number(0) : (sign_of(z) * lamda1 - z) / ((beta + sqrt(n)) / lr + wd);
        """,
    ),
    shared="lamda1 beta",
    own="lr wd",
    shared_values=lambda o, dtype: (o.lamda1, o.beta),
    own_values=lambda o, lr, wd, t: (lr, wd),
)

_rules(
    FTML,
    Rule(
        ("d", "v", "z"),
        _DECAYED
        + """
        v = beta2 * v + fresh2 * (g * g);
        number next = rate * (sqrt(v * of_v) + epsilon);
        z = beta1 * z + fresh1 * g - (next - beta1 * d) * w;
        d = next;
        w = -z / d;
        """,
    ),
    shared="beta1 fresh1 beta2 fresh2 epsilon",
    own="wd rate of_v",
    shared_values=lambda o, dtype: _betas(o, o.epsilon),
    own_values=lambda o, lr, wd, t: (wd, (1.0 - o.beta1**t) / lr if lr else math.inf, 1.0 / (1.0 - o.beta2**t)),
)
