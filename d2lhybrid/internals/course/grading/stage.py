"""The copy of the package for answers, without the exercises and the checker."""

from __future__ import annotations

import atexit
import functools
import shutil
from pathlib import Path

import numpy

from ...support import package
from .scratch import make_scratch, remove_tree, remove_what_is_left

__all__ = ["stage_folder"]

#: Parts of the package that answers do not need and must not read.
_LEFT_OUT = (
    "__main__.py", "exercises", "internals/course/exercises", "internals/course/grading", "internals/course/lesson.py",
    "internals/course/course.py", "internals/pictures/widgets", "internals/commands/binder.py",
    "internals/commands/cli.py", "internals/commands/doctor.py", "internals/commands/installation.py",
    "internals/commands/lab.py", "internals/commands/lab_options.py", "internals/commands/stubs",
)  # fmt: skip

#: The source of a module that replaces the exercises and accepts requests for hints.
_NO_EXERCISES = '''"""Exercises are not available while submissions are marked."""


from _d2lhybrid_inert import Inert

ex = progress = display = get_ipython = Inert()
'''

_SERVER = """import socket, sys
sys.path.insert(0, sys.argv[1])
sys.dont_write_bytecode = True
import _d2lhybrid_inert
_d2lhybrid_inert.install()
import d2lhybrid
d2lhybrid.as_mxnet()
from d2lhybrid.internals.course.probing.server import main
main(socket.socket(fileno=int(sys.argv[2])), sys.argv[1])
"""


@functools.cache
def stage_folder() -> Path:
    """Return the folder with the package's copy for answers, created once and removed when this process ends."""
    remove_what_is_left()
    folder = Path(make_scratch("stage")).resolve()
    folder.chmod(0o755)
    atexit.register(remove_tree, folder)
    copy = folder / package.NAME

    def ignore(where: str, names: list[str]) -> list[str]:
        inside = Path(where).relative_to(package.FOLDER)
        return [name for name in names if (inside / name).as_posix() in _LEFT_OUT]

    shutil.copytree(package.FOLDER, copy, ignore=ignore)
    (copy / "exercises.py").write_text(_NO_EXERCISES, "utf-8")
    shutil.copy(Path(__file__).with_name("inert.py"), folder / "_d2lhybrid_inert.py")
    (folder / "serve.py").write_text(_SERVER, "utf-8")
    site = Path(numpy.__file__).resolve().parent.parent
    for path in site.glob("numpy*"):
        if not path.name.endswith((".dist-info", ".egg-info")):
            (folder / path.name).symlink_to(path)
    return folder
