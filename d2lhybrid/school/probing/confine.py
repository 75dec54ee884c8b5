"""Limits for a process that runs a stranger's code: time, memory, files, processes, network.

Every limit is set by the process on itself, for good, before the stranger's code begins. What the system offers is
used in layers: resource limits everywhere; on Linux, Landlock for files and a seccomp filter for system calls;
everywhere, an audit hook of Python, which turns most attempts into a clear error and is the only layer for files
where there is no Landlock.
"""

from __future__ import annotations

import ctypes
import os
import platform
import struct
import sys
import sysconfig
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

__all__ = ["confine", "layers", "readable_folders"]

_LIBC = ctypes.CDLL(None, use_errno=True) if os.name == "posix" else None


def readable_folders(stage: str) -> list[str]:
    """Return what the code may read: the staged package, NumPy, and the standard library without site-packages."""
    library = Path(sysconfig.get_path("stdlib"))
    parts = [str(p) for p in library.iterdir() if p.name not in ("site-packages", "dist-packages", "ensurepip")]
    platform_library = Path(sysconfig.get_path("platstdlib"))
    if platform_library != library and platform_library.is_dir():
        parts += [str(p) for p in platform_library.iterdir() if p.name not in ("site-packages", "dist-packages")]
    numpy_parts = [os.path.realpath(p) for p in Path(stage).iterdir() if p.is_symlink()]
    return [stage, *numpy_parts, *parts]


# Landlock ----------------------------------------------------------------------------------------------

_FILE_RIGHTS = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15
_READ = 1 << 2 | 1 << 3
_WRITE = 1 << 1


def _syscall(number: int, *arguments: Any) -> int:
    assert _LIBC is not None
    result = _LIBC.syscall(ctypes.c_long(number), *arguments)
    if result < 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
    return result


def _landlock_version() -> int:
    if sys.platform != "linux":
        return 0
    try:
        return _syscall(444, None, ctypes.c_size_t(0), ctypes.c_uint(1))
    except OSError:
        return 0


def _landlock(read: Sequence[str], write: str) -> None:
    """Allow files in some folders only, no TCP, and no signals to processes outside."""
    version = _landlock_version()
    rights = (1 << 13) - 1
    rights |= (1 << 13 if version >= 2 else 0) | (1 << 14 if version >= 3 else 0) | (1 << 15 if version >= 5 else 0)
    fields = [rights]
    if version >= 4:
        fields.append(0b11)
    if version >= 6:
        fields.append(0b11)
    attributes = struct.pack(f"={len(fields)}Q", *fields)
    ruleset = _syscall(444, attributes, ctypes.c_size_t(len(attributes)), ctypes.c_uint(0))
    devices = [("/dev/null", _READ | _WRITE), ("/dev/zero", _READ), ("/dev/urandom", _READ)]
    for path, allowed in [*((p, _READ) for p in read), *devices, (write, rights)]:
        try:
            folder = os.open(path, os.O_PATH | os.O_CLOEXEC)
        except OSError:
            continue
        if not os.path.isdir(path):
            allowed &= _FILE_RIGHTS
        rule = struct.pack("=Qi", allowed & rights, folder)
        _syscall(445, ctypes.c_int(ruleset), ctypes.c_int(1), rule, ctypes.c_uint(0))
        os.close(folder)
    _syscall(446, ctypes.c_int(ruleset), ctypes.c_uint(0))
    os.close(ruleset)


# seccomp -----------------------------------------------------------------------------------------------

#: System calls that are refused: (number on x86-64, on 64-bit ARM); None where there is none.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # processes
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "setns": (308, 268),
    "unshare": (272, 97), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "prlimit64": (302, 261), "setpriority": (141, 140),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "ioprio_set": (251, 30), "kcmp": (312, 272),
    # network and other ways out
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "io_uring_setup": (425, 425),
    "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    # attributes of files, which Landlock does not look at
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "utimensat": (280, 88), "futimesat": (261, None), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    # the system
    "mount": (165, 40), "umount2": (166, 39), "bpf": (321, 280), "perf_event_open": (298, 241), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "userfaultfd": (323, 282), "reboot": (169, 142),
    "swapon": (167, 224), "settimeofday": (170, 170), "clock_settime": (227, 112), "init_module": (175, 105),
    "chroot": (161, 51), "setuid": (105, 146), "setgid": (106, 144),
}  # fmt: skip
_ARCHITECTURES = {"x86_64": (0, 0xC000003E, 56, 435, 62, 234), "aarch64": (1, 0xC00000B7, 220, 435, 129, 131)}


def _seccomp_filter(machine: str) -> bytes:
    column, architecture, clone, clone3, kill, tgkill = _ARCHITECTURES[machine]
    allow, refuse, missing = 0x7FFF0000, 0x00050000 | 1, 0x00050000 | 38  # EPERM, ENOSYS
    load, equal, at_least, bits, give = 0x20, 0x15, 0x35, 0x45, 0x06
    numbers = [number for row in _REFUSED.values() if (number := row[column]) is not None]
    own = os.getpid()
    code: list[tuple[int, int, int, int]] = [
        (load, 0, 0, 4),
        (equal, 1, 0, architecture),
        (give, 0, 0, 0x80000000),  # a call of another architecture ends the process
        (load, 0, 0, 0),
        (at_least, 0, 1, 0x40000000),  # so does the x32 variety
        (give, 0, 0, 0x80000000),
        (equal, 0, 1, clone3),
        (give, 0, 0, missing),  # the C library falls back to clone
        (equal, 0, 4, clone),  # new threads only
        (load, 0, 0, 16),
        (bits, 0, 1, 0x00010000),
        (give, 0, 0, allow),
        (give, 0, 0, refuse),
    ]
    for number in (kill, tgkill):  # signals to this process only
        code += [
            (equal, 0, 4, number),
            (load, 0, 0, 16),
            (equal, 0, 1, own),
            (give, 0, 0, allow),
            (give, 0, 0, refuse),
        ]
    code.append((load, 0, 0, 0))
    for i, number in enumerate(numbers):
        code.append((equal, len(numbers) - i, 0, number))
    code += [(give, 0, 0, allow), (give, 0, 0, refuse)]
    return b"".join(struct.pack("=HBBI", *instruction) for instruction in code)


def _seccomp() -> None:
    assert _LIBC is not None
    code = _seccomp_filter(platform.machine())
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    if _LIBC.prctl(22, 2, ctypes.c_char_p(program), 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))


# The audit hook ----------------------------------------------------------------------------------------

_REFUSED_EVENTS = (
    "os.fork", "os.forkpty", "os.exec", "os.posix_spawn", "os.spawn", "os.system", "os.kill", "os.killpg",
    "os.chmod", "os.chown", "os.utime", "os.setxattr", "os.removexattr", "os.link", "os.symlink", "os.chflags",
    "os.startfile", "pty.spawn", "subprocess.Popen", "socket.", "ctypes.", "signal.pthread_kill", "syslog.",
    "resource.", "webbrowser.", "ftplib.", "urllib.", "http.client.", "shutil.chown",
)  # fmt: skip
_WRITING_EVENTS = {"os.remove", "os.rename", "os.rmdir", "os.mkdir", "os.truncate"}
_LISTING_EVENTS = {"os.listdir", "os.scandir", "os.walk", "os.fwalk", "os.chdir"}


def _audit_hook(read: Sequence[str], write: str) -> Callable[[str, tuple[Any, ...]], None]:
    realpath, fspath, fsdecode = os.path.realpath, os.fspath, os.fsdecode
    writable = (realpath(write),)
    readable = (*(realpath(p) for p in read), *writable, "/dev/null", "/dev/zero", "/dev/urandom")
    writing_flags = os.O_WRONLY | os.O_RDWR | os.O_CREAT | os.O_TRUNC | os.O_APPEND

    def below(path: Any, folders: tuple[str, ...]) -> bool:
        if isinstance(path, int) or path is None:
            return True
        real = realpath(fsdecode(fspath(path)))
        return any(real == folder or real.startswith(folder + "/") for folder in folders)

    def refuse(what: str) -> None:
        raise PermissionError(f"an answer may not do this: {what}")

    def hook(event: str, arguments: tuple[Any, ...]) -> None:
        if event == "open":
            path, _, flags = arguments
            writing = bool((flags or 0) & writing_flags) and path != "/dev/null"
            if not below(path, writable if writing else readable):
                refuse(f"{'write' if writing else 'read'} {path}")
        elif event in _WRITING_EVENTS:
            for path in arguments[:2] if event == "os.rename" else arguments[:1]:
                if not below(path, writable):
                    refuse(f"{event} {path}")
        elif event in _LISTING_EVENTS:
            if not below(arguments[0], readable):
                refuse(f"{event} {arguments[0]}")
        elif event.startswith(_REFUSED_EVENTS):
            refuse(event)

    return hook


# All of them -------------------------------------------------------------------------------------------


def _limit_resources(seconds: float, memory: int, file_size: int) -> None:
    import resource

    limits = {
        "RLIMIT_AS": memory,
        "RLIMIT_DATA": memory,
        "RLIMIT_CPU": int(seconds) + 1,
        "RLIMIT_FSIZE": file_size,
        "RLIMIT_NOFILE": 64,
        "RLIMIT_CORE": 0,
        "RLIMIT_MSGQUEUE": 0,
    }
    if sys.platform != "linux" and os.geteuid() != 0:
        limits["RLIMIT_NPROC"] = 0
    for name, value in limits.items():
        kind = getattr(resource, name, None)
        if kind is None:
            continue
        _, hard = resource.getrlimit(kind)
        value = value if hard == resource.RLIM_INFINITY else min(value, hard)
        try:
            resource.setrlimit(kind, (value, value))
        except (ValueError, OSError):
            if name != "RLIMIT_AS":  # macOS has no limit of the address space
                raise


def layers() -> list[str]:
    """Return which protections this system has.

    Examples
    --------
    >>> "resource limits" in layers()
    True
    """
    found = ["resource limits", "audit hook"]
    if sys.platform == "linux":
        if _landlock_version():
            found.append("Landlock")
        if platform.machine() in _ARCHITECTURES:
            found.append("seccomp")
    return found


def confine(read: Iterable[str], write: str, seconds: float, memory: int, file_size: int = 2**25) -> None:
    """Confine this process, for good.

    Parameters
    ----------
    read : iterable of str
        Folders and files that may be read.
    write : str
        The one folder that may be written.
    seconds : float
        Time of the processor.
    memory : int
        Bytes of address space.
    file_size : int
        Bytes of the largest file.

    Raises
    ------
    OSError
        If a layer that the system has cannot be put on: then nothing of a stranger's may run.
    """
    read = list(read)
    available = layers()
    _limit_resources(seconds, memory, file_size)
    if sys.platform == "linux":
        assert _LIBC is not None
        _LIBC.prctl(1, 9, 0, 0, 0)  # end with the parent
        if _LIBC.prctl(38, 1, 0, 0, 0) != 0:  # no new privileges: the two below need it
            raise OSError(ctypes.get_errno(), "PR_SET_NO_NEW_PRIVS")
    if "Landlock" in available:
        _landlock(read, write)
    if "seccomp" in available:
        _seccomp()
    sys.addaudithook(_audit_hook(read, write))
