"""Files of the usual formats, written from what is in memory."""

from __future__ import annotations

import io
import tarfile
import zipfile
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import numpy

__all__ = ["jpeg", "tar_files", "write", "zip_files"]


def jpeg(picture: numpy.ndarray, file_format: str = "JPEG") -> bytes:
    from PIL import Image

    stream = io.BytesIO()
    Image.fromarray(picture).save(stream, format=file_format)
    return stream.getvalue()


def write(path: Path, content: str | bytes) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(content if isinstance(content, bytes) else content.encode())


def zip_files(path: Path, files: Iterable[tuple[str, str | bytes]]) -> None:
    path.parent.mkdir(parents=True, exist_ok=True)
    with zipfile.ZipFile(path, "w") as archive:
        for name, content in files:
            archive.writestr(name, content)


def tar_files(path: Path, mode: Any, files: Iterable[tuple[str, str | bytes]]) -> None:
    with tarfile.open(path, mode) as archive:
        for name, content in files:
            content = content.encode() if isinstance(content, str) else content
            header = tarfile.TarInfo(name)
            header.size = len(content)
            archive.addfile(header, io.BytesIO(content))
