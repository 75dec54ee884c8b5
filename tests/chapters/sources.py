"""The sources: which books and tutorials there are, where their chapters lie, and which data these want."""

from __future__ import annotations

from fnmatch import fnmatch
from typing import NamedTuple

__all__ = ["SOURCES", "Source"]


class Source(NamedTuple):
    """A book, or a collection of tutorials, at one tag of its repository.

    Attributes
    ----------
    name : str
        What the page calls it, and chapters are chosen by.
    tag : str
        The tag or branch.
    holds : str
        A file by which its repository is known: a clone that has it at this tag is the right one.
    chapters : tuple of str
        Patterns of the paths of its chapters.
    reader : str
        Which of the readers in :mod:`.formats` reads them.
    tab, default : str
        The library whose cells are wanted, and that of cells that do not say it.
    beside : tuple of str
        Files and folders of the repository that lie beside a chapter, as in what readers download.
    data : tuple of tuple
        Pairs of a pattern of chapters and the recipes that make their files in the folder they run in.
    left_out : dict
        Patterns of chapters that are not run, each with the reason.
    """

    name: str
    tag: str
    holds: str
    chapters: tuple[str, ...]
    reader: str
    tab: str = "mxnet"
    default: str = "mxnet"
    beside: tuple[str, ...] = ()
    data: tuple[tuple[str, tuple[str, ...]], ...] = ()
    left_out: dict[str, str] = {}  # noqa: RUF012 - a constant, as all of these

    def recipes(self, path: str) -> list[str]:
        """Return the names of the recipes for a chapter."""
        return [name for pattern, names in self.data if fnmatch(path, pattern) for name in names]


#: Of a book, every chapter; what is no part of the text is not one.
_BOOK = ("chapter_*/*.md",)

_CLOTHES = (
    ("*/geometry-linear-algebr*", ("clothes_for_averages",)),
    ("*/softmax-regression-*", ("clothes_that_teach",)),
    ("*/mlp-*", ("clothes_that_teach",)),
    ("*/dropout*", ("clothes_that_teach",)),
)

#: Where MXNet's own tutorials lie since version 1.6.
_TUTORIALS = "docs/python_docs/python/tutorials"

SOURCES = (
    Source("d2l-en-0.7", "v0.7.0", "d2l/d2l.py", _BOOK, "tabs", beside=("d2l", "img", "data"), data=_CLOTHES),
    Source("d2l-en-0.17", "v0.17.6", "d2l/mxnet.py", _BOOK, "tabs", beside=("d2l", "img"), data=_CLOTHES),
    Source(
        "d2l-en-1.0", "v1.0.3", "d2l/mxnet.py", _BOOK, "tabs", default="pytorch", beside=("d2l", "img"), data=_CLOTHES
    ),
    Source("d2l-zh-1", "v1", "d2lzh/utils.py", _BOOK, "tabs", beside=("d2lzh", "img", "data")),
    Source(
        "d2l-zh-2", "v2.0.0", "d2l/mxnet.py", _BOOK, "tabs", beside=("d2l", "img"), data=_CLOTHES,
        left_out={"*_origin.md": "the English text that was translated"},
    ),
    Source(
        "tutorials-1.9", "1.9.1", f"{_TUTORIALS}/packages/ndarray/01-ndarray-intro.md", (f"{_TUTORIALS}/*.md",),
        "markdown", left_out={"*/getting-started/to-mxnet/*": "half of its cells are PyTorch"},
    ),
    *(
        Source(f"tutorials-{tag[:3]}", tag, "docs/tutorials/basic/module.md", ("docs/tutorials/*.md",), "markdown")
        for tag in ("1.5.0", "1.0.0")
    ),
    Source(
        "straight-dope", "master", "chapter01_crashcourse/ndarray.ipynb", ("chapter*/*.ipynb",), "notebook",
        beside=("data",), data=(("*/deep-cnns-alexnet.ipynb", ("cifar10",)),),
    ),
)  # fmt: skip
