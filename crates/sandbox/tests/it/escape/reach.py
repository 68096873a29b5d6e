"""What the attempts share: how they are named, and system calls by number."""
import ctypes, os, platform

ATTEMPTS = {}
LIBC = ctypes.CDLL(None, use_errno=True)
LIBC.syscall.restype = ctypes.c_long


class Stopped(Exception):
    """Something other than an error number stopped it."""


def attempt(function):
    ATTEMPTS[function.__name__] = function
    return function


def call(number, *args):
    """A system call by number; an error becomes an OSError."""
    wide = [ctypes.c_long(a) if isinstance(a, int) else a for a in args]
    answer = LIBC.syscall(ctypes.c_long(number), *wide)
    if answer == -1:
        code = ctypes.get_errno()
        raise OSError(code, os.strerror(code))
    return answer


def plain_call(name, number, *args):
    """An attempt that is one system call."""
    def attempted(facts):
        return call(number, *args)
    attempted.__name__ = name
    ATTEMPTS[name] = attempted


assert platform.machine() == "x86_64", "the numbers are those of x86_64"
