"""The safe extraction of tar archives, including on Python 3.11.0 to 3.11.3, which have no extraction filters."""

from __future__ import annotations

import os
import shutil
import tarfile
from pathlib import Path

__all__ = ["unpack_tar"]


def unpack_tar(archive: tarfile.TarFile, folder: str | os.PathLike[str]) -> None:
    """Unpack an archive into a folder.

    Python's filter ``data`` rejects unsafe members. If Python has no filters, this function writes files and folders,
    copies the targets of links to files, and rejects all other members.

    Parameters
    ----------
    archive : tarfile.TarFile
        The opened archive.
    folder : str or path-like
        The target folder.

    Raises
    ------
    ValueError
        If a member is unsafe, for example because it would be written outside the folder, or is a device.
    """
    if hasattr(tarfile, "data_filter"):
        try:
            archive.extractall(folder, filter="data")
        except tarfile.FilterError as error:
            raise ValueError(str(error)) from None
    else:
        _unpack_without_filters(archive, Path(os.path.realpath(folder)))


def _unpack_without_filters(archive: tarfile.TarFile, folder: Path) -> None:
    for member in archive:
        # The path is resolved for every member, because an existing link in the folder may lead outside of it.
        target = Path(os.path.realpath(folder / member.name.lstrip("/" + os.sep)))
        if not target.is_relative_to(folder):
            raise ValueError(f"{member.name!r} would be extracted to {str(target)!r}, which is outside the destination")
        if member.isdir():
            target.mkdir(parents=True, exist_ok=True)
            continue
        content = _content(archive, member)
        target.parent.mkdir(parents=True, exist_ok=True)
        with content, open(target, "wb") as stream:
            shutil.copyfileobj(content, stream)
        if member.mode & 0o100:
            target.chmod(target.stat().st_mode | 0o111)
        os.utime(target, (member.mtime, member.mtime))


def _content(archive: tarfile.TarFile, member: tarfile.TarInfo) -> tarfile.ExFileObject:
    """Return the contents of a file or, for a link, of its target in the archive, as a stream."""
    try:
        # The result is None for other members, such as a device or a link to a folder.
        content = archive.extractfile(member) if member.isfile() or member.issym() or member.islnk() else None
    except (KeyError, RecursionError):
        content = None
    if content is None:
        raise ValueError(f"{member.name!r} is not a file, a folder, or a link to a file in the same archive")
    return content  # type: ignore[return-value]  # typeshed says IO[bytes]
