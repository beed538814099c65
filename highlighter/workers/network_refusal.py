"""A network that the kernel refuses: whatever a file makes a parser do, it reaches no other machine and no local service.

A filter of system calls (seccomp) refuses every socket. Only where LibreOffice is installed, which needs them, it leaves
those between processes of this machine (Unix sockets): Docker, a database and the desktop listen on such. The connection to
the parent was there before. The filter needs no privileges, holds for every program that the process starts, and cannot be
lifted.
"""

from __future__ import annotations

import ctypes
import errno
import platform
import socket
import struct
import sys
from contextlib import suppress

# Numbers of <linux/prctl.h>, <linux/seccomp.h>, <linux/audit.h> and of each architecture's table of system calls.
PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, SECCOMP_MODE_FILTER = 38, 22, 2
ALLOW, REFUSE = 0x7FFF0000, 0x00050000 | errno.EACCES
ARCHITECTURES = {"x86_64": 0xC000003E, "aarch64": 0xC00000B7}
SOCKET_CALLS = {"x86_64": 41, "aarch64": 198}
IO_URING_SETUP_CALL = 425  # opens sockets without the call for sockets
FIRST_X32_CALL = 0x40000000  # the same calls of x86_64, by other numbers

# Operations of the kernel's filter machine, and where the fields of a call are: number, architecture, first argument.
LOAD, EQUAL, AT_LEAST, RETURN = 0x20, 0x15, 0x35, 0x06
NUMBER, ARCHITECTURE, FIRST_ARGUMENT = 0, 4, 16


class _Program(ctypes.Structure):
    """The kernel's `struct sock_fprog`."""

    _fields_ = (("length", ctypes.c_ushort), ("instructions", ctypes.c_char_p))


def refuse_network(allow_unix_sockets: bool = False) -> bool:
    """Make the kernel refuse the network to this process and its programs, for good. Return whether the kernel does."""
    machine = platform.machine()
    if not sys.platform.startswith("linux") or machine not in ARCHITECTURES:
        return False
    instructions = _build_filter(ARCHITECTURES[machine], SOCKET_CALLS[machine], allow_unix_sockets)
    program = _Program(len(instructions) // 8, instructions)
    prctl = ctypes.CDLL(None).prctl
    prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)  # without it only root may set a filter
    return bool(prctl(PR_SET_SECCOMP, SECCOMP_MODE_FILTER, ctypes.byref(program)) == 0)


def is_network_refused() -> bool:
    """Return whether this process gets neither an IPv4 nor an IPv6 socket."""
    for family in (socket.AF_INET, socket.AF_INET6):
        with suppress(OSError), socket.socket(family):
            return False
    return True


def _build_filter(architecture: int, socket_call: int, allow_unix_sockets: bool) -> bytes:
    """Return the filter's instructions: each an operation, how many to skip if true and if false, and a value."""
    return b"".join(
        struct.pack("<HBBI", *instruction)
        for instruction in (
            (LOAD, 0, 0, ARCHITECTURE),
            (EQUAL, 0, 7, architecture),
            (LOAD, 0, 0, NUMBER),
            (AT_LEAST, 5, 0, FIRST_X32_CALL),
            (EQUAL, 4, 0, IO_URING_SETUP_CALL),
            (EQUAL, 0, 2, socket_call),
            (LOAD, 0, 0, FIRST_ARGUMENT),
            (EQUAL, 0, 1, socket.AF_UNIX if allow_unix_sockets else socket.AF_UNSPEC),  # which no socket has
            (RETURN, 0, 0, ALLOW),
            (RETURN, 0, 0, REFUSE),
        )
    )
