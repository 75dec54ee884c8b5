"""The link that opens a copy of the course on mybinder.org.

Binder builds a repository from its public address, so each copy of the course (such as a
teacher's) needs its own link. The link contains the URL of the repository's git remote.
"""

from __future__ import annotations

import re
import subprocess
from pathlib import Path
from urllib.parse import quote

from ... import __version__
from ..support.filesystem import write_text
from ..support.requirements import repository

__all__ = [
    "FIRST_NOTEBOOK",
    "badge",
    "course_links",
    "first_notebook",
    "is_copy_of",
    "launch_link",
    "own_requirement",
    "put_badge_into",
    "repository_address",
    "web_address",
]

#: The file that Binder opens.
FIRST_NOTEBOOK = "notebooks/00_start_here.ipynb"

_PICTURE = "https://mybinder.org/badge_logo.svg"
_BADGE = re.compile(rf"\[!\[[^]]*\]\({re.escape(_PICTURE)}\)\]\([^)]*\)|<!-- Binder badge -->")
_ADDRESS = re.compile(r"(?:[a-z+]+://)?(?:[^@/]+@)?(?P<host>[^:/]+)(?::\d+(?=/))?[:/](?P<path>.+?)(?:\.git)?/?")


def repository_address(folder: Path) -> str | None:
    """Return the URL of the git remote ``origin`` of a folder's repository, or None if there is no such remote.

    Parameters
    ----------
    folder : Path
        Path of a folder in the repository.

    Returns
    -------
    str or None
        The URL, in the form in which it was passed to git.
    """
    command = ["git", "-C", str(folder), "remote", "get-url", "origin"]
    try:
        done = subprocess.run(command, capture_output=True, text=True, check=True)
    except (OSError, subprocess.CalledProcessError):
        return None
    return done.stdout.strip() or None


def web_address(address: str) -> str | None:
    """Return the public web address of a repository, or None if the repository isn't on the internet.

    Parameters
    ----------
    address : str
        Address of the repository, in any form that git accepts.

    Returns
    -------
    str or None
        The address, which begins with ``https://``.

    Examples
    --------
    >>> web_address("git@github.com:ada/course.git"), web_address("../course")
    ('https://github.com/ada/course.git', None)
    """
    found = _ADDRESS.fullmatch(address)
    if found is None or "." not in found["host"] or address.startswith(("/", ".", "file:")):
        return None
    return f"https://{found['host']}/{found['path']}.git"


def own_requirement() -> str:
    """Return the requirement with which pip installs this package.

    The requirement contains the public URL of the package's repository or, if there is no such URL, the package's
    version.

    Returns
    -------
    str
        The requirement.
    """
    folder = repository()
    address = web_address(repository_address(folder) or "") if folder is not None else None
    return f"d2lhybrid[lab] @ git+{address}" if address else f"d2lhybrid[lab]>={__version__}"


def is_copy_of(folder: Path, address: str) -> bool:
    """Return whether a folder is a copy of the repository at an address.

    Parameters
    ----------
    folder : Path
        Path of the folder.
    address : str
        Address of the repository, in any form that git accepts.

    Returns
    -------
    bool
        Whether the folder is a copy.
    """
    own = web_address(repository_address(folder) or "")
    return own is not None and own == web_address(address)


def first_notebook(folder: Path) -> str:
    """Return the notebook that opens first in a copy of a repository.

    For this package's course, the result is the first lesson. For other courses, the result is the first notebook in
    the folder ``notebooks`` or, if there is none, the first notebook at most two folders deep.

    Parameters
    ----------
    folder : Path
        Path of a folder in the repository.

    Returns
    -------
    str
        Path of the notebook, relative to the top of the repository; empty if there is no notebook.
    """
    try:
        command = ["git", "-C", str(folder), "rev-parse", "--show-toplevel"]
        top = Path(subprocess.run(command, capture_output=True, text=True, check=True).stdout.strip())
    except (OSError, subprocess.CalledProcessError):
        top = folder
    if (top / FIRST_NOTEBOOK).is_file():
        return FIRST_NOTEBOOK
    for pattern in ("notebooks/*.ipynb", "*.ipynb", "*/*.ipynb", "*/*/*.ipynb"):
        found = sorted(path.relative_to(top).as_posix() for path in top.glob(pattern))
        found = [path for path in found if not path.startswith(".") and "/." not in path]
        if found:
            return found[0]
    return ""


def launch_link(address: str, ref: str = "HEAD", notebook: str = FIRST_NOTEBOOK) -> str:
    """Return the link that builds a repository on mybinder.org and opens a notebook.

    Parameters
    ----------
    address : str
        Address of the repository, in any form that git accepts.
    ref : str
        Branch, tag, or commit.
    notebook : str
        Path of the notebook; by default, the first lesson of this package's course. With an empty path, JupyterLab
        opens without a notebook.

    Returns
    -------
    str
        The link.

    Raises
    ------
    ValueError
        If Binder cannot reach the address.

    Examples
    --------
    >>> launch_link("git@github.com:ada/course.git")
    'https://mybinder.org/v2/gh/ada/course/HEAD?urlpath=lab/tree/notebooks/00_start_here.ipynb'
    """
    whole = web_address(address)
    if whole is None:
        raise ValueError(
            f"Binder needs the public URL of a repository, such as https://github.com/NAME/COURSE, not {address!r}"
        )
    host, _, path = whole.removeprefix("https://").removesuffix(".git").partition("/")
    if host == "github.com":
        place = f"gh/{path}"
    elif host == "gitlab.com":
        place = f"gl/{quote(path, safe='')}"
    else:
        place = f"git/{quote(whole, safe='')}"
    opens = f"lab/tree/{quote(notebook)}" if notebook else "lab"
    return f"https://mybinder.org/v2/{place}/{quote(ref, safe='')}?urlpath={opens}"


def course_links(folder: Path, notebook: str) -> list[tuple[str, str]]:
    """Return the services that run a notebook of a public repository without an installation, with links.

    Parameters
    ----------
    folder : Path
        Path of a folder in the repository.
    notebook : str
        Path of the notebook, relative to the top of the repository.

    Returns
    -------
    list of (str, str)
        Name and link of each service; empty if the repository has no public address.
    """
    address = repository_address(folder)
    try:
        links = [("Binder", launch_link(address or "", notebook=notebook))]
    except ValueError:
        return []
    found = _ADDRESS.fullmatch(address or "")
    if found is not None and found["host"] == "github.com":
        links.append(("Colab", f"https://colab.research.google.com/github/{found['path']}/blob/HEAD/{notebook}"))
    return links


def badge(link: str) -> str:
    """Return the Markdown of Binder's badge with a link.

    Parameters
    ----------
    link : str
        Target of the badge.

    Returns
    -------
    str
        The Markdown.
    """
    return f"[![Open the course on Binder]({_PICTURE})]({link})"


def put_badge_into(path: Path, link: str) -> int:
    """Replace every Binder badge, and every ``<!-- Binder badge -->``, in a Markdown file with the badge for a link.

    A copied file has the comment instead of a badge until the address of the copy is known.

    Parameters
    ----------
    path : Path
        Path of the file. An unchanged file is not written.
    link : str
        New target of the badges.

    Returns
    -------
    int
        The number of replacements.
    """
    text = path.read_text("utf-8")
    new, count = _BADGE.subn(lambda _: badge(link), text)
    if new != text:
        write_text(path, new)
    return count
