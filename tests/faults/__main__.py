"""Try every fault at every line, and print what was tried, survived and lost: ``make faults``."""

from __future__ import annotations

import argparse
import sys
import time
import warnings
from collections.abc import Callable, Iterator

from .scenarios import SCENARIOS, FirstCall, FirstCallEager, FirstCallStatic
from .trying import Outcome, forks, full_disks, interruptions, kills, two_threads


def tries(wanted: int | None) -> Iterator[tuple[str, Callable[[], Outcome]]]:
    """Yield what is to be tried, with its name."""
    for make in SCENARIOS:
        yield f"Ctrl-C {make.name}", lambda make=make: interruptions(make, wanted)
    for make in [make for make in SCENARIOS if make.writes]:
        yield f"kill {make.name}", lambda make=make: kills(make, wanted)
        yield f"full disk {make.name}", lambda make=make: full_disks(make, wanted)
    for make in (FirstCall, FirstCallStatic, FirstCallEager):
        yield f"another thread {make.name}", lambda make=make: two_threads(wanted, make)
    yield "fork", lambda: forks(wanted)


def main() -> int:
    """Run, print, and return 1 if anything was lost."""
    parser = argparse.ArgumentParser(prog="python -m tests.faults", description=__doc__)
    parser.add_argument("--sample", type=int, help="so many lines of each only; by default all of them")
    parser.add_argument("--only", default="", help="rows with this in their names, such as 'Ctrl-C training step'")
    options = parser.parse_args()
    warnings.simplefilter("ignore")
    print(f"{'fault':<34}{'while':<28}{'tried':>7}{'survived':>10}{'lost':>6}{'seconds':>9}")
    total = lost = 0
    for name, attempt in tries(options.sample):
        if options.only not in name:
            continue
        start = time.perf_counter()
        outcome = attempt()
        print(f"{outcome.row()}{time.perf_counter() - start:>9.0f}", flush=True)
        for line in outcome.lost[:10]:
            print("   ", line)
        total, lost = total + outcome.tried, lost + len(outcome.lost)
    print(f"{'all':<62}{total:>7}{total - lost:>10}{lost:>6}")
    return 1 if lost else 0


if __name__ == "__main__":
    sys.exit(main())
