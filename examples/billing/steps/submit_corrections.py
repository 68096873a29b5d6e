"""Phase 7: submit the approved corrections, each once.

Reads `output/correction_candidates.json`, the list that was approved at the gate. Writes
`output/correction_submission_result.json`, one `billing.submission_result` for each correction. The only way out is
the bridge: `call` asks the runtime, which decides, sends, and keeps the answer. If this program is run again after a
crash, the bridge gives it the answers that it already has.

A call that the runtime refuses ends the step: `call` raises `CallFailed`, and nothing is written by halves.
"""

import hashlib
import json
from email.utils import parsedate_to_datetime

from deed import call, progress

URL = "http://billing.example.test:18080/v1/corrections"
SYSTEM = "mock billing API"
# What of a correction is sent; fields that it does not have are left out.
SENT = ["correction_id", "action", "client_id", "invoice_id", "line_id", "entry_id", "proposed_quantity",
        "proposed_unit_price", "current_amount", "proposed_amount", "correction_amount", "currency", "justification"]


def main():
    corrections = read_json("output/correction_candidates.json")
    results = []
    for done, correction in enumerate(corrections, start=1):
        results.append(submit(correction))
        progress(done, len(corrections), correction["correction_id"])
    write_json("output/correction_submission_result.json", results)


def submit(correction):
    answer = call("http.fetch", {
        "method": "POST",
        "url": URL,
        "headers": {"content-type": "application/json", "idempotency-key": correction["idempotency_key"]},
        "body": {field: correction[field] for field in SENT if field in correction},
    })
    return {**attempt(correction, answer), **outcome(answer)}


def attempt(correction, answer):
    instant = answered_at(answer)
    row = {
        "submission_id": f"{correction['correction_id']}/1",
        "correction_id": correction["correction_id"],
        "attempt": 1,
        "idempotency_key": correction["idempotency_key"],
        "target_system": SYSTEM,
        "submitted_by": "submit_corrections",
        "submitted_at": instant,
        "responded_at": instant,
        "response_sha256": hashlib.sha256(answer["body"].encode("utf-8")).hexdigest(),
    }
    return {**row, **({"invoice_id": correction["invoice_id"]} if "invoice_id" in correction else {})}


def outcome(answer):
    """What became of it. 201 and 200 are the same: the second says that the key was known, and nothing done twice."""
    body = answer["json"] if isinstance(answer["json"], dict) else {}
    if answer["status"] in (200, 201):
        return {
            "status": "accepted",
            "external_id": body["submission_id"],
            "amount_applied": body["amount_applied"],
            "currency": body["currency"],
        }
    refused = 400 <= answer["status"] < 500
    return {
        "status": "rejected" if refused else "failed",
        "error_code": body.get("error_code") or f"http_{answer['status']}",
        "message": body.get("message") or "no message came with the answer",
        "retryable": not refused,
    }


def answered_at(answer):
    """A step has no clock: the time is that of the billing system, as its answer tells it."""
    body = answer["json"] if isinstance(answer["json"], dict) else {}
    if "received_at" in body:
        return body["received_at"]
    headers = {name.lower(): value for name, value in answer["headers"].items()}
    return parsedate_to_datetime(headers["date"]).strftime("%Y-%m-%dT%H:%M:%SZ")


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, sort_keys=True, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
