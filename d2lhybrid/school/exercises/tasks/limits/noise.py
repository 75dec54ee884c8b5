"""04.6: Python's random numbers are frozen."""

from __future__ import annotations

import numpy

from ...exercise import Exercise, Mistake
from ...judging import floats
from ...results import expect
from ...subject import Subject


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


_HEAD = (
    "import random\nclass Noise(nn.HybridBlock):\n    def __init__(self, scale, **kwargs):\n"
    "        super().__init__(**kwargs)\n        self.scale = scale\n    def hybrid_forward(self, F, x):\n"
)

EXERCISE = Exercise(
    number="04.6",
    title="Noise that does not freeze",
    answer="Noise",
    task="""
`Noise(scale)` is to add a normally distributed random number to each element of its input, of mean 0 and standard
deviation `scale`: another one for each element, and others at every call. This works line by line, and not hybridized:

```python
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        return x + nd.array(numpy.random.normal(0, self.scale, x.shape))
```
""",
    starter="""
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        ...
""",
    solution_code="""
class Noise(nn.HybridBlock):
    def __init__(self, scale, **kwargs):
        super().__init__(**kwargs)
        self.scale = scale

    def hybrid_forward(self, F, x):
        return x + self.scale * F.random.normal_like(x)
""",
    hints=(
        "Who rolls the dice, Python while tracing, or the program at every call?",
        "There are operators for random numbers: look into `F.random`.",
        "The shape is not known, but there is an array that has it: `F.random.normal_like(x)`.",
    ),
    checker=_check,
    insight="A random operator is in the graph and draws at every call; Python's `random` is asked once.",
    mistakes=(
        Mistake(
            "NumPy's noise",
            _HEAD + "        return x + nd.array(numpy.random.normal(0, self.scale, x.shape))",
            "no attribute 'shape'",
        ),
        Mistake(
            "one number for all",
            _HEAD + "        return x + random.gauss(0, self.scale)",
            "adds the same number to all",
        ),
        Mistake(
            "frozen noise",
            _HEAD + "        if not hasattr(self, 'noise'):\n"
            "            self.noise = [random.gauss(0, 1) for _ in range(2)]\n"
            "        a, b = self.noise\n        return x + self.scale * (a * F.sin(x * 40) + b * F.cos(x * 55))",
            "two calls in a row add the same",
        ),
        Mistake("no scale", _HEAD + "        return x + 9 * F.random.normal_like(x)", "has a spread of"),
        Mistake(
            "another distribution",
            _HEAD + "        return x + self.scale * 12 ** 0.5 * (F.random.uniform_like(x) - 0.5)",
            "not normally distributed",
        ),
        Mistake(
            "a mean that is not 0", _HEAD + "        return x + self.scale * (1 + F.random.normal_like(x))", "mean of"
        ),
        Mistake(
            "hard-coded", _HEAD + "        return F.random.normal(0, 1, shape=(2, 3))", "has not the shape of the input"
        ),
    ),
)
