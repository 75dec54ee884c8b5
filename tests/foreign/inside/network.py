"""The network as chapters see it: files in a folder, found by the end of an address. Nothing leaves the machine."""

from __future__ import annotations

import io
import os
import shutil
import urllib.request
from typing import Any

__all__ = ["serve"]


class _Answer(io.BytesIO):
    """What ``requests.get`` and ``urlopen`` return, as far as chapters look at it."""

    status_code, status, ok, encoding, reason = 200, 200, True, "utf-8", "OK"

    @property
    def content(self) -> bytes:
        return self.getvalue()

    @property
    def text(self) -> str:
        return self.getvalue().decode()

    @property
    def headers(self) -> dict[str, str]:
        return {"content-length": str(len(self.getvalue()))}

    def iter_content(self, chunk_size: int = 1 << 16, **_: Any) -> Any:
        """Yield the content piece by piece."""
        return iter(lambda: self.read(chunk_size), b"")

    def raise_for_status(self) -> None:
        """Do nothing: all is well."""


def serve(folder: str) -> None:
    """Have what asks for an address find the files of a folder, whatever sum their contents should have.

    Parameters
    ----------
    folder : str
        The files. One that is not there is a ``ConnectionError``.
    """
    import mxnet.gluon.utils  # pyright: ignore[reportMissingImports]
    import mxnet.test_utils  # pyright: ignore[reportMissingImports]
    import requests

    def find(address: Any) -> str:
        address = getattr(address, "full_url", address)
        parts = str(address).partition("?")[0].rstrip("/").split("/")
        for known in (parts[-2:], parts[-1:]):  # many sets have a `train.csv`
            path = os.path.join(folder, *known)
            if os.path.isfile(path):
                return path
        raise ConnectionError(f"nothing is fetched, and there is no file in the place of {address}")

    def get(address: Any, *_: Any, **__: Any) -> _Answer:
        with open(find(address), "rb") as stream:
            return _Answer(stream.read())

    def retrieve(address: str, filename: str | None = None, *_: Any, **__: Any) -> tuple[str, None]:
        target = filename or os.path.basename(find(address))
        shutil.copyfile(find(address), target)
        return target, None

    requests.get = requests.Session.get = get  # type: ignore[assignment]
    urllib.request.urlopen = get  # type: ignore[assignment]
    urllib.request.urlretrieve = retrieve  # type: ignore[assignment]
    mxnet.gluon.utils.check_sha1 = lambda *_: True
