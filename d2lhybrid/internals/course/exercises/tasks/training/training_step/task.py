"""Exercise 07.1: a function that performs one training step."""

from __future__ import annotations

import numpy

from d2lhybrid.internals.course.exercises.exercise import Exercise
from d2lhybrid.internals.course.exercises.judging import compare, floats
from d2lhybrid.internals.course.exercises.results import expect
from d2lhybrid.internals.course.exercises.subject import Subject
from d2lhybrid.internals.support.words import translate

Arrays = list[numpy.ndarray]


#: The momentum, which makes a step depend on the previous step, so that the answer must use the trainer.
_MOMENTUM = 0.8


def _step(
    weights: Arrays, x: numpy.ndarray, y: numpy.ndarray, rate: float, scale: float = 1.0, before: Arrays | None = None
) -> tuple[Arrays, float]:
    """Return the weights after a step of gradient descent on the mean of the losses, and the loss.

    ``before`` is the weights before the previous step, if there was one.
    """
    w1, b1, w2, b2 = weights
    hidden = x @ w1.T + b1
    error = hidden @ w2.T + b2 - 2 * y
    loss = float((error**2).mean() / 2)
    d_out = scale * error / error.size
    d_hidden = d_out @ w2
    gradients = [d_hidden.T @ x, d_hidden.sum(axis=0), d_out.T @ hidden, d_out.sum(axis=0)]
    moved = [_MOMENTUM * (w - b) for w, b in zip(weights, weights if before is None else before, strict=True)]
    return [w + m - rate * g for w, m, g in zip(weights, moved, gradients, strict=True)], loss


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    for hybridized in (False, True):
        features, hidden, outputs = (int(n) for n in rng.choice(numpy.arange(2, 7), 3, replace=False))
        weights = [floats(rng, *s, low=-0.6, high=0.6)
                   for s in ((hidden, features), (hidden,), (outputs, hidden), (outputs,))]  # fmt: skip
        sizes = [int(n) for n in rng.integers(5, 12, 2)]
        data = [floats(rng, n, features) for n in sizes]
        labels = [floats(rng, n, outputs) for n in sizes]
        rate = float(numpy.round(rng.uniform(0.05, 0.2), 3))
        how = "hybridized" if hybridized else "line by line"
        with subject.part(how):
            found = subject.ask(
                "training_step", translate("called with a net that runs {how}", how=translate(how)),
                widths=[features, hidden, outputs],
                weights=weights, data=data, labels=labels, rate=rate, momentum=_MOMENTUM, hybridized=hybridized,
            )  # fmt: skip
            _compare(found, weights, data, labels, rate, how)


def _compare(found: dict, weights: Arrays, data: Arrays, labels: Arrays, rate: float, how: str) -> None:
    batches = translate(
        "With batches of {count} and {count_2} examples, {how}",
        count=len(data[0]),
        count_2=len(data[1]),
        how=translate(how),
    )
    first, loss = _step(weights, data[0], labels[0], rate)
    second, loss2 = _step(first, data[1], labels[1], rate, before=weights)
    whole = [_step(weights, data[0], labels[0], rate, scale=len(data[0]))[0]]
    whole.append(_step(whole[0], data[1], labels[1], rate, scale=len(data[1]), before=weights)[0])
    suspects = [
        (weights[0], "it has not changed."),
        (
            _step(first, data[1], labels[1], rate)[0][0],
            "the trainer's update is different. Call the trainer's `step`.",
        ),
        (whole[1][0], "the steps are as large as for a batch of one example."),
    ]
    compare(
        found["weights"][0],
        second[0],
        translate("{batches}, the weight of the first layer after two steps", batches=batches),
        suspects,
    )
    compare(
        found["weights"][3],
        second[3],
        translate("{batches}, the bias of the last layer after two steps", batches=batches),
    )
    results = found["results"]
    vectors = [r.shape for r in results if isinstance(r, numpy.ndarray) and r.size != 1]
    expect(not vectors, "The function returns an array of shape {vectors}, not a number.", vectors=vectors[:1])
    numbers = [r for r in results if isinstance(r, float | int | numpy.ndarray)]
    got = numpy.asarray([float(numpy.reshape(r, ())) for r in numbers])
    compare(
        got,
        numpy.array([loss, loss2]),
        translate("With the same batches, {how}, the returned value", how=translate(how)),
    )


_PARTS = ("line by line", "hybridized")
EXERCISE = Exercise(__name__, number="07.1", answer="training_step", checker=_check, points=2, parts=_PARTS)
