"""Calls from a step's code to the bridge. Standard library only."""

import http.client
import json
import os
import socket
import threading

__all__ = ["CallFailed", "call", "contract", "fetch", "progress", "tools"]

_SOCKET = os.environ.get("DEED_BRIDGE", "/run/deed/bridge.sock")


class CallFailed(Exception):
    """The bridge said no. `kind` is a word to match on, such as `not_allowed`, `budget` or `denied`."""

    def __init__(self, kind, message):
        super().__init__(f"{kind}: {message}")
        self.kind = kind
        self.message = message


class _Connection(http.client.HTTPConnection):
    def __init__(self):
        super().__init__("bridge")

    def connect(self):
        self.sock = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
        self.sock.connect(_SOCKET)


_own = threading.local()


def _ask(method, path, body=None):
    # One connection for each thread of each process: nobody may speak on another's.
    kept = _own.connection if getattr(_own, "pid", None) == os.getpid() else None
    for connection in (kept, _Connection()):
        if connection is None:
            continue
        try:
            connection.request(method, path, body, {"content-type": "application/json"} if body else {})
            response = connection.getresponse()
            data = response.read()
            break
        except ConnectionError:
            # A connection that was idle for long may be gone, and then nothing was asked on it.
            connection.close()
            if connection is not kept:
                raise
    _own.pid, _own.connection = os.getpid(), connection
    return json.loads(data)


def call(tool, arguments=None):
    """Calls a tool, and gives its result."""
    answer = _ask("POST", "/v1/call", json.dumps({"tool": tool, "arguments": arguments or {}}, allow_nan=False))
    if not answer.get("ok"):
        error = answer.get("error") or {}
        raise CallFailed(error.get("kind", "unknown"), error.get("message", "the bridge gave no reason"))
    return answer["result"]


def fetch(url, method="GET", headers=None, body=None):
    """Fetches from a host that the contract allows: {"status", "headers", "body", "json"}."""
    arguments = {"method": method, "url": url}
    if headers:
        arguments["headers"] = headers
    if body is not None:
        arguments["body"] = body
    return call("http.fetch", arguments)


def progress(done, total=None, note=None):
    """Says how far the code is. Nothing depends on it."""
    arguments = {"done": done}
    if total is not None:
        arguments["total"] = total
    if note is not None:
        arguments["note"] = note
    call("progress.report", arguments)


def contract():
    """The contract that this code runs under."""
    return _ask("GET", "/v1/contract")


def tools():
    """The tools that the contract allows, with what they take."""
    return _ask("GET", "/v1/tools")["tools"]
