"""Functions that split batches over devices, clip gradients, and download files."""

from __future__ import annotations

import hashlib
import itertools
import math
import os
import urllib.error
import urllib.parse
import warnings
import weakref
from collections.abc import Iterable, MutableMapping, Sequence
from typing import Any

import numpy

from ..context import Context
from ..internals.core.invoke import wrap
from ..internals.device import array_modules
from ..internals.support.display import Shown
from ..internals.support.filesystem import write_stream
from ..ndarray import NDArray, array
from ..util import is_np_array, unknown_size

__all__ = [
    "HookHandle",
    "check_sha1",
    "clip_global_norm",
    "download",
    "replace_file",
    "shape_is_known",
    "split_and_load",
    "split_data",
]


def split_data(data: Any, num_slice: int, batch_axis: int = 0, even_split: bool = True) -> list[Any]:
    """Split a batch into slices along its batch axis.

    Parameters
    ----------
    data : NDArray or numpy.ndarray
        The batch.
    num_slice : int
        Number of slices.
    batch_axis : int
        The axis to split.
    even_split : bool
        Whether all slices must have the same size. If False, the first slices may have one more example.

    Returns
    -------
    list of NDArray
        The slices.

    Raises
    ------
    ValueError
        If the batch cannot be split evenly and ``even_split`` is True.

    Examples
    --------
    >>> from d2lhybrid import nd
    >>> [part.shape for part in split_data(nd.ones((5, 2)), 2, even_split=False)]
    [(3, 2), (2, 2)]
    """
    size = data.shape[batch_axis]
    if even_split and size % num_slice != 0:
        raise ValueError(
            f"data with shape {data.shape} cannot be evenly split into {num_slice} slices along axis "
            f"{batch_axis}. "
            f"Use a batch size that's multiple of {num_slice} or set even_split=False to allow uneven "
            "partitioning of "
            "data."
        )
    base, larger = divmod(size, num_slice)
    bounds = [i * base + min(i, larger) for i in range(num_slice + 1)]
    before = (slice(None),) * batch_axis
    parts = [slice(a, b) for a, b in itertools.pairwise(bounds)]
    return [data[(*before, part)] if before else data[part] for part in parts]  # CSR takes a single index


def split_and_load(
    data: Any, ctx_list: Sequence[Context], batch_axis: int = 0, even_split: bool = True
) -> list[NDArray]:
    """Split a batch into one slice for each device, and copy each slice to its device.

    Parameters
    ----------
    data : array-like
        The batch. A batch that is not an NDArray is converted.
    ctx_list : list of Context
        The devices.
    batch_axis, even_split
        Arguments of :func:`split_data`.

    Returns
    -------
    list of NDArray
        A slice on each device.
    """
    if not isinstance(data, NDArray):
        if is_np_array():
            from ..numpy import array as np_array

            dtype = data.dtype if isinstance(data, numpy.ndarray) else None
            data = np_array(data, dtype=dtype, ctx=ctx_list[0])
        else:
            data = array(data, ctx=ctx_list[0])
    if len(ctx_list) == 1:
        return [data.as_in_context(ctx_list[0])]
    slices = split_data(data, len(ctx_list), batch_axis, even_split)
    return [part.as_in_context(ctx) for part, ctx in zip(slices, ctx_list, strict=True)]


def clip_global_norm(arrays: Sequence[Any], max_norm: float, check_isfinite: bool = True) -> float | Any:
    """Scale arrays in place so that the norm of all their elements is at most ``max_norm``.

    Parameters
    ----------
    arrays : list of NDArray
        Arrays, usually gradients.
    max_norm : float
        The upper bound of the Euclidean norm over all elements of all arrays.
    check_isfinite : bool
        Whether to warn if the norm is NaN or infinity. The check waits until the norm is on the host.

    Returns
    -------
    numpy.float32 or NDArray
        The norm before scaling. With ``check_isfinite=False``, the norm is an NDArray of shape (1,).

    Raises
    ------
    AssertionError
        If there are no arrays.
    """
    if not arrays:
        raise AssertionError("clip_global_norm requires at least one array")
    ctx = arrays[0]._ctx
    xp = array_modules.array_module(ctx)
    total = xp.zeros((1,), "float32")
    for one in arrays:
        array_modules.use(one._ctx)
        flat = one._data.reshape(-1)
        dtype = "float64" if flat.dtype == "float64" else "float32"
        total = total + array_modules.to_context(_squared_norm(flat.astype(dtype, copy=False)), ctx)
    norm = xp.sqrt(total)
    if check_isfinite and not math.isfinite(float(norm[0])):
        warnings.warn("nan or inf is detected. Clipping results will be undefined.", stacklevel=2)
    scale = xp.minimum(max_norm / (norm + 1e-8), 1.0)
    with numpy.errstate(invalid="ignore"):
        for one in arrays:
            factor = array_modules.to_context(scale, one._ctx).astype(one._data.dtype)
            one._data *= factor[0] if one._data.ndim == 0 else factor
            if one.stype != "default":
                one._places = None  # a product with an array stores no zeros
    return numpy.float32(float(norm[0])) if check_isfinite else wrap(type(arrays[0]), norm.astype("float32"), ctx)


def _squared_norm(flat: Any) -> Any:
    """Return the sum of the squares of a flat raw array, as an array of shape (1,)."""
    return (flat @ flat).reshape(1)


def check_sha1(filename: str, sha1_hash: str) -> bool:
    """Return whether a file's SHA-1 hash is the expected hash.

    Parameters
    ----------
    filename : str
        Path of the file.
    sha1_hash : str
        The expected hash, in 40 hexadecimal digits.

    Returns
    -------
    bool
        Whether the hashes are equal.
    """
    digest = hashlib.sha1(usedforsecurity=False)
    with open(filename, "rb") as stream:
        while chunk := stream.read(1 << 20):
            digest.update(chunk)
    return digest.hexdigest() == sha1_hash


def replace_file(src: str, dst: str) -> None:
    """Move a file atomically, replacing an existing file.

    Parameters
    ----------
    src, dst : str
        The file, and its new path in the same file system.
    """
    os.replace(src, dst)


def download(
    url: str,
    path: str | None = None,
    overwrite: bool = False,
    sha1_hash: str | None = None,
    retries: int = 5,
    verify_ssl: bool = True,
) -> str:
    """Download a file unless it exists.

    Parameters
    ----------
    url : str
        URL of the file.
    path : str, optional
        File or folder to write to; by default, the current folder. In a folder, the file gets its name from the URL.
    overwrite : bool
        Whether to download the file even if it exists.
    sha1_hash : str, optional
        Expected hash. A file with a different hash is downloaded again.
    retries : int
        Number of retries after a failure.
    verify_ssl : bool
        Whether to verify the server's certificate.

    Returns
    -------
    str
        Path of the file.

    Raises
    ------
    ConnectionError
        If the file cannot be downloaded. A note explains how to proceed without a network.
    UserWarning
        If the file does not have the expected hash.
    AssertionError
        If ``retries`` is negative, or if the URL has no file name and ``path`` is not a file.
    ValueError
        If the URL's scheme is not http, https, or ftp.
    """
    name = url.split("/")[-1]
    if path is None or os.path.isdir(os.path.expanduser(path)):
        if not name:
            raise AssertionError("Can't construct file-name from this URL. Please set the `path` option manually.")
        target = name if path is None else os.path.join(os.path.expanduser(path), name)
    else:
        target = os.path.expanduser(path)
    if retries < 0:
        raise AssertionError(f"Number of retries should be at least 0, currently it's {retries}")
    if not overwrite and os.path.exists(target) and (not sha1_hash or check_sha1(target, sha1_hash)):
        return target
    if not verify_ssl:
        warnings.warn(
            "Unverified HTTPS request is being made (verify_ssl=False). "
            "Adding certificate verification is strongly advised.",
            stacklevel=2,
        )
    os.makedirs(os.path.dirname(os.path.abspath(target)), exist_ok=True)
    for left in range(retries, -1, -1):
        try:
            print(f"Downloading {target} from {url}...")
            _fetch(url, target, verify_ssl)
            if sha1_hash and not check_sha1(target, sha1_hash):
                os.remove(target)
                raise UserWarning(
                    f"File {target} is downloaded but the content hash does not match. The repo may be "
                    'outdated or download may be incomplete. If the "repo_url" is overridden, consider '
                    "switching to the default repo."
                )
            break
        except (OSError, UserWarning) as failure:
            if isinstance(failure, urllib.error.HTTPError):
                failure.close()
            if left == 0:
                if isinstance(failure, UserWarning):
                    raise
                error = ConnectionError(f"cannot download {url}: {getattr(failure, 'reason', failure)}")
                error.add_note(
                    f"If this machine has no network, copy the file to {os.path.abspath(target)} and call the function "
                    "again."
                )
                raise error from None
            print(f"download failed due to {failure!r}, retrying, {left} attempt{'s' if left > 1 else ''} left")
    return target


def _get_repo_url() -> str:
    """Return the URL of MXNet's weights and data sets, or ``MXNET_GLUON_REPO``. Other libraries call this function."""
    url = os.environ.get("MXNET_GLUON_REPO", "https://apache-mxnet.s3-accelerate.dualstack.amazonaws.com/")
    return url if url.endswith("/") else f"{url}/"


def _get_repo_file_url(namespace: str, filename: str) -> str:
    """Return the URL of a file in MXNet's repository of weights and data sets."""
    return f"{_get_repo_url()}{namespace}/{filename}"


def _fetch(url: str, target: str, verify_ssl: bool) -> None:
    """Download a URL into a file. The file is created only after the download is complete."""
    from urllib.request import urlopen  # requires sockets, which browsers lack

    if urllib.parse.urlsplit(url).scheme not in ("http", "https", "ftp"):
        raise ValueError(f"cannot download from {url}: only http, https, and ftp URLs are supported")
    context = None
    if not verify_ssl:
        import ssl

        context = ssl._create_unverified_context()
    with urlopen(url, context=context, timeout=30) as source:
        write_stream(target, source)


class HookHandle(Shown):
    """The handle that ``register_forward_hook`` returns. Its method :meth:`detach` removes the hook.

    As a context manager, the handle removes the hook at the end of the scope.
    """

    def __init__(self) -> None:
        self._hooks: weakref.ReferenceType[Any] | None = None
        self._key: int | None = None

    def attach(self, hooks_dict: MutableMapping[int, Any], hook: Any) -> None:
        """Add a hook to a dictionary of hooks.

        Parameters
        ----------
        hooks_dict : dict
            The dictionary of hooks.
        hook : callable
            The function to call.

        Raises
        ------
        AssertionError
            If this handle already holds a hook.
        """
        if self._hooks is not None:
            raise AssertionError("The same handle cannot be attached twice.")
        self._key = id(hook)
        hooks_dict[self._key] = hook
        self._hooks = weakref.ref(hooks_dict)

    def detach(self) -> None:
        """Remove the hook if it is still registered."""
        hooks = self._hooks() if self._hooks is not None else None
        if hooks is not None and self._key in hooks:
            del hooks[self._key]

    def __enter__(self) -> HookHandle:
        return self

    def __exit__(self, *exception: object) -> None:
        self.detach()


def shape_is_known(shape: Sequence[int] | None) -> bool:
    """Return whether all sizes of a shape are known.

    An unknown size is 0 in legacy mode and -1 with NumPy shapes. In legacy mode, the shape ``()`` is entirely unknown.

    Parameters
    ----------
    shape : tuple of int or None
        The shape.

    Returns
    -------
    bool
        False if a size is unknown or the shape is None.

    Raises
    ------
    AssertionError
        If a size is smaller than the unknown size.
    """
    if shape is None:
        return False
    unknown = unknown_size()
    if len(shape) == 0:
        return unknown == -1
    for size in shape:
        if size < unknown:
            raise AssertionError(f"shape dimension size cannot be less than {unknown}, while received {size}")
        if size == unknown:
            return False
    return True


def _indent(text: str, spaces: int) -> str:
    """Indent all lines of a text except the first."""
    return text.replace("\n", "\n" + " " * spaces)


def _brief_print_list(names: Iterable[str], limit: int = 7) -> str:
    """Return quoted names, separated by commas. If there are more than ``limit`` names, omit the middle."""
    names = list(names)
    if len(names) > limit:
        half = limit // 2
        first, last = names[:half], names[half - limit :]
        return f"{_brief_print_list(first, limit)}, ..., {_brief_print_list(last, limit)}"
    return ", ".join(f"'{name}'" for name in names)
