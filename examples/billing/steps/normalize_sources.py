"""Phase 2: bring everything into the fields of its entity, and the contract into terms.

Reads the profile, the three tables as JSON rows (an adapter made them of the CSV), and the contract in prose.
Writes `work/*.rows.json` for later steps, and `output/normalized_sources.json`: which source became how many rows,
what was rejected, and which clauses of the contract no term was made of. No value is guessed: a row that lacks
something it needs is rejected, with the reason.
"""

import json
import re
from datetime import datetime
from decimal import Decimal

import deed

# Table, its entity, the entity's key, and what a row must have.
TABLES = {
    "time_entries": ("billing.time_entry", "entry_id",
                     ["entry_id", "person_id", "role", "client_id", "project_id", "worked_on", "hours", "billable", "status"]),
    "invoice_lines": ("billing.invoice_line_item", "line_id",
                      ["line_id", "invoice_id", "line_number", "invoice_date", "client_id", "line_type", "quantity", "unit",
                       "unit_price", "amount", "currency", "invoice_status"]),
    "rate_card": ("billing.rate_card", "rate_id", ["rate_id", "rate_card_id", "role", "unit", "rate", "currency", "effective_from"]),
}
# The narrative and the person's name are not needed further on, and so are not passed on.
ENTRY_FIELDS = ["entry_id", "person_id", "role", "client_id", "project_id", "task_code", "worked_on", "hours",
                "billable", "status"]
CONTRACT = "framework_contract.txt"


def main():
    check_sources(read_json("output/schema_profile.json"))
    tables, rejected = {}, []
    for name in TABLES:
        tables[name], refused = normalize(name, read_json(deed.input("raw_files", TABLES[name][0])))
        rejected += refused
    terms, unread = read_contract()
    write_json("work/time_entries.rows.json", tables["time_entries"])
    write_json("work/invoice_lines.rows.json", tables["invoice_lines"])
    write_json("work/rates.rows.json", tables["rate_card"])
    write_json("work/contract_terms.rows.json", terms)
    write_json("output/normalized_sources.json", {
        "sources": counts(tables, terms, rejected),
        "rejected_rows": rejected,
        "clauses_without_a_term": unread,
    })


def check_sources(profiles):
    unusable = [profile["source_id"] for profile in profiles if not profile["usable"]]
    if unusable:
        raise SystemExit(f"the profile says that these cannot be used: {', '.join(unusable)}")


def counts(tables, terms, rejected):
    rows = [
        {"source_id": f"{name}.csv", "rows": len(table),
         "rejected": sum(row["source_id"] == f"{name}.csv" for row in rejected)}
        for name, table in tables.items()
    ]
    return rows + [{"source_id": CONTRACT, "rows": len(terms), "rejected": 0}]


# --- tables ---------------------------------------------------------------------------------------------------------


def normalize(name, rows):
    """Rows with their source, in the order of the source; and what was rejected, with the reason."""
    _, key, required = TABLES[name]
    kept, rejected, seen = [], [], set()
    for number, row in enumerate(rows, start=1):
        row = {field: value for field, value in row.items() if value is not None}
        reason = fault(row, required, key, seen)
        if reason:
            rejected.append({"source_id": f"{name}.csv", "source_row": number, "reason": reason})
            continue
        seen.add(row[key])
        kept.append(with_source(name, row, number))
    return kept, rejected


def fault(row, required, key, seen):
    missing = [field for field in required if field not in row]
    if missing:
        return f"no value for {', '.join(missing)}"
    if row[key] in seen:
        return f"{key} {row[key]} occurred before"
    if "hours" in row and not 0 < row["hours"] <= 24:
        return f"{row['hours']} hours are no hours of one day"
    return None


def with_source(name, row, number):
    if name == "time_entries":
        row = {field: row[field] for field in ENTRY_FIELDS if field in row}
        row["source_row"] = number
    return {**row, "source_id": f"{name}.csv"}


# --- contract -------------------------------------------------------------------------------------------------------

SCHEDULE = re.compile(
    r"Client (?P<client>[\w-]+)\. Contract (?P<contract>[\w-]+)\. In force from (?P<since>.+?) to (?P<until>.+?)\."
)
CLAUSE = re.compile(r"(?P<ref>[0-9A-Z]+\.[0-9]+) (?P<text>.+)")
AMOUNT = r"(?P<currency>[A-Z]{3}) (?P<value>[0-9,]+\.[0-9]{2})"

# Wordings that have an effect on billing, and what they say. The order is that in which terms are applied.
WORDINGS = [
    ("non_billable_work", r"Work with task code (?P<task_code>\w+) is not billed",
     {"unit": "none"}),
    ("minimum_increment", r"Time is billed in steps of (?P<value>[0-9.]+) hours",
     {"unit": "hours", "applies_per": "entry"}),
    ("rate_override", rf"On project (?P<project_id>[\w-]+) the rate of the role (?P<role>\w+) is {AMOUNT} for one hour",
     {"unit": "currency"}),
    ("discount", r"From (?P<since>[0-9]+ \w+ [0-9]{4}) a discount of (?P<value>[0-9.]+) percent is given on all rates",
     {"unit": "percent"}),
    ("hours_cap", r"On project (?P<project_id>[\w-]+) no more than (?P<value>[0-9]+) hours are billed in any calendar "
                  r"month",
     {"unit": "hours", "applies_per": "month"}),
    ("fee_cap", rf"Fees for project (?P<project_id>[\w-]+) shall not exceed {AMOUNT} in any calendar month",
     {"unit": "currency", "applies_per": "month"}),
    ("expense_limit", rf"Expenses are reimbursed at cost, up to {AMOUNT} for each item",
     {"unit": "currency", "applies_per": "entry"}),
    ("expense_limit", r"Expenses are not reimbursed",
     {"unit": "none", "value": 0, "applies_per": "entry"}),
    ("payment_days", r"Invoices are payable within (?P<value>[0-9]+) days",
     {"unit": "days"}),
]


def read_contract():
    """Terms in the order of the document, and the clauses that no term was made of."""
    terms, unread, schedule = [], [], None
    for paragraph in paragraphs():
        head = SCHEDULE.fullmatch(paragraph)
        clause = CLAUSE.fullmatch(paragraph)
        if head:
            schedule = head
        elif clause:
            term = read_clause(schedule, clause) if schedule else None
            if term:
                terms.append(term)
            else:
                unread.append({"clause_ref": clause["ref"], "quoted_text": clause["text"]})
    return terms, unread


def paragraphs():
    """The contract without its line breaks: a clause goes on where lines are indented."""
    with open(f"input/{CONTRACT}", encoding="utf-8") as file:
        lines = file.read().splitlines()
    joined = []
    for line in lines:
        if line.startswith(" ") and joined:
            joined[-1] += " " + line.strip()
        else:
            joined.append(line.strip())
    return joined


def read_clause(schedule, clause):
    for precedence, (term_type, wording, constants) in enumerate(WORDINGS, start=1):
        found = re.search(wording, clause["text"])
        if found:
            return term(schedule, clause, term_type, precedence, {**constants, **found.groupdict()})
    return None


def term(schedule, clause, term_type, precedence, said):
    since = said.pop("since", schedule["since"])
    if isinstance(said.get("value"), str):
        said["value"] = Decimal(said["value"].replace(",", ""))
    return {
        **said,
        "term_id": f"{schedule['contract']}:{clause['ref']}",
        "contract_id": schedule["contract"],
        "client_id": schedule["client"],
        "term_type": term_type,
        "effective_from": iso_day(since),
        "effective_to": iso_day(schedule["until"]),
        "precedence": precedence,
        "clause_ref": clause["ref"],
        "quoted_text": clause["text"],
        "confidence": 1,
        "source_ids": [f"{CONTRACT}#{clause['ref']}"],
    }


def iso_day(words):
    return datetime.strptime(words, "%d %B %Y").date().isoformat()


# --- files ----------------------------------------------------------------------------------------------------------


def read_json(path):
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=Decimal)


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, sort_keys=True, indent=1, ensure_ascii=False, default=number)
        file.write("\n")


def number(value):
    """A decimal as the JSON number that it is."""
    return int(value) if value == value.to_integral_value() else float(value)


if __name__ == "__main__":
    main()
