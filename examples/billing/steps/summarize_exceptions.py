"""Phase 5: add the discrepancies up by client, month, kind and currency.

Reads `output/discrepancies.json`. Writes `output/exception_summary.json`, one `billing.exception_summary` for each
group. Amounts of different currencies are never added.
"""

import json
from decimal import Decimal

GROUP = ["client_id", "period", "kind", "currency"]
WEIGHTS = ["low", "medium", "high", "critical"]
# What no correction is proposed for in phase 6: whether to extend a contract or give money back, people settle.
LEFT_TO_PEOPLE = {"outside_contract_period"}


def main():
    groups = {}
    for row in read_json("output/discrepancies.json"):
        groups.setdefault(tuple(row[field] for field in GROUP), []).append(row)
    write_json("output/exception_summary.json", [summary(key, groups[key]) for key in sorted(groups)])


def summary(key, rows):
    over = sum(max(row["difference_amount"], Decimal(0)) for row in rows)
    under = -sum(min(row["difference_amount"], Decimal(0)) for row in rows)
    cause = likely_cause(rows)
    return {
        **dict(zip(GROUP, key, strict=True)),
        "discrepancy_count": len(rows),
        "affected_entry_count": len(named(rows, "entry_id")),
        "affected_invoice_count": len(named(rows, "invoice_id")),
        "overbilled_amount": over,
        "underbilled_amount": under,
        "net_difference_amount": over - under,
        "highest_severity": max((row["severity"] for row in rows), key=WEIGHTS.index),
        "unresolved_count": sum(row["kind"] in LEFT_TO_PEOPLE for row in rows),
        "discrepancy_ids": sorted(row["discrepancy_id"] for row in rows),
        "source_ids": sorted({source for row in rows for source in row["source_ids"]}),
        **({"likely_cause": cause} if cause else {}),
    }


def likely_cause(rows):
    """A cause shows where several discrepancies rest on the same term; otherwise none is claimed."""
    terms = named(rows, "term_id")
    if len(rows) > 1 and len(terms) == 1 and all("term_id" in row for row in rows):
        return f"all {len(rows)} come from one term, {terms.pop()}"
    return None


def named(rows, field):
    return {row[field] for row in rows if field in row}


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
