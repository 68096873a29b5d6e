#!/usr/bin/env python3
"""Writes the data of the example: `input/` and `planted.json`, always the same bytes.

A consultancy logs 753 pieces of work for five clients in the first quarter of 2026 and bills them. Most lines are
right. Into some a mistake is planted, of every kind that `billing.discrepancy_row` knows; `planted.json` lists them,
so that a test can tell whether the audit finds these and nothing else.

What a line should have cost is worked out here by plain tables, and not by the code of the steps: two ways to the
same figure, so that a mistake in one shows.
"""

import csv
import json
import random
from datetime import date, timedelta
from decimal import ROUND_HALF_UP, Decimal
from pathlib import Path

SEED = 20260331
ENTRIES = 753
HERE = Path(__file__).resolve().parent
FIRST, LAST = date(2026, 1, 5), date(2026, 3, 31)
ROLES = ("principal", "senior", "consultant", "analyst")

# Short name on invoices, currency, and the projects with their share of the work.
CLIENTS = {
    "northgate": ("NG", "EUR", {"ng-warehouse": 5, "ng-routing": 4}),
    "harbour": ("HB", "GBP", {"hb-pos": 4, "hb-loyalty": 3}),
    "alpina": ("AL", "CHF", {"al-claims": 5}),
    "meridian": ("MF", "EUR", {"mf-erp": 4, "mf-support": 3}),
    "quayside": ("QS", "EUR", {"qs-archive": 3}),
}

PEOPLE = [
    ("p-adler", "Judith Adler", "principal"),
    ("p-okafor", "Chidi Okafor", "principal"),
    ("p-brandt", "Lena Brandt", "senior"),
    ("p-moreau", "Hugo Moreau", "senior"),
    ("p-silva", "Inês Silva", "senior"),
    ("p-novak", "Petr Novák", "consultant"),
    ("p-haines", "Ruth Haines", "consultant"),
    ("p-ito", "Kenji Ito", "consultant"),
    ("p-weiss", "Mara Weiss", "consultant"),
    ("p-lund", "Sofie Lund", "analyst"),
    ("p-doyle", "Aidan Doyle", "analyst"),
    ("p-rossi", "Marco Rossi", "analyst"),
]

TASKS = {
    "DESIGN": ["Data model reviewed with the client's architects", "Interface specification, second draft"],
    "BUILD": ["Import of master data", "Reworked the nightly batch", "Mapping rules, partial deliveries"],
    "TEST": ["Regression tests and two defects", "Load test, results written up"],
    "WORKSHOP": ["Workshop with the operations team", "Steering committee, prepared and held"],
    "SUPPORT": ["Tickets of the week", "Fixed a failed transfer, informed users"],
    "TRAVEL": ["Train to the client and back"],
}

# Rates for one hour by role, in the order of ROLES. Alpina's card is by the day of eight hours.
STANDARD = (210, 170, 135, 105)
NORTHGATE_2025 = (190, 150, 120, 95)
NORTHGATE_2026 = (198, 156, 125, 99)
HARBOUR = (185, 148, 118, 92)
ALPINA_DAYS = (1760, 1440, 1160, 920)
MERIDIAN = (175, 140, 112, 88)

RISE = date(2026, 2, 1)  # Northgate's new card, and Harbour's discount.
ALPINA_ENDS = date(2026, 3, 15)
DISCOUNT = Decimal("7.5")
FEE_CAP = ("ng-routing", "2026-03", Decimal("15000.00"))
HOURS_CAP = ("mf-support", "2026-02", Decimal("100"))

CONTRACT = """\
FRAMEWORK AGREEMENT FOR PROFESSIONAL SERVICES

between Halden & Roe Consulting ("the Supplier") and each of the companies named
in the schedules ("the Client"). Reference FA-2025-07.

1. General

1.1 The Supplier works on the projects that the Client orders in writing. Each
    schedule is a contract of its own between the Supplier and one Client.
1.2 Rates are those of the rate card that was approved for the contract. They are
    net of value added tax.
1.3 Only time that was logged as billable and approved is invoiced. The invoice
    states person, day, hours and rate.
1.4 Where a schedule and these general terms differ, the schedule goes first.

Schedule A: Northgate Logistics

Client northgate. Contract FC-2025-01. In force from 1 July 2025 to 31 December 2026.

A.1 Invoices are payable within 30 days.
A.2 Time is billed in steps of 0.25 hours; a step that was begun counts in full.
A.3 Fees for project ng-routing shall not exceed EUR 15,000.00 in any calendar
    month. What is worked beyond that is at the Supplier's risk.
A.4 Expenses are reimbursed at cost, up to EUR 400.00 for each item.

Schedule B: Harbour Retail Group

Client harbour. Contract FC-2025-02. In force from 1 October 2025 to 30 September 2026.

B.1 Invoices are payable within 45 days.
B.2 From 1 February 2026 a discount of 7.5 percent is given on all rates.
B.3 On project hb-loyalty the rate of the role principal is GBP 160.00 for one
    hour, before any discount.
B.4 Expenses are reimbursed at cost, up to GBP 150.00 for each item.
B.5 The Client names one person who accepts deliverables within ten working days.

Schedule C: Alpina Versicherung

Client alpina. Contract FC-2024-09. In force from 1 April 2024 to 15 March 2026.

C.1 Invoices are payable within 30 days.
C.2 Work with task code TRAVEL is not billed.
C.3 Expenses are reimbursed at cost, up to CHF 250.00 for each item.

Schedule D: Meridian Foods

Client meridian. Contract FC-2025-04. In force from 1 January 2025 to 31 December 2026.

D.1 Invoices are payable within 60 days.
D.2 On project mf-support no more than 100 hours are billed in any calendar month.
D.3 Expenses are not reimbursed.
"""


def money(value):
    """To the cent, halves upwards, as invoices are."""
    return Decimal(value).quantize(Decimal("0.01"), ROUND_HALF_UP)


def month(day):
    return day.isoformat()[:7]


# --- what was logged ------------------------------------------------------------------------------------------------


def working_days():
    days = [FIRST + timedelta(n) for n in range((LAST - FIRST).days + 1)]
    return [day for day in days if day.weekday() < 5]


def draw_slots(rng):
    """Who works on which day: 753 of all person-days, some of them twice."""
    slots = [(day, person) for day in working_days() for person in PEOPLE]
    return sorted(rng.sample(slots + rng.sample(slots, 200), ENTRIES), key=lambda slot: (slot[0], slot[1][0]))


def draw_project(rng):
    projects = {}
    for client, (_, _, shares) in CLIENTS.items():
        projects.update({(client, project): share for project, share in shares.items()})
    return rng.choices(list(projects), weights=list(projects.values()))[0]


def draw_task(rng, project):
    if project == "mf-support":
        return "SUPPORT"
    return rng.choices(list(TASKS), weights=(3, 5, 3, 2, 1, 0.7))[0]


def draw_entries(rng):
    entries = []
    for number, (day, (person_id, name, role)) in enumerate(draw_slots(rng), start=1):
        client, project = draw_project(rng)
        task = draw_task(rng, project)
        hours = Decimal(rng.choice(("1.5", "2", "2.5", "3", "3.5", "4", "4.5", "5", "6", "7.5")))
        if client == "northgate" and rng.random() < 0.15:
            hours -= Decimal("0.1")  # Billed in quarters of an hour: 3.4 becomes 3.5.
        entries.append({
            "entry_id": f"TE-{number:04}", "person_id": person_id, "person_name": name, "role": role,
            "client_id": client, "project_id": project, "task_code": task, "worked_on": day, "hours": hours,
            "billable": rng.random() > 0.04, "status": "approved", "narrative": rng.choice(TASKS[task]),
        })
    return entries


def set_aside(rng, entries):
    """A few entries did not get as far as an invoice, and that is as it should be."""
    for entry in rng.sample([e for e in entries if e["billable"]], 14):
        entry["status"] = rng.choice(("draft", "submitted", "rejected", "written_off"))


# --- what it should cost --------------------------------------------------------------------------------------------


def hourly_rate(entry):
    """The agreed price of one hour, by client."""
    grade, day = ROLES.index(entry["role"]), entry["worked_on"]
    if entry["client_id"] == "northgate":
        return money((NORTHGATE_2025 if day < RISE else NORTHGATE_2026)[grade])
    if entry["client_id"] == "harbour":
        rate = 160 if (entry["project_id"], entry["role"]) == ("hb-loyalty", "principal") else HARBOUR[grade]
        return money(rate * (100 - DISCOUNT) / 100) if day >= RISE else money(rate)
    if entry["client_id"] == "alpina":
        return money(Decimal(ALPINA_DAYS[grade]) / 8)
    if entry["client_id"] == "meridian":
        return money({("mf-support", "consultant"): 98, ("mf-support", "analyst"): 84}.get(
            (entry["project_id"], entry["role"]), MERIDIAN[grade]))
    return money(STANDARD[grade])


def billed_hours(entry):
    if entry["client_id"] != "northgate":
        return entry["hours"]
    quarters = -(-entry["hours"] // Decimal("0.25"))
    return quarters * Decimal("0.25")


def is_free(entry):
    """Whether the work is not to be billed at all."""
    travels_free = entry["client_id"] == "alpina" and entry["task_code"] == "TRAVEL"
    return not entry["billable"] or travels_free or entry["status"] != "approved"


def is_uncovered(entry):
    return entry["client_id"] == "alpina" and entry["worked_on"] > ALPINA_ENDS


def is_capped(entry):
    """Whether the entry counts towards a cap that is passed: no other mistake is planted there."""
    return (entry["project_id"], month(entry["worked_on"])) in (FEE_CAP[:2], HOURS_CAP[:2])


def beyond_caps(entries):
    """Ids of entries that pass a cap, by adding up in the order of days. All other months stay below."""
    beyond = []
    fee, hours = {}, {}
    for entry in entries:
        if is_free(entry) or is_uncovered(entry):
            continue
        key = (entry["project_id"], month(entry["worked_on"]))
        fee[key] = fee.get(key, 0) + money(billed_hours(entry) * hourly_rate(entry))
        hours[key] = hours.get(key, 0) + entry["hours"]
        over_fee = key[0] == FEE_CAP[0] and fee[key] > FEE_CAP[2]
        over_hours = key[0] == HOURS_CAP[0] and hours[key] > HOURS_CAP[2]
        if over_fee or over_hours:
            assert is_capped(entry), f"{key} passes a cap that it should not"
            beyond.append(entry["entry_id"])
    return beyond


# --- what was billed ------------------------------------------------------------------------------------------------


class Billing:
    """The invoices as they come about, and the mistakes that were planted in them."""

    def __init__(self):
        self.lines = []
        self.planted = []

    def time_line(self, entry, invoice=None):
        prefix, currency, _ = CLIENTS[entry["client_id"]]
        hours, rate = billed_hours(entry), hourly_rate(entry)
        line = {
            "invoice": invoice or f"{prefix}-{month(entry['worked_on'])}", "client_id": entry["client_id"],
            "project_id": entry["project_id"], "line_type": "time", "entry_id": entry["entry_id"],
            "person_id": entry["person_id"], "role": entry["role"], "worked_on": entry["worked_on"].isoformat(),
            "description": entry["narrative"], "quantity": hours, "unit": "hour", "unit_price": rate,
            "amount": money(hours * rate), "currency": currency,
        }
        self.lines.append(line)
        return line

    def expense_line(self, client, project, month_of, text, cost):
        prefix, currency, _ = CLIENTS[client]
        line = {
            "invoice": f"{prefix}-{month_of}", "client_id": client, "project_id": project, "line_type": "expense",
            "description": text, "quantity": Decimal(1), "unit": "item", "unit_price": money(cost),
            "amount": money(cost), "currency": currency,
        }
        self.lines.append(line)
        return line

    def plant(self, kind, line=None, entry=None):
        self.planted.append((kind, line, entry))

    def reprice(self, line, hours=None, rate=None):
        line["quantity"] = line["quantity"] if hours is None else hours
        line["unit_price"] = line["unit_price"] if rate is None else money(rate)
        line["amount"] = money(line["quantity"] * line["unit_price"])


def next_month(name):
    return {"01": "2026-02", "02": "2026-03", "03": "2026-03"}[name[5:7]]


def take(rng, pool, count, wanted=lambda entry: True):
    """Takes entries out of the pool, so that no two mistakes meet by accident."""
    chosen = rng.sample([entry for entry in pool if wanted(entry)], count)
    for entry in chosen:
        pool.remove(entry)
    return chosen


def plant_time_mistakes(rng, billing, pool):
    """Mistakes on lines that bill logged, billable, covered work. Each takes its entries out of the pool."""
    lines = {line.get("entry_id"): line for line in billing.lines}

    for entry in take(rng, pool, 5):
        billing.lines.remove(lines[entry["entry_id"]])
        entry["status"] = "approved"
        billing.plant("unbilled_time", entry=entry)
    for entry in take(rng, pool, 4):
        again = f"{CLIENTS[entry['client_id']][0]}-{next_month(month(entry['worked_on']))}"
        billing.plant("duplicate_billing", billing.time_line(entry, again), entry)
    for entry, change in zip(take(rng, pool, 5), ("1", "-0.5", "2", "0.5", "-1"), strict=True):
        line = lines[entry["entry_id"]]
        billing.reprice(line, hours=line["quantity"] + Decimal(change))
        billing.plant("hours_mismatch", line, entry)
    for entry in take(rng, pool, 4, lambda e: e["client_id"] == "northgate" and e["worked_on"] < RISE):
        billing.reprice(lines[entry["entry_id"]], rate=NORTHGATE_2026[ROLES.index(entry["role"])])
        billing.plant("rate_mismatch", lines[entry["entry_id"]], entry)
    for entry in take(rng, pool, 2, lambda e: e["client_id"] == "quayside" and e["role"] == "consultant"):
        billing.reprice(lines[entry["entry_id"]], rate=STANDARD[ROLES.index("senior")])
        billing.plant("rate_mismatch", lines[entry["entry_id"]], entry)
    for entry in take(rng, pool, 1, lambda e: e["client_id"] == "meridian"):
        line = lines[entry["entry_id"]]
        billing.reprice(line, hours=line["quantity"] + 1, rate=line["unit_price"] + 10)
        billing.plant("hours_mismatch", line, entry)
        billing.plant("rate_mismatch", line, entry)
    for entry in take(rng, pool, 5, lambda e: e["client_id"] == "harbour" and e["worked_on"] >= RISE
                      and e["role"] != "principal"):
        billing.reprice(lines[entry["entry_id"]], rate=HARBOUR[ROLES.index(entry["role"])])
        billing.plant("discount_not_applied", lines[entry["entry_id"]], entry)
    for entry in take(rng, pool, 2, lambda e: e["client_id"] == "meridian"):
        lines[entry["entry_id"]].update(client_id="northgate", project_id="ng-warehouse",
                                        invoice=f"NG-{month(entry['worked_on'])}")
        billing.plant("wrong_client", lines[entry["entry_id"]], entry)
        billing.plant("unbilled_time", entry=entry)
    for entry in take(rng, pool, 2, lambda e: e["project_id"] == "hb-pos" and e["role"] != "principal"):
        lines[entry["entry_id"]]["project_id"] = "hb-loyalty"
        billing.plant("wrong_project", lines[entry["entry_id"]], entry)
    for entry, slip in zip(take(rng, pool, 3), ("90.00", "-27.00", "0.90"), strict=True):
        lines[entry["entry_id"]]["amount"] += Decimal(slip)
        billing.plant("arithmetic_error", lines[entry["entry_id"]], entry)
    for entry in take(rng, pool, 3, lambda e: e["client_id"] == "harbour" and month(e["worked_on"]) == "2026-03"):
        lines[entry["entry_id"]].update(currency="EUR", invoice="HB-2026-03-S")
        billing.plant("currency_mismatch", lines[entry["entry_id"]], entry)


def plant_undue_lines(rng, billing, entries):
    """Lines for what must not be billed: free work, work after the contract, work that nobody logged."""
    logged_free = [e for e in entries if not e["billable"] and not is_uncovered(e) and not is_capped(e)]
    travels = [e for e in entries if e["billable"] and e["status"] == "approved" and is_free(e) and not is_uncovered(e)]
    for entry in take(rng, logged_free, 2) + take(rng, travels, 2):
        billing.plant("non_billable_billed", billing.time_line(entry), entry)
    after_end = [e for e in entries if is_uncovered(e) and not is_free(e)]
    for entry in take(rng, after_end, 3):
        billing.plant("outside_contract_period", billing.time_line(entry), entry)
    for entry, ghost in zip(take(rng, [e for e in entries if e["client_id"] == "quayside"], 3),
                            ("TE-9001", "TE-9002", None), strict=True):
        line = billing.time_line(entry)
        line["entry_id"] = ghost
        billing.plant("billed_without_time", line)


def add_expenses(billing):
    right = [
        ("northgate", "ng-warehouse", "2026-01", "Hotel, two nights", "286.40"),
        ("northgate", "ng-routing", "2026-03", "Rail fares", "118.20"),
        ("harbour", "hb-pos", "2026-01", "Rail fares", "96.50"),
        ("harbour", "hb-loyalty", "2026-02", "Workshop room", "150.00"),
        ("alpina", "al-claims", "2026-02", "Rail fares", "174.00"),
    ]
    wrong = [
        ("harbour", "hb-pos", "2026-03", "Hotel, one night", "212.00"),
        ("meridian", "mf-erp", "2026-01", "Rail fares", "64.80"),
        ("meridian", "mf-erp", "2026-03", "Catering of the workshop", "340.00"),
    ]
    for row in right:
        billing.expense_line(*row)
    for row in wrong:
        billing.plant("expense_not_allowed", billing.expense_line(*row))


def number_lines(lines):
    """Gives lines their places on the invoices, and ids by these."""
    lines.sort(key=lambda l: (l["invoice"], l["line_type"] != "time", l.get("worked_on", ""), l.get("entry_id") or "",
                              l["description"]))
    counts = {}
    for line in lines:
        invoice = line["invoice"]
        counts[invoice] = counts.get(invoice, 0) + 1
        line.update(invoice_id=invoice, line_number=counts[invoice], line_id=f"{invoice}-{counts[invoice]:03}",
                    invoice_date=invoice_date(invoice), invoice_status="issued" if "2026-03" in invoice else "paid")


def invoice_date(invoice):
    return {"01": "2026-02-04", "02": "2026-03-04", "03": "2026-04-03"}[invoice[8:10]]


def bill(rng, entries):
    billing = Billing()
    due = [e for e in entries if not is_free(e) and not is_uncovered(e)]
    for entry in due:
        billing.time_line(entry)
    beyond = set(beyond_caps(entries))
    for line in billing.lines:
        if line["entry_id"] in beyond:
            billing.plant("cap_exceeded", line)
    plant_time_mistakes(rng, billing, [e for e in due if not is_capped(e)])
    plant_undue_lines(rng, billing, entries)
    add_expenses(billing)
    number_lines(billing.lines)
    billed = {line.get("entry_id") for line in billing.lines}
    for entry in entries:
        if entry["entry_id"] in billed and entry["status"] == "approved":
            entry["status"] = "invoiced"
    return billing


# --- rate card ------------------------------------------------------------------------------------------------------


def rates():
    rows = []

    def card(card_id, prices, currency, since, until="", client="", contract="", unit="hour", project="", roles=ROLES):
        for role, price in zip(roles, prices, strict=True):
            rows.append({
                "rate_id": f"R-{len(rows) + 1:02}", "rate_card_id": card_id, "client_id": client,
                "contract_id": contract, "project_id": project, "role": role, "unit": unit,
                "hours_per_unit": "8" if unit == "day" else "", "rate": money(price), "currency": currency,
                "effective_from": since, "effective_to": until, "approved": "true",
            })

    card("RC-STANDARD-2026", STANDARD, "EUR", "2026-01-01")
    card("RC-NG-2025", NORTHGATE_2025, "EUR", "2025-07-01", "2026-01-31", "northgate", "FC-2025-01")
    card("RC-NG-2026", NORTHGATE_2026, "EUR", "2026-02-01", "", "northgate", "FC-2025-01")
    card("RC-HB-2025", HARBOUR, "GBP", "2025-10-01", "", "harbour", "FC-2025-02")
    card("RC-AL-2024", ALPINA_DAYS, "CHF", "2024-04-01", "", "alpina", "FC-2024-09", unit="day")
    card("RC-MF-2025", MERIDIAN, "EUR", "2025-01-01", "", "meridian", "FC-2025-04")
    card("RC-MF-SUPPORT", (98, 84), "EUR", "2025-06-01", "", "meridian", "FC-2025-04", project="mf-support",
         roles=("consultant", "analyst"))
    # A second price for the same work from March on: somebody forgot to end the first. The audit has to say so.
    card("RC-MF-SUPPORT-2", (86,), "EUR", "2026-03-01", "", "meridian", "FC-2025-04", project="mf-support",
         roles=("analyst",))
    return rows


# --- files ----------------------------------------------------------------------------------------------------------


def write_csv(name, columns, rows):
    with open(HERE / "input" / name, "w", newline="", encoding="utf-8") as file:
        writer = csv.DictWriter(file, columns, lineterminator="\n", extrasaction="ignore", restval="")
        writer.writeheader()
        writer.writerows(rows)


def spelled(entry):
    return {**entry, "worked_on": entry["worked_on"].isoformat(), "billable": str(entry["billable"]).lower()}


def planted_rows(planted):
    """As `discrepancies.json` names them: by kind, and by the line or, where nothing was billed, the entry."""
    rows = [{"id": line["line_id"] if line else entry["entry_id"], "kind": kind} for kind, line, entry in planted]
    return sorted(rows, key=lambda row: (row["kind"], row["id"]))


def main():
    rng = random.Random(SEED)
    entries = draw_entries(rng)
    set_aside(rng, entries)
    billing = bill(rng, entries)
    (HERE / "input").mkdir(exist_ok=True)
    write_csv("time_entries.csv", list(entries[0]), [spelled(entry) for entry in entries])
    write_csv("invoice_lines.csv", [
        "line_id", "invoice_id", "line_number", "invoice_date", "client_id", "project_id", "line_type", "entry_id",
        "person_id", "role", "worked_on", "description", "quantity", "unit", "unit_price", "amount", "currency",
        "invoice_status"], billing.lines)
    write_csv("rate_card.csv", list(rates()[0]), rates())
    (HERE / "input" / "framework_contract.txt").write_text(CONTRACT, encoding="utf-8")
    with open(HERE / "planted.json", "w", encoding="utf-8") as file:
        json.dump(planted_rows(billing.planted), file, sort_keys=True, indent=1, ensure_ascii=False)
        file.write("\n")


if __name__ == "__main__":
    main()
