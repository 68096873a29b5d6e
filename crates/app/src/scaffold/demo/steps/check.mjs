// Reads the expenses and returns those above the limit of their category.
const LIMITS = { travel: 600, meals: 80, software: 150, hardware: 1000 };

export default function (inputs, context) {
  const expenses = context.json(context.input("raw_files", "expenses.expense"));
  const over = expenses
    .map(({ purpose, ...expense }) => ({ ...expense, limit: limit(expense), purpose }))
    .filter(({ amount, limit }) => amount > limit);
  console.log(`${over.length} expenses are above the limit`);
  return { "work/over_limit.json": over };
}

// An expense without a limit fails the step: it must not pass as one below the limit.
function limit({ receipt, category }) {
  if (!Object.hasOwn(LIMITS, category)) throw new Error(`receipt ${receipt}: no limit for category "${category}"`);
  return LIMITS[category];
}
