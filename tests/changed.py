"""Which tests ``make quick`` adds to those that it always runs: ``python -m tests.changed`` prints them.

They are those that CONTRIBUTING.md names for what was changed since the main branch; all of them, where nothing was
changed, or nobody knows what.
"""

from __future__ import annotations

import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent

OPERATORS = ("tests/test_every_operator.py", "tests/test_operator_facts.py")
LAYERS = ("tests/test_every_layer.py",)
RECURRENT = "--ignore=tests/compiler/test_c_recurrent.py"  # takes as long as half of the others
COMPILER = ("tests/compiler", RECURRENT)
EXERCISES = ("tests/test_exercises.py", "tests/test_exercise_answers.py")
ALL = (*OPERATORS, *LAYERS, *COMPILER)

#: The tests that find a change, by what its path begins with; the first that fits counts.
FOUND_BY: dict[str, tuple[str, ...]] = {
    "d2lhybrid/internals/ops/": OPERATORS,
    "d2lhybrid/gluon/": LAYERS,
    "d2lhybrid/internals/compiler/": COMPILER,
    **dict.fromkeys(
        [
            f"d2lhybrid/{name}/"
            for name in ("d2l", "data", "optimizer", "internals/course", "internals/pictures", "internals/commands")
        ],
        (),
    ),
    "d2lhybrid/": ALL,
    "tests/operator_samples.py": OPERATORS,
    "tests/answers/": EXERCISES,
    "tests/layer_samples.py": LAYERS,
    "tests/compiler/": COMPILER,
}


def found_by(paths: Iterable[str]) -> list[str]:
    """Return the tests that find changes in some files, as arguments of pytest.

    Examples
    --------
    >>> found_by(["d2lhybrid/internals/ops/elementwise/simple.py", "README.md"])
    ['tests/test_every_operator.py', 'tests/test_operator_facts.py']
    >>> found_by(["d2lhybrid/internals/core/tape.py"]) == list(ALL) == found_by([])
    True
    """
    paths = list(paths)
    tests: dict[str, None] = {} if paths else dict.fromkeys(ALL)
    for path in paths:
        tests.update(dict.fromkeys(next((found for start, found in FOUND_BY.items() if path.startswith(start)), ())))
    if any("recurrent" in path or "rnn" in path for path in paths):
        tests.pop(RECURRENT, None)
    return list(tests)


def changed(folder: Path) -> list[str]:
    """Return the files that differ from the main branch; none, where git does not tell."""
    since = "HEAD"
    for branch in ("@{upstream}", "origin/main", "main"):
        if common := _git(folder, "merge-base", "HEAD", branch):
            since = common[0]
            break
    different = _git(folder, "diff", "--name-only", since)
    return [*different, *_git(folder, "ls-files", "--others", "--exclude-standard")]


def _git(folder: Path, *arguments: str) -> list[str]:
    try:
        done = subprocess.run(["git", *arguments], cwd=folder, capture_output=True, text=True, check=False)
    except OSError:
        return []
    return done.stdout.splitlines() if done.returncode == 0 else []


if __name__ == "__main__":
    print(*found_by(changed(ROOT)))
