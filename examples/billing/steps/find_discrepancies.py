"""Phase 4: hold every invoice line against what applies, and every entry against the lines.

Reads what should have been billed (phase 3), the invoice lines and the contract terms. Writes
`output/discrepancies.json`, one `billing.discrepancy_row` for each fault. A line can have several faults; each row
then gives the difference that its own fault makes, so that the differences of a line add up. Each row names the rows
and clauses that it rests on.
"""

import json
from decimal import ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
CAPS = {"hours_cap", "fee_cap"}
# From how much on a difference weighs so much, in the currency of the invoice.
WEIGHTS = [(Decimal(1000), "critical"), (Decimal(500), "high"), (Decimal(100), "medium"), (Decimal(0), "low")]
# These weigh much whatever the amount: the wrong party got a bill, or there was no contract to bill under.
GRAVE = {"wrong_client", "outside_contract_period", "currency_mismatch"}


def main():
    applicable = {row["entry_id"]: row for row in read_json("output/contract_applicability.json")}
    lines = read_json("work/invoice_lines.rows.json")
    terms = {term["term_id"]: term for term in read_json("work/contract_terms.rows.json")}
    lines.sort(key=lambda line: (line["invoice_date"], line["line_id"]))
    found = check_lines(lines, applicable, terms) + check_entries(applicable, lines)
    write_json("output/discrepancies.json", sorted(found, key=lambda row: row["discrepancy_id"]))


def check_lines(lines, applicable, terms):
    found, billed = [], {}
    for line in lines:
        if line["invoice_status"] == "void":
            continue
        if line["line_type"] == "expense":
            found += check_expense(line, terms)
        elif line["line_type"] == "time":
            found += check_time(line, applicable.get(line.get("entry_id")), terms, billed)
    return found


# --- lines that bill time -------------------------------------------------------------------------------------------


def check_time(line, entry, terms, billed):
    """The faults of one line. The first five mean that nothing of it is due; the others can come together."""
    if entry is None:
        named = f"time entry {line['entry_id']}, which does not exist" if "entry_id" in line else "no time entry"
        return [undue("billed_without_time", line, None, f"the line names {named}")]
    if entry["client_id"] != line["client_id"]:
        why = f"{entry['entry_id']} was worked for {entry['client_id']}, and {line['client_id']} was billed"
        return [undue("wrong_client", line, entry, why)]
    first = billed.setdefault(entry["entry_id"], line)
    if first is not line:
        why = f"{entry['entry_id']} was billed before, by {first['line_id']}"
        return [undue("duplicate_billing", line, entry, why, [source(first)])]
    if entry["outcome"] == "not_covered":
        return [undue("outside_contract_period", line, entry, entry["reason"])]
    if entry["currency"] != line["currency"]:
        return [other_currency(line, entry)]
    faults = [check_project(line, entry), check_hours(line, entry, terms), check_rate(line, entry, terms)]
    return [fault for fault in [*faults, check_sum(line, entry)] if fault]


def check_project(line, entry):
    if line.get("project_id") == entry["project_id"]:
        return None
    why = f"the work was done for project {entry['project_id']}, and {line.get('project_id')} was billed"
    return finding("wrong_project", line, entry, Decimal(0), why)


def check_hours(line, entry, terms):
    due, billed = entry["billable_hours"], line["quantity"]
    if due == billed:
        return None
    difference = to_cents((billed - due) * entry["expected_rate"])
    figures = {"expected_hours": due, "billed_hours": billed}
    cap = applied(entry, terms, CAPS)
    if cap and billed > due:
        why = f"{billed} hours were billed, and {due} were left under the cap of clause {cap['clause_ref']}"
        return finding("cap_exceeded", line, entry, difference, why, **figures, term_id=cap["term_id"])
    if due == 0:
        free = applied(entry, terms, {"non_billable_work"})
        figures.update({"term_id": free["term_id"]} if free else {})
        return finding("non_billable_billed", line, entry, difference, entry["reason"], **figures)
    why = f"{billed} hours were billed, and {due} are due"
    return finding("hours_mismatch", line, entry, difference, why, **figures)


def check_rate(line, entry, terms):
    due, billed = entry["expected_rate"], line["unit_price"]
    if due == billed or entry["billable_hours"] == 0:
        return None
    difference = to_cents(line["quantity"] * (billed - due))
    figures = {"expected_rate": due, "billed_rate": billed}
    discount = applied(entry, terms, {"discount"})
    if discount and to_cents(billed * (100 - discount["value"]) / 100) == due:
        why = f"{billed:.2f} for one hour is before the discount of {discount['value']} percent; {due:.2f} is due"
        return finding("discount_not_applied", line, entry, difference, why, **figures, term_id=discount["term_id"])
    why = f"{billed:.2f} for one hour was billed, and {due:.2f} is due: {entry['reason']}"
    return finding("rate_mismatch", line, entry, difference, why, **figures)


def check_sum(line, entry):
    product = to_cents(line["quantity"] * line["unit_price"])
    if product == line["amount"]:
        return None
    why = f"{line['quantity']} times {line['unit_price']:.2f} is {product:.2f}, and the line says {line['amount']:.2f}"
    return finding("arithmetic_error", line, entry, line["amount"] - product, why)


def other_currency(line, entry):
    """In the currency that was agreed nothing was billed: no rate of exchange is made up here."""
    why = f"{line['currency']} {line['amount']:.2f} was billed, and the work is to be billed in {entry['currency']}"
    row = finding("currency_mismatch", line, entry, Decimal(0), why)
    amounts = {"expected_amount": entry["expected_amount"], "billed_amount": 0, "currency": entry["currency"],
               "difference_amount": -entry["expected_amount"]}
    return {**row, **amounts, "severity": severity("currency_mismatch", entry["expected_amount"])}


# --- lines that bill expenses, and entries that no line bills -------------------------------------------------------


def check_expense(line, terms):
    for term in terms.values():
        limits = term["term_type"] == "expense_limit" and term["client_id"] == line["client_id"]
        if limits and line["amount"] > term["value"]:
            over = line["amount"] - term["value"]
            allowed = f"{term['value']:.2f} is the most" if term["value"] else "none are allowed"
            why = f"expenses of {line['amount']:.2f} were billed, and {allowed} by clause {term['clause_ref']}"
            row = finding("expense_not_allowed", line, None, over, why, term["source_ids"], term_id=term["term_id"])
            return [row]
    return []


def check_entries(applicable, lines):
    """Work that is due, and that no line bills to its client."""
    billed = {(line.get("entry_id"), line["client_id"]) for line in lines if line["invoice_status"] != "void"}
    return [
        unbilled(entry) for entry in applicable.values()
        if entry["billable_hours"] > 0 and (entry["entry_id"], entry["client_id"]) not in billed
    ]


def unbilled(entry):
    due = entry["expected_amount"]
    return {
        "discrepancy_id": f"unbilled_time:{entry['entry_id']}",
        "kind": "unbilled_time",
        "client_id": entry["client_id"],
        "project_id": entry["project_id"],
        "period": entry["worked_on"][:7],
        "entry_id": entry["entry_id"],
        "expected_hours": entry["billable_hours"],
        "billed_hours": 0,
        "expected_rate": entry["expected_rate"],
        "expected_amount": due,
        "billed_amount": 0,
        "difference_amount": -due,
        "currency": entry["currency"],
        "severity": severity("unbilled_time", due),
        "explanation": f"{entry['billable_hours']} hours are due, and no line bills them to {entry['client_id']}",
        "source_ids": entry["source_ids"],
    }


# --- rows -----------------------------------------------------------------------------------------------------------


def undue(kind, line, entry, why, also=()):
    return finding(kind, line, entry, line["amount"], why, also)


def finding(kind, line, entry, difference, why, also=(), **figures):
    """A fault of a line. `billed_amount` is the line's; `expected_amount` is that without this fault."""
    row = {
        "discrepancy_id": f"{kind}:{line['line_id']}",
        "kind": kind,
        "client_id": line["client_id"],
        "period": (entry["worked_on"] if entry else line["invoice_date"])[:7],
        "invoice_id": line["invoice_id"],
        "line_id": line["line_id"],
        "expected_amount": line["amount"] - difference,
        "billed_amount": line["amount"],
        "difference_amount": difference,
        "currency": line["currency"],
        "severity": severity(kind, difference),
        "explanation": why,
        "source_ids": list(dict.fromkeys([source(line), *also, *(entry["source_ids"] if entry else [])])),
        **figures,
    }
    row.update({"project_id": line["project_id"]} if "project_id" in line else {})
    row.update({"entry_id": entry["entry_id"]} if entry else {})
    return row


def source(line):
    return f"{line['source_id']}#{line['line_id']}"


def applied(entry, terms, kinds):
    """The term of such a kind that decided on the entry, if any."""
    return next((terms[name] for name in entry["term_ids"] if terms[name]["term_type"] in kinds), None)


def severity(kind, difference):
    weight = next(name for least, name in WEIGHTS if abs(difference) >= least)
    return "high" if kind in GRAVE and weight in ("low", "medium") else weight


def to_cents(value):
    return value.quantize(CENT, ROUND_HALF_UP)


# --- files ----------------------------------------------------------------------------------------------------------


def read_json(path):
    """Every number as a decimal, so that sums and prices are exact."""
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
