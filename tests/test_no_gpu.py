"""Without a GPU that can be used: one error, and a note that says what is missing. The CuPy here is planted."""

from __future__ import annotations

import sys
import types
from collections.abc import Callable, Iterator
from typing import Any

import numpy
import pytest

import d2lhybrid as mx
from d2lhybrid import nd
from d2lhybrid.internals.device import array_modules


class CUDARuntimeError(RuntimeError):
    """As CuPy's: a status, and a sentence."""

    def __init__(self, status: int, text: str) -> None:
        super().__init__(text)
        self.status = status


@pytest.fixture
def plant(monkeypatch: pytest.MonkeyPatch) -> Iterator[Callable[[Any], None]]:
    """Return a function that puts something in the place of CuPy."""

    def put(module: Any) -> None:
        monkeypatch.setitem(sys.modules, "cupy", module)
        array_modules.forget_devices()

    yield put
    monkeypatch.undo()
    array_modules.forget_devices()


def cupy(devices: Callable[[], int], version: str = "14.2.0") -> types.ModuleType:
    """Return a CuPy that counts its devices in this way, and can do nothing else."""
    module = types.ModuleType("cupy")
    module.__version__ = version  # type: ignore[attr-defined]
    runtime = types.SimpleNamespace(getDeviceCount=devices)
    module.cuda = types.SimpleNamespace(runtime=runtime)  # type: ignore[attr-defined]
    return module


def raising(error: Exception) -> Callable[[], int]:
    def count() -> int:
        raise error

    return count


def note(use: Callable[[], Any] = lambda: nd.ones((2,), ctx=mx.gpu())) -> str:
    """Return the note of the one error that there is without a GPU."""
    with pytest.raises(mx.MXNetError) as caught:
        use()
    assert str(caught.value) == "GPU is not enabled"
    assert mx.context.num_gpus() == 0
    return "\n".join(caught.value.__notes__)


def test_no_cupy(plant):
    plant(None)  # as Python marks a module that is not to be imported
    assert "CuPy is not installed. Install it with `" in note()
    assert "cupy-cuda12x" in note() and "cupy-cuda13x" in note() and "d2lhybrid[" not in note()


@pytest.mark.parametrize(
    "use",
    [
        lambda: nd.array([1.0], ctx=mx.gpu()),
        lambda: nd.empty((2,), ctx=mx.gpu()),
        lambda: nd.random.normal(shape=(2,), ctx=mx.gpu()),
        lambda: nd.ones((2,)).copyto(mx.gpu()),
        lambda: mx.random.seed(1, ctx=mx.gpu()),
        lambda: mx.np.zeros((2,), ctx=mx.gpu()),
        lambda: mx.np.empty((2,), ctx=mx.gpu()),
        lambda: mx.context.gpu_memory_info(),
        lambda: mx.gpu().empty_cache(),
        lambda: mx.gluon.utils.split_and_load(nd.ones((2, 1)), [mx.cpu(), mx.gpu()]),
    ],
)
def test_whatever_is_asked_of_a_gpu(plant, use):
    plant(None)
    assert "CuPy is not installed" in note(use)


def test_a_cupy_without_a_driver(plant):
    text = "cudaErrorNoDevice: no CUDA-capable device is detected"
    plant(cupy(raising(CUDARuntimeError(100, text))))
    assert f"cannot use a GPU ({text})" in note()


def test_a_cupy_for_a_newer_driver(plant):
    text = "cudaErrorInsufficientDriver: CUDA driver version is insufficient for CUDA runtime version"
    plant(cupy(raising(CUDARuntimeError(35, text))))
    assert "too old for CuPy's version of CUDA" in note()
    assert "cupy-cuda12x" in note()


def test_a_cupy_that_sees_no_device(plant):
    plant(cupy(lambda: 0))
    assert "CUDA_VISIBLE_DEVICES" in note()


def test_a_cupy_that_is_too_old(plant):
    plant(cupy(lambda: 1, version="13.6.0"))
    assert "CuPy 13.6.0 is too old: version 14 or newer is required" in note()


class Broken:
    """An entry of ``sys.meta_path`` under which ``import cupy`` fails."""

    def __init__(self, error: Exception) -> None:
        self.error = error

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> None:
        if name == "cupy":
            raise self.error


@pytest.mark.parametrize(
    "error",
    [
        ImportError("\n====\nFailed to import CuPy.\n\nOriginal error:\n  libnvrtc.so.13: cannot open\n====\n"),
        AttributeError("libnvrtc.so.13: cannot open"),
    ],
)
def test_a_cupy_that_cannot_be_imported(monkeypatch, error):
    monkeypatch.delitem(sys.modules, "cupy", raising=False)
    monkeypatch.setattr(sys, "meta_path", [Broken(error), *sys.meta_path])
    array_modules.forget_devices()
    try:
        assert "cannot be imported (libnvrtc.so.13: cannot open)" in note()
    finally:
        monkeypatch.undo()
        array_modules.forget_devices()


def test_everything_else_goes_on(plant):
    plant(None)
    note()
    assert (nd.ones((2,)) + 1).asnumpy().tolist() == [2, 2]
    mx.nd.waitall()
    pinned = nd.ones((2,)).as_in_context(mx.cpu_pinned())
    assert pinned.context == mx.cpu_pinned()
    pinned += 1
    assert (pinned + pinned).asnumpy().tolist() == [4, 4]
    assert isinstance(pinned._data, numpy.ndarray)
