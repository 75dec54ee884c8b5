"""A seccomp filter against dangerous system calls of untrusted code, for 64-bit x86 and ARM."""

from __future__ import annotations

import ctypes
import os
import platform
import struct

__all__ = ["forbid_system_calls", "is_known_machine"]

#: Rejected system calls: numbers on x86-64 and on 64-bit ARM; None if the call does not exist.
_REFUSED: dict[str, tuple[int | None, int | None]] = {
    # processes
    "fork": (57, None), "vfork": (58, None), "execve": (59, 221), "execveat": (322, 281), "setns": (308, 268),
    "unshare": (272, 97), "ptrace": (101, 117), "process_vm_readv": (310, 270), "process_vm_writev": (311, 271),
    "tkill": (200, 130), "rt_sigqueueinfo": (129, 138), "rt_tgsigqueueinfo": (297, 240), "pidfd_open": (434, 434),
    "pidfd_send_signal": (424, 424), "pidfd_getfd": (438, 438), "prlimit64": (302, 261), "setpriority": (141, 140),
    "sched_setaffinity": (203, 122), "sched_setscheduler": (144, 119), "ioprio_set": (251, 30), "kcmp": (312, 272),
    "process_madvise": (440, 440), "personality": (135, 92),
    # network and other channels
    "socket": (41, 198), "socketpair": (53, 199), "connect": (42, 203), "bind": (49, 200), "io_uring_setup": (425, 425),
    "shmget": (29, 194), "shmat": (30, 196), "msgget": (68, 186), "semget": (64, 190), "mq_open": (240, 180),
    # files outside all folders, which the limits of files do not count
    "memfd_create": (319, 279), "memfd_secret": (447, 447),
    # attributes of files, and other objects that Landlock does not control
    "chmod": (90, None), "fchmod": (91, 52), "fchmodat": (268, 53), "fchmodat2": (452, 452), "chown": (92, None),
    "fchown": (93, 55), "lchown": (94, None), "fchownat": (260, 54), "utime": (132, None), "utimes": (235, None),
    "utimensat": (280, 88), "futimesat": (261, None), "setxattr": (188, 5), "lsetxattr": (189, 6),
    "fsetxattr": (190, 7), "removexattr": (197, 14), "lremovexattr": (198, 15), "fremovexattr": (199, 16),
    "mknod": (133, None), "mknodat": (259, 33), "name_to_handle_at": (303, 264), "open_by_handle_at": (304, 265),
    "inotify_init": (253, None), "inotify_init1": (294, 26), "inotify_add_watch": (254, 27),
    "fanotify_init": (300, 262), "fanotify_mark": (301, 263),
    # the system
    "mount": (165, 40), "umount2": (166, 39), "fsopen": (430, 430), "fsconfig": (431, 431), "fsmount": (432, 432),
    "fspick": (433, 433), "open_tree": (428, 428), "move_mount": (429, 429), "mount_setattr": (442, 442),
    "pivot_root": (155, 41), "chroot": (161, 51), "swapon": (167, 224), "swapoff": (168, 225), "acct": (163, 89),
    "quotactl": (179, 60), "bpf": (321, 280), "perf_event_open": (298, 241), "keyctl": (250, 219),
    "add_key": (248, 217), "request_key": (249, 218), "userfaultfd": (323, 282), "reboot": (169, 142),
    "settimeofday": (164, 170), "clock_settime": (227, 112), "adjtimex": (159, 171), "clock_adjtime": (305, 266),
    "sethostname": (170, 161), "setdomainname": (171, 162), "syslog": (103, 116), "vhangup": (153, 58),
    "init_module": (175, 105), "finit_module": (313, 273), "delete_module": (176, 106), "kexec_load": (246, 104),
    "kexec_file_load": (320, 294), "iopl": (172, None), "ioperm": (173, None), "modify_ldt": (154, None),
    # user and group IDs
    "setuid": (105, 146), "setgid": (106, 144), "setreuid": (113, 145), "setregid": (114, 143),
    "setresuid": (117, 147), "setresgid": (119, 149), "setgroups": (116, 159), "setfsuid": (122, 151),
    "setfsgid": (123, 152), "capset": (126, 91),
}  # fmt: skip
#: Machine -> column above, number of the machine in the kernel, and numbers of clone, clone3, kill, and tgkill.
_ARCHITECTURES = {"x86_64": (0, 0xC000003E, 56, 435, 62, 234), "aarch64": (1, 0xC00000B7, 220, 435, 129, 131)}


def is_known_machine() -> bool:
    """Return whether there is a filter of system calls for the architecture of this machine."""
    return platform.machine() in _ARCHITECTURES


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
        (at_least, 0, 1, 0x40000000),  # a call of the x32 ABI, too
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


def forbid_system_calls() -> None:
    """Make the kernel permanently deny dangerous system calls to this process.

    Raises
    ------
    OSError
        If the kernel does not accept the filter.
    """
    libc = ctypes.CDLL(None, use_errno=True)
    code = _seccomp_filter(platform.machine())
    buffer = ctypes.create_string_buffer(code, len(code))
    program = struct.pack("@HP", len(code) // 8, ctypes.addressof(buffer))
    if libc.prctl(22, 2, ctypes.c_char_p(program), 0, 0) != 0:
        error = ctypes.get_errno()
        raise OSError(error, os.strerror(error))
