// Reads the expenses and returns those above the limit of their category.
const LIMITS = { travel: 600, meals: 80, software: 150, hardware: 1000 };

export default function (inputs) {
  const over = rows(inputs["input/expenses.csv"])
    .filter((row) => Number(row.amount) > LIMITS[row.category])
    .map((row) => ({ ...row, amount: Number(row.amount), limit: LIMITS[row.category] }));
  console.log(`${over.length} expenses are above the limit`);
  return { "work/over_limit.json": over };
}

// The rows of a simple CSV: no quotes, a header, one row a line.
function rows(text) {
  const [header, ...lines] = text.trim().split(/\r?\n/).map((line) => line.split(","));
  return lines.map((cells) => Object.fromEntries(header.map((name, at) => [name, cells[at]])));
}
