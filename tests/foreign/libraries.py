"""Unit tests of libraries on MXNet: those count that pass on real MXNet.

The page is ``docs/library_tests.md``, with the reasons of those that fail here.
"""

from __future__ import annotations

import subprocess
from pathlib import Path

from .pytest_files import Result, Suite, run_file
from .tests_of_others import ForeignTests, Row, table

__all__ = ["DESCRIPTION", "LIBRARIES"]

#: What no test reads: pictures and notebooks are large, and clones may lack them.
_NOT_TAKEN = (".gif", ".ipynb", ".jpeg", ".jpg", ".pdf", ".png", ".svg", ".zip", ".gz")
_NETWORK = "needs the network"
_TRAINING = "trains for many minutes"
_OTHER = "does not use MXNet"

LIBRARIES = [
    Suite(
        "GluonCV", "0.10.0", "v0.10.0", "gluoncv/__init__.py", ("",),
        ("tests/unittests/test_*.py", "tests/model_zoo/test_*.py"), (),
        {
            "tests/unittests/test_data_datasets.py": _NETWORK,
            "tests/auto": _TRAINING,
            "tests/model_zoo_torch": _OTHER,
        },
        {},
    ),
    Suite(
        "GluonNLP", "0.10.0", "v0.10.0", "src/gluonnlp/__init__.py", ("src", ""),
        ("tests/unittest/**/test_*.py", "scripts/tests/test_*.py"), ("src/gluonnlp/data/fast_bert_tokenizer.pyx",),
        {
            "scripts/tests/test_scripts.py": _TRAINING,
            "scripts/tests/test_bert_checkpoints.py": _NETWORK,
        },
        {"remote_required": _NETWORK, "gpu": "needs a GPU", "integration": _TRAINING},
    ),
    Suite(
        "Sockeye", "2.3.24", "2.3.24", "sockeye/beam_search.py", ("",), ("test/unit/test_*.py",), (), {}, {},
    ),
    Suite(
        "GluonTS", "0.10.8", "v0.10.8", "src/gluonts/mx/__init__.py", ("src",), ("test/**/test_*.py",), (),
        {
            "test/torch": _OTHER, "test/shell": "starts servers", "test/model/prophet": _OTHER, "test/nursery": _OTHER,
            "test/model/r_forecast": _OTHER, "test/model/rotbaum": _OTHER, "test/zebras": _OTHER,
            "test/mx/distribution/test_lds.py": "imports itself by the name of its folder",
        },
        {"gpu": "needs a GPU", "remote_required": _NETWORK},
    ),
    Suite(
        "MXFusion", "0.3.1", "v0.3.1", "mxfusion/__init__.py", ("",), ("testing/**/*_test.py",), (), {}, {},
    ),
]  # fmt: skip


class LibraryTests(ForeignTests):
    """The unit tests of one library."""

    summary = "Run a library's own unit tests, and print how many of those pass here that pass on real MXNet."
    clones = "a clone of the library"
    limits = {  # noqa: RUF012 - a constant
        "--seconds": (120, "for one test"),
        "--seconds-per-file": (1200, "for a whole file"),
    }
    options = {  # noqa: RUF012 - a constant
        **ForeignTests.options,
        "--fresh": {"action": "store_true", "help": "run what was run before once more"},
    }
    suites, page_name, target = LIBRARIES, "library_tests.md", "library-tests"
    record = Path(__file__).with_name("records") / "libraries.json"
    keeps = True

    def take(self, suite: Suite, folder: Path) -> Path:
        paths = self.clone.files(suite.commit)
        paths = [path for path in paths if not path.startswith(("docs/", "examples/", "evaluations/"))]
        self.clone.unpack(suite.commit, [path for path in paths if not path.lower().endswith(_NOT_TAKEN)], folder)
        for module in suite.compiled:  # beside its source, with Cython and the system's C compiler
            done = subprocess.run(
                [str(self.python), "-m", "Cython.Build.Cythonize", "-i", "-3", "-q", module],
                cwd=folder, capture_output=True, text=True, check=False,
            )  # fmt: skip
            if done.returncode:
                raise SystemExit(f"{module} of {suite.title} could not be compiled: {done.stderr.strip()[-2000:]}")
        return folder

    def run_file(self, file: str) -> dict[str, Result]:
        limits = self.asked.seconds, self.asked.seconds_per_file
        return run_file(self.suite, file, self.source, self.place, self.python, self.with_mxnet, limits)

    def figures(self, rows: list[Row]) -> tuple[str, list[str]]:
        suite = self.suite
        lines = table(rows, f"tests of {suite.title} {suite.version}")
        if suite.left_out or suite.marks:
            left = [f"`{path}` ({why})" for path, why in suite.left_out.items()]
            left += [f"tests marked `{mark}` ({why})" for mark, why in suite.marks.items()]
            lines += ["", f"Left out: {', '.join(left)}."]
        return suite.title, lines


DESCRIPTION = LibraryTests
