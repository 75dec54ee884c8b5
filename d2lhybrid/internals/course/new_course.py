"""The generator of a teacher's own course: exercises, tests, notebooks, and files for Binder and CI.

The result is a separate package, which :mod:`d2lhybrid.internals.course.exercises.catalogue` finds after its
installation. The template in ``d2lhybrid/data/new_course`` is itself a course, with the name ``my_course`` and chapter
51. A copy has another name, chapter, title, and requirement for this package.
"""

from __future__ import annotations

import importlib.util
import keyword
import os
import re
import unicodedata
from collections.abc import Iterator
from pathlib import Path

from ...error import MXNetError
from ..support import package
from ..support.filesystem import complete_folder

__all__ = ["LANGUAGES", "make_course", "package_name"]

#: Languages of new courses.
LANGUAGES = ("en", "zh")
_FILES = package.FOLDER / "data" / "new_course"
_PACKAGE, _CHAPTER = "my_course", "51"


def package_name(folder: str) -> str:
    """Return a name for the package of a course, which is derived from the name of the course's folder.

    Parameters
    ----------
    folder : str
        Name of the folder, in any characters.

    Examples
    --------
    >>> package_name("Deep Learning-2"), package_name("2027"), package_name("numpy"), package_name("我的课程")
    ('deep_learning_2', 'course_2027', 'numpy_course', 'my_course')
    """
    plain = unicodedata.normalize("NFKD", folder).encode("ascii", "ignore").decode().lower()
    name = re.sub(r"[^a-z0-9]+", "_", plain).strip("_") or _PACKAGE
    if name[0].isdigit():
        name = f"course_{name}"
    if name != _PACKAGE and (keyword.iskeyword(name) or importlib.util.find_spec(name) is not None):
        name += "_course"
    return name


def make_course(
    folder: Path, lang: str = "en", chapter: str = _CHAPTER, requirement: str = "d2lhybrid[lab]"
) -> list[str]:
    """Create a course in a new or empty folder; existing files are never overwritten.

    Parameters
    ----------
    folder : Path
        Target folder. The course is either created completely or not at all.
    lang : str
        Language of the texts, one of ``LANGUAGES``.
    chapter : str
        Number of the chapter: two digits, from 50, because the chapters of d2lhybrid have lower numbers.
    requirement : str
        The pip requirement that installs this package.

    Returns
    -------
    list of str
        Paths of the created files, relative to the folder.

    Raises
    ------
    MXNetError
        If `folder` exists and is not an empty folder, if the course cannot be created, or if the number of the chapter
        is invalid.
    """
    if not re.fullmatch(r"[5-9]\d", chapter):
        raise MXNetError(f"The number of your own chapter must be between 50 and 99, not {chapter!r}")
    folder = Path(os.path.abspath(folder))
    if os.path.lexists(folder) and not (folder.is_dir() and not any(folder.iterdir())):
        what = "is not empty" if folder.is_dir() else "is not a folder"
        raise MXNetError(f"{folder} {what}. Pass a new folder: existing files are never overwritten.")
    name = package_name(folder.name)
    made = []
    try:
        folder.parent.mkdir(parents=True, exist_ok=True)
        with complete_folder(folder) as beside:
            unfinished = Path(beside)
            for path, text in _files(lang, name, folder.name, chapter, requirement):
                target = unfinished / path
                target.parent.mkdir(parents=True, exist_ok=True)
                target.write_text(text, "utf-8", newline="\n")
                if text.startswith("#!"):
                    target.chmod(0o755)
                made.append(path)
            _put_in_place(unfinished, folder)
    except OSError as error:
        raise MXNetError(f"The course cannot be created in {folder}: {error.strerror or error}.") from error
    return made


def _put_in_place(unfinished: Path, folder: Path) -> None:
    if not folder.exists():
        os.rename(unfinished, folder)
        return
    for path in list(unfinished.iterdir()):  # keep the empty folder, which may be a shell's current folder
        os.rename(path, folder / path.name)


def _files(lang: str, name: str, title: str, chapter: str, requirement: str) -> Iterator[tuple[str, str]]:
    """Yield the name and the text of each file of a course."""
    words = {_PACKAGE: name, _PACKAGE.replace("_", "-"): name.replace("_", "-"), _CHAPTER: chapter}
    own = re.compile(rf"\b({'|'.join(words)})\b")
    for root in (_FILES / "both", _FILES / lang):
        for source in sorted(path for path in root.rglob("*") if path.is_file() and "__pycache__" not in path.parts):
            path = source.relative_to(root).as_posix()
            path = path.replace(_PACKAGE, name).replace(f"{_CHAPTER}_", f"{chapter}_")
            text = own.sub(lambda found: words[found[1]], source.read_text("utf-8"))
            text = text.replace(f"/{_CHAPTER}_", f"/{chapter}_")  # the name of the notebook
            if path == "README.md":
                _, _, rest = text.partition("\n")
                text = f"# {title}\n{rest}"
            elif path in ("pyproject.toml", "binder/requirements.txt"):
                asks = re.compile(r'^(dependencies = \["|)d2lhybrid(?="|$)', re.MULTILINE)
                text = asks.sub(lambda found: found[1] + requirement, text)
            yield path, text
