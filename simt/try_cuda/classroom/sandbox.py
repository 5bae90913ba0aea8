"""Shuts this process in, then becomes another program: sandbox.py LIMITS PROGRAM [ARGUMENT...].

With --probe for the program it prints what the kernel has. LIMITS is JSON: `write` and `read` are lists of
folders and files that may be written to, or only read; no other is there. `file_bytes`, `cpu_seconds` and
`processes` are limits of the kernel's; root becomes `user`, for whom they hold. All without root, and for
good: Landlock for files, seccomp against sockets and what else leaves the process.

It runs by itself, without the rest of the package, as an isolated Python.
"""

import ctypes
import json
import os
import platform
import resource
import struct
import sys

PR_SET_NO_NEW_PRIVS, PR_SET_SECCOMP, FILTER = 38, 22, 2
CREATE_RULESET, ADD_RULE, RESTRICT_SELF = 444, 445, 446  # Landlock's calls, the same on all architectures
READ = 1 << 0 | 1 << 2 | 1 << 3  # execute, read files, read folders
OF_FILES = 1 << 0 | 1 << 1 | 1 << 2 | 1 << 14 | 1 << 15  # what a rule of a single file may grant
WRITE_BY_VERSION = {1: (1 << 13) - 1, 2: (1 << 14) - 1, 3: (1 << 15) - 1, 5: (1 << 16) - 1}
# By architecture: its number, and its calls socket, socketpair, ptrace, bpf, io_uring_setup, keyctl.
FORBIDDEN = {
    "x86_64": (0xC000003E, (41, 53, 101, 321, 425, 250)),
    "aarch64": (0xC00000B7, (198, 199, 117, 280, 425, 219)),
}
libc = ctypes.CDLL(None, use_errno=True)


def landlock(write: list[str], read: list[str]) -> bool:
    """Whether the kernel has it."""
    version = libc.syscall(CREATE_RULESET, None, ctypes.c_size_t(0), 1)
    if version < 1:
        return False
    everything = max(mask for least, mask in WRITE_BY_VERSION.items() if version >= least)
    # From version 4 on also no TCP, from 6 on no signals to processes outside.
    wanted = struct.pack("QQQ", everything, 3 if version >= 4 else 0, 3 if version >= 6 else 0)
    wanted = wanted[: 8 if version < 4 else 16 if version < 6 else 24]
    ruleset = libc.syscall(CREATE_RULESET, wanted, ctypes.c_size_t(len(wanted)), 0)
    for paths, rights in ((write, everything), (read, READ)):
        for path in filter(os.path.exists, paths):
            place = os.open(path, os.O_PATH)
            granted = rights if os.path.isdir(path) else rights & OF_FILES & everything
            rule = struct.pack("=Qi", granted, place)
            if libc.syscall(ADD_RULE, ruleset, 1, rule, 0) != 0:
                raise OSError(ctypes.get_errno(), f"Landlock refuses {path}")
            os.close(place)
    return libc.syscall(RESTRICT_SELF, ruleset, 0) == 0


def seccomp() -> bool:
    """No sockets, no tracing of others: these calls fail with EPERM."""
    if platform.machine() not in FORBIDDEN:
        return False
    architecture, calls = FORBIDDEN[platform.machine()]
    load, equal, more, answer = 0x20, 0x15, 0x35, 0x06  # of BPF: ld [k], jeq, jge, ret
    kill, refuse, allow = 0x80000000, 0x00050000 | 1, 0x7FFF0000
    program = [(load, 0, 0, 4), (equal, 1, 0, architecture), (answer, 0, 0, kill), (load, 0, 0, 0)]
    program += [(more, 0, 1, 0x40000000), (answer, 0, 0, kill)]  # x32's calls have other numbers
    for call in calls:
        program += [(equal, 0, 1, call), (answer, 0, 0, refuse)]
    program.append((answer, 0, 0, allow))
    code = b"".join(struct.pack("HBBI", *each) for each in program)
    buffer = ctypes.create_string_buffer(code)
    head = struct.pack("HxxxxxxP", len(program), ctypes.addressof(buffer))
    return libc.prctl(PR_SET_SECCOMP, FILTER, head, 0, 0) == 0


def main() -> None:
    limits = json.loads(sys.argv[1])
    for name, key in (("FSIZE", "file_bytes"), ("CPU", "cpu_seconds"), ("NPROC", "processes")):
        most = getattr(resource, f"RLIMIT_{name}")
        resource.setrlimit(most, (limits[key], limits[key]))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    if os.geteuid() == 0 and limits["user"] != 0:
        os.setgroups([])
        os.setgid(limits["user"])
        os.setuid(limits["user"])
    libc.prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0)
    held = {"Landlock": landlock(limits["write"], limits["read"]), "seccomp": seccomp()}
    if sys.argv[2] == "--probe":
        return print(json.dumps(held))
    os.execv(sys.argv[2], sys.argv[2:])


if __name__ == "__main__":
    main()
