"""The cache of compiled libraries: a damaged one must never come to the dynamic linker, which it would end."""

from __future__ import annotations

import os
import pathlib
import resource
import shutil
import subprocess
import sys
import threading
from typing import Any

import numpy
import pytest

from d2lhybrid import nd
from d2lhybrid.gluon import nn
from d2lhybrid.internals.compiler.backends import c_compiler, c_program, c_region, library_cache

pytestmark = pytest.mark.skipif(c_compiler.find_compiler() is None, reason="there is no C compiler")

SOURCE = "int answer(void) { return 42; }\n"


@pytest.fixture
def folder(tmp_path: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> pathlib.Path:
    """Give the cache of a user who is new, in a process that is new."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    monkeypatch.setattr(c_compiler, "_loaded", {})
    found = library_cache.cache_folder()
    assert found is not None
    return found


@pytest.fixture
def compilations(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    runs, inner = [], c_compiler._compile
    monkeypatch.setattr(c_compiler, "_compile", lambda *a: runs.append("compiled") or inner(*a))
    return runs


def answer(source: str = SOURCE) -> int:
    """Build as another process would, which has loaded nothing yet."""
    c_compiler._loaded.clear()
    return c_compiler.build(source).answer()


def half(data: bytes) -> bytes:
    return data[: len(data) // 2]


@pytest.mark.parametrize(
    "damage",
    [
        lambda data: b"",
        lambda data: data[:30],
        half,
        lambda data: data[:-1],
        lambda data: bytes(len(data)),
        lambda data: data[:-4096] + bytes(4096),
        lambda data: data[:2000] + bytes([data[2000] ^ 1]) + data[2001:],
        lambda data: data + b"more",
        lambda data: library_cache._sealed("another", data),
        lambda data: data[len(library_cache._MAGIC) + 32 :],
    ],
    ids=["empty", "a beginning", "half", "one byte less", "zeroes", "zeroes at the end", "one bit", "longer",
         "another key", "without checksum"],
)  # fmt: skip
def test_a_damaged_library_is_compiled_again(damage: Any, folder: pathlib.Path, compilations: list[str]) -> None:
    assert answer() == 42
    (path,) = folder.iterdir()
    whole = path.read_bytes()
    path.write_bytes(damage(whole))
    assert answer() == 42
    assert compilations == ["compiled"] * 2
    assert library_cache.fetch(path.stem) is not None, "what was damaged has not been replaced"
    assert answer() == 42
    assert len(compilations) == 2


def test_what_is_no_ordinary_file_of_this_user_is_not_loaded(folder: pathlib.Path, compilations: list[str]) -> None:
    assert answer() == 42
    (path,) = folder.iterdir()
    other = folder.parent / "elsewhere"
    path.rename(other)
    path.symlink_to(other)
    assert library_cache.fetch(path.stem) is None
    path.unlink()
    os.mkfifo(path)
    assert library_cache.fetch(path.stem) is None  # and does not wait for a writer
    path.unlink()
    if os.geteuid() == 0:
        shutil.copy(other, path)
        os.chown(path, 65534, 65534)
        assert library_cache.fetch(path.stem) is None


def test_a_library_of_a_foreign_processor_is_compiled_again(folder: pathlib.Path, compilations: list[str]) -> None:
    """A checksum can be right and the library wrong: the linker refuses it, and that is no error."""
    assert answer() == 42
    (path,) = folder.iterdir()
    elf = bytearray(library_cache.fetch(path.stem) or b"")
    elf[18:20] = (0xF3).to_bytes(2, "little")  # RISC-V
    library_cache.keep(path.stem, bytes(elf))
    assert answer() == 42
    assert compilations == ["compiled"] * 2


def test_another_compiler_makes_another_library(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    assert answer() == 42
    compiler = c_compiler.find_compiler()
    assert compiler is not None
    other = folder.parent / "mycc"
    other.write_text(f'#!/bin/sh\nif [ "$1" = --version ]; then echo another; else exec {compiler} "$@"; fi\n')
    other.chmod(0o755)
    monkeypatch.setenv("CC", str(other))
    assert answer() == 42
    assert len(list(folder.iterdir())) == 2


def test_libraries_do_not_take_each_others_place_in_memory(folder: pathlib.Path) -> None:
    """All are loaded from descriptors that are closed at once, so that their numbers are the same."""
    libraries = [c_compiler.build(f"int answer(void) {{ return {k}; }}\n") for k in range(6)]
    assert [library.answer() for library in libraries] == list(range(6))


def test_without_libraries_in_memory_a_private_copy_is_loaded(
    folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forbidden(library: bytes) -> Any:
        raise PermissionError("not here")

    monkeypatch.setattr(library_cache, "_load_from_memory", forbidden)
    assert [answer(), answer()] == [42, 42]


def test_the_least_recently_used_libraries_go(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_cache, "MAX_FILES", 3)
    for k in range(5):
        library_cache.keep(f"key{k}", b"x" * 100)
        os.utime(folder / f"key{k}.library", (k, k))
        if k >= 2:
            assert library_cache.fetch("key0") is not None  # in use, and so not old
    assert sorted(p.stem for p in folder.iterdir()) == ["key0", "key3", "key4"]
    monkeypatch.setattr(library_cache, "MAX_BYTES", 1000)
    library_cache.keep("large", b"x" * 900)
    assert [p.stem for p in folder.iterdir()] == ["large"]


def test_several_processes_may_fill_and_empty_the_cache(folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(library_cache, "MAX_FILES", 2)
    failures = []

    def work(seed: int) -> None:
        try:
            for k in range(40):
                key = f"key{(seed + k) % 5}"
                library_cache.keep(key, key.encode() * 50)
                assert library_cache.fetch(key) in (None, key.encode() * 50)
        except BaseException as failure:
            failures.append(failure)

    threads = [threading.Thread(target=work, args=(k,)) for k in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failures
    assert len(list(folder.iterdir())) <= 2


PROGRAM = """
import os, sys
{}
from d2lhybrid.internals.compiler.backends import c_compiler
os.chdir("/")
assert c_compiler.build("int answer(void) {{ return 42; }}").answer() == 42
assert not os.path.exists("/~")
"""


@pytest.mark.parametrize(
    "where",
    [
        'os.environ.pop("HOME", None)',
        'os.environ["HOME"] = "~"',
        'os.environ["HOME"] = "/proc"',
        'os.environ["XDG_CACHE_HOME"] = "/dev/null"',
    ],
    ids=["no home", "a home that is a tilde", "a home that is read only", "a cache that is a file"],
)
def test_without_a_home_nothing_is_kept_and_everything_works(where: str, tmp_path: pathlib.Path) -> None:
    environment = {k: v for k, v in os.environ.items() if k != "XDG_CACHE_HOME"} | {"HOME": str(tmp_path)}
    if "pop" in where:  # then the list of users says where it is
        where += "\nimport pwd; pwd.getpwuid = lambda uid: {}[uid]"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM.format(where)], env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr


def test_a_folder_of_others_is_closed_or_not_used(folder: pathlib.Path) -> None:
    folder.chmod(0o777)
    assert library_cache.cache_folder() == folder
    assert folder.stat().st_mode & 0o777 == 0o700
    if os.geteuid() == 0:
        os.chown(folder, 65534, 65534)
        assert library_cache.cache_folder() is None
        assert answer() == 42


@pytest.mark.parametrize("bytes_left", [0, 100, 3000])
def test_on_a_full_disk_numpy_computes_and_says_so_once(
    bytes_left: int, folder: pathlib.Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(c_program, "MIN_SIZE", 0)
    monkeypatch.setattr(c_region, "_warned", [])
    nets = [nn.HybridLambda(lambda F, x, k=k: F.tanh(x) * k + F.relu(x)) for k in (2, 3)]
    x = nd.random.normal(shape=(40, 50))
    expected = [net(x).asnumpy() for net in nets]
    before = resource.getrlimit(resource.RLIMIT_FSIZE)
    resource.setrlimit(resource.RLIMIT_FSIZE, (bytes_left, before[1]))
    try:
        with pytest.warns(UserWarning, match="NumPy runs a program instead") as caught:
            for net, value in zip(nets, expected, strict=True):
                for flags in ({}, {"static_alloc": True}):
                    net.hybridize(backend="c", **flags)
                    for _ in range(3):
                        numpy.testing.assert_allclose(net(x).asnumpy(), value, rtol=1e-5, atol=1e-6)
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, before)
    assert len(caught) == 1
    assert list(folder.iterdir()) == []
    net = nn.HybridLambda(lambda F, x: F.tanh(x) * 4 + F.relu(x))
    net.hybridize(backend="c")
    assert net(x).shape == x.shape
    assert len(list(folder.iterdir())) == 1, "with room again, the compiler is used again"
