"""The libraries: where their tests lie, and which of these are not run, and why."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import NamedTuple

from ..clones import files_of, unpack

#: What no test reads: pictures and notebooks are large, and clones may lack them.
_NOT_TAKEN = (".gif", ".ipynb", ".jpeg", ".jpg", ".pdf", ".png", ".svg", ".zip", ".gz")
_NETWORK = "needs the network"
_TRAINING = "trains for many minutes"
_OTHER = "does not use MXNet"


class Library(NamedTuple):
    """A library, and its tests.

    Attributes
    ----------
    title : str
        Its name.
    version : str
        Which of its versions.
    commit : str
        What that is called in its repository.
    mark : str
        A file by which a clone of it is known.
    paths : tuple of str
        What of it is put on Python's path.
    tests : tuple of str
        Patterns of the files of tests.
    compiled : tuple of str
        Modules in Cython, which are built.
    left_out : dict of str to str
        How the paths of files begin that are not run, and the reason.
    marks : dict of str to str
        With what its authors mark tests that are not run, and the reason.
    """

    title: str
    version: str
    commit: str
    mark: str
    paths: tuple[str, ...]
    tests: tuple[str, ...]
    compiled: tuple[str, ...]
    left_out: dict[str, str]
    marks: dict[str, str]

    def files(self, source: Path) -> list[str]:
        """Return the files of tests.

        Parameters
        ----------
        source : Path
            Where the library was extracted to.
        """
        found = {path.relative_to(source).as_posix() for pattern in self.tests for path in source.glob(pattern)}
        return sorted(path for path in found if not path.startswith(tuple(self.left_out)))


LIBRARIES = [
    Library(
        "GluonCV", "0.10.0", "v0.10.0", "gluoncv/__init__.py", ("",),
        ("tests/unittests/test_*.py", "tests/model_zoo/test_*.py"), (),
        {
            "tests/unittests/test_data_datasets.py": _NETWORK,
            "tests/auto": _TRAINING,
            "tests/model_zoo_torch": _OTHER,
        },
        {},
    ),
    Library(
        "GluonNLP", "0.10.0", "v0.10.0", "src/gluonnlp/__init__.py", ("src", ""),
        ("tests/unittest/**/test_*.py", "scripts/tests/test_*.py"), ("src/gluonnlp/data/fast_bert_tokenizer.pyx",),
        {
            "scripts/tests/test_scripts.py": _TRAINING,
            "scripts/tests/test_bert_checkpoints.py": _NETWORK,
        },
        {"remote_required": _NETWORK, "gpu": "needs a GPU", "integration": _TRAINING},
    ),
    Library(
        "Sockeye", "2.3.24", "2.3.24", "sockeye/beam_search.py", ("",), ("test/unit/test_*.py",), (), {}, {},
    ),
    Library(
        "GluonTS", "0.10.8", "v0.10.8", "src/gluonts/mx/__init__.py", ("src",), ("test/**/test_*.py",), (),
        {
            "test/torch": _OTHER, "test/shell": "starts servers", "test/model/prophet": _OTHER, "test/nursery": _OTHER,
            "test/model/r_forecast": _OTHER, "test/model/rotbaum": _OTHER, "test/zebras": _OTHER,
            "test/mx/distribution/test_lds.py": "calls its tests by the folder that it lies in",
        },
        {"gpu": "needs a GPU", "remote_required": _NETWORK},
    ),
    Library(
        "MXFusion", "0.3.1", "v0.3.1", "mxfusion/__init__.py", ("",), ("testing/**/*_test.py",), (), {}, {},
    ),
]  # fmt: skip


def extract(git_directory: Path, folder: Path) -> Library:
    """Take a library and its tests out of a clone.

    Parameters
    ----------
    git_directory : Path
        The clone.
    folder : Path
        Where to.

    Returns
    -------
    Library
        Which it is.
    """
    for library in LIBRARIES:
        try:
            listed = files_of(git_directory, library.commit)
        except subprocess.CalledProcessError:  # it has no such version
            continue
        if library.mark in listed:
            listed = [path for path in listed if not path.startswith(("docs/", "examples/", "evaluations/"))]
            wanted = [path for path in listed if not path.lower().endswith(_NOT_TAKEN)]
            unpack(git_directory, library.commit, wanted, folder)
            return library
    known = ", ".join(f"{library.title} {library.version} ({library.commit})" for library in LIBRARIES)
    raise SystemExit(f"{git_directory} holds none of these: {known}.")


def build(library: Library, source: Path, python: Path) -> None:
    """Compile what of a library is written in Cython, beside its source.

    Parameters
    ----------
    library : Library
        Which.
    source : Path
        Where it was extracted to.
    python : Path
        The interpreter that will run it, which has Cython; it finds the system's C compiler.
    """
    for module in library.compiled:
        done = subprocess.run(
            [str(python), "-m", "Cython.Build.Cythonize", "-i", "-3", "-q", module],
            cwd=source, capture_output=True, text=True, check=False,
        )  # fmt: skip
        if done.returncode:
            raise SystemExit(f"{module} of {library.title} could not be compiled: {done.stderr.strip()[-2000:]}")
