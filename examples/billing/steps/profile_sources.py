"""Phase 1: measure the sources as they came.

Reads the four files of `input/`. Writes `output/schema_profile.json`, one `billing.source_profile` for each.
Nothing is repaired here: what is wrong with a file is counted and named, and `usable` says whether to go on.
"""

import csv
import hashlib
import json
import re
from datetime import date, timedelta

# File, what it holds, the entity of its rows, the columns that it must have, and the column with its days.
TABLES = [
    ("time_entries.csv", "time_entries", "billing.time_entry",
     ["entry_id", "person_id", "role", "client_id", "project_id", "worked_on", "hours", "billable", "status"],
     "worked_on"),
    ("invoice_lines.csv", "invoice_lines", "billing.invoice_line_item",
     ["line_id", "invoice_id", "line_number", "invoice_date", "client_id", "line_type", "quantity", "unit",
      "unit_price", "amount", "currency", "invoice_status"],
     "invoice_date"),
    ("rate_card.csv", "rate_cards", "billing.rate_card",
     ["rate_id", "rate_card_id", "role", "unit", "rate", "currency", "effective_from"],
     None),
]
CONTRACT = "framework_contract.txt"
# Columns that the audit has no use for: it compares figures, and names people by their ids.
NOT_USED = {"person_name", "narrative", "description"}

# The first that fits all values of a column is its type; what fits none is a string.
TYPES = [
    ("boolean", re.compile(r"true|false")),
    ("integer", re.compile(r"-?(0|[1-9][0-9]*)")),
    ("number", re.compile(r"-?(0|[1-9][0-9]*)(\.[0-9]+)?")),
    ("date", re.compile(r"[0-9]{4}-[0-9]{2}-[0-9]{2}")),
]


def main():
    profiles = [profile_table(*table) for table in TABLES]
    profiles.append(profile_contract())
    instant = end_of_data(profiles)
    for profile in profiles:
        profile["profiled_at"] = instant
    write_json("output/schema_profile.json", profiles)


def profile_table(name, holds, entity, required, day_column):
    content = read_bytes(name)
    header, rows, rejected = read_table(content)
    columns = [profile_column(column, [row[place] for row in rows]) for place, column in enumerate(header)]
    missing = [column for column in required if column not in header]
    profile = describe(name, content, "text/csv", holds, entity)
    profile.update(
        row_count=len(rows) + rejected,
        duplicate_row_count=len(rows) - len(set(map(tuple, rows))),
        rejected_row_count=rejected,
        columns=columns,
        issues=[f"column `{column}` is missing" for column in missing] + ragged(rejected),
        usable=bool(rows) and not missing,
    )
    if "currency" in header:
        profile["currencies"] = sorted({row[header.index("currency")] for row in rows} - {""})
    if day_column in header and rows:
        days = [row[header.index(day_column)] for row in rows]
        profile.update(covers_from=min(days), covers_to=max(days))
    return profile


def profile_contract():
    """Prose has no columns; its lines are counted as rows."""
    content = read_bytes(CONTRACT)
    lines = [line for line in content.decode("utf-8").splitlines() if line.strip()]
    profile = describe(CONTRACT, content, "text/plain", "contracts", "billing.contract_term")
    profile.update(
        row_count=len(lines), duplicate_row_count=0, rejected_row_count=0, columns=[], issues=[], usable=bool(lines)
    )
    return profile


def describe(name, content, media_type, holds, entity):
    return {
        "source_id": name,
        "name": name,
        "content_sha256": hashlib.sha256(content).hexdigest(),
        "media_type": media_type,
        "holds": holds,
        "entity_schema_id": entity,
    }


def profile_column(name, values):
    present = [value for value in values if value != ""]
    column = {
        "name": name,
        "inferred_type": infer_type(present),
        "null_count": len(values) - len(present),
        "distinct_count": len(set(present)),
    }
    if name not in NOT_USED:
        column["maps_to"] = name
    if present:
        column["example"] = present[0]
    return column


def infer_type(values):
    if not values:
        return "empty"
    for name, pattern in TYPES:
        if all(pattern.fullmatch(value) for value in values):
            return name
    return "string"


def read_table(content):
    """Header, rows as wide as the header, and how many are not."""
    header, *rows = list(csv.reader(content.decode("utf-8").splitlines(keepends=True), strict=True)) or [[]]
    whole = [row for row in rows if len(row) == len(header)]
    return header, whole, len(rows) - len(whole)


def ragged(count):
    return [f"{count} rows have more or fewer cells than the header"] if count else []


def end_of_data(profiles):
    """A step has no clock: the profile is dated by the data, to the end of the last day that any source covers.

    When the step really ran is in its receipt.
    """
    last = max(profile["covers_to"] for profile in profiles if "covers_to" in profile)
    return f"{date.fromisoformat(last) + timedelta(days=1)}T00:00:00Z"


def read_bytes(name):
    with open(f"input/{name}", "rb") as file:
        return file.read()


def write_json(path, value):
    with open(path, "w", encoding="utf-8") as file:
        json.dump(value, file, sort_keys=True, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
