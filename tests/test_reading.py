"""The guided tour through the source names what is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).resolve().parent.parent
TOUR = ROOT / "docs" / "reading.md"
#: A file, and the names that the tour says to look for: up to the next file, or the next item.
STOP = re.compile(
    r"\[[\w/\\]+\.py\]\(\.\./(d2lhybrid/[\w/]+\.py)\)((?:(?!\[[\w/\\]+\.py\]|\n\d+\. |\n- |\n## ).)*)", re.DOTALL
)
STOPS = [(found[1], re.findall(r"`(\w+)`", found[2])) for found in STOP.finditer(TOUR.read_text("utf-8"))]

CORE = sorted((ROOT / "d2lhybrid" / "internals" / "core").rglob("*.py"))


@pytest.mark.parametrize(("file", "names"), STOPS, ids=[file for file, _ in STOPS])
def test_what_the_tour_names_is_there(file: str, names: list[str]) -> None:
    text = (ROOT / file).read_text("utf-8")
    for name in names:
        assert re.search(rf"^\s*(?:class|def) {name}\b|^{name}\b.*=", text, re.MULTILINE), f"{file} has no {name}"


def test_the_stops_are_numbered_through() -> None:
    """Places in the tour that speak of other stops count on it."""
    text = TOUR.read_text("utf-8")
    numbers = [int(number) for number in re.findall(r"^(\d+)\. \[", text, re.MULTILINE)]
    assert numbers == list(range(1, len(numbers) + 1))
    words = ("twenty", *(f"twenty-{unit}" for unit in ("one", "two", "three", "four", "five", "six", "seven")))
    assert f": {words[len(numbers) - 20]} stops" in text
    assert all(int(number) in numbers for number in re.findall(r"\bstops? (\d+)", text))


def test_the_net_of_the_tour_goes_all_the_ways_that_it_says(capsys: pytest.CaptureFixture[str]) -> None:
    code = re.search(r"```python\n(.*?)```", TOUR.read_text("utf-8"), re.DOTALL)
    assert code is not None
    names: dict[str, Any] = {}
    exec(code[1], names)
    net = names["net"]
    forward, both = net.programs
    assert (forward.backward, both.backward is None) == (None, False)
    assert net._fast_call is not None
    assert net[0].weight.grad().asnumpy().any()
    printed = capsys.readouterr().out
    assert forward.source in printed
    assert both.source in printed


def test_the_tour_goes_through_the_whole_core() -> None:
    named = {file for file, _ in STOPS}
    core = {str(path.relative_to(ROOT)) for path in CORE if path.parent.name != "core" or path.name != "__init__.py"}
    assert core <= named
    assert all((ROOT / folder).is_dir() for folder in re.findall(r"`(d2lhybrid/[\w/]+/)`", TOUR.read_text("utf-8")))
