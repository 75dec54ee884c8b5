"""Pretrained weights in a local folder. This module does not download weights."""

from __future__ import annotations

import os
from pathlib import Path

from ..utils import check_sha1

__all__ = ["get_model_file", "purge", "short_hash"]

#: The SHA-1 hash of each model's file, by name. Other libraries add entries to this empty dictionary.
_model_sha1: dict[str, str] = {}

#: The folder where MXNet stores downloaded weights.
_ROOT = os.path.join(os.environ.get("MXNET_HOME", os.path.join("~", ".mxnet")), "models")


def short_hash(name: str) -> str:
    """Return the first eight digits of a model file's hash, which are part of the file's name.

    Parameters
    ----------
    name : str
        The name of the model, which must be a key of ``_model_sha1``.

    Returns
    -------
    str
        The digits.

    Raises
    ------
    ValueError
        If there is no model of that name.
    """
    if name not in _model_sha1:
        raise ValueError(f"Pretrained model for {name} is not available.")
    return _model_sha1[name][:8]


def get_model_file(name: str, root: str = _ROOT) -> str:
    """Return the path of a model's weight file, after checking that the file exists and has the expected hash.

    Parameters
    ----------
    name : str
        The name of the model, which must be a key of ``_model_sha1``.
    root : str
        The folder; by default ``$MXNET_HOME/models``, or ``~/.mxnet/models`` if ``MXNET_HOME`` is not set.

    Returns
    -------
    str
        The path.

    Raises
    ------
    ValueError
        If there is no model of that name, or if the hash of the file differs from the model's hash.
    FileNotFoundError
        If the file does not exist. This function does not download it.
    """
    path = Path(root).expanduser() / f"{name}-{short_hash(name)}.params"
    if not path.exists():
        missing = FileNotFoundError(f"the file {path}, which should contain the weights of {name}, does not exist")
        missing.add_note("d2lhybrid does not download weights. Copy MXNet's file to this path.")
        raise missing
    if not check_sha1(str(path), _model_sha1[name]):
        error = ValueError(f"the SHA-1 hash of {path} differs from the hash of MXNet's weights for {name}")
        error.add_note("Replace the file with MXNet's file.")
        raise error
    return str(path)


def purge(root: str = _ROOT) -> None:
    """Delete all weight files in a folder.

    Parameters
    ----------
    root : str
        The folder.
    """
    for path in Path(root).expanduser().glob("*.params"):
        path.unlink()
