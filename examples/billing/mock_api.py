#!/usr/bin/env python3
"""A billing system to try the example on: it takes corrections, each key once, and remembers what it did.

    mock_api.py [--port 18080] [--log effects.jsonl] [--now 2026-04-10T09:00:00Z]

It listens on 127.0.0.1 and prints its address. Port 0 takes any that is free.

POST /v1/corrections   with `Idempotency-Key`: 201 and what was done; the same key again: the same answer with 200, and
                       nothing is done; the key with another body: 409; amounts that contradict each other: 422.
GET  /v1/corrections   what it has, how many effects there were, and how many keys came again.

With `--log` each effect is on disk, one JSON line, before it is answered; a server that is started with the log of
another goes on where that ended. Time stands still at `--now`, so that the same requests get the same bytes.
"""

import argparse
import hashlib
import json
import os
import threading
from decimal import Decimal, InvalidOperation
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

PATH = "/v1/corrections"
LARGEST = 64 * 1024
AMOUNTS = ["current_amount", "proposed_amount", "correction_amount"]
REQUIRED = ["correction_id", "action", "client_id", "currency", *AMOUNTS]


class Refused(Exception):
    """A request that is answered with an error, and has no effect."""

    def __init__(self, status, error_code, message):
        super().__init__(message)
        self.status, self.error_code, self.message = status, error_code, message


class Ledger:
    """What was done, by key. One request at a time: a key that comes twice at once is still taken once."""

    def __init__(self, now, log):
        self.now, self.log = now, log
        self.lock = threading.Lock()
        self.effects, self.repeated_keys, self.refused = {}, 0, 0
        if log and os.path.exists(log):
            with open(log, encoding="utf-8") as file:
                self.effects = {effect["idempotency_key"]: effect for effect in map(json.loads, file)}

    def take(self, key, content):
        """Status and answer for one correction."""
        correction = parse(content)
        digest = hashlib.sha256(json.dumps(correction, sort_keys=True).encode("utf-8")).hexdigest()
        with self.lock:
            known = self.effects.get(key)
            if known and known["request_sha256"] != digest:
                raise Refused(409, "key_used_otherwise", "this key came with another correction before")
            if known:
                self.repeated_keys += 1
                return 200, known["answer"]
            check(correction)
            answer = {
                "submission_id": "BS-" + hashlib.sha256(key.encode("utf-8")).hexdigest()[:12],
                "status": "accepted",
                "amount_applied": correction["correction_amount"],
                "currency": correction["currency"],
                "received_at": self.now,
            }
            self.keep({"idempotency_key": key, "request_sha256": digest, "correction": correction, "answer": answer})
            return 201, answer

    def keep(self, effect):
        """On disk first: whoever got an answer can rely on it."""
        if self.log:
            with open(self.log, "a", encoding="utf-8") as file:
                file.write(json.dumps(effect, sort_keys=True, ensure_ascii=False) + "\n")
                file.flush()
                os.fsync(file.fileno())
        self.effects[effect["idempotency_key"]] = effect

    def listing(self):
        with self.lock:
            corrections = [
                {"idempotency_key": key, "submission_id": effect["answer"]["submission_id"], **effect["correction"]}
                for key, effect in sorted(self.effects.items())
            ]
            counts = {"effects": len(self.effects), "repeated_keys": self.repeated_keys, "refused": self.refused}
            return {**counts, "corrections": corrections}


def parse(content):
    try:
        correction = json.loads(content)
    except ValueError:
        raise Refused(400, "no_json", "the body is no JSON") from None
    if not isinstance(correction, dict):
        raise Refused(400, "no_object", "the body is no JSON object")
    return correction


def check(correction):
    """Refuses a correction that does not say all that is needed, or whose amounts contradict each other."""
    missing = [field for field in REQUIRED if field not in correction]
    if missing:
        raise Refused(422, "field_missing", f"no {', '.join(missing)}")
    current, proposed, change = (amount(correction, field) for field in AMOUNTS)
    if proposed - current != change:
        raise Refused(422, "amounts_disagree", f"{proposed} less {current} is not {change}")
    if correction["action"] == "void_line" and proposed != 0:
        raise Refused(422, "void_leaves_amount", f"a line that is voided cannot keep {proposed}")
    if correction["action"] == "rebill" and current == 0:
        message = f"a rebill replaces an amount, and nothing was billed in {correction['currency']}"
        raise Refused(422, "nothing_to_rebill", message)


def amount(correction, field):
    try:
        value = Decimal(str(correction[field]))
    except InvalidOperation:
        raise Refused(422, "no_amount", f"{field} is no amount") from None
    if not value.is_finite() or value != round(value, 2):
        raise Refused(422, "no_amount", f"{field} is not in whole cents")
    return value


class Server(ThreadingHTTPServer):
    """A thread for each connection, and room for many that come at once."""

    daemon_threads = True
    request_queue_size = 128

    def __init__(self, port, ledger):
        super().__init__(("127.0.0.1", port), Api)
        self.ledger = ledger


class Api(BaseHTTPRequestHandler):
    """The two routes."""

    protocol_version = "HTTP/1.1"

    def do_POST(self):
        try:
            content = self.content()
            key = self.headers.get("Idempotency-Key", "").strip()
            if self.path != PATH:
                raise Refused(404, "not_found", "there is nothing at this path")
            if not key:
                raise Refused(400, "no_key", "a correction needs an Idempotency-Key")
            self.answer(*self.server.ledger.take(key, content))
        except Refused as refusal:
            self.refuse(refusal)

    def do_GET(self):
        if self.path == PATH:
            self.answer(200, self.server.ledger.listing())
        else:
            self.refuse(Refused(404, "not_found", "there is nothing at this path"))

    def content(self):
        length = self.headers.get("Content-Length", "")
        if not length.isdecimal() or int(length) > LARGEST:
            # The rest of the request was not read, so the connection cannot be used again.
            self.close_connection = True
            raise Refused(413, "bad_length", f"a body of at most {LARGEST} bytes, and its length, are needed")
        return self.rfile.read(int(length))

    def refuse(self, refusal):
        ledger = self.server.ledger
        with ledger.lock:
            ledger.refused += 1
        error = {"error_code": refusal.error_code, "message": refusal.message, "received_at": ledger.now}
        self.answer(refusal.status, error)

    def answer(self, status, value):
        content = (json.dumps(value, sort_keys=True, ensure_ascii=False) + "\n").encode("utf-8")
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def log_message(self, *_):
        """Quiet: what matters is in the ledger."""


def main():
    parser = argparse.ArgumentParser(description="A billing system to try the example on.")
    parser.add_argument("--port", type=int, default=18080, help="0 takes any that is free")
    parser.add_argument("--log", help="a file for effects, one JSON line each")
    parser.add_argument("--now", default="2026-04-10T09:00:00Z", help="the time that answers tell")
    options = parser.parse_args()
    server = Server(options.port, Ledger(options.now, options.log))
    print(f"http://127.0.0.1:{server.server_address[1]}{PATH}", flush=True)
    try:
        server.serve_forever()
    except KeyboardInterrupt:
        server.server_close()


if __name__ == "__main__":
    main()
