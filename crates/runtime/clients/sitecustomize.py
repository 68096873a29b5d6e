"""Records the exception that ends a step's program, so that its failure can be classified. Standard library only."""

import json
import os
import sys

_MAIN = "DEED_MAIN_PROCESS"


def _chain(error):
    seen = []
    while error is not None and error not in seen:
        seen.append(error)
        error = error.__cause__ or (None if error.__suppress_context__ else error.__context__)
    return seen


def _is_call(error):
    kind = type(error)
    return kind.__module__ == "deed" and kind.__name__ == "CallFailed"


def _is_network(error):
    # A missing file is an OSError as well, and no request. A refused connection names no file.
    files = (FileNotFoundError, FileExistsError, IsADirectoryError, NotADirectoryError)
    module = type(error).__module__.partition(".")[0]
    return (isinstance(error, OSError) and not isinstance(error, files) and getattr(error, "filename", None) is None) or (
        module in ("http", "urllib", "urllib3", "requests", "httpx", "httpcore", "aiohttp", "ssl", "socket")
    )


def _from_sockets(trace):
    while trace is not None:
        if trace.tb_frame.f_globals.get("__name__") in ("socket", "asyncio.selector_events", "asyncio.base_events"):
            return True
        trace = trace.tb_next
    return False


def _is_unreachable(error):
    """A name that is not resolved, or a connection that is not made: what code without a network meets."""
    import errno
    import socket

    if isinstance(error, (socket.gaierror, socket.herror, ConnectionRefusedError)):
        return True
    if isinstance(error, OSError) and getattr(error, "filename", None) is None:
        unreachable = ("ENETUNREACH", "EHOSTUNREACH", "ENETDOWN", "EHOSTDOWN", "EADDRNOTAVAIL", "EAFNOSUPPORT", "EACCES")
        # The filter of system calls refuses a socket as it refuses anything else.
        refused = error.errno == errno.EPERM and _from_sockets(error.__traceback__)
        return refused or error.errno in [getattr(errno, name) for name in unreachable]
    # Clients that do not keep the error of the system.
    names = ("ConnectError", "NewConnectionError", "NameResolutionError", "ClientConnectorError")
    return type(error).__name__ in names


def _written(trace):
    """Leaves the frames of the file out that runs the program."""
    runner = os.path.join(os.path.dirname(os.path.abspath(__file__)), "_deed_main.py")
    while trace is not None and os.path.abspath(trace.tb_frame.f_code.co_filename) == runner:
        trace = trace.tb_next
    return trace


def _install():
    work, before = os.path.abspath("work"), sys.excepthook

    def hook(kind, error, trace):
        try:
            chain = _chain(error)
            raised = "call" if any(map(_is_call, chain)) else "network" if any(map(_is_network, chain)) else "other"
            reasons = [getattr(each, "reason", None) for each in chain]
            reached = chain + [reason for reason in reasons if isinstance(reason, BaseException)]
            unreachable = any(map(_is_unreachable, reached))
            os.makedirs(os.path.join(work, ".deed"), exist_ok=True)
            with open(os.path.join(work, ".deed", "ended.json"), "w", encoding="utf-8") as record:
                json.dump({"raised": raised, "unreachable": unreachable, "type": kind.__name__}, record)
        except Exception:
            pass
        trace = _written(trace)
        error.__traceback__ = trace
        if before is sys.__excepthook__:
            # This one finds the lines of a program that lies on no disk.
            import traceback

            traceback.print_exception(kind, error, trace)
        else:
            before(kind, error, trace)

    sys.excepthook = hook


# Only the program itself: what a process that it starts dies of is for the program to judge.
if os.environ.setdefault(_MAIN, str(os.getpid())) == str(os.getpid()):
    _install()
