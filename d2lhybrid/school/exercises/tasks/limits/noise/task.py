"""04.6: Python's random numbers are frozen."""

from __future__ import annotations

import numpy

from ....exercise import Exercise
from ....judging import floats
from ....results import expect
from ....subject import Subject


def _check(subject: Subject, rng: numpy.random.Generator) -> None:
    scale = float(numpy.round(rng.uniform(0.5, 3), 2))
    made = f"Noise({scale})"
    net = subject.ask("make", f"making the net with {made}", args=[scale])
    expect(net["block"], f"{made} gives no net but a {net['type']}.")
    x = floats(rng, 60, 50)
    subject.ask("start", "called line by line", inputs=[x])
    _check_calls(subject, x, scale, "Line by line")
    subject.ask("hybridize")
    _check_calls(subject, x, scale, "Hybridized")
    small = floats(rng, 2, 3)
    noise = subject.ask("run", "hybridized, on a small array", inputs=[small])["outputs"][0] - small
    expect(noise.shape == (2, 3), "Hybridized, the output for an array of shape (2, 3) has another shape.")


def _check_calls(subject: Subject, x: numpy.ndarray, scale: float, how: str) -> None:
    def noise() -> numpy.ndarray:
        outputs = subject.ask("run", f"{how}, on an array of shape {x.shape}", inputs=[x])["outputs"]
        expect(getattr(outputs[0], "shape", None) == x.shape, f"{how}, the output has not the shape of the input.")
        return outputs[0] - x

    first, second = noise(), noise()
    expect(
        bool(numpy.ptp(first) > 1e-3),
        f"{how}, one call adds the same number to all {x.size} elements.",
    )
    expect(not numpy.allclose(first, second), f"{how}, two calls in a row add the same noise.")
    spread, mean = float(first.std()), float(first.mean())
    expect(abs(spread - scale) < 0.15 * scale, f"{how}, the noise of {made_of(scale)} has a spread of {spread:.2f}.")
    expect(abs(mean) < 0.15 * scale, f"{how}, the mean of the noise is {mean:.2f}.")
    within = float((numpy.abs(first) < scale).mean())
    expect(0.6 < within < 0.76, f"{how}, the noise is not normally distributed: {within:.0%} are within one spread.")


def made_of(scale: float) -> str:
    """Return how the net was made."""
    return f"Noise({scale})"


EXERCISE = Exercise(__name__, number="04.6", answer="Noise", checker=_check)
