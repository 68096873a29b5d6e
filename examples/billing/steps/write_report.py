"""Phase 8: the audit report as one HTML page.

Reads discrepancies, their summary, the proposed corrections and what became of them. Writes
`output/billing_audit_report.html`: no script, nothing from elsewhere, light and dark, and made to be printed. Every
amount stands in an input or is a sum of such; amounts of different currencies are never added. All text from outside
is escaped.
"""

import json
from decimal import Decimal
from html import escape

STATUS_WORDS = {"rejected": "refused", "duplicate": "known before", "failed": "failed", "unknown": "no answer"}
WEIGHTS = ["critical", "high", "medium", "low"]
# Columns that are set to the right.
FIGURES = {
    "Findings", "Too much", "Too little", "Net", "Billed", "Due", "Difference", "As it stands", "Proposed", "Change",
}


def main():
    findings = read_json("output/discrepancies.json")
    summary = read_json("output/exception_summary.json")
    corrections = read_json("output/correction_candidates.json")
    results = {row["correction_id"]: row for row in read_json("output/correction_submission_result.json")}
    page = PAGE.format(
        style=STYLE,
        lead=lead(findings, corrections, results),
        totals=totals(summary),
        clients=client_table(summary),
        kinds=kind_table(summary),
        findings="\n".join(finding_tables(findings)),
        corrections=correction_table(corrections, results),
        people=left_to_people(findings, corrections, results),
        sources=source_note(findings),
    )
    with open("output/billing_audit_report.html", "w", encoding="utf-8") as file:
        file.write(page)


# --- the parts of the page ------------------------------------------------------------------------------------------


def lead(findings, corrections, results):
    months = sorted({row["period"] for row in findings})
    span = f"{months[0]} to {months[-1]}" if months else "the whole time"
    booked = sum(row["status"] == "accepted" for row in results.values())
    clients = len({row["client_id"] for row in findings})
    return (
        f"{len(findings)} discrepancies with {clients} clients, {span}. "
        f"{len(corrections)} corrections were proposed and approved as a list; {booked} are booked."
    )


def totals(summary):
    """One card for each currency."""
    cards = []
    for currency, rows in grouped(summary, "currency"):
        over, under, net = sums(rows)
        cards.append(
            f'<article><h3>{escape(currency)}</h3><p class="net">{signed(net)}</p>'
            f"<p>billed too much <b>{plain(over)}</b></p><p>billed too little <b>{plain(under)}</b></p></article>"
        )
    return "\n".join(cards)


def client_table(summary):
    body = []
    for client, rows in grouped(summary, "client_id"):
        for currency, part in grouped(rows, "currency"):
            count = sum(row["discrepancy_count"] for row in part)
            over, under, net = sums(part)
            worst = min((row["highest_severity"] for row in part), key=WEIGHTS.index)
            body.append([escape(client), escape(currency), number(str(count)), number(plain(over)),
                         number(plain(under)), number(signed(net)), badge(worst)])
    return table(["Client", "Currency", "Findings", "Too much", "Too little", "Net", "Gravest"], body)


def kind_table(summary):
    """How often each kind occurs; the bar is its share of the most frequent."""
    counts = {kind: sum(row["discrepancy_count"] for row in rows) for kind, rows in grouped(summary, "kind")}
    most = max(counts.values(), default=1)
    body = [
        [words(kind), number(str(count)), f'<span class="bar" style="width:{100 * count // most}%"></span>']
        for kind, count in sorted(counts.items(), key=lambda item: (-item[1], item[0]))
    ]
    return table(["Kind", "Findings", ""], body)


def finding_tables(findings):
    for client, rows in grouped(findings, "client_id"):
        yield f"<h3>{escape(client)}</h3>"
        body = [
            [
                f"<b>{words(row['kind'])}</b><br>{escape(row['explanation'])}",
                places(row),
                number(f"{escape(row['currency'])} {plain(row['billed_amount'])}"),
                number(f"{escape(row['currency'])} {plain(row['expected_amount'])}"),
                number(signed(row["difference_amount"])),
                badge(row["severity"]),
                f'<span class="src">{"<br>".join(map(escape, row["source_ids"]))}</span>',
            ]
            for row in sorted(rows, key=lambda row: (row["period"], row["discrepancy_id"]))
        ]
        yield table(["Finding", "Where", "Billed", "Due", "Difference", "Weight", "Rests on"], body)


def correction_table(corrections, results):
    body = [
        [
            f"<b>{escape(row['correction_id'])}</b><br>{words(row['action'])}, {escape(row['client_id'])}",
            "<br>".join(map(escape, row["discrepancy_ids"])),
            number(f"{escape(row['currency'])} {plain(row['current_amount'])}"),
            number(f"{escape(row['currency'])} {plain(row['proposed_amount'])}"),
            number(signed(row["correction_amount"])),
            became(results.get(row["correction_id"])),
        ]
        for row in corrections
    ]
    return table(["Correction", "Settles", "As it stands", "Proposed", "Change", "What became of it"], body)


def became(result):
    """The answer of the billing system, with the identifier or the message that it gave."""
    if result is None:
        return badge("not sent")
    if result["status"] == "accepted":
        return f"{badge('booked')}<br>{escape(result['external_id'])}"
    return f"{badge(STATUS_WORDS[result['status']])}<br>{escape(result.get('message', ''))}"


def left_to_people(findings, corrections, results):
    """What is still open when this page is written."""
    settled = {name for row in corrections for name in row["discrepancy_ids"]}
    items = [
        f"<li><b>{escape(row['correction_id'])}</b>: {escape(results[row['correction_id']]['message'])}</li>"
        for row in corrections if results.get(row["correction_id"], {}).get("status") in ("rejected", "failed")
    ]
    items += [
        f"<li><b>{escape(row['discrepancy_id'])}</b>: no correction is proposed; {escape(row['explanation'])}</li>"
        for row in findings if row["discrepancy_id"] not in settled
    ]
    return f"<ul>{''.join(items)}</ul>" if items else "<p>Nothing is left open.</p>"


def source_note(findings):
    files = sorted({source.split("#")[0] for row in findings for source in row["source_ids"]})
    return escape(", ".join(files))


# --- small things ---------------------------------------------------------------------------------------------------


def grouped(rows, field):
    """Rows by the value of a field, in the order of the values."""
    return [(value, [row for row in rows if row[field] == value]) for value in sorted({row[field] for row in rows})]


def sums(rows):
    fields = ("overbilled_amount", "underbilled_amount", "net_difference_amount")
    return [sum((row[field] for row in rows), Decimal(0)) for field in fields]


def table(titles, body):
    head = "".join(f'<th class="num">{title}</th>' if title in FIGURES else f"<th>{title}</th>" for title in titles)
    rows = "\n".join("<tr>" + "".join(map(cell, row)) + "</tr>" for row in body)
    return f"<table>\n<thead><tr>{head}</tr></thead>\n<tbody>\n{rows}\n</tbody>\n</table>"


def cell(content):
    return content if content.startswith("<td") else f"<td>{content}</td>"


def number(content):
    return f'<td class="num">{content}</td>'


def places(row):
    """Month, project, invoice line and time entry, as far as there are such."""
    names = [row["period"], *(row[field] for field in ("project_id", "line_id", "entry_id") if field in row)]
    return f'<span class="ids">{"<br>".join(map(escape, names))}</span>'


def badge(word):
    return f'<span class="badge {escape(word).replace(" ", "-")}">{escape(word)}</span>'


def words(name):
    return escape(name.replace("_", " "))


def plain(amount):
    return f"{amount:,.2f}"


def signed(amount):
    sign = "+" if amount > 0 else "−" if amount < 0 else ""
    return f"{sign}{abs(amount):,.2f}"


def read_json(path):
    """Every number as a decimal, so that sums are exact."""
    with open(path, encoding="utf-8") as file:
        return json.load(file, parse_float=Decimal, parse_int=Decimal)


# --- how it looks ---------------------------------------------------------------------------------------------------

STYLE = """
:root { color-scheme: light dark; --ink: #1b2430; --soft: #5b6776; --line: #d9dfe7; --page: #f4f6f9; --paper: #fff;
  --accent: #1f5fa8; --critical: #a3123a; --high: #b4490a; --medium: #7a6300; --low: #4b5a6b; --good: #1a6b3f; }
@media (prefers-color-scheme: dark) { :root { --ink: #e5eaf1; --soft: #9aa7b8; --line: #313b49; --page: #11161d;
  --paper: #1a212b; --accent: #79b2f2; --critical: #ff7d9c; --high: #ffa163; --medium: #e3c644; --low: #a5b4c6;
  --good: #6fd39c; } }
* { box-sizing: border-box; }
body { margin: 0; background: var(--page); color: var(--ink); font: 15px/1.5 system-ui, "Segoe UI", Roboto,
  "Helvetica Neue", Arial, sans-serif; }
main { max-width: 1180px; margin: 0 auto; padding: 40px 28px 64px; }
header { border-bottom: 3px solid var(--accent); padding-bottom: 18px; margin-bottom: 28px; }
h1 { font-size: 30px; line-height: 1.2; margin: 0 0 6px; letter-spacing: -0.01em; }
h2 { font-size: 20px; margin: 44px 0 12px; }
h3 { font-size: 15px; margin: 26px 0 8px; color: var(--accent); }
p { margin: 0 0 8px; } .lead { font-size: 17px; color: var(--soft); margin: 0; }
.cards { display: grid; grid-template-columns: repeat(auto-fit, minmax(220px, 1fr)); gap: 16px; }
article { background: var(--paper); border: 1px solid var(--line); border-radius: 10px; padding: 16px 20px; }
article h3 { margin: 0; color: var(--soft); letter-spacing: 0.06em; } article p { color: var(--soft); margin: 0; }
article b { color: var(--ink); float: right; } article .net { font-size: 28px; font-weight: 650; color: var(--ink);
  margin: 2px 0 8px; font-variant-numeric: tabular-nums; }
table { width: 100%; border-collapse: collapse; background: var(--paper); border: 1px solid var(--line);
  font-size: 13.5px; }
th { text-align: left; white-space: nowrap; font-weight: 600; color: var(--soft); font-size: 12px;
  border-bottom: 2px solid var(--line); }
th, td { padding: 8px 12px; vertical-align: top; } td { border-top: 1px solid var(--line); overflow-wrap: anywhere; }
td:has(.bar) { width: 55%; }
.num { text-align: right; white-space: nowrap; font-variant-numeric: tabular-nums; }
.ids { white-space: nowrap; } .src { color: var(--soft); font-size: 11.5px; white-space: nowrap; }
.bar { display: block; height: 10px; margin-top: 5px; border-radius: 5px; background: var(--accent); min-width: 3px; }
.badge { display: inline-block; border: 1px solid currentColor; border-radius: 999px; padding: 0 9px; font-size: 12px;
  font-weight: 600; white-space: nowrap; color: var(--low); }
.critical, .refused, .failed { color: var(--critical); } .high { color: var(--high); } .medium { color: var(--medium); }
.booked { color: var(--good); } footer { margin-top: 44px; color: var(--soft); font-size: 13px; }
@media (max-width: 760px) { table { display: block; overflow-x: auto; } }
@media print { :root { color-scheme: light; --ink: #000; --soft: #444; --line: #bbb; --page: #fff; --paper: #fff;
  --accent: #1f5fa8; --critical: #a3123a; --high: #b4490a; --medium: #7a6300; --low: #4b5a6b; --good: #1a6b3f; }
  @page { size: A4 landscape; margin: 14mm; } main { max-width: none; padding: 0; } body { font-size: 12px; }
  table { font-size: 10.5px; } th, td { padding: 4px 6px; } tr, article { break-inside: avoid; }
  thead { display: table-header-group; } h2, h3 { break-after: avoid; } }
"""

PAGE = """<!DOCTYPE html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Billing audit report</title>
<style>{style}</style>
</head>
<body>
<main>
<header>
<h1>Billing audit report</h1>
<p class="lead">{lead}</p>
</header>
<section>
<h2>Net difference by currency</h2>
<div class="cards">
{totals}
</div>
</section>
<section>
<h2>By client</h2>
{clients}
</section>
<section>
<h2>By kind</h2>
{kinds}
</section>
<section>
<h2>Left to people</h2>
{people}
</section>
<section>
<h2>Every finding, with its sources</h2>
{findings}
</section>
<section>
<h2>Corrections, and what became of each</h2>
{corrections}
</section>
<footer>
<p>A positive difference was billed too much, a negative one too little. Sources are named as file#row or
file#clause: {sources}. Amounts are before tax.</p>
</footer>
</main>
</body>
</html>
"""


if __name__ == "__main__":
    main()
