"""Phase 6: propose what would put the discrepancies right.

Reads `output/discrepancies.json`. Writes `output/correction_candidates.json`, one `billing.correction_candidate` for
each line or entry that can be corrected. All are `pending`: that they may be sent, a person says at the gate. The
idempotency key follows from the content, so the same correction has the same key in every run.
"""

import hashlib
import json
from decimal import Decimal

# What is done about a discrepancy. Of several on one line, the first in this list decides.
ACTIONS = {
    "billed_without_time": "void_line",
    "duplicate_billing": "void_line",
    "wrong_client": "void_line",
    "currency_mismatch": "rebill",
    "non_billable_billed": "issue_credit",
    "expense_not_allowed": "issue_credit",
    "cap_exceeded": "issue_credit",
    "hours_mismatch": "amend_line",
    "rate_mismatch": "amend_line",
    "discount_not_applied": "amend_line",
    "arithmetic_error": "amend_line",
    "wrong_project": "amend_line",
    "unbilled_time": "add_line",
    # `outside_contract_period` has no action: whether to extend the contract or give money back, people settle.
}
# Figures that are copied from a discrepancy, by the name they have here.
FIGURES = {"expected_hours": "proposed_quantity", "expected_rate": "proposed_unit_price"}


def main():
    groups = {}
    for row in read_json("output/discrepancies.json"):
        if row["kind"] in ACTIONS:
            groups.setdefault(row.get("line_id") or row["entry_id"], []).append(row)
    write_json("output/correction_candidates.json", [candidate(subject, groups[subject]) for subject in sorted(groups)])


def candidate(subject, rows):
    """One correction for one line (or one entry that has none), whatever is wrong with it."""
    rows = sorted(rows, key=lambda row: list(ACTIONS).index(row["kind"]))
    first = rows[0]
    current = first["billed_amount"]
    change = -sum(row["difference_amount"] for row in rows)
    proposal = {
        "correction_id": f"C-{subject}",
        "discrepancy_ids": [row["discrepancy_id"] for row in rows],
        "action": ACTIONS[first["kind"]],
        "client_id": first["client_id"],
        "current_amount": current,
        "proposed_amount": current + change,
        "correction_amount": change,
        "currency": first["currency"],
        "justification": "; ".join(row["explanation"] for row in rows),
        "confidence": confidence(rows),
        "source_ids": list(dict.fromkeys(source for row in rows for source in row["source_ids"])),
    }
    for row in rows:
        proposal.update({FIGURES[field]: row[field] for field in FIGURES if field in row})
    proposal.update({field: first[field] for field in ("invoice_id", "line_id", "entry_id") if field in first})
    return {**proposal, "approval": "pending", "idempotency_key": content_key(proposal)}


def confidence(rows):
    """Arithmetic is certain. Where two faults meet on one line, or a currency has to be changed, people look twice."""
    if rows[0]["kind"] == "currency_mismatch":
        return Decimal("0.6")
    return Decimal("0.9") if len(rows) > 1 else Decimal(1)


def content_key(proposal):
    text = json.dumps(proposal, sort_keys=True, ensure_ascii=False, default=number)
    return "correction-" + hashlib.sha256(text.encode("utf-8")).hexdigest()[:32]


def read_json(path):
    """Every number as a decimal, so that sums are exact."""
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=Decimal, parse_int=Decimal)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, sort_keys=True, indent=1, ensure_ascii=False, default=number)
        file.write("\n")


def number(value):
    """A decimal as the JSON number that it is."""
    return int(value) if value == value.to_integral_value() else float(value)


if __name__ == "__main__":
    main()
