"""Calls from a step's code to the bridge. Standard library only."""

import json
import os
import socket
import threading

__all__ = ["CallFailed", "InputNotFound", "call", "contract", "fetch", "files", "input", "inputs", "progress", "tools"]

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


class InputNotFound(LookupError):
    """No input of the step, or more than one, is what was asked for."""


def _inputs():
    beside = os.path.join(os.path.dirname(os.path.abspath(__file__)), "inputs.json")
    with open(os.environ.get("DEED_INPUTS", beside), encoding="utf-8") as listed:
        return json.load(listed)["inputs"]


def _found(slot, entity):
    """Returns the inputs of a slot and entity, and a sentence that lists all inputs of the step."""
    listed = _inputs()
    found = [one for one in listed if one["slot"] == slot and entity in (None, one["entity"])]
    names = ", ".join(f"{one['slot']} ({one['entity']}): {one['path'] or 'nothing'}" for one in listed)
    return found, f"the step has the inputs {names}" if listed else "the step has no inputs"


def inputs(slot, entity=None):
    """Returns the paths of all files that are bound to a slot, and to an entity if one is named, in order."""
    found, listed = _found(slot, entity)
    if not found:
        raise InputNotFound(f"no input has the slot {slot!r}{f' and the entity {entity!r}' if entity else ''}; {listed}")
    return [path for one in found for path in one["files"]]


def input(slot, entity=None):
    """Returns the path of the file that is bound to a slot, and to an entity where several share the slot; None for an
    optional input that nothing gives."""
    found, listed = _found(slot, entity)
    wanted = f"the slot {slot!r}{f' and the entity {entity!r}' if entity else ''}"
    if not found:
        raise InputNotFound(f"no input has {wanted}; {listed}")
    if len(found) > 1:
        raise InputNotFound(f"{len(found)} inputs have {wanted}: name the entity, or use inputs(); {listed}")
    if found[0]["set"]:
        raise InputNotFound(f"{wanted} is a set of {len(found[0]['files'])} files: use inputs(); {listed}")
    return found[0]["path"]


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
