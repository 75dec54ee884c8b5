"""The command line: ``python -m judge`` with ``tests`` on the path, or ``make judge``."""

from __future__ import annotations

import argparse
import collections
import itertools
import multiprocessing
import sys
import time
from collections.abc import Iterator
from typing import NamedTuple

from .generator import generate
from .judging import Finding, Judge, script
from .shrink import shrink
from .sides import mxnet_python

__all__ = ["main"]


class Result(NamedTuple):
    """What came of one seed."""

    seed: int
    finding: Finding | None
    ended: str


_judge: Judge | None = None


def _result(seed: int) -> Result:
    global _judge
    if _judge is None:
        _judge = Judge()
    finding = _judge.judge(generate(seed))
    return Result(seed, finding, _judge.ended)


def _results(seeds: Iterator[int], workers: int) -> Iterator[Result]:
    if workers == 1:
        yield from map(_result, seeds)
        return
    with multiprocessing.get_context("spawn").Pool(workers) as pool:
        while portion := list(itertools.islice(seeds, 8 * workers)):
            yield from pool.imap_unordered(_result, portion)


def _report(judge: Judge, finding: Finding, seed: int, seconds: float) -> str:
    plan = shrink(finding.plan, lambda plan: judge.shows(plan, finding), seconds)
    return f"# seed {seed}\n{script(judge.judge(plan) or finding)}"


def main(arguments: list[str] | None = None) -> int:
    """Judge programs until the time is over; print what differs, as small programs."""
    parser = argparse.ArgumentParser(prog="make judge", description="Judge random training programs.")
    parser.add_argument("--seconds", type=float, default=60.0, help="how long (default: 60)")
    parser.add_argument("--seed", type=int, default=0, help="the first program (default: 0)")
    parser.add_argument("--seeds", type=int, help="how many programs; as many as there is time for by default")
    parser.add_argument("--workers", type=int, default=1, help="processes (default: 1)")
    parser.add_argument("--shrink", type=float, default=60.0, help="seconds to make a finding smaller (default: 60)")
    parser.add_argument("--print", action="store_true", help="print the programs, and run nothing")
    options = parser.parse_args(arguments)
    seeds = itertools.count(options.seed)
    if options.seeds is not None:
        seeds = iter(range(options.seed, options.seed + options.seeds))
    if options.print:
        for seed in itertools.islice(seeds, options.seeds or 1):
            print(f"# seed {seed}\n{generate(seed).text()}")
        return 0
    if not mxnet_python():
        print("Real MXNet 1.9.1 is the judge: D2LHYBRID_MXNET_PYTHON names its interpreter; `make mxnet` installs it.")
        return 2
    return _run(seeds, options)


def _run(seeds: Iterator[int], options: argparse.Namespace) -> int:
    start, last = time.monotonic(), options.seed
    counts: collections.Counter[str] = collections.Counter()
    documented: collections.Counter[str] = collections.Counter()
    ended: collections.Counter[str] = collections.Counter()
    reported: set[str] = set()
    with Judge() as judge:
        for result in _results(seeds, options.workers):
            last = max(last, result.seed)
            counts["programs"] += 1
            if result.ended:
                ended[" ".join(result.ended.split())[:100]] += 1
            finding = result.finding
            if finding is not None and finding.known:
                documented[finding.known] += 1
            elif finding is not None:
                counts["findings"] += 1
                if finding.kind not in reported:
                    reported.add(finding.kind)
                    print(_report(judge, finding, result.seed, options.shrink), "-" * 100, sep="\n", flush=True)
                else:
                    print(f"# seed {result.seed}: as before: {finding.name}: {finding.text}", flush=True)
            if time.monotonic() - start > options.seconds:
                break
    for name, count in documented.most_common():
        print(f"{count} documented: {name}")
    for name, count in ended.most_common(20):
        print(f"{count} ended on both sides with {name}")
    print(
        f"seeds {options.seed} to {last}: {counts['programs']} programs, {sum(documented.values())} documented "
        f"differences, {sum(ended.values())} ended with the same error, {counts['findings']} findings "
        f"in {time.monotonic() - start:.0f} s"
    )
    return 1 if counts["findings"] else 0


if __name__ == "__main__":
    sys.exit(main())
