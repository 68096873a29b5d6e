"""Phase 3: say of every time entry what it should cost, and by which rate and terms.

Reads time entries, rates and contract terms. Writes `output/contract_applicability.json`, one
`billing.contract_applicability` for each entry. Entries are decided on in the order of their days, because caps fill
up. Where two rates fit equally well, both are named and the lower is taken: a doubt is not billed to the client.
"""

import json
from decimal import ROUND_DOWN, ROUND_HALF_UP, Decimal

CENT = Decimal("0.01")
# Only work that somebody approved is billed; `invoiced` is what approved work becomes.
BILLED_STATES = {"approved", "invoiced"}
# What makes a rate the more special one, the strongest first.
SPECIAL = ["person_id", "project_id", "client_id"]


def main():
    entries = read_json("work/time_entries.rows.json")
    rates = read_json("work/rates.rows.json")
    terms = sorted(read_json("work/contract_terms.rows.json"), key=lambda term: (term["precedence"], term["term_id"]))
    caps = Caps()
    entries.sort(key=lambda entry: (entry["worked_on"], entry["entry_id"]))
    decided = [decide(entry, rates, terms, caps) for entry in entries]
    write_json("output/contract_applicability.json", sorted(decided, key=lambda row: row["entry_id"]))


def decide(entry, rates, terms, caps):
    own = [term for term in terms if term["client_id"] == entry["client_id"]]
    in_force = [term for term in own if holds(term, entry["worked_on"])]
    if own and not in_force:
        return without_contract(entry, own)
    best = best_rates(entry, rates)
    if not best:
        return uncovered(entry, f"no rate for the role {entry['role']} on {entry['worked_on']}", [])
    return covered(entry, best, [term for term in in_force if concerns(term, entry)], caps)


def holds(row, day):
    return row["effective_from"] <= day <= row.get("effective_to", "9999-12-31")


def concerns(row, entry):
    """Whether a rate or term that is limited to something is limited to this."""
    limits = ["client_id", "project_id", "person_id", "role", "task_code"]
    return all(row[limit] == entry.get(limit) for limit in limits if limit in row)


# --- rates ----------------------------------------------------------------------------------------------------------


def best_rates(entry, rates):
    """The most special rates that fit, the lowest first; more than one only if they contradict each other."""
    fitting = [
        rate for rate in rates
        if rate.get("approved", True) and holds(rate, entry["worked_on"]) and concerns(rate, entry)
    ]
    if not fitting:
        return []
    top = max(map(how_special, fitting))
    best = [rate for rate in fitting if how_special(rate) == top]
    return sorted(best, key=lambda rate: (hourly(rate), rate["rate_id"]))


def how_special(rate):
    return [field in rate for field in SPECIAL]


def hourly(rate):
    """The price of one hour; a day's rate is divided by the hours of a day."""
    return to_cents(rate["rate"] / rate.get("hours_per_unit", Decimal(1)))


# --- terms ----------------------------------------------------------------------------------------------------------


def covered(entry, best, terms, caps):
    rate, rivals = best[0], [rival for rival in best[1:] if hourly(rival) != hourly(best[0])]
    price, hours = hourly(rate), entry["hours"]
    applied, reasons = [], [f"{rate['rate_id']} is {money(price, rate)} for one hour"]
    if not entry["billable"] or entry["status"] not in BILLED_STATES:
        hours = Decimal(0)
        reasons.append("it was logged as not billable" if not entry["billable"] else f"it is {entry['status']}")
    for term in terms:
        price, hours, why = apply(term, entry, price, hours, caps)
        if why:
            applied.append(term)
            reasons.append(f"{why} ({term['clause_ref']})")
    caps.count(terms, entry, price, hours)
    if rivals:
        names = ", ".join(f"{rival['rate_id']} with {money(hourly(rival), rival)}" for rival in rivals)
        reasons.append(f"{names} would fit as well, and the lower is taken")
    return {
        **head(entry, applied, "; ".join(reasons), [rate, *rivals]),
        "outcome": "conflicting" if rivals else "covered" if "contract_id" in rate else "standard_rate",
        "rate_id": rate["rate_id"],
        "billable_hours": hours,
        "expected_rate": price,
        "expected_amount": to_cents(hours * price),
        "currency": rate["currency"],
        **({"contract_id": rate["contract_id"]} if "contract_id" in rate else {}),
        **({"rivals": [rival["rate_id"] for rival in rivals]} if rivals else {}),
    }


def apply(term, entry, price, hours, caps):
    """Price and hours under one more term, and why; no reason if the term changes nothing here."""
    kind, value = term["term_type"], term.get("value")
    if kind == "rate_override":
        return value, hours, f"for this role the contract says {money(value, term)}"
    if kind == "discount":
        return to_cents(price * (100 - value) / 100), hours, f"less {value} percent"
    if hours == 0:
        return price, hours, None
    if kind == "non_billable_work":
        return price, Decimal(0), f"work with task code {entry.get('task_code')} is not billed"
    if kind == "minimum_increment":
        return price, -(-hours // value) * value, f"billed in steps of {value} hours"
    if kind in ("hours_cap", "fee_cap"):
        left = caps.hours_left(term, entry, price)
        if left < hours:
            return price, left, f"{left} of {hours} hours are left under the cap"
    return price, hours, None


class Caps:
    """How much of each cap is used up, by term and span."""

    def __init__(self):
        self.used = {}

    def hours_left(self, term, entry, price):
        left = max(term["value"] - self.used.get(self.key(term, entry), Decimal(0)), Decimal(0))
        return left if term["term_type"] == "hours_cap" else (left / price).quantize(CENT, ROUND_DOWN)

    def count(self, terms, entry, price, hours):
        """What is billed fills the caps that the entry falls under."""
        for term in terms:
            if term["term_type"] in ("hours_cap", "fee_cap"):
                share = hours if term["term_type"] == "hours_cap" else to_cents(hours * price)
                key = self.key(term, entry)
                self.used[key] = self.used.get(key, Decimal(0)) + share

    def key(self, term, entry):
        lengths = {"day": 10, "month": 7, "year": 4, "contract": 0}
        return term["term_id"], entry["worked_on"][: lengths[term["applies_per"]]]


# --- rows -----------------------------------------------------------------------------------------------------------


def without_contract(entry, terms):
    """The schedule of the contract is the source: its first lines say from when to when it holds."""
    contract = terms[0]["contract_id"]
    document = terms[0]["source_ids"][0].split("#")[0]
    since = min(term["effective_from"] for term in terms)
    until = max(term.get("effective_to", "further notice") for term in terms)
    reason = f"contract {contract} was in force from {since} to {until}, and the work was done on {entry['worked_on']}"
    return uncovered(entry, reason, [{"source_ids": [f"{document}#{contract}"]}])


def uncovered(entry, reason, also):
    return {**head(entry, [], reason, also), "outcome": "not_covered", "billable_hours": 0}


def head(entry, applied, reason, also):
    """What all rows have. Sources are named down to the row or clause: the file, and what identifies it there."""
    sources = [f"{entry['source_id']}#{entry['entry_id']}"]
    for row in [*also, *applied]:
        sources += row["source_ids"] if "source_ids" in row else [f"{row['source_id']}#{row['rate_id']}"]
    return {
        "entry_id": entry["entry_id"],
        "client_id": entry["client_id"],
        "project_id": entry["project_id"],
        "worked_on": entry["worked_on"],
        "logged_hours": entry["hours"],
        "term_ids": [term["term_id"] for term in applied],
        "reason": reason,
        "source_ids": list(dict.fromkeys(sources)),
    }


def to_cents(value):
    return value.quantize(CENT, ROUND_HALF_UP)


def money(value, row):
    return f"{row['currency']} {value:,.2f}"


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
