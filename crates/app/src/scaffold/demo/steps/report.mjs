// Writes the report: a total for each person, then the expenses above the limit.
export default function (inputs, context) {
  const totals = new Map();
  const [header, ...lines] = inputs["input/expenses.csv"].trim().split(/\r?\n/).map((line) => line.split(","));
  const column = (name) => header.indexOf(name);
  for (const cells of lines) {
    const person = cells[column("person")];
    totals.set(person, (totals.get(person) ?? 0) + Number(cells[column("amount")]));
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
