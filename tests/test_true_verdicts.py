"""What is said of measured times follows from them: each sentence of a verdict is compared with its rounds."""

from __future__ import annotations

import math
import random
import re
import statistics
from collections.abc import Callable

import pytest
from said import parsed, texts_in

from d2lhybrid.internals.pictures.timing.verdict import headline, known_factor, sentence, verdict_of

TEXTS = texts_in("timing/verdict.py")
#: Speed-ups of the rounds, drawn for each kind of verdict.
DRAWN: dict[str, Callable[[random.Random], list[float]]] = {
    "faster": lambda draw: [3 * draw.uniform(0.95, 1.05) for _ in range(15)],
    "slower": lambda draw: [0.4 * draw.uniform(0.95, 1.05) for _ in range(15)],
    "as fast": lambda draw: [draw.choice([0.98, 1.02]) for _ in range(30)],
    "unclear": lambda draw: [math.exp(draw.uniform(-1.5, 1.5)) for _ in range(12)],
    "few rounds": lambda draw: [3 * draw.uniform(0.95, 1.05) for _ in range(5)],
    "too few rounds": lambda draw: [3 * draw.uniform(0.95, 1.05) for _ in range(4)],
    "at least faster": lambda draw: [math.exp(draw.uniform(0.4, 4)) for _ in range(9)],
    "at least slower": lambda draw: [math.exp(draw.uniform(-2, -0.3)) for _ in range(9)],
}


def number(text: str) -> float:
    """Return a factor as it is read."""
    return float(text.rstrip("×").replace(",", ""))


def slack(told: float) -> float:
    """Return how far a number may be from what is shown of it: three digits, two of them after the point."""
    return max(0.0051, 0.006 * told)


def near(told: float, true: float) -> bool:
    """Whether a rounded number is the number."""
    return abs(told - true) <= slack(told)


def by_chance(rounds: int, outside: int) -> float:
    """Return how often the true median lies outside of all but so many rounds at each end: as heads in coin tosses."""
    return 2 * sum(math.comb(rounds, k) for k in range(outside + 1)) / 2**rounds


def ratio_of_medians(kind: str, seed: int) -> float:
    """Return what a reader divides: near the median of the speed-ups in rounds with odd seeds, far in the others."""
    return statistics.median(DRAWN[kind](random.Random(seed))) * (1.04 if seed % 2 else 1.6)


def said(kind: str, seed: int) -> tuple[list[float], list[tuple[str, dict[str, str]]]]:
    """Return drawn speed-ups in order, and the texts that are shown of them."""
    speed_ups = DRAWN[kind](random.Random(seed))
    verdict = verdict_of("compiled", speed_ups)
    head = headline(verdict, ratio_of_medians(kind, seed))
    shown = [text for text in (sentence(verdict), head["small"], head["big"]) if text not in PLAIN]
    found = []
    for text in shown:
        texts = parsed(text, TEXTS)
        assert texts, text
        found += texts
    return sorted(speed_ups), found


#: Headlines without a number.
PLAIN = ("as fast", "Your machine is busy")


@pytest.mark.parametrize("kind", DRAWN)
def test_every_sentence_of_a_verdict_is_what_the_rounds_were(kind: str) -> None:
    for seed in range(20):
        rounds, texts = said(kind, seed)
        middle = (rounds[(len(rounds) - 1) // 2] + rounds[len(rounds) // 2]) / 2
        apart = [values["ratio"] for _, values in texts if "ratio" in values]
        assert bool(apart) == (seed % 2 == 0 and verdict_of("compiled", rounds).kind in ("faster", "slower"))
        if apart:
            told, ratio = number(apart[0]), ratio_of_medians(kind, seed)
            assert near(told, 1 / ratio if middle < 1 else ratio)
        for text, values in texts:
            assert values.get("way", "compiled") == "compiled"
            if "lower" in values:
                lower, upper = number(values["lower"]), number(values["upper"])
                below = sum(value < lower - slack(lower) for value in rounds)
                above = sum(value > upper + slack(upper) for value in rounds)
                assert lower <= middle + slack(lower) and middle <= upper + slack(upper)
                assert 2 * (below + above) <= len(rounds), "at least half of the rounds are in it"
                if "certainty" in values:
                    assert by_chance(len(rounds), max(below, above)) <= 1 - int(values["certainty"]) / 100
                if "do not show" in text:
                    assert len(rounds) < 5 or lower <= 1 <= upper
                elif "as fast" in text or "the speed-up is between" in text:
                    assert lower <= 1 <= upper <= 1.21 * lower
                elif "slower" in text:
                    assert upper < 1
                elif "faster" in text:
                    assert lower > 1
            slow = "slower" in text
            known = 1 / middle if slow else middle
            if "median" in values:
                assert near(number(values["median"]), known)
            if "factor" in values:
                told = number(values["factor"])
                if "at least" in text or "certain" in text:
                    agree = [value for value in rounds if (1 / value if slow else value) >= told - slack(told)]
                    assert 2 * len(agree) > len(rounds) and 1 < told <= known + slack(known), "most rounds had as much"
                else:
                    assert near(told, middle if text.startswith("{way} is slower") else known)


def test_every_sentence_is_said_of_some_rounds() -> None:
    assert {text for kind in DRAWN for seed in range(20) for text, _ in said(kind, seed)[1]} == TEXTS


@pytest.mark.parametrize("kind", DRAWN)
def test_nothing_is_known_where_the_rounds_do_not_show_it(kind: str) -> None:
    known = known_factor(verdict_of("compiled", DRAWN[kind](random.Random(0))))
    assert bool(known) == (kind not in ("unclear", "too few rounds"))
    assert bool(re.match("[≥≤]", known)) == kind.startswith("at least")
