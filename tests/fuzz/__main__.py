"""The command line: ``python -m fuzz`` with ``tests`` on the path, or ``make fuzz``."""

from __future__ import annotations

import argparse
import collections
import contextlib
import io
import itertools
import multiprocessing
import sys
import time
from collections.abc import Iterator
from typing import Any, NamedTuple

from verified import verified_programs

from .generator import generate
from .modes import MODES, choose_thresholds
from .running import Finding, check, script
from .shrink import shrink

__all__ = ["Result", "main", "run_seed"]


#: The modes that run unless others are named.
USUAL = [name for name, mode in MODES.items() if not mode.judge]


class Result(NamedTuple):
    """What came of one seed."""

    seed: int
    made: bool
    runs: int
    findings: list[Finding]


def run_seed(seed: int, modes: list[str]) -> Result:
    """Make the program of a seed and run it in some modes."""
    reference = generate(seed)
    if reference is None:
        return Result(seed, False, 0, [])
    lowered, findings = choose_thresholds(seed), []
    for mode in modes:
        with contextlib.redirect_stdout(io.StringIO()):  # what a failing trace prints besides its error
            finding = check(reference, mode, lowered)
        if finding is not None:
            findings.append(finding)
    return Result(seed, True, len(modes), findings)


def _modes_of(seed: int, names: list[str], each: int) -> list[str]:
    """Return the modes that a seed runs in: some of them, in turn."""
    return [names[(seed * each + i) % len(names)] for i in range(min(each, len(names)))]


def _work(task: tuple[int, list[str]]) -> Result:
    with verified_programs():
        return run_seed(*task)


def _tasks(first: int, count: int | None, names: list[str], each: int) -> Iterator[tuple[int, list[str]]]:
    seeds = itertools.count(first) if count is None else range(first, first + count)
    for seed in seeds:
        yield seed, _modes_of(seed, names, each)


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
    for result in _results(options, names):
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


def _results(options: argparse.Namespace, names: list[str]) -> Iterator[Result]:
    tasks = _tasks(options.seed, options.count, names, options.each)
    if options.workers == 1:
        yield from map(_work, tasks)
        return
    with multiprocessing.get_context("spawn").Pool(options.workers) as pool:
        yield from pool.imap_unordered(_work, tasks, chunksize=4)


if __name__ == "__main__":
    sys.exit(main())
