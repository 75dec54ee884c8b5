"""The command line: ``python -m fuzz`` with ``tests`` on the path, or ``make fuzz``."""

from __future__ import annotations

import argparse
import collections
import contextlib
import io
import sys
import time
from typing import Any

from verified import verified_programs

from .campaign import results
from .modes import MODES
from .running import Finding, script
from .shrink import shrink

__all__ = ["main"]


#: The modes that run unless others are named.
USUAL = [name for name, mode in MODES.items() if not mode.judge]


def _signature(finding: Finding) -> tuple[Any, ...]:
    """Return what findings of the same cause mostly have in common."""
    templates = sorted({t.partition("(")[0] for t in finding.program.templates})
    return finding.kind, finding.text.partition(":")[0] if finding.kind != "differs" else "", *templates


def _report(finding: Finding, seed: int, seconds: float) -> str:
    with contextlib.redirect_stdout(io.StringIO()), verified_programs():
        small = shrink(finding, seconds)
    return f"# seed {seed}, mode {finding.mode}\n{script(small)}"


def main(arguments: list[str] | None = None) -> int:
    """Run programs until the time is over; print what differs, as small programs."""
    parser = argparse.ArgumentParser(prog="make fuzz", description=__doc__.partition("\n")[0])
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="the first program (default: 0)")
    parser.add_argument("--count", type=int, help="how many programs; as many as there is time for by default")
    parser.add_argument("--modes", default=",".join(USUAL), help=f"by commas, of: {', '.join(MODES)}")
    parser.add_argument("--each", type=int, default=2, help="modes for each program, in turn (default: 2)")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--shrink", type=float, default=30.0, help="seconds to make a finding smaller (default: 30)")
    options = parser.parse_args(arguments)
    names = [n for n in options.modes.split(",") if n]
    for name in list(names):
        if name not in MODES:
            parser.error(f"there is no mode {name!r}; the modes are: {', '.join(MODES)}")
        if MODES[name].missing:
            print(f"mode {name} is left out: it needs {MODES[name].missing}")
            names.remove(name)
    start = time.monotonic()
    counts: collections.Counter[str] = collections.Counter()
    known: set[Any] = set()
    last = options.seed
    for result in results(options.seed, options.count, names, options.each, options.workers):
        last = result.seed
        counts["programs"] += result.made
        counts["runs"] += result.runs
        for finding in result.findings:
            counts["findings"] += 1
            rough = (finding.kind, finding.text[:60], finding.mode)
            if rough in known:
                continue
            known.add(rough)
            print(_report(finding, result.seed, options.shrink), "\n", "-" * 100, flush=True)
        if time.monotonic() - start > options.seconds:
            break
    print(
        f"seeds {options.seed} to {last}: {counts['programs']} programs, {counts['runs']} runs, "
        f"{counts['findings']} findings in {time.monotonic() - start:.0f} s"
    )
    return 1 if counts["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
