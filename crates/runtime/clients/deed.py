"""Calls from a step's code to the bridge. Standard library only."""

import json
import os
import socket
import threading

__all__ = ["CallFailed", "call", "contract", "fetch", "files", "progress", "tools"]

_SOCKET = os.environ.get("DEED_BRIDGE", "/run/deed/bridge.sock")


class CallFailed(Exception):
    """The bridge said no. `kind` is a word to match on, such as `not_allowed`, `budget` or `denied`."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message


class _Connection:
    """HTTP with the one server that there is, which always says how long its answer is."""

    def __init__(self):
        self.socket = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.socket.connect(_SOCKET)

    def ask(self, method, path, body):
        head = f"{method} {path} HTTP/1.1\r\nhost: bridge\r\ncontent-type: application/json\r\ncontent-length: "
        self.socket.sendall(b"%s%d\r\n\r\n%s" % (head.encode(), len(body), body))
        data = b""
        while b"\r\n\r\n" not in data:
            data += self._more()
        head, _, data = data.partition(b"\r\n\r\n")
        lines = (line.partition(b":") for line in head.split(b"\r\n"))
        length = next(int(value) for name, _, value in lines if name.lower() == b"content-length")
        parts, missing = [data], length - len(data)
        while missing > 0:
            parts.append(self._more())
            missing -= len(parts[-1])
        return b"".join(parts)

    def _more(self):
        data = self.socket.recv(1 << 16)
        if not data:
            raise ConnectionResetError("the bridge has gone")
        return data


_own = threading.local()


def _ask(method, path, body=b""):
    # One connection for each thread of each process: nobody may speak on another's.
    kept = _own.connection if getattr(_own, "pid", None) == os.getpid() else None
    try:
        connection = kept or _Connection()
        data = connection.ask(method, path, body)
    except ConnectionError:
        # A connection that was idle for long may be gone, and then nothing was asked on it.
        if kept is None:
            raise
        kept.socket.close()
        connection = _Connection()
        data = connection.ask(method, path, body)
    _own.pid, _own.connection = os.getpid(), connection
    return json.loads(data)


def call(tool, arguments=None):
    """Calls a tool, and gives its result."""
    answer = _ask("POST", "/v1/call", json.dumps({"tool": tool, "arguments": arguments or {}}, allow_nan=False).encode())
    if not answer.get("ok"):
        error = answer.get("error") or {}
        raise CallFailed(error.get("kind", "unknown"), error.get("message", "the bridge gave no reason"))
    return answer["result"]


def fetch(url, method="GET", headers=None, body=None, redirects=None):
    """Fetches from a host that the contract allows: {"status", "headers", "body", "json"}. With
    redirects="manual" the answer comes as it is, and is not followed."""
    arguments = {"method": method, "url": url}
    if headers:
        arguments["headers"] = headers
    if body is not None:
        arguments["body"] = body
    if redirects is not None:
        arguments["redirects"] = redirects
    return call("http.fetch", arguments)


def progress(done, total=None, note=None):
    """Says how far the code is. Nothing depends on it."""
    arguments = {"done": done}
    if total is not None:
        arguments["total"] = total
    if note is not None:
        arguments["note"] = note
    call("progress.report", arguments)


def files(pattern):
    """The paths of a set of inputs, sorted: files("output/pages/*.html")."""
    with open(os.path.join(os.path.dirname(os.path.abspath(__file__)), "sets.json"), encoding="utf-8") as listed:
        return [file["path"] for file in json.load(listed)[pattern]["files"]]


def contract():
    """The contract that this code runs under."""
    return _ask("GET", "/v1/contract")


def tools():
    """The tools that the contract allows, with what they take."""
    return _ask("GET", "/v1/tools")["tools"]
