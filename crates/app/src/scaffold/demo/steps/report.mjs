// Writes the report: a total for each person, then the expenses above the limit.
export default function (inputs, context) {
  const totals = new Map();
  for (const { person, amount } of context.json(context.input("raw_files", "expenses.expense"))) {
    totals.set(person, (totals.get(person) ?? 0) + amount);
  }
  const over = context.json("work/over_limit.json");
  const report = [
    "# Expenses of this week",
    "",
    "| Person | Total |",
    "|---|---:|",
    ...[...totals].sort().map(([person, total]) => `| ${person} | ${total.toFixed(2)} |`),
    "",
    "Approved although above the limit:",
    "",
    ...over.map((row) => `- ${row.person}, ${row.category}: ${row.amount.toFixed(2)} (limit ${row.limit}), ${row.purpose}`),
    "",
  ];
  return { "output/report.md": report.join("\n") };
}
